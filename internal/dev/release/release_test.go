package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// released packs invented binaries, and returns the
// files of the release. touched is the time of the files that are packed; registry is where the image
// is pushed to.
func released(t *testing.T, touched time.Time, registry string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{
		"LICENSE", "validationTool.1", "bin/windows_arm64/validationTool.exe", "bin/linux_s390x/validationTool",
		"bin/linux_amd64/validationTool", "bin/linux_arm64/validationTool",
		"shells/validationTool.bash", "shells/validationTool.zsh", "shells/validationTool.fish",
		"shells/kubectl_complete-validation_tool",
		"docs/docs.go", "docs/usage.md", "CHANGELOG.md", "examples/quickstart/a/b.yaml",
	} {
		must(os.MkdirAll(filepath.Dir(at(name)), 0o755))
		must(os.WriteFile(at(name), []byte("#!/bin/sh\necho this is "+name), 0o600))
		must(os.Chtimes(at(name), touched, touched))
	}
	r := release{
		version: "v1.2.3", binaries: at("bin"), out: at("out"), url: "https://example.com/v1.2.3",
		files: []string{at("validationTool.1"), at("LICENSE")}, completions: at("shells"), sources: at("."), registry: registry,
		time:    time.Date(2024, 5, 6, 7, 8, 10, 0, time.FixedZone("", 3600)),
		notices: func(system, processor string) ([]byte, error) { return []byte("of " + system + " " + processor), nil },
		buildInfo: func(string) (*buildinfo.BuildInfo, error) {
			return &buildinfo.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "example.com/Tool"}, Deps: []*debug.Module{
				{Path: "example.com/a", Version: "v1.0.0"},
				{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0"}},
			}}, nil
		},
	}
	must(r.write())
	all := map[string][]byte{}
	names, err := os.ReadDir(at("out"))
	must(err)
	for _, n := range names {
		if all[n.Name()], err = os.ReadFile(at("out/" + n.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// written writes a file of a release into a folder, and returns its name.
func written(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	must(os.WriteFile(name, data, 0o600))
	return name
}

// output runs a command and returns what it prints.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", command.Args, err, out)
	}
	return string(out)
}

// TestSameBytes: two releases of the same files are the same bytes, wherever and whenever they are
// made.
func TestSameBytes(t *testing.T) {
	one := released(t, time.Unix(1, 0), "")
	time.Sleep(1100 * time.Millisecond) // the clocks of archives count seconds
	other := released(t, time.Unix(1e9, 0), "")
	want := []string{
		"SHA256SUMS",
		"validation-tool.yaml",
		"validationTool_v1.2.3_image.tar",
		"validationTool_v1.2.3_linux_amd64.cdx.json",
		"validationTool_v1.2.3_linux_amd64.tar.gz",
		"validationTool_v1.2.3_linux_arm64.cdx.json",
		"validationTool_v1.2.3_linux_arm64.tar.gz",
		"validationTool_v1.2.3_linux_s390x.cdx.json",
		"validationTool_v1.2.3_linux_s390x.tar.gz",
		"validationTool_v1.2.3_windows_arm64.cdx.json",
		"validationTool_v1.2.3_windows_arm64.zip",
		"validationtool-1.2.3-1.aarch64.rpm",
		"validationtool-1.2.3-1.s390x.rpm",
		"validationtool-1.2.3-1.x86_64.rpm",
		"validationtool.json",
		"validationtool.rb",
		"validationtool_1.2.3_aarch64.apk",
		"validationtool_1.2.3_amd64.deb",
		"validationtool_1.2.3_arm64.deb",
		"validationtool_1.2.3_s390x.apk",
		"validationtool_1.2.3_s390x.deb",
		"validationtool_1.2.3_x86_64.apk",
	}
	if got := slices.Sorted(maps.Keys(one)); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	for name := range one {
		if !bytes.Equal(one[name], other[name]) {
			t.Errorf("%s of two releases differs", name)
		}
		if name != "SHA256SUMS" && !strings.Contains(string(one["SHA256SUMS"]), fmt.Sprintf("%x  %s\n", sha256.Sum256(one[name]), name)) {
			t.Errorf("the sum of %s is missing", name)
		}
	}
}

// TestRelease checks each file of one release.
func TestRelease(t *testing.T) {
	all := released(t, time.Now(), "")
	for name, check := range map[string]func(*testing.T, map[string][]byte){
		"archives": archives, "Debian package": debianPackageInstalls, "other packages": otherPackages,
		"krew": krewTakesTheManifest, "bill": billNamesAllModules, "formula": formulaInstallsOnBothSystems,
		"scoop": scoopInstallsOnWindows,
	} {
		t.Run(name, func(t *testing.T) { check(t, all) })
	}
}

// debianPackageInstalls: with the tool, also as a plugin of kubectl, its manual page and the
// scripts of the shells. Removed, it leaves nothing.
func debianPackageInstalls(t *testing.T, all map[string][]byte) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Getuid() != 0 {
		t.Skipf("dpkg and root are needed: %v", err)
	}
	machine := strings.TrimSpace(output(t, exec.Command("dpkg", "--print-architecture")))
	file := fmt.Sprintf("validationtool_1.2.3_%s.deb", machine)
	data, there := all[file]
	if !there {
		t.Skipf("the test makes no %s", file)
	}
	root := t.TempDir()
	for _, dir := range []string{"info", "updates"} {
		must(os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755))
	}
	must(os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o600))
	output(t, exec.Command("dpkg", "--root="+root, "--install", written(t, file, data)))
	for name, want := range map[string]string{
		"usr/bin/validationTool":                                    "this is bin/linux_amd64/validationTool",
		"usr/bin/kubectl-validation_tool":                           "this is bin/linux_amd64/validationTool",
		"usr/share/bash-completion/completions/validationTool":      "this is shells/validationTool.bash",
		"usr/share/zsh/vendor-completions/_validationTool":          "this is shells/validationTool.zsh",
		"usr/share/bash-completion/completions/validationtool":      "this is shells/validationTool.bash",
		"usr/share/fish/vendor_completions.d/validationtool.fish":   "this is shells/validationTool.fish",
		"usr/bin/validationtool":                                    "this is bin/linux_amd64/validationTool",
		"usr/bin/kubectl_complete-validation_tool":                  "this is shells/kubectl_complete-validation_tool",
		"usr/share/fish/vendor_completions.d/validationTool.fish":   "this is shells/validationTool.fish",
		"usr/share/doc/validationtool/copyright":                    "/usr/share/common-licenses/Apache-2.0.\n",
		"usr/share/doc/validationtool/CHANGELOG.md":                 "this is CHANGELOG.md",
		"usr/share/doc/validationtool/docs/usage.md":                "this is docs/usage.md",
		"usr/share/doc/validationtool/examples/quickstart/a/b.yaml": "this is examples/quickstart/a/b.yaml",
		"usr/share/doc/validationtool/THIRD_PARTY_NOTICES":          "of linux amd64",
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !strings.HasSuffix(string(text), want) {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
	page, err := os.Open(filepath.Join(root, "usr/share/man/man1/validationTool.1.gz"))
	must(err)
	defer page.Close()
	unpacked, err := gzip.NewReader(page)
	must(err)
	if text, err := io.ReadAll(unpacked); err != nil || !strings.HasSuffix(string(text), "this is validationTool.1") {
		t.Errorf("the manual page: %q %v", text, err)
	}
	if got := output(t, exec.Command(filepath.Join(root, "usr/bin/kubectl-validation_tool"))); !strings.HasPrefix(got, "this is") {
		t.Errorf("the plugin prints %q", got)
	}
	output(t, exec.Command("dpkg", "--root="+root, "--purge", "validationtool"))
	must(fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && name == "var" {
			return fs.SkipDir // what dpkg writes about itself
		}
		if name != "." {
			t.Errorf("the removed package leaves %s", name)
		}
		return err
	}))
}

