package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
)

// wrapped is an archive in every sort of wrapping that holds nothing else.
func wrapped(inner []byte) map[string][]byte {
	note := testkit.Entry{Name: "README", Data: "gathered on a Monday"}
	in := testkit.Entry{Name: "deep/inner", Data: string(inner)}
	return map[string][]byte{
		"tar":           testkit.Tar(note, in),
		"tar.gz":        testkit.GZ(testkit.Tar(in, note)),
		"zip":           zipOf(note, in),
		"zip in gz":     testkit.GZ(zipOf(in)),
		"tar in tar":    testkit.Tar(testkit.Entry{Name: "outer", Data: string(testkit.Tar(in))}),
		"tar in zip":    zipOf(testkit.Entry{Name: "outer", Data: string(testkit.Tar(in))}),
		"zip in tar.gz": testkit.GZ(testkit.Tar(testkit.Entry{Name: "outer", Data: string(zipOf(in))})),
		"tar.gz in three": testkit.GZ(testkit.Tar(testkit.Entry{
			Name: "1",
			Data: string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "2", Data: string(testkit.GZ(testkit.Tar(in)))}))),
		})),
	}
}

func TestAnArchiveThatOnlyWrapsOthersIsOpened(t *testing.T) {
	for _, inner := range [][]byte{standardTar(), testkit.GZ(standardTar()), zipOf(standardEntries()...), bz2Tar()} {
		for how, data := range wrapped(inner) {
			for from, got := range map[string]walked{"disk": walkBytes(t, Options{}, "x", data), "stdin": walkStdin(t, Options{}, data)} {
				if len(got.files) != 2 || string(got.files[0].Data) != config("a") || got.sum.Problems != nil ||
					got.sum.NotRead != nil {
					t.Errorf(
						"%s from %s: files %v, problems %v, not read %v",
						how,
						from,
						got.names(),
						got.sum.Problems,
						got.sum.NotRead,
					)
				}
			}
		}
	}
}

func TestNamesInsideNestedArchives(t *testing.T) {
	data := testkit.Tar(testkit.Entry{
		Name: "mg/inner.tar.gz",
		Data: string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "namespaces/x/core/pods.yaml", Data: config("x")}))),
	})
	got := walkBytes(t, Options{}, "outer.tar", data)
	if len(got.files) != 1 {
		t.Fatal(got.sum)
	}
	f := got.files[0]
	if want := "mg/inner.tar.gz!/namespaces/x/core/pods.yaml"; f.Entry != want || f.Name != want ||
		!strings.HasSuffix(f.Path, "outer.tar") {
		t.Errorf("%+v", f)
	}
	in := got.sum.Inputs[0]
	if diff := cmp.Diff([]string{"mg/inner.tar.gz!"}, in.Roots); diff != "" {
		t.Error(diff)
	}
	if collector.RootOf(f.Name, in.Roots) != in.Roots[0] || in.Layout != collector.Inspect {
		t.Errorf("root %q, layout %q", collector.RootOf(f.Name, in.Roots), in.Layout)
	}
}

