package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// Owner is an entry of an object's metadata.ownerReferences.
type Owner struct {
	APIVersion, Kind, Name, UID string
}

// Subject is an entry of the subjects of a RoleBinding or ClusterRoleBinding.
type Subject struct {
	Kind, Namespace, Name string
}

// head is the part of a value that Read needs.
type head struct {
	apiVersion, kind     string // "" if absent or not a string
	name, namespace, uid string
	resourceVersion      string
	rest, remaining      string // continue and remainingItemCount in a List's metadata: items still on the server
	owners               []Owner
	subjects             []Subject
	fields               bool // the value is a map
	metadata             bool // metadata is a map
	generated            bool // metadata has a generateName
	oddMetadata          bool // metadata exists, and is neither null nor a map
	sops                 bool // a field sops exists
	fingerprint          bool // a field fingerprint exists
	oddKind              bool // kind exists and is not a string
	scalar               bool // the value is a single scalar, but not null
	list                 bool // items exists, and is null or a list
	oddItems             bool // items exists, and is empty or neither null nor a list
	items                []*head
	sequence             bool // the value is itself a list, with items and no fields
	line                 int  // line in the file
	again                int  // line in the file where the fields of another object begin; 0 for none
	itemsAgain           int  // line in the file of items that replace earlier ones; 0 for none
	message              bool // a field, on one line, is a message of kubectl
	patch                bool // a field $patch exists: kustomize changes or deletes another object
	source               source
	decoded              *kubeyaml.Node // the whole value, if it was decoded to read its head
}

// headOf returns the head of a value; whole is the source of the value. If a list in it has nil in
// place of its elements, their heads are the last ones of read.
func headOf(n *kubeyaml.Node, whole source, read []*head) *head {
	h := &head{line: n.Line, source: whole}
	switch n.Kind {
	case kubeyaml.List:
		h.sequence = true
		h.items = headsOf(n, whole.end(), whole, read)
	case kubeyaml.Map:
		h.fields = true
		for i, key := range n.Keys {
			h.field(n, kubeyaml.KeyString(key), n.Values[i], read)
		}
		h.again = secondObject(n)
		h.itemsAgain = repeated(n, "items")
	case kubeyaml.Scalar:
		h.scalar = !n.IsNull()
	}
	return h
}

// secondObject returns the line where the fields of another object begin in the same map, most
// likely because a separator is missing or a merge went wrong: apiVersion or kind occurs again with
// another value, metadata names another object, or two of these fields occur again. It returns 0 if
// only one field is repeated and is of the same object, which is taken for a typing error.
func secondObject(n *kubeyaml.Node) (line int) {
	var again []string
	another := false
	for i, lost := range n.Duplicates() {
		name := kubeyaml.KeyString(lost)
		if !slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			continue
		}
		key, value := n.Field(name)
		replaced := n.Replaced()[i]
		if name == "metadata" {
			another = another || namesAnother(replaced, value)
		} else {
			another = another || nameOf(replaced) != nameOf(value)
		}
		if !slices.Contains(again, name) {
			again = append(again, name)
		}
		if line == 0 || key.Line < line {
			line = key.Line
		}
	}
	_, metadata := n.Field("metadata")
	if at := secondName(metadata); at > 0 {
		return at
	}
	if !another && len(again) < 2 {
		return 0
	}
	return line
}

// secondName returns the line of metadata where another name or namespace replaces an earlier one; 0
// for none.
func secondName(metadata *kubeyaml.Node) (line int) {
	if metadata == nil || metadata.Kind != kubeyaml.Map {
		return 0
	}
	for i, lost := range metadata.Duplicates() {
		name := kubeyaml.KeyString(lost)
		key, value := metadata.Field(name)
		if (name == "name" || name == "namespace") && nameOf(metadata.Replaced()[i]) != nameOf(value) {
			return key.Line
		}
	}
	return 0
}

// namesAnother reports whether two values of metadata belong to different objects.
func namesAnother(replaced, kept *kubeyaml.Node) bool {
	return nameIn(replaced, "name") != nameIn(kept, "name") ||
		nameIn(replaced, "namespace") != nameIn(kept, "namespace")
}

