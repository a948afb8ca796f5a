package refconfig

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crtext"
)

// What is read where LoadOptions say nothing else.
const (
	DefaultFileLimit  = 16 << 20  // bytes of a file; real ones have some kilobytes
	DefaultAliasLimit = 200_000   // values that a file stands for, because aliases let a small file stand for a huge one
	DefaultMemory     = 256 << 20 // bytes of memory that decoding a file takes
)

// totalShare is the part of this memory that the texts of all files may have together: templates take many times their text.
const totalShare = 8

var (
	errOutside   = errors.New("leads out of the reference")
	errLarge     = errors.New("larger than a file of a reference can be")
	errMuch      = errors.New("with the files before it larger than a reference can be")
	errCostly    = errors.New("too large when it is decoded")
	errNoRegular = errors.New("not a file")
)

// read returns the content of a file of the reference. Its name is clean and relative to the reference's folder.
func (l *loader) read(name string) ([]byte, error) {
	if data, ok := l.files[name]; ok {
		return data, nil
	}
	if err := l.absent[name]; err != nil {
		return nil, err
	}
	data, err := l.readAnew(name)
	if err != nil {
		l.absent[name] = err
		return nil, err
	}
	l.files[name] = data
	return data, nil
}

func (l *loader) readAnew(name string) ([]byte, error) {
	if leavesFolder(name) || l.linkLeaves(name) {
		return nil, errOutside
	}
	return l.readFile(path.Join(l.root, name))
}

// readFile reads a file of the file system, if it is one and not too large.
func (l *loader) readFile(full string) ([]byte, error) {
	info, err := fs.Stat(l.fsys, full)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // reading a pipe might never end
		return nil, errNoRegular
	case info.Size() > int64(l.limit):
		return nil, errLarge
	case info.Size() > l.left:
		l.left = 0
		return nil, errMuch
	}
	l.left -= info.Size()
	data, err := fs.ReadFile(l.fsys, full)
	if err == nil && budget.Decoding(data) > l.memory {
		return nil, errCostly
	}
	return data, err
}

// unreadable says why a file that is there cannot be read.
func (l *loader) unreadable(at Place, err error) {
	switch {
	case errors.Is(err, errLarge):
		l.fault(code.LimitSize, at, "the file is %v: the limit is %s; raise it with --limit reference=N", err, l.mostBytes())
	case errors.Is(err, errMuch):
		l.tooMuch(at)
	case errors.Is(err, errCostly):
		l.tooCostly(at)
	case errors.Is(err, errOutside):
		l.fault(code.RefPathOutside, at, "the symbolic link %v", err)
	default:
		l.fault(code.RefUnreadable, at, "%s", reason(err))
	}
}

// tooMuch takes down, once, that the files of the reference are too large together.
func (l *loader) tooMuch(at Place) {
	if !l.much {
		l.much = true
		l.fault(code.LimitMemory, at, "the files of the reference up to here have more than %d bytes together, which is what it may take of the memory; "+
			"leave out what is no part of it, or raise the limit with --limit memory=N", l.memory/totalShare)
	}
}

// tooCostly takes down that a file is too large to be decoded.
func (l *loader) tooCostly(at Place) {
	l.fault(code.LimitMemory, at, "decoding the file takes more than %d bytes of memory; leave it out of the reference, cut it into parts, "+
		"or raise the limit with --limit memory=N", l.memory)
}

// mostBytes is the limit of a file in words.
func (l *loader) mostBytes() string {
	if l.limit%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", l.limit>>20)
	}
	return fmt.Sprintf("%d bytes", l.limit)
}

