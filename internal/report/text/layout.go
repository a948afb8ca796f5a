package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// continued is printed before the continuation of a line.
const (
	continued      = "↳ "
	continuedWidth = 2
)

// ruler measures text in columns of a terminal. The user's locale does not affect it.
type ruler struct {
	condition *runewidth.Condition
	longest   int // maximum number of bytes of a paragraph; 0 for no limit
}

func newRuler() ruler {
	return ruler{&runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}, 0}
}

func (r ruler) width(s string) int {
	switch n, narrow := narrowRunes(s); {
	case isASCII(s):
		return len(s)
	case narrow:
		return n
	}
	return r.condition.StringWidth(s)
}

// head returns the start of s that is at most width columns wide.
func (r ruler) head(s string, width int) string {
	if _, narrow := narrowRunes(s); !narrow {
		return r.condition.Truncate(s, width, "")
	}
	for i := range s {
		if width == 0 {
			return s[:i]
		}
		width--
	}
	return s
}

// narrowRunes returns the number of characters of a text, and whether each is one column wide by
// itself: ASCII, or a sign that reports use themselves. For any other character, the library fills
// tables of 2 MB.
func narrowRunes(s string) (n int, narrow bool) {
	for _, c := range s {
		if (c < ' ' || c > '~') && !strings.ContainsRune("…⋮↳−", c) {
			return 0, false
		}
		n++
	}
	return n, true
}

// piece is the range [start, end) of a text that fits into a line.
type piece struct{ start, end int }

// wrap cuts a text into pieces. The first piece is at most first columns wide, the others at most
// rest columns. For a full line before a rest of the text, cut returns where to end it, but never
// inside a character. Invariant: joined, the pieces are the text.
func (r ruler) wrap(s string, first, rest int, cut func(line, rest string) int) []piece {
	var pieces []piece
	for start, width := 0, first; ; width = rest {
		n := r.fit(s[start:], max(width, 2))
		end := start + n
		if end < len(s) {
			end = start + cut(s[start:end], s[end:])
		}
		pieces = append(pieces, piece{start, end})
		if end >= len(s) {
			return pieces
		}
		start = end
	}
}

// fit returns how many bytes of s fit into the width, at least one character.
func (r ruler) fit(s string, width int) int {
	// Only the start of a long text is measured. This window grows until it has enough columns.
	for window := 4 * (width + 4); ; window *= 2 {
		if len(s) <= width && isASCII(s) {
			return len(s)
		}
		part := s
		if window < len(s) {
			for window > 0 && !utf8.RuneStart(s[window]) {
				window--
			}
			part = s[:window]
		}
		head := r.head(part, width)
		switch {
		case len(head) == len(part) && len(part) < len(s):
			continue
		case head == "" && part != "":
			_, size := utf8.DecodeRuneInString(part)
			return size
		}
		return len(head)
	}
}

// cutValue ends a line of YAML before a blank or after a comma or semicolon if one is near the
// line's end, else at its end. Otherwise a value could look shorter than it is.
func cutValue(s, rest string) int {
	if rest[0] == ' ' && !strings.HasSuffix(s, " ") {
		return len(s)
	}
	for i := len(s) - 1; i > len(s)*3/5; i-- {
		if s[i] == ' ' && s[i-1] != ' ' {
			return i
		}
		if c := s[i-1]; c == ',' || c == ';' {
			return i
		}
	}
	return len(s)
}

// cutProse ends a line of prose before its last blank, if the word after it fits into a line, or
// after its last slash, comma or dot, unless that leaves a very short line.
func cutProse(s, rest string) int {
	if rest[0] == ' ' {
		return len(s)
	}
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		end := strings.IndexByte(rest[:min(len(rest), i+1)], ' ')
		if i > len(s)/4 || end >= 0 || len(rest) <= i {
			return i
		}
	}
	if i := strings.LastIndexAny(s, "/,."); i > len(s)/4 {
		return i + 1
	}
	return len(s)
}

// cutName ends a line of a name after its last dash, slash, dot or underscore, unless that leaves
// a very short line.
func cutName(s, _ string) int {
	if i := strings.LastIndexAny(s, "-/._"); i > len(s)/4 {
		return i + 1
	}
	return len(s)
}

// cellLines lays out a cell in coloured lines of at most width columns, without padding. It also
// returns the width of each line.
func (r ruler) cellLines(c *finding.Line, width int, line, word *color.Color) (lines []string, columns []int) {
	if c == nil {
		return nil, nil
	}
	indent := min(c.Indent, width/2)
	hang := min(indent+2, width/2)
	for i, p := range r.wrap(c.Text, width-indent, width-hang-continuedWidth, cutValue) {
		lead := spacesOf(indent)
		if i > 0 {
			lead = spacesOf(hang) + continued
		}
		lines = append(lines, lead+paintSpans(c.Text, c.Differing(), p, line, word))
		columns = append(columns, r.width(lead)+r.width(c.Text[p.start:p.end]))
	}
	return lines, columns
}

// paintSpans paints a piece of a line, and the spans in it in another style.
func paintSpans(text string, spans []finding.Span, p piece, line, word *color.Color) string {
	if len(spans) == 0 {
		return paint(line, text[p.start:p.end])
	}
	var b strings.Builder
	at := p.start
	for _, s := range clip(spans, p) {
		b.WriteString(paint(line, text[at:s.Start]))
		b.WriteString(paint(word, text[s.Start:s.End]))
		at = s.End
	}
	b.WriteString(paint(line, text[at:p.end]))
	return b.String()
}

func clip(spans []finding.Span, p piece) []finding.Span {
	var out []finding.Span
	for _, s := range spans {
		s.Start, s.End = max(s.Start, p.start), min(s.End, p.end)
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// paragraph lays out a text in lines of at most width columns: the first is indented by indent
// blanks, the others by hang blanks. A text that is a single link is not wrapped, so that users can
// open and copy it. Control characters, including line breaks, are made visible.
func (r ruler) paragraph(text string, width, indent, hang int) []string {
	var lines []string
	text = strings.TrimRight(text, " \r\n")
	if r.longest > 0 {
		text = escape.Shortened(text, r.longest)
	}
	text = escape.Text(text)
	if strings.HasPrefix(text, "https://") && !strings.Contains(text, " ") {
		return []string{spacesOf(indent) + text}
	}
	for _, p := range r.wrap(text, width-indent, width-hang, cutProse) {
		cut := strings.TrimRight(text[p.start:p.end], " ")
		if p.start > 0 {
			cut = strings.TrimLeft(cut, " ")
		}
		lines = append(lines, spacesOf(indent)+cut)
		indent = hang
	}
	return lines
}

// proseLines splits an author's text, such as a description, into its lines; nil if it is empty.
func proseLines(text string) []string {
	if text = strings.TrimRight(text, " \r\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// spacesOf returns n blanks.
func spacesOf(n int) string { return strings.Repeat(" ", max(n, 0)) }

// isASCII reports whether a text has one column for each byte.
func isASCII(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= utf8.RuneSelf })
}
