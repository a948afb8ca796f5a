package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/validationtool/validationtool/internal/run/disk"
)

// Match returns the sorted matches of an argument that is a glob, and any other argument itself,
// with slashes. It opens nothing. That a glob matches nothing is an error.
//
// Globs are those of a shell with globstar: "**" as a whole part of a path is any number of
// folders, and only a part that begins with a dot matches hidden names. As in a folder, devices
// and pipes do not match, because reading one may wait for another process. Braces are literal,
// because a shell expands them to several arguments, each of which must exist.
func Match(arg string) ([]string, error) {
	if _, err := os.Lstat(arg); arg == stdinArgument || !isGlob(arg) || err == nil || errors.Is(err, fs.ErrPermission) {
		return []string{filepath.ToSlash(arg)}, nil
	}
	literalBraces := strings.NewReplacer("{", `\{`, "}", `\}`)
	pattern := literalBraces.Replace(filepath.ToSlash(filepath.Clean(arg)))
	matches := outermost(slices.DeleteFunc(glob(doublestar.SplitPattern(pattern)), isSpecial))
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s: %w: %w", arg, ErrNotFound, errNoMatch)
	}
	return matches, nil
}

// isSpecial reports whether a path is that of a device, a socket or a pipe.
func isSpecial(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// errNoMatch is the reason for an error about a glob.
var errNoMatch = errors.New("it does not exist, and matches nothing as a pattern")

func isGlob(arg string) bool { return strings.ContainsAny(arg, "*?[") }

// glob returns the sorted paths that match a clean pattern in a folder; none if the pattern is
// malformed. "**" finds links to folders, but nothing below them, because they may lead in a circle.
func glob(folder, pattern string) []string {
	matches := []string{folder}
	for part := range strings.SplitSeq(pattern, "/") {
		options := []doublestar.GlobOption{doublestar.WithNoHidden()}
		if part == "**" {
			options = append(options, doublestar.WithNoFollow())
		}
		var within []string
		for _, folder := range matches {
			names, _ := doublestar.Glob(disk.Folder(folder), part, options...)
			for _, name := range names {
				within = append(within, path.Join(folder, name))
			}
		}
		slices.Sort(within)
		matches = slices.Compact(within)
	}
	return matches
}

// outermost returns paths without those that are below another one: a folder is read as a whole.
func outermost(paths []string) []string {
	all := map[string]bool{}
	for _, p := range paths {
		all[p] = true
	}
	return slices.DeleteFunc(paths, func(p string) bool {
		for above := path.Dir(p); above != p; p, above = above, path.Dir(above) {
			if all[above] {
				return true
			}
		}
		return false
	})
}
