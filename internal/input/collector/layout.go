package collector

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// RootOf returns the longest of the sorted roots that contains the name, or "".
func RootOf(name string, roots []string) string {
	for end := strings.LastIndexByte(name, '/'); end >= 0; end = strings.LastIndexByte(name[:end], '/') {
		if i, found := slices.BinarySearch(roots, name[:end]); found {
			return roots[i]
		}
	}
	return ""
}

// IsScope reports whether a folder is one of the two that identify a root.
func IsScope(folder string) bool {
	return folder == "cluster-scoped-resources" || folder == "namespaces"
}

// Names recognises, by the names of the files of one archive or folder, the collector that wrote it
// and the folders that each contain the objects of one cluster: those with cluster-scoped-resources
// or namespaces in them. The zero value is ready for use.
type Names struct {
	roots       map[string]bool
	inspect     bool // a folder of `oc adm inspect`
	inspectMark bool // a name that it gives to the folder around them, or to a file in them
	mustGather  bool // a file that only must-gather writes
	bundleKit   bool
	bundleMark  bool // the name of a support bundle
	insights    bool
	resources   bool // cluster-resources, of Troubleshoot
	versionYAML bool
	velero      bool
	veleroMark  bool
	sos         bool
	nodes       map[string]bool // folders with nodes.json
	pods        map[string]bool // folders with a folder with pods.json
}

// Add adds the name of a file.
func (s *Names) Add(name string) {
	s.addRoot(name)
	s.addBase(name)
	s.bundleKit = s.bundleKit || inBundle(name)
	s.bundleMark = s.bundleMark || beginsFolder(name, "supportbundle_")
	s.resources = s.resources || hasFolder(name, "cluster-resources/")
	s.sos = s.sos || hasFolder(name, "sos_commands/")
	s.insights = s.insights || hasPath(name, "config/id") || hasPath(name, "insights-operator/gathers.json")
	s.veleroMark = s.veleroMark || hasPath(name, "metadata/version")
}

// addRoot adds the outermost folder, of the innermost archive, that contains one of the two
// folders: further down, these words are the plurals of kinds.
func (s *Names) addRoot(name string) {
	before := "" // the previous word, and the one before that
	var beforeThat string
	start := 0
	if i := strings.LastIndex(name, "!/"); i >= 0 {
		start = i + len("!/")
	}
	for {
		length := strings.IndexByte(name[start:], '/')
		if length < 0 {
			break
		}
		word, rest := name[start:start+length], name[start+length+1:]
		scoped := word == "cluster-scoped-resources"
		if IsScope(word) && strings.IndexByte(rest, '/') >= 0 {
			if beforeThat == "resources" {
				s.velero = true
				return
			}
			s.addScope(name, strings.TrimSuffix(name[:start], "/"), scoped, rest)
			return
		}
		before, beforeThat = word, before
		start += length + 1
	}
	if i := strings.Index("/"+name, "/resources/"); i >= 0 {
		below := strings.Split(name[i+len("resources/"):], "/")
		s.velero = s.velero || len(below) > 2 && below[1] == "cluster"
	}
}

// addScope adds a root, and what a name below it shows.
func (s *Names) addScope(name, root string, scoped bool, rest string) {
	if !s.roots[root] {
		s.roots = mark(s.roots, strings.Clone(root))
	}
	s.inspect = s.inspect || scoped || inspectNamespace(strings.Split(rest, "/"))
	s.inspectMark = s.inspectMark || beginsFolder(name, "inspect.local.") || hasPath(name, "logs/current.log")
	s.mustGather = s.mustGather || beginsFolder(name, "must-gather.local.") || strings.Contains(name, "-sha256-")
}

// inspectNamespace reports whether the path after namespaces/ has the form that `oc adm inspect`
// writes: the namespace as a file in its own folder, or a folder for an API group or the pods. A
// GitOps folder named namespaces has neither.
func inspectNamespace(below []string) bool {
	if len(below) == 2 {
		return below[1] == below[0]+".yaml"
	}
	switch below[1] {
	case "core", "pods", "apps", "batch", "autoscaling", "policy":
		return true
	}
	return strings.Contains(below[1], ".")
}

func (s *Names) addBase(name string) {
	dir, base := path.Split(name)
	switch base {
	case "event-filter.html", "gather.logs", "must-gather.logs":
		s.mustGather = true
	case "timestamp":
		s.inspectMark = true
	case "version.yaml":
		s.versionYAML = true
	case "nodes.json":
		s.nodes = mark(s.nodes, dir)
	case "pods.json":
		s.pods = mark(s.pods, parent(dir))
	}
}

// MarksAround returns the files that would show that a folder is a part of what a collector wrote,
// because they are next to a collector's folder around it. The path of the folder begins with a
// slash. There are none if it is in no folder of this kind.
func MarksAround(folder string) (names []string) {
	for _, around := range []string{
		"/cluster-scoped-resources/", "/namespaces/", "/yamls/", "/cluster-resources/", "/resources/", "/config/",
	} {
		top, _, found := strings.Cut(folder+"/", around)
		if !found {
			continue
		}
		for _, mark := range []string{
			"event-filter.html", "gather.logs", "must-gather.logs", "timestamp", "version.yaml", "metadata/version", "config/id",
		} {
			names = append(names, top+"/"+mark)
		}
	}
	return names
}

// maxMarks is the maximum number of recorded folders of one type; no real archive has so many.
const maxMarks = 10_000

func mark(set map[string]bool, key string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	if len(set) < maxMarks {
		set[key] = true
	}
	return set
}

// parent returns the folder that contains a folder, both with a slash at the end unless empty.
func parent(dir string) string {
	above, _ := path.Split(strings.TrimSuffix(dir, "/"))
	return above
}

// Layout returns the layout of the collector that may have written the names, "" for a plain folder.
// It is certain if the names have a mark that only the collector leaves. Otherwise only the names of
// folders agree with it, and people name the folders of Git repositories like that too.
func (s *Names) Layout() (layout string, certain bool) {
	switch {
	case s.bundleKit:
		return SupportBundleKit, s.bundleMark
	case s.insights:
		return Insights, true
	case s.sos:
		return SOS, true
	case s.resources && s.versionYAML:
		return Troubleshoot, false
	case s.inspect && s.mustGather:
		return MustGather, true
	case s.inspect:
		return Inspect, s.inspectMark
	case s.velero && s.veleroMark:
		return Velero, true
	case s.isClusterInfo():
		return ClusterInfo, true
	}
	return "", false
}

// Roots returns the folders that each contain the objects of one cluster, sorted.
func (s *Names) Roots() []string { return slices.Sorted(maps.Keys(s.roots)) }

func (s *Names) isClusterInfo() bool {
	for dir := range s.nodes {
		if s.pods[dir] {
			return true
		}
	}
	return false
}

// hasFolder reports whether the folder path, which ends in a slash, is part of name.
func hasFolder(name, folder string) bool {
	return strings.HasPrefix(name, folder) || strings.Contains(name, "/"+folder)
}

// beginsFolder reports whether a folder in name, or its last word, begins with start.
func beginsFolder(name, start string) bool {
	return strings.HasPrefix(name, start) || strings.Contains(name, "/"+start)
}

// hasPath reports whether name is the path, or ends in it.
func hasPath(name, p string) bool {
	return name == p || strings.HasSuffix(name, p) && name[len(name)-len(p)-1] == '/'
}
