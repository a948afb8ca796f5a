package cli

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// checkOut returns the command that checks out the branch or tag for a release, if a path is in a clone of
// a repository that has one; else "". It reads files of Git, and runs nothing.
func checkOut(name, release string) string {
	info, err := os.Stat(name)
	if err != nil || release == "" {
		return "" // in an archive, nothing is checked out
	}
	if !info.IsDir() {
		name = path.Dir(filepath.ToSlash(name))
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	of := regexp.MustCompile(`(^|[^0-9.])` + regexp.QuoteMeta(release) + `($|[^0-9.])`)
	for up := full; ; up = filepath.Dir(up) {
		if git := joinPath(filepath.ToSlash(up), ".git"); isFolder(git) {
			names := slices.DeleteFunc(gitNames(git), func(one string) bool { return !of.MatchString(one) })
			if len(names) == 0 {
				return ""
			}
			root, err := filepath.Rel(full, up)
			if err != nil {
				return ""
			}
			best := slices.MinFunc(names, func(a, b string) int {
				return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
			})
			return "git -C " + escape.ShellWord(escape.Operand(joinPath(filepath.ToSlash(name), filepath.ToSlash(root)))) +
				" checkout " + escape.ShellWord(best)
		}
		if filepath.Dir(up) == up {
			return ""
		}
	}
}

// tellBranch adds the command that gets the right reference to the alarms about a wrong one.
func tellBranch(found *finding.Report) {
	for _, run := range found.Runs {
		for i := range run.Alarms {
			run.Alarms[i].Command = checkOut(found.Reference.Path, run.Alarms[i].Release)
		}
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// gitNames returns the names of the branches and tags in a .git folder, those of other repositories
// without the name of the repository.
func gitNames(git string) (names []string) {
	short := func(ref string) {
		for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
			name, found := strings.CutPrefix(ref, prefix)
			if prefix == "refs/remotes/" {
				_, name, found = strings.Cut(name, "/")
			}
			if found && name != "" && strings.HasPrefix(ref, prefix) {
				names = append(names, name)
			}
		}
	}
	packed, _ := disk.ReadFile(joinPath(git, "packed-refs")) // a clone may have none
	for line := range strings.Lines(string(packed)) {
		if _, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			short(ref)
		}
	}
	_ = fs.WalkDir(disk.Folder(git), "refs", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			short(path)
		}
		return nil // what cannot be read has no branch
	})
	return names
}
