package diff

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// TestValuesInDocuments: each value as JSON; a number that JSON lacks as a text, nothing for a value that
// is not there, and of a secret only its length.
func TestValuesInDocuments(t *testing.T) {
	for _, c := range []struct {
		v      any
		json   string
		hidden string
	}{
		{nil, "null", "null"}, {true, "true", `"(hidden, 4 bytes)"`}, {int64(12), "12", `"(hidden, 2 bytes)"`}, {1.5, "1.5", `"(hidden, 3 bytes)"`},
		{math.Inf(1), `"+Inf"`, ""}, {math.Inf(-1), `"-Inf"`, ""}, {math.NaN(), `"NaN"`, ""}, {"a", `"a"`, `"(hidden, 1 byte)"`},
		{"a\"b\\c\n<é>", `"a\"b\\c\n<é>"`, ""}, {"a ~", `"a ~"`, ""}, {[]any{math.NaN(), "a", nil}, `["NaN","a",null]`, `"(hidden, 17 bytes)"`},
		{map[string]any{"a": math.Inf(1), "b": map[string]any{"c": []any{1.0}}}, `{"a":"+Inf","b":{"c":[1]}}`, ""},
	} {
		if got := string(Show{}.raw(Value{Present: true, Data: c.v}, secret.Scope{})); got != c.json {
			t.Errorf("%v: %s, want %s", c.v, got, c.json)
		}
		if got := string(Show{}.raw(Value{Present: true, Data: c.v}, secret.Whole())); c.hidden != "" && got != c.hidden {
			t.Errorf("%v, secret: %s, want %s", c.v, got, c.hidden)
		}
		if got := string(Show{Secrets: true}.raw(Value{Present: true, Data: c.v}, secret.Whole())); got != c.json {
			t.Errorf("%v, shown: %s, want %s", c.v, got, c.json)
		}
		if got := (Show{}).raw(Value{Data: c.v}, secret.Scope{}); got != nil {
			t.Errorf("%v is not there: %s", c.v, got)
		}
	}
}

// TestWhatFormatsKeep: without values only what belongs to no field, and of long values their beginning
// and a hash, which differs with them.
func TestWhatFormatsKeep(t *testing.T) {
	long := func(end string) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("é", 600) + end + `"`) }
	all := func() []finding.Difference {
		return []finding.Difference{
			{Path: "told"}, {Path: "a", Reference: long("x"), Input: long("y"), Accepted: long("z")}, {Path: "b", Input: json.RawMessage("1")},
			{Path: "c", Reference: json.RawMessage("1"), Inside: &finding.Inside{Differences: []finding.InnerDifference{{Reference: long("x"), Input: long("y")}}}},
		}
	}
	paths := func(all []finding.Difference) (out string) {
		for _, d := range all {
			out += d.Path + " "
		}
		return out
	}
	if got := paths(Show{NoValues: true}.Kept(all())); got != "told " {
		t.Errorf("without values: %s", got)
	}
	if got := (Show{}).Kept(all()); paths(got) != "told a b c " || len(got[1].Reference) < 1200 {
		t.Errorf("with all: %v", got)
	}
	got := Show{Brief: true}.Kept(all())
	for _, cut := range []json.RawMessage{got[1].Reference, got[1].Input, got[1].Accepted, got[3].Inside.Differences[0].Reference, got[3].Inside.Differences[0].Input} {
		var text string
		if err := json.Unmarshal(cut, &text); err != nil || !strings.HasPrefix(text, "éééé") || !strings.Contains(text, "… (SHA-256 ") || len(cut) > 700 {
			t.Errorf("a long value is %s, %v", cut, err)
		}
	}
	if slices.Equal(got[1].Reference, got[1].Input) || string(got[2].Input) != "1" || got[2].Reference != nil || string(got[3].Reference) != "1" {
		t.Errorf("brief: %v", got)
	}
	if exact := json.RawMessage(`"` + strings.Repeat("x", longestBrief-2) + `"`); len(cut(exact)) != longestBrief || len(cut(append(exact, ' '))) == longestBrief+1 {
		t.Error("the longest value that stays is another")
	}
}

