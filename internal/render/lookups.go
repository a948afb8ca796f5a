package render

import "text/template/parse"

// Lookups says which objects templates may look up: enough to know which of an input must be kept.
type Lookups struct {
	kinds map[[2]string]bool
	any   bool
}

// Meets reports whether objects of an apiVersion and kind may be looked up.
func (l Lookups) Meets(apiVersion, kind string) bool {
	return l.any || l.kinds[[2]string{apiVersion, kind}]
}

// Lookups returns what the templates of the reference, and some texts of templates beside them (see Text), may look up. Where
// one computes the kind, that is anything.
func (e *Engine) Lookups(texts ...string) Lookups {
	l := Lookups{kinds: map[[2]string]bool{}}
	for _, d := range e.shared {
		l.add(d.root)
	}
	for _, t := range e.templates {
		l.add(t.body.root)
		for _, d := range t.own {
			l.add(d.root)
		}
	}
	names := map[string]any{}
	for name := range e.functions {
		names[name] = true
	}
	for _, text := range texts {
		defs, _ := parseFile("text", "text", []byte(text), names) // what does not parse looks up nothing
		for _, d := range defs {
			l.add(d.root)
		}
	}
	return l
}

// add takes in the calls below a node.
func (l *Lookups) add(n parse.Node) {
	called := map[parse.Node]bool{} // names at the beginning of a call
	visit(n, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.CommandNode:
			if name, ok := n.Args[0].(*parse.IdentifierNode); ok && looksUp(name) {
				called[name] = true
				l.call(n.Args)
			}
		case *parse.IdentifierNode:
			l.any = l.any || looksUp(n) && !called[n]
		}
	})
}

func looksUp(n *parse.IdentifierNode) bool { return n.Ident == "lookupCR" || n.Ident == "lookupCRs" }

// call takes in a call: its function, the apiVersion and the kind, and more.
func (l *Lookups) call(args []parse.Node) {
	if len(args) < 3 {
		l.any = true
		return
	}
	apiVersion, ok1 := args[1].(*parse.StringNode)
	kind, ok2 := args[2].(*parse.StringNode)
	if !ok1 || !ok2 {
		l.any = true
		return
	}
	l.kinds[[2]string{apiVersion.Text, kind.Text}] = true
}
