package placeholder

import (
	"bytes"
	"strings"
)

// hide is what is added to an ASCII character of a placeholder, so that it means nothing in YAML:
// it moves it to a plane of Unicode for private use.
const hide = 0xF0000

// Readings returns ways to write a YAML text whose placeholders are no YAML, the best first; none
// where it has no such. The characters of a placeholder are replaced by others that mean nothing,
// see Restore. A line of actions alone that decide or repeat, such as {{ if .x }}, becomes blank.
// One that prints is taken for a value, else for a key, else it becomes blank too. All have the
// lines of the text.
func Readings(text []byte) [][]byte {
	if !bytes.Contains(text, []byte("{{")) && !bytes.Contains(text, []byte("${")) {
		return nil
	}
	var all [][]byte
	for _, suffix := range []string{"", ":", blanked} {
		if one := reading(string(text), suffix); len(all) == 0 || !bytes.Equal(one, all[len(all)-1]) {
			all = append(all, one)
		}
	}
	return all
}

// blanked stands for no line at all.
const blanked = "\n"

// reading writes a text anew. A suffix is put behind lines that print and hold nothing else.
func reading(text, suffix string) []byte {
	var out strings.Builder
	block := -1 // how deep the key stands whose value is the text of the lines below; -1 for none
	closed := len(text) - strings.LastIndex(text, "}}")
	for text != "" {
		line := firstLine(text, closed)
		text = text[len(line):]
		content := strings.TrimRight(line, "\r\n")
		end := line[len(content):]
		indent := len(content) - len(strings.TrimLeft(content, " "))
		alone, prints := actions(content)
		switch {
		case block >= 0 && (indent > block || strings.TrimSpace(content) == ""):
			out.WriteString(line)
			continue
		case alone && (!prints || suffix == blanked):
			content = strings.Repeat("\n", strings.Count(content, "\n"))
		case alone:
			content = masked(content) + suffix
		default:
			content = masked(content)
			block = blockAt(content, indent)
		}
		out.WriteString(content + end)
	}
	return []byte(out.String())
}

// firstLine is the first line of a text, with those that its last action goes on in. Closed is how
// many bytes before the end of the text the last }} stands.
func firstLine(text string, closed int) string {
	end := lineEnd(text, 0)
	for at := 0; ; {
		start := strings.Index(text[at:end], "{{")
		if start < 0 || at+start > len(text)-closed {
			return text[:end]
		}
		at += start
		at += strings.Index(text[at:], "}}") + len("}}")
		end = max(end, lineEnd(text, at))
	}
}

// lineEnd is where the line of an offset ends, with its break.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// actions reports whether a line holds nothing but {{ … }}, and whether one of them prints a value.
func actions(line string) (alone, prints bool) {
	for _, p := range Cut(strings.TrimSpace(line)) {
		if !p.Open && strings.TrimSpace(p.Text) != "" || p.Open && !strings.HasPrefix(p.Text, "{{") {
			return false, false
		}
		alone = true
		prints = prints || p.Open && word(p.Text) == "" && p.Text != ""
	}
	return alone, prints
}

// masked replaces the characters of placeholders. The line breaks that are in one stand behind it.
func masked(line string) string {
	var out strings.Builder
	breaks := 0
	for _, p := range Cut(line) {
		if !p.Open {
			out.WriteString(p.Text)
			continue
		}
		for _, c := range p.Text {
			if c < 0x80 {
				c += hide
			}
			out.WriteRune(c)
		}
		breaks += strings.Count(p.Text, "\n")
	}
	return out.String() + strings.Repeat("\n", breaks)
}

// blockAt is how deep a line stands whose value is the text of the lines below it; -1 where it
// begins none.
func blockAt(line string, indent int) int {
	line, _, _ = strings.Cut(line, " #")
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return -1
	}
	last, before := fields[len(fields)-1], fields[len(fields)-2]
	if strings.ContainsAny(last[:1], "|>") && strings.Trim(last[1:], "+-123456789") == "" &&
		(strings.HasSuffix(before, ":") || before == "-") {
		return indent
	}
	return -1
}

// Restore gives the characters of placeholders back to a text of a reading.
func Restore(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= hide && c < hide+0x80 {
			return c - hide
		}
		return c
	}, text)
}
