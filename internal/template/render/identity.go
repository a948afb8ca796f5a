package render

import (
	"context"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// identify determines the four identity fields by executing the template on an empty object. Output
// that depends on the input is left open, but a default counts as fixed. An action that fails
// prints nothing.
func (t *Template) identify(ctx context.Context) template.Identity {
	x, err := t.onEmpty(ctx, true)
	if err != nil { // the execution takes too long
		return template.ScanIdentity(string(t.Ref.Source), literally)
	}
	open := func(p *Printed) bool {
		if p.empty || !p.Val.Input && p.Val.lost == nil {
			return false
		}
		return !p.blank && !strings.Contains(string(x.Out.Buf[p.start:p.end]), "\n")
	}
	a := x.assemble(open)
	id := a.identity(x.Out)
	if !id.Kind.Fixed() { // the kind is part of an included text, for example
		plain := x.assemble(func(*Printed) bool { return false })
		id.Kind = template.ScanIdentity(plain.text, plain.pattern).Kind
	}
	return id
}

// literally returns the matcher of a value in a template that was not executed.
func literally(text string) template.Matcher {
	if text == "" || strings.Contains(text, "{{") {
		return template.Matcher{}
	}
	return template.Literal(text)
}

// mostIdentified is the largest number of values in a text that is parsed for its identity. Larger
// texts are scanned line by line.
const mostIdentified = 100_000

// identity reads the four identity fields from the assembled text.
func (a assembled) identity(o *Output) template.Identity {
	node, err := kubeyaml.ParseMapping(a.text, kubeyaml.Limits{Values: mostIdentified})
	if err != nil {
		return template.ScanIdentity(a.text, a.pattern)
	}
	l := &builder{out: o, a: a, seen: map[int]bool{}}
	field := func(n *kubeyaml.Node, name string) template.Matcher {
		if _, v := n.Field(name); v != nil {
			return l.matcher(v)
		}
		return template.Matcher{}
	}
	_, metadata := node.Field("metadata")
	return template.Identity{
		APIVersion: field(node, "apiVersion"),
		Kind:       field(node, "kind"),
		Namespace:  field(metadata, "namespace"),
		Name:       field(metadata, "name"),
	}
}

// matcher returns the matcher of one identity field: one that accepts every value if an action
// printed the whole field, and a pattern if an action printed a part of it.
func (l *builder) matcher(n *kubeyaml.Node) template.Matcher {
	if n.Kind != kubeyaml.Scalar {
		return template.Matcher{}
	}
	if l.printsInput(n.Offset) {
		return template.Matcher{}
	}
	text := n.Text
	if !strings.Contains(text, l.a.prefix) && n.Style == kubeyaml.Plain {
		s, ok := n.Value().(string)
		if !ok && n.Value() == nil {
			return template.Matcher{}
		}
		if ok {
			text = s
		}
	}
	return l.a.pattern(text)
}

// printsInput reports whether the text at an offset was printed by an action, depends on the input,
// and is not a token.
func (l *builder) printsInput(offset int) bool {
	i := l.spanAt(offset)
	return i >= 0 && !l.spanIsToken(i) && l.out.Prints[i].Val.Input
}

// pattern returns the matcher of a text in which each token matches any text.
func (a assembled) pattern(text string) template.Matcher {
	if text == "" {
		return template.Matcher{}
	}
	if !strings.Contains(text, a.prefix) {
		return template.Literal(text)
	}
	text = strings.ToValidUTF8(text, "\ufffd") // a regular expression must be valid UTF-8
	token := regexp.MustCompile(regexp.QuoteMeta(a.prefix) + `[0-9]+X`)
	parts := token.Split(text, -1)
	if strings.Join(parts, "") == "" {
		return template.Matcher{}
	}
	return template.Partly(parts)
}
