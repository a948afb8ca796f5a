package refconfig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/folder"
)

// A folder tests/NAME below the reference's that has an expect.yaml is a fixture: input to test the
// reference with. Only what the metadata itself names of it is part of the reference.
const (
	FixturesFolder  = "tests"
	ExpectationFile = "expect.yaml"
)

// LoadOptions say how to load a reference. The zero value is usable.
type LoadOptions struct {
	// Name is how the user spelled the path that is loaded, so that messages name files as the user
	// would open them. It may also be the name of the whole file system, such as an archive; then
	// it does not end like the path. "" for the path.
	Name string
	// FileLimit is how many bytes a file may have; 0 for DefaultFileLimit.
	FileLimit int
	// AliasLimit is how many values the metadata may stand for; 0 for DefaultAliasLimit.
	AliasLimit int
	// Unlisted has CRs in the reference's folder that its metadata does not list warned of.
	Unlisted bool
	// Context ends the loading early where it ends; nil for never. What is loaded then is not all.
	Context context.Context
}

// Load reads the reference at name, which is a folder inside fsys ("." for all of it) or a metadata
// file of any name.
//
// A folder is read by its metadata.yaml (or metadata.yml), or by the one that lies below it, if
// there is no other. Without any, the CRs in its files are a reference in the annotations format,
// and so are those of a file that is named.
//
// The problems are all faults that were found, sorted by place, each once. If there are any, the
// reference cannot be used to compare anything: it is incomplete, and good only for looking for
// further faults in the templates that it has. It is never nil. What does not prevent its use is in
// its Warnings.
func Load(fsys fs.FS, name string, opt LoadOptions) (*Reference, []Problem) {
	name = path.Clean(name)
	l := &loader{
		findings: &findings{},
		folders:  map[string]*code.Names{},
		limit:    cmp.Or(max(0, opt.FileLimit), DefaultFileLimit),
		aliases:  cmp.Or(max(0, opt.AliasLimit), DefaultAliasLimit),
	}
	l.Folder = folder.New(cmp.Or(opt.Context, context.Background()), fsys, l.limit)
	if opt.Name == "" {
		opt.Name = name
	}
	l.ref = &Reference{Path: opt.Name}
	l.load(name, shownAs(name, opt.Name))
	l.ref.number()
	l.ref.Hash = l.Hash()
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
	folder.Folder
	ref     *Reference
	prefix  string                 // what a message puts before a path below its root
	folders map[string]*code.Names // what is in folders that lack a file
	words   map[string]bool        // of the metadata; nil until they are asked for
	limit   int                    // bytes of a file
	aliases int                    // values of the metadata
}

// load finds out which format there is.
func (l *loader) load(name, shown string) {
	info, err := fs.Stat(l.FS, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(
			code.RefNotFound,
			Place{File: shown},
			"no such file or folder; a reference is a folder with a metadata.yaml, its metadata file, or a folder of CRs",
		)
	case err != nil:
		l.fault(code.RefUnreadable, Place{File: shown}, "%s", reason(err))
	case info.IsDir():
		l.loadFolder(name, shown)
	default:
		l.Root = path.Dir(name)
		l.prefix = strings.TrimSuffix(shown, path.Base(name))
		l.loadFile(path.Base(name), shown)
	}
}

// loadFile reads the metadata file that the user named, or the file of CRs.
func (l *loader) loadFile(name, shown string) {
	data, err := l.At(path.Join(l.Root, name)) // not by read: what the user named may be a link to anywhere
	if f := (crFile{name, data}); err == nil && looksLikeCR(data) && !isMetadata(data) {
		l.loadFiles(shown, []crFile{f})
		return
	}
	l.loadMetadata(name)
}

func (l *loader) loadFolder(name, shown string) {
	l.Root, l.prefix = name, below(shown)
	for _, metadata := range []string{"metadata.yaml", "metadata.yml"} {
		if l.LinkLeaves(metadata) {
			l.unreadable(Place{File: l.shown(metadata)}, folder.ErrOutside)
			return
		}
		_, err := fs.Stat(l.FS, path.Join(name, metadata))
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
