package source

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// ended says how many entries of an input ended where, as the summary tells.
func (w walked) ended() map[string]int {
	out := map[string]int{"read": len(w.files), "closed": len(w.sum.NotRead), "problems": len(w.sum.Problems)}
	for _, n := range w.sum.Skipped {
		out["passed"] += n
	}
	for _, in := range w.sum.Inputs {
		out["read"] -= len(in.Replaced)
	}
	return out
}

// TestEveryEntryIsCountedOnce: each sort of entry is read, passed over for a reason, named, or a
// problem; whatever holds it.
func TestEveryEntryIsCountedOnce(t *testing.T) {
	files := []testkit.Entry{
		{Name: "a.yaml", Data: config("a")},                                  // read
		{Name: "b.yaml.gz", Data: string(testkit.GZ([]byte(config("b"))))},   // read
		{Name: "c.yaml.gz", Data: "no gzip"},                                 // a problem
		{Name: "d.tar.gz", Data: string(testkit.GZ(standardTar()))},          // not read
		{Name: "e.7z", Data: "7z\xbc\xaf\x27\x1c\x00\x04"},                   // not read
		{Name: "f.html", Data: "<html>"},                                     // passed over: name
		{Name: "g", Data: "some text"},                                       // content
		{Name: "h.yaml", Data: ""},                                           // read, though empty
		{Name: "h.conf", Data: config("h")},                                  // read: begins like a CR
		{Name: "n.jar", Data: string(testkit.GZ(standardTar()))},             // a package
		{Name: "logs/i.log", Data: "a line"},                                 // log
		{Name: "._a.yaml", Data: "\x00\x05\x16\x07\x00\x02\x00\x00"},         // AppleDouble
		{Name: "k.dat", Data: string(testkit.GZ(standardTar()))},             // not read, whatever its name
		{Name: "l.yaml.gz", Data: config("l")},                               // read: plain, whatever its name
		{Name: "._m.tar.gz", Data: "\x00\x05\x16\x07\x00\x02\x00\x00Mac OS"}, // AppleDouble
	}
	want := map[string]int{"read": 5, "closed": 3, "problems": 1, "passed": 6}
	tree := map[string]string{}
	for _, e := range files {
		tree[e.Name] = e.Data
	}
	wrapped := testkit.Tar(
		testkit.Entry{Name: "in.tar.xz", Data: string(testkit.XZ(testkit.Tar(files...)))},
		testkit.Entry{Name: "README", Data: "in it"},
	)
	for how, got := range map[string]walked{
		"folder": walk(t, Options{Want: Candidate}, testkit.Folder(t, tree)), "looked at ahead": walk(t, Options{Want: Candidate, Unordered: true}, testkit.Folder(t, tree)),
		"tar": walkBytes(t, Options{}, "x", testkit.Tar(files...)), "tar.gz": walkBytes(t, Options{}, "x", testkit.GZ(testkit.Tar(files...))), "stdin": walkStdin(t, Options{}, testkit.GZ(testkit.Tar(files...))),
		"tar.xz": walkBytes(t, Options{}, "x", testkit.XZ(testkit.Tar(files...))), "zip": walkBytes(t, Options{}, "x", zipOf(files...)),
		"zip without its list": walkBytes(t, Options{}, "x", zipOf(files...)[:bytes.Index(zipOf(files...), []byte("PK\x01\x02"))]),
		"wrapped":              walkBytes(t, Options{}, "x", wrapped),
	} {
		want := want
		switch how {
		case "wrapped":
			want = map[string]int{"read": 5, "closed": 3, "problems": 1, "passed": 7}
		case "zip without its list":
			want = map[string]int{"read": 0, "closed": 0, "problems": 1}
		}
		if diff := cmp.Diff(want, got.ended()); diff != "" {
			t.Errorf("%s: %s%v %v %v", how, diff, got.sum.Problems, got.sum.NotRead, got.sum.Skipped)
		}
	}
}

