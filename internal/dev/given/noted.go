package given

import "github.com/validationtool/validationtool/internal/value/provenance"

// Noted returns an expected value. The notes have the shape of the value, with a provenance.Note in
// place of each part that has one; the other parts have none.
func Noted(value, notes any) *provenance.Node {
	n := provenance.Plain(value)
	switch notes := notes.(type) {
	case provenance.Note:
		*n = provenance.Leaf(value, notes)
	case map[string]any:
		var children []provenance.Node
		for k, x := range value.(map[string]any) {
			children = append(children, Noted(x, notes[k]).Under(k))
		}
		*n = provenance.Map(children)
	case []any:
		var items []provenance.Node
		for i, x := range value.([]any) {
			items = append(items, *Noted(x, notes[i]))
		}
		*n = provenance.List(items)
	}
	return n
}

// NotesOf returns the notes of an expected value, as Noted takes them.
func NotesOf(n *provenance.Node) any {
	if note, whole := n.Note(); whole {
		return note
	}
	notes := map[string]any{}
	var items []any
	switch v := n.Value().(type) {
	case map[string]any:
		for k := range v {
			notes[k] = NotesOf(n.Child(k))
		}
		return notes
	case []any:
		for i := range v {
			items = append(items, NotesOf(n.Item(i)))
		}
		return items
	}
	return nil
}
