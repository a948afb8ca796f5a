package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// packageFile returns the package of this machine's processor in the folder that the variable PACKAGES names, as `make
// release` writes it. pattern has one %s for the processor.
func packageFile(t *testing.T, pattern, processor string) string {
	t.Helper()
	folder := os.Getenv("PACKAGES")
	if folder == "" {
		t.Skip("PACKAGES names no folder with the packages of a release")
	}
	found, err := filepath.Glob(filepath.Join(folder, fmt.Sprintf(pattern, processor)))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has %q of %s", folder, found, pattern)
	}
	return found[0]
}

// machine returns this machine's processor as deb names it, and as rpm and apk do.
func machine() (deb, other string) {
	names := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	if other = names[runtime.GOARCH]; other == "" {
		other = runtime.GOARCH
	}
	return runtime.GOARCH, other
}

// TestPackagesAreSound: lintian finds nothing in the package of Debian, and rpmlint no error in that of RPM but those that
// no package from here can mend.
func TestPackagesAreSound(t *testing.T) {
	deb, other := machine()
	for program, c := range map[string]struct{ pattern, processor, bad string }{
		"lintian": {"validationtool_*_%s.deb", deb, ": "},
		"rpmlint": {"validationtool-*.%s.rpm", other, ": E: "},
	} {
		t.Run(program, func(t *testing.T) {
			file := packageFile(t, c.pattern, c.processor)
			path, err := exec.LookPath(program)
			if err != nil {
				t.Skip(err)
			}
			if _, err := exec.LookPath("rpm"); program == "rpmlint" && err != nil {
				t.Skip(err) // rpmlint asks it
			}
			data, err := os.ReadFile(file)
			must(err)
			dir, err := os.MkdirTemp("", tool)
			must(err)
			defer os.RemoveAll(dir)
			must(errors.Join(os.Chmod(dir, 0o777), os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o644)))
			check := exec.Command(path, filepath.Base(file))
			if os.Getuid() == 0 { // rpmlint unpacks with cpio, which takes the names of this RPM for absolute ones
				user, err := exec.LookPath("setpriv")
				if err != nil {
					t.Skip(err)
				}
				check = exec.Command(user, "--reuid=65534", "--regid=65534", "--clear-groups", path, filepath.Base(file))
			}
			check.Dir = dir
			check.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
			out, err := check.CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(out)) {
				// The checksums of a release are signed, not its packages; and what cpio did not unpack has no binary.
				mine := strings.HasPrefix(line, "validationtool") || strings.HasPrefix(line, "E: ") || strings.HasPrefix(line, "W: ")
				if mine && strings.Contains(line, c.bad) && !strings.HasSuffix(line, ": no-signature\n") && !strings.HasSuffix(line, ": no-binary\n") {
					t.Error(strings.TrimSpace(line))
				}
			}
			if program == "rpmlint" && !strings.Contains(string(out), "1 packages and 0 specfiles checked") {
				t.Errorf("rpmlint says\n%s", out)
			}
		})
	}
}

// filesBelow returns the names of all that is below a folder, but for what the packager of a system writes about itself and
// what a user's shells remember.
func filesBelow(t *testing.T, root string) (names []string) {
	t.Helper()
	must(fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains([]string{"proc", "sys", "dev", "root", "tmp", "var/lib/dpkg", "var/log", "var/cache"}, name) {
			return fs.SkipDir
		}
		names = append(names, name)
		return nil
	}))
	return names
}

