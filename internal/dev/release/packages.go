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

// packages writes the packages of a target for Linux: the tool, also as a plugin of kubectl, its
// manual page, what completes it in a shell, and the licenses.
func (r release) packages(t target) error {
	if t.system != "linux" {
		return nil
	}
	dir, err := os.MkdirTemp("", tool)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	contents, err := r.contents(t, dir)
	if err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm", "apk"} {
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

// contents returns the files of a package. Those that have to be made are written into a folder.
func (r release) contents(t target, dir string) (all files.Contents, err error) {
	add := func(source, destination string, mode os.FileMode) {
		info := &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time.UTC()}
		all = append(all, &files.Content{Source: source, Destination: destination, FileInfo: info})
	}
	add(t.path, "/usr/bin/"+tool, 0o755)
	all = append(all, &files.Content{
		Source:      tool,
		Destination: "/usr/bin/kubectl-" + strings.ReplaceAll(plugin, "-", "_"),
		Type:        files.TypeSymlink,
		FileInfo:    &files.ContentFileInfo{MTime: r.time.UTC()},
	})
	for shell, destination := range map[string]string{
		"bash": "bash-completion/completions/" + tool,
		"zsh":  "zsh/site-functions/_" + tool,
		"fish": "fish/vendor_completions.d/" + tool + ".fish",
	} {
		add(filepath.Join(r.completions, tool+"."+shell), "/usr/share/"+destination, 0o644)
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
