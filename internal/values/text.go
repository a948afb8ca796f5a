package values

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/internal/visible"
)

// Mark is what the files of rendered CRs begin with.
const Mark = "# Rendered by validationTool, from "

// Text is the CR as YAML, below a line that says what it was made from. A CR with characters that cannot be seen, or that a terminal
// acts on, is written as JSON, in which these are escapes; JSON is YAML too.
func (c CR) Text() string {
	text := tree.YAML(c.Value)
	for line := range strings.Lines(strings.ReplaceAll(text, "\t", " ")) {
		line = strings.TrimSuffix(line, "\n")
		if visible.Text(line) != line {
			text = asJSON(c.Value)
			break
		}
	}
	return fmt.Sprintf("%s%s; a change here is lost the next time\n%s", Mark, visible.Line(c.Template), text)
}

// asJSON is a value as JSON with escapes for what cannot be seen.
func asJSON(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err) // what is read back as a CR has nothing that JSON lacks
	}
	return string(visible.JSON(out.Bytes()))
}
