package pattern

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// captures writes captures as name=value; spans as the texts they cover.
func captures(o Outcome) (names, covered []string) {
	for _, c := range o.Captures {
		names = append(names, c.Name+"="+c.Value)
	}
	for _, s := range o.Variable {
		covered = append(covered, o.Value[s.Start:s.End])
	}
	return names, covered
}

// matched reports whether all expressions were found: the whole one (regex), or every group
// (capturegroups).
func matched(o Outcome) bool {
	return !slices.ContainsFunc(o.Findings, func(f Finding) bool { return f.Kind != PartMatch })
}

func messages(o Outcome) []string {
	var all []string
	for _, f := range o.Findings {
		all = append(all, f.Message())
	}
	return all
}

func TestRegex(t *testing.T) {
	for _, c := range []struct {
		name, template, input string
		value                 string
		matched               bool
		captures, findings    []string
	}{
		{name: "all of it", template: `^(tcp|tls)://.*$`, input: "tls://broker:9093/logs", value: "tls://broker:9093/logs", matched: true},
		{name: "not found", template: `[0-9]+Gi`, input: "10Mi", value: `[0-9]+Gi`,
			findings: []string{`expression [0-9]+Gi does not match "10Mi"`}},
		{name: "a part at the start", template: `[a-z]+`, input: "node-1", value: "[a-z]+", matched: true,
			findings: []string{`expression [a-z]+ matches only "node" of "node-1"`}},
		{name: "a part further on", template: `(?<n>\d+)`, input: "grün-42x", value: `(?<n>\d+)`, matched: true,
			findings: []string{`expression (?<n>\d+) matches only "42" of "grün-42x"`}},
		{name: "all before the leftmost part", template: `a|ab`, input: "ab", value: "ab", matched: true},
		{name: "all before the shortest part", template: `(?P<x>a*?)(?<y>b??)`, input: "aab", value: "aab", matched: true, captures: []string{"x=aa", "y=b"}},
		{name: "a group that takes no part", template: `(?<v6>[0-9a-f:]+::[0-9]+)|(?<v4>[0-9.]+)`, input: "10.0.0.1", value: "10.0.0.1", matched: true,
			captures: []string{"v4=10.0.0.1"}},
		{name: "an optional group", template: `x(?<port>:\d+)?`, input: "x", value: "x", matched: true},
		{name: "groups of one name", template: `(?<a>\w)-(?<a>\w)`, input: "p-q", value: "p-q", matched: true, captures: []string{"a=p", "a=q"}},
		{name: "several lines", template: "(?s)^one\n.*\nlast\n$", input: "one\ntwo\nthree\nlast\n", value: "one\ntwo\nthree\nlast\n", matched: true},
		{name: "a line feed is not any character", template: "a.b", input: "a\nb", value: "a.b", findings: []string{`expression a.b does not match "a\nb"`}},
		{name: "an expression of several lines", template: "a\nb", input: "x", value: "a\nb", findings: []string{`expression "a\nb" does not match "x"`}},
		{name: "nothing", template: `x*`, input: "", value: "", matched: true},
		{name: "nothing of something", template: `x*`, input: "yy", value: "x*", matched: true,
			findings: []string{`expression x* matches only an empty text of "yy"`}},
		{name: "text that is quoted", template: `\Q(a)\E+`, input: "(a))", value: "(a))", matched: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Apply(Regex, c.template, c.input)
			if err != nil {
				t.Fatal(err)
			}
			if o.Value != c.value || matched(o) != c.matched {
				t.Errorf("got %q, matched %v; want %q, %v", o.Value, matched(o), c.value, c.matched)
			}
			names, covered := captures(o)
			if d := cmp.Diff(c.captures, names); d != "" {
				t.Error("captures:", d)
			}
			if d := cmp.Diff(c.findings, messages(o)); d != "" {
				t.Error("findings:", d)
			}
			if all := strings.Join(covered, ""); len(c.findings) == 0 && all != o.Value || len(c.findings) > 0 && all != "" {
				t.Errorf("variable is %q of %q", all, o.Value)
			}
		})
	}
}

