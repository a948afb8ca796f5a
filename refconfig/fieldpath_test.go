package refconfig_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/refconfig"
)

func key(s string) refconfig.Step           { return refconfig.Step{Key: s, Index: -1} }
func digits(s string, i int) refconfig.Step { return refconfig.Step{Key: s, Index: i} }
func element(i int) refconfig.Step          { return refconfig.Step{Index: i} }
func anything() refconfig.Step              { return refconfig.Step{Index: -1, Any: true} }

func path(steps ...refconfig.Step) refconfig.FieldPath { return steps }

func TestPathsAreReadAndPrinted(t *testing.T) {
	for _, c := range []struct {
		in    string
		want  refconfig.FieldPath
		print string // "" for the same as in
	}{
		{"spec", path(key("spec")), ""},
		{".spec.x", path(key("spec"), key("x")), "spec.x"},
		{"spec.profile.0.data", path(key("spec"), key("profile"), digits("0", 0), key("data")), ""},
		{`metadata.annotations."example.com/note.1"`, path(key("metadata"), key("annotations"), key("example.com/note.1")), ""},
		{`metadata.labels."plain"`, path(key("metadata"), key("labels"), key("plain")), "metadata.labels.plain"},
		{`"a.b"."c.d".e`, path(key("a.b"), key("c.d"), key("e")), ""},
		{`.".x"`, path(key(".x")), `".x"`},
		{`"."`, path(key(".")), ""},
		{`"".x`, path(key(""), key("x")), ""},
		{`x.""`, path(key("x"), key("")), ""},
		{`"say ""when"""`, path(key(`say "when"`)), ""},
		{`"a\b"`, path(key(`a\b`)), `a\b`},
		{"spec.*.name", path(key("spec"), anything(), key("name")), ""},
		{`spec."*"`, path(key("spec"), key("*")), ""},
		{"spec.a*", path(key("spec"), key("a*")), ""},
		{`data."0"`, path(key("data"), key("0")), ""},
		{"data.007", path(key("data"), digits("007", 7)), ""},
		{"data.99999999999999999999", path(key("data"), key("99999999999999999999")), `data."99999999999999999999"`},
		{"data.-1", path(key("data"), key("-1")), ""},
		{"data.a b", path(key("data"), key("a b")), ""},
		{`data." a"`, path(key("data"), key(" a")), ""},
		{`data."a[0]"`, path(key("data"), key("a[0]")), ""},
		{"data.ünï", path(key("data"), key("ünï")), ""},
		{"data.a/b-c_d:e#f", path(key("data"), key("a/b-c_d:e#f")), ""},
	} {
		got, err := refconfig.ParseFieldPath(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.in, diff)
		}
		want := c.print
		if want == "" {
			want = c.in
		}
		if got.String() != want {
			t.Errorf("%s is printed as %s, want %s", c.in, got, want)
		}
	}
}

func TestPathsThatAreRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":         "the path is empty",
		".":        "the path is empty",
		"..":       "empty key",
		"a..b":     "empty key",
		"a.":       "empty key",
		`"`:        "not closed",
		`a."b`:     "not closed",
		`"a""`:     "not closed",
		`"a"b`:     "expected a dot",
		`a"b`:      "double quote inside",
		" a":       "a space at the start or end",
		"a.b .c":   "a space at the start or end",
		"a[0]":     "bracket",
		"a.[b]":    "bracket",
		"a.b[*].c": "bracket",
		"\u00a0a":  "a space at the start or end",
		"a.b\n":    "a line break",
		`."a".`:    "empty key",
		`x."a" .b`: "expected a dot",
	} {
		got, err := refconfig.ParseFieldPath(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want one that says %q", in, got, err, want)
		}
	}
}

func TestPathsOfObjectsArePrinted(t *testing.T) {
	for _, c := range []struct {
		path refconfig.FieldPath
		want string
	}{
		{nil, "."},
		{path(element(3)), "3"},
		{path(key("a"), element(0), key("b")), "a.0.b"},
		{path(key("3")), `"3"`},
		{path(key("*")), `"*"`},
	} {
		if got := c.path.String(); got != c.want {
			t.Errorf("%#v is printed as %s, want %s", c.path, got, c.want)
		}
	}
}

