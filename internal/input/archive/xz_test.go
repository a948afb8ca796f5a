package archive

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

func unxz(data []byte) (string, bool, error) {
	junk := false
	x, err := new(Unpacker).unxz(bufio.NewReader(bytes.NewReader(data)), &junk)
	if err != nil {
		return "", false, err
	}
	out, err := io.ReadAll(x)
	return string(out), junk, err
}

func TestXZ(t *testing.T) {
	text := strings.Repeat("some text that repeats ", 5000)
	for name, data := range map[string][]byte{
		"one":     testkit.XZ([]byte(text)),
		"blocks":  testkit.XZBy(xz.WriterConfig{BlockSize: 10_000}, []byte(text)),
		"streams": slices.Concat(testkit.XZ([]byte(text[:70])), testkit.XZ(nil), make([]byte, 12), testkit.XZ([]byte(text[70:])), make([]byte, 4)),
	} {
		got, junk, err := unxz(data)
		if got != text || junk || err != nil {
			t.Errorf("%s: %d bytes of %d, junk %t, %v", name, len(got), len(text), junk, err)
		}
	}
	if got, junk, err := unxz(testkit.XZ(nil)); got != "" || junk || err != nil {
		t.Errorf("empty: %q, %t, %v", got, junk, err)
	}
}

func TestXZFindsEveryChange(t *testing.T) {
	text := strings.Repeat("abc ", 50) + "end"
	for _, data := range [][]byte{testkit.XZ([]byte(text)), testkit.XZBy(xz.WriterConfig{BlockSize: 60, CheckSum: xz.SHA256}, []byte(text))} {
		for at := range data {
			for _, flip := range []byte{1, 0x80, 0xff} {
				bad := bytes.Clone(data)
				bad[at] ^= flip
				if got, junk, err := unxz(bad); err == nil && !junk && got != text {
					t.Fatalf("byte %d of %d changed by %#x is not noticed (%d bytes)", at, len(data), flip, len(got))
				}
			}
		}
		for cut := range data {
			if _, _, err := unxz(data[:cut]); err != io.ErrUnexpectedEOF {
				t.Fatalf("cut at %d of %d: %v", cut, len(data), err)
			}
		}
	}
}

func TestXZKeepsItsError(t *testing.T) {
	data := testkit.XZ([]byte("text"))
	data[len(data)-20] ^= 1
	r, err := new(Unpacker).unxz(bufio.NewReader(bytes.NewReader(data)), new(bool))
	must(err)
	_, first := io.Copy(io.Discard, r)
	if _, second := r.Read(make([]byte, 1)); first == nil || second != first {
		t.Errorf("first %v, then %v", first, second)
	}
}