// TestFieldsThatAreNotCompared: each is listed once, with what a comparison would find; none inside a
// listed one, none that neither side has, and of secret data the topmost key only.
func TestFieldsThatAreNotCompared(t *testing.T) {
	type m = map[string]any
	thing := func(spec m) m { return m{"kind": "Thing", "spec": spec} }
	key := func(value string) m { return m{"kind": "Secret", "data": m{"k": m{"deep": value}}} }
	for _, c := range []struct {
		printed, input m
		paths          string
		secrets        bool
		want           string
	}{
		{thing(m{"a": "1", "b": "1", "c": "1"}), thing(m{"a": "1", "b": "2", "d": "1"}), "spec.a spec.b spec.c spec.d spec.e", false,
			"spec.a , spec.b drift, spec.c missing, spec.d extra"},
		{thing(m{"a": m{"b": "1"}}), thing(m{}), "spec.a spec.a.b spec.a spec", false, "spec.a missing, spec drift"},
		{thing(m{"a": m{"b": "1"}}), thing(m{}), "spec spec.a", false, "spec drift"},
		{key("1"), key("2"), "data.k.deep", false, "data.k drift"},
		{key("1"), key("2"), "data.k.deep data.k", false, "data.k drift"},
		{key("1"), key("2"), "data.k.deep", true, "data.k.deep drift"},
		{thing(nil), key("2"), "data.k.deep", false, "data.k extra"},
		{key("1"), thing(nil), "data.k.deep kind", false, "data.k missing, kind drift"},
	} {
		l := Listing{Printed: c.printed, Input: c.input, Secrets: c.secrets}
		for text := range strings.FieldsSeq(c.paths) {
			path, err := refconfig.ParseFieldPath(text)
			if err != nil {
				t.Fatal(err)
			}
			l.omit(path, &refconfig.OmitEntry{Path: path, Place: refconfig.Place{File: "metadata.yaml", Line: 3}})
		}
		var got []string
		for _, one := range l.All {
			got = append(got, fmt.Sprint(one.Path, " ", one.Category))
			if one.Rule != finding.ByReference || one.Place != "metadata.yaml:3" {
				t.Errorf("%s is listed by %s at %s", one.Path, one.Rule, one.Place)
			}
		}
		if said := strings.Join(got, ", "); said != c.want {
			t.Errorf("%s: %s, want %s", c.paths, said, c.want)
		}
	}
	l := Listing{Printed: m{"a": "1"}}
	if l.omit(refconfig.PathOf("a"), &refconfig.OmitEntry{Path: refconfig.PathOf("a")}); l.All[0].Rule != finding.ByBuiltIn {
		t.Errorf("a field of the tool is listed by %s", l.All[0].Rule)
	}
}

// TestWhatEachKeyCompares: the types of schemas that a key fits, nil for all.
func TestWhatEachKeyCompares(t *testing.T) {
	for key, want := range map[refconfig.FieldKey]bool{
		refconfig.Quantity: true, refconfig.CPUSet: true, refconfig.List: true, refconfig.Embedded: true, refconfig.InlineDiff: true, refconfig.Exact: false, "other": false,
	} {
		if types := Types(key); len(types) > 0 != want || slices.Contains(types, "object") {
			t.Errorf("%s compares %v", key, types)
		}
	}
}

// TestLongLinesAreShortened: on both sides, and the lines that agree.
func TestLongLinesAreShortened(t *testing.T) {
	long := strings.Repeat("x", 100)
	left, right := map[string]any{"a": long + "1", "b": long, "c": "d"}, map[string]any{"a": long + "2", "b": long, "c": "d"}
	for longest, want := range map[int]int{0: 104, 30: 30, 200: 104} {
		shown := 0
		root := Of(provenance.Plain(left), right, secret.Scope{})
		for _, s := range (Show{Full: true, Longest: longest}).Sides(&Room{}, root, nil) {
			for _, line := range []*finding.Line{s.Left, s.Right} {
				if line == nil {
					continue
				}
				shown++
				text, _, _ := strings.Cut(line.Text, "… (")
				if n := len(text); n > want || line.Text != "c: d" && n < want-10 {
					t.Errorf("at most %d: %q has %d bytes", longest, line.Text, n)
				}
			}
		}
		if shown != 6 {
			t.Errorf("at most %d: %d lines", longest, shown)
		}
	}
}
