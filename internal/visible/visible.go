// Package visible makes what comes from outside safe to look at: in go texts that may hold
// anything, out come texts in which whatever a terminal or a viewer would act on, or nobody would
// see, stands as an escape. It also writes values that are no maps and lists on one line of YAML.
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

// marksMost is how many combining marks may follow each other before they are shown as escapes:
// more are no writing, and would be drawn over the lines above.
const marksMost = 4

// DefaultLongest is how many bytes of a line are shown.
const DefaultLongest = 1 << 20

// Short makes a text safe to print on one line of a terminal, whatever is in it, and not longer
// than anybody would read.
func Short(s string) string { return Text(Shortened(s, DefaultLongest)) }

// Shortened is the beginning of a text that is too long, with a note of how much more there is.
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

// JSON puts escapes into a JSON text in the place of what a terminal or a viewer might act on.
// There is nothing of that outside of strings.
func JSON(text []byte) []byte {
	if Plain(text) {
		return text
	}
	var out bytes.Buffer
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		// which the encoder writes as an escape, where it stands for bytes that are no UTF-8
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

// Plain reports whether a text is of printable ASCII and line feeds only, so that there is nothing
// to be made visible.
func Plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// Text makes a text safe to print on one line: control characters, ANSI escapes, characters that
// turn the direction of writing or have no width, line separators and bytes that are no UTF-8
// become escapes that can be seen.
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

// Hidden reports whether a character cannot be seen, or does something to what stands around it.
func Hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == '\u2028' || r == '\u2029' || r == '\u2800':
		return true // separators of lines and paragraphs, the blank of Braille
	case r == '\u00a0' || r == '\u3000' || r >= '\u2000' && r <= '\u200a' || r == '\u202f' || r == '\u205f' ||
		r == '\u1680':
		return true // blanks that look like a space and are none
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector,
		r) && r != '\ufe0f':
		return true // fillers, and variation selectors; the one for emoji is seen
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cs, r) ||
		!unicode.IsGraphic(r) && !isPrivate(r)
}

func isPrivate(r rune) bool { return unicode.Is(unicode.Co, r) }

// escape writes a character as a YAML double-quoted string does.
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

// Line is Text for a line of a block of text: blanks at the end, where nobody sees them, become
// visible too.
func Line(s string) string {
	s = Text(s)
	if strings.HasSuffix(s, " ") {
		return s[:len(s)-1] + `\x20`
	}
	return s
}