// What is printed leads back to where it came from, whatever the keys are.
func TestPrintedPathsReadBack(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	alphabet := []rune(`ab.."*[]0 19\/é` + "\t\n")
	for range 20_000 {
		var walked refconfig.FieldPath
		for range 1 + random.Intn(4) {
			switch random.Intn(5) {
			case 0:
				walked = append(walked, element(random.Intn(12)))
			case 1:
				walked = append(walked, anything())
			default:
				var word []rune
				for range random.Intn(5) {
					word = append(word, alphabet[random.Intn(len(alphabet))])
				}
				walked = append(walked, key(string(word)))
			}
		}
		read, err := refconfig.ParseFieldPath(walked.String())
		if err != nil {
			t.Fatalf("%#v is printed as %s, which is refused: %v", walked, walked, err)
		}
		if !(refconfig.OmitEntry{Path: read}).Match(walked) {
			t.Fatalf("%#v is printed as %s, which is read as %#v", walked, walked, read)
		}
		if read.String() != walked.String() {
			t.Fatalf("%s is printed as %s the second time", walked, read)
		}
	}
}

func FuzzFieldPath(f *testing.F) {
	for _, s := range []string{"", ".", "spec.0.x", `metadata."a.b"`, `"a""b".*`, "a[0]", `"`, "007.x", "\xff.x", `x.""`, "a. b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := refconfig.ParseFieldPath(s)
		if err != nil {
			return
		}
		again, err := refconfig.ParseFieldPath(p.String())
		if err != nil {
			t.Fatalf("%q is printed as %q, which is refused: %v", s, p, err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Fatalf("%q is printed as %q: -first +second:\n%s", s, p, diff)
		}
	})
}

func TestEntriesMatchPathsOfObjects(t *testing.T) {
	parse := func(s string) refconfig.FieldPath {
		p, err := refconfig.ParseFieldPath(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		entry  string
		prefix bool
		path   refconfig.FieldPath
		want   bool
	}{
		{"spec.x", false, path(key("spec"), key("x")), true},
		{"spec.x", false, path(key("spec"), key("xy")), false},
		{"spec.x", false, path(key("spec")), false},
		{"spec", false, path(key("spec"), key("x")), false},
		{"spec.x", true, path(key("spec"), key("xy")), true},
		{"spec.x", true, path(key("spec"), key("x")), true},
		{"spec.x", true, path(key("spe"), key("xy")), false},
		{"sp.x", true, path(key("spec"), key("xy")), false}, // only the last step is a prefix
		{"list.0", false, path(key("list"), element(0)), true},
		{"list.0", false, path(key("list"), element(1)), false},
		{"list.0", false, path(key("list"), key("0")), true},
		{`list."0"`, false, path(key("list"), element(0)), false},
		{`list."0"`, false, path(key("list"), key("0")), true},
		{"list.1", true, path(key("list"), element(12)), false}, // a prefix is of keys
		{"list.1", true, path(key("list"), key("12")), true},
		{"list.*.x", false, path(key("list"), element(7), key("x")), true},
		{"list.*.x", false, path(key("list"), key("k"), key("x")), true},
		{"*", false, path(key("")), true},
		{"*", true, path(key("any")), true},
		{`""`, false, path(element(0)), false},
		{`""`, true, path(key("anything")), true},
		{"list.0", false, parse("list.0"), true},
		{"list.0", false, parse("list.00"), false},
		{"list.x", false, parse("list.*"), false},
		{"list.*", false, parse("list.*"), true},
	} {
		e := refconfig.OmitEntry{Path: parse(c.entry), Prefix: c.prefix}
		if got := e.Match(c.path); got != c.want {
			t.Errorf("%s matches %s: %v, want %v", e, c.path, got, c.want)
		}
	}
	if (refconfig.OmitEntry{}).Match(nil) {
		t.Error("an entry without path matches the whole object")
	}
}
