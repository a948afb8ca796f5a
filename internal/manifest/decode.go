package manifest

import (
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Object is one Kubernetes object of a file: its identity, its place, and the bytes it can be
// decoded from. Its methods may be called by several goroutines at once.
type Object struct {
	ID       ID // a name that is missing is "" (generateName, or an item that has none)
	Place    refconfig.Place
	Owners   []Owner
	Subjects []Subject // of a RoleBinding or ClusterRoleBinding
	Carries  Carrying

	// Wrapper names the objects that it is in, from the inside out: "ConfigurationPolicy a in
	// Policy policies/b", "" for none. Compliance is what a policy wants of it: musthave,
	// mustonlyhave or mustnothave, disabled where the policy is, or "".
	Wrapper, Compliance string

	UID, ResourceVersion string // of metadata; "" for an object in another, which is not known to be on any cluster

	source *source // nil once it was dropped
}

// Source is where the object stands: its place, what wraps it, and what a policy wants of it.
func (o *Object) Source() (place refconfig.Place, wrapper, compliance string) {
	return o.Place, o.Wrapper, o.Compliance
}

// Decode is the object as Kubernetes holds it; each call makes a fresh tree. The error is a
// *kubeyaml.SyntaxError with the line of the file.
func (o *Object) Decode() (map[string]any, error) {
	n, err := o.Node()
	if err != nil {
		return nil, err
	}
	tree, _ := n.Value().(map[string]any)
	return tree, nil
}

// Node is the decoded object with places: lines are those of the file, offsets those of the
// object's own text. The error is a *kubeyaml.SyntaxError.
func (o *Object) Node() (*kubeyaml.Node, error) {
	if o.source == nil {
		return nil, &kubeyaml.SyntaxError{
			Line:    o.Place.Line,
			Message: "internal error: the content was released",
		}
	}
	n, fault := o.source.parse()
	if fault != nil {
		return nil, fault
	}
	if n.Kind != kubeyaml.Map {
		return nil, &kubeyaml.SyntaxError{Line: o.Place.Line, Message: "expected a mapping"}
	}
	return n, nil
}

// Detach gives the object a copy of its own text, so that it does not keep the content of its whole
// file in memory. It must not be called while another method is.
func (o *Object) Detach() {
	if o.source != nil {
		o.source.text = append([]byte(nil), o.source.text...)
	}
}

// Drop lets go of the object's text: of what it is only its identity and what is said beside it
// remain. It must not be called while another method is. An object without text cannot be decoded
// any more.
func (o *Object) Drop() { o.source = nil }

// Text is how many bytes of its file the object holds.
func (o *Object) Text() int {
	if o.source == nil {
		return 0
	}
	return len(o.source.text)
}

// Locator makes ready to look up lines of the file. For an object that does not decode all lines
// are that at which it begins.
func (o *Object) Locator() Locator {
	n, _ := o.Node()
	return NewLocator(n).From(o.Place.Line)
}
