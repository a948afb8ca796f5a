package render

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Printing says which fields a template prints. It executes the template on an object with unknown
// fields: once with all conditions true, and once for each condition with an else part, with only
// that condition false.
type Printing struct {
	runs []*printing
	open bool // not all of the output could be read
}

// printing is one execution in which at most one condition is false.
type printing struct {
	fails  *parse.BranchNode   // the false condition; nil for none
	others []*parse.BranchNode // further conditions with an else part
	out    *output
	from   []depth
	tokens int // number of tokens that replace values
	root   *kubeyaml.Node
}

// depth is the number of unknown conditions around the output after an offset.
type depth struct{ offset, guards int }

// printedToken and a number replace a value in the output.
const printedToken = "vtPrinted"

// keySpace follows a token at the start of a line. It has the length of ": x", which may replace
// it.
const keySpace = "   "

// mostPrintings is the largest number of conditions with an else part that are tried.
const mostPrintings = 100

// Printing executes the template as described there. It stops when the context ends.
func (t *Template) Printing(ctx context.Context) *Printing {
	all := &Printing{}
	lines := regexp.MustCompile("(?m)^( *" + printedToken + "[0-9]+)" + keySpace + "$")
	queue := []*parse.BranchNode{nil}
	for i := 0; i < len(queue); i++ {
		run := &printing{fails: queue[i], out: &output{}}
		p := &probe{asked: map[string]*askedField{}, nested: &[]Nested{}, printing: run}
		_, err := t.probe(ctx, p, run.out)
		if err == nil {
			// output that is alone on a line may be keys
			text := lines.ReplaceAll(run.out.buf, []byte("$1: x"))
			run.root, err = kubeyaml.ParseMapping(string(text), kubeyaml.DefaultLimits())
		}
		if all.open = err != nil || p.cut || len(queue) > mostPrintings; all.open {
			return all
		}
		all.runs = append(all.runs, run)
		for _, b := range run.others {
			if !slices.Contains(queue, b) {
				queue = append(queue, b)
			}
		}
	}
	return all
}

// Presence says whether a template prints a field.
type Presence int

// A higher answer is a stronger one.
const (
	Never Presence = iota
	Perhaps
	Always
)

// Has returns whether the template prints a field.
func (p *Printing) Has(path refconfig.FieldPath) Presence {
	found := Never
	for _, run := range p.runs {
		found = max(found, run.has(run.root, path))
	}
	if found == Never && p.open {
		return Perhaps
	}
	return found
}

func (r *printing) has(n *kubeyaml.Node, path refconfig.FieldPath) Presence {
	if len(path) == 0 {
		return Always
	}
	step, found := path[0], Never
	switch {
	case n.Kind == kubeyaml.Scalar && strings.Contains(n.Text, printedToken):
		return Perhaps
	case n.Kind == kubeyaml.List && (step.Any || step.Index >= 0):
		for _, v := range n.Values {
			found = max(found, min(Perhaps, r.has(v, path[1:])))
		}
		if i := step.Index; !step.Any && i < len(n.Values) {
			found = max(found, min(r.when(n.Values[i]), r.has(n.Values[i], path[1:])))
		}
	case n.Kind == kubeyaml.Map:
		for i, k := range n.Keys {
			switch {
			case step.Any || k.Text == step.Key:
				found = max(found, min(r.when(k), r.has(n.Values[i], path[1:])))
			case strings.Contains(k.Text, printedToken):
				found = max(found, Perhaps)
			}
		}
	}
	return found
}

// when returns whether the output at a node is always printed.
func (r *printing) when(n *kubeyaml.Node) Presence {
	i := sort.Search(len(r.from), func(i int) bool { return r.from[i].offset > n.Offset }) - 1
	if i >= 0 && r.from[i].guards > 0 {
		return Perhaps
	}
	return Always
}

// around records the number of conditions around the output that follows.
func (r *printing) around(guards int) {
	r.from = append(r.from, depth{len(r.out.buf), guards})
}

// print writes a token for the output of an action: as a value after a key or item dash, as a line
// of its own, or as a part of a text.
func (r *printing) print(o *output, n *parse.ActionNode) {
	r.tokens++
	token := fmt.Sprintf("%s%d", printedToken, r.tokens)
	lines, by := indentation(n.Pipe)
	before := bytes.TrimRight(o.buf, " \n")
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	switch comment := bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")); {
	case !comment && (bytes.HasSuffix(line, []byte(":")) || string(bytes.TrimSpace(line)) == "-"):
		o.buf = append(before, " "+token...)
		return
	case !o.hasText, lines == "nindent":
		token = strings.Repeat(" ", by) + token + keySpace
		if lines == "nindent" {
			token = "\n" + token
		}
	}
	o.text([]byte(token), nil, 0)
}

// indentation returns the function that indents the output of a pipeline and its number of blanks;
// "" if the last function does not indent.
func indentation(p *parse.PipeNode) (function string, by int) {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok || !strings.HasSuffix(name.Ident, "indent") || len(last.Args) < 2 {
		return "", 0
	}
	blanks, ok := last.Args[1].(*parse.NumberNode)
	if !ok || blanks.Int64 < 0 || blanks.Int64 > deepestField {
		return "", 0
	}
	return name.Ident, int(blanks.Int64)
}