// otherPackages: the one for Alpine has the same files, and that for RPM is one, where rpm can say so.
func otherPackages(t *testing.T, all map[string][]byte) {
	packed := bufio.NewReader(bytes.NewReader(all["validationtool_1.2.3_x86_64.apk"])) // several gzip streams, one tar each
	got := map[string]bool{}
	for _, err := packed.Peek(1); err == nil; _, err = packed.Peek(1) {
		z, err := gzip.NewReader(packed)
		must(err)
		z.Multistream(false)
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if err != nil {
				break
			}
			got[h.Name] = true
		}
		if _, err := io.Copy(io.Discard, z); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		".PKGINFO", "usr/bin/validationTool", "usr/share/zsh/site-functions/_validationTool", "usr/share/man/man1/validationTool.1.gz",
		"usr/share/licenses/validationtool/LICENSE",
	} {
		if !got[name] {
			t.Errorf("the package for Alpine lacks %s: %v", name, got)
		}
	}
	if _, err := exec.LookPath("rpm"); err != nil {
		t.Skip(err)
	}
	name := written(t, "a.rpm", all["validationtool-1.2.3-1.x86_64.rpm"])
	if files := output(t, exec.Command("rpm", "-qpl", name)); !strings.Contains(files, "/usr/share/man/man1/validationTool.1.gz\n") {
		t.Errorf("the RPM has %s", files)
	}
	output(t, exec.Command("rpm", "-K", "--nosignature", name))
}

