package pattern

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
// the input, the answer is the input.
func TestAcceptedValuesComeBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	failed := 0
	for seed := range 6_000 {
		template, input := newWriter(seed).value()
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
	}
}

// config makes up a configuration of lines with a key each, some with groups, and an input that it
// accepts.
func (w writer) config(size int) (template, input []string) {
	for n := range size {
		key := fmt.Sprintf("%s%s%d: ", strings.Repeat("  ", w.IntN(3)), w.one("name", "url", "size", "größe"), n)
		word := w.one("web", "db", "10Gi", "true", "/var/lib")
		switch w.IntN(4) {
		case 0:
			template = append(template, fmt.Sprintf("%s(?<g%d>.*)\n", key, n))
			input = append(input, key+word+"\n")
		case 1:
			template = append(template, fmt.Sprintf("%shttp://(?<h%d>[a-z]+):(?<p%d>\\d+)/x\n", key, n, n))
			input = append(input, fmt.Sprintf("%shttp://%s:%d/x\n", key, w.one("one", "two"), w.IntN(9999)))
		default:
			template = append(template, key+word+"\n")
			input = append(input, key+word+"\n")
		}
	}
	return template, input
}

// TestADifferenceStaysInItsPlace: what changes in one line of the input changes nothing in the
// other lines of the answer.
func TestADifferenceStaysInItsPlace(t *testing.T) {
	for seed := range 1_500 {
		w := newWriter(seed)
		template, input := w.config(2 + w.IntN(30))
		at := w.IntN(len(input))
		hasGroup := template[at] != input[at]
		changed := slices.Clone(input)
		want := slices.Clone(input)
		switch what := w.IntN(3); {
		case what == 0:
			changed = slices.Insert(changed, at, w.one("more: 1\n", "- x\n", "\n"))
		case what == 1 && !hasGroup:
			changed = slices.Delete(changed, at, at+1)
		case what == 1:
			changed = slices.Delete(changed, at, at+1)
			want[at] = template[at]
		default:
			changed[at] = strings.Replace(changed[at], ": ", w.one(":", "x: ", ": - "), 1)
			want[at] = ""
		}
		o, err := Apply(CaptureGroups, strings.Join(template, ""), strings.Join(changed, ""))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.SplitAfter(strings.TrimSuffix(o.Value, "\n"), "\n")
		got[len(got)-1] += "\n"
		if want[at] == "" {
			if len(got) != len(want) {
				t.Fatalf("seed %d: got %q", seed, got)
			}
			want[at] = got[at] // of the line itself it says nothing
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d: input %q\n%s", seed, changed, d)
		}
	}
}

// checkOutcome holds for every outcome of capturegroups: the text between groups is the template's,
// each group is its own source or something of the input that it matches, and what is said about it
// agrees with that.
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
		if !strings.Contains(input, f.Text) || !strings.Contains(f.Text, f.Match) ||
			!strings.Contains(template, f.Expression) {
			t.Fatalf("finding %+v", f)
		}
	}
	for _, c := range o.Captures {
		if !strings.Contains(input, c.Value) || c.Name == "" {
			t.Fatalf("capture %q", c)
		}
	}
}

// TestOtherInputs applies templates to what is near to what they accept.
func TestOtherInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for seed := range 1_500 {
		w := newWriter(seed)
		template, input := w.value()
		for range 1 + w.IntN(3) {
			at := w.IntN(len(input) + 1)
			input = input[:at] + w.one("", "x", " ", "\n", "9", "ä") + input[min(len(input), at+w.IntN(3)):]
		}
		o, err := Apply(CaptureGroups, template, input)
		if err != nil {
			t.Fatal(err)
		}
		checkOutcome(t, template, input, o)
		if again, _ := Apply(CaptureGroups, template, input); !reflect.DeepEqual(o, again) {
			t.Fatalf("seed %d: not the same twice: %s", seed, fmt.Sprint(o, again))
		}
	}
}

func FuzzCaptureGroups(f *testing.F) {
	for seed := range 20 {
		w := newWriter(seed)
		template, input := w.value()
		f.Add(template, input)
		f.Add(template, w.text())
		lines, of := w.config(5)
		f.Add(strings.Join(lines, ""), strings.Join(of[1:], ""))
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

func FuzzRegex(f *testing.F) {
	for _, c := range [][2]string{
		{`^(tcp|http)://.*$`, "tcp://x"}, {`(?<a>x)?(?<b>y*?)`, "zyy"}, {`a|ab`, "ab"}, {`(`, ""}, {`\pN+`, "a٣"}, {"(?s).", "\xff"}, {`\b`, " x"},
		{`x{2,}?`, "xxxx"}, {`[^a]$`, "b\n"}, {`(?i)ſ`, "S"},
	} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, template, input string) {
		o, err := Apply(Regex, template, input)
		if _, fault := Check(Regex, template); (err == nil) != (fault == nil) {
			t.Fatalf("Check and Apply differ: %v", err)
		}
		if err != nil {
			return
		}
		switch {
		case !matched(o) && (o.Value != template || o.Captures != nil || o.Variable != nil || len(o.Findings) != 1):
			t.Fatalf("no match, and %+v", o)
		case matched(o) && !strings.Contains(input, o.Value):
			t.Fatalf("%q is not of the input", o.Value)
		case matched(o) && (o.Value == input) != (o.Findings == nil):
			t.Fatalf("%q of %q, and %v", o.Value, input, o.Findings)
		}
		for _, c := range o.Captures {
			if !strings.Contains(o.Value, c.Value) {
				t.Fatalf("capture %q outside of %q", c, o.Value)
			}
		}
	})
}

// FuzzScan: a group ends where it is an expression for the first time.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`(?<a>x)y)`, `(?<a>[)])`, `(?<a>[^])])`, `(?<a>\))`, `(?<a>[\])])`, `(?<a>[[:alpha:])])`, `(?<a>[[:)]x:])`, `(?<a>\Q)\E)`, `(?<a>(b))`, `(?<a>[`, `(?P<a>\`, `(?<a>[[:^a:]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		value := "(?<n>" + rest
		shortest := -1
		for end := range len(value) {
			if value[end] == ')' {
				if _, err := syntax.Parse(value[:end+1], syntax.Perl); err == nil {
					shortest = end + 1
					break
				}
			}
		}
		work := scanWork
		_, end, err := groupAt(value, 0, &work)
		if err != nil && shortest >= 0 {
			t.Fatalf("%q: %v, but %q is a group", value, err, value[:shortest])
		}
		if err != nil || shortest < 0 {
			return
		}
		if end != shortest {
			t.Fatalf("%q: ends at %d, want %d", value, end, shortest)
		}
	})
}
