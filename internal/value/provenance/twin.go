package provenance

import "github.com/validationtool/validationtool/internal/value/tree"

// Notes returns the notes as a tree of the shape of the value, for those that do not read nodes yet.
func (n *Node) Notes() any {
	switch {
	case n == nil || n.marks == 0:
		return nil
	case n.whole:
		note, _ := n.Note()
		return note
	}
	if _, isMap := n.value.(map[string]any); isMap {
		notes := make(map[string]any, len(n.children))
		for i := range n.children {
			notes[n.children[i].key] = n.children[i].Notes()
		}
		return notes
	}
	notes := make([]any, len(n.children))
	for i := range n.children {
		notes[i] = n.children[i].Notes()
	}
	return notes
}

// Of returns the node of a value and the tree of its notes.
func Of(value, notes any) *Node {
	n := of(value, notes)
	return &n
}

func of(value, notes any) Node {
	switch notes := notes.(type) {
	case Note:
		return Leaf(value, notes)
	case map[string]any:
		m, _ := value.(map[string]any)
		children := make([]Node, 0, len(m))
		for _, k := range tree.Keys(m) {
			children = append(children, of(m[k], notes[k]).Under(k))
		}
		return container(value, children)
	case []any:
		l, _ := value.([]any)
		items := make([]Node, len(l))
		for i, x := range l {
			if i < len(notes) {
				items[i] = of(x, notes[i])
			} else {
				items[i] = Plain(x)
			}
		}
		return container(value, items)
	}
	return Plain(value)
}
