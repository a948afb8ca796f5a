package source

import (
	"archive/tar"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
)

// ended says how many entries of an input ended where, as the summary tells.
func (w walked) ended() map[string]int {
	out := map[string]int{"read": len(w.files) - len(w.sum.Replaced), "closed": len(w.sum.NotRead), "problems": len(w.sum.Problems)}
	for _, s := range w.sum.Skipped {
		out["passed"] += s.Count
	}
	for _, in := range w.sum.Inputs {
		out["opened"] += len(in.Archives)
	}
	return out
}

// TestEveryEntryEndsInOnePlace: each sort of entry is read, passed over for a reason, named, or a problem; whatever holds it.
func TestEveryEntryEndsInOnePlace(t *testing.T) {
	files := []entry{
		{name: "a.yaml", data: config("a")},                                  // read
		{name: "b.yaml.gz", data: string(gz([]byte(config("b"))))},           // read
		{name: "c.yaml.gz", data: "no gzip"},                                 // a problem
		{name: "d.tar.gz", data: string(gz(standardTar()))},                  // not read
		{name: "e.7z", data: "7z\xbc\xaf\x27\x1c\x00\x04"},                   // not read
		{name: "f.html", data: "<html>"},                                     // passed over: name
		{name: "g", data: "some text"},                                       // content
		{name: "h.yaml", data: ""},                                           // empty
		{name: "logs/i.log", data: "a line"},                                 // log
		{name: "._a.yaml", data: "\x00\x05\x16\x07\x00\x02\x00\x00"},         // AppleDouble
		{name: "k.dat", data: string(gz(standardTar()))},                     // name
		{name: "l.yaml.gz", data: config("l")},                               // read: plain, whatever its name
		{name: "._m.tar.gz", data: "\x00\x05\x16\x07\x00\x02\x00\x00Mac OS"}, // AppleDouble
	}
	want := map[string]int{"read": 3, "closed": 2, "problems": 1, "passed": 7, "opened": 0}
	tree := map[string]string{}
	for _, e := range files {
		tree[e.name] = e.data
	}
	wrapped := tarOf(entry{name: "in.tar.xz", data: string(xzOf(tarOf(files...)))}, entry{name: "README", data: "in it"})
	for how, got := range map[string]walked{
		"folder": walk(t, Options{Want: Candidate}, writeTree(t, tree)), "looked at ahead": walk(t, Options{Want: Candidate, Look: func(f File) any { return f }}, writeTree(t, tree)),
		"tar": walkBytes(t, Options{}, "x", tarOf(files...)), "tar.gz": walkBytes(t, Options{}, "x", gz(tarOf(files...))), "stdin": walkStdin(t, Options{}, gz(tarOf(files...))),
		"tar.xz": walkBytes(t, Options{}, "x", xzOf(tarOf(files...))), "zip": walkBytes(t, Options{}, "x", zipOf(files...)),
		"zip without its list": walkBytes(t, Options{}, "x", zipOf(files...)[:bytes.Index(zipOf(files...), []byte("PK\x01\x02"))]),
		"wrapped":              walkBytes(t, Options{}, "x", wrapped),
	} {
		want := want
		switch how {
		case "wrapped":
			want = map[string]int{"read": 3, "closed": 2, "problems": 1, "passed": 8, "opened": 1}
		case "zip without its list":
			want = map[string]int{"read": 4, "closed": 2, "problems": 2, "passed": 6, "opened": 0} // no size says that h.yaml is empty
		}
		if diff := cmp.Diff(want, got.ended()); diff != "" {
			t.Errorf("%s: %s%v %v %v", how, diff, got.sum.Problems, got.sum.NotRead, got.sum.Skipped)
		}
	}
}

