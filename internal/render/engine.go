package render

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Engine holds the compiled templates of one reference. It is not modified after Compile and may be used by any number
// of goroutines.
type Engine struct {
	functions map[string]function
	shared    map[string]*definition // of the function files
	templates []*Template
	warnings  []refconfig.Problem
}

// Template is one compiled template.
type Template struct {
	Ref      *refconfig.Template
	Identity Identity
	engine   *Engine
	body     *definition
	own      map[string]*definition // {{ define }}d or {{ block }}ed in the template's own file
	mutates  bool                   // calls a function that changes a map it is given
	several  bool                   // its file has a second YAML document, which is not the template's
}

// definition is a named template: its tree, and the file it stands in for positions.
type definition struct {
	name string
	root *parse.ListNode
	file *sourceFile
}

// sourceFile gives lines to offsets.
type sourceFile struct {
	name   string
	lines  []int // offset of each line's first byte
	before int   // lines that the file has before the text
}

func newSourceFile(name string, text []byte) *sourceFile {
	f := &sourceFile{name: name, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// line returns the 1-based line of an offset.
func (f *sourceFile) line(pos parse.Pos) int {
	return f.before + sort.SearchInts(f.lines, int(pos)+1)
}

// position returns file:line:column of an offset, as errors begin with it.
func (f *sourceFile) position(pos parse.Pos) string {
	line := f.line(pos)
	return fmt.Sprintf("%s:%d:%d", f.name, line, int(pos)-f.lines[line-f.before-1]+1)
}

// Compile parses the function files and all templates of a reference and finds each template's identity. Every fault is
// returned with file and line; a template with a fault is left out of the engine.
func Compile(ref *refconfig.Reference) (*Engine, []refconfig.Problem) {
	e := &Engine{functions: functions(), shared: map[string]*definition{}}
	names := map[string]any{}
	for name := range e.functions {
		names[name] = true
	}
	var problems []refconfig.Problem
	for _, f := range ref.Functions {
		defs, p := parseFile(path.Base(f.Path), f.File, f.Source, names) // a file can be called by the name that others give it
		if p != nil {
			p.Code = code.RefFunctionFile
			problems = append(problems, *p)
			continue
		}
		e.warn(defs)
		for _, d := range defs {
			// an empty redefinition replaces nothing, as in text/template
			if e.shared[d.name] == nil || !parse.IsEmptyTree(d.root) {
				e.shared[d.name] = d
			}
		}
	}
	for _, t := range ref.Templates {
		compiled, faults := e.compile(t, names)
		for _, p := range faults {
			if !slices.Contains(problems, p) { // templates share function files
				problems = append(problems, p)
			}
		}
		if len(faults) == 0 {
			e.templates = append(e.templates, compiled)
		}
	}
	slices.SortFunc(e.warnings, func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Message, b.Message))
	})
	e.warnings = slices.Compact(e.warnings)
	return e, problems
}

// Templates returns the compiled templates in the order of the reference.
func (e *Engine) Templates() []*Template { return e.templates }

// compile returns a template without its faults, or the faults. A plain CR that is no template is taken as it is.
func (e *Engine) compile(ref *refconfig.Template, names map[string]any) (*Template, []refconfig.Problem) {
	t, faults := e.parsed(ref, names)
	if len(faults) > 0 && ref.Plain && isYAML(ref.Source) && faults[0].Code != code.RefTemplateNoKind {
		return e.literal(ref, faults[0]), nil
	}
	return t, faults
}

// parsed returns what a template's text is in the template language.
func (e *Engine) parsed(ref *refconfig.Template, names map[string]any) (*Template, []refconfig.Problem) {
	defs, p := parseFile(ref.Path, ref.File, ref.Source, names)
	if p != nil {
		p.Place.Line += ref.LinesBefore
		return nil, []refconfig.Problem{*p}
	}
	for _, d := range defs {
		d.file.before = ref.LinesBefore
	}
	t := &Template{Ref: ref, engine: e, own: map[string]*definition{}}
	for _, d := range defs {
		if d.name == ref.Path {
			t.body = d
			continue
		}
		t.own[d.name] = d
	}
	faults := t.checkCalls()
	if len(faults) > 0 {
		return nil, faults
	}
	e.warn(defs)
	t.several = e.warnOfDocuments(t.body, len(ref.Source))
	t.mutates = t.callsMutator(t.body.root, map[string]bool{})
	t.Identity = t.identify()
	if !t.Identity.Kind.Fixed() {
		faults = append(faults, refconfig.Problem{Code: code.RefTemplateNoKind, Place: refconfig.Place{File: ref.File, Line: 1 + ref.LinesBefore},
			Message: "the template's kind cannot be known without an input; write it as literal text: kind: ..."})
	}
	return t, faults
}