// TestAPackedEntryIsNeverLostInSilence changes bytes all over packed entries, and cuts them: what
// was in them is read, or told of, whatever holds them.
func TestAPackedEntryIsNeverLostInSilence(t *testing.T) {
	t.Parallel()
	text := []byte(config("inner"))
	inner := testkit.Tar(testkit.Entry{Name: "i.yaml", Data: string(text)})
	packed := map[string][]byte{
		"x.yaml.gz": testkit.GZ(
			text,
		), "x.yaml.xz": testkit.XZ(text), "x.yaml.zst": testkit.ZST(text), "x.tar.gz": testkit.GZ(inner), "x.tar.xz": testkit.XZ(inner), "x.tar.zst": testkit.ZST(inner),
		"x.tgz": testkit.GZ(inner), "x.tar.bz2": bz2Tar(), "x.zip": zipOf(testkit.Entry{Name: "i.yaml", Data: string(text)}),
	}
	beside := testkit.Entry{Name: "own.yaml", Data: config("own")}
	holders := map[string]func(e testkit.Entry) walked{
		"tar":    func(e testkit.Entry) walked { return walkBytes(t, Options{}, "x", testkit.Tar(e)) },
		"tar.gz": func(e testkit.Entry) walked { return walkBytes(t, Options{}, "x", testkit.GZ(testkit.Tar(beside, e))) },
		"stdin":  func(e testkit.Entry) walked { return walkStdin(t, Options{}, testkit.Tar(e)) },
		"zip":    func(e testkit.Entry) walked { return walkBytes(t, Options{}, "x", zipOf(e, beside)) },
		"nested": func(e testkit.Entry) walked { return walkBytes(t, Options{Nested: true}, "x", zipOf(beside, e)) },
		"folder": func(e testkit.Entry) walked {
			return walk(
				t,
				Options{Want: Candidate, Unordered: true},
				testkit.Folder(t, map[string]string{e.Name: e.Data, beside.Name: beside.Data}),
			)
		},
		"in a tar in a zip": func(e testkit.Entry) walked {
			return walkBytes(t, Options{}, "x", zipOf(testkit.Entry{Name: "y.tar", Data: string(testkit.Tar(e))}))
		},
	}
	names, hows := slices.Sorted(maps.Keys(packed)), slices.Sorted(maps.Keys(holders))
	for _, row := range testkit.Matrix(len(names), len(hows), 2) {
		name, how := names[row[0]], hows[row[1]]
		data, walkIn := packed[name], holders[how]
		whole := walkIn(testkit.Entry{Name: name, Data: string(data)})
		if len(whole.sum.Problems) > 0 {
			t.Errorf("%s in %s: %v", name, how, whole.sum.Problems)
		}
		for at := row[2]; at < len(data); at += max(1, len(data)/10) {
			bad, what := bytes.Clone(data[:at]), "cut" // not at the beginning: an empty file is told to be empty
			if row[2] == 0 {
				bad, what = bytes.Clone(data), "changed"
				bad[at] ^= 0x41
			}
			got := walkIn(testkit.Entry{Name: name, Data: string(bad)})
			damagedEntry(t, fmt.Sprintf("%s in %s, %s at %d", name, how, what, at), whole, got)
		}
	}
}

// damagedEntry holds a walk against that of the undamaged entry.
func damagedEntry(t *testing.T, what string, whole, got walked) {
	t.Helper()
	if len(got.sum.Problems) == 0 &&
		(!slices.Equal(got.names(), whole.names()) || len(got.sum.NotRead) != len(whole.sum.NotRead)) {
		t.Errorf(
			"%s: %v, not read %v, passed over %v, and no problem", what, got.names(), got.sum.NotRead, got.sum.Skipped,
		)
	}
}

