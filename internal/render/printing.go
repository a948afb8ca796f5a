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

// Printing says which fields a template prints for objects of which nothing is determined: for one
// that meets every condition, and for those that meet all but one.
type Printing struct {
	runs []*printing
	open bool // not all that is printed could be read
}

// printing is one execution, on an object that meets all conditions but one.
type printing struct {
	fails  *parse.BranchNode   // the condition; nil for none
	others []*parse.BranchNode // with something behind else, that were met
	out    *output
	from   []depth
	tokens int // that stand for values
	moved  moved
	root   *kubeyaml.Node
}

// moved is the last token that was put behind a key of the line above.
type moved struct {
	from, to int    // of the output, with the blank before it
	blanks   string // that stood there, with the end of the line
}

// depth is how many undetermined conditions are around what is printed from an offset on.
type depth struct{ offset, guards int }

// printedToken is what stands for a value in what is printed, with a number behind it.
const printedToken = "vtPrinted"

// alone stands behind a token that begins a line. It is as long as the value that it may become.
const alone = "   "

// mostPrintings is how many conditions with something behind else are looked at.
const mostPrintings = 100

// Printing executes the template, until the context ends.
func (t *Template) Printing(ctx context.Context) *Printing {
	all := &Printing{}
	lines := regexp.MustCompile("(?m)^( *" + printedToken + "[0-9]+)" + alone + "$")
	queue := []*parse.BranchNode{nil}
	for i := 0; i < len(queue); i++ {
		run := &printing{fails: queue[i], out: &output{}}
		p := &probe{asked: map[string]*askedField{}, nested: &[]Nested{}, printing: run}
		_, err := t.probe(ctx, p, run.out)
		if err == nil {
			// what stands on a line alone may be keys
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

// The answers.
const (
	Never Presence = iota
	Perhaps
	Always
)

// Has says whether the template prints a field.
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

// when says whether what stands at a node is always printed.
func (r *printing) when(n *kubeyaml.Node) Presence {
	i := sort.Search(len(r.from), func(i int) bool { return r.from[i].offset > n.Offset }) - 1
	if i >= 0 && r.from[i].guards > 0 {
		return Perhaps
	}
	return Always
}

// around notes how many conditions are around what is printed from now on.
func (r *printing) around(guards int) {
	r.from = append(r.from, depth{len(r.out.buf), guards})
}

// print writes a token for what an action prints: as a value behind a key or the mark of an item,
// as a line where it stands by itself, and as a part of a text elsewhere.
func (r *printing) print(o *output, n *parse.ActionNode) {
	r.tokens++
	token := fmt.Sprintf("%s%d", printedToken, r.tokens)
	lines, by := indentation(n.Pipe)
	before := bytes.TrimRight(o.buf, " \n")
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	switch comment := bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")); {
	case !comment && (bytes.HasSuffix(line, []byte(":")) || string(bytes.TrimSpace(line)) == "-"):
		blanks := string(o.buf[len(before):])
		o.buf = append(before, " "+token...)
		r.moved = moved{len(before), len(o.buf), blanks}
		return
	case !o.inked, lines == "nindent":
		token = strings.Repeat(" ", by) + token + alone
		if lines == "nindent" {
			token = "\n" + token
		}
	}
	o.text([]byte(token), nil, 0)
}

// colon puts the last token back where it was printed, if the text that follows it makes it a key.
func (r *printing) colon(o *output, text []byte) {
	if m := r.moved; m.to == len(o.buf) && bytes.HasPrefix(text, []byte(":")) && strings.Contains(m.blanks, "\n") {
		o.buf = append(o.buf[:m.from], m.blanks+string(o.buf[m.from+1:])...)
		r.moved = moved{}
	}
}

// indentation is the function that a pipeline indents what it prints by last, and by how many
// blanks; "" for none.
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
