package finding

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/refconfig"
)

// Words formats a difference as one line: "spec.replicas: expected 1, found 2".
func (d Difference) Words() string {
	if d.Inside != nil && len(d.Inside.Differences) > 0 {
		first := d.Inside.Differences[0]
		return Difference{
			Category:  first.Category,
			Path:      first.Path,
			Reference: first.Reference,
			Input:     first.Input,
		}.Words()
	}
	path, reference, input := d.Path, "", ""
	switch {
	case d.Reference == nil && d.Input == nil:
	case d.Reference == nil:
		path, input = firstValue(d.Path, d.Input)
	case d.Input == nil:
		path, reference = firstValue(d.Path, d.Reference)
	default:
		reference, input = brief(d.Reference, d.Input)
	}
	switch {
	case d.Accepted != nil:
		return d.Path + ": " + d.acceptedWords()
	case d.Reference == nil && d.Input == nil:
		line := d.Message
		if s, ok := d.Violation(); ok {
			line = s.Words()
		}
		return firstLine(line) + Note(d.Code)
	case d.Required():
		return d.Path + ": required, but missing"
	// an item in another place, or a part of the value
	case d.Category == Missing && d.Message != "" && (d.Code == "" || d.Input != nil):
		return d.Path + ": " + firstLine(d.Message) + Note(d.Code)
	case d.Category == Missing && reference == "null": // the field is wanted, with whatever value
		return path + ": required, but missing"
	case d.Category == Missing:
		return path + ": " + "expected " + reference + ", but missing"
	case d.Category == Extra:
		return path + ": " + input + ", not in the reference"
	case d.Code == code.EvalExact:
		return path + ": " + input + ", not allowed by the reference" + Note(d.Code)
	case d.Message != "" && (d.Code == code.EvalOrder || d.Code == code.EvalFail):
		return d.Path + ": " + firstLine(d.Message) + Note(d.Code)
	case reference == input:
		return d.Path + ": differs"
	}
	return d.Path + ": expected " + reference + ", found " + input + moreLines(d.Reference, d.Input)
}

// moreLines says how many lines of two texts differ besides the one that is named; "" for none.
func moreLines(reference, input json.RawMessage) string {
	a, b, areTexts := texts(reference, input)
	if !areTexts || !strings.Contains(a, "\n") || !strings.Contains(b, "\n") {
		return ""
	}
	count := map[string]int{}
	for line := range strings.Lines(a) {
		count[line]++
	}
	added := 0
	for line := range strings.Lines(b) {
		if count[line]--; count[line] < 0 {
			added++
		}
	}
	removed := 0
	for _, n := range count {
		removed += max(n, 0)
	}
	if more := max(added, removed) - 1; more > 0 {
		return ", and " + Plural(more, "more line differs", "more lines differ")
	}
	return ""
}

// acceptedWords says what an override accepts, what the reference says, and what the input has.
func (d Difference) acceptedWords() string {
	accepted, input := brief(d.Accepted, d.Input)
	said := "accepted nothing (reference "
	if string(d.Accepted) != "null" {
		said = "accepted " + accepted + " (reference "
	}
	if d.Reference == nil {
		said += "nothing), "
	} else {
		said += ShortValue(d.Reference) + "), "
	}
	if d.Input == nil {
		return said + "but missing"
	}
	return said + "found " + input
}

// ShortValue formats a value for one line.
func ShortValue(raw json.RawMessage) string {
	said, _ := brief(raw, nil)
	return said
}

// firstValue returns the path of the first value in a map or list, which says more than the whole,
// and the value for one line, with the number of the other ones. An empty map or list says least,
// and so does null.
func firstValue(path string, raw json.RawMessage) (at, said string) {
	var steps refconfig.FieldPath
	more := 0
	for {
		keys, below := children(raw)
		if len(below) == 0 {
			break
		}
		first := max(0, slices.IndexFunc(below, func(v json.RawMessage) bool {
			return !slices.Contains([]string{"{}", "[]", "null"}, string(v))
		}))
		for i, other := range below {
			if i != first {
				more += values(other)
			}
		}
		steps, raw = append(steps, keys[first]), below[first]
	}
	said = ShortValue(raw)
	if more > 0 {
		said += " and " + Plural(more, "more value", "more values")
	}
	switch {
	case len(steps) == 0:
		return path, said
	case path == ".":
		return steps.String(), said
	}
	return path + "." + steps.String(), said
}

// values returns the number of values in a map, a list or a value.
func values(raw json.RawMessage) (n int) {
	_, below := children(raw)
	for _, one := range below {
		n += values(one)
	}
	return max(n, 1)
}

