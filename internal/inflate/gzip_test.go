package inflate_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/validationtool/validationtool/internal/inflate"
)

// members packs texts, each into a member of its own.
func members(t testing.TB, texts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	for i, text := range texts {
		w := gzip.NewWriter(&out)
		if i%2 == 1 {
			w.Name, w.Comment, w.Extra = "a name", "a comment", []byte("extra")
		}
		io.WriteString(w, text)
		w.Close()
	}
	return out.Bytes()
}

// ungzip reads members until there are no more.
func ungzip(packed []byte) ([]byte, error) {
	src := bufio.NewReader(bytes.NewReader(packed))
	var g inflate.Gzip
	g.Reset()
	return io.ReadAll(g.Checked(&sequence{g: &g, src: src}))
}

// sequence reads one member after the other.
type sequence struct {
	g   *inflate.Gzip
	src *bufio.Reader
}

func (s *sequence) Read(p []byte) (int, error) {
	n, err := s.g.Read(p)
	if err == io.EOF {
		err = s.g.Next(s.src)
	}
	return n, err
}

func TestGzip(t *testing.T) {
	long := string(samples(rand.New(rand.NewPCG(1, 1)))["text"])
	for _, texts := range [][]string{{""}, {"one"}, {"one", "two", ""}, {"", "", "three", "", long}, {long, long}} {
		want := ""
		for _, text := range texts {
			want += text
		}
		if got, err := ungzip(members(t, texts...)); err != nil || string(got) != want {
			t.Errorf("%d members: %d bytes of %d, %v", len(texts), len(got), len(want), err)
		}
	}
}

// What is not what was packed never ends well, be it by a byte, by the size, or by the order of members.
func TestSums(t *testing.T) {
	packed := members(t, "the first member", "the second")
	end := len(members(t, "the first member"))
	change := func(at int, to byte) []byte {
		out := bytes.Clone(packed)
		out[at] ^= to
		return out
	}
	for name, one := range map[string]struct {
		packed []byte
		want   error
		got    string
	}{
		"sum of the first":   {change(end-8, 1), gzip.ErrChecksum, "the first member"},
		"size of the first":  {change(end-1, 1), gzip.ErrChecksum, "the first member"},
		"sum of the second":  {change(len(packed)-8, 1), gzip.ErrChecksum, "the first memberthe second"},
		"size of the second": {change(len(packed)-4, 1), gzip.ErrChecksum, "the first memberthe second"},
		"no sum":             {packed[:len(packed)-3], io.ErrUnexpectedEOF, "the first memberthe second"},
		"no second header":   {packed[:end+5], io.ErrUnexpectedEOF, "the first member"},
	} {
		got, err := ungzip(one.packed)
		if !errors.Is(err, one.want) || string(got) != one.got {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for at := range packed {
		for bit := range 8 {
			got, err := ungzip(change(at, 1<<bit))
			if err == nil && string(got) != "the first memberthe second" {
				t.Errorf("byte %d, bit %d: %q, and no error", at, bit, got)
			}
		}
	}
}

func FuzzGzip(f *testing.F) {
	f.Add(members(f, "one", "two"))
	f.Add(members(f, "one")[:20])
	f.Fuzz(func(t *testing.T, packed []byte) {
		z, err := gzip.NewReader(bytes.NewReader(packed))
		var want []byte
		if err == nil {
			want, err = io.ReadAll(io.LimitReader(z, 16<<20))
		}
		if len(want) == 16<<20 {
			return
		}
		if err == io.EOF {
			err = nil
		}
		got, ours := ungzip(packed)
		if (err == nil) != (ours == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; the library has %d, %v", len(got), ours, len(want), err)
		}
	})
}
