package values

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/escape"
	"github.com/validationtool/validationtool/internal/tree"
)

// Mark is what the files of rendered CRs begin with.
const Mark = "# Rendered by validationTool, from "

// Text returns the CR as YAML, below a line that says what it was made from. A CR with characters
// that cannot be seen, or that a terminal acts on, is written as JSON, in which these are escapes;
// JSON is YAML too.
func (c CR) Text() string {
	text := tree.YAML(c.Value)
	for line := range strings.Lines(strings.ReplaceAll(text, "\t", " ")) {
		line = strings.TrimSuffix(line, "\n")
		if escape.Text(line) != line {
			asJSON, err := escape.IndentedJSON(c.Value, "")
			if err != nil {
				panic(err) // what is read back as a CR has nothing that JSON lacks
			}
			text = string(asJSON) + "\n"
			break
		}
	}
	return fmt.Sprintf("%s%s; a change here is lost the next time\n%s", Mark, escape.Line(c.Template), text)
}
