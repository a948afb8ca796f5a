package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// NewLocator returns a locator for an object that is already decoded.
func NewLocator(root *kubeyaml.Node) Locator {
	if root == nil {
		return Locator{}
	}
	return Locator{root: root, line: root.Line, large: map[*kubeyaml.Node]map[string]int{}}
}

// Locator finds the lines of fields. The zero value knows no lines. Only one goroutine may use it.
type Locator struct {
	root  *kubeyaml.Node
	line  int
	large map[*kubeyaml.Node]map[string]int // index of each key, for large maps that were searched
}

// Line returns the line of the field at path, or of its nearest existing ancestor. The path ends at
// a wildcard step, and at a step into an embedded document.
func (l Locator) Line(path refconfig.FieldPath) int {
	line, n := l.line, l.root
	for _, step := range path {
		key, value := l.child(n, step)
		if value == nil {
			break
		}
		line, n = key.Line, value
	}
	return line
}

// child returns the field or element for a step, and the node that marks its line.
func (l Locator) child(n *kubeyaml.Node, step refconfig.Step) (mark, value *kubeyaml.Node) {
	switch {
	case n == nil || step.Any:
		return nil, nil
	case n.Kind == kubeyaml.Map:
		mark, value = l.field(n, step.Key)
		if around, inside := step.Around(); inside && value == nil {
			return l.field(n, around.Key)
		}
		return mark, value
	case n.Kind == kubeyaml.List && step.Index >= 0 && step.Index < len(n.Values):
		return n.Values[step.Index], n.Values[step.Index]
	}
	return nil, nil
}

// field is Node.Field with an index for large maps, so that finding all their lines takes linear
// time.
func (l Locator) field(n *kubeyaml.Node, name string) (key, value *kubeyaml.Node) {
	const many = 16
	if len(n.Keys) <= many || l.large == nil {
		return n.Field(name)
	}
	if l.large[n] == nil {
		l.large[n] = make(map[string]int, len(n.Keys))
		for i, k := range slices.Backward(n.Keys) {
			l.large[n][kubeyaml.KeyString(k)] = i // the first key of a name, as in Node.Field
		}
	}
	i, there := l.large[n][name]
	if !there {
		return nil, nil
	}
	return n.Keys[i], n.Values[i]
}
