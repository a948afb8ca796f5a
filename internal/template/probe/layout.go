package probe

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Strays returns the text of the template that lands in another place than its author wrote it, sorted
// by place.
func (p *Printing) Strays() []refconfig.Problem {
	slices.SortFunc(p.strays, func(a, b refconfig.Problem) int { return a.Place.Compare(b.Place) })
	return slices.CompactFunc(p.strays, func(a, b refconfig.Problem) bool { return a == b })
}

// stray adds a text that lands elsewhere.
func (r *printing) stray(at refconfig.Place, format string, args ...any) {
	r.strays = append(r.strays, at.Problem(code.RefStray, format, args...))
}

// beside reports an action that prints lines of YAML for a key without a value, and indents them no more
// than the key: the key stays empty, and the lines are beside it. The items of a list may begin in the
// column of the key. It also reports lines that begin behind the key, and nindent of what is no text.
func (r *printing) beside(o *render.Output, n *parse.ActionNode, at refconfig.Place, by string, blanks int) {
	key, column := lastOpenKey(o.Buf)
	if key == "" {
		return
	}
	pipe := template.Unindented(n.Pipe)
	isYAML := strings.HasSuffix(pipe, "toYaml") || strings.HasPrefix(pipe, "toYaml ")
	switch _, isField := n.Pipe.Cmds[0].Args[0].(*parse.FieldNode); {
	case by == "" && isYAML && o.HasText && isMapName(key, column) && !strings.Contains(pipe, "indent"):
		r.stray(at, "{{%s}} begins a map on the line of its key %s; append nindent %d", pipe, key, column+2)
	case by == "nindent" && isField && len(n.Pipe.Cmds) == 2:
		r.stray(at, "nindent takes text, and {{%s}} is the value of %s; write toYaml before it", pipe, key)
	}
	if by == "" || !isYAML || blanks > column || blanks == column && !isMapName(key, column) {
		return
	}
	call := fmt.Sprintf("%s %d", by, blanks)
	right := fmt.Sprintf("%s %d", by, column+2)
	r.stray(at, "the lines of {{%s}} are beside the key %s, which has no value then, and not below it; write %s for %s%s",
		pipe, key, right, call, code.Meant{Word: call, Instead: right})
}

// lastOpenKey returns the key without a value in the last line of a text that is neither blank nor a
// comment, and its column; "" for none.
func lastOpenKey(text []byte) (key string, column int) {
	for len(text) > 0 {
		text = bytes.TrimRight(text, " \n")
		line := text[bytes.LastIndexByte(text, '\n')+1:]
		bare := bytes.TrimLeft(line, " ")
		if bytes.HasPrefix(bare, []byte("#")) {
			text = text[:len(text)-len(line)]
			continue
		}
		for bytes.HasPrefix(bare, []byte("- ")) {
			bare = bytes.TrimLeft(bare[1:], " ")
		}
		word, isKey := bytes.CutSuffix(bare, []byte(":"))
		if !isKey || bytes.ContainsAny(word, " {") {
			return "", 0
		}
		return strings.Trim(string(word), `"'`), len(line) - len(bare)
	}
	return "", 0
}

// isMapName reports whether the field of this name in this column is a map in every kind.
func isMapName(key string, column int) bool {
	names := "matchLabels limits requests"
	switch column {
	case 0:
		names = "metadata spec status data stringData"
	case 2:
		names += " labels annotations"
	}
	return slices.Contains(strings.Fields(names), key) || strings.HasSuffix(strings.ToLower(key), "selector")
}

// hidden reports text that is written in a line of its own and printed behind a comment, because a trim
// marker removes the line break between them.
func (r *printing) hidden() {
	start := 0
	for line := range bytes.Lines(r.out.Buf) {
		from := start
		start += len(line)
		comment := bytes.IndexByte(line, '#')
		if comment < 0 || comment > 0 && line[comment-1] != ' ' || bytes.ContainsAny(line[:comment], `"'`) {
			continue
		}
		of, end := r.place(from+comment), len(bytes.TrimRight(line, " \n"))
		if last := r.place(from + end - 1); last.File != of.File || last.Line == of.Line {
			continue
		}
		for i := comment + 1; i < end; i++ {
			if line[i] <= ' ' {
				continue
			}
			if at := r.place(from + i); at.File == of.File && at.Line > of.Line && isWritten(line[i:]) {
				r.stray(at, "the comment in line %d hides this line, because a trim marker joins the two; remove the - of -}}", of.Line)
				break
			}
		}
	}
}

// isWritten reports whether a text begins with a key or an item.
func isWritten(text []byte) bool {
	word, _, isKey := bytes.Cut(text, []byte(":"))
	return isKey && !bytes.ContainsAny(word, " \t") || bytes.HasPrefix(text, []byte("- "))
}
