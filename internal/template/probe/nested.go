package probe

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Nested is a call of a named template.
type Nested struct {
	Name    string     `json:"name"`            // "" if it is computed and no template is known to be called
	About   string     `json:"about,omitempty"` // the comment above the named template
	Field   string     `json:"field,omitempty"` // the key in the calling template that the text is the value of
	Index   string     `json:"index,omitempty"` // the item of the loop around the call; * for each
	When    []string   `json:"when,omitempty"`  // the conditions around the call
	At      string     `json:"at"`              // file:line of the call
	Defined string     `json:"defined"`         // file:line of its definition; "" if it is not defined
	Takes   []Argument `json:"takes,omitempty"`
	// what the named template takes, see Reads and package inspect
	Parameters []Taken  `json:"parameters,omitempty"`
	Nested     []Nested `json:"nested,omitempty"`

	Definition *template.Definition `json:"-"` // nil if it is not defined
	Reads      []string             `json:"-"` // paths of the fields of the CR that this template itself reads
}

// Taken is a parameter of a named template: an argument that it is called with, or a field of the CR
// that it reads.
type Taken struct {
	Label       string `json:"label"`          // the last key of the argument or the field
	Path        string `json:"path,omitempty"` // the field of the CR that it is
	Need        Need   `json:"need,omitempty"` // of this field
	Type        string `json:"type,omitempty"`
	Description string `json:"description,omitempty"`
	Default     *any   `json:"default,omitempty"`
	Value       *any   `json:"value,omitempty"`  // what the calling template or the values file states
	Values      []any  `json:"values,omitempty"` // instead of it: several possible ones
	Computed    bool   `json:"computed,omitempty"`
	Secret      bool   `json:"secret,omitempty"`
}

// Argument is an argument of a named template, or a key or an element of an argument.
type Argument struct {
	As       string   `json:"as"`                 // how the named template reads it
	Fields   []string `json:"fields,omitempty"`   // fields of the CR; the argument is one of them or made from them
	Values   []any    `json:"values,omitempty"`   // values that the calling template states
	Computed bool     `json:"computed,omitempty"` // the argument is made from the fields, or from something unknown
}

// enter records a call of a named template. It returns nil if it must not be executed. Only the first
// run tells what the template takes.
func (p *probe) enter(x *render.Execution, name string, arg render.Value, n parse.Node) (leave func()) {
	via, called, trail := p.via, p.calledAt, p.trail
	shared := p.sharedOf(n)
	follow := func() {
		p.via, p.calledAt = append(slices.Clone(via), name), x.File.At(n.Position())
		if shared != nil {
			p.trail = shared.first.trail
		} else {
			p.trail += fmt.Sprintf(" %s:%d", x.File.Name, n.Position())
		}
	}
	d := x.Template.Find(name)
	isKnown := d != nil && !(undetermined(arg) && slices.Contains(via, name))
	if p.gone != nil {
		if !isKnown {
			return nil
		}
		follow()
		leave := func() { p.via, p.calledAt, p.trail = via, called, trail }
		switch {
		case shared != nil && shared.repeat(p, x), p.repeat(x, arg):
			leave()
			return nil
		case p.records != nil:
			end := p.recording(x, arg)
			return func() { end(); leave() }
		}
		return leave
	}
	p.here = p.use(x, n)
	one := &Nested{
		Name: name, At: x.File.Place(n.Position()).String(), Takes: takes(arg), Index: p.index, Field: p.under,
	}
	if _, isAction := n.(*parse.TemplateNode); isAction {
		one.Field = under(x.Out)
	}
	for _, g := range p.guards {
		if !slices.Contains(one.When, g.text) && !g.loop {
			one.When = append(one.When, g.text)
		}
	}
	all := p.nested
	add := func() {
		p.nested = all
		if i := slices.IndexFunc(*all, one.alike); i >= 0 {
			(*all)[i].Reads = append((*all)[i].Reads, one.Reads...)
			return
		}
		if d != nil {
			one.Defined, one.About = d.Place().String(), d.Comment()
		}
		*all = append(*all, *one)
	}
	if d != nil {
		p.passed(x.File.At(n.Position()), d, arg)
		one.Definition = d
	}
	if !isKnown {
		p.consume(origins(arg), Computed)
		add()
		return nil
	}
	calling, index, key := p.calling, p.index, p.under
	p.nested, p.calling, p.index, p.under = &one.Nested, one, "", ""
	follow()
	leave = func() {
		p.via, p.calledAt, p.trail, p.calling, p.index, p.under = via, called, trail, calling, index, key
		add()
	}
	if shared != nil && shared.adopt(p, x) {
		leave()
		return nil
	}
	return leave
}

