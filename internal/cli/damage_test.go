package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/given"
	"github.com/validationtool/validationtool/internal/manifest"
	pack "github.com/validationtool/validationtool/internal/testkit"
)

const (
	duReference = "../../examples/ran-du/reference"
	duArchive   = "../../examples/ran-du/must-gather.tar.gz"
)

// gathered is the archive of the example, taken apart.
type gathered struct {
	tar     []byte
	files   []gatheredFile // in the order of the tar archive
	objects map[manifest.ID][]string
	zip     []byte // the files as a zip archive
	folder  string // with the files in it
}

// gatheredFile is an entry of the tar archive: its headers lie in [begin, start), its content in
// [start, end).
type gatheredFile struct {
	name              string
	data              []byte
	begin, start, end int
}

// damaged is a copy that was damaged, and what is known about the damage without the tool.
type damaged struct {
	what   string
	input  []byte       // an archive; nil where it is a folder
	file   gatheredFile // where it is a folder: the file that is another there
	intact func(f gatheredFile) bool
	// silent says of a file that is not intact that nothing can tell it is not: a byte of its
	// content, or of its long name, was changed where the format has no checksum.
	silent func(f gatheredFile) bool
}

func readGathered(t *testing.T) gathered {
	t.Helper()
	packed, err := os.ReadFile(duArchive)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	g := gathered{objects: map[manifest.ID][]string{}}
	if g.tar, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	src := bytes.NewReader(g.tar)
	r := tar.NewReader(src)
	for begin := 0; ; {
		h, err := r.Next()
		if err == io.EOF {
			g.lookups()
			g.zip = pack.Zip(zip.Deflate, g.entries()...)
			g.folder = filepath.Join(t.TempDir(), "in")
			for _, f := range g.files {
				pack.Files(t, g.folder, map[string]string{f.name: string(f.data)})
			}
			return g
		}
		if err != nil {
			t.Fatal(err)
		}
		start := len(g.tar) - src.Len()
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		end := start + len(data)
		if h.Typeflag == tar.TypeReg {
			g.files = append(g.files, gatheredFile{h.Name, data, begin, start, end})
			for _, o := range manifest.Read("x", h.Name, data, manifest.Hints{}).Objects {
				g.objects[o.ID] = append(g.objects[o.ID], h.Name)
			}
		}
		begin = (end + 511) / 512 * 512
	}
}

// entries are the files as entries of an archive.
func (g gathered) entries() []pack.Entry {
	var all []pack.Entry
	for _, f := range g.files {
		all = append(all, pack.Entry{Name: f.name, Data: string(f.data)})
	}
	return all
}

// lookups adds to the files of an object those of the one that its template looks up: what is said
// of it depends on that too.
func (g gathered) lookups() {
	for id := range g.objects {
		for other, files := range g.objects {
			if id.Kind == "Tuned" && other.Kind == "PerformanceProfile" {
				g.objects[id] = append(g.objects[id], files...)
			}
		}
	}
}

// result is what a run says of each object: its comparison, or that it is there.
type result map[manifest.ID]string

func resultOf(t *testing.T, out string) result {
	t.Helper()
	type object struct{ APIVersion, Kind, Namespace, Name string }
	var doc struct {
		Comparisons []struct {
			Object      object
			Result      string
			Differences json.RawMessage
		}
		Unmatched []struct{ Object object }
		Refused   []struct{ Object object }
	}
	if err := readRun(out, &doc); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	r := result{}
	for _, c := range doc.Comparisons {
		r[manifest.ID(c.Object)] = c.Result + " " + string(c.Differences)
	}
	for _, u := range slices.Concat(doc.Unmatched, doc.Refused) {
		r[manifest.ID(u.Object)] = "not compared"
	}
	return r
}

// TestDamagedCopies damages copies of the example's archive, in all forms, at random: bits and
// blocks that change, pieces that are cut off or out, files in another order. There must be no
// panic; nothing may be said differently of what the damage did not reach; and what is lost must
// make the exit status 2.
func TestDamagedCopies(t *testing.T) {
	besideOthers(t)
	g := readGathered(t)
	_, out, _ := runIn(t, "", "--output", "json", "--all-resources", duReference, duArchive)
	whole := resultOf(t, out)
	if len(whole) < 40 {
		t.Fatalf("only %d objects in the whole archive", len(whole))
	}
	forms := g.forms(t)
	runs := 140
	switch {
	case given.All():
		runs = 1400
	case testing.Short():
		runs = 24
	}
	seen := map[string]int{}
	for seed := range runs {
		random := rand.New(rand.NewSource(int64(seed)))
		form := forms[seed%len(forms)]
		d := form.damage(random)
		t.Run(fmt.Sprintf("%d %s", seed, d.what), func(t *testing.T) {
			seen[g.check(t, whole, d)]++
		})
	}
	t.Logf("%v", seen)
	if seen["everything"] == 0 || seen["a part"] == 0 || seen["nothing"] == 0 {
		t.Errorf("the damage is too much of one kind: %v", seen)
	}
}