// TestAPackedEntryThatAZipCannotGive: encrypted, packed by an unknown method, or corrupt in the zip
// itself.
func TestAPackedEntryThatAZipCannotGive(t *testing.T) {
	for _, name := range []string{"x.yaml.gz", "x.tar.gz", "x.zip", "x.yaml"} {
		data := zipOf(
			testkit.Entry{Name: name, Data: string(testkit.GZ([]byte(config("x"))))},
			testkit.Entry{Name: "own.yaml", Data: config("own")},
		)
		list := bytes.Index(data, []byte("PK\x01\x02"))
		for want, change := range map[string]func(b []byte){
			"encrypted":                          func(b []byte) { b[6] |= 1; b[list+8] |= 1 },
			"unsupported compression method (9)": func(b []byte) { b[8], b[list+10] = 9, 9 },
			"corrupt":                            func(b []byte) { b[30+len(name)+3] ^= 0xff },
		} {
			bad := bytes.Clone(data)
			change(bad)
			got := walkBytes(t, Options{}, "x", bad)
			if len(got.sum.Problems) != 1 || len(got.files) != 1 || !strings.Contains(got.sum.Problems[0].Message, want) {
				t.Errorf(
					"%s, %s: %v, problems %v, passed over %v",
					name,
					want,
					got.names(),
					got.sum.Problems,
					got.sum.Skipped,
				)
			}
		}
	}
}

func TestOfANameThatStandsTwiceTheLaterEntryCounts(t *testing.T) {
	one, two := config("first"), config("second")
	twice := []testkit.Entry{
		{Name: "a.yaml", Data: one},
		{Name: "b.yaml", Data: config("b")},
		{Name: "./a.yaml", Data: two},
	}
	inner := func(text string) string {
		return string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "a.yaml", Data: text})))
	}
	cases := map[string]struct {
		data []byte
		opt  Options
		want string
	}{
		"tar": {data: testkit.Tar(twice...), want: "b.yaml=b a.yaml=second"},
		"zip": {data: zipOf(twice...), want: "b.yaml=b a.yaml=second"},
		"appended": {
			data: slicesConcat(testkit.Tar(twice[:2]...), testkit.Tar(twice[2])),
			want: "b.yaml=b a.yaml=second",
		},
		"gz": {
			data: testkit.Tar(
				testkit.Entry{Name: "a.yaml.gz", Data: string(testkit.GZ([]byte(one)))},
				testkit.Entry{Name: "a.yaml.gz", Data: string(testkit.GZ([]byte(two)))},
			),
			want: "a.yaml.gz!/a.yaml=second",
		},
		"emptied": {
			data: testkit.Tar(testkit.Entry{Name: "a.yaml", Data: one}, testkit.Entry{Name: "a.yaml"}),
			want: "a.yaml=",
		},
		"made a link": {
			data: testkit.Tar(
				testkit.Entry{Name: "a.yaml", Data: one},
				testkit.Entry{Name: "b.yaml", Data: two},
				testkit.Entry{Name: "a.yaml", Kind: tar.TypeSymlink, Link: "b.yaml"},
			),
			want: "b.yaml=second",
		},
		"archives": {
			data: testkit.Tar(testkit.Entry{Name: "in.tgz", Data: inner(one)}, testkit.Entry{Name: "in.tgz", Data: inner(two)}),
			want: "in.tgz!/a.yaml=second",
		},
		"archives, at once": {
			data: testkit.Tar(testkit.Entry{Name: "in.tgz", Data: inner(one)}, testkit.Entry{Name: "in.tgz", Data: inner(two)}),
			opt:  Options{Nested: true},
			want: "in.tgz!/a.yaml=second",
		},
	}
	for how, c := range cases {
		for from, got := range map[string]walked{"disk": walkBytes(t, c.opt, "x", c.data), "stdin": walkStdin(t, c.opt, c.data)} {
			var names []string
			for i, name := range got.names() {
				if !got.sum.Inputs[0].Replaced[got.files[i].Turn] {
					names = append(names, name)
				}
			}
			if strings.Join(names, " ") != c.want || got.sum.Problems != nil || got.skipped()[ReasonReplaced] != 1 {
				t.Errorf(
					"%s from %s: %v, problems %v, passed over %v", how, from, names, got.sum.Problems, got.sum.Skipped,
				)
			}
		}
	}
}

