package placeholder

import (
	"bytes"
	"strings"
)

// hide is added to an ASCII character of a placeholder. The result is a private-use character,
// which has no meaning in YAML.
const hide = 0xF0000

// Readings rewrites a text whose placeholders may keep it from being valid YAML. It returns the
// versions to try, the best first; nil if the text has no such placeholder. Each version has as
// many lines as the text. The characters of placeholders are replaced by others without a meaning
// in YAML; see Restore. A line of actions that print nothing, such as {{ if .x }}, becomes blank.
// A line of actions that print becomes a value in the first version, a key in the second, and
// blank in the last.
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

// blanked is the suffix with which the function reading replaces lines of actions that print by blank
// lines.
const blanked = "\n"

// reading returns a version of a text. The suffix is added to lines of actions that print; see
// Readings.
func reading(text, suffix string) []byte {
	var out strings.Builder
	block := -1 // indentation of the key of the block scalar around the next lines; -1 for none
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

// firstLine returns the first line of a text, and the lines after it up to the end of an action
// that it opens. closed is the distance between the last }} and the end of the text.
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

// lineEnd returns the offset after the first line break at or after an offset.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// actions reports whether a line consists of {{ … }} only, and whether one of these prints a
// value.
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

// masked replaces the characters of placeholders. Line breaks in a placeholder are moved to the end
// of the line.
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

// blockAt returns the indentation of a line that starts a block scalar; -1 for any other line.
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

// Restore restores the characters of placeholders in a text that was read from a reading.
func Restore(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= hide && c < hide+0x80 {
			return c - hide
		}
		return c
	}, text)
}
