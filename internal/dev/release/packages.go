package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // packages for Alpine
	_ "github.com/goreleaser/nfpm/v2/deb" // for Debian and Ubuntu
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // for Fedora, RHEL and SUSE
)

const homepage = "https://github.com/validationtool/validationtool"

// packages writes the packages of a target for Linux: the tool, also in small letters and as a plugin
// of kubectl, its manual page, what completes it in a shell, and the licenses.
func (r release) packages(t target) error {
	if t.system != "linux" {
		return nil
	}
	dir, err := os.MkdirTemp("", tool)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, format := range []string{"deb", "rpm", "apk"} {
		contents, err := r.contents(t, dir, format)
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "validationtool", Arch: t.processor, Platform: t.system, Version: r.version, Section: "admin",
			Maintainer:  "The authors of validationTool <validationtool@users.noreply.github.com>",
			Description: "Compare Kubernetes CRs and must-gathers with a reference configuration.",
			Homepage:    homepage, License: "Apache-2.0", MTime: r.time.UTC(), DisableGlobbing: true,
			Overridables: nfpm.Overridables{Contents: contents, RPM: nfpm.RPM{BuildHost: "localhost"}},
		})
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := packager.Package(info, &b); err != nil {
			return fmt.Errorf("%s of %s: %w", format, t.path, err)
		}
		if err := r.save(packager.ConventionalFileName(info), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// contents returns the files of a package of a format. Those that have to be made are written into a
// folder.
func (r release) contents(t target, dir, format string) (all files.Contents, err error) {
	add := func(source, destination string, mode os.FileMode) {
		info := &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time.UTC()}
		all = append(all, &files.Content{Source: source, Destination: destination, FileInfo: info})
	}
	zsh := "zsh/site-functions/_"
	if format == "deb" {
		zsh = "zsh/vendor-completions/_" // Debian reads no other folder
	}
	lower := strings.ToLower(tool)
	inPath := strings.ReplaceAll(plugin, "-", "_") // kubectl looks for it under this name
	add(t.path, "/usr/bin/"+tool, 0o755)
	add(filepath.Join(r.completions, "kubectl_complete-"+inPath), "/usr/bin/kubectl_complete-"+inPath, 0o755)
	for shell, destination := range map[string]string{
		"bash": "bash-completion/completions/" + tool,
		"zsh":  zsh + tool,
		"fish": "fish/vendor_completions.d/" + tool + ".fish",
	} {
		add(filepath.Join(r.completions, tool+"."+shell), "/usr/share/"+destination, 0o644)
	}
	// bash and fish load the script that has the name of the command
	for name, target := range map[string]string{
		"/usr/bin/" + lower:                                       tool,
		"/usr/bin/kubectl-" + inPath:                              tool,
		"/usr/share/bash-completion/completions/" + lower:         tool,
		"/usr/share/fish/vendor_completions.d/" + lower + ".fish": tool + ".fish",
	} {
		info := &files.ContentFileInfo{MTime: r.time.UTC()}
		all = append(all, &files.Content{Source: target, Destination: name, Type: files.TypeSymlink, FileInfo: info})
	}
	manual, err := r.manual()
	if err != nil {
		return nil, err
	}
	for _, name := range manual {
		add(filepath.Join(r.sources, name), "/usr/share/doc/validationtool/"+name, 0o644)
	}
	notices := filepath.Join(dir, noticesFile)
	err = os.WriteFile(notices, t.notices, 0o644)
	add(notices, "/usr/share/doc/validationtool/"+noticesFile, 0o644)
	for _, name := range r.files {
		base := filepath.Base(name)
		if base != tool+".1" {
			add(name, "/usr/share/doc/validationtool/copyright", 0o644)
			continue
		}
		page := filepath.Join(dir, base+".gz")
		err = errors.Join(err, compress(name, page))
		add(page, "/usr/share/man/man1/"+base+".gz", 0o644)
	}
	return all, err
}

// compress writes a file packed by gzip, without name and time.
func compress(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
	if _, err := z.Write(data); err != nil {
		return err
	}
	return errors.Join(z.Close(), os.WriteFile(to, b.Bytes(), 0o644))
}
