package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/inflate"
	"github.com/validationtool/validationtool/internal/pack"
)

// zipped is a zip archive of one deflated entry, and where in it the packed content begins.
func zipped(data string) ([]byte, int) {
	return pack.Zip(zip.Deflate, pack.Entry{Name: "a.yaml", Data: data}), zipHeaderSize + len("a.yaml")
}

// isFault reports whether an error says of itself that it is a fault of the tool.
func isFault(err error) bool {
	var refusal *Refusal
	return errors.As(err, &refusal) && refusal.Code == code.Internal
}

// TestAFaultOfOurDecoderIsNotCalledCorruptionInZip: what our decoder finds wrong with an entry is held against the library.
func TestAFaultOfOurDecoderIsNotCalledCorruptionInZip(t *testing.T) {
	const text = "a: text that is long enough to be worth packing, packing, packing\n"
	sound, at := zipped(text)
	broken := bytes.Clone(sound)
	broken[at+5] ^= 0x10
	for what, wrong := range map[string]struct {
		data string
		err  error
	}{
		"refused":  {"", inflate.ErrCorrupt},
		"one byte": {"b" + text[1:], io.EOF},
		"short":    {text[:9], io.EOF},
		"long":     {text + text, io.EOF},
		"cut":      {text[:9], io.ErrUnexpectedEOF},
	} {
		for _, data := range [][]byte{sound, broken} {
			u := NewUnpacker(t.Context(), testLimits())
			z, err := u.Zip(bytes.NewReader(data), int64(len(data)), 10)
			must(err)
			z.list.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
				if z.library {
					return flate.NewReader(r)
				}
				return io.NopCloser(io.MultiReader(strings.NewReader(wrong.data), failingReader{wrong.err}))
			})
			r, err := z.Entry(0).Open()
			must(err)
			_, err = io.ReadAll(r)
			if err == nil || isFault(err) != bytes.Equal(data, sound) {
				t.Errorf("%s, of a sound one %v: %v", what, bytes.Equal(data, sound), err)
			}
			if bytes.Equal(data, sound) && u.unpacked < int64(len(text)) {
				t.Errorf("%s: reading it again counts as %d bytes", what, u.unpacked)
			}
		}
	}
}

// The same where the list at the end of the archive is lost.
func TestAFaultOfOurDecoderIsNotCalledCorruptionInSalvage(t *testing.T) {
	sound, at := zipped("a: text that is long enough to be worth packing, packing, packing\n")
	broken := bytes.Clone(sound)
	broken[at+5] ^= 0x10
	for _, data := range [][]byte{sound, broken} {
		salvage := (&Zip{u: NewUnpacker(t.Context(), testLimits()), archive: bytes.NewReader(data), size: int64(len(data))}).Salvage()
		e, err := salvage.Next()
		must(err)
		salvage.entry.body = failingReader{inflate.ErrCorrupt}
		r, err := e.Open()
		must(err)
		if _, err := io.ReadAll(r); err == nil || isFault(err) != bytes.Equal(data, sound) {
			t.Errorf("of a sound one %v: %v", bytes.Equal(data, sound), err)
		}
		salvage.Close()
	}
}