// leavesFolder reports whether a clean path is absolute or climbs out of the folder it is relative to.
func leavesFolder(name string) bool {
	return absolute(name) || name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, `..\`)
}

// absolute reports whether a path is absolute on any system.
func absolute(name string) bool {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return true
	}
	return len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\')
}

// linkLeaves reports whether a symbolic link on the way to a file leads out of the reference's folder.
func (l *loader) linkLeaves(name string) bool {
	links, ok := l.fsys.(fs.ReadLinkFS)
	if !ok {
		return false
	}
	const most = 40 // links on the way, as systems allow them; reading fails behind that
	at, rest := "", strings.Split(name, "/")
	for hops := 0; len(rest) > 0 && hops < most; {
		next := path.Join(at, rest[0])
		rest = rest[1:]
		info, err := links.Lstat(path.Join(l.root, next))
		if err != nil {
			return false // reading will tell
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		hops++
		to, err := links.ReadLink(path.Join(l.root, next))
		if err != nil {
			return false
		}
		if absolute(to) || leavesFolder(path.Join(at, to)) {
			return true
		}
		at, rest = "", append(strings.Split(path.Join(at, to), "/"), rest...)
	}
	return false
}

// open reads a file that the metadata names at a place, and says what is wrong if it cannot. What the file is goes into
// messages, and missing is the code for a file that is not there. The name that is returned is clean.
func (l *loader) open(spelled string, at Place, what string, missing string) (name string, data []byte, ok bool) {
	name = path.Clean(spelled)
	data, err := l.read(name)
	switch {
	case err == nil:
		return name, data, true
	case errors.Is(err, errOutside):
		l.fault(code.RefPathOutside, at, "%s %q %v; everything must be in the folder of the metadata file, or below it", what, spelled, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(missing, at, "%s %q does not exist%s", what, spelled, l.hintFile(name))
	case errors.Is(err, errLarge):
		l.fault(code.LimitSize, at, "%s %q is %v: the limit is %s; raise it with --limit reference=N", what, spelled, err, l.mostBytes())
	case errors.Is(err, errNoRegular):
		l.fault(code.RefUnreadable, at, "%s %q is %v", what, spelled, err)
	case errors.Is(err, errMuch):
		l.tooMuch(at)
	case errors.Is(err, errCostly):
		l.tooCostly(at)
	default:
		l.fault(code.RefUnreadable, at, "%s %q %s", what, spelled, reason(err))
	}
	return name, nil, false
}

// glob returns the files of the reference that a glob (path.Match) means, sorted; none where the text is the path of a file itself.
func (l *loader) glob(pattern string) []string {
	pattern = path.Clean(pattern)
	if !strings.ContainsAny(pattern, `*?[\\`) || leavesFolder(pattern) {
		return nil
	}
	if _, err := l.read(pattern); err == nil {
		return nil
	}
	root, err := fs.Sub(l.fsys, l.root)
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(root, pattern) // a malformed glob means no file
	return names
}

// hintFile says which file was probably meant, or which folder of the path is not there.
func (l *loader) hintFile(name string) string {
	if strings.Contains(name, `\`) {
		return "; paths are written with forward slashes"
	}
	folder, base := path.Split(name)
	folder = path.Clean(folder)
	if l.folders[folder] == nil {
		entries, err := fs.ReadDir(l.fsys, path.Join(l.root, folder))
		if err != nil {
			for up := path.Dir(folder); up != "."; up = path.Dir(up) {
				if _, err := fs.Stat(l.fsys, path.Join(l.root, up)); err == nil {
					break
				}
				folder = up
			}
			return fmt.Sprintf("; there is no folder %q", folder)
		}
		l.folders[folder] = code.NewNames(among(entries, fs.DirEntry.Name))
	}
	if n := l.folders[folder].Nearest(base); n != "" {
		return fmt.Sprintf("; did you mean %q?", path.Join(folder, n))
	}
	return fmt.Sprintf("; it should be %s", l.shown(name))
}

// hash is a fingerprint of every file that was read, with its name relative to the reference's folder.
func (l *loader) hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l.files)) { // the lengths tell where each ends
		fmt.Fprintf(h, "%d %d %s\n", len(name), len(l.files[name]), name)
		h.Write(l.files[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// candidate reads a file that may hold CRs: one of YAML or JSON, or one without a suffix that looks like a CR. Any other that
// looks like one is passed over and warned of.
func (l *loader) candidate(name string) (crFile, bool) {
	data, err := l.readAnew(name)
	f := crFile{name, data}
	suffix := strings.ToLower(path.Ext(name))
	switch {
	case slices.Contains([]string{".yaml", ".yml", ".json"}, suffix):
		if err != nil {
			l.unreadable(Place{File: l.shown(name)}, err)
		}
		return f, err == nil
	case suffix != "":
		if err == nil && crtext.LooksLikeCR(data) {
			l.passOver(name, 0, "it looks like a CR, but its name does not end in .yaml, .yml or .json")
		}
		return f, false
	case errors.Is(err, errLarge), errors.Is(err, errNoRegular): // a program, a pipe
		l.passOver(name, 0, "it is no text file of a CR's size")
		return f, false
	case err != nil:
		l.unreadable(Place{File: l.shown(name)}, err)
		return f, false
	}
	return f, crtext.LooksLikeCR(data)
}

// passOver warns that a file, or what begins at a line of it, is not part of the reference.
func (l *loader) passOver(name string, line int, why string) {
	l.warn(code.RefPassedOver, Place{File: l.shown(name), Line: line}, "passed over: %s", why)
}