// check runs the tool on a damaged copy, and returns how much of it was left.
func (g gathered) check(t *testing.T, whole result, d damaged) string {
	input := filepath.Join(t.TempDir(), "hostile.bin")
	if d.input == nil {
		input = g.folder
		pack.Files(t, input, map[string]string{d.file.name: string(d.file.data)})
		defer func() {
			for _, f := range g.files {
				if f.name == d.file.name {
					pack.Files(t, input, map[string]string{f.name: string(f.data)})
				}
			}
		}()
	} else if err := os.WriteFile(input, d.input, 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := runIn(t, "", "--output", "json", "--all-resources", duReference, input)
	if strings.Contains(out+errs, "VT5005") {
		t.Fatalf("a panic: %s%s", out, errs)
	}
	now := result{}
	if status != 2 || out != "" {
		now = resultOf(t, out)
	}
	files := map[string]gatheredFile{}
	for _, f := range g.files {
		files[f.name] = f
	}
	lost := 0
	for id, said := range whole {
		safe, excused := true, true
		for _, name := range g.objects[id] {
			f := files[name]
			safe = safe && d.intact(f)
			excused = excused && !d.intact(f) && d.silent(f)
		}
		has, there := now[id]
		if !there {
			lost++
		}
		switch {
		case safe && has != said:
			t.Errorf("%s, which the damage did not reach (-whole +now):\n%s", id, cmp.Diff(said, has))
		case !there && !excused && status != 2:
			t.Errorf("%s is lost, and the exit status is %d", id, status)
		}
	}
	switch {
	case lost == 0:
		return "everything"
	case len(now) == 0:
		return "nothing"
	}
	return "a part"
}

// form is one way in which the archive is packed, with the ways to damage it.
type form struct {
	name   string
	data   []byte
	damage func(random *rand.Rand) damaged
}

func (g gathered) forms(t *testing.T) []form {
	packed, err := os.ReadFile(duArchive)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(name string, data []byte, open func(io.Reader) (io.Reader, error)) form {
		return form{name, data, func(random *rand.Rand) damaged {
			bad, how := harm(random, data)
			reached := g.unpacked(bad, open)
			intact := func(f gatheredFile) bool { return f.end <= reached }
			return damaged{what: name + " " + how, input: bad, intact: intact, silent: never}
		}}
	}
	return []form{
		stream("tar.gz", packed, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }),
		{"tar", g.tar, g.harmTar},
		stream("tar.xz", pack.XZ(g.tar), func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) }),
		{"zip", nil, g.harmZip},
		stream(
			"tar.zst",
			pack.ZST(g.tar),
			func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
		),
		{"folder", nil, g.harmFolder},
		{"shuffled", nil, g.shuffle},
	}
}

func never(gatheredFile) bool { return false }

// harm damages bytes, and says how.
func harm(random *rand.Rand, data []byte) ([]byte, string) {
	at := random.Intn(len(data))
	switch random.Intn(4) {
	case 0:
		return bytes.Clone(data[:at]), fmt.Sprintf("cut off at %d", at)
	case 1:
		n := 1 + random.Intn(min(3000, len(data)-at))
		return slices.Concat(data[:at], data[at+n:]), fmt.Sprintf("with %d bytes cut out at %d", n, at)
	case 2:
		bad := bytes.Clone(data)
		n := min(1+random.Intn(600), len(data)-at)
		clear(bad[at : at+n])
		return bad, fmt.Sprintf("with %d zeros at %d", n, at)
	}
	bad := bytes.Clone(data)
	bad[at] ^= 1 << random.Intn(8)
	return bad, fmt.Sprintf("with a bit changed at %d", at)
}

// unpacked returns how many bytes of the tar archive come out of a damaged stream as they were.
func (g gathered) unpacked(bad []byte, open func(io.Reader) (io.Reader, error)) int {
	r, err := open(bytes.NewReader(bad))
	if err != nil {
		return 0
	}
	var got bytes.Buffer
	_, err = io.Copy(&got, io.LimitReader(r, int64(len(g.tar))+1))
	n := 0
	for n < len(g.tar) && n < got.Len() && got.Bytes()[n] == g.tar[n] {
		n++
	}
	if err != nil && n == got.Len() && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n // what was unpacked before the fault
	}
	return n
}

