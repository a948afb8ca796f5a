package align

import (
	"strings"
	"testing"
)

func TestLookAlikes(t *testing.T) {
	for _, test := range []struct{ name, a, b, want string }{
		{"equal texts", "\u0430pple", "\u0430pple", ""},
		{"ASCII", "l1O0", "11OO", ""},
		{"Cyrillic", "apple", "\u0430pple", "\u0430"},
		{"Greek", "\u03bfne", "one", "\u03bf"},
		{"two scripts", "\u0430", "\u0251", "\u0430\u0251"},
		{"a dotless letter", "pin", "p\u0131n", "\u0131"},
		{"a wide digit", "12", "1\uff12", "\uff12"},
		{"a space that keeps words together", "a b", "a\u00a0b", "\u00a0"},
		{"a short dash", "a-b", "a\u2013b", "\u2013"},
		{"a long dash", "a-b", "a\u2014b", "\u2014"},
		{"minus", "-1", "\u22121", "\u2212"},
		{"two dashes", "a\u2013b", "a\u2014b", "\u2013\u2014"},
		{"quotes", `"it's"`, "\u201cit\u2019s\u201d", "\u201c\u2019\u201d"},
		{"composed and combining", "caf\u00e9", "cafe\u0301", "\u00e9\u0301"},
		{"Hangul and its parts", "\ud55c", "\u1112\u1161\u11ab", "\ud55c\u1112\u1161\u11ab"},
		{"a ligature", "file", "\ufb01le", "\ufb01"},
		{"an ellipsis", "a...", "a\u2026", "\u2026"},
		{"a visible difference besides", "apple-1", "\u0430pple-22", "\u0430"},
		{"a visible difference beside it", "a1", "\u04302", "\u0430"},
		{"an inserted word", "one apple", "one red \u0430pple", "\u0430"},
		{"an accent", "gr\u00f6\u00dfe", "grosse", ""},
		{"an accent as a mark", "cafe", "cafe\u0301", ""},
		{"another script", "\u8a2d\u5b9a", "setting", ""},
		{"the same script", "\u0444\u0430\u0439\u043b", "\u0444\u0430\u0439\u043b1", ""},
		{"a missing letter", "\u0430pple", "pple", ""},
		{"empty", "", "\u0430", ""},
		{"invalid UTF-8", "a\xff", "\u0430\xff", "\u0430"},
		{"invalid UTF-8 that goes on", "\xff", "\xff\xff\xff", ""},
		{"a part of a character", "\xe8", "\u8a2d", ""},
		{"continuation bytes", "\x80\x80", "\x80\x81", ""},
		{"behind much text", strings.Repeat("\u00e9", 1<<20) + "a", strings.Repeat("\u00e9", 1<<20) + "\u0430", "\u0430"},
	} {
		if got := LookAlikes(test.a, test.b); got != test.want {
			t.Errorf("%s: %+q, want %+q", test.name, got, test.want)
		}
	}
}
