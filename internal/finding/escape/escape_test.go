package escape

import (
	"testing"
	"unicode"
)

// TestHidden: no character that shows nothing, or that changes the order or the look of others, is
// shown as it is; letters, signs, combining marks and emoji are.
func TestHidden(t *testing.T) {
	for _, all := range []*unicode.RangeTable{
		unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Join_Control,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point, unicode.Deprecated,
	} {
		for _, r := range runesOf(all) {
			if graphic := all == unicode.Deprecated && unicode.IsGraphic(r); !Hidden(r) && !graphic {
				t.Errorf("%U is shown as it is", r)
			}
		}
	}
	for _, r := range "\u00a0\u1680\u2003\u3000\u2800\u303f\ufffc\u2d7f\U0001107f\U00013441\U00016fe4\U0001d159\u0378" {
		if !Hidden(r) || Text("a"+string(r)+"b") == "a"+string(r)+"b" {
			t.Errorf("%U is shown as it is", r)
		}
	}
	for _, r := range " ~äß設定あ한ประไทยक्षि\u0301\u20dd€☃👩🏽\ue000\ufffd" {
		if Hidden(r) {
			t.Errorf("%U is hidden", r)
		}
	}
}

// runesOf returns the characters of a table.
func runesOf(table *unicode.RangeTable) (all []rune) {
	for _, r := range table.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			all = append(all, c)
		}
	}
	for _, r := range table.R32 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			all = append(all, c)
		}
	}
	return all
}