// TestAPackedEntryIsNeverLostInSilence changes bytes all over packed entries, and cuts them: what was in them is read, or told of, whatever
// holds them.
func TestAPackedEntryIsNeverLostInSilence(t *testing.T) {
	t.Parallel()
	text := []byte(config("inner"))
	inner := tarOf(entry{name: "i.yaml", data: string(text)})
	packed := map[string][]byte{
		"x.yaml.gz": gz(text), "x.yaml.xz": xzOf(text), "x.yaml.zst": zst(text), "x.tar.gz": gz(inner), "x.tar.xz": xzOf(inner), "x.tar.zst": zst(inner),
		"x.tgz": gz(inner), "x.tar.bz2": bz2Tar(), "x.zip": zipOf(entry{name: "i.yaml", data: string(text)}),
	}
	beside := entry{name: "own.yaml", data: config("own")}
	holders := map[string]func(e entry) walked{
		"tar":    func(e entry) walked { return walkBytes(t, Options{}, "x", tarOf(e)) },
		"tar.gz": func(e entry) walked { return walkBytes(t, Options{}, "x", gz(tarOf(beside, e))) },
		"stdin":  func(e entry) walked { return walkStdin(t, Options{}, tarOf(e)) },
		"zip":    func(e entry) walked { return walkBytes(t, Options{}, "x", zipOf(e, beside)) },
		"nested": func(e entry) walked { return walkBytes(t, Options{Nested: true}, "x", zipOf(beside, e)) },
		"folder": func(e entry) walked {
			return walk(t, Options{Want: Candidate, Look: func(f File) any { return f }}, writeTree(t, map[string]string{e.name: e.data, beside.name: beside.data}))
		},
		"in a tar in a zip": func(e entry) walked {
			return walkBytes(t, Options{}, "x", zipOf(entry{name: "y.tar", data: string(tarOf(e))}))
		},
	}
	for name, data := range packed {
		for how, walkIn := range holders {
			whole := walkIn(entry{name: name, data: string(data)})
			if len(whole.sum.Problems) > 0 {
				t.Errorf("%s in %s: %v", name, how, whole.sum.Problems)
			}
			for at := 0; at < len(data); at += max(1, len(data)/10) {
				bad := bytes.Clone(data)
				bad[at] ^= 0x41
				damagedEntry(t, fmt.Sprintf("%s in %s, byte %d changed", name, how, at), whole, walkIn(entry{name: name, data: string(bad)}))
				if at > 0 { // an empty file is told to be empty
					damagedEntry(t, fmt.Sprintf("%s in %s, cut at %d", name, how, at), whole, walkIn(entry{name: name, data: string(data[:at])}))
				}
			}
		}
	}
}

// damagedEntry holds a walk against that of the undamaged entry.
func damagedEntry(t *testing.T, what string, whole, got walked) {
	t.Helper()
	if len(got.sum.Problems) == 0 && (!slices.Equal(got.names(), whole.names()) || len(got.sum.NotRead) != len(whole.sum.NotRead)) {
		t.Errorf("%s: %v, not read %v, passed over %v, and no problem", what, got.names(), got.sum.NotRead, got.sum.Skipped)
	}
}

// TestAPackedEntryThatAZipCannotGive: encrypted, packed by an unknown method, or corrupt in the zip itself.
func TestAPackedEntryThatAZipCannotGive(t *testing.T) {
	for _, name := range []string{"x.yaml.gz", "x.tar.gz", "x.zip", "x.yaml"} {
		data := zipOf(entry{name: name, data: string(gz([]byte(config("x"))))}, entry{name: "own.yaml", data: config("own")})
		list := bytes.Index(data, []byte("PK\x01\x02"))
		for what, change := range map[string]func(b []byte){
			"encrypted": func(b []byte) { b[6] |= 1; b[list+8] |= 1 },
			"a method":  func(b []byte) { b[8], b[list+10] = 9, 9 },
			"corrupt":   func(b []byte) { b[30+len(name)+3] ^= 0xff },
		} {
			bad := bytes.Clone(data)
			change(bad)
			got := walkBytes(t, Options{}, "x", bad)
			if len(got.sum.Problems) != 1 || len(got.files) != 1 {
				t.Errorf("%s, %s: %v, problems %v, passed over %v", name, what, got.names(), got.sum.Problems, got.sum.Skipped)
			}
		}
	}
}