// TestTheImageIsTheToolAlone: for each processor, pushed to a registry and in the archive, with the same
// digest each time.
func TestTheImageIsTheToolAlone(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	to := strings.TrimPrefix(server.URL, "http://") + "/tool:v1.2.3"
	var digests []string
	for range 2 {
		all := released(t, time.Now(), to)
		reference, err := name.ParseReference(to)
		must(err)
		index, err := remote.Index(reference)
		must(err)
		digest, err := index.Digest()
		must(err)
		digests = append(digests, digest.String())
		if !bytes.Contains(all["validationTool_v1.2.3_image.tar"], []byte(digest.Hex)) {
			t.Errorf("the archive has no %s", digest)
		}
		checkImages(t, index)
	}
	if digests[0] != digests[1] {
		t.Errorf("the digests are %q", digests)
	}
}

// checkImages holds the images of an index against what the Jobs of examples/fleet need.
func checkImages(t *testing.T, index v1.ImageIndex) {
	t.Helper()
	manifest, err := index.IndexManifest()
	must(err)
	var got []string
	for _, one := range manifest.Manifests {
		got = append(got, one.Platform.String())
		image, err := index.Image(one.Digest)
		must(err)
		if err := validate.Image(image); err != nil {
			t.Error(err)
		}
		file, err := image.ConfigFile()
		must(err)
		if file.Config.User != "65532:65532" || !slices.Equal(file.Config.Entrypoint, []string{"/usr/local/bin/validationTool"}) ||
			file.Architecture != one.Platform.Architecture || file.Created.Unix() != 1714975690 {
			t.Errorf("the configuration is %+v", file)
		}
		content := mutate.Extract(image)
		defer content.Close()
		var names []string
		for r := tar.NewReader(content); ; {
			h, err := r.Next()
			if err != nil {
				break
			}
			names = append(names, fmt.Sprintf("%s %o", h.Name, h.Mode))
		}
		if want := []string{
			"usr/local/bin/validationTool 755", "usr/share/licenses/validationTool/THIRD_PARTY_NOTICES 644",
		}; !slices.Equal(names, want) {
			t.Errorf("the image has %q", names)
		}
	}
	if want := []string{"linux/amd64", "linux/arm64", "linux/s390x"}; !slices.Equal(got, want) {
		t.Errorf("the index has %q", got)
	}
}

// krewTakesTheManifest: its validator finds no fault, and it installs the tool without a network.
func krewTakesTheManifest(t *testing.T, all map[string][]byte) {
	manifest := written(t, "validation-tool.yaml", all["validation-tool.yaml"])
	output(t, exec.Command("go", "tool", "validate-krew-manifest", "-skip-install", "-manifest", manifest))
	for system, file := range map[string]string{
		"linux_amd64": "validationTool_v1.2.3_linux_amd64.tar.gz", "windows_arm64": "validationTool_v1.2.3_windows_arm64.zip",
	} {
		home := t.TempDir()
		install := exec.Command("go", "tool", "krew", "install", "--manifest="+manifest, "--archive="+written(t, file, all[file]))
		goos, goarch, _ := strings.Cut(system, "_")
		install.Env = append(os.Environ(), "KREW_ROOT="+home, "KREW_OS="+goos, "KREW_ARCH="+goarch, "KREW_NO_UPGRADE_CHECK=1")
		output(t, install)
		found, err := filepath.Glob(filepath.Join(home, "bin", "kubectl-validation_tool*"))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: krew installed %q", system, found)
		}
		if license, _ := filepath.Glob(filepath.Join(home, "store", "*", "*", "LICENSE")); len(license) != 1 {
			t.Errorf("%s: the license is at %q, and krew's index wants one", system, license)
		}
	}
}

// billNamesAllModules: as the binary does, those in place of others, and Go's own packages.
func billNamesAllModules(t *testing.T, all map[string][]byte) {
	var bill cyclonedx.BOM
	text := all["validationTool_v1.2.3_linux_amd64.cdx.json"]
	must(cyclonedx.NewBOMDecoder(bytes.NewReader(text), cyclonedx.BOMFileFormatJSON).Decode(&bill))
	var got []string
	for _, one := range *bill.Components {
		got = append(got, one.PackageURL)
	}
	want := []string{"pkg:golang/std@1.26.0", "pkg:golang/example.com/a@v1.0.0", "pkg:golang/example.com/c@v2.0.0"}
	if !slices.Equal(got, want) || !slices.Equal(*(*bill.Dependencies)[0].Dependencies, want) {
		t.Errorf("the bill names %q", got)
	}
	if whole := bill.Metadata.Component; whole.PackageURL != "pkg:golang/example.com/tool@v1.2.3" || bill.Metadata.Timestamp != "2024-05-06T06:08:10Z" {
		t.Errorf("the bill is of %s, %s", whole.PackageURL, bill.Metadata.Timestamp)
	}
}

