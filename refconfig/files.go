package refconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/folder"
)

// The limits if LoadOptions set none.
const (
	DefaultFileLimit  = 16 << 20 // bytes of a file; real ones have some kilobytes
	DefaultAliasLimit = 200_000  // values of a file, with each alias counted as the values that it repeats
)

// unreadable reports why an existing file cannot be read.
func (l *loader) unreadable(at Place, err error) {
	switch {
	case errors.Is(err, folder.ErrLarge):
		l.fault(
			code.LimitSize,
			at,
			"the file is %v: the limit is %s; raise it with --limit reference=N",
			err,
			l.mostBytes(),
		)
	case errors.Is(err, folder.ErrOutside):
		l.fault(code.RefPathOutside, at, "the symbolic link %v", err)
	default:
		l.fault(code.RefUnreadable, at, "cannot be read: %v", code.Reason(err))
	}
}

// mostBytes returns the size limit of a file in words.
func (l *loader) mostBytes() string {
	if l.limit%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", l.limit>>20)
	}
	return fmt.Sprintf("%d bytes", l.limit)
}

// open reads a file that the metadata names at a location, and reports why it cannot. what
// describes the file in messages, and missing is the code if it does not exist. The returned name
// is clean.
func (l *loader) open(spelled string, at Place, what string, missing string) (name string, data []byte, ok bool) {
	name = path.Clean(spelled)
	data, err := l.Read(name)
	switch {
	case err == nil:
		return name, data, true
	case errors.Is(err, folder.ErrOutside):
		l.fault(
			code.RefPathOutside,
			at,
			"%s %q %v; everything must be in the folder of the metadata file, or below it",
			what,
			spelled,
			err,
		)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(missing, at, "%s %q does not exist%s", what, spelled, l.hintFile(name))
	case errors.Is(err, folder.ErrLarge):
		l.fault(
			code.LimitSize,
			at,
			"%s %q is %v: the limit is %s; raise it with --limit reference=N",
			what,
			spelled,
			err,
			l.mostBytes(),
		)
	case errors.Is(err, folder.ErrNoRegular):
		l.fault(code.RefUnreadable, at, "%s %q is %v", what, spelled, err)
	default:
		l.fault(code.RefUnreadable, at, "%s %q cannot be read: %v", what, spelled, code.Reason(err))
	}
	return name, nil, false
}

// hintFile suggests the file that was probably intended, or names the folder of the path that does
// not exist.
func (l *loader) hintFile(name string) string {
	if strings.Contains(name, `\`) {
		return "; paths are written with forward slashes"
	}
	in, base := path.Split(name)
	in = path.Clean(in)
	if l.folders[in] == nil {
		entries, err := fs.ReadDir(l.FS, path.Join(l.Root, in))
		if err != nil {
			for up := path.Dir(in); up != "."; up = path.Dir(up) {
				if _, err := fs.Stat(l.FS, path.Join(l.Root, up)); err == nil {
					break
				}
				in = up
			}
			return fmt.Sprintf("; there is no folder %q", in)
		}
		names := among(entries, fs.DirEntry.Name)
		listed := func(one string) bool { return l.isListed(path.Join(in, one)) }
		l.folders[in] = code.NewNames(slices.DeleteFunc(names, listed))
	}
	if n := l.folders[in].Nearest(base); n != "" {
		return fmt.Sprintf("; did you mean %q?", path.Join(in, n))
	}
	return fmt.Sprintf("; it should be %s", l.shown(name))
}

// isListed reports whether the metadata contains the path of a file as a word.
func (l *loader) isListed(name string) bool {
	if l.words == nil {
		l.words = map[string]bool{}
		for _, word := range strings.FieldsFunc(string(l.ref.MetadataText), func(c rune) bool {
			return strings.ContainsRune(" \t\r\n\"'[]{},", c)
		}) {
			l.words[word] = true
		}
	}
	return l.words[name]
}

// candidate reads a file that may have CRs: YAML, JSON, or a file without a suffix that looks like
// a CR. It warns of other files that look like one.
func (l *loader) candidate(name string) (crFile, bool) {
	data, err := l.Anew(name)
	f := crFile{name, data}
	suffix := strings.ToLower(path.Ext(name))
	switch {
	case slices.Contains([]string{".yaml", ".yml", ".json"}, suffix):
		if err != nil {
			l.unreadable(Place{File: l.shown(name)}, err)
		}
		return f, err == nil
	case suffix != "":
		if err == nil && looksLikeCR(data) {
			l.passOver(name, 0, "it looks like a CR, but its name does not end in .yaml, .yml or .json")
		}
		return f, false
	case errors.Is(err, folder.ErrLarge), errors.Is(err, folder.ErrNoRegular): // such as a program or a pipe
		l.passOver(name, 0, "it is too large for a CR, or not text")
		return f, false
	case err != nil:
		l.unreadable(Place{File: l.shown(name)}, err)
		return f, false
	}
	return f, looksLikeCR(data)
}

// passOver warns that a file, or its part from a line on, does not belong to the reference.
func (l *loader) passOver(name string, line int, why string) {
	l.warn(code.RefPassedOver, Place{File: l.shown(name), Line: line}, "ignored: %s", why)
}
