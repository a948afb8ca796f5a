package escape

import (
	"fmt"
	"strings"
)

// Writer collects the lines of a text for people.
type Writer struct{ strings.Builder }

// Line adds a line. It indents the line by two blanks for each level of depth, and escapes it with
// the function Line.
func (w *Writer) Line(depth int, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", depth) + Line(fmt.Sprintf(format, args...)) + "\n")
}
