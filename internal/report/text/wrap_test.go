package text

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text  string
		first, rest int
		want        string // pieces, separated by ⏎
	}{
		{"fits", "abc", 3, 3, "abc"},
		{"empty", "", 3, 3, ""},
		{"hard", "abcdefgh", 3, 2, "abc⏎de⏎fg⏎h"},
		{"before a blank", "aaaa bbbb cccc", 10, 10, "aaaa bbbb⏎ cccc"},
		{"behind a comma", "0-1,20-21,40-41", 11, 11, "0-1,20-21,⏎40-41"},
		{"not far from the end", "a bbbbbbbbbbbbb", 10, 10, "a bbbbbbbb⏎bbbbb"},
		{"wide characters", "設定設定", 5, 4, "設定⏎設定"},
		{"characters of several parts", "ae\u0301🇩🇪b", 2, 2, "ae\u0301⏎🇩🇪⏎b"},
	}
	ruler := newRuler()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var pieces []string
			for _, p := range ruler.wrap(test.text, test.first, test.rest, cutValue) {
				pieces = append(pieces, test.text[p.start:p.end])
			}
			if got := strings.Join(pieces, "⏎"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
