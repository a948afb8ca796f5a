package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// NewLocator makes ready to look up lines of an object that is decoded already.
func NewLocator(root *kubeyaml.Node) Locator {
	if root == nil {
		return Locator{}
	}
	return Locator{root: root, line: root.Line, large: map[*kubeyaml.Node]map[string]int{}}
}

// From is the locator of an object that begins at a line of the file.
func (l Locator) From(line int) Locator {
	l.line = line
	return l
}

// Locator tells at which line a field stands. Its zero value knows no line. It is for one
// goroutine.
type Locator struct {
	root  *kubeyaml.Node
	line  int
	large map[*kubeyaml.Node]map[string]int // of maps with many keys that were asked for: which key stands where
}

// Line is the line of the field at path, or of its nearest ancestor that is there. A step that
// matches anything ends the way, and so does the document that a text holds.
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

// child is the field or element that a step leads to, with the node that marks its line.
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

// field is Node.Field. A map with many keys is looked through once, so that the lines of all its
// fields take as long as they are many.
func (l Locator) field(n *kubeyaml.Node, name string) (key, value *kubeyaml.Node) {
	const many = 16
	if len(n.Keys) <= many || l.large == nil {
		return n.Field(name)
	}
	if l.large[n] == nil {
		l.large[n] = make(map[string]int, len(n.Keys))
		for i, k := range slices.Backward(n.Keys) {
			l.large[n][kubeyaml.KeyString(k)] = i // the first of a name, as Node.Field has it
		}
	}
	i, there := l.large[n][name]
	if !there {
		return nil, nil
	}
	return n.Keys[i], n.Values[i]
}
