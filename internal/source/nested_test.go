package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
)

// wrapped is an archive in every sort of wrapping that holds nothing else.
func wrapped(inner []byte) map[string][]byte {
	note := entry{name: "README", data: "gathered on a Monday"}
	in := entry{name: "deep/inner", data: string(inner)}
	return map[string][]byte{
		"tar":             tarOf(note, in),
		"tar.gz":          gz(tarOf(in, note)),
		"zip":             zipOf(note, in),
		"zip in gz":       gz(zipOf(in)),
		"tar in tar":      tarOf(entry{name: "outer", data: string(tarOf(in))}),
		"tar in zip":      zipOf(entry{name: "outer", data: string(tarOf(in))}),
		"zip in tar.gz":   gz(tarOf(entry{name: "outer", data: string(zipOf(in))})),
		"tar.gz in three": gz(tarOf(entry{name: "1", data: string(gz(tarOf(entry{name: "2", data: string(gz(tarOf(in)))})))})),
	}
}

func TestAnArchiveThatOnlyWrapsOthersIsOpened(t *testing.T) {
	for _, inner := range [][]byte{standardTar(), gz(standardTar()), zipOf(standardEntries()...), bz2Tar()} {
		for how, data := range wrapped(inner) {
			for from, got := range map[string]walked{"disk": walkBytes(t, Options{}, "x", data), "stdin": walkStdin(t, Options{}, data)} {
				if len(got.files) != 2 || string(got.files[0].Data) != config("a") || got.sum.Problems != nil || got.sum.NotRead != nil {
					t.Errorf("%s from %s: files %v, problems %v, not read %v", how, from, got.names(), got.sum.Problems, got.sum.NotRead)
				}
			}
		}
	}
}

func TestNamesInsideNestedArchives(t *testing.T) {
	data := tarOf(entry{name: "mg/inner.tar.gz", data: string(gz(tarOf(entry{name: "namespaces/x/core/pods.yaml", data: config("x")})))})
	got := walkBytes(t, Options{}, "outer.tar", data)
	if len(got.files) != 1 {
		t.Fatal(got.sum)
	}
	f := got.files[0]
	if want := "mg/inner.tar.gz!/namespaces/x/core/pods.yaml"; f.Entry != want || f.Name != want || !strings.HasSuffix(f.Path, "outer.tar") {
		t.Errorf("%+v", f)
	}
	in := got.sum.Inputs[0]
	if diff := cmp.Diff([]string{"mg/inner.tar.gz!"}, in.Roots); diff != "" {
		t.Error(diff)
	}
	if collector.RootOf(f.Name, in.Roots) != in.Roots[0] || in.LayoutOf(f.Name) != collector.Inspect {
		t.Errorf("root %q, layout %q", collector.RootOf(f.Name, in.Roots), in.LayoutOf(f.Name))
	}
	if diff := cmp.Diff([]Archive{{Name: "mg/inner.tar.gz", Format: "tar.gz", Layout: collector.Inspect}}, in.Archives); diff != "" {
		t.Error(diff)
	}
}

func TestArchivesBesideObjectsAreNamedAsNotRead(t *testing.T) {
	inner := entry{name: "nodes/sysinfo.tgz", data: string(gz(tarOf(entry{name: "x.yaml", data: config("inner")})))}
	own := entry{name: "z.yaml", data: config("own")}
	odd := entry{name: "blob.dat", data: inner.data}
	log := entry{name: "logs/0.log.gz", data: string(gz([]byte("I0914 a line of a log\n")))}
	for how, data := range map[string][]byte{
		"tar, archive first": tarOf(inner, odd, log, own), "tar, archive last": tarOf(own, log, odd, inner),
		"zip, archive first": zipOf(inner, odd, log, own), "zip, archive last": zipOf(own, log, odd, inner),
	} {
		for from, got := range map[string]walked{"disk": walkBytes(t, Options{}, "x", data), "stdin": walkStdin(t, Options{}, data)} {
			if diff := cmp.Diff([]string{"z.yaml=own"}, got.names()); diff != "" {
				t.Errorf("%s from %s: %s", how, from, diff)
			}
			if len(got.sum.NotRead) != 1 || got.sum.NotRead[0].Place.Entry != "nodes/sysinfo.tgz" || got.sum.NotRead[0].Code != code.ArchiveNotRead {
				t.Errorf("%s from %s: not read: %v", how, from, got.sum.NotRead)
			}
			if got.sum.Problems != nil || got.skipped()[ReasonLog] != 1 {
				t.Errorf("%s from %s: problems %v, skipped %v", how, from, got.sum.Problems, got.sum.Skipped)
			}
		}
	}
}