// find returns the definition that a name means inside this template: function files come before the template's own
// definitions, because peers read them after the template. An empty one replaces nothing, as in text/template.
func (t *Template) find(name string) *definition {
	own := t.own[name]
	if name == t.body.name {
		own = t.body
	}
	shared := t.engine.shared[name]
	if shared == nil || own != nil && parse.IsEmptyTree(shared.root) {
		return own
	}
	return shared
}

// maxActions is how many actions a file of templates may have. The parser calls itself for each that stands in another, and a stack
// that is full ends the program.
const maxActions = 100_000

// parseFile parses one file of templates. The returned definitions are in the order of their names.
func parseFile(name, file string, text []byte, functions map[string]any) ([]*definition, *refconfig.Problem) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	src := newSourceFile(file, text)
	if n := bytes.Count(text, []byte("{{")); n > maxActions {
		return nil, &refconfig.Problem{Code: code.RefTemplateParse, Place: refconfig.Place{File: file, Line: 1}, Message: fmt.Sprintf(
			"the template has %d actions, and no more than %d are read", n, maxActions)}
	}
	trees, err := parse.Parse(name, string(text), "", "", functions)
	if err != nil {
		line, message := splitParseError(name, err.Error())
		return nil, &refconfig.Problem{Code: code.RefTemplateParse, Place: refconfig.Place{File: file, Line: line}, Message: message}
	}
	var defs []*definition
	for n, tree := range trees {
		defs = append(defs, &definition{name: n, root: tree.Root, file: src})
	}
	if trees[name] == nil { // a file of nothing but definitions
		defs = append(defs, &definition{name: name, root: &parse.ListNode{NodeType: parse.NodeList}, file: src})
	}
	slices.SortFunc(defs, func(a, b *definition) int { return strings.Compare(a.name, b.name) })
	return defs, nil
}

// splitParseError takes the line out of an error of text/template/parse, which has no other way to tell it.
func splitParseError(name, text string) (int, string) {
	rest, ok := strings.CutPrefix(text, "template: "+name+":")
	if !ok {
		return 1, text
	}
	number, message, ok := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 1, rest
	}
	return line, strings.TrimSpace(message)
}

// callsMutator reports whether a node, or a template it may call, calls a function that changes its argument.
func (t *Template) callsMutator(n parse.Node, seen map[string]bool) bool {
	found := false
	visit(n, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.IdentifierNode:
			found = found || t.engine.functions[n.Ident].mutates
		case *parse.TemplateNode:
			found = found || t.calleeMutates(n.Name, seen)
		case *parse.StringNode: // the name in include "name"
			found = found || t.calleeMutates(n.Text, seen)
		case *parse.CommandNode:
			found = found || includesAny(n) && t.anyMutates(seen)
		}
	})
	return found
}

// includesAny reports whether a command includes a template whose name is worked out.
func includesAny(n *parse.CommandNode) bool {
	if f, ok := n.Args[0].(*parse.IdentifierNode); !ok || f.Ident != "include" {
		return false
	}
	if len(n.Args) < 2 {
		return true
	}
	_, literal := n.Args[1].(*parse.StringNode)
	return !literal
}

// anyMutates reports whether any template that can be called changes an argument.
func (t *Template) anyMutates(seen map[string]bool) bool {
	for _, definitions := range []map[string]*definition{t.own, t.engine.shared} {
		for name := range definitions {
			if t.calleeMutates(name, seen) {
				return true
			}
		}
	}
	return false
}

func (t *Template) calleeMutates(name string, seen map[string]bool) bool {
	d := t.find(name)
	if d == nil || seen[name] {
		return false
	}
	seen[name] = true
	return t.callsMutator(d.root, seen)
}

// visit calls f for n and every node below it.
func visit(n parse.Node, f func(parse.Node)) {
	f(n)
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, c := range n.Nodes {
				visit(c, f)
			}
		}
	case *parse.ActionNode:
		visit(n.Pipe, f)
	case *parse.IfNode:
		visitBranch(&n.BranchNode, f)
	case *parse.WithNode:
		visitBranch(&n.BranchNode, f)
	case *parse.RangeNode:
		visitBranch(&n.BranchNode, f)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			visit(n.Pipe, f)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			visit(c, f)
		}
	case *parse.CommandNode:
		for _, a := range n.Args {
			visit(a, f)
		}
	case *parse.ChainNode:
		visit(n.Node, f)
	}
}

func visitBranch(b *parse.BranchNode, f func(parse.Node)) {
	visit(b.Pipe, f)
	visit(b.List, f)
	if b.ElseList != nil {
		visit(b.ElseList, f)
	}
}
