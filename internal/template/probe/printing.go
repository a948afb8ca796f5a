package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Printing is the set of fields that a template prints. To find them, the template is executed on
// an object with unknown fields: once with all conditions true, and once for each condition with
// an else part. In that execution the condition is false, and so are the conditions whose else
// parts lead to it.
type Printing struct {
	root *Part
	open bool // not all of the output could be read
}

// printing is the state of one execution for Printing. Some conditions are false in it.
type printing struct {
	fails  []*parse.BranchNode // the false conditions; the execution is made for the last one
	failed Around              // the last of fails, once it was reached
	others []*parse.BranchNode // other conditions with an else part that were reached
	out    *render.Output
	from   []depth // sorted by offset
	tokens []token
	keys   map[parse.Node]bool // actions that print keys
	apart  bool                // actions on lines of their own are taken for keys too
}

// depth is a stretch of the output from an offset on, with the unknown conditions around it.
type depth struct {
	offset int
	guards []guard
}

// token is the action whose value a token replaces, without functions that only indent.
type token struct {
	pipe   string
	maker  string // the function that it calls last; "" for none
	at     string // file:line
	guards []guard
}

// printedToken, followed by a number, replaces a value in the output.
const printedToken = "vtPrinted"

// keySpace follows a token at the start of a line. It is as long as ": x", which may replace it.
const keySpace = "   "

// mostPrintings is the largest number of conditions with an else part that are tried.
const mostPrintings = 100

// Print finds the fields that a template prints; see the type Printing. It stops when the
// context ends.
func Print(ctx context.Context, t *template.Template) *Printing {
	all := &Printing{root: &Part{}}
	defer func() { all.root.assemble() }()
	tokens := regexp.MustCompile(printedToken + `([0-9]+)(` + keySpace + `|: x(?:\n|$))?`)
	lines := regexp.MustCompile("(?m)^( *" + printedToken + "[0-9]+)" + keySpace + "$")
	queue, known := [][]*parse.BranchNode{nil}, map[*parse.BranchNode]bool{}
	apart := false
	for i := 0; i < len(queue); i++ {
		run, root, err := print(ctx, t, lines, queue[i], apart)
		if err != nil && !apart {
			apart = true
			run, root, err = print(ctx, t, lines, queue[i], apart)
		}
		if all.open = err != nil || len(queue) > mostPrintings; all.open {
			return all
		}
		r := &partReader{printing: run, actions: tokens}
		if one := r.part(root, root.Offset, len(run.out.Buf), nil); i == 0 {
			all.root = one
		} else {
			all.root.join(one, run.failed)
		}
		for _, b := range run.others {
			if !known[b] {
				known[b] = true
				queue = append(queue, append(slices.Clip(queue[i]), b))
			}
		}
	}
	return all
}

// print executes the template once and reads its output. lines finds the lines that consist of a
// token.
func print(
	ctx context.Context, t *template.Template, lines *regexp.Regexp, fails []*parse.BranchNode, apart bool,
) (*printing, *kubeyaml.Node, error) {
	run := &printing{fails: fails, out: &render.Output{}, keys: map[parse.Node]bool{}, apart: apart}
	p := newProbe()
	p.printing = run
	if _, err := p.execute(ctx, t, run.out); err != nil || p.cut {
		return run, nil, cmp.Or(err, errors.New("it is too large"))
	}
	text := string(lines.ReplaceAll(run.out.Buf, []byte("$1: x"))) // a token alone on a line may print keys
	if t.Several {
		text = template.FirstDocument(text)
	}
	root, err := kubeyaml.ParseMapping(text, kubeyaml.DefaultLimits())
	return run, root, err
}

// Presence says whether a template prints a field.
type Presence int

// A later constant is a stronger answer.
const (
	Never Presence = iota
	Perhaps
	Always
)

// Has returns whether the template prints a field.
func (p *Printing) Has(path refconfig.FieldPath) Presence {
	found := p.root.has(path)
	if found == Never && p.open {
		return Perhaps
	}
	return found
}

// Parts returns the fields that the template prints. all is false if a part of the output could not
// be read as YAML.
func (p *Printing) Parts() (root *Part, all bool) { return p.root, !p.open }

// around returns the unknown conditions around the output at an offset.
func (r *printing) around(offset int) []guard {
	i := sort.Search(len(r.from), func(i int) bool { return r.from[i].offset > offset }) - 1
	if i < 0 {
		return nil
	}
	return r.from[i].guards
}

// within records the unknown conditions around the output that follows.
func (r *printing) within(guards []guard) {
	r.from = append(r.from, depth{len(r.out.Buf), slices.Clip(guards)})
}

// printToken writes a token for the value of an action: as a value after a key or a dash, as a line
// if it is alone on it, and as a part of a text elsewhere.
func (p *probe) printToken(x *render.Execution, n *parse.ActionNode) {
	r, o := p.printing, x.Out
	lines, by := indentation(n.Pipe)
	r.tokens = append(r.tokens, token{
		pipe:   template.Unindented(n.Pipe),
		maker:  maker(n.Pipe),
		at:     x.File.Place(n.Pos).String(),
		guards: slices.Clip(p.guards),
	})
	token := fmt.Sprintf("%s%d", printedToken, len(r.tokens))
	switch {
	case r.keys[n]:
	case r.apart && !o.HasText:
		token = strings.Repeat(" ", by) + token + keySpace
	case o.EndsInKey():
		o.Trim()
		token = " " + token
	case !o.HasText, lines == "nindent":
		token = strings.Repeat(" ", by) + token + keySpace
		if lines == "nindent" {
			token = "\n" + token
		}
	}
	x.PrintText(token, n)
}

// maker returns the function that a pipeline calls last; "" for none.
func maker(p *parse.PipeNode) string {
	if name, ok := p.Cmds[len(p.Cmds)-1].Args[0].(*parse.IdentifierNode); ok {
		return name.Ident
	}
	return ""
}

// list records the actions of a list that print keys: the text after them begins with a colon.
func (p *probe) list(l *parse.ListNode) {
	if p.printing == nil {
		return
	}
	for i, n := range l.Nodes[:max(0, len(l.Nodes)-1)] {
		text, isText := l.Nodes[i+1].(*parse.TextNode)
		if isText && n.Type() == parse.NodeAction && bytes.HasPrefix(text.Text, []byte(":")) {
			p.printing.keys[n] = true
		}
	}
}

// hasToken reports whether a value is a text that contains a token. Functions cannot evaluate such
// a text.
func hasToken(v any) bool {
	text, isText := v.(string)
	return isText && strings.Contains(text, printedToken)
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
