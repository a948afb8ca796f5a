// Package escape makes untrusted text safe to show. It replaces characters by escapes if a terminal
// or viewer would act on them, or if they are invisible. It also prints values as lines of YAML.
package escape

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/run/code"
)

// maxMarks is the number of consecutive combining marks up to which they are shown as they are. No
// language needs more, and they would be drawn over the lines above.
const maxMarks = 4

// DefaultLongest is the maximum number of bytes of a line that are shown.
const DefaultLongest = 1 << 20

// Short makes a text safe to print on one line of a terminal and limits its length.
func Short(s string) string { return Text(Shortened(s, DefaultLongest)) }

// Shortened cuts a text that is longer than longest bytes and appends the number of bytes that were
// cut.
func Shortened(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	end := longest
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d more bytes; --limit line=N shows more, %s)", s[:end], len(s)-end, code.LimitLine)
}

// JSON replaces hidden characters of a JSON text by escapes. They occur only inside strings.
func JSON(text []byte) []byte {
	if Plain(text) {
		return text
	}
	var out bytes.Buffer
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		// the encoder wrote U+FFFD for invalid UTF-8, so it becomes an escape
		case r == '\n' || !Hidden(r) && r != utf8.RuneError:
			out.Write(text[at : at+size])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		at += size
	}
	return out.Bytes()
}

// Plain reports whether a text has only printable ASCII and line feeds, so that nothing needs an
// escape.
func Plain[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// Text makes a text safe to print on one line. It escapes control characters, ANSI sequences,
// characters that change the writing direction or have no width, line separators and invalid UTF-8.
func Text(s string) string { return Apart(s, "") }

// Apart does the same as Text, and also escapes the characters of alike, which look like other ones.
func Apart(s, alike string) string {
	if Plain(s) && strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var b strings.Builder
	marks := 0
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[at])
		case Hidden(r) || marks > maxMarks || strings.ContainsRune(alike, r):
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		at += size
	}
	return b.String()
}

// Hidden reports whether a character is invisible, such as a filler, looks like a space, or changes
// how the text around it is shown.
func Hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r) ||
		unicode.In(r, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		strings.ContainsRune(blankSigns, r)
}

// blankSigns are the characters that show nothing although Unicode calls them letters, marks or
// symbols: the blank of Braille, joiners and selectors of scripts, the half space of ideographs,
// the placeholder for objects, blank hieroglyphs, the filler of Khitan and the null note.
const blankSigns = "\u2800\u2d7f\u303f\ufffc\U0001107f\U00011a47\U00011a99\U00013441\U00013442\U00016fe4\U0001bc9d\U0001d159"

// escape writes a character as in a double-quoted YAML string.
func escape(r rune) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Line does the same as Text for a line of a block, and also escapes a blank at the end, because it
// would be invisible.
func Line(s string) string { return LineApart(s, "") }

// LineApart does the same as Line, and also escapes the characters of alike, as Apart does.
func LineApart(s, alike string) string {
	s = Apart(s, alike)
	if strings.HasSuffix(s, " ") {
		return s[:len(s)-1] + `\x20`
	}
	return s
}
