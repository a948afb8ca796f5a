// Package visible makes untrusted text safe to show. It replaces by escapes all characters that a
// terminal or viewer would act on, and those that are invisible. It also prints values as lines of
// YAML.
package visible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/code"
)

// marksMost is the number of consecutive combining marks up to which they are shown as they are. No
// language needs more, and they would be drawn over the lines above.
const marksMost = 4

// DefaultLongest is the number of bytes of a line that are shown.
const DefaultLongest = 1 << 20

// Short makes a text safe to print on one line of a terminal and limits its length.
func Short(s string) string { return Text(Shortened(s, DefaultLongest)) }

// Shortened cuts a text that is longer than longest bytes and adds how many bytes were cut.
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
func Plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// Text makes a text safe to print on one line. It escapes control characters, ANSI sequences,
// characters that change the writing direction or have no width, line separators and invalid UTF-8.
func Text(s string) string {
	if isPlainASCII(s) {
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
		case Hidden(r) || marks > marksMost:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		at += size
	}
	return b.String()
}

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Hidden reports whether a character is invisible or changes how the text around it is shown.
func Hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == '\u2028' || r == '\u2029' || r == '\u2800':
		return true // line and paragraph separators, the Braille blank
	case r == '\u00a0' || r == '\u3000' || r >= '\u2000' && r <= '\u200a' || r == '\u202f' || r == '\u205f' ||
		r == '\u1680':
		return true // characters that look like a space
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector,
		r) && r != '\ufe0f':
		return true // fillers and variation selectors, except the selector for emoji, which is visible
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cs, r) ||
		!unicode.IsGraphic(r) && !isPrivate(r)
}

func isPrivate(r rune) bool { return unicode.Is(unicode.Co, r) }

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

// Line is Text for a line of a block: it also escapes a blank at the end, which nobody would see.
func Line(s string) string {
	s = Text(s)
	if strings.HasSuffix(s, " ") {
		return s[:len(s)-1] + `\x20`
	}
	return s
}