func TestCaptureGroupsAccepts(t *testing.T) {
	for _, c := range []struct {
		name, template, input string
		captures              []string
	}{
		{"one group", `a-(?<n>\d+)-b`, "a-12-b", []string{"n=12"}},
		{"the other spelling", `(?P<n>\d+)`, "12", []string{"n=12"}},
		{"every end of what a name may have", `(?<_09AZaz>\d+)`, "12", []string{"_09AZaz=12"}},
		{"text that looks like an expression", `.*+?[(] \(?<n>x)) (y|z) (?:q)`, `.*+?[(] \x) (y|z) (?:q)`, []string{"n=x"}},
		{"a quantifier behind a group is text", `(?<v>[0-9.]+)+(?<build>\w+)?`, "4.16.3+abc?", []string{"v=4.16.3", "build=abc"}},
		{"looking behind is text", `(?<=x)(?<!y)(?<n>\d)`, "(?<=x)(?<!y)7", []string{"n=7"}},
		{"a parenthesis in an escape", `(?<n>\(\w\))`, "(x)", []string{"n=(x)"}},
		{"a parenthesis in a class", `(?<n>[)(]+)(?<m>[^])]+)`, "()x", []string{"n=()", "m=x"}},
		{"brackets in a class", `(?<n>[[:alpha:])[]+)!`, "a)[b!", []string{"n=a)[b"}},
		{"a class that is like a named one", "(?<n>[[:,]+)\nx[a:]", "[:,\nx[a:]", []string{"n=[:,"}},
		{"quoted text", `(?<n>\Q)(\E+)x`, ")((x", []string{"n=)(("}},
		{"a group in a group", `<(?<out>a(?<in>\d)(b|c))>`, "<a1c>", []string{"out=a1c", "in=1"}},
		{"a group inside that takes no part", `(?<out>a(?<in>\d)?)`, "a", []string{"out=a"}},
		{"a repeated group inside", `(?<out>(?<in>\d,)+)`, "1,2,", []string{"out=1,2,", "in=2,"}},
		{"flags of one group", `k: (?<a>(?i)true) True (?<b>true)`, "k: TRUE True true", []string{"a=TRUE", "b=true"}},
		{"groups side by side", `(?<a>[a-z]*)(?<b>\d*)`, "abc12", []string{"a=abc", "b=12"}},
		{"an empty match", "a: (?<v>.*)\nb: x", "a: \nb: x", []string{"v="}},
		{"an alternative with nothing", `x(?<v>|-y)`, "x-y", []string{"v=-y"}},
		{"anchors are those of the group's text", "k: (?<a>^.*$)\nl: (?<b>\\A\\d+\\z)\nm: (?<c>(?m)^(?:x|^y$)$)", "k: v\nl: 1\nm: y", []string{"a=v", "b=1", "c=y"}},
		{"an anchor of one alternative", `-(?<a>^b|c$)-`, "-c-", []string{"a=c"}},
		{"word ends are those of the group's text", `x(?<a>\bfoo\b)`, "xfoo", []string{"a=foo"}},
		{"several lines in a group", "d: (?<d>(?s).*)\nend", "d: 1\n2\n3\nend", []string{"d=1\n2\n3"}},
		{"several lines in a class", "d: (?<d>[^:]*)\ne: (?<e>[^:]*)", "d: 1\n2\ne: 3\n", []string{"d=1\n2", "e=3\n"}},
		{"a line feed in a group", "(?<d>a\nb)\nc: (?<c>.*)", "a\nb\nc: x", []string{"d=a\nb", "c=x"}},
		{"text of the template in a group", `(?<r>.*)/ocp-(?<v>.*)`, "quay.io/ocp-dev/ocp-4/ocp-5", []string{"r=quay.io/ocp-dev/ocp-4", "v=5"}},
		{"no characters but a group's", `(?<all>.*)`, "x", []string{"all=x"}},
		{"the end of the last line", "a: (?<a>.*)\n", "a: 1\n", []string{"a=1"}},
		{"one name, expressions that have no text in common", "(?<h>a+)(?<h>b+)", "aabb", []string{"h=aa", "h=bb"}},
		{"one name, two texts", "(?<h>[ab]) (?<h>[ab])", "a b", []string{"h=a", "h=b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Apply(CaptureGroups, c.template, c.input)
			if err != nil {
				t.Fatal(err)
			}
			if o.Value != c.input || !matched(o) || o.Findings != nil {
				t.Errorf("got %q, matched %v, %v; want %q", o.Value, matched(o), messages(o), c.input)
			}
			if names, _ := captures(o); c.captures != nil && !cmp.Equal(names, c.captures) {
				t.Errorf("got captures %q, want %q", names, c.captures)
			}
		})
	}
}

