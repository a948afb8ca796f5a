package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// noticesFile is the name of the notices in an archive.
const noticesFile = "THIRD_PARTY_NOTICES"

// linked has the folders of the packages that are linked into the tool, by module, such as
// "gopkg.in/inf.v0 v0.9.1". The value of a folder is the folder of its module.
type linked map[string]map[string]string

// linkedInto asks Go which packages of other modules are linked into the tool for a system. root
// is the folder of the tool.
func linkedInto(root, system, processor string) (linked, error) {
	list := exec.Command(
		"go",
		"list",
		"-deps",
		"-f",
		`{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{"\t"}}{{$.Dir}}{{"\n"}}{{end}}{{end}}`,
		".",
	)
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("what is linked into the tool for %s/%s: %w", system, processor, err)
	}
	all := linked{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 {
			continue // a package of Go's own, or of the tool
		}
		module, root, folder := fields[0], fields[1], fields[2]
		if all[module] == nil {
			all[module] = map[string]string{}
		}
		all[module][folder] = root
	}
	return all, nil
}

// notices returns the licenses of all that is linked into the tool for a system: Go's own, and
// those of other modules.
func notices(root, system, processor string) ([]byte, error) {
	modules, err := linkedInto(root, system, processor)
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("where Go is: %w", err)
	}
	own := strings.TrimSpace(string(goroot))
	modules["Go "+strings.TrimPrefix(runtime.Version(), "go")] = map[string]string{own: own}
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		"%s has its own license in the file LICENSE. These are the licenses of what else is linked into it for %s/%s.\n",
		tool,
		system,
		processor,
	)
	b.WriteString("The schemas of the kinds of Kubernetes in it are made from the sources of Kubernetes. " +
		"Copyright The Kubernetes Authors; their license is the one in the file LICENSE.\n")
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		files, err := licenses(modules[module])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", module, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(
				&b, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), module, filepath.Base(file), bytes.TrimSpace(text),
			)
		}
	}
	return b.Bytes(), nil
}

// licenses are the files with the licenses of packages: those in their folders, and in the folders
// above them up to that of the module.
func licenses(folders map[string]string) ([]string, error) {
	name := regexp.MustCompile(`(?i)^(.*licen[cs]e.*|copying.*|notice.*|patents.*|authors.*)$`)
	found := map[string]bool{}
	for folder, root := range folders {
		for at := folder; strings.HasPrefix(at, root); at = filepath.Dir(at) {
			entries, err := os.ReadDir(at)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if e.Type().IsRegular() && name.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
					found[filepath.Join(at, e.Name())] = true
				}
			}
		}
	}
	if len(found) == 0 {
		return nil, errors.New("there is no license; such a module cannot be released")
	}
	return slices.Sorted(maps.Keys(found)), nil
}
