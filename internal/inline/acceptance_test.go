package inline_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/inline"
)

func TestAcceptance(t *testing.T) {
	for _, c := range []struct {
		name, function, template, input, want string
		findings                              int
	}{
		{"regex, the whole value", inline.Regex, `v[0-9]+`, "v12", "v12", 0},
		{"regex, past offset 0: the rest differs", inline.Regex, `v[0-9]+`, "x v12 y", "v12", 1},
		{"regex, not found", inline.Regex, `v[0-9]+`, "w", `v[0-9]+`, 1},
		{"regex, several lines", inline.Regex, `(?s)a.*c`, "a\nb\nc", "a\nb\nc", 0},
		{"regex, an optional group that takes no part", inline.Regex, `a(?<b>b)?c`, "ac", "ac", 0},
		{"groups, none", inline.CaptureGroups, "a.c", "abc", "a.c", 0},
		{"groups, one", inline.CaptureGroups, "name: (?<n>.*)", "name: x", "name: x", 0},
		{"groups, text is no expression", inline.CaptureGroups, "a.c (?<n>[0-9]+)", "abc 12", "a.c 12", 0},
		{"groups, lines", inline.CaptureGroups, "a: (?<x>.*)\nb: 1\nc: (?<y>[a-z]+)\n", "a: p q\nb: 1\nc: zz\n", "a: p q\nb: 1\nc: zz\n", 0},
		{"groups, one does not match and the others do", inline.CaptureGroups, "a: (?<x>[0-9]+)\nb: (?<y>[a-z]+)", "a: no\nb: yes", "a: (?<x>[0-9]+)\nb: yes", 1},
		{"groups, a line between differs", inline.CaptureGroups, "a: (?<x>.*)\nb: 1\nc: (?<y>.*)", "a: p\nb: 2\nc: q", "a: p\nb: 1\nc: q", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := inline.Apply(c.function, c.template, c.input)
			if err != nil {
				t.Fatal(err)
			}
			if got.Value != c.want || len(got.Findings) != c.findings {
				t.Errorf("%q with %d findings, want %q with %d", got.Value, len(got.Findings), c.want, c.findings)
			}
		})
	}
}

func TestConflictingGroups(t *testing.T) {
	var groups inline.Groups
	for i, c := range []struct{ path, template, input string }{
		{"a", "x (?<n>[a-z]+)", "x one"}, {"b", "y (?<n>[a-z]+)", "y one"}, {"c", "z (?<n>[a-z]+) (?<m>.)", "z two 1"},
	} {
		out, err := inline.Apply(inline.CaptureGroups, c.template, c.input)
		if err != nil {
			t.Fatal(i, err)
		}
		groups.Add(c.path, out.Captures)
	}
	conflicts := groups.Conflicts()
	if len(conflicts) != 1 || conflicts[0].Name != "n" || len(conflicts[0].Values) != 2 {
		t.Fatalf("%+v", conflicts)
	}
	for _, part := range []string{"n", `"one"`, `"two"`, "a, b", "c"} {
		if !strings.Contains(conflicts[0].Message(), part) {
			t.Errorf("%q does not say %s", conflicts[0].Message(), part)
		}
	}
	if s := conflicts[0].Discreet(); strings.Contains(s, "one") || strings.Contains(s, "two") {
		t.Errorf("%q tells the values", s)
	}
}

func TestBadExpressions(t *testing.T) {
	for _, c := range []struct{ function, template string }{
		{inline.Regex, "("}, {inline.Regex, "a**"}, {inline.Regex, "[z-a]"}, {inline.Regex, "(?=x)"},
		{inline.CaptureGroups, "(?<a>x"}, {inline.CaptureGroups, "(?<a-b>x)"}, {inline.CaptureGroups, "(?<a>[b)"}, {"nope", "x"},
	} {
		if err := inline.Check(c.function, c.template); err == nil {
			t.Errorf("%s %q: no error", c.function, c.template)
		}
		if _, err := inline.Apply(c.function, c.template, "x"); err == nil {
			t.Errorf("%s %q applied: no error", c.function, c.template)
		}
	}
}

// TestWhatMatchesIsAccepted: where each group of a template is replaced by something that it matches, the answer is the
// input itself, whatever the text between the groups is.
func TestWhatMatchesIsAccepted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := []string{"a", "b: ", "\n", " ", "x.y*", "(", ")", "[", "日本 ", "\n  - ", "name: ", "?", "\\", "aa", "{}"}
	groups := []struct {
		pattern string
		values  []string
	}{
		{".*", []string{"", "a", "b: a", "x y"}}, {"[0-9]+", []string{"1", "42"}}, {"[a-z]+(-[a-z]+)?", []string{"a", "ab-c"}},
		{"(?i)yes|no", []string{"YES", "no"}}, {`\d{2}`, []string{"10", "99"}},
	}
	for range 4000 {
		var template, input strings.Builder
		n := 0
		for range 1 + r.IntN(8) {
			if r.IntN(3) > 0 {
				s := texts[r.IntN(len(texts))]
				template.WriteString(s)
				input.WriteString(s)
				continue
			}
			g := groups[r.IntN(len(groups))]
			template.WriteString("(?<g" + string(rune('a'+n)) + ">" + g.pattern + ")")
			input.WriteString(g.values[r.IntN(len(g.values))])
			n++
		}
		if strings.Contains(template.String(), `\(?<`) {
			continue
		}
		got, err := inline.Apply(inline.CaptureGroups, template.String(), input.String())
		if err != nil {
			t.Fatalf("%q: %v", template.String(), err)
		}
		if got.Value != input.String() || len(got.Findings) > 0 {
			t.Fatalf("%q with %q gives %q, findings %v", template.String(), input.String(), got.Value, got.Findings)
		}
	}
}

func FuzzApply(f *testing.F) {
	for _, s := range [][2]string{{"a (?<x>.*) b", "a c b"}, {"(?<x>", "y"}, {"(?P<x>[)]+)", ")))"}, {"(?<a>x)?(?<a>y)", "xy"}, {"\xff(?<a>.)", "\xff\xfe"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, template, input string) {
		for _, function := range []string{inline.Regex, inline.CaptureGroups} {
			checked := inline.Check(function, template)
			out, err := inline.Apply(function, template, input)
			if (checked == nil) != (err == nil) {
				t.Fatalf("%s: Check says %v, Apply %v", function, checked, err)
			}
			if err != nil {
				continue
			}
			last := 0
			for _, v := range out.Variable {
				if v.Start < last || v.End <= v.Start || v.End > len(out.Value) {
					t.Fatalf("%s: spans %v of %q", function, out.Variable, out.Value)
				}
				last = v.End
			}
			switch {
			case function == inline.Regex && out.Matched && !strings.Contains(input, out.Value):
				t.Fatalf("%q is no part of %q", out.Value, input)
			case function == inline.Regex && out.Matched != regexp.MustCompile(template).MatchString(input):
				t.Fatalf("matched: %v", out.Matched)
			case function == inline.CaptureGroups && !strings.Contains(template, "(?") && out.Value != template:
				t.Fatalf("a template without groups became %q", out.Value)
			}
		}
	})
}
