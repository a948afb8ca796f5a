package source

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestWhichFilesAreRead reads folders, and with packed also tar and zip archives of the same files.
func TestWhichFilesAreRead(t *testing.T) {
	gz := func(text string) string { return string(testkit.GZ([]byte(text))) }
	tarOf := func(value string) string {
		return string(testkit.Tar(testkit.Entry{Name: "x.yaml", Data: config(value)}))
	}
	standard := string(testkit.GZ(standardTar()))
	beside := map[string]string{"backup.tar.gz": standard, "blob.dat": standard, "own.yaml": config("own")}
	ordered := []string{"A.yaml", "a-b.yaml", "a.yaml", "a/0.yaml", "a/b.yaml", "a/b/c.yaml", "a0.yaml", "z.yaml"}
	inOrder, orderedValues := map[string]string{}, []string(nil)
	for _, name := range ordered {
		inOrder[name] = config(name)
		orderedValues = append(orderedValues, name+"="+name)
	}
	for _, c := range []struct {
		what    string
		files   map[string]string
		packed  bool
		opt     Options
		want    []string
		skipped map[string]int
		unread  int // archives that are named as not read
	}{
		{what: "in the order of the paths", files: inOrder, want: orderedValues},
		{
			what:    "folders of version control are not",
			files:   map[string]string{".git/x.yaml": config("x"), ".github/y.yaml": config("y")},
			want:    []string{".github/y.yaml=y"},
			skipped: map[string]int{ReasonPrivate: 1},
		},
		{
			what: "without an extension, by their content",
			files: map[string]string{
				"gather-proxy.log": config("proxy"), "version": "must-gather\n4.9\n", "current.log": "I0914 x\n", "list": config("list"), "empty.yaml": "",
			},
			packed:  true,
			want:    []string{"empty.yaml=", "gather-proxy.log=proxy", "list=list"},
			skipped: map[string]int{ReasonContent: 2},
		},
		{
			what:  "all, if nothing says which",
			files: map[string]string{"a.bin": "x", "b.yaml": "", "logs/c.log": "y"},
			opt:   Options{Want: func(string, int64) Decision { return Decision{} }},
			want:  []string{"a.bin=", "b.yaml=", "logs/c.log="},
		},
		{
			what: "those of archives, if a folder has nothing else",
			files: map[string]string{
				"one.tar.gz": gz(tarOf("1")), "sub/two.zip": string(zipOf(testkit.Entry{Name: "x.yaml", Data: config("2")})), "three": string(testkit.XZ([]byte(tarOf("3")))),
				"four/all.out": string(testkit.Tar(testkit.Entry{Name: "in.tgz", Data: gz(tarOf("4"))})),
				"notes.txt":    "ask Jo about two",
			},
			want:    []string{"four/all.out!/in.tgz!/x.yaml=4", "one.tar.gz!/x.yaml=1", "sub/two.zip!/x.yaml=2", "three!/x.yaml=3"},
			skipped: map[string]int{ReasonContent: 1},
		},
		{
			what:    "those of archives, beside YAML that is no object",
			files:   map[string]string{"index.yaml": "name: bundle\n", "mg.tar": tarOf("1")},
			packed:  true,
			want:    []string{"index.yaml=", "mg.tar!/x.yaml=1"},
			skipped: map[string]int{},
		},
		{
			what:    "not those of archives beside objects",
			files:   beside,
			packed:  true,
			want:    []string{"own.yaml=own"},
			skipped: map[string]int{},
			unread:  2,
		},
		{
			what:    "those of archives beside objects with Nested",
			files:   beside,
			packed:  true,
			opt:     Options{Nested: true},
			want:    []string{"backup.tar.gz!/a.yaml=a", "backup.tar.gz!/sub/b.yaml=b", "blob.dat!/a.yaml=a", "blob.dat!/sub/b.yaml=b", "own.yaml=own"},
			skipped: map[string]int{},
		},
		{
			what: "compressed ones by the name inside",
			files: map[string]string{
				"a.yaml.gz": gz(config("a")), "b.html.gz": gz("<html>"), "c.log.xz": string(testkit.XZ([]byte("I0914 x"))), "d.json.gz": gz(""),
			},
			packed:  true,
			want:    []string{"a.yaml.gz!/a.yaml=a", "d.json.gz!/d.json="},
			skipped: map[string]int{ReasonName: 1, ReasonContent: 1},
		},
		{
			what: "without a word about damaged logs",
			files: map[string]string{
				"a.yaml": config("a"), "logs/0.log.gz": gz(string(bytes.Repeat([]byte("I0914 x\n"), 1000)))[:14], "logs/no.gz": "no gzip", "logs/zero.gz": "\x1f\x8b\x08garbage",
			},
			packed:  true,
			want:    []string{"a.yaml=a"},
			skipped: map[string]int{ReasonLog: 3},
		},
	} {
		if c.opt.Want == nil {
			c.opt.Want = Candidate
		}
		var entries []testkit.Entry
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			entries = append(entries, testkit.Entry{Name: name, Data: c.files[name]})
		}
		inputs := []walked{walk(t, c.opt, testkit.Folder(t, c.files))}
		if c.packed {
			inputs = append(inputs, walkBytes(t, c.opt, "x", testkit.Tar(entries...)), walkBytes(t, c.opt, "x", zipOf(entries...)))
		}
		for i, got := range inputs {
			if diff := cmp.Diff(c.want, got.names()); diff != "" || got.sum.Problems != nil || len(got.sum.NotRead) != c.unread {
				t.Errorf("%s, %d: %s, problems %v, not read %v", c.what, i, diff, got.sum.Problems, got.sum.NotRead)
			}
			if diff := cmp.Diff(c.skipped, got.skipped()); c.skipped != nil && diff != "" {
				t.Errorf("%s, %d: %s", c.what, i, diff)
			}
		}
	}
}
