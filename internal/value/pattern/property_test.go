package pattern

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// writer makes up templates and what they accept, always the same for the same seed.
type writer struct{ *rand.Rand }

func newWriter(seed int) writer { return writer{rand.New(rand.NewPCG(uint64(seed), 7))} }

func (w writer) one(of ...string) string { return of[w.IntN(len(of))] }

// text makes up text between groups, from what groups match and from what looks like expressions.
func (w writer) text() string {
	var b strings.Builder
	for range w.IntN(6) {
		b.WriteString(
			w.one(
				"a",
				"b1",
				"7",
				" ",
				"  ",
				"\n",
				": ",
				"-",
				"/",
				"(",
				")",
				`\`,
				`\(`,
				"[",
				"]",
				".*",
				"+",
				"?",
				"{2}",
				"^",
				"$",
				"|",
				"ä",
				"日本",
				"\u00a0",
				"\uE000",
				"name: ",
				"\n- ",
				"(a|b)",
				"(?:",
				"\r\n",
				"\t",
				"�",
			),
		)
	}
	return b.String()
}

// group makes up an expression and a text that it matches.
func (w writer) group() (expression, text string) {
	word := func() string {
		var b strings.Builder
		for range 1 + w.IntN(4) {
			b.WriteString(w.one("a", "b", "1", "7", "x", "0"))
		}
		return b.String()
	}
	line := strings.ReplaceAll(strings.ReplaceAll(w.text(), "\n", "/"), "\r", "")
	switch w.IntN(14) {
	case 0:
		return `.*`, line
	case 1:
		return `.+`, "x" + line
	case 2:
		return `\w+`, word()
	case 3:
		return `(?s).*`, w.text()
	case 4:
		return `[^:]*`, strings.ReplaceAll(w.text(), ":", "\n")
	case 5:
		return `\((?:[^()]|\)\()*\)`, "(" + w.one("", "a", ")(", "\n") + ")"
	case 6:
		return `(?:https?://)?(?<inner>[a-z0-9]+)(:\d+)?`, w.one("", "http://") + "h" + word() + w.one("", ":80")
	case 7:
		return `^` + word() + `|.*?$`, line
	case 8:
		return `(?i)ÄB+[[:digit:])]`, w.one("äB", "ÄbB", "äbbb") + w.one("7", ")")
	case 9:
		return `[])(]{1,3}`, w.one("]", ")(", "()]")
	case 10:
		return `\Q(x\E+`, w.one("(x", "(xx")
	case 11:
		return `|a*?`, w.one("", "aa")
	case 12:
		return "a\nb?", w.one("a\n", "a\nb")
	default:
		return `(?<in>x(y))*`, w.one("", "xy", "xyxy")
	}
}

// value makes up a template with groups and an input that it accepts.
func (w writer) value() (template, input string) {
	var t, i strings.Builder
	for n := range 1 + w.IntN(6) {
		text := w.text()
		expression, match := w.group()
		fmt.Fprintf(&t, "%s(?%s<g%d>%s)", text, w.one("", "P"), n, expression)
		i.WriteString(text + match)
	}
	end := w.text()
	return t.String() + end, i.String() + end
}

// TestAcceptedValuesComeBack: where the text with every group replaced by something it matches is
// the input, the answer is the input. With another text in it, nothing is cut out of it.
func TestAcceptedValuesComeBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	failed := 0
	for seed := range 6_000 {
		w := newWriter(seed)
		template, input := w.value()
		o, err := Apply(CaptureGroups, template, input)
		if err != nil {
			t.Fatalf("%q: %v", template, err)
		}
		if o.Value != input || !matched(o) || o.Findings != nil {
			t.Errorf("seed %d: template %q\ninput %q\ngot   %q\n%q", seed, template, input, o.Value, messages(o))
			if failed++; failed == 5 {
				break
			}
		}
		at := w.IntN(len(input) + 1)
		other := strings.ToValidUTF8(input[:at]+w.text()+input[at:], "?")
		if o, err = Apply(CaptureGroups, template, other); err != nil {
			t.Fatalf("%q: %v", template, err)
		}
		checkOutcome(t, template, other, o)
	}
}

// checkOutcome holds for every outcome of capturegroups: the text between groups is the template's,
// each group is its own source, or what it matches in lines that the input has as a whole, and what
// is said about it has no text of the input.
func checkOutcome(t *testing.T, template, input string, o Outcome) {
	t.Helper()
	pieces, _ := scan(template)
	var parts []string
	groups, from := 0, 0
	for _, s := range o.Variable {
		if s.Start < from || s.End <= s.Start || s.End > len(o.Value) {
			t.Fatalf("spans %v of %q", o.Variable, o.Value)
		}
		if part := o.Value[s.Start:s.End]; !strings.Contains(input, part) {
			t.Fatalf("%q is not of the input %q", part, input)
		}
		begin, end := strings.LastIndex(o.Value[:s.Start], "\n")+1, len(o.Value)
		if n := strings.Index(o.Value[s.End:], "\n"); n >= 0 {
			end = s.End + n
		}
		lines := o.Value[begin:end]
		if utf8.ValidString(input) && !strings.Contains("\n"+input+"\n", "\n"+lines+"\n") {
			t.Fatalf("the input %q does not have the lines %q, which have a text of it", input, lines)
		}
		from = s.End
	}
	for _, p := range pieces {
		parts = append(parts, p.text)
		if p.group != nil {
			groups++
		}
	}
	if strings.Join(parts, "") != template {
		t.Fatalf("pieces %q of %q", parts, template)
	}
	if groups == 0 && (o.Value != template || !matched(o) || o.Findings != nil) {
		t.Fatalf("no groups in %q, and %q of it", template, o.Value)
	}
	for _, f := range o.Findings {
		if f.Text != "" || f.Match != "" || !strings.Contains(template, f.Expression) {
			t.Fatalf("finding %+v", f)
		}
	}
	for _, c := range o.Captures {
		if !strings.Contains(input, c.Value) || c.Name == "" {
			t.Fatalf("capture %q", c)
		}
	}
}

func FuzzCaptureGroups(f *testing.F) {
	for seed := range 20 {
		w := newWriter(seed)
		template, input := w.value()
		f.Add(template, input)
		f.Add(template, w.text())
		f.Add(template, input[:len(input)/2]+w.one("x", " ", "\n", "9")+input[len(input)/2:])
	}
	f.Add(`(?<a>\Q)`, "x")
	f.Add("(?<a>[[:alpha:])", "\xff")
	f.Add("a\uFFFD(?<b>.)", "a\xffx")
	f.Fuzz(func(t *testing.T, template, input string) {
		o, err := Apply(CaptureGroups, template, input)
		if err != nil {
			t.Fatal(err)
		}
		if malformed, err := Check(CaptureGroups, template); err != nil || fmt.Sprint(malformed) != fmt.Sprint(o.Malformed) {
			t.Fatalf("Check and Apply differ: %v, %v", malformed, err)
		}
		checkOutcome(t, template, input, o)
		if again, _ := Apply(CaptureGroups, template, input); !reflect.DeepEqual(o, again) {
			t.Fatalf("not the same twice: %s", fmt.Sprint(o, again))
		}
	})
}
