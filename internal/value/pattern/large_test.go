package pattern

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

// large makes up a template with a group in every other line and an input that it accepts, of about
// a megabyte. Every lost-th pair of lines is gone from the input, and every more-th has another
// behind it.
func large(lost, more int) (template, input, want string) {
	var t, i, w strings.Builder
	for n := 1; n <= 20_000; n++ {
		key, text := fmt.Sprintf("  key%d: ", n), fmt.Sprintf("some text %d", n)
		fmt.Fprintf(&t, "%s(?<g%d>.*)\n    other%d: value\n", key, n, n)
		if lost > 0 && n%lost == 0 {
			fmt.Fprintf(&w, "%s(?<g%d>.*)\n    other%d: value\n", key, n, n)
			continue
		}
		fmt.Fprintf(&i, "%s%s\n    other%d: value\n", key, text, n)
		fmt.Fprintf(&w, "%s%s\n    other%d: value\n", key, text, n)
		if more > 0 && n%more == 0 {
			fmt.Fprintf(&i, "- more: %d\n", n)
		}
	}
	return t.String(), i.String(), w.String()
}

func TestLargeValues(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for _, c := range []struct {
		name string
		more int
	}{
		{"accepted", 0},
		{"lines more", 13},
	} {
		t.Run(c.name, func(t *testing.T) {
			template, input, want := large(0, c.more)
			o, err := Apply(CaptureGroups, template, input)
			if err != nil {
				t.Fatal(err)
			}
			if o.Value != want {
				at := firstDifference(o.Value, want)
				t.Errorf("differs at %d of %d: got %.80q, want %.80q", at, len(want), o.Value[at:], want[at:])
			}
			if len(o.Findings) != 0 {
				t.Errorf("got %d findings, want none", len(o.Findings))
			}
		})
	}
}

// TestGroupsOfALongLineHaveNoPlace: a line that is too long for an alignment of characters is
// accepted as a whole or not at all.
func TestGroupsOfALongLineHaveNoPlace(t *testing.T) {
	long := strings.Repeat("x,", 3_000)
	template := long + `"a":1,"b":(?<b>\d+),` + long
	for input, want := range map[string]string{
		long + `"a":1,"b":22,` + long: long + `"a":1,"b":22,` + long,
		long + `"a":2,"b":22,` + long: template,
	} {
		o, err := Apply(CaptureGroups, template, input)
		if err != nil || o.Value != want || matched(o) != (want == input) {
			t.Errorf("%d bytes of %d, %q (%v)", len(o.Value), len(want), messages(o), err)
		}
	}
}

// TestBoundsHold: what is too much work is given up, with the text of the template in place and a
// finding for the group.
func TestBoundsHold(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	same := strings.Repeat("- a\n", 60_000)
	nested := strings.Repeat("(?<g>(?s).*)-", 200)
	noise := func(alphabet string) string {
		var b strings.Builder
		for n := range 1 << 18 {
			n := int64(n)
			b.WriteByte(alphabet[(n*n+n/7)%int64(len(alphabet))])
		}
		return b.String()
	}
	for _, c := range []struct{ name, template, input string }{
		{"lines all alike", "- q\n" + same + "(?<a>b.*)\n" + same, same + "cc\n" + same + "- c\n"},
		{"many groups that span all", nested, strings.Repeat("a-b\n", 50_000) + "x"},
		{"noise", noise("abcdefghijk ") + "(?<a>y+)" + noise("lmnopqrst,"), noise("lmnoabcp ,") + "z" + noise("abcdefgh;")},
		{"a large group", "(?<a>(?:(?:[a-z]{30}){30}){0,1}x)" + noise("ab"), noise("ba")},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Apply(CaptureGroups, c.template, c.input)
			if err != nil {
				t.Fatal(err)
			}
			if matched(o) || o.Value != c.template || len(o.Findings) == 0 {
				t.Errorf(
					"matched %v, %d bytes of %d, %d findings",
					matched(o),
					len(o.Value),
					len(c.template),
					len(o.Findings),
				)
			}
		})
	}
}

// An expression that would take long is not held against its text, and groups are compared once
// however many fields have them.
func TestExpressionsAndGroupsAreBounded(t *testing.T) {
	var groups strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&groups, "(?<g%d>a*)", i)
	}
	if _, err := Apply(Regex, groups.String(), strings.Repeat("a", 100_000)); err == nil ||
		!strings.Contains(err.Error(), "too long") {
		t.Errorf("got %v", err)
	}
	var all Groups
	for i := range 50_000 {
		for range 2 {
			all.Add(fmt.Sprint("a", i), []Capture{{Name: "g", Value: fmt.Sprint(i)}, {Name: "h", Value: "same"}})
		}
	}
	if c := all.Conflicts(); len(c) != 1 || len(c[0].Values) != 50_000 || len(c[0].Values[7].Paths) != 1 {
		t.Errorf("%d conflicts", len(c))
	}
}

func firstDifference(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// TestWorkIsSubtracted: what costs as much as is left may be done, and no more.
func TestWorkIsSubtracted(t *testing.T) {
	for _, c := range []struct {
		work, size, length int
		want               bool
		left               int
	}{{10, 5, 1, true, 0}, {10, 4, 1, true, 2}, {10, 6, 1, false, 10}, {0, 0, 5, true, 0}, {2 * matchWork, matchWork + 1, 0, false, 2 * matchWork}} {
		m := matcher{work: c.work}
		if got := m.afford(c.size, c.length); got != c.want || m.work != c.left {
			t.Errorf("%+v: %v, %d left", c, got, m.work)
		}
	}
}

// TestGroupsOfSeveralLines: what can match a line feed is known by its expression, also in a class.
func TestGroupsOfSeveralLines(t *testing.T) {
	for expression, want := range map[string]bool{
		`a\nb`: true, `(?s).`: true, `.`: false, `[\t\n]`: true, `[\n\r]`: true, `[^a]`: true, `[\x01-\x09]`: false, `[a-z]`: false, `[\t-\r]+x`: true,
		`\s`: true, `x(a|\nb)*`: true, `[\x0b-\x0c]`: false,
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := matchesLineFeed(re); got != want {
			t.Errorf("%s: %v", expression, got)
		}
	}
}