// TestPackagesOnAFreshMachine installs the package for Debian on a Debian that has nothing else, made in a folder, and uses
// all that it brings. Removed, it leaves no trace.
func TestPackagesOnAFreshMachine(t *testing.T) {
	deb, _ := machine()
	file := packageFile(t, "validationtool_*_%s.deb", deb)
	if _, err := exec.LookPath("debootstrap"); err != nil || os.Getuid() != 0 {
		t.Skipf("debootstrap and root are needed: %v", err)
	}
	root := os.Getenv("FRESH") // a folder with such a Debian, for whoever runs this often
	if root == "" {
		root = t.TempDir()
		output(t, exec.Command("debootstrap", "--variant=minbase", "--include=bash-completion,zsh,fish,man-db", "bookworm", root))
	}
	inside := func(script string) string {
		run := exec.Command("unshare", "--mount", "sh", "-c", // bash reads /proc; it ends with the script
			`mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -c "$2"`, "sh", root, script)
		run.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"}
		out, err := run.CombinedOutput()
		if err != nil {
			return fmt.Sprintf("%s%v", out, err)
		}
		return strings.TrimSpace(string(out))
	}
	data, err := os.ReadFile(file)
	must(errors.Join(err, os.WriteFile(filepath.Join(root, "tmp", "a.deb"), data, 0o644)))
	before := filesBelow(t, root)
	if got := inside("dpkg --install /tmp/a.deb"); !strings.Contains(got, "Setting up validationtool") {
		t.Fatal(got)
	}
	must(os.WriteFile(filepath.Join(root, "tmp", "kubectl"), []byte("#!/bin/sh\nshift\nexec kubectl-validation_tool \"$@\"\n"), 0o755))
	const summary = "--summary"
	for script, want := range map[string]string{
		"validationTool version":          "validationTool ",
		"validationtool version":          "validationTool ",
		"kubectl-validation_tool version": "validationTool ",
		"man validationTool | cat":        "EXIT STATUS",
		"man validationtool | cat":        "SEE ALSO",
		"validationTool docs start":       "reference",
		"cd /usr/share/doc/validationtool; validationTool examples/quickstart/reference examples/quickstart/cluster":            "exit status 1",
		"zcat /usr/share/doc/validationtool/changelog.gz":                                                                       "validationtool (",
		"PATH=$PATH:/tmp kubectl_complete-validation_tool --summ":                                                               summary,
		"fish -c \"complete -C 'validationTool --summ'\"":                                                                       summary,
		"fish -c \"complete -C 'validationtool --summ'\"":                                                                       summary,
		"zsh -f -c 'autoload -U compinit; compinit -D; print $_comps[validationTool]'":                                          "_validationTool",
		"zsh -f -c 'autoload -U compinit; compinit -D; print $_comps[validationtool]'":                                          "_validationTool",
		`bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader validationTool; complete -p validationTool'`: "_validationTool_complete",
		`bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader validationtool
			COMP_WORDS=(validationtool --summ); COMP_CWORD=1; _validationTool_complete; echo "${COMPREPLY[*]}"'`: summary,
	} {
		if got := inside(script); !strings.Contains(got, want) {
			t.Errorf("%s\ndoes not print %q:\n%s", script, want, got)
		}
	}
	if got := inside("dpkg --purge validationtool"); !strings.Contains(got, "Removing validationtool") {
		t.Error(got)
	}
	if after := filesBelow(t, root); !slices.Equal(before, after) {
		for _, name := range after {
			if _, had := slices.BinarySearch(before, name); !had {
				t.Errorf("the removed package leaves %s", name)
			}
		}
		t.Errorf("there were %d files, and there are %d", len(before), len(after))
	}
}

// TestPackagesOfOtherSystemsHaveTheTool: rpm installs its package below a folder and removes it without a trace, and tar
// unpacks that of Alpine.
func TestPackagesOfOtherSystemsHaveTheTool(t *testing.T) {
	_, other := machine()
	use := func(root string) {
		t.Helper()
		for _, name := range []string{tool, strings.ToLower(tool), "kubectl-validation_tool"} {
			if got := output(t, exec.Command(filepath.Join(root, "usr/bin", name), "version")); !strings.HasPrefix(got, tool+" ") {
				t.Errorf("%s prints %q", name, got)
			}
		}
		doc := filepath.Join(root, "usr/share/doc/validationtool/examples/quickstart")
		compare := exec.Command(filepath.Join(root, "usr/bin", tool), filepath.Join(doc, "reference"), filepath.Join(doc, "cluster"))
		if out, err := compare.Output(); err == nil || compare.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(out), "DRIFT") {
			t.Errorf("the example: %v\n%s", err, out)
		}
		for _, name := range []string{
			"man/man1/validationtool.1.gz", "licenses/validationtool/LICENSE", "licenses/validationtool/THIRD_PARTY_NOTICES",
			"zsh/site-functions/_validationTool", "bash-completion/completions/validationtool", "fish/vendor_completions.d/validationtool.fish",
		} {
			if _, err := os.Stat(filepath.Join(root, "usr/share", name)); err != nil {
				t.Error(err)
			}
		}
	}
	t.Run("apk", func(t *testing.T) {
		file, root := packageFile(t, "validationtool_*_%s.apk", other), t.TempDir()
		output(t, exec.Command("tar", "-xzf", file, "--warning=no-unknown-keyword", "-C", root))
		use(root)
	})
	t.Run("rpm", func(t *testing.T) {
		file, root := packageFile(t, "validationtool-*.%s.rpm", other), t.TempDir()
		if _, err := exec.LookPath("rpm"); err != nil || os.Getuid() != 0 {
			t.Skipf("rpm and root are needed: %v", err)
		}
		output(t, exec.Command("rpm", "--root", root, "--nodeps", "-i", file))
		use(root)
		output(t, exec.Command("rpm", "--root", root, "--nodeps", "-e", "validationtool"))
		must(fs.WalkDir(os.DirFS(root), "usr", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.Contains(strings.ToLower(name), "validation") {
				t.Errorf("the removed package leaves %s", name)
			}
			return err
		}))
	})
}
