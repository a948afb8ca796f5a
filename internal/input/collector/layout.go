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
	roots map[string]bool
	nodes map[string]bool        // folders with nodes.json
	pods  map[string]bool        // folders with a folder with pods.json
	rows  []collector            // the table
	seen  [collectors]seenOfSign // in the order of the table
}

// seenOfSign says which signs of one collector a file had.
type seenOfSign struct{ form, also, mark bool }

// Add adds the name of a file.
func (s *Names) Add(name string) {
	f := file{name: name}
	f.dir, f.base = path.Split(name)
	f.addFolders()
	if f.isScoped() && !s.roots[f.root] {
		s.roots = mark(s.roots, strings.Clone(f.root))
	}
	switch f.base {
	case "nodes.json":
		s.nodes = mark(s.nodes, f.dir)
		f.dumped = s.pods[f.dir]
	case "pods.json":
		s.pods = mark(s.pods, parent(f.dir))
		f.dumped = s.nodes[parent(f.dir)]
	}
	if s.rows == nil {
		all := table()
		s.rows = all[:]
	}
	for i := range s.rows {
		detect, seen := &s.rows[i].detect, &s.seen[i]
		seen.form = seen.form || detect.form(&f)
		seen.also = seen.also || detect.also(&f)
		seen.mark = seen.mark || detect.mark(&f)
	}
}

// Layout returns the layout of the collector that may have written the names, "" for a plain folder.
// It is certain if the names have a mark that only the collector leaves. Otherwise only the names of
// folders agree with it, and people name the folders of Git repositories like that too.
func (s *Names) Layout() (layout string, certain bool) {
	for i, c := range table() {
		if seen := s.seen[i]; seen.form && seen.also {
			return c.layout, seen.mark
		}
	}
	return "", false
}

// Roots returns the folders that each contain the objects of one cluster, sorted.
func (s *Names) Roots() []string { return slices.Sorted(maps.Keys(s.roots)) }

// file is the name of a file, and what it shows, together with the names before it.
type file struct {
	name, dir, base string
	// the outermost folder, of the innermost archive, that contains one of the two folders that
	// identify a root, which of the two it is, and the path below that: further down, these words are
	// the plurals of kinds
	root, scope, below string
	backedUp           bool // it has the form that Velero gives to objects
	dumped             bool // it is one of nodes.json and DIR/pods.json in a folder that has both
}

// addFolders sets what the folders of the name show.
func (f *file) addFolders() {
	var before, beforeThat string // the previous word, and the one before that
	start := 0
	if i := strings.LastIndex(f.name, "!/"); i >= 0 {
		start = i + len("!/")
	}
	for {
		length := strings.IndexByte(f.name[start:], '/')
		if length < 0 {
			break
		}
		word, rest := f.name[start:start+length], f.name[start+length+1:]
		if IsScope(word) && strings.IndexByte(rest, '/') >= 0 {
			f.root, f.scope, f.below = strings.TrimSuffix(f.name[:start], "/"), word, rest
			f.backedUp = beforeThat == "resources"
			return
		}
		before, beforeThat = word, before
		start += length + 1
	}
	if i := strings.Index("/"+f.name, "/resources/"); i >= 0 {
		below := strings.Split(f.name[i+len("resources/"):], "/")
		f.backedUp = len(below) > 2 && below[1] == "cluster"
	}
}

// sign reports whether the name of a file is a sign of a collector.
type sign func(*file) bool

// signs are what the names of files show of a collector. It may have written an input that has a
// file with each of form and also. That is certain if a file has the mark, which nothing else leaves.
type signs struct{ form, also, mark sign }

// anyFile is the sign of collectors that need no other one.
func anyFile(*file) bool { return true }

// noFile is the mark of collectors that leave none.
func noFile(*file) bool { return false }

func inBundleFolder(f *file) bool { return inBundle(f.name) }

func ofSupportBundle(f *file) bool { return beginsFolder(f.name, "supportbundle_") }

func ofInsights(f *file) bool {
	return hasPath(f.name, "config/id") || hasPath(f.name, "insights-operator/gathers.json")
}

func ofSOS(f *file) bool { return hasFolder(f.name, "sos_commands/") }

func inClusterResources(f *file) bool { return hasFolder(f.name, "cluster-resources/") }

func isVersionYAML(f *file) bool { return f.base == "version.yaml" }

// isInspected recognises the form of `oc adm inspect`, and so of must-gather.
func isInspected(f *file) bool {
	return f.isScoped() && (f.scope == "cluster-scoped-resources" || inspectNamespace(strings.Split(f.below, "/")))
}

func ofMustGather(f *file) bool {
	switch f.base {
	case "event-filter.html", "gather.logs", "must-gather.logs":
		return true
	}
	return f.isScoped() && (beginsFolder(f.name, "must-gather.local.") || strings.Contains(f.name, "-sha256-"))
}

// ofInspect recognises a name that `oc adm inspect` gives to the folder around its own, or to a file
// in them.
func ofInspect(f *file) bool {
	return f.base == "timestamp" ||
		f.isScoped() && (beginsFolder(f.name, "inspect.local.") || hasPath(f.name, "logs/current.log"))
}

// isScoped reports whether the file is below a root.
func (f *file) isScoped() bool { return f.below != "" && !f.backedUp }

func isBackedUp(f *file) bool { return f.backedUp }

func ofVelero(f *file) bool { return hasPath(f.name, "metadata/version") }

func isDumped(f *file) bool { return f.dumped }

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

// MarksAround returns the files that would show that a folder is a part of what a collector wrote,
// because they are next to a collector's folder around it. The path of the folder begins with a
// slash. There are none if it is in no folder of this kind.
func MarksAround(folder string) (names []string) {
	var tops, marks []string
	for _, c := range table() {
		marks = append(marks, strings.Fields(c.beside)...)
		for around := range strings.FieldsSeq(c.around) {
			if top, _, found := strings.Cut(folder+"/", around); found {
				tops = append(tops, top)
			}
		}
	}
	for _, top := range tops {
		for _, mark := range marks {
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
