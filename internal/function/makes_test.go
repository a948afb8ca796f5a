package function

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/tree"
)

// TestWhatIsTooLargeIsKnownBeforeTheCall: every function that makes more than it is given, or searches, says so of arguments that are too
// large, and of ordinary ones that they are not.
func TestWhatIsTooLargeIsKnownBeforeTheCall(t *testing.T) {
	const output = 64 << 20
	long, lines := strings.Repeat("ab", 1_000_000), strings.Repeat("\n", 1_000_000)
	list := make([]any, 1_000_000)
	var deep any = list
	for range 50 {
		deep = []any{deep}
	}
	regex, all := []any{strings.Repeat("(a|b)*c", 100), long}, []any{"a.*x|b" + strings.Repeat("|q", 10_000), long}
	large := map[string][]any{
		"until": {2_000_000_000}, "untilStep": {0, 2_000_000_000, 1}, "seq": {2_000_000_000}, "repeat": {2_000_000_000, "x"},
		"printf": {strings.Repeat("%999999d", 100), 1}, "indent": {100_000, lines}, "nindent": {100_000, lines}, "wrap": {1, strings.Repeat(long, 20)},
		"wrapWith": {1, long, long}, "replace": {"", long, long}, "join": {long, list}, "split": {"", long}, "splitList": {"", long}, "splitn": {"", 1_000_000_000, long},
		"randAlphaNum": {output}, "randAlpha": {output}, "randAscii": {output}, "randNumeric": {output}, "randBytes": {output},
		"toYaml": {deep}, "toPrettyJson": {deep}, "mustToPrettyJson": {deep}, "toToml": {deep},
		"trimAll": {long, long}, "trimall": {long, long}, "without": slices.Concat([]any{list}, list[:100]), "mustWithout": slices.Concat([]any{list}, list[:100]),
		"regexMatch": regex, "mustRegexMatch": regex, "regexFind": regex, "mustRegexFind": regex,
		"regexFindAll": slices.Concat(all, []any{-1}), "mustRegexFindAll": slices.Concat(all, []any{-1}), "regexSplit": slices.Concat(all, []any{-1}), "mustRegexSplit": slices.Concat(all, []any{-1}),
		"regexReplaceAll": slices.Concat(all, []any{"y"}), "mustRegexReplaceAll": slices.Concat(all, []any{"y"}), "regexReplaceAllLiteral": slices.Concat(all, []any{"y"}), "mustRegexReplaceAllLiteral": slices.Concat(all, []any{"y"}),
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