func TestCaptureGroupsInOneLine(t *testing.T) {
	for _, c := range []struct {
		name, template, input string
		value                 string
		findings              []string
	}{
		{"other text behind a group", `image: (?<r>.*)/ocp:4.16`, "image: quay.io/ocp-x/ocp:4.17", `image: (?<r>.*)/ocp:4.16`, nil},
		{"other text before a group", `v1-(?<n>\d+)`, "v2-7", `v1-(?<n>\d+)`, nil},
		{"more text behind the end", `n-(?<n>\d+)`, "n-7 x", `n-(?<n>\d+)`, []string{`line 1: group n, (?<n>\d+), does not match the value`}},
		{"text that is gone", `n-(?<n>\d+)-x`, "n-7x", `n-(?<n>\d+)-x`, nil},
		{"no match", `n: (?<n>\d+)`, "n: x", `n: (?<n>\d+)`, []string{`line 1: group n, (?<n>\d+), does not match the value`}},
		{"no match beside one that matches", `(?<a>\d+):(?<b>\d+)`, "x:5", `(?<a>\d+):(?<b>\d+)`, []string{`line 1: group a, (?<a>\d+), does not match the value`}},
		{"a part of a word next to spaces", `n: (?<n>[a-z]+) .`, "n: foo9 .", `n: (?<n>[a-z]+) .`,
			[]string{`line 1: group n, (?<n>[a-z]+), does not match the value`}},
		{"a word of several next to spaces", `(?<n>[a-z]+) x`, "ab cd9 x", `(?<n>[a-z]+) x`,
			[]string{`line 1: group n, (?<n>[a-z]+), does not match the value`}},
		{"a word of several between spaces", `- (?<n>[a-z]+) x`, "- 9 ab cd9 x", `- (?<n>[a-z]+) x`,
			[]string{`line 1: group n, (?<n>[a-z]+), does not match the value`}},
		{"a part of a word elsewhere", `(r/(?<n>[a-z]+):1)`, "(r/foo9:1)", `(r/(?<n>[a-z]+):1)`,
			[]string{`line 1: group n, (?<n>[a-z]+), does not match the value`}},
		{"a part that does not come first", `(r/(?<n>[a-z]+):1)`, "(r/9foo9:1)", `(r/(?<n>[a-z]+):1)`,
			[]string{`line 1: group n, (?<n>[a-z]+), does not match the value`}},
		{"a group with its own anchors takes no part of a text", `(r/(?<n>^[a-z]+$):1)`, "(r/foo9:1)", `(r/(?<n>^[a-z]+$):1)`,
			[]string{`line 1: group n, (?<n>^[a-z]+$), does not match the value`}},
		{"an anchor that cannot hold", `r: (?<n>b^c)`, "r: bc", `r: (?<n>b^c)`, []string{`line 1: group n, (?<n>b^c), does not match the value`}},
		{"an anchor that cannot hold beside a group", `(?<m>.) (?<n>b$c)`, "a bc", `(?<m>.) (?<n>b$c)`, []string{`line 1: group n, (?<n>b$c), does not match the value`}},
		{"an empty match is not a part", `(r/(?<n>\d*):1)`, "(r/x:1)", `(r/(?<n>\d*):1)`, []string{`line 1: group n, (?<n>\d*), does not match the value`}},
		{"nothing where something is asked for", "x: (?<h>.+) y", "x:  y", "x: (?<h>.+) y", []string{`line 1: group h, (?<h>.+), finds no place in the value`}},
		{"nothing for the first of two groups", `(?<a>x+)-(?<b>\d)`, "-5", `(?<a>x+)-(?<b>\d)`, []string{`line 1: group a, (?<a>x+), finds no place in the value`}},
		{"nothing for the last of two groups", `(?<b>\d)-(?<a>x+)`, "5-", `(?<b>\d)-(?<a>x+)`, []string{`line 1: group a, (?<a>x+), finds no place in the value`}},
		{"two differences", `img/(?<i>\w+):v(?<v>\d+)/prod`, "img/web:v3/test?x=1", `img/(?<i>\w+):v(?<v>\d+)/prod`, nil},
		{"differences around two groups", `one (?<a>\d+) two (?<b>\d+) three`, "uno 1 due 2 tre", `one (?<a>\d+) two (?<b>\d+) three`, nil},
		{"a character of no width", "\x00(?<n>\\d+)-x", "y7x", "\x00(?<n>\\d+)-x", nil},
		{"nothing in common", `(?<a>\d+)`, "x", `(?<a>\d+)`, []string{`line 1: group a, (?<a>\d+), does not match the value`}},
		{"an empty input", `a (?<a>\d+)`, "", `a (?<a>\d+)`, []string{`line 1: group a, (?<a>\d+), finds no place in the value`}},
		{"letters of other scripts", `größe: (?<n>\d+)µm`, "größe: 12 µm", `größe: (?<n>\d+)µm`,
			[]string{`line 1: group n, (?<n>\d+), does not match the value`}},
		{"no groups", `a (b)`, "x", `a (b)`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Apply(CaptureGroups, c.template, c.input)
			if err != nil {
				t.Fatal(err)
			}
			if o.Value != c.value {
				t.Errorf("got %q, want %q", o.Value, c.value)
			}
			if d := cmp.Diff(c.findings, messages(o)); d != "" {
				t.Error("findings:", d)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, function, template string
		want                     string // "" for a usable value
	}{
		{"regex", Regex, `^a(b|c)[)]\($`, ""},
		{"nothing closed", Regex, "x\n  a(b(c)", "1:1: missing closing )"},
		{"too much closed", Regex, `a(b)\))c`, "1:1: unexpected )"},
		{"a class not closed", Regex, "aä[b", "1:3: missing closing ]: [b"},
		{"the second of two repetitions", Regex, `a*|*`, "1:1: missing argument to repetition operator: *"},
		{"a repetition of a repetition", Regex, `a**`, "1:2: invalid nested repetition operator: **"},
		{"an unknown escape", Regex, `\\y\y`, `1:1: invalid escape sequence: \y`},
		{"a backslash at the end", Regex, `ab\`, "1:1: trailing backslash at end of expression"},
		{"a range the wrong way", Regex, "a\n[z-a]", "2:2: invalid character class range: z-a"},
		{"too many", Regex, `x{1001}`, "1:2: invalid repeat count: {1001}"},
		{"looking ahead", Regex, `a(?!b)`, "1:2: invalid or unsupported Perl syntax: (?!; lookahead and lookbehind are not supported"},
		{"no UTF-8", Regex, "\xff", "1:1: invalid UTF-8"},

		{"a malformed group", CaptureGroups, `(?<a>[`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Check(c.function, c.template)
			if got := text(err); got != c.want {
				t.Errorf("Check(%q):\n got %s\nwant %s", c.template, got, c.want)
			}
			o, err := Apply(c.function, c.template, "input")
			if got := text(err); got != c.want {
				t.Errorf("Apply(%q):\n got %s\nwant %s", c.template, got, c.want)
			}
			if err != nil && !cmp.Equal(o, Outcome{}) {
				t.Errorf("an error, and an outcome: %v", o)
			}
		})
	}
}

// A group that cannot be used is text; what stands beside it is read as ever.
func TestMalformedGroups(t *testing.T) {
	const noName = "the group's name is not of the form (?<name>…), with a name of letters, digits and _"
	for _, c := range []struct {
		name, template string
		groups         string   // the texts of the groups that are left, each in brackets
		want           []string // what is malformed
	}{
		{"none", `a (?<a>.*) (?P<b>\d) (?<a>[)])`, `[(?<a>.*)][(?P<b>\d)][(?<a>[)])]`, nil},
		{"text", "a) (b [c \\ ** (?<=a) (?<!b)", "", nil},
		{"no UTF-8 in text alone", "\xff", "", nil},
		{"no UTF-8 beside groups", "\xff(?<a>b)", "", []string{"1:1: the value is not valid UTF-8"}},
		{"not closed", "x: 1\ny: (?<a>.*\nz: (1)", "", []string{"2:4: group a is not closed; write ) where it ends"}},
		{"a parenthesis in it not closed", "y: (?<a>.(b\nz: )", "", []string{"1:4: group a is not closed; write ) where it ends"}},
		{"a parenthesis in it, nothing closed", "y: (?<a>.(b", "",
			[]string{"1:4: group a is not closed; write ) where it ends"}},
		{"a class in it not closed", "y: (?<a>[(])[(?<b>[)", "[(?<a>[(])]", []string{
			`1:14: a character class of group b is not closed; write ] where it ends, or \[ for the character`,
		}},
		{"a class not closed, and a group behind it", "y: (?<a>[) (?<b>x)", "[(?<b>x)]", []string{
			`1:4: a character class of group a is not closed; write ] where it ends, or \[ for the character`,
		}},
		{"a name with a hyphen", "\n (?<a-b>x)", "", []string{"2:2: " + noName}},
		{"no name", "(?P<>x)", "", []string{"1:1: " + noName}},
		{"a name that does not end", "(?<a", "", []string{"1:1: " + noName}},
		{"the second of three", `(?<a>\\y) (?<b>\y) (?<c>z)`, `[(?<a>\\y)][(?<c>z)]`, []string{`1:16: invalid escape sequence: \y`}},
		{"all of two", `(?<a>*) (?<b>+)`, "", []string{
			"1:6: missing argument to repetition operator: *", "1:14: missing argument to repetition operator: +"}},
		{"looking behind in it", `(?<b>(?<=a)b)`, "", []string{"1:6: invalid named capture: (?<=a); lookahead and lookbehind are not supported"}},
		{"a group inside it", `(?<a>**(?<b>x))`, "[(?<b>x)]", []string{"1:1: missing argument to repetition operator: *"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			malformed, err := Check(CaptureGroups, c.template)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range malformed {
				got = append(got, m.Error())
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			pieces, _ := scan(c.template)
			groups := ""
			for _, p := range pieces {
				if p.group != nil {
					groups += "[" + p.text + "]"
				}
			}
			if groups != c.groups {
				t.Errorf("groups %s, want %s", groups, c.groups)
			}
			if o, err := Apply(CaptureGroups, c.template, "other"); err != nil || len(o.Malformed) != len(malformed) {
				t.Errorf("Apply: %v, %d malformed", err, len(o.Malformed))
			}
		})
	}
}

func TestMalformedGroupsAreText(t *testing.T) {
	for _, c := range []struct{ template, input, value string }{
		{`a (?<b>[`, `a (?<b>[`, `a (?<b>[`},
		{`a (?<b>[`, `a x`, `a (?<b>[`},
		{`a (?<b>* (?<c>\d+)`, `a (?<b>* 12`, `a (?<b>* 12`},
		{`a (?<b>*) (?<c>\d+)`, `a y 12`, `a (?<b>*) (?<c>\d+)`},
	} {
		o, err := Apply(CaptureGroups, c.template, c.input)
		if err != nil || o.Value != c.value {
			t.Errorf("%q of %q is %q, %v; want %q", c.template, c.input, o.Value, err, c.value)
		}
	}
}

// The CRs that references bring along hold the patterns themselves.
func TestThePatternItselfAgrees(t *testing.T) {
	for _, c := range []struct{ function, template string }{
		{Regex, `[0-9]+Gi`},
		{Regex, `v(?<version>[0-9]+)`},
		{CaptureGroups, `a [(?<x_1>[[:alnum:]]+)] b`},
		{CaptureGroups, "k: (?<a>\\w)\nl: (?<a>\\w+)"},
		{CaptureGroups, `(?<a>[`},
	} {
		o, err := Apply(c.function, c.template, c.template)
		if err != nil || o.Value != c.template || !matched(o) || o.Findings != nil || o.Captures != nil {
			t.Errorf("%s, %q: %+v, %v", c.function, c.template, o, err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestGroupsAcrossFields(t *testing.T) {
	var g Groups
	if got := g.Conflicts(); got != nil {
		t.Fatalf("conflicts before there are groups: %v", got)
	}
	g.Add("spec.a", []Capture{{"host", "h1"}, {"port", "80"}})
	g.Add("spec.b", []Capture{{"port", "80"}, {"zone", "z"}})
	if got := g.Conflicts(); got != nil {
		t.Fatalf("conflicts where values agree: %v", got)
	}
	g.Add("spec.c", []Capture{{"port", "443"}, {"host", "h2"}, {"host", "h1"}})
	g.Add("spec.b", []Capture{{"port", "80"}})
	want := []Conflict{
		{Name: "host", Values: []Captured{{"h1", []string{"spec.a", "spec.c"}}, {"h2", []string{"spec.c"}}}},
		{Name: "port", Values: []Captured{{"80", []string{"spec.a", "spec.b"}}, {"443", []string{"spec.c"}}}},
	}
	got := g.Conflicts()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	for _, c := range []struct{ got, want string }{
		{got[0].Message(), `group host matches different values: "h1" at spec.a, spec.c; "h2" at spec.c`},
		{got[1].Redacted(), "group port matches 2 different values at spec.a, spec.b, spec.c"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// TestRedactedMessages makes sure that what must not be shown is not.
func TestRedactedMessages(t *testing.T) {
	for _, f := range []Finding{
		{Kind: NoMatch, Expression: `\d`, Text: "secret"},
		{Kind: PartMatch, Group: "a", Expression: `(?<a>\d)`, Line: 2, Text: "secret1", Match: "secret"},
		{Kind: NoPlace, Group: "a", Expression: `(?<a>\d)`, Line: 2},
	} {
		if got := f.Redacted(); strings.Contains(got, "secret") || !strings.Contains(got, `\d`) {
			t.Errorf("%v says %q", f, got)
		}
	}
	c := Conflict{Name: "a", Values: []Captured{{"secret", []string{"p"}}, {"secret1", []string{"p"}}}}
	if got := c.Redacted(); strings.Contains(got, "secret") {
		t.Errorf("%v says %q", c, got)
	}
}

func TestMessagesStayShort(t *testing.T) {
	long := strings.Repeat("ä", 120)
	for text, want := range map[string]string{long: long, long + "ä": long + "…"} {
		if got := (Finding{Kind: NoMatch, Expression: `x`, Text: text}).Message(); got != `expression x does not match "`+want+`"` {
			t.Errorf("got %s", got)
		}
	}
}

// TestACopyOfAGroupIsNoMatch: only a text that is the whole pattern is accepted as a copy of it. A
// text that is rendered in part is not, unless the expression matches the copy.
func TestACopyOfAGroupIsNoMatch(t *testing.T) {
	const digits, open = `(?<v>[0-9]+)`, `(?<w>.*)`
	for _, c := range []struct {
		template, input string
		agrees          bool
	}{
		{"x=" + digits + " y=" + digits, "x=" + digits + " y=" + digits, true},
		{"x=" + digits + " y=" + digits, "x=" + digits + " y=2", false},
		{"x=" + digits + " y=" + digits, "x=1 y=" + digits, false},
		{"x=" + digits + "\ny=" + digits + "\n", "x=" + digits + "\ny=2\n", false},
		{"x=" + digits + "\ny=" + open + "\n", "x=1\ny=" + open + "\n", true},
		{"x=" + digits + "\nz=1\n", "x=" + digits + "\nz=2\n", false},
	} {
		o, err := Apply(CaptureGroups, c.template, c.input)
		if got := err == nil && len(o.Findings) == 0 && o.Value == c.input; got != c.agrees {
			t.Errorf("%q with %q agrees: %v, %+v", c.template, c.input, got, o.Findings)
		}
	}
}
