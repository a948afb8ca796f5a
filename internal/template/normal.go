package template

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Normal returns the text of a template in which the ways to write the same are one: a variable that is
// only another name of a field is replaced by the field, with by if, index by a dot, and an empty default
// is gone where an absent value is as good. All else keeps its line. differs is false if the text has none
// of these, or does not parse.
func Normal(text string) (normal string, differs bool) {
	const name = "normal"
	tree, trees := parse.New(name), map[string]*parse.Tree{}
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return text, false
	}
	w := &normalWriter{source: text}
	write := func(t *parse.Tree) {
		n := normalizer{names: map[string]*field{}, counts: map[string]int{}}
		n.count(t.Root)
		root := n.list(t.Root, &field{})
		differs = differs || root.String() != t.Root.String()
		w.list(root)
	}
	if trees[name] != nil {
		write(trees[name])
	}
	delete(trees, name)
	for _, own := range slices.Sorted(maps.Keys(trees)) {
		w.moved = w.lines + 1 // so that no line of it is one of those before
		w.action(0, "- define "+strconv.Quote(own))
		write(trees[own])
		w.action(0, "end -")
	}
	return w.String(), differs
}

// normalWriter writes nodes at the lines that they have in their source.
type normalWriter struct {
	strings.Builder
	source string
	lines  int // line breaks so far
	moved  int // lines to add to those of the source
}

func (w *normalWriter) write(text string) {
	w.WriteString(text)
	w.lines += strings.Count(text, "\n")
}

// action writes an action at the line of a position. Within an action, line breaks mean nothing.
func (w *normalWriter) action(at parse.Pos, text string) {
	begin, text := "{{", text
	if rest, trims := strings.CutPrefix(text, "- "); trims {
		begin, text = "{{- ", rest
	}
	w.write(begin + strings.Repeat("\n", max(0, w.lineOf(at)-w.lines)) + text + "}}")
}

func (w *normalWriter) lineOf(at parse.Pos) int {
	return w.moved + strings.Count(w.source[:min(int(at), len(w.source))], "\n")
}

func (w *normalWriter) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, node := range l.Nodes {
		switch node := node.(type) {
		case *parse.TextNode:
			if more := w.lineOf(node.Pos) - w.lines; more > 0 {
				w.write("{{/*" + strings.Repeat("\n", more) + "*/}}")
			}
			w.write(string(node.Text))
		case *parse.IfNode:
			w.branch("if", &node.BranchNode)
		case *parse.WithNode:
			w.branch("with", &node.BranchNode)
		case *parse.RangeNode:
			w.branch("range", &node.BranchNode)
		default:
			text := strings.TrimSuffix(strings.TrimPrefix(node.String(), "{{"), "}}")
			w.action(node.Position(), text)
		}
	}
}

func (w *normalWriter) branch(word string, b *parse.BranchNode) {
	w.action(b.Pos, word+" "+b.Pipe.String())
	w.list(b.List)
	if b.ElseList != nil {
		w.action(0, "else")
		w.list(b.ElseList)
	}
	w.action(0, "end")
}

// field is a field by its keys, below what the dot is in a loop, or below the argument of the
// definition.
type field struct {
	loop *parse.RangeNode // nil outside of loops
	keys []string
	// the template has an empty map or list in place of an absent field
	orEmpty bool
}

// normalizer makes one definition normal.
type normalizer struct {
	names  map[string]*field // variables that are only names of fields
	counts map[string]int    // how often a variable is declared or set
}

// count counts the declarations of variables.
func (n *normalizer) count(node parse.Node) {
	if p, isPipe := node.(*parse.PipeNode); isPipe {
		for _, v := range p.Decl {
			n.counts[v.Ident[0]]++
		}
	}
	eachBelow(node, n.count)
}