// harmTar damages the plain tar archive, which has checksums for its headers only.
func (g gathered) harmTar(random *rand.Rand) damaged {
	bad, how := harm(random, g.tar)
	first := 0
	for first < len(bad) && bad[first] == g.tar[first] {
		first++
	}
	d := damaged{what: "tar " + how, input: bad, silent: never}
	if len(bad) != len(g.tar) { // all behind it is moved, or gone
		d.intact = func(f gatheredFile) bool { return f.end <= first }
		return d
	}
	last := len(bad) - 1
	for last >= first && bad[last] == g.tar[last] {
		last--
	}
	// Of the headers, only those of regular files are known here: a change between two contents may
	// have hit any header.
	ends := len(g.tar)
	inside := false
	for _, f := range g.files {
		if first >= f.start && last < f.end {
			inside = true
		}
		if f.end <= first {
			ends = (f.end + 511) / 512 * 512
		}
	}
	if last < ends { // padding
		inside = true
	}
	hit := func(f gatheredFile) bool { return first < f.end && last >= f.start }
	d.intact = func(f gatheredFile) bool { return f.end <= first || inside && !hit(f) }
	// a long name stands in content of its own
	named := func(f gatheredFile) bool { return first < f.start && last >= f.begin }
	d.silent = func(f gatheredFile) bool { return hit(f) || named(f) }
	return d
}

// harmZip packs the files into a zip archive, and damages it.
func (g gathered) harmZip(random *rand.Rand) damaged {
	data := g.zip
	list := listOf(data)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(err)
	region := map[string][2]int{} // of an entry, with its header and what follows it
	for i, f := range r.File {
		start, err := f.DataOffset()
		must(err)
		end := list
		if i+1 < len(r.File) {
			next, err := r.File[i+1].DataOffset()
			must(err)
			end = int(next) - 30 - len(r.File[i+1].Name)
		}
		region[f.Name] = [2]int{int(start) - 30 - len(f.Name), end}
	}
	bad, how := harm(random, data)
	first := 0
	for first < len(bad) && bad[first] == data[first] {
		first++
	}
	d := damaged{what: "zip " + how, input: bad, silent: never}
	whole := len(bad) == len(data)
	last := len(bad) - 1
	for whole && last >= first && bad[last] == data[last] {
		last--
	}
	_, unlisted := zip.NewReader(bytes.NewReader(bad), int64(len(bad)))
	d.intact = func(f gatheredFile) bool {
		at := region[f.name]
		switch {
		case !whole || unlisted != nil: // nothing stands where the list says, or there is none
			return false
		case first >= list:
			return first == last && !strings.Contains(listEntry(data, list, first), f.name)
		}
		return last < list && (first >= at[1] || last < at[0])
	}
	return d
}

// listEntry is the entry of a zip archive's list that an offset lies in.
func listEntry(data []byte, list, at int) string {
	begin := bytes.LastIndex(data[:min(at+4, len(data))], []byte("PK\x01\x02"))
	if begin < list {
		return ""
	}
	return string(data[begin:min(len(data), begin+46+400)])
}

// harmFolder damages one file of a folder.
func (g gathered) harmFolder(random *rand.Rand) damaged {
	f := g.files[random.Intn(len(g.files))]
	for len(f.data) == 0 || !strings.HasSuffix(f.name, ".yaml") {
		f = g.files[random.Intn(len(g.files))]
	}
	bad, how := harm(random, f.data)
	// A cut between two lines can leave valid YAML, with nothing to tell that there was more.
	silent := !strings.HasPrefix(how, "cut off") || bytes.HasSuffix(bad, []byte("\n")) || len(bad) == 0
	return damaged{what: "folder: " + filepath.Base(f.name) + " " + how, file: gatheredFile{name: f.name, data: bad},
		intact: func(other gatheredFile) bool { return other.name != f.name },
		silent: func(other gatheredFile) bool { return silent && other.name == f.name }}
}

// shuffle changes the order of the files only.
func (g gathered) shuffle(random *rand.Rand) damaged {
	entries := g.entries()
	random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	d := damaged{
		what:   "shuffled",
		input:  pack.Tar(entries...),
		silent: never,
		intact: func(gatheredFile) bool { return true },
	}
	if random.Intn(2) == 0 {
		d.input = pack.Zip(zip.Deflate, entries...)
	}
	return d
}
