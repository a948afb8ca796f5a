package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goreleaser/chglog"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // packages for Alpine
	_ "github.com/goreleaser/nfpm/v2/deb" // for Debian and Ubuntu
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // for Fedora, RHEL and SUSE
)

const (
	homepage   = "https://github.com/validationtool/validationtool"
	maintainer = "The authors of validationTool <validationtool@users.noreply.github.com>"
	// about says in its first line what the tool is, as lists of packages show it, and then what it does.
	about = `Compare Kubernetes CRs and must-gathers with a reference configuration
Reads the CRs of a folder, a file or a support archive, such as an OpenShift
must-gather, and shows where they differ from a reference configuration. It
needs no access to a cluster.`
	changed = "CHANGELOG.md in /usr/share/doc/validationtool lists the changes."
)

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
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "validationtool", Arch: t.processor, Platform: t.system, Version: r.version, Section: "admin",
			Maintainer: maintainer, Description: about,
			Homepage: homepage, License: "Apache-2.0", MTime: r.time.UTC(), DisableGlobbing: true,
		})
		name := packager.ConventionalFileName(info)
		if format == "rpm" {
			info.RPM = nfpm.RPM{BuildHost: "localhost", Group: "Applications/System"}
			if info.Changelog, err = r.rpmChangelog(dir, name); err != nil {
				return err
			}
		}
		if info.Contents, err = r.contents(t, dir, format, name); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := packager.Package(info, &b); err != nil {
			return fmt.Errorf("%s of %s: %w", format, t.path, err)
		}
		if err := r.save(name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// contents returns the files of a package of a format with a name. Those that have to be made are
// written into a folder.
func (r release) contents(t target, dir, format, name string) (all files.Contents, err error) {
	add := func(source, destination, kind string, mode os.FileMode) {
		info := &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time.UTC()}
		all = append(all, &files.Content{Source: source, Destination: destination, Type: kind, FileInfo: info})
	}
	made := func(source, destination, kind string, data []byte) {
		source = filepath.Join(dir, source)
		err = errors.Join(err, os.WriteFile(source, data, 0o644))
		add(source, destination, kind, 0o644)
	}
	zsh, doc, license, licenses := "zsh/site-functions/_", "", "", "/usr/share/licenses/validationtool/"
	switch format {
	case "deb":
		zsh = "zsh/vendor-completions/_" // Debian reads no other folder
		licenses = "/usr/share/doc/validationtool/"
	case "rpm":
		doc, license = files.TypeRPMDoc, files.TypeRPMLicense
	}
	lower := strings.ToLower(tool)
	inPath := strings.ReplaceAll(plugin, "-", "_") // kubectl looks for it under this name
	add(t.path, "/usr/bin/"+tool, "", 0o755)
	add(filepath.Join(r.completions, "kubectl_complete-"+inPath), "/usr/bin/kubectl_complete-"+inPath, "", 0o755)
	for shell, destination := range map[string]string{
		"bash": "bash-completion/completions/" + tool,
		"zsh":  zsh + tool,
		"fish": "fish/vendor_completions.d/" + tool + ".fish",
	} {
		add(filepath.Join(r.completions, tool+"."+shell), "/usr/share/"+destination, "", 0o644)
	}
	// bash and fish load the script that has the name of the command, and man the page
	const page = "/usr/share/man/man1/"
	for name, target := range map[string]string{
		"/usr/bin/" + lower:                                       tool,
		"/usr/bin/kubectl-" + inPath:                              tool,
		"/usr/share/bash-completion/completions/" + lower:         tool,
		"/usr/share/fish/vendor_completions.d/" + lower + ".fish": tool + ".fish",
		page + lower + ".1.gz":                                    tool + ".1.gz",
		page + "kubectl-" + inPath + ".1.gz":                      tool + ".1.gz",
		page + "kubectl_complete-" + inPath + ".1.gz":             tool + ".1.gz",
	} {
		add(target, name, files.TypeSymlink, 0o777)
	}
	manual, walked := r.manual()
	for _, name := range append(manual, "CHANGELOG.md") {
		add(filepath.Join(r.sources, name), "/usr/share/doc/validationtool/"+name, doc, 0o644)
	}
	made(noticesFile, licenses+noticesFile, license, t.notices)
	for _, name := range r.files {
		if base := filepath.Base(name); base == tool+".1" {
			data, problem := os.ReadFile(name)
			err = errors.Join(err, problem)
			made(base+".gz", page+base+".gz", doc, compressed(data))
		} else if format != "deb" {
			add(name, licenses+base, license, 0o644)
		}
	}
	if format == "deb" {
		made("copyright", licenses+"copyright", "", []byte(r.debianCopyright()))
		made("changelog.gz", licenses+"changelog.gz", "", compressed([]byte(r.debianChangelog(name))))
		made("overrides", "/usr/share/lintian/overrides/validationtool", "",
			[]byte("# Go links all into the binary, which runs on any Linux.\nvalidationtool: statically-linked-binary\n"))
	}
	return all, errors.Join(err, walked)
}

// debianCopyright returns the licenses of the package, as Debian's programs read them.
func (r release) debianCopyright() string {
	return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ` + tool + `
Source: ` + homepage + `
Comment: ` + noticesFile + ` has the licenses of what is linked into the binary.

Files: *
Copyright: ` + strconv.Itoa(r.time.UTC().Year()) + ` The authors of ` + tool + `
License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.
`
}

// debianChangelog returns the changelog of the package with a name, which has Debian's form of the version.
func (r release) debianChangelog(name string) string {
	version := strings.Split(name, "_")[1]
	return fmt.Sprintf("validationtool (%s) unstable; urgency=medium\n\n  * %s\n\n -- %s  %s\n",
		version, changed, maintainer, r.time.UTC().Format(time.RFC1123Z))
}

// rpmChangelog writes the changelog of an RPM with a file name into a folder, as the packager reads it.
func (r release) rpmChangelog(dir, file string) (string, error) {
	version := strings.TrimPrefix(strings.TrimSuffix(file, ".rpm"), "validationtool-")
	version = strings.TrimSuffix(version, filepath.Ext(version)) // the processor
	log := chglog.ChangeLogEntries{{
		Semver: version, Date: r.time.UTC(), Packager: maintainer,
		Changes: chglog.ChangeLogChanges{{Note: changed}},
	}}
	name := filepath.Join(dir, "changelog.yaml")
	return name, log.Save(name)
}

// compressed packs data by gzip, without name and time.
func compressed(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
	_, _ = z.Write(data)                                  // a buffer takes all
	_ = z.Close()
	return b.Bytes()
}