// list returns the nodes of a list in their normal form; dot is what the dot is.
func (n *normalizer) list(l *parse.ListNode, dot *field) *parse.ListNode {
	if l == nil {
		return nil
	}
	out := &parse.ListNode{NodeType: parse.NodeList}
	for _, node := range l.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			if n.declares(node.Pipe, dot) {
				continue
			}
			out.Nodes = append(out.Nodes, &parse.ActionNode{
				NodeType: parse.NodeAction, Pos: node.Pos, Pipe: n.pipe(node.Pipe, dot),
			})
		case *parse.IfNode:
			out.Nodes = append(out.Nodes, n.branch(&node.BranchNode, dot, dot))
		case *parse.WithNode:
			pipe := *node.Pipe
			pipe.Decl = nil
			inner := n.field(&pipe, dot)
			if inner != nil && (len(node.Pipe.Decl) == 0 || n.counts[node.Pipe.Decl[0].Ident[0]] == 1) {
				for _, v := range node.Pipe.Decl {
					n.names[v.Ident[0]] = inner
				}
				other := node.BranchNode
				other.NodeType, other.Pipe = parse.NodeIf, &pipe
				out.Nodes = append(out.Nodes, n.branch(&other, inner, dot))
				continue
			}
			out.Nodes = append(out.Nodes, n.branch(&node.BranchNode, nil, dot))
		case *parse.RangeNode:
			out.Nodes = append(out.Nodes, n.branch(&node.BranchNode, &field{loop: node}, dot))
		case *parse.TemplateNode:
			other := *node
			if node.Pipe != nil {
				other.Pipe = n.pipe(node.Pipe, dot)
			}
			out.Nodes = append(out.Nodes, &other)
		default:
			out.Nodes = append(out.Nodes, node)
		}
	}
	return out
}

// declares records a variable that is only another name of a field.
func (n *normalizer) declares(p *parse.PipeNode, dot *field) bool {
	if len(p.Decl) != 1 || p.IsAssign || n.counts[p.Decl[0].Ident[0]] != 1 {
		return false
	}
	pipe := *p
	pipe.Decl = nil
	of := n.field(&pipe, dot)
	if of == nil || of.loop != nil {
		return false // in another loop, it could not be written
	}
	n.names[p.Decl[0].Ident[0]] = of
	return true
}

// branch returns a condition or loop in its normal form; inner is what the dot is in its body.
func (n *normalizer) branch(b *parse.BranchNode, inner, dot *field) parse.Node {
	other := parse.BranchNode{NodeType: b.NodeType, Pos: b.Pos, Pipe: n.pipe(b.Pipe, dot)}
	if f := n.field(b.Pipe, dot); f != nil && len(b.Pipe.Decl) == 0 || f != nil && b.NodeType == parse.NodeRange {
		whole := *f
		whole.orEmpty = false // nothing is as good as an empty map
		if written := whole.node(dot); written != nil {
			other.Pipe.Cmds = []*parse.CommandNode{command(written)}
		}
	}
	other.List, other.ElseList = n.list(b.List, inner), n.list(b.ElseList, dot)
	switch b.NodeType {
	case parse.NodeIf:
		return &parse.IfNode{BranchNode: other}
	case parse.NodeWith:
		return &parse.WithNode{BranchNode: other}
	}
	return &parse.RangeNode{BranchNode: other}
}

func command(args ...parse.Node) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Args: args}
}

// pipe returns a pipeline in its normal form.
func (n *normalizer) pipe(p *parse.PipeNode, dot *field) *parse.PipeNode {
	out := &parse.PipeNode{NodeType: parse.NodePipe, IsAssign: p.IsAssign, Decl: p.Decl}
	for i, c := range p.Cmds {
		var args []parse.Node
		for _, a := range c.Args {
			args = append(args, n.argument(a, dot))
		}
		if len(p.Cmds) == 1 || i == 0 {
			if f := n.command(c, dot); f != nil && !f.orEmpty {
				if written := f.node(dot); written != nil {
					args = []parse.Node{written}
				}
			}
			if isWord(c, "hasKey") && len(c.Args) == 3 { // an absent map has no key, like an empty one
				if f := n.field(c.Args[1], dot); f != nil {
					whole := *f
					whole.orEmpty = false
					if written := whole.node(dot); written != nil {
						args[1] = written
					}
				}
			}
		}
		if isWord(c, "and") {
			args = withoutParents(args)
		}
		out.Cmds = append(out.Cmds, command(args...))
	}
	if len(out.Cmds) == 1 && len(out.Cmds[0].Args) == 2 && isWord(out.Cmds[0], "and") { // of one
		out.Cmds[0] = command(out.Cmds[0].Args[1])
	}
	if len(out.Cmds) == 1 && len(out.Cmds[0].Args) == 1 { // a pipeline in parentheses
		if inner, isPipe := out.Cmds[0].Args[0].(*parse.PipeNode); isPipe && len(inner.Decl) == 0 {
			out.Cmds = inner.Cmds
		}
	}
	return out
}

// withoutParents returns the arguments of and without fields whose own fields the next argument reads:
// they are there if these are.
func withoutParents(args []parse.Node) []parse.Node {
	out := args[:1:1]
	for i, a := range args[1:] {
		f, isField := a.(*parse.FieldNode)
		if isField && i+2 < len(args) {
			next := args[i+2]
			if p, isPipe := next.(*parse.PipeNode); isPipe && len(p.Cmds) == 1 && isWord(p.Cmds[0], "hasKey") &&
				len(p.Cmds[0].Args) == 3 && p.Cmds[0].Args[1].String() == f.String() {
				continue
			}
			if below, isField := next.(*parse.FieldNode); isField && strings.HasPrefix(below.String(), f.String()+".") {
				continue
			}
		}
		out = append(out, a)
	}
	return out
}

