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
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// Printing says which fields a template prints for objects of which nothing is determined: for one
// that meets every condition, and for those that meet all but one.
type Printing struct {
	root *Part
	open bool // not all that is printed could be read
}

// printing is one execution, on an object that meets all conditions but one.
type printing struct {
	fails  *parse.BranchNode   // the condition; nil for none
	failed Around              // the same, once it was met
	others []*parse.BranchNode // with something behind else, that were met
	out    *output
	from   []depth
	tokens []token
	keys   map[parse.Node]bool // actions that print keys
}

// depth are the undetermined conditions around what is printed from an offset on.
type depth struct {
	offset int
	guards []guard
}

// token is the action that a token stands for, without what only indents.
type token struct {
	pipe   string
	at     string // file:line
	guards []guard
}

// printedToken is what stands for a value in what is printed, with a number behind it.
const printedToken = "vtPrinted"

// alone stands behind a token that begins a line. It is as long as the value that it may become.
const alone = "   "

// mostPrintings is how many conditions with something behind else are looked at.
const mostPrintings = 100

// Printing executes the template, until the context ends.
func (t *Template) Printing(ctx context.Context) *Printing {
	all := &Printing{root: &Part{}}
	defer func() { all.root.assemble() }()
	tokens := regexp.MustCompile(printedToken + `([0-9]+)(` + alone + `|: x(?:\n|$))?`)
	lines := regexp.MustCompile("(?m)^( *" + printedToken + "[0-9]+)" + alone + "$")
	queue := []*parse.BranchNode{nil}
	for i := 0; i < len(queue); i++ {
		run := &printing{fails: queue[i], out: &output{}, keys: map[parse.Node]bool{}}
		p := &probe{asked: map[string]*askedField{}, nested: &[]Nested{}, printing: run}
		_, err := t.probe(ctx, p, run.out)
		var root *kubeyaml.Node
		if err == nil {
			// what stands on a line alone may be keys
			text := string(lines.ReplaceAll(run.out.buf, []byte("$1: x")))
			if t.Several {
				text = template.FirstDocument(text)
			}
			root, err = kubeyaml.ParseMapping(text, kubeyaml.DefaultLimits())
		}
		if all.open = err != nil || p.cut || len(queue) > mostPrintings; all.open {
			return all
		}
		r := &partReader{printing: run, actions: tokens}
		if one := r.part(root, root.Offset, len(run.out.buf), nil); i == 0 {
			all.root = one
		} else {
			all.root.join(one, run.failed)
		}
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
	found := p.root.has(path)
	if found == Never && p.open {
		return Perhaps
	}
	return found
}

// Parts returns what the template prints, and whether that is all: what cannot be read as YAML is
// in no part.
func (p *Printing) Parts() (root *Part, all bool) { return p.root, !p.open }

// around returns the conditions around what is printed at an offset.
func (r *printing) around(offset int) []guard {
	i := sort.Search(len(r.from), func(i int) bool { return r.from[i].offset > offset }) - 1
	if i < 0 {
		return nil
	}
	return r.from[i].guards
}

// within notes the conditions around what is printed from now on.
func (r *printing) within(guards []guard) {
	r.from = append(r.from, depth{len(r.out.buf), slices.Clip(guards)})
}

// print writes a token for what an action prints: as a value behind a key or the mark of an item,
// as a line where it stands by itself, and as a part of a text elsewhere.
func (p *probe) printToken(x *exec, n *parse.ActionNode) {
	r, o := p.printing, x.out
	lines, by := indentation(n.Pipe)
	r.tokens = append(r.tokens, token{template.Unindented(n.Pipe), x.file.Place(n.Pos).String(), slices.Clip(p.guards)})
	token := fmt.Sprintf("%s%d", printedToken, len(r.tokens))
	before := bytes.TrimRight(o.buf, " \n")
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	switch comment := bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")); {
	case r.keys[n]:
	case !comment && (bytes.HasSuffix(line, []byte(":")) || string(bytes.TrimSpace(line)) == "-"):
		for len(o.texts) > 0 && o.texts[len(o.texts)-1].start > len(before) {
			o.texts = o.texts[:len(o.texts)-1]
		}
		o.buf = before
		token = " " + token
	case !o.inked, lines == "nindent":
		token = strings.Repeat(" ", by) + token + alone
		if lines == "nindent" {
			token = "\n" + token
		}
	}
	o.text([]byte(token), x.file, n.Pos)
}

// key notes that an action prints a key, if it does.
func (r *printing) key(n, behind parse.Node) {
	text, ok := behind.(*parse.TextNode)
	if ok && n.Type() == parse.NodeAction && bytes.HasPrefix(text.Text, []byte(":")) {
		r.keys[n] = true
	}
}

// stands reports whether tokens stand for parts of a text, so that nothing can be made of it.
func stands(v any) bool {
	text, isText := v.(string)
	return isText && strings.Contains(text, printedToken)
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