// passed reports an argument of a named template that lacks what the template reads: a key, while it has
// another key that is alike and that nobody reads, or an item of a list.
func (p *probe) passed(at refconfig.Place, d *template.Definition, arg render.Value) {
	keys, most, all := d.Reads()
	if list, isList := arg.V.([]any); isList && most >= len(list) {
		p.doubt(at.Problem(code.RefArguments, "%q is called with %s, and reads index %d; the first is 0",
			d.Name, finding.Plural(len(list), "value", "values"), most))
	}
	given, isMap := arg.V.(map[string]any)
	if !isMap || !all || p.opened {
		return
	}
	lacks := slice.Without(keys, func(key string) bool { _, has := given[key]; return has })
	for _, key := range tree.Keys(given) {
		if meant := code.DidYouMean(key, lacks); !slices.Contains(keys, key) && meant.Instead != "" {
			p.doubt(at.Problem(code.RefArguments, "%q does not read the key %q that it is given%s", d.Name, key, meant))
		}
	}
}

// doubt adds a call whose arguments seem to be wrong.
func (p *probe) doubt(what refconfig.Problem) {
	if !slices.Contains(p.doubts, what) {
		p.doubts = append(p.doubts, what)
	}
}

func (n *Nested) alike(m Nested) bool {
	return n.Name == m.Name && n.At == m.At && n.Index == m.Index && reflect.DeepEqual(n.Takes, m.Takes)
}

// under returns the key whose value, or the item of whose value, begins at the end of an output; ""
// for none.
func under(out *render.Output) string {
	text := bytes.TrimRight(out.Buf, " \n")
	if out.Since(len(text)) {
		return "" // a value stands there that is not known
	}
	lines := bytes.Split(text, []byte("\n"))
	last := lines[len(lines)-1]
	depth := len(last) - len(bytes.TrimLeft(last, " "))
	isItem := string(bytes.TrimLeft(last, " ")) == "-"
	for _, line := range slices.Backward(lines) {
		bare := bytes.TrimLeft(line, " ")
		if isItem && (len(bare) == 0 || bare[0] == '-' || len(line)-len(bare) > depth) {
			continue // an item beside it, or inside such an item
		}
		key, isKey := bytes.CutSuffix(bytes.TrimLeft(bare, "- "), []byte(":"))
		if !isKey {
			return ""
		}
		return strings.Trim(string(key), `"'`)
	}
	return ""
}

// include executes a named template and returns its text, or a stub if the text is unknown.
func (p *probe) include(x *render.Execution, name string, dot render.Value, n parse.Node) (render.Value, error) {
	forks, before := p.forks, p.prints
	prints := []*effect{}
	p.prints = &prints
	err := x.Enter(name, dot, n)
	p.prints = before
	var of [][]origin
	for _, one := range x.Out.Prints {
		of = append(of, origins(one.Val))
	}
	if forks == p.forks && union(of...) == nil && len(prints) == 0 {
		return render.Value{V: string(x.Out.Buf)}, err
	}
	return newStub(&stub{of: union(of...), open: true, prints: prints}), err
}

// mostCandidates is the largest number of templates that a computed name is tried with.
const mostCandidates = 50

// candidates executes each template that a call with a computed name may reach: those whose names
// begin with the text that the name begins with.
func (p *probe) candidates(
	x *render.Execution, n *parse.IdentifierNode, ops render.Operands, args []render.Value,
) (render.Value, error) {
	p.tested(args[0])
	var names []string
	prefix := args[0].V.(*stub).prefix
	if prefix != "" {
		names = slice.Without(x.Template.Named(), func(name string) bool { return !strings.HasPrefix(name, prefix) })
	}
	at := x.File.At(n.Position())
	if p.gone == nil {
		words := "it may be any template"
		if prefix != "" {
			words = fmt.Sprintf("it begins with %q, as %s", prefix, quoted(names))
		}
		problem := at.Problem(code.RefComputedName, "the name of the called template is computed: %s", words)
		if !slices.Contains(p.computed, problem) {
			p.computed = append(p.computed, problem)
		}
	}
	if len(names) == 0 || len(names) > mostCandidates || p.oneSide {
		p.consume(origins(args[1]), Computed)
		p.cut = true
		one := Nested{At: x.File.Place(n.Position()).String(), Takes: takes(args[1]), Index: p.index, Field: p.under}
		if !slices.ContainsFunc(*p.nested, one.alike) {
			*p.nested = append(*p.nested, one)
		}
		return newStub(&stub{open: true, of: origins(args[1])}), nil
	}
	f := x.Template.Function(n.Ident)
	text := "the name"
	if len(ops.Nodes) > 0 {
		text = expression(&parse.CommandNode{Args: ops.Nodes[:1]}, parse.Node.String)
	}
	p.forks++
	var out render.Value
	for i, name := range names {
		err := p.within(guard{text: fmt.Sprintf("eq %s %q", text, name), at: lineOf(at)}, func() error {
			v, err := x.Invoke(f, n, append([]render.Value{render.Constant(name)}, args[1:]...))
			if out = either(out, v); i == 0 {
				out = v
			}
			return err
		})
		if err != nil {
			return out, err
		}
	}
	if len(names) == 1 {
		out = either(out, newStub(&stub{open: true}))
	}
	return out, nil
}

