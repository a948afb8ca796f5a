package manifest

import (
	"strings"
)

// ID is the identity of a Kubernetes object.
type ID struct {
	APIVersion, Kind, Namespace, Name string
}

// Key returns the identity as diff configs write it: apiVersion_kind_namespace_name, without an
// empty namespace.
func (id ID) Key() string {
	if id.Namespace == "" {
		return id.APIVersion + "_" + id.Kind + "_" + id.Name
	}
	return id.APIVersion + "_" + id.Kind + "_" + id.Namespace + "_" + id.Name
}

// String returns the identity for users: "ConfigMap default/settings (v1)".
func (id ID) String() string {
	name := id.Name
	if name == "" {
		name = "(no name)"
	}
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return id.Kind + " " + name + " (" + id.APIVersion + ")"
}

// Group returns the API group, "" for the core group.
func (id ID) Group() string { return groupOf(id.APIVersion) }

// Compare orders identities by kind, namespace, name and apiVersion. It returns 0 only for equal
// identities.
func Compare(a, b ID) int {
	// Not cmp.Or, which would compare all four each time: many objects are sorted.
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
		return c
	}
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return strings.Compare(a.APIVersion, b.APIVersion)
}

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// pathOf returns the path of a file: the path inside the archive for an archive's entry.
func pathOf(file, entry string) string {
	if entry != "" {
		return entry
	}
	return file
}
