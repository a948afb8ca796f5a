package xz_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/input/xz"
)

// othersText is what most files in testdata/files hold: lines, noise, runs, every byte, and all of
// it again.
func othersText() []byte {
	var text bytes.Buffer
	for i := range uint32(120) {
		fmt.Fprintf(&text, "- name: pod-%d\n  hash: %08x\n", i*i%17, i*2654435761)
	}
	text.Write(noise())
	text.Write(text.Bytes()[:2000])
	text.WriteString(strings.Repeat("ab", 300))
	for c := range 256 {
		text.WriteByte(byte(c))
	}
	text.WriteString(strings.Repeat("x", 3000))
	text.Write(noise())
	text.Write(text.Bytes()[1500:3000])
	return text.Bytes()
}

// noise does not compress.
func noise() []byte {
	noise, x := make([]byte, 300), uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	return noise
}

// filesOfOthers are the files that xz 5.4.1 packed, named after its settings.
func filesOfOthers(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/files/*.xz")
	if err != nil || len(paths) < 25 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		packed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".xz")] = packed
	}
	return all
}

func TestFilesOfOthers(t *testing.T) {
	for name, packed := range filesOfOthers(t) {
		got, junk, err := unpacked(new(xz.Reader), packed, whole, 1<<20)
		want := othersText()
		switch {
		case strings.HasPrefix(name, "filter"):
			if !errors.Is(err, xz.ErrUnsupported) || len(got) > 0 {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			continue
		case name == "long":
			want = bytes.Repeat(want, 600)
		case name == "random":
			want = noise()
		}
		if err != nil || junk || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d, junk %t, %v", name, len(got), len(want), junk, err)
		}
		agree(t, packed)
	}
}
