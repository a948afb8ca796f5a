package collector

import (
	"path"
	"slices"
	"strings"
)

// PathID is what the path of a collector's file shows about the objects in it.
type PathID struct {
	Group     string // the API group, "" for the core one, "*" for any
	Version   string // the version of the API, if the path has it
	Plural    string // the plural of the kind, as in API paths: "configmaps"
	Namespace string // "" if the objects are cluster-scoped
	Name      string // "" if the file is a List
}

// IDOf reads the path of a file, with slashes. It returns false if the path does not have the form
// that a collector gives to its files of objects. A single word of the path does not show the form,
// because GitOps repositories have folders named namespaces too.
//
// The forms of `oc adm inspect`, and so of must-gather, are these. GROUP is "core" for the core
// group:
//
//	cluster-scoped-resources/GROUP/PLURAL[/NAME].yaml
//	namespaces/NAMESPACE/NAMESPACE.yaml
//	namespaces/NAMESPACE/GROUP/PLURAL[/NAME].yaml
//	namespaces/NAMESPACE/pods/NAME/NAME.yaml
//
// The forms of support-bundle-kit, which writes no folder for the core group, are these:
//
//	yamls/cluster/[GROUP/]VERSION/PLURAL.yaml
//	yamls/namespaced/NAMESPACE/[GROUP/]VERSION/PLURAL.yaml
func IDOf(full string) (PathID, bool) {
	ext := path.Ext(full)
	if !slices.Contains(objectSuffixes(), strings.ToLower(ext)) {
		return PathID{}, false
	}
	const most = 5 // maximum number of words below the folder that shows the form
	rows := table()
	rest := strings.TrimSuffix(full, ext)
	var words [most]string
	for first := most - 1; first >= 0; first-- {
		i := strings.LastIndexByte(rest, '/')
		if i < 0 {
			return PathID{}, false
		}
		words[first] = rest[i+1:]
		rest = rest[:i]
		if slices.Contains(words[first:], "") {
			continue
		}
		for _, c := range rows {
			if id, ok := c.id(rest, words[first:]); ok {
				return id, true
			}
		}
	}
	return PathID{}, false
}

// inspectID reads the words below a folder of oc adm inspect.
func inspectID(folder string, words []string) (PathID, bool) {
	switch {
	case isFolder(folder, "cluster-scoped-resources"):
		return inspected("", words)
	case isFolder(folder, "namespaces"):
		return inNamespace(words)
	}
	return PathID{}, false
}

// bundleID reads the words below a folder of support-bundle-kit.
func bundleID(folder string, words []string) (PathID, bool) {
	switch {
	case isFolder(folder, "yamls/cluster"):
		return bundled("", words)
	case isFolder(folder, "yamls/namespaced"):
		return bundled(words[0], words[1:])
	}
	return PathID{}, false
}

// isFolder reports whether a path ends with a folder, which may be the first one in a nested
// archive.
func isFolder(full, folder string) bool {
	before, ok := strings.CutSuffix(full, folder)
	return ok && (before == "" || before[len(before)-1] == '/' || before[len(before)-1] == '!')
}

// inNamespace reads the words after the folder namespaces.
func inNamespace(words []string) (PathID, bool) {
	switch {
	case len(words) == 2 && words[0] == words[1]:
		return PathID{Plural: "namespaces", Name: words[1]}, true
	case len(words) == 4 && words[1] == "pods" && words[2] == words[3]:
		return PathID{Plural: "pods", Namespace: words[0], Name: words[2]}, true
	case len(words) < 3 || !isGroup(words[1], words[2]):
		return PathID{}, false
	}
	return inspected(words[0], words[1:])
}

// isGroup reports whether a folder of a namespace is that of an API group. Groups without a dot are
// ordinary words, so the plural must also belong to the group.
func isGroup(group, plural string) bool {
	switch group {
	case "core":
		return true
	case "apps":
		return slices.Contains(
			[]string{"controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"}, plural,
		)
	case "autoscaling":
		return plural == "horizontalpodautoscalers"
	case "batch":
		return plural == "cronjobs" || plural == "jobs"
	case "extensions":
		return slices.Contains(
			[]string{"daemonsets", "deployments", "ingresses", "networkpolicies", "replicasets"}, plural,
		)
	case "policy":
		return plural == "poddisruptionbudgets"
	}
	return strings.Contains(group, ".")
}

// inspected reads GROUP/PLURAL[/NAME].
func inspected(namespace string, words []string) (PathID, bool) {
	if len(words) < 2 || len(words) > 3 {
		return PathID{}, false
	}
	id := PathID{Group: words[0], Plural: words[1], Namespace: namespace}
	if id.Group == "core" {
		id.Group = ""
	}
	if len(words) == 3 {
		id.Name = words[2]
	}
	return id, true
}

// bundled reads [GROUP/]VERSION/PLURAL.
func bundled(namespace string, words []string) (PathID, bool) {
	last := len(words) - 1
	if last < 1 || last > 2 || !IsVersion(words[last-1]) {
		return PathID{}, false
	}
	id := PathID{Version: words[last-1], Plural: words[last], Namespace: namespace}
	if last == 2 {
		id.Group = words[0]
	}
	return id, true
}

// IsVersion reports whether a word is the version of an API, such as v1 or v1beta1.
func IsVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && word[1] >= '1' && word[1] <= '9'
}

// OfKind reports whether the plural in the path is the English plural of a kind.
func (id PathID) OfKind(kind string) bool {
	kind, plural := strings.ToLower(kind), strings.ToLower(id.Plural)
	rest, ok := strings.CutPrefix(plural, strings.TrimSuffix(kind, "y"))
	if !ok {
		return false
	}
	if strings.HasSuffix(kind, "y") {
		return rest == "ies" || rest == "ys" || rest == "y"
	}
	return rest == "" || rest == "s" || rest == "es"
}

// String describes the content of the file for users: "configmaps of namespace default".
func (id PathID) String() string {
	s := id.Plural
	if id.Group != "" {
		s += "." + id.Group
	}
	if id.Name != "" {
		s += "/" + id.Name
	}
	if id.Namespace == "" {
		return s + " of the cluster"
	}
	return s + " of namespace " + id.Namespace
}
