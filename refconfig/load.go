package refconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crtext"
)

// A folder tests/NAME below the reference's that has an expect.yaml is a fixture: input to test the reference with. Only what the metadata
// itself names of it is part of the reference.
const (
	FixturesFolder  = "tests"
	ExpectationFile = "expect.yaml"
)

// LoadOptions say how to load a reference. The zero value is usable.
type LoadOptions struct {
	// Name is how the user spelled the path that is loaded, so that messages name files as the user would open them. It may
	// also be the name of the whole file system, such as an archive; then it does not end like the path. "" for the path.
	Name string
	// FileLimit is how many bytes a file may have; 0 for DefaultFileLimit.
	FileLimit int
	// Memory is how many bytes of memory decoding a file may take; 0 for DefaultMemory. The files together may have an eighth of that.
	Memory int64
	// AliasLimit is how many values the metadata may stand for; 0 for DefaultAliasLimit.
	AliasLimit int
	// Unlisted has CRs in the reference's folder that its metadata does not list warned of.
	Unlisted bool
}

// Load reads the reference at name, which is a folder inside fsys ("." for all of it) or a metadata file of any name.
//
// A folder is read by its metadata.yaml (or metadata.yml), or by the one that lies below it, if there is no other. Without any, the
// CRs in its files are a reference in the annotations format, and so are those of a file that is named.
//
// The problems are all faults that were found, sorted by place, each once. If there are any, the reference cannot be used
// to compare anything: it is incomplete, and good only for looking for further faults in the templates that it has. It
// is never nil. What does not prevent its use is in its Warnings.
func Load(fsys fs.FS, name string, opt LoadOptions) (*Reference, []Problem) {
	name = path.Clean(name)
	l := &loader{fsys: fsys, findings: &findings{}, files: map[string][]byte{}, absent: map[string]error{}, folders: map[string]*code.Names{}, limit: opt.FileLimit, aliases: opt.AliasLimit}
	if l.limit <= 0 {
		l.limit = DefaultFileLimit
	}
	if l.aliases <= 0 {
		l.aliases = DefaultAliasLimit
	}
	if l.memory = opt.Memory; l.memory <= 0 {
		l.memory = DefaultMemory
	}
	l.left = l.memory / totalShare
	if opt.Name == "" {
		opt.Name = name
	}
	l.ref = &Reference{Path: opt.Name}
	l.load(name, shownAs(name, opt.Name))
	l.ref.number()
	l.ref.Hash = l.hash()
	if opt.Unlisted && l.ref.Metadata != "" {
		l.unlisted()
	}
	l.ref.Warnings = tidy(l.warnings)
	return l.ref, tidy(l.faults)
}

// number gives each template its place in the order of the reference.
func (r *Reference) number() {
	order := map[*Component]int{}
	for i, c := range r.Components() {
		order[c] = i
	}
	ordered := slices.Clone(r.Templates)
	slices.SortStableFunc(ordered, func(a, b *Template) int { return order[a.Component] - order[b.Component] })
	for i, t := range ordered {
		t.Index = i
	}
}

// shownAs is what a message calls the thing at name: what the user called it, or a path below that.
func shownAs(name, user string) string {
	trimmed := strings.TrimRight(user, `/\`)
	if name == "." || path.Base(strings.ReplaceAll(trimmed, `\`, "/")) == path.Base(name) {
		return user
	}
	return below(user) + name
}

// below is what to put before the names of things in a folder.
func below(folder string) string {
	switch {
	case folder == ".", folder == "":
		return ""
	case strings.HasSuffix(folder, "/"), strings.HasSuffix(folder, `\`):
		return folder
	}
	return folder + "/"
}

// loader is the loading of one reference.
type loader struct {
	*findings
	fsys    fs.FS
	ref     *Reference
	root    string                 // the reference's folder in fsys
	prefix  string                 // what a message puts before a path below root
	files   map[string][]byte      // what was read, by clean path below root
	absent  map[string]error       // what could not be
	folders map[string]*code.Names // what is in folders that lack a file
	limit   int                    // bytes of a file
	memory  int64                  // bytes that decoding a file takes
	left    int64                  // what of the bytes of all files is left
	much    bool                   // it was said that they are more
	aliases int                    // values of the metadata
}

// load finds out which format there is.
func (l *loader) load(name, shown string) {
	info, err := fs.Stat(l.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(code.RefNotFound, Place{File: shown}, "no such file or folder; a reference is a folder with a metadata.yaml, its metadata file, or a folder of CRs")
	case err != nil:
		l.fault(code.RefUnreadable, Place{File: shown}, "%s", reason(err))
	case info.IsDir():
		l.loadFolder(name, shown)
	default:
		l.root = path.Dir(name)
		l.prefix = strings.TrimSuffix(shown, path.Base(name))
		l.loadFile(path.Base(name), shown)
	}
}

// loadFile reads the metadata file that the user named, or the file of CRs.
func (l *loader) loadFile(name, shown string) {
	data, err := l.readFile(path.Join(l.root, name)) // not by read: what the user named may be a link to anywhere
	if f := (crFile{name, data}); err == nil && crtext.LooksLikeCR(data) && !crtext.IsMetadata(data) {
		l.loadFiles(shown, []crFile{f})
		return
	}
	l.loadMetadata(name)
}

func (l *loader) loadFolder(name, shown string) {
	l.root, l.prefix = name, below(shown)
	for _, metadata := range []string{"metadata.yaml", "metadata.yml"} {
		if l.linkLeaves(metadata) {
			l.unreadable(Place{File: l.shown(metadata)}, errOutside)
			return
		}
		_, err := fs.Stat(l.fsys, path.Join(name, metadata))
		if err == nil {
			l.loadMetadata(metadata)
			return
		}
		if !errors.Is(err, fs.ErrNotExist) {
			l.fault(code.RefUnreadable, Place{File: l.shown(metadata)}, "%s", reason(err))
			return
		}
	}
	l.loadAnnotated(shown)
}

// shown is what a message calls a file of the reference.
func (l *loader) shown(name string) string { return l.prefix + name }

// reason is an error of the file system without the path, which the message has in front already.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Sprintf("cannot be read: %v", err)
}