func (h *head) field(n *kubeyaml.Node, key string, value *kubeyaml.Node, read []*head) {
	switch key {
	case "apiVersion":
		h.apiVersion = textOf(value)
	case "kind":
		h.kind = textOf(value)
		h.oddKind = h.kind == ""
	case "metadata":
		h.readMetadata(value)
	case "subjects":
		for _, entry := range elementsOf(value) {
			h.subjects = append(h.subjects, Subject{
				Kind: nameIn(entry, "kind"), Namespace: nameIn(entry, "namespace"), Name: nameIn(entry, "name"),
			})
		}
	case "sops":
		h.sops = true
	case "$patch":
		h.patch = true
	case "fingerprint":
		h.fingerprint = true
	case "items":
		switch {
		case value.Kind == kubeyaml.List, value.IsNull() && value.Text != "":
			h.list = true
			h.items = headsOf(value, nextField(n, value, h.source.end()), h.source, read)
		default: // writers of empty Lists write [] or null
			h.oddItems = true
		}
	default:
		h.message = h.message || (value.Kind == kubeyaml.Scalar || value.Flow) && collector.IsMessageKey(key)
	}
}

func (h *head) readMetadata(n *kubeyaml.Node) {
	h.metadata = n.Kind == kubeyaml.Map
	if !h.metadata {
		h.oddMetadata = !n.IsNull()
		return
	}
	for i, key := range n.Keys {
		value := n.Values[i]
		switch kubeyaml.KeyString(key) {
		case "name":
			h.name = nameOf(value)
		case "generateName":
			h.generated = true
		case "namespace":
			h.namespace = nameOf(value)
		case "uid":
			h.uid = nameOf(value)
		case "resourceVersion":
			h.resourceVersion = nameOf(value)
		case "continue":
			h.rest = nameOf(value)
		case "remainingItemCount":
			h.remaining = nameOf(value)
		case "ownerReferences":
			h.readOwners(value)
		}
	}
}

func (h *head) readOwners(list *kubeyaml.Node) {
	for _, entry := range elementsOf(list) {
		h.owners = append(h.owners, Owner{
			APIVersion: nameIn(entry, "apiVersion"),
			Kind:       nameIn(entry, "kind"),
			Name:       nameIn(entry, "name"),
			UID:        nameIn(entry, "uid"),
		})
	}
}

// elementsOf returns the elements of a list, none for another value.
func elementsOf(n *kubeyaml.Node) []*kubeyaml.Node {
	if n.Kind != kubeyaml.List {
		return nil
	}
	return n.Values
}

// textOf returns the text of a scalar that is a string, else "".
func textOf(n *kubeyaml.Node) string {
	if n == nil || n.Kind != kubeyaml.Scalar {
		return ""
	}
	if n.IsVerbatim() {
		return n.Text
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

// nameIn returns nameOf the field of a map; "" without that field.
func nameIn(n *kubeyaml.Node, field string) string {
	_, value := n.Field(field)
	return nameOf(value)
}

// headsOf returns the heads of a list's elements. end is the end of the list's text; for read see
// headOf.
func headsOf(list *kubeyaml.Node, end int, whole source, read []*head) []*head {
	if len(list.Values) > 0 && list.Values[0] == nil {
		return read[len(read)-len(list.Values):]
	}
	sources := elementSources(list, end, whole)
	heads := make([]*head, len(list.Values))
	for i, v := range list.Values {
		heads[i] = headOf(v, sources[i], nil)
	}
	return heads
}

// repeated returns the line of a map's field that replaces an earlier one of the same name; 0 for
// none.
func repeated(n *kubeyaml.Node, name string) (line int) {
	isName := func(key *kubeyaml.Node) bool { return kubeyaml.KeyString(key) == name }
	if !slices.ContainsFunc(n.Duplicates(), isName) {
		return 0
	}
	key, _ := n.Field(name)
	return key.Line
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
	if kubeyaml.IsNeverStored(apiVersion, kind) || apiVersion == "v1" && (kind == "Config" || kind == "Status") {
		return PassedDiscovery
	}
	return ""
}