func TestOfANameThatStandsTwiceTheLaterEntryCounts(t *testing.T) {
	one, two := config("first"), config("second")
	twice := []entry{{name: "a.yaml", data: one}, {name: "b.yaml", data: config("b")}, {name: "./a.yaml", data: two}}
	inner := func(text string) string { return string(gz(tarOf(entry{name: "a.yaml", data: text}))) }
	cases := map[string]struct {
		data []byte
		opt  Options
		want string
	}{
		"tar":               {data: tarOf(twice...), want: "b.yaml=b a.yaml=second"},
		"zip":               {data: zipOf(twice...), want: "b.yaml=b a.yaml=second"},
		"appended":          {data: slicesConcat(tarOf(twice[:2]...), tarOf(twice[2])), want: "b.yaml=b a.yaml=second"},
		"gz":                {data: tarOf(entry{name: "a.yaml.gz", data: string(gz([]byte(one)))}, entry{name: "a.yaml.gz", data: string(gz([]byte(two)))}), want: "a.yaml.gz!/a.yaml=second"},
		"emptied":           {data: tarOf(entry{name: "a.yaml", data: one}, entry{name: "a.yaml"}), want: ""},
		"made a link":       {data: tarOf(entry{name: "a.yaml", data: one}, entry{name: "a.yaml", kind: tar.TypeSymlink, link: "b.yaml"}), want: ""},
		"archives":          {data: tarOf(entry{name: "in.tgz", data: inner(one)}, entry{name: "in.tgz", data: inner(two)}), want: "in.tgz!/a.yaml=second"},
		"archives, at once": {data: tarOf(entry{name: "in.tgz", data: inner(one)}, entry{name: "in.tgz", data: inner(two)}), opt: Options{Nested: true}, want: "in.tgz!/a.yaml=second"},
	}
	for how, c := range cases {
		for from, got := range map[string]walked{"disk": walkBytes(t, c.opt, "x", c.data), "stdin": walkStdin(t, c.opt, c.data)} {
			var names []string
			for i, name := range got.names() {
				if !got.sum.Replaced[got.files[i].Turn] {
					names = append(names, name)
				}
			}
			if strings.Join(names, " ") != c.want || got.sum.Problems != nil || got.skipped()[ReasonReplaced] != 1 {
				t.Errorf("%s from %s: %v, problems %v, passed over %v", how, from, names, got.sum.Problems, got.sum.Skipped)
			}
		}
	}
}

func TestLinksToWhatIsNotReadItself(t *testing.T) {
	entries := []entry{
		{name: "d/blob.bin", data: config("blob")},
		{name: "d/hard.yaml", kind: tar.TypeLink, link: "d/blob.bin"},
		{name: "soft.yaml", kind: tar.TypeSymlink, link: "again"},
		{name: "again", kind: tar.TypeSymlink, link: "other/../late.dat"},
		{name: "b.yaml", kind: tar.TypeSymlink, link: "./late.dat"}, // the same once more
		{name: "none.yaml", kind: tar.TypeSymlink, link: "nowhere.dat"},
		{name: "out.yaml", kind: tar.TypeSymlink, link: "../late.dat"},
		{name: "late.dat", data: config("late")},
		{name: "read.yaml", data: config("read")},
		{name: "link.yaml", kind: tar.TypeSymlink, link: "read.yaml"},
	}
	want := []string{"read.yaml=read", "d/hard.yaml=blob", "soft.yaml=late"}
	passed := map[string]int{ReasonLink: 3, ReasonName: 2}
	dead := []code.Code{code.LinkSkipped, code.LinkSkipped} // none.yaml and out.yaml
	inner := entry{name: "in.tar", data: string(tarOf(entries...))}
	for how, got := range map[string]walked{
		"tar": walkBytes(t, Options{}, "x", tarOf(entries...)), "tar.gz": walkBytes(t, Options{}, "x", gz(tarOf(entries...))),
		"nested": walkBytes(t, Options{}, "x", tarOf(inner)), "in a zip": walkBytes(t, Options{}, "x", zipOf(inner)), "held": walkStdin(t, Options{}, tarOf(inner)),
	} {
		var names []string
		for _, name := range got.names() {
			names = append(names, strings.TrimPrefix(name, "in.tar!/"))
		}
		if diff := cmp.Diff(want, names) + cmp.Diff(dead, got.codes()); diff != "" {
			t.Errorf("%s: %s%v", how, diff, got.sum.Problems)
		}
		if diff := cmp.Diff(passed, got.skipped()); diff != "" {
			t.Errorf("%s: %s", how, diff)
		}
	}
	got := walkStdin(t, Options{}, tarOf(entries...))
	if diff := cmp.Diff([]code.Code{code.LinkSkipped, code.InputUnreadable, code.InputUnreadable, code.InputUnreadable}, got.codes()); diff != "" {
		t.Errorf("stream: %s", diff)
	}
	got = walkBytes(t, Options{}, "x", zipOf(entry{name: "blob.bin", data: config("blob")}, entry{name: "d/soft.yaml", kind: tar.TypeSymlink, link: "../blob.bin"}))
	if diff := cmp.Diff([]string{"d/soft.yaml=blob"}, got.names()); diff != "" {
		t.Errorf("zip: %s", diff)
	}
}

