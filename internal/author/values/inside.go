package values

import (
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// put returns the CR with the value for a pattern in its place. For a pattern in a document, that is
// the given text as a whole, or the template's text with the value in it.
func (e *entry) put(cr any, p diff.Stated) any {
	if whole, given := tree.At(e.input, p.Text); given && p.InText() {
		cr, _ = tree.Set(cr, p.Text, whole)
		return cr
	}
	if p.Closed != nil {
		e.fault(code.ValueMissing, p.Text, "the reference has a pattern at %s (%s), in a text that cannot be opened: %s; "+
			"give the whole text at %s", p.At, p.Function, p.Closed, p.Text)
		return cr
	}
	value, lacks, there := e.valueFor(p)
	if !there {
		e.fault(code.ValueMissing, p.At, "the reference has a pattern at %s (%s); give a value in its place%s",
			p.At, p.Function, lacks)
		return cr
	}
	if !p.InText() {
		cr, _ = tree.Set(cr, p.At, value)
		return cr
	}
	stated, _ := tree.At(cr, p.Text)
	text, _ := stated.(string)
	is, isScalar := diff.Text(value)
	text, done := diff.WithValue(text, p.Opened, p.At[len(p.Text):], is)
	if !isScalar || !done {
		e.fault(code.ValueMissing, p.At, "the reference has a pattern at %s (%s), and the value cannot be written into its text; "+
			"give the whole text at %s", p.At, p.Function, p.Text)
		return cr
	}
	cr, _ = tree.Set(cr, p.Text, text)
	return cr
}

// valueFor returns the value that the user gives in place of a pattern, or for its groups; lacks is
// as for fill.
func (e *entry) valueFor(p diff.Stated) (value any, lacks string, there bool) {
	if value, there = tree.At(e.input, p.At); there {
		if p.InText() {
			e.inside = append(e.inside, p.At)
			e.documents = append(e.documents, refconfig.OmitEntry{Path: p.Text.Inside()})
		}
		return value, "", true
	}
	return e.fill(p.Function, p.Expression)
}
