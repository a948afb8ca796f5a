package archive

import (
	"bytes"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// FuzzXZ gives anything to the reader of .xz files.
func FuzzXZ(f *testing.F) {
	f.Add(testkit.XZ([]byte("a: b\n")))
	f.Add(testkit.XZ(nil))
	f.Add(slices.Concat(testkit.XZ([]byte("a")), make([]byte, 4), testkit.XZ([]byte("b"))))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _, _ = unxz(data) })
}

// FuzzCleanName checks that no name climbs or is absolute once it is clean, and that a clean name
// stays as it is.
func FuzzCleanName(f *testing.F) {
	for _, name := range []string{"a/b", "../a", "/a", `C:\a`, `a\..\b`, "", ".", "a//b/./c", "\x00", "C:/../D:/x"} {
		f.Add(name, true)
		f.Add(name, false)
	}
	f.Fuzz(func(t *testing.T, name string, zip bool) {
		kind := formatTar
		if zip {
			kind = formatZip
		}
		clean, _ := cleanName(name, kind)
		if clean == "" || clean[0] == '/' || len(clean) > maxName {
			t.Errorf("cleanName(%q) = %q", name, clean)
		}
		for part := range bytes.SplitSeq([]byte(clean), []byte("/")) {
			if string(part) == ".." || string(part) == "." {
				t.Errorf("cleanName(%q) = %q", name, clean)
			}
		}
	})
}
