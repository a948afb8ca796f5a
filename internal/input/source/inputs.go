package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// ErrNotFound is wrapped by an error of Walk if an input does not exist or cannot be opened.
var ErrNotFound = errors.New("no such input")

// ErrStdin is wrapped by an error of Walk if standard input is requested more than once or does not
// exist.
var ErrStdin = errors.New("standard input cannot be read")

// stdinArgument is the argument for standard input.
const stdinArgument = "-"

// Expand replaces globs by their matches, and checks that an input can be opened before any is
// read. If none can be opened, one error lists all of them; if only some cannot, Walk reports
// these. stdin says whether standard input exists. Returned paths have slashes, on Windows too,
// because reports show them.
func Expand(args []string, stdin bool) ([]string, error) {
	var paths []string
	var faults []error
	for _, arg := range args {
		found, err := Match(arg)
		if err != nil {
			faults = append(faults, err)
			paths = append(paths, filepath.ToSlash(arg))
		}
		for _, name := range found {
			paths = append(paths, name)
			if name == stdinArgument {
				continue
			}
			if err := notFound(name, checkOpens(name)); err != nil {
				faults = append(faults, err)
			}
		}
	}
	if err := checkStdin(paths, stdin); err != nil {
		return paths, errors.Join(append(faults, err)...)
	}
	if len(faults) < len(paths) {
		return paths, nil
	}
	return paths, errors.Join(faults...)
}

func checkStdin(paths []string, there bool) error {
	asked := 0
	for _, p := range paths {
		if p == stdinArgument {
			asked++
		}
	}
	switch {
	case asked > 1:
		return fmt.Errorf("%w: %q is given %d times; give it once", ErrStdin, stdinArgument, asked)
	case asked == 1 && !there:
		return fmt.Errorf("%w: it is not available", ErrStdin)
	}
	return nil
}

// checkOpens tries to open a file or folder. It does not try pipes, which can be opened only once.
func checkOpens(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return err
	}
	f, err := disk.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// notFound returns an error with the reason in words, or nil.
func notFound(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case path == "":
		return fmt.Errorf("%w: an argument is empty", ErrNotFound)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: the path does not exist%s", path, ErrNotFound, Remote(path))
	}
	return fmt.Errorf("%s: %w: cannot be opened: %s", path, ErrNotFound, code.Reason(err))
}

// Remote returns a part of a message for a nonexistent path that looks like an address; "" for any
// other path.
func Remote(path string) string {
	if isImage(path) {
		return "; this looks like the name of an image, and the tool downloads nothing: save it with podman save " +
			"-o reference.tar " + path + ", or with skopeo copy docker://" + path +
			" oci-archive:reference.tar, and name the file"
	}
	if !strings.Contains(path, "://") && !strings.HasPrefix(path, "git@") {
		return ""
	}
	return "; the tool downloads nothing: download it first, for example with curl, git clone or podman save, and name the file or folder"
}

// isImage reports whether a path looks like the name of a container image: HOST/PATH with a tag or a
// digest, where HOST is a domain, or localhost with a port.
func isImage(path string) bool {
	const host, name, version = `([a-z0-9-]+(\.[a-z0-9-]+)+|localhost)(:[0-9]+)?`, `(/[a-z0-9._-]+)+`, `(:[A-Za-z0-9._-]+|@sha256:[0-9a-f]+)`
	return regexp.MustCompile("^" + host + name + version + "$").MatchString(path)
}
