package function

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// Every function that produces more than its arguments, or that searches, must refuse too large
// arguments and accept ordinary ones.
func TestWhatIsTooLargeIsKnownBeforeTheCall(t *testing.T) {
	const output = 64 << 20
	long, lines := strings.Repeat("ab", 1_000_000), strings.Repeat("\n", 1_000_000)
	list := make([]any, 1_000_000)
	var deep any = list
	for range 50 {
		deep = []any{deep}
	}
	slow := "a.*x|b" + strings.Repeat("|q", 10_000) // reads all of the text for each match
	large := map[string][]any{}
	for names, args := range map[string][]any{
		"until seq":       {2_000_000_000},
		"untilStep":       {0, 2_000_000_000, 1},
		"repeat":          {2_000_000_000, "x"},
		"printf":          {strings.Repeat("%999999d", 100), 1},
		"indent nindent":  {100_000, lines},
		"wrapWith":        {1, long, long},
		"replace":         {"", long, long},
		"join":            {long, list},
		"split splitList": {"", long},
		"splitn":          {"", 1_000_000_000, long},

		"randAlphaNum randAlpha randAscii randNumeric randBytes": {output},
		"toYaml toPrettyJson mustToPrettyJson toToml":            {deep},

		"trimAll trimall":            {long, long},
		"without mustWithout":        slices.Concat([]any{list}, list[:100]),
		"regexMatch mustRegexMatch":  {strings.Repeat("(a|b)*c", 100), long},
		"regexFind mustRegexFind":    {strings.Repeat("(a|b)*c", 100), long},
		"regexFindAll regexSplit":    {slow, long, -1},
		"regexReplaceAll":            {slow, long, "y"},
		"regexReplaceAllLiteral":     {slow, long, "y"},
		"mustRegexFindAll":           {slow, long, -1},
		"mustRegexSplit":             {slow, long, -1},
		"mustRegexReplaceAll":        {slow, long, "y"},
		"mustRegexReplaceAllLiteral": {slow, long, "y"},
	} {
		for name := range strings.FieldsSeq(names) {
			large[name] = args
		}
	}
	for name, f := range Table() {
		args, listed := large[name]
		if listed != (f.makes != nil || f.searches != nil) {
			t.Errorf("%s: the test has arguments for it: %v", name, listed)
		}
		if !listed {
			continue
		}
		most := tree.Size{Nodes: 2_000_000, Bytes: output, Height: 1000}
		if size, _, ok := f.Makes(args, most); !ok || size.Bytes <= output && size.Searched <= MostSearched {
			t.Errorf("%s makes %+v, %v", name, size, ok)
		}
		var few []any
		for _, a := range args[:min(len(args), 3)] {
			switch a.(type) {
			case string:
				few = append(few, "ab")
			case int:
				few = append(few, 3)
			default:
				few = append(few, []any{"a"})
			}
		}
		if size, _, ok := f.Makes(few, most); !ok || size.Bytes > 10_000 || size.Searched > 10_000 {
			t.Errorf("%s makes %+v of little, %v", name, size, ok)
		}
	}
}