func TestAnUnknownTypeOfTarIsAFile(t *testing.T) {
	data := tarOf(entry{name: "a.yaml", data: config("a")}, entry{name: "b.yaml", data: config("b")})
	data[156] = 'Z'
	setChecksum(data[:tarBlock])
	got := walkBytes(t, Options{}, "x", data)
	if diff := cmp.Diff([]string{"a.yaml=a", "b.yaml=b"}, got.names()); diff != "" {
		t.Error(diff)
	}
}

func TestAFrameThatIsSkippedDoesNotHideZstd(t *testing.T) {
	for name, data := range map[string][]byte{"x.yaml.zst": zst([]byte(config("a"))), "x.tar.zst": zst(tarOf(entry{name: "x.yaml", data: config("a")}))} {
		data = slicesConcat([]byte("\x5a\x2a\x4d\x18\x05\x00\x00\x00about"), data)
		for _, got := range []walked{walkBytes(t, Options{}, name, data), walkBytes(t, Options{}, "x", zipOf(entry{name: name, data: string(data)}))} {
			if len(got.files) != 1 || got.sum.Problems != nil {
				t.Errorf("%s: %v %v", name, got.names(), got.sum.Problems)
			}
		}
	}
}

func TestArchivesOfUnknownFormatsAreNamedWhereverTheyStand(t *testing.T) {
	files := []entry{{name: "a.yaml", data: config("a")}}
	for name, magic := range map[string]string{"b.7z": "7z\xbc\xaf\x27\x1c", "c.rar": "Rar!\x1a\x07\x01", "d.tar.lz4": "\x04\x22\x4d\x18", "e.yaml.lzma": "\x5d\x00\x00\x80\x00",
		"f": "7z\xbc\xaf\x27\x1c", "g.yaml": "\x04\x22\x4d\x18", "logs/h.7z": "damaged", "i.tar.lz": "LZIP", "j.tar.gz": "Rar!\x1a\x07\x01", "k.rar.gz": string(gz([]byte("Rar!")))} {
		files = append(files, entry{name: name, data: magic + "and more of it"})
	}
	files[len(files)-1].data = strings.TrimSuffix(files[len(files)-1].data, "and more of it")
	tree := map[string]string{}
	for _, e := range files {
		tree[e.name] = e.data
	}
	for how, got := range map[string]walked{"folder": walk(t, Options{Want: Candidate}, writeTree(t, tree)),
		"ahead": walk(t, Options{Want: Candidate, Look: func(f File) any { return f }}, writeTree(t, tree)),
		"tar":   walkBytes(t, Options{}, "x", tarOf(files...)), "zip": walkBytes(t, Options{}, "x", zipOf(files...))} {
		if len(got.sum.NotRead) != 10 || len(got.sum.Problems) > 0 {
			t.Errorf("%s: not read %v, problems %v, passed over %v", how, got.sum.NotRead, got.sum.Problems, got.sum.Skipped)
		}
	}
}
