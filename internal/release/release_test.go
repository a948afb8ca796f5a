package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// released packs two invented binaries, and returns the files of the release. touched is the time
// of the files that are packed.
func released(t *testing.T, touched time.Time) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"LICENSE", "validationTool.1", "bin/linux_amd64/validationTool", "bin/windows_arm64/validationTool.exe"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte("this is "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at(name), touched, touched); err != nil {
			t.Fatal(err)
		}
	}
	r := release{version: "v1.2.3", binaries: at("bin"), out: at("out"), url: "https://example.com/v1.2.3",
		files: []string{
			at("validationTool.1"),
			at("LICENSE"),
		}, time: time.Date(2024, 5, 6, 7, 8, 10, 0, time.FixedZone("", 3600)),
		notices: func(system, processor string) ([]byte, error) { return []byte("of " + system + " " + processor), nil }}
	if err := r.write(); err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	names, err := os.ReadDir(at("out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if all[n.Name()], err = os.ReadFile(at("out/" + n.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestSameBytes: two releases of the same files are the same bytes, wherever and whenever they are
// made.
func TestSameBytes(t *testing.T) {
	one, other := released(t, time.Unix(1, 0)), released(t, time.Unix(1e9, 0))
	want := []string{
		"SHA256SUMS",
		"validation-tool.yaml",
		"validationTool_v1.2.3_linux_amd64.tar.gz",
		"validationTool_v1.2.3_windows_arm64.zip",
	}
	if got := slices.Sorted(maps.Keys(one)); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	if !maps.EqualFunc(one, other, bytes.Equal) {
		t.Error("two releases of the same files differ")
	}
}

// TestArchives: each archive has the binary, which can be run, the license and the manual page; the
// sums are those of the archives.
func TestArchives(t *testing.T) {
	all := released(t, time.Now())
	z, err := gzip.NewReader(bytes.NewReader(all["validationTool_v1.2.3_linux_amd64.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("gzip has the name %q and the time %v", z.Name, z.ModTime)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r)
		got = append(
			got, fmt.Sprintf("%s %o %d %d %q %d %s", h.Name, h.Mode, h.Uid, h.Gid, h.Uname, h.ModTime.Unix(), text),
		)
	}
	want := []string{
		`LICENSE 644 0 0 "" 1714975690 this is LICENSE`,
		`THIRD_PARTY_NOTICES 644 0 0 "" 1714975690 of linux amd64`,
		`validationTool 755 0 0 "" 1714975690 this is bin/linux_amd64/validationTool`,
		`validationTool.1 644 0 0 "" 1714975690 this is validationTool.1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	windows := all["validationTool_v1.2.3_windows_arm64.zip"]
	files, err := zip.NewReader(bytes.NewReader(windows), int64(len(windows)))
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range files.File {
		got = append(got, fmt.Sprintf("%s %v %d", f.Name, f.Mode(), f.Modified.Unix()))
	}
	if want := []string{"LICENSE -rw-r--r-- 1714975690", "THIRD_PARTY_NOTICES -rw-r--r-- 1714975690", "validationTool.1 -rw-r--r-- 1714975690", "validationTool.exe -rwxr-xr-x 1714975690"}; !slices.Equal(
		got, want,
	) {
		t.Errorf("%q", got)
	}
	for name, text := range all {
		if sum := fmt.Sprintf("%x", sha256.Sum256(text)); strings.HasPrefix(name, tool) {
			if !strings.Contains(string(all["SHA256SUMS"]), sum+"  "+name+"\n") ||
				!strings.Contains(string(all["validation-tool.yaml"]), name+"\n    sha256: "+sum+"\n") {
				t.Errorf("the sum of %s is missing", name)
			}
		}
	}
}
