package manifest

import (
	"bytes"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Object is one Kubernetes object of a file: its identity, its place, and its source text. Several
// goroutines may call its methods at once, except Detach and Drop.
type Object struct {
	ID       ID // the name is "" if missing (generateName, or an item without a name)
	Place    refconfig.Place
	Owners   []Owner
	Subjects []Subject // subjects of a RoleBinding or ClusterRoleBinding
	Carries  Carrying
	Unnamed  bool // it has no name, and the cluster gives it none either

	// Wrapper names the objects that contain this object, from the inside out: "ConfigurationPolicy
	// a in Policy policies/b", "" for none. Compliance is the policy's demand: musthave,
	// mustonlyhave or mustnothave, disabled for a disabled policy, or "". It says so, too, if the
	// object is a patch of kustomize.
	Wrapper, Compliance string

	UID, ResourceVersion string // from metadata; "" for an object inside another, because it may exist on no cluster

	source *source // nil after Drop
}

// Source returns the object's place, its wrappers, and a policy's demand, see Object.
func (o *Object) Source() (place refconfig.Place, wrapper, compliance string) {
	return o.Place, o.Wrapper, o.Compliance
}

// Decode returns the object as Kubernetes decodes it, as a new tree for each call. The error is a
// *kubeyaml.SyntaxError with the line in the file.
func (o *Object) Decode() (map[string]any, error) {
	n, err := o.Node()
	if err != nil {
		return nil, err
	}
	tree, _ := n.Value().(map[string]any)
	return tree, nil
}

// Node returns the decoded object with positions: lines are relative to the file, offsets to the
// object's own text. The error is a *kubeyaml.SyntaxError.
func (o *Object) Node() (*kubeyaml.Node, error) { return o.NodeIn(&kubeyaml.Room{}) }

// NodeIn does the same as Node, but may take the memory of nodes from a room.
func (o *Object) NodeIn(room *kubeyaml.Room) (*kubeyaml.Node, error) {
	if o.source == nil {
		return nil, &kubeyaml.SyntaxError{
			Line:    o.Place.Line,
			Message: "internal error: the content was released",
		}
	}
	n, fault := o.source.parse(room)
	if fault != nil {
		return nil, fault
	}
	if n.Kind != kubeyaml.Map {
		return nil, &kubeyaml.SyntaxError{Line: o.Place.Line, Message: "expected a mapping"}
	}
	return n, nil
}

// Detach copies the object's text, so that the object does not keep the whole file in memory. It
// must not run concurrently with other methods.
func (o *Object) Detach() {
	if o.source != nil {
		o.source.detach()
	}
}

// Drop releases the object's text. Its identity and other fields remain, but it cannot be decoded
// any more. Drop must not run concurrently with other methods.
func (o *Object) Drop() { o.source = nil }

// Text returns the number of bytes of the file that the object keeps.
func (o *Object) Text() int {
	if o.source == nil {
		return 0
	}
	return o.source.size()
}

// Has reports whether the object's text in the file contains the given text.
func (o *Object) Has(text string) bool {
	return o.source != nil && (bytes.Contains(o.source.text, []byte(text)) || strings.Contains(o.source.detached, text))
}

// Repeats reports whether an object was read from the same text as another one, so that the content
// is the same: nobody has to decode it to know. It is false where the text alone does not tell.
func (o *Object) Repeats(other *Object) bool {
	a, b := o.source, other.source
	return a != nil && b != nil && a.form == b.form && a.form != kept && *a.limits == *b.limits &&
		a.apiVersion == b.apiVersion && a.kind == b.kind && a.detached == b.detached && bytes.Equal(a.text, b.text)
}

// Locator returns a locator for lines in the file. If the object cannot be decoded, every line is
// the first line of the object.
func (o *Object) Locator() Locator {
	n, _ := o.Node()
	l := NewLocator(n)
	l.line = o.Place.Line
	return l
}
