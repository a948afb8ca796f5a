package lint

import (
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
)

// habits finds what authors write who are used to other templates: it does nothing here, or not
// what it says.
func (l *linter) habits(t *render.Template) {
	if t.Literal {
		return
	}
	reached, _ := t.Called()
	for d := range reached {
		t.Visit(d, func(n parse.Node, _ bool) {
			if pipe, ok := n.(*parse.PipeNode); ok {
				l.reversedDefault(d, pipe)
			}
		})
	}
	rootReads(t.Body.Root, true, func(n parse.Node, keys []string) {
		if len(keys) > 0 && slices.Contains(helmKeys(), keys[0]) && l.outlines[t].Root.Child(keys[0]) == nil {
			l.warn(code.RefHelm, t.Body.File.At(n.Position()), ".%s is of Helm, and nothing here: the dot is the CR "+
				"that is compared; read its field, such as .spec.%s", keys[0], strings.ToLower(keys[len(keys)-1]))
		}
	})
	l.singleBraces(t)
}

// helmKeys are what Helm hands to templates.
func helmKeys() []string {
	return []string{"Capabilities", "Chart", "Files", "Release", "Subcharts", "Template", "Values"}
}

// reversedDefault finds calls of default whose value, which is its last argument, is a literal that
// is not empty: whatever the other argument is, the call comes to the literal.
func (l *linter) reversedDefault(d *template.Definition, pipe *parse.PipeNode) {
	for i, cmd := range pipe.Cmds {
		name, isName := cmd.Args[0].(*parse.IdentifierNode)
		if !isName || name.Ident != "default" {
			continue
		}
		value := cmd.Args[len(cmd.Args)-1]
		if i > 0 {
			if before := pipe.Cmds[i-1]; len(before.Args) == 1 {
				value = before.Args[0]
			} else {
				continue
			}
		}
		if isSet(value) {
			l.warn(code.RefDefaultReversed, d.File.At(cmd.Position()), "{{%s}} is always %s: the value comes last, and "+
				"the default before it; swap the two", pipe, value)
		}
	}
}

// isSet reports whether a node is a literal that default takes for a value.
func isSet(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.StringNode:
		return n.Text != ""
	case *parse.NumberNode:
		return !n.IsInt || n.Int64 != 0
	case *parse.BoolNode:
		return n.True
	}
	return false
}

// singleBraces finds fields of the CR in braces that are not doubled, which YAML reads as a mapping.
// In text of several lines and in quotes they may be of JSONPath.
func (l *linter) singleBraces(t *render.Template) {
	o := l.outlines[t]
	single := regexp.MustCompile(`^(?:[^#"']*:|\s*-)\s+(\{\s*\.[A-Za-z_][\w.]*\s*(?:\|[^{}"]*)?\})\s*(?:#.*)?$`)
	var blocks []*template.Content
	o.Root.Each(func(n *template.Content) {
		if n.Block {
			blocks = append(blocks, n)
		}
	})
	at := 0
	for line := range strings.Lines(string(o.Text)) {
		in := func(n *template.Content) bool { return n.ValueAt < at && at < n.End }
		if m := single.FindStringSubmatchIndex(strings.TrimRight(line, "\r\n")); m != nil &&
			!slices.ContainsFunc(blocks, in) {
			braced := line[m[2]:m[3]]
			l.warn(code.RefSingleBraces, t.Place(at+m[2]), "%s is a mapping of YAML and no action; write {%s}", braced, braced)
		}
		at += len(line)
	}
}
