package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// members packs texts, each into a member of its own.
func members(t *testing.T, texts ...string) []byte {
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

// errJunk is what ungzip says of what follows the last member.
var errJunk = errors.New("something follows")

// ungzip reads a gzip file.
func ungzip(packed []byte) ([]byte, error) {
	junk := false
	g, err := new(Unpacker).gunzip(bufio.NewReader(bytes.NewReader(packed)), &junk)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(g)
	if err == nil && junk {
		err = errJunk
	}
	return data, err
}

func TestGzip(t *testing.T) {
	long := strings.Repeat("a text that is longer than what is checked at once\n", 5000)
	for _, texts := range [][]string{{""}, {"one"}, {"one", "two", ""}, {"", "", "three", "", long}, {long, "one", "two", long, long}} {
		want := strings.Join(texts, "")
		if got, err := ungzip(members(t, texts...)); err != nil || string(got) != want {
			t.Errorf("%d members: %d bytes of %d, %v", len(texts), len(got), len(want), err)
		}
	}
}

// What is not what was packed never ends well, be it by a byte, by the size, or by the order of
// members.
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
		"a byte behind":      {append(bytes.Clone(packed), 'x'), errJunk, "the first memberthe second"},
		"ones behind zeros":  {append(bytes.Clone(packed), 0, 0, 0, 1, 1), errJunk, "the first memberthe second"},
		"zeros behind":       {append(bytes.Clone(packed), 0, 0, 0), nil, "the first memberthe second"},
		"no sum":             {packed[:len(packed)-8], io.ErrUnexpectedEOF, "the first memberthe second"},
		"half a sum":         {packed[:len(packed)-3], io.ErrUnexpectedEOF, "the first memberthe second"},
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
