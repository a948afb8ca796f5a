package template

import "testing"

// The literal parts of a pattern must match in order and must not overlap.
func TestMatchersOfPatterns(t *testing.T) {
	for _, c := range []struct {
		parts []string
		value string
		want  bool
	}{
		{[]string{"a-", ""}, "a-b", true}, {[]string{"a-", ""}, "a-", true}, {[]string{"a-", ""}, "b-a-", false},
		{[]string{"", "-z"}, "a-z", true}, {[]string{"", "-z"}, "a-zz", false},
		{[]string{"ab", "bc"}, "abc", false}, {[]string{"ab", "bc"}, "abbc", true}, {[]string{"aa", "aa"}, "aaa", false},
		{[]string{"a", "b", "c"}, "axbxc", true}, {[]string{"a", "b", "c"}, "acb", false}, {[]string{"a", "b", "c"}, "abbc", true},
		{[]string{"", "b", "b", ""}, "b", false}, {[]string{"", "b", "b", ""}, "bab", true}, {[]string{"", "ab", "b", "b"}, "abb", false},
		{[]string{"a.b", ""}, "axbc", false}, {[]string{"a", "\nb"}, "a\n\nb", true}, {[]string{"a"}, "a", true}, {[]string{"a"}, "ab", false},
	} {
		if got := Partly(c.parts).Matches(c.value); got != c.want {
			t.Errorf("%q meets %q: %v", c.parts, c.value, got)
		}
	}
}
