package manifest

import "github.com/validationtool/validationtool/internal/kubeyaml"

// Owner is an entry of an object's metadata.ownerReferences.
type Owner struct {
	APIVersion, Kind, Name, UID string
}

// Subject is an entry of the subjects of a RoleBinding or ClusterRoleBinding.
type Subject struct {
	Kind, Namespace, Name string
}

// newOwner adds an owner and returns a function from the name of a field to a pointer to it.
func (h *head) newOwner() func(name string) *string {
	h.owners = append(h.owners, Owner{})
	return h.owners[len(h.owners)-1].field
}

// newSubject adds a subject and returns a function from the name of a field to a pointer to it.
func (h *head) newSubject() func(name string) *string {
	h.subjects = append(h.subjects, Subject{})
	return h.subjects[len(h.subjects)-1].field
}

// field returns a pointer to the owner's field of that name, or nil.
func (o *Owner) field(name string) *string {
	switch name {
	case "apiVersion":
		return &o.APIVersion
	case "kind":
		return &o.Kind
	case "name":
		return &o.Name
	case "uid":
		return &o.UID
	}
	return nil
}

// field returns a pointer to the subject's field of that name, or nil.
func (u *Subject) field(name string) *string {
	switch name {
	case "kind":
		return &u.Kind
	case "namespace":
		return &u.Namespace
	case "name":
		return &u.Name
	}
	return nil
}

// head is the part of a value that Read needs. Both the scanners and the full decoder produce
// heads, and they must agree.
type head struct {
	apiVersion, kind     string // "" if absent or not a string
	name, namespace, uid string
	resourceVersion      string
	rest, remaining      string // continue and remainingItemCount in a List's metadata: items still on the server
	owners               []Owner
	subjects             []Subject
	fields               bool // the value is a map
	metadata             bool // metadata is a map
	sops                 bool // a field sops exists
	oddKind              bool // kind exists and is not a string
	list                 bool // items exists, and is null or a list
	items                []*head
	sequence             bool // the value is itself a list, with items and no fields
	line                 int  // line in the file
	again                again
	source               source
}

// again records which common fields occur more than once: most likely a separator between two
// objects is missing.
type again struct {
	apiVersion, kind, metadata bool
	line                       int // line, in the file, of the first repeated apiVersion or kind
}

// see records a repeated field.
func (a *again) see(key string, line int) {
	switch key {
	case "apiVersion":
		a.apiVersion = true
	case "kind":
		a.kind = true
	case "metadata":
		a.metadata = true
		return
	default:
		return
	}
	if a.line == 0 || line < a.line {
		a.line = line
	}
}

// object reports whether the repeated fields form another object. A single repeated field is taken
// for a typing error.
func (a again) object() bool { return a.apiVersion && a.kind || (a.apiVersion || a.kind) && a.metadata }

// headOf returns the head of a decoded value; whole is the source of the value.
func headOf(n *kubeyaml.Node, whole source) *head {
	h := &head{line: n.Line, source: whole}
	switch n.Kind {
	case kubeyaml.List:
		h.sequence = true
		h.items = headsOf(n, whole.end(), whole)
	case kubeyaml.Map:
		h.fields = true
		for i, key := range n.Keys {
			h.field(n, kubeyaml.KeyString(key), n.Values[i])
		}
		for _, lost := range n.Duplicates() {
			name := kubeyaml.KeyString(lost)
			if kept, _ := n.Field(name); kept != nil {
				h.again.see(name, kept.Line)
			}
		}
	}
	return h
}

func (h *head) field(n *kubeyaml.Node, key string, value *kubeyaml.Node) {
	switch key {
	case "apiVersion":
		h.apiVersion = textOf(value)
	case "kind":
		h.kind = textOf(value)
		h.oddKind = h.kind == ""
	case "metadata":
		h.readMetadata(value)
	case "subjects":
		h.subjects = nil
		entriesOf(value, h.newSubject)
	case "sops":
		h.sops = true
	case "items":
		if value.Kind == kubeyaml.List || value.IsNull() {
			h.list = true
			h.items = headsOf(value, nextField(n, value, h.source.end()), h.source)
		}
	}
}

func (h *head) readMetadata(n *kubeyaml.Node) {
	h.metadata = n.Kind == kubeyaml.Map
	if !h.metadata {
		return
	}
	for i, key := range n.Keys {
		h.metadataField(kubeyaml.KeyString(key), n.Values[i])
	}
}

// inMetadata returns a pointer to the string field of metadata with that name; nil for others.
func (h *head) inMetadata(name string) *string {
	switch name {
	case "name":
		return &h.name
	case "namespace":
		return &h.namespace
	case "uid":
		return &h.uid
	case "resourceVersion":
		return &h.resourceVersion
	case "continue":
		return &h.rest
	case "remainingItemCount":
		return &h.remaining
	}
	return nil
}

func (h *head) metadataField(key string, value *kubeyaml.Node) {
	if key == ownerReferences {
		h.owners = nil
		entriesOf(value, h.newOwner)
	} else if into := h.inMetadata(key); into != nil {
		*into = nameOf(value)
	}
}

const ownerReferences = "ownerReferences"

// textOf returns the text of a scalar that is a string, else "".
func textOf(n *kubeyaml.Node) string {
	if n == nil || n.Kind != kubeyaml.Scalar {
		return ""
	}
	text, _ := n.Value().(string)
	return text
}

// nameOf returns the text of a scalar as written. A name that is a number or boolean in YAML is
// wrong, but it still identifies the object.
func nameOf(n *kubeyaml.Node) string {
	if n.IsNull() || n.Kind != kubeyaml.Scalar {
		return ""
	}
	return n.Text
}

// entriesOf reads a list of maps. begin adds an entry and returns a function from the name of a
// field to a pointer to that field of the entry; the function returns nil for unneeded fields.
func entriesOf(list *kubeyaml.Node, begin func() func(name string) *string) {
	if list.Kind != kubeyaml.List {
		return
	}
	for _, entry := range list.Values {
		place := begin()
		for i, key := range entry.Keys {
			if into := place(kubeyaml.KeyString(key)); into != nil {
				*into = nameOf(entry.Values[i])
			}
		}
	}
}

// headsOf returns the heads of a list's elements. end is the end of the list's text.
func headsOf(list *kubeyaml.Node, end int, whole source) []*head {
	sources := elementSources(list, end, whole)
	heads := make([]*head, len(list.Values))
	for i, v := range list.Values {
		heads[i] = headOf(v, sources[i])
	}
	return heads
}

// nextField returns the offset of the field after value in the text of the map n, or end.
func nextField(n, value *kubeyaml.Node, end int) int {
	for _, keys := range [][]*kubeyaml.Node{n.Keys, n.Duplicates()} {
		for _, key := range keys {
			if key.Offset > value.Offset && key.Offset < end {
				end = key.Offset
			}
		}
	}
	return end
}

// notStored returns why a cluster never stores a value with this apiVersion and kind, or "".
func notStored(apiVersion, kind string) Reason {
	switch groupOf(apiVersion) {
	case "audit.k8s.io", "admission.k8s.io", "apidiscovery.k8s.io":
		return PassedDiscovery
	}
	switch kind {
	case "APIGroupDiscoveryList", "APIGroupDiscovery", "APIResourceList", "APIGroupList", "APIGroup", "APIVersions":
		return PassedDiscovery
	case "Config", "Status":
		if apiVersion == "v1" {
			return PassedDiscovery
		}
	}
	return ""
}