func TestNestedOpensAll(t *testing.T) {
	inner := tarOf(entry{name: "i.yaml", data: config("i")}, entry{name: "more.zip", data: string(zipOf(entry{name: "m.yaml", data: config("m")}))})
	outer := []entry{{name: "a.yaml", data: config("a")}, {name: "in.tar.xz", data: string(xzOf(inner))}, {name: "z.yaml", data: config("z")}}
	want := []string{"a.yaml=a", "in.tar.xz!/i.yaml=i", "in.tar.xz!/more.zip!/m.yaml=m", "z.yaml=z"}
	for _, data := range [][]byte{gz(tarOf(outer...)), zipOf(outer...)} {
		for _, got := range []walked{walkBytes(t, Options{Nested: true}, "x", data), walkStdin(t, Options{Nested: true}, data)} {
			if diff := cmp.Diff(want, got.names()); diff != "" || got.sum.Problems != nil || got.sum.NotRead != nil {
				t.Errorf("%s, problems %v", diff, got.sum.Problems)
			}
		}
	}
}

func TestAFolderOfArchivesIsOpened(t *testing.T) {
	root := writeTree(t, map[string]string{
		"one.tar.gz":   string(gz(tarOf(entry{name: "x.yaml", data: config("1")}))),
		"sub/two.zip":  string(zipOf(entry{name: "x.yaml", data: config("2")})),
		"three":        string(xzOf(tarOf(entry{name: "x.yaml", data: config("3")}))),
		"four/all.out": string(tarOf(entry{name: "wrapped.tgz", data: string(gz(tarOf(entry{name: "x.yaml", data: config("4")})))})),
		"notes.txt":    "ask Jo about two",
	})
	got := walk(t, Options{Want: Candidate}, root)
	want := []string{"four/all.out!/wrapped.tgz!/x.yaml=4", "one.tar.gz!/x.yaml=1", "sub/two.zip!/x.yaml=2", "three!/x.yaml=3"}
	if diff := cmp.Diff(want, got.names()); diff != "" || got.sum.Problems != nil {
		t.Errorf("%s, problems %v", diff, got.sum.Problems)
	}
}

func TestAFolderWithObjectsLeavesArchivesClosed(t *testing.T) {
	root := writeTree(t, map[string]string{
		"backup.tar.gz": string(gz(standardTar())),
		"blob.dat":      string(gz(standardTar())),
		"own.yaml":      config("own"),
	})
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]string{"own.yaml=own"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if len(got.sum.NotRead) != 1 || !strings.HasSuffix(got.sum.NotRead[0].Place.File, "backup.tar.gz") {
		t.Errorf("not read: %v", got.sum.NotRead)
	}
	got = walk(t, Options{Want: Candidate, Nested: true}, root)
	if diff := cmp.Diff([]string{"backup.tar.gz!/a.yaml=a", "backup.tar.gz!/sub/b.yaml=b", "blob.dat!/a.yaml=a", "blob.dat!/sub/b.yaml=b", "own.yaml=own"}, got.names()); diff != "" {
		t.Error(diff)
	}
}

func TestYAMLThatIsNoObjectDoesNotKeepArchivesClosed(t *testing.T) {
	root := writeTree(t, map[string]string{"index.yaml": "name: bundle\n", "mg.tar": string(standardTar())})
	if got := walk(t, Options{Want: Candidate}, root); len(got.files) != 3 || got.sum.NotRead != nil {
		t.Errorf("files %v, not read %v", got.names(), got.sum.NotRead)
	}
}