func TestLinksToWhatIsNotReadItself(t *testing.T) {
	entries := []testkit.Entry{
		{Name: "d/blob.bin", Data: farDown("blob")},
		{Name: "d/hard.yaml", Kind: tar.TypeLink, Link: "d/blob.bin"},
		{Name: "soft.yaml", Kind: tar.TypeSymlink, Link: "again"},
		{Name: "again", Kind: tar.TypeSymlink, Link: "other/../late.dat"},
		{Name: "b.yaml", Kind: tar.TypeSymlink, Link: "./late.dat"}, // the same once more
		{Name: "none.yaml", Kind: tar.TypeSymlink, Link: "nowhere.dat"},
		{Name: "out.yaml", Kind: tar.TypeSymlink, Link: "../late.dat"},
		{Name: "late.dat", Data: farDown("late")},
		{Name: "read.yaml", Data: config("read")},
		{Name: "link.yaml", Kind: tar.TypeSymlink, Link: "read.yaml"},
		{Name: "dead.yaml", Kind: tar.TypeSymlink, Link: "gone.yaml"},
		{Name: "hard.yaml", Kind: tar.TypeLink, Link: "gone.yaml"},
		{Name: "dir", Kind: tar.TypeSymlink, Link: "gone"},
	}
	// In a tar archive, what d/hard.yaml, soft.yaml and none.yaml lead to has gone by; out.yaml
	// leads out. What dead.yaml and hard.yaml lead to does not exist.
	want := slices.Repeat([]code.Code{code.InputUnreadable}, 6)
	passed := map[string]int{ReasonLink: 4, ReasonName: 2}
	inner := testkit.Entry{Name: "in.tar", Data: string(testkit.Tar(entries...))}
	for how, got := range map[string]walked{
		"tar": walkBytes(t, Options{}, "x", testkit.Tar(entries...)), "tar.gz": walkBytes(t, Options{}, "x", testkit.GZ(testkit.Tar(entries...))),
		"nested": walkBytes(t, Options{}, "x", testkit.Tar(inner)), "in a zip": walkBytes(t, Options{}, "x", zipOf(inner)),
		"stream": walkStdin(t, Options{}, testkit.Tar(entries...)), "kept": walkStdin(t, Options{}, testkit.Tar(inner)),
	} {
		var names []string
		for _, name := range got.names() {
			names = append(names, strings.TrimPrefix(name, "in.tar!/"))
		}
		if diff := cmp.Diff([]string{"read.yaml=read"}, names) + cmp.Diff(want, got.codes()); diff != "" {
			t.Errorf("%s: %s%v", how, diff, got.sum.Problems)
		}
		if diff := cmp.Diff(passed, got.skipped()); diff != "" {
			t.Errorf("%s: %s", how, diff)
		}
	}
	got := walkBytes(t, Options{}, "x", zipOf(
		testkit.Entry{Name: "blob.bin", Data: farDown("blob")},
		testkit.Entry{Name: "d/soft.yaml", Kind: tar.TypeSymlink, Link: "../blob.bin"},
	))
	if diff := cmp.Diff([]string{"d/soft.yaml=blob"}, got.names()); diff != "" {
		t.Errorf("zip: %s", diff)
	}
}

func TestAFrameThatIsSkippedDoesNotHideZstd(t *testing.T) {
	for name, data := range map[string][]byte{"x.yaml.zst": testkit.ZST([]byte(config("a"))), "x.tar.zst": testkit.ZST(testkit.Tar(testkit.Entry{Name: "x.yaml", Data: config("a")}))} {
		data = slicesConcat([]byte("\x5a\x2a\x4d\x18\x05\x00\x00\x00about"), data)
		for _, got := range []walked{walkBytes(t, Options{}, name, data), walkBytes(t, Options{}, "x", zipOf(testkit.Entry{Name: name, Data: string(data)}))} {
			if len(got.files) != 1 || got.sum.Problems != nil {
				t.Errorf("%s: %v %v", name, got.names(), got.sum.Problems)
			}
		}
	}
}

