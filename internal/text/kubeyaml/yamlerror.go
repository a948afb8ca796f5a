package kubeyaml

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// yamlError converts an error of yaml.v3 to a fault with a position. It searches first for bytes
// that yaml.v3 rejects, because their errors have no position.
func yamlError(err error, text []byte, base int) *SyntaxError {
	if fault := badByte(text, base); fault != nil {
		return fault
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	said := 1
	if rest, found := strings.CutPrefix(message, "line "); found {
		number, reason, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			said, message = n, reason
		}
	}
	line := faultLine(err.Error(), text, said)
	if tabIndents(text, line) {
		message = "a tab in the indentation; YAML requires spaces"
	}
	return &SyntaxError{Line: base + line, Message: withoutQuotes(message)}
}

// tabIndents reports whether a tab is in the indentation of a 1-based line.
func tabIndents(text []byte, line int) bool {
	starts := lineStarts(text, 0)
	rest := text[starts[min(line, len(starts))-1]:]
	return bytes.IndexByte(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))], '\t') >= 0
}

// withoutQuotes removes quoted text, such as the name of an anchor, from a message of yaml.v3,
// because it comes from the input. It keeps single characters, which belong to the syntax.
func withoutQuotes(message string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(message, "'")
		quoted, after, closed := strings.Cut(rest, "'")
		if !found || !closed {
			b.WriteString(message)
			return b.String()
		}
		b.WriteString(before)
		message = after
		if len(quoted) == 1 {
			b.WriteString("'" + quoted + "'")
			continue
		}
		message = strings.TrimPrefix(message, " ")
	}
}

// faultLine returns the line of a fault: the first line at which yaml.v3 finds the same fault if
// the text ends there. said is the line in the library's error text: the line of the surrounding
// map or list, often off by one. It is used only for a text that is so long that reading it
// repeatedly takes seconds.
//
// yaml.v3 reads from the beginning to the end, so more lines do not change what it finds, and a
// binary search finds the line. The last line is tried first, because files that were cut off are
// long.
func faultLine(fault string, text []byte, said int) int {
	const most = 1 << 18
	starts := lineStarts(text, 0)
	if last := len(starts) - 1; last > 0 && starts[last] == len(text) {
		starts = starts[:last] // the text after the last line break is not a line
	}
	lines := len(starts)
	within := func(line int) bool { return line >= lines || yamlFault(text[:starts[line]]) == fault }
	if !within(lines - 1) {
		return lines
	}
	if len(text) > most {
		return min(said, lines)
	}
	return 1 + sort.Search(lines, func(i int) bool { return within(i + 1) })
}

// yamlFault returns the error of yaml.v3 about the text, or "".
func yamlFault(text []byte) (fault string) {
	defer func() {
		if recover() != nil {
			fault = "panic"
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return err.Error()
		}
	}
}