func TestArchivesBesideObjectsAreNamedAsNotRead(t *testing.T) {
	inner := testkit.Entry{
		Name: "nodes/sysinfo.tgz",
		Data: string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "x.yaml", Data: config("inner")}))),
	}
	own := testkit.Entry{Name: "z.yaml", Data: config("own")}
	odd := testkit.Entry{Name: "blob.dat", Data: inner.Data}
	log := testkit.Entry{Name: "logs/0.log.gz", Data: string(testkit.GZ([]byte("I0914 a line of a log\n")))}
	for how, data := range map[string][]byte{
		"tar, archive first": testkit.Tar(inner, odd, log, own), "tar, archive last": testkit.Tar(own, log, odd, inner),
		"zip, archive first": zipOf(inner, odd, log, own), "zip, archive last": zipOf(own, log, odd, inner),
	} {
		for from, got := range map[string]walked{"disk": walkBytes(t, Options{}, "x", data), "stdin": walkStdin(t, Options{}, data)} {
			if diff := cmp.Diff([]string{"z.yaml=own"}, got.names()); diff != "" {
				t.Errorf("%s from %s: %s", how, from, diff)
			}
			var unread []string
			for _, p := range got.sum.NotRead {
				unread = append(unread, p.Code+" "+p.Place.Entry)
			}
			slices.Sort(unread)
			want := []string{code.ArchiveNotRead + " blob.dat", code.ArchiveNotRead + " nodes/sysinfo.tgz"}
			if diff := cmp.Diff(want, unread); diff != "" {
				t.Errorf("%s from %s: not read: %s", how, from, diff)
			}
			if got.sum.Problems != nil || got.skipped()[ReasonLog] != 1 {
				t.Errorf("%s from %s: problems %v, skipped %v", how, from, got.sum.Problems, got.sum.Skipped)
			}
		}
	}
}

func TestNestedOpensAll(t *testing.T) {
	inner := testkit.Tar(
		testkit.Entry{Name: "i.yaml", Data: config("i")},
		testkit.Entry{Name: "more.zip", Data: string(zipOf(testkit.Entry{Name: "m.yaml", Data: config("m")}))},
	)
	outer := []testkit.Entry{
		{Name: "a.yaml", Data: config("a")},
		{Name: "in.tar.xz", Data: string(testkit.XZ(inner))},
		{Name: "z.yaml", Data: config("z")},
	}
	want := []string{"a.yaml=a", "in.tar.xz!/i.yaml=i", "in.tar.xz!/more.zip!/m.yaml=m", "z.yaml=z"}
	for _, data := range [][]byte{testkit.GZ(testkit.Tar(outer...)), zipOf(outer...)} {
		for _, got := range []walked{walkBytes(t, Options{Nested: true}, "x", data), walkStdin(t, Options{Nested: true}, data)} {
			if diff := cmp.Diff(want, got.names()); diff != "" || got.sum.Problems != nil || got.sum.NotRead != nil {
				t.Errorf("%s, problems %v", diff, got.sum.Problems)
			}
		}
	}
}