func TestArchivesOfUnknownFormatsAreNamedWhereverTheyStand(t *testing.T) {
	files := []testkit.Entry{{Name: "a.yaml", Data: config("a")}}
	for name, magic := range map[string]string{"b.7z": "7z\xbc\xaf\x27\x1c", "c.rar": "Rar!\x1a\x07\x01", "d.tar.lz4": "\x04\x22\x4d\x18", "e.yaml.lzma": "\x5d\x00\x00\x80\x00",
		"f": "7z\xbc\xaf\x27\x1c", "g.yaml": "\x04\x22\x4d\x18", "logs/h.7z": "damaged", "i.tar.lz": "LZIP", "j.tar.gz": "Rar!\x1a\x07\x01", "k.rar.gz": string(testkit.GZ([]byte("Rar!"))),
		"l.tar.gz.gpg": "\x85\x02\x0c\x03", "m.age": "age-encryption.org/v1\n", "n.zip.enc": "Salted__", "logs/o.tar.pgp": "\x8c", "p": "-----BEGIN PGP MESSAGE-----\n", "q.aes": "AES",
		"r.json.gz.age": "age", "cluster-scoped-resources/core/nodes.7z": "7z", "namespaces/a/logs.7z": "7z", "._s.yaml.gpg": "\x00\x05\x16\x07"} {
		files = append(files, testkit.Entry{Name: name, Data: magic + "and more of it"})
	}
	files[len(files)-1].Data = strings.TrimSuffix(files[len(files)-1].Data, "and more of it")
	tree := map[string]string{}
	for _, e := range files {
		tree[e.Name] = e.Data
	}
	// that somebody named
	for name, content := range map[string]string{"b.tar.gz.gpg": "\x85\x02\x0c\x03", "c.enc": "\x00", "d": "age-encryption.org/v1\n"} {
		if got := walkBytes(t, Options{}, name, []byte(content)); !slices.Equal(
			got.codes(), []code.Code{code.InputUnreadable},
		) ||
			len(got.files) > 0 {
			t.Errorf("%s: %v %v", name, got.names(), got.sum.Problems)
		}
	}
	if got := walkBytes(t, Options{}, "b.enc", []byte(config("b"))); len(got.files) != 1 {
		t.Errorf("a file of CRs that is only called so: %v", got.sum.Problems)
	}
	for how, got := range map[string]walked{"folder": walk(t, Options{Want: Candidate}, testkit.Folder(t, tree)),
		"ahead": walk(t, Options{Want: Candidate, Unordered: true}, testkit.Folder(t, tree)),
		"tar":   walkBytes(t, Options{}, "x", testkit.Tar(files...)), "zip": walkBytes(t, Options{}, "x", zipOf(files...))} {
		var lost []string // that say by their names that they hold CRs
		for _, p := range got.sum.Problems {
			lost = append(lost, path.Base(p.Name))
		}
		if slices.Sort(lost); len(got.sum.NotRead) != 16 ||
			!slices.Equal(lost, []string{"e.yaml.lzma", "g.yaml", "nodes.7z", "r.json.gz.age"}) {
			t.Errorf(
				"%s: not read %v, problems %v, passed over %v", how, got.sum.NotRead, got.sum.Problems, got.sum.Skipped,
			)
		}
	}
}

// TestLinksBehindALimitAreCounted: they are not followed, as nothing is read any more, and the
// limit is told.
func TestLinksBehindALimitAreCounted(t *testing.T) {
	entries := []testkit.Entry{
		{Name: "a.yaml", Data: config("a")},
		{Name: "b.yaml", Kind: tar.TypeSymlink, Link: "a.yaml"},
		{Name: "c.yaml", Data: config("c")},
	}
	got := walkBytes(t, Options{Limits: Limits{Entries: 2}}, "x", testkit.Tar(entries...))
	if codes := got.codes(); !slices.Equal(codes, []code.Code{code.LimitEntries}) {
		t.Error(got.sum.Problems)
	}
}