// children returns the values directly in a map, by key, or in a list.
func children(raw json.RawMessage) (keys refconfig.FieldPath, below []json.RawMessage) {
	var fields map[string]json.RawMessage
	switch {
	case strings.HasPrefix(string(raw), "{") && json.Unmarshal(raw, &fields) == nil:
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			keys, below = append(keys, refconfig.Key(key)), append(below, fields[key])
		}
	case strings.HasPrefix(string(raw), "[") && json.Unmarshal(raw, &below) == nil:
		for i := range below {
			keys = append(keys, refconfig.Step{Index: i})
		}
	}
	return keys, below
}

// firstLine returns the first line of a message.
func firstLine(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return line
}

// longestValue is the maximum number of characters of a value that are shown.
const longestValue = 50

// brief formats both values for one line. It shows only the first line that differs of texts with
// several lines, and only the beginning of long values and the part around their first difference.
func brief(a, b json.RawMessage) (string, string) {
	var one, other string
	if s, t, ok := texts(a, b); ok {
		s, t = firstOtherLine(s, t)
		one, other = plainText(s), plainText(t)
		if alike := align.LookAlikes(s, t); alike != "" {
			one, other = quotedApart(s, alike), quotedApart(t, alike)
		}
	} else {
		one, other = plainValue(a), plainValue(b)
	}
	x, y := []rune(one), []rune(other)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	const before = 8 // at least so many equal characters are shown before the difference
	start := 0
	if max(len(x), len(y)) > longestValue && same > longestValue-2*before && a != nil && b != nil {
		start = same - before
	}
	return cutOut(x, start), cutOut(y, start)
}

// texts returns two values if both are strings.
func texts(a, b json.RawMessage) (s, t string, ok bool) {
	s, isText := text(a)
	t, areTexts := text(b)
	return s, t, isText && areTexts
}

// text returns a value if it is a string. It decodes only those that do not stand in JSON as they are,
// because few do not, and each finding has two.
func text(raw json.RawMessage) (s string, ok bool) {
	if len(raw) < len(`""`) || raw[0] != '"' {
		return "", false
	}
	if own := raw[1 : len(raw)-1]; bytes.IndexByte(own, '\\') < 0 && utf8.Valid(own) {
		return string(own), true
	}
	return s, json.Unmarshal(raw, &s) == nil
}

// firstOtherLine returns the first line in which two texts of several lines differ. It returns
// other texts unchanged.
func firstOtherLine(a, b string) (string, string) {
	if !strings.Contains(a, "\n") || !strings.Contains(b, "\n") {
		return a, b
	}
	for {
		x, moreA, _ := strings.Cut(a, "\n")
		y, moreB, _ := strings.Cut(b, "\n")
		if x != y || a == b {
			return x, y
		}
		a, b = moreA, moreB
	}
}

// cutOut returns the beginning of a text and the part from start, with ellipses for the rest.
func cutOut(text []rune, start int) string {
	const first = 16
	begin, most := "", longestValue
	if start > first {
		begin, most = string(text[:first])+"…", longestValue-first
		text = text[min(start, len(text)):]
	}
	if len(text) > most {
		return begin + string(text[:most]) + "…"
	}
	return begin + string(text)
}

// plainValue formats a value for one line: a map or list that is long as a placeholder, and a string without
// quotes if it cannot be mistaken for another value.
func plainValue(raw json.RawMessage) string {
	if s, isText := text(raw); isText {
		return plainText(s)
	}
	switch all := string(raw); {
	case strings.HasPrefix(all, "{") && len(all) > longestValue:
		return "{…}"
	case strings.HasPrefix(all, "[") && len(all) > longestValue:
		return "[…]"
	default:
		return all
	}
}

// quotedApart quotes a string, with escapes for the characters of alike.
func quotedApart(s, alike string) string {
	s = strconv.Quote(s)
	for _, r := range alike {
		escaped := strconv.QuoteToASCII(string(r))
		s = strings.ReplaceAll(s, string(r), escaped[1:len(escaped)-1])
	}
	return s
}

// plainText formats a string for one line, with quotes if it could be mistaken for another value.
func plainText(s string) string {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsFunc(s, odd) || strings.IndexByte(`"[{`, s[0]) >= 0 {
		return strconv.Quote(s)
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "~":
		return strconv.Quote(s)
	}
	if strings.IndexByte("+-.0123456789IiNn", s[0]) >= 0 { // what is no number takes an error
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return strconv.Quote(s)
		}
	}
	return s
}
