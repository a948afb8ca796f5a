package cli

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/refconfig"
)

// ownFiles has the files of the references that a run loads, and of its options. They are no
// input, even if they are inside one.
type ownFiles struct {
	names  []string      // the references, as the user wrote them
	loaded chan struct{} // closed once a reference is loaded, or cannot be
	once   sync.Once     // closes loaded

	around []place // the folders of inputs and references, of which a run writes no file

	mu      sync.Mutex
	options []string        // real paths of files of options
	files   map[string]bool // by real path, see realPath
	folders []string        // real paths
}

// place is a folder.
type place struct {
	role   string // "the INPUT in"
	folder string // a real path
}

// expect adds a reference that will be loaded.
func (r *ownFiles) expect(name string) {
	if r.loaded == nil {
		r.loaded = make(chan struct{})
	}
	r.names = append(r.names, name)
}

// surround adds folders of inputs or references.
func (r *ownFiles) surround(role string, names []string) {
	for _, name := range names {
		if refconfig.IsMetadataName(filepath.ToSlash(name)) {
			name = filepath.Dir(name)
		}
		for _, real := range realPaths([]string{name}) {
			if info, err := os.Stat(real); err == nil && info.IsDir() {
				r.around = append(r.around, place{role: role + " " + name, folder: real})
			}
		}
	}
}

// addOption adds files of an option.
func (r *ownFiles) addOption(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.options = append(r.options, realPaths(names)...)
}

// isSet reports whether a run has a reference or files of options.
func (r *ownFiles) isSet() bool {
	return len(r.names) > 0 || r.hasOption(func(string) bool { return true })
}

// hasOption reports whether a function accepts the real path of a file of an option.
func (r *ownFiles) hasOption(accept func(file string) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.options, accept)
}

// touches reports whether a reference or a file of an option is inside one of the inputs, or an input
// inside a reference.
func (r *ownFiles) touches(inputs []string) bool {
	for _, input := range realPaths(inputs) {
		if r.hasOption(func(file string) bool { return source.IsWithin(file, input) }) {
			return true
		}
		for _, reference := range realPaths(r.names) {
			if source.IsWithin(reference, input) || source.IsWithin(input, path.Dir(reference)) {
				return true
			}
		}
	}
	return false
}

// add adds the files of a loaded reference, or nothing if it could not be loaded. The folder of a
// reference belongs to it as a whole, if the input is outside of it.
func (r *ownFiles) add(name string, ref *refconfig.Reference) {
	if r.loaded == nil {
		return
	}
	defer r.once.Do(func() { close(r.loaded) })
	if ref == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files == nil {
		r.files = map[string]bool{}
	}
	for _, file := range realPaths(append([]string{name}, ref.Files...)) { // files in an archive have no path
		r.files[file] = true
	}
	folder := name
	if ref.Metadata != "" {
		folder = filepath.Dir(ref.Metadata)
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		r.folders = append(r.folders, realPaths([]string{folder})...)
	}
	r.folders = append(r.folders, realPaths(fixtureFolders(ref))...)
}

// why returns why a file of an input is no part of it, or "". root is the input. Both are real paths.
// It waits until the reference is loaded. A file of an option that is an input itself is read.
func (r *ownFiles) why(root, file string) (reason string) {
	if file != root && r.hasOption(func(option string) bool { return option == file }) {
		return source.ReasonOption
	}
	if r.loaded == nil {
		return ""
	}
	<-r.loaded
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, folder := range r.folders {
		if source.IsWithin(file, folder) && !source.IsWithin(root, folder) {
			return source.ReasonReference
		}
	}
	if r.files[file] {
		return source.ReasonReference
	}
	return ""
}

// fixtureFolders returns the folders with the fixtures of a reference.
func fixtureFolders(ref *refconfig.Reference) (folders []string) {
	root := fixturesOf(ref)
	entries, _ := os.ReadDir(root) // if there are no entries, there are no fixtures
	for _, e := range entries {
		if folder := joinPath(root, e.Name()); isThere(joinPath(folder, refconfig.ExpectationFile)) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// inputsInside returns the inputs that are inside a folder, as paths relative to it.
func inputsInside(folder string, inputs []string) (inside []string) {
	for _, root := range realPaths([]string{folder}) {
		for _, input := range realPaths(inputs) {
			if source.IsWithin(input, root) && input != root {
				inside = append(inside, strings.TrimPrefix(strings.TrimPrefix(input, root), "/"))
			}
		}
	}
	return inside
}

// realPaths returns the absolute paths without links of the files that names and globs lead to, with
// slashes.
func realPaths(names []string) (all []string) {
	for _, name := range names {
		found, _ := source.Match(name) // a name that leads nowhere is reported when it is read
		for _, one := range found {
			if real, err := source.RealPath(one); err == nil {
				all = append(all, real)
			}
		}
	}
	return all
}