func isWord(c *parse.CommandNode, word string) bool {
	name, ok := c.Args[0].(*parse.IdentifierNode)
	return ok && name.Ident == word
}

// argument returns an argument in its normal form.
func (n *normalizer) argument(node parse.Node, dot *field) parse.Node {
	if f := n.field(node, dot); f != nil && !f.orEmpty {
		if written := f.node(dot); written != nil {
			return written
		}
	}
	switch node := node.(type) {
	case *parse.PipeNode:
		return n.pipe(node, dot)
	case *parse.VariableNode:
		if f := n.names[node.Ident[0]]; f != nil { // with an empty default
			return n.written(f, dot)
		}
	case *parse.ChainNode:
		return &parse.ChainNode{NodeType: parse.NodeChain, Node: n.argument(node.Node, dot), Field: node.Field}
	}
	return node
}

// written returns a field with its empty default.
func (n *normalizer) written(f *field, dot *field) parse.Node {
	whole := *f
	whole.orEmpty = false
	empty := command(parse.NewIdentifier("default"), parse.NewIdentifier("dict"))
	return &parse.PipeNode{NodeType: parse.NodePipe, Cmds: []*parse.CommandNode{command(whole.node(dot)), empty}}
}

// field returns the field that a node is, nil for anything else.
func (n *normalizer) field(node parse.Node, dot *field) *field {
	switch node := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return dot.below(node.Ident)
	case *parse.VariableNode:
		if node.Ident[0] == "$" {
			return (&field{}).below(node.Ident[1:])
		}
		return n.names[node.Ident[0]].below(node.Ident[1:])
	case *parse.ChainNode:
		return n.field(node.Node, dot).below(node.Field)
	case *parse.PipeNode:
		if len(node.Decl) > 0 && node.IsAssign {
			return nil
		}
		f := n.command(node.Cmds[0], dot)
		if len(node.Cmds) == 2 && f != nil && isEmptyDefault(node.Cmds[1]) {
			return &field{loop: f.loop, keys: f.keys, orEmpty: true}
		}
		if len(node.Cmds) == 1 {
			return f
		}
	}
	return nil
}

// isEmptyDefault reports whether a command is default dict.
func isEmptyDefault(c *parse.CommandNode) bool {
	return isWord(c, "default") && len(c.Args) == 2 && isEmpty(c.Args[1])
}

// isEmpty reports whether an argument is an empty map.
func isEmpty(node parse.Node) bool {
	return slices.Contains([]string{"dict", "(dict)"}, node.String())
}

// command returns the field that a command is, nil for anything else.
func (n *normalizer) command(c *parse.CommandNode, dot *field) *field {
	switch {
	case len(c.Args) == 1:
		return n.field(c.Args[0], dot)
	case isWord(c, "index") && len(c.Args) == 3:
		text, isText := c.Args[2].(*parse.StringNode)
		if isText && isName(text.Text) {
			return n.field(c.Args[1], dot).below([]string{text.Text})
		}
	case isWord(c, "default") && len(c.Args) == 3 && isEmpty(c.Args[1]):
		if f := n.field(c.Args[2], dot); f != nil {
			return &field{loop: f.loop, keys: f.keys, orEmpty: true}
		}
	}
	return nil
}

// isName reports whether a key can be written after a dot.
func isName(key string) bool {
	for i, r := range key {
		isLetter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !isLetter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != ""
}

// below returns a field below a field. What is absent in an empty map is absent without it.
func (f *field) below(keys []string) *field {
	switch {
	case f == nil:
		return nil
	case len(keys) == 0:
		return f
	}
	return &field{loop: f.loop, keys: slices.Concat(f.keys, keys)}
}

// node writes a field where the dot is another one, nil if that is impossible.
func (f *field) node(dot *field) parse.Node {
	switch {
	case dot != nil && f.loop == dot.loop && len(f.keys) == 0:
		return &parse.DotNode{NodeType: parse.NodeDot}
	case dot != nil && f.loop == dot.loop:
		return &parse.FieldNode{NodeType: parse.NodeField, Ident: f.keys}
	case f.loop == nil:
		return &parse.VariableNode{NodeType: parse.NodeVariable, Ident: slices.Concat([]string{"$"}, f.keys)}
	}
	return nil
}