func TestCompressedFilesInsideAreJudgedByTheirInnerName(t *testing.T) {
	entries := []entry{
		{name: "a.yaml.gz", data: string(gz([]byte(config("a"))))},
		{name: "b.html.gz", data: string(gz([]byte("<html>")))},
		{name: "c.log.xz", data: string(xzOf([]byte("I0914 x")))},
		{name: "d.json.gz", data: string(gz(nil))},
	}
	root := writeTree(t, map[string]string{})
	for _, e := range entries {
		must(writeAt(root, e.name, e.data))
	}
	for _, got := range []walked{
		walkBytes(t, Options{}, "x", tarOf(entries...)), walkBytes(t, Options{}, "x", zipOf(entries...)), walk(t, Options{Want: Candidate}, root),
	} {
		if diff := cmp.Diff([]string{"a.yaml.gz!/a.yaml=a"}, got.names()); diff != "" || got.sum.Problems != nil {
			t.Errorf("%s, problems %v", diff, got.sum.Problems)
		}
		if diff := cmp.Diff(map[string]int{ReasonName: 1, ReasonContent: 1, ReasonEmpty: 1}, got.skipped()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDamagedLogsDoNotMatter(t *testing.T) {
	broken := string(gz(bytes.Repeat([]byte("I0914 x\n"), 1000))[:14])
	entries := []entry{{name: "a.yaml", data: config("a")}, {name: "logs/0.log.gz", data: broken}, {name: "logs/zero.gz", data: "\x1f\x8b\x08garbage"}, {name: "logs/none.gz", data: "no gzip"}}
	for _, data := range [][]byte{tarOf(entries...), zipOf(entries...)} {
		got := walkBytes(t, Options{}, "x", data)
		if got.sum.Problems != nil || len(got.files) != 1 {
			t.Errorf("problems: %v", got.sum.Problems)
		}
	}
}

func TestFilesThatAreOnlyCalledArchives(t *testing.T) {
	entries := []entry{
		{name: "bad.zip", data: "no zip"}, {name: "bad.tar.gz", data: string(gz([]byte("no tar")))}, {name: "worse.tgz", data: "\x1f\x8b\x08nothing"},
		{name: "empty.tar", data: strings.Repeat("\x00", 10240)}, {name: "empty.tgz", data: string(gz(make([]byte, 10240)))},
	}
	own := append([]entry{{name: "own.yaml", data: config("own")}}, entries...)
	for how, pack := range map[string]func(...entry) []byte{"tar": tarOf, "zip": zipOf} {
		for from, read := range map[string]func([]byte, Options) walked{
			"disk":  func(data []byte, opt Options) walked { return walkBytes(t, opt, "x", data) },
			"stdin": func(data []byte, opt Options) walked { return walkStdin(t, opt, data) },
		} {
			what := how + " from " + from
			for _, got := range []walked{read(pack(entries...), Options{}), read(pack(own...), Options{}), read(pack(own...), Options{Nested: true})} {
				if len(got.sum.Problems) != 3 || len(got.sum.NotRead) != 0 {
					t.Errorf("%s: problems %v, not read %v", what, got.sum.Problems, got.sum.NotRead)
				}
			}
		}
	}
}

// readCounter counts how much of an archive was read.
type readCounter struct {
	io.Reader
	n int
}

func (r *readCounter) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += n
	return n, err
}

func TestAStreamIsReadOnce(t *testing.T) {
	data := gz(tarOf(entry{name: "wrapped.tar", data: string(standardTar())}))
	in := &readCounter{Reader: bytes.NewReader(data)}
	got := walk(t, Options{Want: Candidate, Stdin: in}, "-")
	if len(got.files) != 2 || in.n != len(data) {
		t.Errorf("%d files, %d bytes of %d read", len(got.files), in.n, len(data))
	}
}

func TestHeldArchivesHaveALimit(t *testing.T) {
	var entries []entry
	for i := range 4 {
		inner := tarOf(entry{name: "x.yaml", data: config(fmt.Sprint(i))})
		entries = append(entries, entry{name: fmt.Sprintf("%d.tar", i), data: string(inner)})
	}
	data := tarOf(entries...)
	size := int64(len(entries[0].data))
	got := walkStdin(t, Options{Limits: Limits{Held: 2 * size}}, data)
	if diff := cmp.Diff([]string{"0.tar!/x.yaml=0", "1.tar!/x.yaml=1"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]code.Code{code.LimitHeld, code.LimitHeld}, got.codes()); diff != "" {
		t.Error(diff)
	}
	// A file can be read again, so that nothing is held.
	if got := walkBytes(t, Options{Limits: Limits{Held: 1}}, "x.tar", data); len(got.files) != 4 || got.sum.Problems != nil {
		t.Errorf("files %v, problems %v", got.names(), got.sum.Problems)
	}
}

func TestTheErrorOfVisitEndsTheWalkAnywhere(t *testing.T) {
	inputs := map[string][]byte{"plain": []byte(config("a")), "tar": gz(standardTar()), "zip": zipOf(standardEntries()...), "gz": gz([]byte(config("a")))}
	for how, data := range wrapped(gz(standardTar())) {
		inputs[how] = data
	}
	for how, data := range inputs {
		for _, nested := range []bool{false, true} {
			calls := 0
			_, err := Walk(context.Background(), []string{writeFile(t, "x", data)}, Options{Nested: nested, Want: Candidate}, func(File) error {
				calls++
				return errStop
			})
			if err != errStop || calls != 1 {
				t.Errorf("%s: error %v after %d calls", how, err, calls)
			}
		}
	}
}

func TestTheContextEndsTheWalkAnywhere(t *testing.T) {
	for how, data := range wrapped(gz(standardTar())) {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		_, err := Walk(ctx, []string{writeFile(t, "x", data)}, Options{Want: Candidate}, func(File) error {
			calls++
			cancel()
			return nil
		})
		if err != context.Canceled || calls != 1 {
			t.Errorf("%s: error %v after %d calls", how, err, calls)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, []string{t.TempDir()}, Options{}, nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