// quoted returns names as words.
func quoted(names []string) string {
	if len(names) == 0 {
		return "no template does"
	}
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(all, ", ")
}

// prefixOf returns the text with which the result of a function begins, whatever the unknown ones of
// its arguments are.
func prefixOf(function string, args []render.Value) string {
	if len(args) == 0 {
		return ""
	}
	text, isText := args[0].V.(string)
	switch s, isUnknown := args[0].V.(*stub); {
	case isUnknown && (function == "print" || function == "cat" || function == "toString"):
		return s.prefix
	case !isText:
		return ""
	case function == "printf":
		before, _, _ := strings.Cut(text, "%")
		return before
	case function == "print":
		return text
	case function == "cat":
		return text + " "
	}
	return ""
}

// inPaths returns an expression as the template writes it, but with the paths of the CR in place of
// other words for its fields.
func (p *probe) inPaths(x *render.Execution, dot render.Value, pipe *parse.PipeNode) string {
	if len(p.via) == 0 && dot.V != nil && isRoot(dot) {
		return pipe.String()
	}
	text := expression(pipe, func(n parse.Node) string {
		here := p.here
		v, err := x.Operand(dot, n, render.Operands{})
		p.here = here
		s, ok := v.V.(*stub)
		if err != nil || !ok || len(s.is) != 1 || len(s.of) > 0 || len(s.known) > 0 || len(s.is[0].path) == 0 ||
			s.is[0].lookup != nil {
			return n.String()
		}
		return "." + s.is[0].text
	})
	if len(pipe.Decl) == 0 {
		return text
	}
	full := pipe.String()
	return full[:strings.Index(full, "=")+1] + " " + text
}

// isRoot reports whether a value is the CR itself.
func isRoot(v render.Value) bool {
	s, ok := v.V.(*stub)
	return ok && len(s.is) == 1 && len(s.is[0].path) == 0
}

// expression returns an expression, with a function for the nodes that read a field.
func expression(n parse.Node, field func(parse.Node) string) string {
	var text strings.Builder
	writeExpression(&text, n, field)
	return text.String()
}

func writeExpression(to *strings.Builder, n parse.Node, field func(parse.Node) string) {
	switch n := n.(type) {
	case *parse.PipeNode:
		for i, c := range n.Cmds {
			if i > 0 {
				to.WriteString(" | ")
			}
			writeExpression(to, c, field)
		}
	case *parse.CommandNode:
		for i, a := range n.Args {
			if i > 0 {
				to.WriteByte(' ')
			}
			if _, isPipe := a.(*parse.PipeNode); isPipe {
				to.WriteByte('(')
				writeExpression(to, a, field)
				to.WriteByte(')')
			} else {
				writeExpression(to, a, field)
			}
		}
	case *parse.FieldNode, *parse.VariableNode:
		to.WriteString(field(n))
	default:
		to.WriteString(n.String())
	}
}

// takes returns the arguments of a named template.
func takes(arg render.Value) (all []Argument) {
	switch v := arg.V.(type) {
	case nil:
		return nil
	case []any:
		for i, e := range v {
			all = append(all, argument(fmt.Sprintf("index . %d", i), render.Value{V: e}))
		}
		return all
	case map[string]any:
		for _, k := range tree.Keys(v) {
			all = append(all, argument("."+refconfig.Key(k).String(), render.Value{V: v[k]}))
		}
		return all
	}
	one := argument(".", arg)
	if slices.Contains(one.Fields, WholeCR) {
		one = Argument{As: ".", Fields: []string{WholeCR}}
	}
	return []Argument{one}
}

func argument(as string, v render.Value) Argument {
	a := Argument{As: as}
	for _, o := range origins(v) {
		if p := o.name(); !slices.Contains(a.Fields, p) {
			a.Fields = append(a.Fields, p)
		}
	}
	switch s, isStub := v.V.(*stub); {
	case isStub:
		a.Values, a.Computed = s.known, s.open || len(s.of) > 0
	case undetermined(v):
		a.Computed = true
	default:
		a.Values = []any{v.V}
	}
	return a
}