func TestFilesThatAreOnlyCalledArchives(t *testing.T) {
	entries := []testkit.Entry{
		{
			Name: "bad.zip",
			Data: "no zip",
		}, {Name: "bad.tar.gz", Data: string(testkit.GZ([]byte("no tar")))}, {Name: "worse.tgz", Data: "\x1f\x8b\x08nothing"},
		{
			Name: "empty.tar",
			Data: strings.Repeat("\x00", 10240),
		}, {Name: "empty.tgz", Data: string(testkit.GZ(make([]byte, 10240)))},
	}
	own := append([]testkit.Entry{{Name: "own.yaml", Data: config("own")}}, entries...)
	for how, pack := range map[string]func(...testkit.Entry) []byte{"tar": testkit.Tar, "zip": zipOf} {
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

// TestArchivesOfNoBytes: where an archive may be all that there is of a cluster, it is not passed
// over because nothing of it arrived.
func TestArchivesOfNoBytes(t *testing.T) {
	whole := testkit.Entry{Name: "a.tar", Data: string(standardTar())}
	empty := []testkit.Entry{{Name: "b.tar.gz"}, {Name: "c.zip"}, {Name: "log.gz"}}
	own := testkit.Entry{Name: "own.yaml", Data: config("own")}
	folder := func(entries ...testkit.Entry) walked {
		files := map[string]string{}
		for _, e := range entries {
			files[e.Name] = e.Data
		}
		return walk(t, Options{Want: Candidate}, testkit.Folder(t, files))
	}
	for how, read := range map[string]func(...testkit.Entry) walked{
		"folder": folder,
		"tar":    func(e ...testkit.Entry) walked { return walkBytes(t, Options{}, "x", testkit.Tar(e...)) },
		"zip":    func(e ...testkit.Entry) walked { return walkBytes(t, Options{}, "x", zipOf(e...)) },
		"stdin":  func(e ...testkit.Entry) walked { return walkStdin(t, Options{}, testkit.Tar(e...)) },
	} {
		got := read(append(empty, whole)...)
		if len(got.files) != 2 || len(got.sum.Problems) != 1 || got.sum.Problems[0].Code != code.ArchiveBroken ||
			got.sum.Problems[0].Message != "the archive is empty (and 1 more); copy it again" {
			t.Errorf("%s: %d files, problems %v", how, len(got.files), got.sum.Problems)
		}
		if got = read(append(empty, whole, own)...); len(got.files) != 1 || got.sum.Problems != nil {
			t.Errorf("%s with an object: %d files, problems %v", how, len(got.files), got.sum.Problems)
		}
	}
	for name, want := range map[string]string{"x.tar.gz": "the archive is empty; copy it again", "x.zip": "the archive is empty; copy it again", "x.yaml": ""} {
		if got := walkBytes(t, Options{}, name, nil); len(got.sum.Problems) != min(1, len(want)) ||
			want != "" && got.sum.Problems[0].Message != want {
			t.Errorf("%s: %v", name, got.sum.Problems)
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
	data := testkit.GZ(testkit.Tar(testkit.Entry{Name: "wrapped.tar", Data: string(standardTar())}))
	in := &readCounter{Reader: bytes.NewReader(data)}
	got := walk(t, Options{Want: Candidate, Stdin: in}, "-")
	if len(got.files) != 2 || in.n != len(data) {
		t.Errorf("%d files, %d bytes of %d read", len(got.files), in.n, len(data))
	}
}

func TestHeldArchivesHaveALimit(t *testing.T) {
	var entries []testkit.Entry
	for i := range 4 {
		inner := testkit.Tar(testkit.Entry{Name: "x.yaml", Data: config(fmt.Sprint(i))})
		entries = append(entries, testkit.Entry{Name: fmt.Sprintf("%d.tar", i), Data: string(inner)})
	}
	data := testkit.Tar(entries...)
	size := int64(len(entries[0].Data))
	got := walkStdin(t, Options{Limits: Limits{Held: 2 * size}}, data)
	if diff := cmp.Diff([]string{"0.tar!/x.yaml=0", "1.tar!/x.yaml=1"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]code.Code{code.LimitHeld, code.LimitHeld}, got.codes()); diff != "" {
		t.Error(diff)
	}
	// A file can be read again, so that nothing is held.
	if got := walkBytes(t, Options{Limits: Limits{Held: 1}}, "x.tar", data); len(got.files) != 4 ||
		got.sum.Problems != nil {
		t.Errorf("files %v, problems %v", got.names(), got.sum.Problems)
	}
}

// TestTheWalkEndsAnywhere: visit returns an error, or the context ends during it.
func TestTheWalkEndsAnywhere(t *testing.T) {
	inputs := wrapped(testkit.GZ(standardTar()))
	inputs["plain"], inputs["gz"] = []byte(config("a")), testkit.GZ([]byte(config("a")))
	inputs["alone"], inputs["zip alone"] = testkit.GZ(standardTar()), zipOf(standardEntries()...)
	for how, data := range inputs {
		for _, opt := range []Options{{Want: Candidate}, {Want: Candidate, Nested: true}} {
			for _, want := range []error{errStop, context.Canceled} {
				ctx, cancel := context.WithCancel(context.Background())
				calls := 0
				_, err := Walk(ctx, []string{writeFile(t, "x", data)}, opt, func(File) error {
					calls++
					if want == errStop {
						return errStop
					}
					cancel()
					return nil
				})
				if err != want || calls != 1 {
					t.Errorf("%s: error %v after %d calls, want %v", how, err, calls, want)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, []string{t.TempDir()}, Options{}, nil); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
