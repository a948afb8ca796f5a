package patch

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// fixer makes one round of a fix: it changes the object by one comparison and records the fields
// that it cannot change.
type fixer struct {
	*Maker
	patterns map[string]string   // why texts of the reference are never written: they have a pattern
	open     []finding.OpenField // the fields that are left to the user
	walk     *walk
	moved    map[*diff.Pair]bool // extra items that are missing elsewhere in their list
	moving   map[string]bool     // fields that never settle and are not changed
	secret   bool                // a side has or had secret data in addition to the object's own
	agrees   *diff.Compared      // the comparison in which nothing remains to fix; nil for none
}

// newFixer prepares a round. Fields that the previous round could not compare stay with the user.
func (m *Maker) newFixer(t *diff.Compared, before *fixer) *fixer {
	g := &fixer{Maker: m, patterns: map[string]string{}, secret: before.secret || t.Tree.HidesMore(),
		moved: map[*diff.Pair]bool{}}
	g.walk = &walk{maker: g}
	for _, o := range before.open {
		if o.Path == "." && t.Expected == nil {
			g.open = append(g.open, o)
		}
	}
	// parts of a pattern may have been accepted, and the rest of it remains in the text
	g.notePatterns(t.Expected.Value())
	g.notePatterns(t.Tree.Left.Data)
	return g
}

// notePatterns records the texts of an expected value that have a pattern.
func (g *fixer) notePatterns(expected any) {
	for _, p := range diff.Patterns(g.Template.Config, expected) {
		v, _ := tree.At(expected, p.Text)
		text, isText := v.(string)
		switch {
		case !isText:
		case p.Closed != nil:
			g.patterns[text] = fmt.Sprintf("it may have a pattern for %s, and %s", p.At, p.Closed)
		case pattern.Literal(p.Function, p.Expression) == p.Expression:
		case p.InText():
			g.patterns[text] = fmt.Sprintf("it has a pattern at %s", p.At)
		default:
			g.patterns[text] = fmt.Sprintf("the value must match the pattern %q", text)
		}
	}
}

// leave records a field that is left to the user.
func (g *fixer) leave(path refconfig.FieldPath, why string) {
	g.open = append(g.open, finding.OpenField{Path: path.String(), Message: why})
}

// told records findings that belong to no field, such as a failed check, each once. It skips those
// about fields that are already left to the user.
func (g *fixer) told(t *diff.Compared) {
	left, told := map[string]bool{}, map[string]bool{}
	for _, o := range g.open {
		left[o.Path] = true
	}
	for _, f := range t.Told {
		at := f.Path.String()
		if (f.Path == nil || !left[at]) && !told[at+" "+f.Message] {
			told[at+" "+f.Message] = true
			g.leave(f.Path, f.Message)
		}
	}
}

// wants reports whether there is something to mend at or below a pair.
func (g *fixer) wants(p *diff.Pair, _ refconfig.FieldPath, below bool) bool {
	return below || fails(p.Category)
}

// enters finds the extra items of a list that are missing elsewhere in it. A list that contains
// secret or masked values is not changed, because a patch would have to state all of it.
func (g *fixer) enters(p *diff.Pair, at spot, value any) bool {
	if tooMuch(p) || g.moves(at.path) || g.fixedList(p, at.path, value) {
		return false
	}
	if p.List {
		for moved := range movedIn(p) {
			g.walk.wanted[moved], g.moved[moved] = true, true
		}
		g.places(p, at.path)
	}
	return true
}

// places leaves the places of the items of a list that is not to be changed to the user.
func (g *fixer) places(list *diff.Pair, path refconfig.FieldPath) {
	for _, child := range list.Children {
		left, right := child.Places()
		if left != child || !g.walk.wanted[left] {
			continue
		}
		at := path.Below(child.Step)
		if why := g.fixed(left, at); why != "" {
			g.leave(at, why)
			g.walk.wanted[left] = false
			if !left.IsPlace() {
				g.walk.wanted[right] = false
			}
		}
	}
}

// inserts implements maker; there is nothing to record.
func (g *fixer) inserts(spot, diff.Value, diff.Value) {}

// fixedList reports whether a value is a list that cannot be changed, because a patch would have to
// state all of it.
func (g *fixer) fixedList(p *diff.Pair, path refconfig.FieldPath, value any) bool {
	list, isList := value.([]any)
	return p.List && isList &&
		(p.HoldsSecret() || holdsMask(p) || diff.Masked(g.Layout, g.Object.Kind, path, list))
}

// moves reports whether the field changes in every round.
func (g *fixer) moves(path refconfig.FieldPath) bool {
	return len(g.moving) > 0 && g.moving[path.String()]
}

