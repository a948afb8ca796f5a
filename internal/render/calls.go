package render

import (
	"fmt"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// calls looks for calls of templates that are not defined, from the body of a template to whatever that calls.
type calls struct {
	t       *Template
	reached map[*definition]reach
	faults  []refconfig.Problem // of calls that every execution makes
}

// reach says how a definition is reached.
type reach int

const (
	perhaps reach = iota + 1 // only where a condition holds
	always
)

// checkCalls returns a fault for each undefined template that every execution calls. A call inside a condition may never be
// made, and is only warned of; where it is made, it is an error of that object.
func (t *Template) checkCalls() []refconfig.Problem {
	c := &calls{t: t, reached: map[*definition]reach{}}
	c.definition(t.body, always)
	return c.faults
}

func (c *calls) definition(d *definition, how reach) {
	if c.reached[d] >= how {
		return
	}
	c.reached[d] = how
	c.node(d, d.root, how)
}

// node looks at a node of a definition and all that lies below it.
func (c *calls) node(d *definition, n parse.Node, how reach) {
	switch n := n.(type) {
	case *parse.ListNode:
		for _, below := range n.Nodes {
			c.node(d, below, how)
		}
	case *parse.ActionNode:
		c.node(d, n.Pipe, how)
	case *parse.IfNode:
		c.branch(d, &n.BranchNode, how)
	case *parse.WithNode:
		c.branch(d, &n.BranchNode, how)
	case *parse.RangeNode:
		c.branch(d, &n.BranchNode, how)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			c.node(d, n.Pipe, how)
		}
		c.call(d, n.Name, n, how)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			c.command(d, command, how)
		}
	case *parse.ChainNode:
		c.node(d, n.Node, how)
	}
}

func (c *calls) branch(d *definition, b *parse.BranchNode, how reach) {
	c.node(d, b.Pipe, how)
	c.node(d, b.List, perhaps)
	if b.ElseList != nil {
		c.node(d, b.ElseList, perhaps)
	}
}

func (c *calls) command(d *definition, n *parse.CommandNode, how reach) {
	if f, ok := n.Args[0].(*parse.IdentifierNode); ok {
		switch f.Ident {
		case "and", "or": // these do not evaluate all that they are given
			how = perhaps
		case "include":
			if len(n.Args) > 1 {
				if name, ok := n.Args[1].(*parse.StringNode); ok {
					c.call(d, name.Text, n, how)
				}
			}
		}
	}
	for _, argument := range n.Args {
		c.node(d, argument, how)
	}
}

// call follows a call of a template by its name.
func (c *calls) call(d *definition, name string, n parse.Node, how reach) {
	if called := c.t.find(name); called != nil {
		c.definition(called, how)
		return
	}
	p := refconfig.Problem{Code: code.RefUndefined, Place: refconfig.Place{File: d.file.name, Line: d.file.line(n.Position())}, Message: fmt.Sprintf(
		"the template %q that is called here is not defined; is its file listed in templateFunctionFiles?", name)}
	if how == always {
		c.faults = append(c.faults, p)
		return
	}
	p.Message += " A CR for which this is reached cannot be evaluated"
	c.t.engine.warnings = append(c.t.engine.warnings, p)
}
