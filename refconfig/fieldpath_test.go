package refconfig_test

import (
	"cmp"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// walked returns the path with some steps, which are separated by bars: a key, [0] for an element, 0=0
// for digits that may be either, or [*] for all.
func walked(steps string) (path refconfig.FieldPath) {
	for word := range strings.SplitSeq(steps, "|") {
		step := refconfig.Key(word)
		switch key, index, isBoth := strings.Cut(word, "="); {
		case word == "[*]":
			step = refconfig.Step{Index: -1, Any: true}
		case isBoth:
			step.Key = key
			step.Index, _ = strconv.Atoi(index)
		case strings.HasPrefix(word, "["):
			step.Key = ""
			step.Index, _ = strconv.Atoi(strings.Trim(word, "[]"))
		}
		path = append(path, step)
	}
	return path
}

func TestPathsAreReadAndPrinted(t *testing.T) {
	for _, c := range []struct {
		in    string
		want  string // for walked
		print string // "" for the same as in
	}{
		{"spec", "spec", ""},
		{".spec.x", "spec|x", "spec.x"},
		{"spec.profile.0.data", "spec|profile|0=0|data", ""},
		{`metadata.annotations."example.com/note.1"`, "metadata|annotations|example.com/note.1", ""},
		{`metadata.labels."plain"`, "metadata|labels|plain", "metadata.labels.plain"},
		{`"a.b"."c.d".e`, "a.b|c.d|e", ""},
		{`.".x"`, ".x", `".x"`},
		{`"."`, ".", ""},
		{`"".x`, "|x", ""},
		{`x.""`, "x|", ""},
		{`"say ""when"""`, `say "when"`, ""},
		{`"a\b"`, `a\b`, `a\b`},
		{"spec.*.name", "spec|[*]|name", ""},
		{`spec."*"`, "spec|*", ""},
		{"spec.a*", "spec|a*", ""},
		{`data."0"`, "data|0", ""},
		{"data.007", "data|007=7", ""},
		{"data.99999999999999999999", "data|99999999999999999999", `data."99999999999999999999"`},
		{"data.-1", "data|-1", ""},
		{"data.a b", "data|a b", ""},
		{`data." a"`, "data| a", ""},
		{`data."a[0]"`, "data|a[0]", ""},
		{"data.ünï", "data|ünï", ""},
		{"data.a/b-c_d:e#f", "data|a/b-c_d:e#f", ""},
	} {
		got, err := refconfig.ParseFieldPath(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if want := cmp.Or(c.print, c.in); !slices.Equal(got, walked(c.want)) || got.String() != want {
			t.Errorf("%s: %#v is printed as %s, want %s", c.in, got, got, want)
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

// What is printed leads back to where it came from, whatever the keys are.
func TestPrintedPathsReadBack(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	alphabet := []rune(`ab.."*[]0 19\/é` + "\t\n")
	for range 20_000 {
		var walked refconfig.FieldPath
		for range 1 + random.Intn(4) {
			switch random.Intn(5) {
			case 0:
				walked = append(walked, refconfig.Step{Index: random.Intn(12)})
			case 1:
				walked = append(walked, refconfig.Step{Index: -1, Any: true})
			default:
				var word []rune
				for range random.Intn(5) {
					word = append(word, alphabet[random.Intn(len(alphabet))])
				}
				walked = append(walked, refconfig.Key(string(word)))
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
		if !slices.Equal(p, again) {
			t.Fatalf("%q is printed as %q, which is read as %#v", s, p, again)
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
		path   string // for walked
		want   bool
	}{
		{"spec.x", false, "spec|x", true},
		{"spec.x", false, "spec|xy", false},
		{"spec.x", false, "spec", false},
		{"spec", false, "spec|x", false},
		{"spec.x", true, "spec|xy", true},
		{"spec.x", true, "spec|x", true},
		{"spec.x", true, "spe|xy", false},
		{"sp.x", true, "spec|xy", false}, // only the last step is a prefix
		{"list.0", false, "list|[0]", true},
		{"list.0", false, "list|[1]", false},
		{"list.0", false, "list|0", true},
		{`list."0"`, false, "list|[0]", false},
		{`list."0"`, false, "list|0", true},
		{"list.1", true, "list|[12]", false}, // a prefix is of keys
		{"list.1", true, "list|12", true},
		{"list.*.x", false, "list|[7]|x", true},
		{"list.*.x", false, "list|k|x", true},
		{"*", false, "", true},
		{"*", true, "any", true},
		{`""`, false, "[0]", false},
		{`""`, true, "anything", true},
		{"list.0", false, "list|0=0", true},
		{"list.0", false, "list|00=0", false},
		{"list.x", false, "list|[*]", false},
		{"list.*", false, "list|[*]", true},
	} {
		e := refconfig.OmitEntry{Path: parse(c.entry), Prefix: c.prefix}
		if got := e.Match(walked(c.path)); got != c.want {
			t.Errorf("%s matches %s: %v, want %v", e, c.path, got, c.want)
		}
	}
	if (refconfig.OmitEntry{}).Match(nil) {
		t.Error("an entry without path matches the whole object")
	}
}
