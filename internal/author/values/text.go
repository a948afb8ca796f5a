package values

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// Mark is the beginning of each file with a rendered CR.
const Mark = "# Rendered by validationTool, from "

// Text returns the CR as YAML, below a comment with its template. A CR with characters that are
// invisible or control a terminal is written as JSON, which is valid YAML, with these characters
// escaped.
func (c CR) Text() string {
	text := tree.YAML(c.Value)
	for line := range strings.Lines(strings.ReplaceAll(text, "\t", " ")) {
		line = strings.TrimSuffix(line, "\n")
		if escape.Text(line) != line {
			asJSON, err := escape.IndentedJSON(c.Value, "")
			if err != nil {
				panic(err) // every CR that was read from YAML can be written as JSON
			}
			text = string(asJSON) + "\n"
			break
		}
	}
	return fmt.Sprintf("%s%s; a change here is lost the next time\n%s", Mark, escape.Line(c.Template), text)
}
