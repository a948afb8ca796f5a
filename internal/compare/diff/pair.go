package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Value is one side of a difference: a decoded value, or none.
type Value struct {
	Present bool
	Data    any // nil, bool, int64, float64, string, []any or map[string]any; meaningless unless Present
}

// Pair is a node of the tree that a comparison makes: the expected value on the left, the input on
// the right. Children is set if both sides are maps or both are lists, and something below is not Same;
// the children of a map are sorted by Key, those of a list are in order. A pair with Children has the
// category Same. Without Children, Left and Right hold whole values, without omitted fields.
type Pair struct {
	// a key, or an index: in the input's list, or in the reference's list if the input lacks the
	// item
	Step     refconfig.Step
	Category finding.Category
	Left     Value
	Right    Value
	List     bool // Children are list items
	Loose    bool // for a list: the order does not count, so the left items may have another order than Children
	Variable bool // the template printed this or part of it
	open     bool // with placeholders: everything expected here is a placeholder or depends on one
	held     int8 // caches HoldsSecret of a pair with Children: 1 for true, -1 for false
	From     int  // for an item: its index in the left list; -1 if it is not in that list
	Children []*Pair
	Moved    *Pair // for an item that both lists have in different places: the pair of its other place, see Places
	// the compared part of the expected value; nil if it is absent
	Expected *provenance.Node
	Accepted *Value       // what overrides accept in place of Left, see Against; nil for nothing
	Message  string       // more about the difference, e.g. which key a template asked for
	Code     code.Code    // "" for a plain difference
	Inside   *Inside      // the documents in two texts, see Revealed; nil for none
	Secret   secret.Scope // which parts of the values are hidden, see Show

	fields Fields // the entries of perField for the values
	rows   *Pair  // shown in place of the pair; nil for the pair itself
}

// HoldsSecret reports whether a pair contains secret data.
func (p *Pair) HoldsSecret() bool {
	if p.Category == finding.Same && p.Children == nil {
		return p.Secret.Holds(p.Left.Data)
	}
	if p.Children == nil {
		return p.Left.Present && p.Secret.Holds(p.Left.Data) || p.Right.Present && p.Secret.Holds(p.Right.Data)
	}
	if p.held == 0 {
		p.held = -1
		if slices.ContainsFunc(p.Children, (*Pair).HoldsSecret) {
			p.held = 1
		}
	}
	return p.held > 0
}

// HidesMore reports whether a pair contains secret data. It ignores values that are equal on both
// sides and secret by their own content, because these are recognised in each side alone.
func (p *Pair) HidesMore() bool {
	if p.Children == nil {
		return !(p.Category == finding.Same && p.Secret.IsOwn()) && p.HoldsSecret()
	}
	return slices.ContainsFunc(p.Children, (*Pair).HidesMore)
}

// Difference is a field that differs: a pair without children.
type Difference struct {
	Category  finding.Category
	Path      refconfig.FieldPath
	Named     string // the path with the names of items in place of indexes; "" if equal, or expected
	Reference Value
	Input     Value
	Accepted  *Value // as in Pair
	Message   string
	Code      code.Code
	Secret    secret.Scope // as in Pair
	pair      *Pair        // nil if it belongs to no field
}

// Present returns a side with a value.
func Present(v any) Value { return Value{Present: true, Data: v} }

// Keys returns the fields that identify an item of a list.
func (p *Pair) Keys(item any) []refconfig.FieldPath { return p.fields.Keys(item) }

// Flatten lists the differences of a pair, also expected ones, in the order of the tree.
func Flatten(p *Pair) []Difference {
	out := make([]Difference, 0, p.differences())
	var way []*Pair
	called := Names{}
	var walk func(p *Pair, path refconfig.FieldPath)
	walk = func(p *Pair, path refconfig.FieldPath) {
		way = append(way, p)
		for _, child := range p.Children {
			walk(child, append(path, child.Step))
		}
		if p.isDifference() {
			d := Difference{
				Category:  p.Category,
				Path:      slices.Clone(path),
				Reference: p.Left,
				Input:     p.Right,
				Message:   p.Message,
				Code:      p.Code,
				Secret:    p.Secret,
				pair:      p,
			}
			if p.Category != finding.Expected {
				d.Named = called.path(d.Path, way)
			}
			out = append(out, d)
		}
		way = way[:len(way)-1]
	}
	walk(p, roomOfPath())
	return out
}

// differences returns the number of differences of a pair, also of expected ones.
func (p *Pair) differences() (n int) {
	for _, child := range p.Children {
		n += child.differences()
	}
	if p.isDifference() {
		n++
	}
	return n
}

// isDifference reports whether the pair itself is a difference, and not a parent of some.
func (p *Pair) isDifference() bool { return p.Children == nil && p.Category != finding.Same }

// roomOfPath returns an empty path with room for most fields of an object.
func roomOfPath() refconfig.FieldPath {
	const steps = 8
	return make(refconfig.FieldPath, 0, steps)
}

// Scored returns both values for computing a score: values that count as equal are equal, and lists
// without an order have the order of the right side. With hide, different secret data is as it is
// shown, so that no number or choice reveals more.
func (p *Pair) Scored(hide bool) (left, right Value) {
	if p.Children == nil {
		isUnknown := p.Code == code.EvalMasked || p.Code == code.EvalPlaceholder
		switch {
		case p.Category == finding.Same, isUnknown && p.Left.Present && p.Right.Present:
			return p.Left, p.Left
		case hide:
			return Show{}.value(p.Left, p.Secret), Show{}.value(p.Right, p.Secret)
		}
		return p.Left, p.Right
	}
	lists, maps := [2][]any{{}, {}}, [2]map[string]any{{}, {}}
	for _, child := range p.Children {
		l, r := child.Scored(hide)
		if _, place := child.Places(); place == child {
			l = Value{} // the pair of its place in the left list has it
		}
		for side, v := range [2]Value{l, r} {
			if v.Present {
				lists[side], maps[side][child.Step.Key] = append(lists[side], v.Data), v.Data
			}
		}
	}
	if p.List {
		return Present(lists[0]), Present(lists[1])
	}
	return Present(maps[0]), Present(maps[1])
}
