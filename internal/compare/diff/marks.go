package diff

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// marks has, by path, the codes of a reference's own checks and of invalid values. They are shown
// below the lines of their fields, which may agree.
type marks struct {
	at    map[string][]string
	above map[string]bool // the paths of the parents of these fields
}

// marksOf collects the marks of the differences. A field that does not exist is marked at its
// nearest parent.
func marksOf(root *Pair, differences []Difference) (m marks) {
	for _, d := range differences {
		if !code.IsOwn(d.Code) && d.Category != finding.Invalid {
			continue
		}
		path := d.Path
		for len(path) > 0 && !root.has(path) {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			continue // it belongs to no line
		}
		if m.at == nil {
			m = marks{map[string][]string{}, map[string]bool{}}
		}
		if at := path.String(); !slices.Contains(m.at[at], d.Code) {
			m.at[at] = append(m.at[at], d.Code)
		}
		for n := range path {
			m.above[path[:n].String()] = true
		}
	}
	return m
}

// has reports whether one of the sides has a field.
func (p *Pair) has(path refconfig.FieldPath) bool {
	_, left := tree.At(p.Left.Data, path)
	_, right := tree.At(p.Right.Data, path)
	return left || right
}

// marked returns the codes of the current field.
func (b *sideBuilder) marked() []string {
	if b.marks.at == nil {
		return nil
	}
	return b.marks.at[b.path.String()]
}

// mark adds the codes of the current field.
func (b *sideBuilder) mark(indent int) {
	if all := b.marked(); len(all) > 0 {
		b.sides = append(
			b.sides,
			finding.Side{Category: finding.Drift, Note: &finding.Line{Indent: indent, Text: strings.Join(all, ", ")}},
		)
	}
}

// opened returns the pair, with children if a field inside its values is marked and their keys are not
// secret.
func (b *sideBuilder) opened(p *Pair) *Pair {
	if b.marks.at == nil || p.Children != nil || p.Inside != nil || p.Secret.IsWhole() ||
		!b.marks.above[b.path.String()] {
		return p
	}
	out := *p
	lm, _ := p.Left.Data.(map[string]any)
	rm, _ := p.Right.Data.(map[string]any)
	ll, _ := p.Left.Data.([]any)
	rl, _ := p.Right.Data.([]any)
	w, c := walker{}, cursor{path: b.path, expected: provenance.Plain(p.Left.Data), scope: p.Secret, fields: p.fields}
	switch {
	case len(lm)+len(rm) > 0 && len(ll)+len(rl) == 0:
		w.maps(&out, c, rm, true)
	case len(ll)+len(rl) > 0 && len(lm)+len(rm) == 0:
		out.List = true
		w.lists(&out, c, nil, itemsOf(ll, c.left), itemsOf(rl, c.right))
	default:
		return p
	}
	for _, child := range out.Children {
		child.Category = p.Category
	}
	return &out
}
