package refconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// The limits if LoadOptions set none.
const (
	DefaultFileLimit  = 16 << 20 // bytes of a file; real ones have some kilobytes
	DefaultTotalLimit = 512 << 20
	DefaultAliasLimit = 200_000 // values of a file, with each alias counted as the values that it repeats
)

// unreadable reports why a file cannot be read. what names it in messages.
func (l *loader) unreadable(at Place, what string, err error) {
	switch {
	case errors.Is(err, errLarge):
		l.fault(code.LimitSize, at, "%s is %v: the limit is %s; raise it with --limit reference=N", what, err, l.mostBytes())
	case errors.Is(err, errTotal) && l.isFull: // it was reported
	case errors.Is(err, errTotal):
		l.isFull = true
		l.fault(code.LimitMemory, at, "%s was not read: with it, the files of the reference, which stay in memory, have "+
			"more than %d bytes, %d without it; leave files out, or raise the limit with --limit memory=N", what, l.total, l.kept)
	case errors.Is(err, errOutside):
		l.fault(code.RefPathOutside, at, "%s %v; everything must be in the folder of the metadata file, or below it", what, err)
	case errors.Is(err, errNoRegular):
		l.fault(code.RefUnreadable, at, "%s is %v", what, err)
	default:
		l.fault(code.RefUnreadable, at, "%s cannot be read: %v", what, code.Reason(err))
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
	data, err := l.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		l.fault(missing, at, "%s %q does not exist%s", what, spelled, l.hintFile(name))
	case err != nil:
		l.unreadable(at, fmt.Sprintf("%s %q", what, spelled), err)
	}
	return name, data, err == nil
}

// hintFile suggests the file that was probably intended, or names the folder of the path that does
// not exist.
func (l *loader) hintFile(name string) code.Meant {
	hint := code.Meant{Word: name}
	if strings.Contains(name, `\`) {
		return hint.After("; paths are written with forward slashes")
	}
	in := path.Dir(name)
	if l.folders[in] == nil {
		entries, err := fs.ReadDir(l.FS, path.Join(l.root, in))
		if err != nil {
			return hint.After("; there is no folder %q", in)
		}
		isMark := func(c rune) bool { return strings.ContainsRune(" \t\r\n\"'[]{},", c) }
		words := strings.FieldsFunc(string(l.ref.MetadataText), isMark)
		isListed := func(one string) bool { return slices.Contains(words, path.Join(in, one)) }
		l.folders[in] = code.NewNames(slices.DeleteFunc(among(entries, fs.DirEntry.Name), isListed))
	}
	if n := l.folders[in].Nearest(path.Base(name)); n != "" {
		return code.Suggest(name, path.Join(in, n))
	}
	return hint.After("; it should be %s", l.shown(name))
}

// isManifest reports whether the name of a file is that of YAML or JSON.
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(path.Ext(name)))
}

// candidate reads a file that may have CRs: YAML, JSON, or a file without a suffix that looks like
// a CR. It warns of other files that may hold one.
func (l *loader) candidate(name string) (f crFile, ok bool) {
	data, err := l.readAnew(name)
	f = crFile{name, data}
	suffix := path.Ext(name)
	cr := err == nil && looksLikeCR(data)
	odd := err != nil || kubeyaml.WhatItIs(data) != ""
	switch {
	case isManifest(name):
		if err != nil {
			l.unreadable(Place{File: l.shown(name)}, "this", err)
		}
		l.kept += int64(len(data))
		return f, err == nil
	case suffix != "" && cr:
		l.passOver(name, 0, "it looks like a CR, but its name does not end in .yaml, .yml or .json")
	case isManifest(strings.TrimSuffix(name, suffix)) && odd:
		l.notRead(name, 0, "it may hold CRs, but was not read, because it is packed, encrypted or damaged")
	case isArchive(name):
		l.passOver(name, 0, "archives in the folder of a reference are not opened")
	case suffix != "":
	case errors.Is(err, errLarge), errors.Is(err, errNoRegular), err == nil && odd: // such as a program or a pipe
		l.passOver(name, 0, "it is too large for a CR, or not the text of one")
	case err != nil:
		l.unreadable(Place{File: l.shown(name)}, "this", err)
	case cr:
		l.kept += int64(len(data))
		return f, true
	}
	return f, false
}

// passOverHidden warns that a hidden file may be a CR. It is no candidate, because it belongs to
// another tool.
func (l *loader) passOverHidden(name string) {
	if path.Ext(name) != "" && !isManifest(name) {
		return
	}
	data, err := l.readAnew(name)
	odd := err != nil || kubeyaml.WhatItIs(data) != ""
	if isManifest(name) && odd || err == nil && looksLikeCR(data) {
		l.passOver(name, 0, "it may be a CR, but its name, or that of a folder above it, begins with a dot")
	}
}

// isHidden reports whether a part of a path begins with a dot.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// isArchive reports whether the name of a file is that of an archive or of a packed file.
func isArchive(name string) bool {
	packed := []string{".tar", ".zip", ".gz", ".tgz", ".xz", ".txz", ".zst", ".tzst", ".bz2", ".tbz2"}
	return slices.Contains(packed, strings.ToLower(path.Ext(name)))
}

// notRead raises an alarm about a file or link that may hold CRs, which are not part of the
// reference.
func (l *loader) notRead(name string, line int, why string) {
	l.warn(code.RefNotRead, Place{File: l.shown(name), Line: line}, "%s", why)
}

// passOver warns that a file, or its part from a line on, does not belong to the reference.
func (l *loader) passOver(name string, line int, why string) {
	l.warn(code.RefPassedOver, Place{File: l.shown(name), Line: line}, "ignored: %s", why)
}

// mostUnlisted is the maximum number of files of a folder that are examined: a reference has some
// hundreds.
const mostUnlisted = 10_000

// unlisted warns of CRs in the folder that the metadata does not list. It ignores folders with a
// reference of their own or with tests, and files that another metadata file names.
func (l *loader) unlisted() {
	quiet := *l
	quiet.findings = &findings{} // unreadable files do not matter here
	names := quiet.filesBelow()
	if len(names) > mostUnlisted {
		return
	}
	elsewhere := []string{FixturesFolder + "/"}
	for _, name := range names {
		if IsMetadataName(name) && path.Dir(name) != "." {
			elsewhere = append(elsewhere, path.Dir(name)+"/")
		}
	}
	var found []string
	var others []byte // the text of other metadata files
	for _, name := range names {
		isBelow := func(folder string) bool { return strings.HasPrefix(name, folder) }
		if l.files[name] != nil || !isManifest(name) || isHidden(name) || slices.ContainsFunc(elsewhere, isBelow) {
			continue
		}
		data, err := quiet.readAnew(name)
		switch {
		case err != nil:
		case isMetadata(data):
			others = append(others, data...)
		case looksLikeCR(data) && !strings.HasPrefix(marginKeys(data)["apiVersion"], "kustomize.config.k8s.io"):
			found = append(found, name)
		}
	}
	for _, name := range found {
		if !bytes.Contains(others, []byte(name)) {
			l.warn(code.RefUnlisted, Place{File: l.shown(name), Line: 1},
				"no component lists this file, so it is not part of the reference")
		}
	}
}
