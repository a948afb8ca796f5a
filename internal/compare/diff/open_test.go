package diff_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// TestTextsThatAreOpen checks which text of a value is the first that is only a placeholder, and
// whether one is in place of what a path leads into.
func TestTextsThatAreOpen(t *testing.T) {
	for _, c := range []struct {
		text, first string // "" for none
		above       bool   // one is above l.0.v
	}{
		{"{a: x, l: [{v: 1}]}", "", false},
		{"{a: x-$b, l: [{v: $v}]}", "l.0.v", false},
		{"{a: {b: $b}, l: [$item, $more]}", "a.b", true},
		{"{b: [x, $b], l: $list}", "b.1", true},
		{"$all", ".", true},
		{"{l: [x, $item]}", "l.1", false},
		{"{a: null}", "", false},
		{"{a: '', b: $c-d}", "", false},
		{"{a: {b: 1}, l: ['{b}']}", "", false},
		{"{a: [[x], '{{ .b }}']}", "a.1", false},
	} {
		docs, fault := kubeyaml.Parse([]byte(c.text))
		if fault != nil {
			t.Fatal(fault)
		}
		v := docs[0].Value()
		first := ""
		if path, found := diff.FirstOpen(v); found {
			first = path.String()
		}
		above := diff.StandsAbove(v, refconfig.FieldPath{refconfig.Key("l"), {Index: 0}, refconfig.Key("v")})
		if first != c.first || above != c.above {
			t.Errorf("%s: first %s, above %v; want %s, %v", c.text, first, above, c.first, c.above)
		}
	}
}