// isInside reports whether a pair is about the document in a text, and not about the text itself.
func isInside(p *diff.Pair, value any, has bool) bool {
	_, isText := value.(string)
	_, comparesText := p.Right.Data.(string)
	return p.Children != nil || p.Right.Present && (!has || isText && !comparesText)
}

// leaveInside records the differences in a document that a text contains.
func (g *fixer) leaveInside(p *diff.Pair, path refconfig.FieldPath) {
	if fails(p.Category) {
		g.leave(path, "it is in a document inside a text, and the whole text must be written again")
	}
	for _, child := range p.Children {
		g.leaveInside(child, path.Below(child.Step))
	}
}

// movedIn returns the extra items of a list that are missing elsewhere in it.
func movedIn(p *diff.Pair) map[*diff.Pair]bool {
	extra := map[string][]*diff.Pair{} // by content, in order
	for _, child := range p.Children {
		if !child.Left.Present {
			text := tree.YAML(child.Right.Data)
			extra[text] = append(extra[text], child)
		}
	}
	moved := map[*diff.Pair]bool{}
	for _, missing := range p.Children {
		if missing.Category != finding.Missing || missing.Right.Present || len(extra) == 0 {
			continue
		}
		text := tree.YAML(missing.Left.Data)
		if same := extra[text]; len(same) > 0 {
			moved[same[0]] = true
			extra[text] = same[1:]
		}
	}
	return moved
}

// whole returns the new value of a pair without children.
func (g *fixer) whole(p *diff.Pair, at spot, was diff.Value) diff.Value {
	path, why := at.path, ""
	n, _ := p.Expected.Note()
	switch {
	case g.moved[p] || tooMuch(p):
		return diff.Value{}
	case g.moves(path):
		why = depends
	case p.Children != nil && g.fixedList(p, path, was.Data):
		why = "the list has secret or masked data, and a patch would contain the whole list"
	case isInside(p, was.Data, was.Present):
		g.leaveInside(p, path)
		return was
	default:
		if why = g.fixed(p, path); why == "" && n.Finding != nil {
			why = p.Message
		}
	}
	if why != "" {
		g.leave(path, why)
		return was
	}
	if p.Left.Data == nil && was.Present && g.Template.Config.IgnoreUnspecified {
		return diff.Value{} // null means that the field is absent
	}
	if v, known := g.known(p.Expected, path); known {
		return diff.Present(v)
	}
	return was
}

// fixed returns why a field is never set, or "" if it may be set.
func (g *fixer) fixed(p *diff.Pair, path refconfig.FieldPath) string {
	switch text := path.String(); {
	case len(path) == 0:
		return p.Message
	case p.HoldsSecret():
		return "it is secret data, which is never written to a file"
	case !p.Left.Present:
		return p.Message
	case path[0].Key == "status" && !g.Missing:
		return "only the cluster writes the status"
	case g.Missing && p.Right.Data == nil:
	case text == "apiVersion" || text == "kind" || text == "metadata.name" || text == "metadata.namespace":
		return "it identifies the CR and cannot be changed; create a new CR"
	}
	return ""
}

// known returns the part of an expected value that does not depend on the user. It records the
// other fields.
func (g *fixer) known(n *provenance.Node, path refconfig.FieldPath) (any, bool) {
	if note, _ := n.Note(); note.Finding != nil {
		g.leave(path, note.Finding.Message)
		return nil, false
	}
	if g.moves(path) {
		g.leave(path, depends)
		return nil, false
	}
	switch v := n.Value().(type) {
	case nil:
		g.leave(path, "the reference has no value here")
		return nil, false
	case string:
		if why := g.patterns[v]; why != "" {
			g.leave(path, why)
			return nil, false
		}
	case map[string]any:
		out := map[string]any{}
		for _, k := range tree.Keys(v) {
			if x, ok := g.known(n.Child(k), path.Below(refconfig.Key(k))); ok {
				out[k] = x
			}
		}
		return out, len(out) > 0 || len(v) == 0
	case []any:
		out := []any{}
		for i := range v {
			if x, ok := g.known(n.Item(i), path.Below(refconfig.Step{Index: i})); ok {
				out = append(out, x)
			}
		}
		return out, len(out) > 0 || len(v) == 0
	}
	return n.Value(), true
}

// tooMuch reports whether a pair is content of the CR that the reference forbids. Secret data is
// kept, because it is not compared.
func tooMuch(p *diff.Pair) bool { return p.Code == code.EvalExact && !p.HoldsSecret() }

// holdsMask reports whether a pair contains a masked value.
func holdsMask(p *diff.Pair) bool {
	return p.Code == code.EvalMasked || slices.ContainsFunc(p.Children, holdsMask)
}
