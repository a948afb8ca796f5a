package refconfig

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// A folder tests/NAME with an expect.yaml is a fixture: input to test the reference with. It is
// part of the reference only if the metadata names it.
const (
	FixturesFolder  = "tests"
	ExpectationFile = "expect.yaml"
)

// LoadOptions configure Load. The zero value is usable.
type LoadOptions struct {
	// Name is the path as the user wrote it, so that messages name files as the user would open
	// them. It may also be the name of the whole file system, such as an archive; then it does not
	// end like the path. "" means the path.
	Name string
	// FileLimit is the maximum size of a file in bytes; 0 for DefaultFileLimit.
	FileLimit int
	// TotalLimit is the maximum size of all files in bytes, which stay in memory; 0 for
	// DefaultTotalLimit.
	TotalLimit int64
	// AliasLimit is the maximum number of values of the metadata; 0 for DefaultAliasLimit.
	AliasLimit int
	// Without are files and folders that are no part of a reference of plain CRs, as clean paths
	// relative to its folder.
	Without []string
	// Unlisted enables warnings of CRs in the reference's folder that the metadata does not list.
	Unlisted bool
	// Context ends loading early; nil for never. The result is then incomplete.
	Context context.Context
}

// Load reads the reference at name: a folder inside fsys ("." for all of it), or a metadata file
// with any name.
//
// The metadata of a folder is its metadata.yaml (or metadata.yml), or the only one below it.
// Without any, the CRs in its files are a reference in the annotations format, and so are the CRs
// of a file if name is that file.
//
// The problems are all errors, sorted by location, each once. If there are any, the reference is
// incomplete and must not be used to compare; it is only good for finding further errors in its
// templates. It is never nil. Its Warnings do not prevent its use.
func Load(fsys fs.FS, name string, opt LoadOptions) (*Reference, []Problem) {
	name = path.Clean(name)
	l := &loader{
		findings: &findings{},
		folder: folder{
			FS:    fsys,
			files: map[string][]byte{},
			ctx:   cmp.Or(opt.Context, context.Background()),
			limit: cmp.Or(max(0, opt.FileLimit), DefaultFileLimit),
			total: cmp.Or(max(0, opt.TotalLimit), DefaultTotalLimit),
		},
		ref:     &Reference{Path: cmp.Or(opt.Name, name)},
		without: opt.Without,
		folders: map[string]*code.Names{},
		aliases: cmp.Or(max(0, opt.AliasLimit), DefaultAliasLimit),
	}
	l.load(name, shownAs(name, l.ref.Path))
	l.ref.number()
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		l.ref.Files = append(l.ref.Files, l.shown(name))
	}
	l.ref.Hash = l.hash()
	if opt.Unlisted && l.ref.Metadata != "" {
		l.unlisted()
	}
	l.ref.Warnings = tidy(l.warnings)
	return l.ref, tidy(l.faults)
}

// number sets the index of each template in the order of the reference.
func (r *Reference) number() {
	listed := map[*Component][]*Template{}
	for _, t := range r.Templates {
		listed[t.Component] = append(listed[t.Component], t)
	}
	next := 0
	for _, c := range r.Components() {
		for _, t := range listed[c] {
			t.Index = next
			next++
		}
	}
}

// shownAs returns how messages name a file: the name that the user wrote, or a path below it.
func shownAs(name, user string) string {
	trimmed := strings.TrimRight(user, `/\`)
	if name == "." || path.Base(strings.ReplaceAll(trimmed, `\`, "/")) == path.Base(name) {
		return user
	}
	return below(user) + name
}

// below returns the prefix of names in a folder.
func below(folder string) string {
	switch {
	case folder == ".", folder == "":
		return ""
	case strings.HasSuffix(folder, "/"), strings.HasSuffix(folder, `\`):
		return folder
	}
	return folder + "/"
}

// loader loads one reference.
type loader struct {
	*findings
	folder
	ref     *Reference
	prefix  string                 // prefix of paths in messages
	without []string               // see LoadOptions.Without
	folders map[string]*code.Names // entries of folders that lack a file
	aliases int                    // values of the metadata
	isFull  bool                   // that the files are too large together was reported
}

// load determines the format and loads the reference.
func (l *loader) load(name, shown string) {
	info, err := fs.Stat(l.FS, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(code.RefNotFound, Place{File: shown},
			"no such file or folder; a reference is a folder with a metadata.yaml, its metadata file, or a folder of CRs")
	case err != nil:
		l.unreadable(Place{File: shown}, "this", err)
	case info.IsDir():
		l.loadFolder(name, shown)
	default:
		l.root = path.Dir(name)
		l.prefix = strings.TrimSuffix(shown, path.Base(name))
		l.loadFile(path.Base(name), shown)
	}
}

// loadFile loads the metadata file that the user named, or a file of CRs.
func (l *loader) loadFile(name, shown string) {
	// The user may name a link to a file anywhere; Read would reject it.
	data, err := l.readFile(path.Join(l.root, name))
	if err == nil && looksLikeCR(data) && !isMetadata(data) {
		l.loadFiles(shown, []crFile{{name, data}})
		return
	}
	l.loadMetadata(name)
}

func (l *loader) loadFolder(name, shown string) {
	l.root, l.prefix = name, below(shown)
	for _, metadata := range []string{"metadata.yaml", "metadata.yml"} {
		if l.linkLeaves(metadata) {
			l.unreadable(Place{File: l.shown(metadata)}, "this", errOutside)
			return
		}
		_, err := fs.Stat(l.FS, path.Join(name, metadata))
		if err == nil {
			l.loadMetadata(metadata)
			return
		}
		if !errors.Is(err, fs.ErrNotExist) {
			l.unreadable(Place{File: l.shown(metadata)}, "this", err)
			return
		}
	}
	l.loadAnnotated(shown)
}

// shown returns how messages name a file of the reference.
func (l *loader) shown(name string) string { return l.prefix + name }
