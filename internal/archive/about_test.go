package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestWhatIsAboutEntriesCounts: attributes by the ten thousand take far longer to read than to unpack, and so do streams that are begun for
// next to nothing; what is beyond a limit is not read. What programs write of an entry counts as all else.
func TestWhatIsAboutEntriesCounts(t *testing.T) {
	content := strings.Repeat("a", 2*bufferSize)
	attributes := func(n int) []byte {
		records := map[string]string{}
		for i := range n {
			records[fmt.Sprintf("a.%d", i)] = "x"
		}
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		must(w.WriteHeader(&tar.Header{Name: "a", PAXRecords: records, Format: tar.FormatPAX, Size: int64(len(content))}))
		_, err := io.WriteString(w, content)
		must(err)
		must(w.Close())
		return pack.GZ(b.Bytes())
	}
	named := pack.GZ(pack.Tar(pack.Entry{Name: strings.Repeat("a/", 40_000) + "a", Data: content}))
	holes := func(n int) []byte { return pack.GZ(withHoles(n, 2*n, pack.Entry{Name: "b", Data: content})) }
	for _, c := range []struct {
		what   string
		packed []byte
		want   error
	}{
		{"a thousand attributes", attributes(1000), io.EOF}, {"ten thousand attributes", attributes(10_000), ErrUnpacked}, {"a long name", named, ErrUnpacked},
		{"a hundred holes", holes(100), io.EOF}, {"ten thousand holes", holes(10_000), ErrUnpacked},
	} {
		limits := testLimits()
		limits.Unpacked = 1 << 20
		s, err := NewUnpacker(t.Context(), limits).Open(bytes.NewReader(c.packed), false)
		must(err)
		all := s.Tar()
		for err == nil {
			_, err = all.Next()
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
		s.End()
	}
	for what, packed := range map[string][]byte{"xz": pack.XZ([]byte("a")), "zstd": pack.ZST([]byte("a"))} {
		limits := testLimits()
		limits.Unpacked = 1 << 20
		u := NewUnpacker(t.Context(), limits)
		for i := range 9 {
			s, err := u.Open(bytes.NewReader(packed), false)
			if err == nil {
				_, err = io.Copy(io.Discard, s)
			}
			s.End()
			if over := errors.Is(err, ErrUnpacked); over != (i >= 7) {
				t.Errorf("%s: stream %d: %v", what, i+1, err)
			}
		}
	}
}

// TestWhatUnpacksToNothingEnds: a few bytes can unpack to millions of streams that hold nothing.
func TestWhatUnpacksToNothingEnds(t *testing.T) {
	streams := bytes.Repeat(pack.GZ(nil), 10_000)
	for _, c := range []struct {
		inner int64
		want  error
	}{{0, nil}, {int64(len(streams)), nil}, {int64(len(streams)) - 1, ErrUnpacked}} {
		for what, open := range map[string]func(u *Unpacker) (*Stream, error){
			"in a stream":   func(u *Unpacker) (*Stream, error) { return u.Open(bytes.NewBuffer(pack.GZ(streams)), false) },
			"in an archive": func(u *Unpacker) (*Stream, error) { return u.Open(bytes.NewBuffer(streams), true) },
			"in memory":     func(u *Unpacker) (*Stream, error) { return u.Open(bytes.NewReader(streams), false) },
		} {
			limits := testLimits()
			limits.Inner = c.inner
			s, err := open(NewUnpacker(t.Context(), limits))
			if err == nil {
				_, err = io.Copy(io.Discard, s)
			}
			s.End()
			if !errors.Is(err, c.want) {
				t.Errorf("%s, at most %d bytes: %v, want %v", what, c.inner, err, c.want)
			}
		}
	}
}

// TestFewWindowsAreKept: what is kept of decompressors does not grow with the number of windows that streams leave each other.
func TestFewWindowsAreKept(t *testing.T) {
	var all kept[int]
	for i := range int64(100) {
		all.put(window{i}, 1)
		all.put(window{0}, 2)
	}
	if _, again := all.take(window{0}); len(all) > 4 || !again {
		t.Errorf("%d windows are kept, the first: %v", len(all), again)
	}
}

// withHoles is a tar archive of a file that has every second byte of the first 2n, up to its size, and of another file.
func withHoles(n, size int, behind pack.Entry) []byte {
	var list strings.Builder
	fmt.Fprintf(&list, "%d\n", n)
	for i := range n {
		fmt.Fprintf(&list, "%d\n1\n", 2*i)
	}
	padded := list.String() + strings.Repeat("\x00", (tarBlock-list.Len()%tarBlock)%tarBlock) + strings.Repeat("a", n)
	real := strconv.Itoa(size)
	records := fmt.Sprintf("22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n%d GNU.sparse.realsize=%s\n", len("00 GNU.sparse.realsize=\n")+len(real), real)
	all := pack.Tar(pack.Entry{Name: "attributes", Data: records}, pack.Entry{Name: "a", Data: padded}, behind)
	all[156] = tar.TypeXHeader
	sum := 0
	for i, c := range all[:tarBlock] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int(c)
	}
	copy(all[148:], fmt.Sprintf("%06o\x00 ", sum))
	return all
}

// TestHolesOfAttributesCountAsUnpacked: as those of the older header do.
func TestHolesOfAttributesCountAsUnpacked(t *testing.T) {
	for size, want := range map[int]error{1 << 10: nil, 1 << 24: ErrUnpacked} {
		limits := testLimits()
		limits.Unpacked = 1 << 20
		s, err := NewUnpacker(t.Context(), limits).Open(bytes.NewReader(withHoles(1, size, pack.Entry{Name: "b"})), false)
		must(err)
		e, err := s.Tar().Next()
		must(err)
		content, err := e.Open()
		must(err)
		if n, err := io.Copy(io.Discard, content); !errors.Is(err, want) || e.Size != int64(size) {
			t.Errorf("a file of %d bytes, of which %d are read: %v, want %v", e.Size, n, err, want)
		}
		s.End()
	}
}

// TestLabelsAreNoFiles: of volumes, and lists of what folders held.
func TestLabelsAreNoFiles(t *testing.T) {
	for _, c := range []struct {
		sort byte
		want Kind
	}{{tarVolume, Other}, {tarDumpDir, Other}, {tarSolaris, Other}, {tarACL, Other}, {'?', File}, {tar.TypeReg, File}} {
		if got := (&Tar{}).entry(&tar.Header{Name: "a.yaml", Typeflag: c.sort}).Kind; got != c.want {
			t.Errorf("an entry of the type %c is of the kind %v, want %v", c.sort, got, c.want)
		}
	}
}
