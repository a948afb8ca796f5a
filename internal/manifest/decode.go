package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/refconfig"
)

// Object is one Kubernetes object of a file: its identity, its place, and the bytes it can be decoded from. Its
// methods may be called by several goroutines at once.
type Object struct {
	ID       ID // a name that is missing is "" (generateName, or an item that has none)
	Place    refconfig.Place
	Owners   []Owner
	Subjects []Subject // of a RoleBinding or ClusterRoleBinding
	Carries  Carrying

	// Wrapper names the objects that it lies in, from the inside out: "ConfigurationPolicy a in Policy policies/b", "" for none. Compliance is
	// what a policy wants of it: musthave, mustonlyhave or mustnothave, disabled where the policy is, or "".
	Wrapper, Compliance string

	UID, ResourceVersion string // of metadata; "" for an object in another, which is not known to be on any cluster

	source  *source      // nil once it was dropped
	refused *SyntaxError // why it was, where that is to be told
}

// Source is where the object stands: its place, what wraps it, and what a policy wants of it.
func (o *Object) Source() (place refconfig.Place, wrapper, compliance string) {
	return o.Place, o.Wrapper, o.Compliance
}

// Decode is the object as Kubernetes holds it; each call makes a fresh tree. The error is a *SyntaxError with the line
// of the file.
func (o *Object) Decode() (map[string]any, error) {
	n, err := o.Node()
	if err != nil {
		return nil, err
	}
	tree, _ := n.Value().(map[string]any)
	return tree, nil
}

// Node is the decoded object with places: lines are those of the file, offsets those of the object's own text. The
// error is a *SyntaxError.
func (o *Object) Node() (*Node, error) {
	if o.refused != nil {
		return nil, o.refused
	}
	if o.source == nil {
		return nil, &SyntaxError{Line: o.Place.Line, Message: "the content was let go, because nothing was to ask for it"}
	}
	n, fault := o.source.parse()
	if fault != nil {
		return nil, fault
	}
	if n.Kind != Map {
		return nil, &SyntaxError{Line: o.Place.Line, Message: "a map is expected"}
	}
	return n, nil
}

// Detach gives the object a copy of its own text, so that it does not keep the content of its whole file in memory. It
// must not be called while another method is.
func (o *Object) Detach() {
	if o.source != nil {
		o.source.text = append([]byte(nil), o.source.text...)
	}
}

// Drop lets go of the object's text: of what it is only its identity and what is said beside it remain. It must not be
// called while another method is. An object without text cannot be decoded any more.
func (o *Object) Drop() { o.source = nil }

// Refuse lets go of the object's text as Drop does. That is the error of decoding it then.
func (o *Object) Refuse(fault *SyntaxError) { o.source, o.refused = nil, fault }

// DecodedSize is how much memory the object takes while it is decoded and when it is, roughly and rather too much than too little.
func (o *Object) DecodedSize() int64 {
	if o.source == nil {
		return 0
	}
	return budget.Decoding(o.source.text) + o.source.node.size() + o.Repeated()
}

// ValuesSize is how much memory the object's values take when it is decoded, without their text.
func (o *Object) ValuesSize() int64 {
	if o.source == nil {
		return 0
	}
	return budget.Decoded(o.source.text) + o.source.node.size() + o.Repeated()
}

// Repeated is the part of ValuesSize that aliases repeat.
func (o *Object) Repeated() int64 {
	if o.source == nil {
		return 0
	}
	return budget.OfValue * int64(o.source.repeated)
}

// size is how much memory a node that is kept takes; 0 for none.
func (n *Node) size() int64 {
	if n == nil {
		return 0
	}
	const ofNode = 200
	size := ofNode + int64(len(n.Text))
	for _, below := range [][]*Node{n.Keys, n.Values} {
		for _, one := range below {
			size += one.size()
		}
	}
	return size
}

// Steps is about how much work it takes to compare the object, see budget.Steps.
func (o *Object) Steps() int64 {
	if o.source == nil {
		return 0
	}
	return budget.Steps(o.source.text)
}

// Text is how many bytes of its file the object holds.
func (o *Object) Text() int {
	if o.source == nil {
		return 0
	}
	return len(o.source.text)
}

// Locator makes ready to look up lines of the file. For an object that does not decode all lines are that at which it begins.
func (o *Object) Locator() Locator {
	n, err := o.Node()
	if err != nil {
		return Locator{line: o.Place.Line}
	}
	return Locator{root: n, line: o.Place.Line}
}

// NewLocator makes ready to look up lines of an object that is decoded already.
func NewLocator(root *Node) Locator {
	if root == nil {
		return Locator{}
	}
	return Locator{root: root, line: root.Line, large: map[*Node]map[string]int{}}
}

// Locator tells at which line a field stands. Its zero value knows no line. It is for one goroutine.
type Locator struct {
	root  *Node
	line  int
	large map[*Node]map[string]int // of maps with many keys that were asked for: which key stands where
}

// Line is the line of the field at path, or of its nearest ancestor that is there. A step that matches anything ends
// the way, and so does the document that a text holds.
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
func (l Locator) child(n *Node, step refconfig.Step) (mark, value *Node) {
	switch {
	case n == nil || step.Any:
		return nil, nil
	case n.Kind == Map:
		mark, value = l.field(n, step.Key)
		if around, inside := step.Around(); inside && value == nil {
			return l.field(n, around.Key)
		}
		return mark, value
	case n.Kind == List && step.Index >= 0 && step.Index < len(n.Values):
		return n.Values[step.Index], n.Values[step.Index]
	}
	return nil, nil
}

// field is Node.Field. A map with many keys is looked through once, so that the lines of all its fields take as long as they are many.
func (l Locator) field(n *Node, name string) (key, value *Node) {
	const many = 16
	if len(n.Keys) <= many || l.large == nil {
		return n.Field(name)
	}
	if l.large[n] == nil {
		l.large[n] = make(map[string]int, len(n.Keys))
		for i, k := range slices.Backward(n.Keys) {
			l.large[n][KeyString(k)] = i // the first of a name, as Node.Field has it
		}
	}
	i, there := l.large[n][name]
	if !there {
		return nil, nil
	}
	return n.Keys[i], n.Values[i]
}

// DuplicateKeys lists the keys below n that stand more than once in one map: those whose values were lost.
func DuplicateKeys(n *Node) []*Node {
	if n == nil {
		return nil
	}
	lost := append([]*Node(nil), n.Duplicates...)
	for _, v := range n.Values {
		lost = append(lost, DuplicateKeys(v)...)
	}
	return lost
}
