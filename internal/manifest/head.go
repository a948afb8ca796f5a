package manifest

import "strings"

// Owner is an entry of an object's metadata.ownerReferences.
type Owner struct {
	APIVersion, Kind, Name, UID string
}

// Subject is an entry of the subjects of a RoleBinding or ClusterRoleBinding.
type Subject struct {
	Kind, Namespace, Name string
}

// head is what Read wants to know of a value: the scanners and the full decoder each make one, and they must agree.
type head struct {
	apiVersion, kind     string // "" where absent or no string
	name, namespace, uid string
	resourceVersion      string
	owners               []Owner
	subjects             []Subject
	fields               bool // the value is a map
	metadata             bool // metadata is a map
	sops                 bool // there is a field of that name
	list                 bool // items is there, and is null or a list
	items                []*head
	sequence             bool // the value is a list itself: of items only
	line                 int  // of the file
	again                again
	source               source
}

// again tells which of the fields that every object has stand a second time: most likely a separator is missing between two objects.
type again struct {
	apiVersion, kind, metadata bool
	line                       int // of the first such apiVersion or kind, in the file
}

// see takes down that a field stands a second time.
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

// object reports whether what stands a second time makes another object. A field that is alone in it is a slip of the pen.
func (a again) object() bool { return a.apiVersion && a.kind || (a.apiVersion || a.kind) && a.metadata }

// headOf reads the head of a decoded value; whole is where the value can be decoded from again.
func headOf(n *Node, whole source) *head {
	h := &head{line: n.Line, source: whole}
	switch n.Kind {
	case List:
		h.sequence = true
		h.items = headsOf(n, whole.end(), whole)
	case Map:
		h.fields = true
		for i, key := range n.Keys {
			h.field(n, KeyString(key), n.Values[i])
		}
		for _, lost := range n.Duplicates {
			name := KeyString(lost)
			if kept, _ := n.Field(name); kept != nil {
				h.again.see(name, kept.Line)
			}
		}
	}
	return h
}

func (h *head) field(n *Node, key string, value *Node) {
	switch key {
	case "apiVersion":
		h.apiVersion = textOf(value)
	case "kind":
		h.kind = textOf(value)
	case "metadata":
		h.readMetadata(value)
	case "subjects":
		h.subjects = subjectsOf(value)
	case "sops":
		h.sops = true
	case "items":
		if value.Kind == List || value.Kind == Scalar && value.Value() == nil {
			h.list = true
			h.items = headsOf(value, nextField(n, value, h.source.end()), h.source)
		}
	}
}

func (h *head) readMetadata(n *Node) {
	h.metadata = n.Kind == Map
	if !h.metadata {
		return
	}
	for i, key := range n.Keys {
		h.metadataField(KeyString(key), n.Values[i])
	}
}

func (h *head) metadataField(key string, value *Node) {
	switch key {
	case "name":
		h.name = nameOf(value)
	case "namespace":
		h.namespace = nameOf(value)
	case "uid":
		h.uid = nameOf(value)
	case "resourceVersion":
		h.resourceVersion = nameOf(value)
	case "ownerReferences":
		h.owners = ownersOf(value)
	}
}

// textOf is a scalar that is a string, else "".
func textOf(n *Node) string {
	if n == nil || n.Kind != Scalar {
		return ""
	}
	text, _ := n.Value().(string)
	return text
}

// nameOf is a scalar as it was written: a name that is a number or a boolean for YAML is wrong, yet it tells which object it is.
func nameOf(n *Node) string {
	if n == nil || n.Kind != Scalar || n.Value() == nil {
		return ""
	}
	return n.Text
}

func ownersOf(n *Node) []Owner {
	if n.Kind != List {
		return nil
	}
	var owners []Owner
	for _, v := range n.Values {
		owners = append(owners, Owner{
			APIVersion: nameField(v, "apiVersion"), Kind: nameField(v, "kind"),
			Name: nameField(v, "name"), UID: nameField(v, "uid"),
		})
	}
	return owners
}

func subjectsOf(n *Node) []Subject {
	if n.Kind != List {
		return nil
	}
	var subjects []Subject
	for _, v := range n.Values {
		subjects = append(subjects, Subject{
			Kind: nameField(v, "kind"), Namespace: nameField(v, "namespace"), Name: nameField(v, "name"),
		})
	}
	return subjects
}

func nameField(n *Node, key string) string {
	_, value := n.Field(key)
	return nameOf(value)
}

// headsOf reads the heads of a list's elements. The list's text ends at end.
func headsOf(list *Node, end int, whole source) []*head {
	sources := elementSources(list, end, whole)
	heads := make([]*head, len(list.Values))
	for i, v := range list.Values {
		heads[i] = headOf(v, sources[i])
	}
	return heads
}

// nextField is where the field after value begins in the text of the map n, or end.
func nextField(n, value *Node, end int) int {
	for _, keys := range [][]*Node{n.Keys, n.Duplicates} {
		for _, key := range keys {
			if key.Offset > value.Offset && key.Offset < end {
				end = key.Offset
			}
		}
	}
	return end
}

// wraps says whether objects of this kind are made to carry or to produce others, which are not looked into.
func wraps(apiVersion, kind string) bool {
	group := groupOf(apiVersion)
	switch kind {
	case "Policy", "ConfigurationPolicy", "PolicyGenerator":
		return group == "policy.open-cluster-management.io"
	case "PolicyGenTemplate":
		return group == "ran.openshift.io"
	case "ManifestWork", "ManifestWorkReplicaSet":
		return group == "work.open-cluster-management.io"
	case "SyncSet", "SelectorSyncSet":
		return group == "hive.openshift.io"
	case "Template":
		return group == "template.openshift.io" || apiVersion == "v1"
	case "Application", "ApplicationSet":
		return group == "argoproj.io"
	case "HelmRelease":
		return strings.HasSuffix(group, ".fluxcd.io")
	case "Object":
		return strings.HasPrefix(group, "kubernetes.crossplane.io") || strings.HasPrefix(group, "kubernetes.m.crossplane.io")
	}
	return false
}

// notStored says why a value with this apiVersion and kind is nothing that a cluster stores, or "".
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