// formulaInstallsOnBothSystems: from the archives, with their sums.
func formulaInstallsOnBothSystems(t *testing.T, all map[string][]byte) {
	formula := string(all["validationtool.rb"])
	archive := "validationTool_v1.2.3_linux_amd64.tar.gz"
	want := fmt.Sprintf("  on_linux do\n    on_intel do\n      url \"https://example.com/v1.2.3/%s\"\n      sha256 \"%x\"\n",
		archive, sha256.Sum256(all[archive]))
	if !strings.Contains(formula, want) || strings.Contains(formula, "s390x") || strings.Contains(formula, "windows") {
		t.Errorf("the formula is\n%s", formula)
	}
}

// scoopInstallsOnWindows: from the archives for Windows alone, with their sums.
func scoopInstallsOnWindows(t *testing.T, all map[string][]byte) {
	var got struct {
		Version, Bin string
		Architecture map[string]struct{ URL, Hash string }
	}
	must(json.Unmarshal(all["validationtool.json"], &got))
	archive := "validationTool_v1.2.3_windows_arm64.zip"
	one, sum := got.Architecture["arm64"], fmt.Sprintf("%x", sha256.Sum256(all[archive]))
	if got.Version != "1.2.3" || got.Bin != "validationTool.exe" || len(got.Architecture) != 1 ||
		one.URL != "https://example.com/v1.2.3/"+archive || one.Hash != sum {
		t.Errorf("the manifest for scoop is\n%s", all["validationtool.json"])
	}
}

// archives: each archive has the binary, which can be run, the license and the manual page; the
// sums are those of the archives.
func archives(t *testing.T, all map[string][]byte) {
	z, err := gzip.NewReader(bytes.NewReader(all["validationTool_v1.2.3_linux_amd64.tar.gz"]))
	must(err)
	if z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("gzip has the name %q and the time %v", z.Name, z.ModTime)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		must(err)
		text, _ := io.ReadAll(r)
		got = append(
			got, fmt.Sprintf("%s %o %d %d %q %d %s", h.Name, h.Mode, h.Uid, h.Gid, h.Uname, h.ModTime.Unix(), text),
		)
	}
	want := []string{
		`LICENSE 644 0 0 "" 1714975690 #!/bin/sh
echo this is LICENSE`,
		`THIRD_PARTY_NOTICES 644 0 0 "" 1714975690 of linux amd64`,
		`docs/usage.md 644 0 0 "" 1714975690 #!/bin/sh
echo this is docs/usage.md`,
		`examples/quickstart/a/b.yaml 644 0 0 "" 1714975690 #!/bin/sh
echo this is examples/quickstart/a/b.yaml`,
		`validationTool 755 0 0 "" 1714975690 #!/bin/sh
echo this is bin/linux_amd64/validationTool`,
		`validationTool.1 644 0 0 "" 1714975690 #!/bin/sh
echo this is validationTool.1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	windows := all["validationTool_v1.2.3_windows_arm64.zip"]
	files, err := zip.NewReader(bytes.NewReader(windows), int64(len(windows)))
	must(err)
	got = nil
	for _, f := range files.File {
		got = append(got, fmt.Sprintf("%s %v %d", f.Name, f.Mode(), f.Modified.Unix()))
	}
	want = []string{
		"LICENSE -rw-r--r-- 1714975690", "THIRD_PARTY_NOTICES -rw-r--r-- 1714975690", "docs/usage.md -rw-r--r-- 1714975690",
		"examples/quickstart/a/b.yaml -rw-r--r-- 1714975690", "validationTool.1 -rw-r--r-- 1714975690",
		"validationTool.exe -rwxr-xr-x 1714975690",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"validationTool_v1.2.3_linux_amd64.tar.gz", "validationTool_v1.2.3_windows_arm64.zip"} {
		sum := fmt.Sprintf("%x", sha256.Sum256(all[name]))
		if !strings.Contains(string(all["validation-tool.yaml"]), name+"\n    sha256: "+sum+"\n") {
			t.Errorf("the manifest for krew has no sum of %s", name)
		}
	}
}
