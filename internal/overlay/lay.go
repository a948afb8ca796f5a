package overlay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/perfield"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Of lays two values over each other. The note has the shape of the left one, see render.Rendering; nil where the left value is not the
// template's. The scope is that of the objects that the values are.
func Of(left, right, note any, scope secret.Scope) *Pair {
	return ByFields(left, right, note, scope, perfield.Fields{})
}

// ByFields is Of where the reference says of fields when their values count as the same.
func ByFields(left, right, note any, scope secret.Scope, fields perfield.Fields) *Pair {
	o := overlayer{scope}
	scope = scope.Or(secret.Of(left)).Or(secret.Of(right))
	return o.pair(roomOfPath(), refconfig.Step{Index: -1}, Present(left), Present(right), note, scope, fields)
}

// overlayer lays two trees over each other.
type overlayer struct {
	scope secret.Scope // of the objects that the trees are
}

// pair lays two values over each other. The path is another one afterwards. The scope says what of them is secret.
func (o overlayer) pair(path refconfig.FieldPath, step refconfig.Step, left, right Value, note any, scope secret.Scope, fields perfield.Fields) *Pair {
	p := &Pair{Step: step, From: -1, Left: left, Right: right, Secret: scope, fields: fields}
	p.Open, p.Input, p.Unsure = hangs(note)
	o.decide(p, path, note)
	if p.Kids == nil && PrintedSecret(note) {
		p.Secret = scope.Values()
	}
	return p
}

// decide sets the category of a pair, or that of its kids.
func (o overlayer) decide(p *Pair, path refconfig.FieldPath, note any) {
	left, right := p.Left, p.Right
	switch {
	case !right.Present:
		p.Category = finding.Missing
		o.findings(p, note)
		return
	case !left.Present:
		p.Category = finding.Extra
		return
	}
	lm, lok := left.Data.(map[string]any)
	rm, rok := right.Data.(map[string]any)
	ll, llok := left.Data.([]any)
	rl, rlok := right.Data.([]any)
	switch {
	case o.scope.IsObject() && lok && rok && secret.Opened(path): // its kids say which of them are secret
		o.maps(p, path, lm, rm, note)
	case !provenance.Any(note, provenance.Note.Varies) && tree.Equal(left.Data, right.Data):
	case notedWhole(left, right, note):
		o.leaf(p, note)
	case p.Secret.IsWhole():
		o.whole(p, note)
	case o.wholePrint(path, left, right, note):
		p.Category, p.Variable = finding.Expected, true
	case lok && rok:
		o.maps(p, path, lm, rm, note)
	case llok && rlok:
		o.lists(p, path, ll, rl, note)
	default:
		o.leaf(p, note)
	}
}

// notedWhole reports whether there is more to say of a map or list without content than its kids, which it has not, can
// tell: that a finding belongs to it, or that a template action printed it and the input agrees.
func notedWhole(left, right Value, note any) bool {
	n, ok := note.(provenance.Note)
	return ok && (n.Finding != nil || tree.Equal(left.Data, right.Data))
}

// leaf decides the category of two values that are not both maps or both lists, or of what a note is about as a whole.
func (o overlayer) leaf(p *Pair, note any) {
	n, isNote := note.(provenance.Note)
	p.Variable = isNote && n.Variable
	var equal bool
	if equal, p.asIs = p.fields.Equal(p.Left.Data, p.Right.Data); equal {
		p.Left = p.Right // which may be another spelling of the same
	}
	switch {
	case isNote && n.Finding != nil:
		p.Category = finding.Drift
		if n.Finding.Code == code.EvalMissingKey && p.Right.Data == nil {
			p.Category = finding.Missing
		}
		o.findings(p, note)
	case !equal:
		p.Category = finding.Drift
	case p.Variable:
		p.Category = finding.Expected
	}
}

// whole decides the category of two values of which not even the keys may be shown.
func (o overlayer) whole(p *Pair, note any) {
	o.leaf(p, note)
	if _, isNote := note.(provenance.Note); isNote {
		return
	}
	o.findings(p, note)
	switch {
	case p.Message != "":
		p.Category = finding.Drift
	case p.Variable && p.Category == finding.Same:
		p.Category = finding.Expected
	}
}

// findings hands the findings noted at or below a value to the pair that tells them: at most three, the first that the
// template printed first.
func (o overlayer) findings(p *Pair, note any) {
	p.Variable = p.Variable || provenance.Any(note, func(n provenance.Note) bool { return n.Variable })
	var messages []string
	for _, f := range Findings(note) {
		if len(messages) < 3 {
			messages = append(messages, f.Message)
			p.Code = cmp.Or(p.Code, f.Code)
		}
	}
	p.Message = strings.Join(messages, "; ")
}

// wholePrint reports whether two equal values were printed as a whole by one action.
func (o overlayer) wholePrint(path refconfig.FieldPath, left, right Value, note any) bool {
	if _, leaf := note.(provenance.Note); leaf {
		return false
	}
	first := 0
	return all(note, func(n provenance.Note) bool {
		first = cmp.Or(first, n.Print)
		return n.Print != 0 && n.Print == first && n.Root <= len(path) && n.Finding == nil
	}) && tree.Equal(left.Data, right.Data)
}

func (o overlayer) maps(p *Pair, path refconfig.FieldPath, left, right map[string]any, note any) {
	notes, _ := note.(map[string]any)
	keys := make([]string, 0, max(len(left), len(right)))
	for k := range left {
		keys = append(keys, k)
	}
	for k := range right {
		if _, both := left[k]; !both {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	p.Kids = slices.Grow(p.Kids, len(keys))
	for _, k := range keys {
		step := refconfig.Key(k)
		p.Kids = append(p.Kids, o.pair(append(path, step), step, side(left, k), side(right, k), notes[k], below(p.Secret, k, left[k], right[k]), p.fields.Below(step)))
	}
}

func side(m map[string]any, key string) Value {
	v, ok := m[key]
	return Value{Present: ok, Data: v}
}

// lists lays two lists over each other. Where only the order of their items differs, and counts, that is one difference.
func (o overlayer) lists(p *Pair, path refconfig.FieldPath, left, right []any, note any) {
	pairing := p.fields.Pair(left, right)
	p.asIs = pairing.Why
	items := o.items(p, path, left, right, note, pairing.Pairs)
	if !pairing.Moved || provenance.Any(note, func(n provenance.Note) bool { return n.Finding != nil }) {
		p.List, p.Loose, p.Kids = true, pairing.Loose, items
		return
	}
	for _, kid := range items {
		if kid.Category != finding.Same {
			kid.Category = finding.Drift
		}
	}
	rows := *p
	rows.List, rows.Kids = true, items
	p.Category, p.Code, p.Message = finding.Drift, code.EvalOrder, "same items, other order"
	rows.Category, rows.Code, rows.Message, p.rows = finding.Drift, p.Code, p.Message, &rows
}

// items are the pairs of two lists' items.
func (o overlayer) items(p *Pair, path refconfig.FieldPath, left, right []any, note any, pairs []align.Pair) (kids []*Pair) {
	notes, _ := note.([]any)
	scope := p.Secret.Elements(left).Or(p.Secret.Elements(right))
	for _, a := range pairs {
		step := refconfig.Step{Index: a.B}
		l, r := Value{}, Value{}
		var n any
		if a.A >= 0 {
			l = Present(left[a.A])
			if a.A < len(notes) {
				n = notes[a.A]
			}
		}
		if a.B >= 0 {
			r = Present(right[a.B])
		} else {
			step.Index = a.A
		}
		kid := o.pair(append(path, step), step, l, r, n, below(scope, "", l.Data, r.Data), p.fields.Below(refconfig.Step{Index: a.A}))
		kid.From = a.A
		kids = append(kids, kid)
	}
	return kids
}

// Findings are what was found out about a value, and about what is in it, in the order of keys.
func Findings(note any) (all []provenance.Finding) {
	if !provenance.Any(note, func(n provenance.Note) bool { return n.Finding != nil }) { // nearly always, and that takes no order of keys
		return nil
	}
	switch n := note.(type) {
	case provenance.Note:
		return []provenance.Finding{*n.Finding}
	case map[string]any:
		for _, k := range tree.Keys(n) {
			all = append(all, Findings(n[k])...)
		}
	case []any:
		for _, x := range n {
			all = append(all, Findings(x)...)
		}
	}
	return all
}

// below is the scope of what lies at a key of both sides: secret is what is so on either.
func below(s secret.Scope, key string, left, right any) secret.Scope {
	return s.Below(key, left).Or(s.Below(key, right))
}

// PrintedSecret reports whether the template printed something secret into a value.
func PrintedSecret(note any) bool {
	return provenance.Any(note, func(n provenance.Note) bool { return n.Secret })
}

// Meets reports whether a value is sure to have no drift from what is expected of it, and to miss nothing, where no field is compared in a way of
// its own: it has all that is expected, lists as they are, and nothing was found out or is secret. What has more is asked of ByFields.
func Meets(value, expected, notes any) bool {
	return !provenance.Any(notes, func(n provenance.Note) bool { return n.Finding != nil || n.Secret }) && within(expected, value)
}

// within reports whether a value is a part of another.
func within(part, whole any) bool {
	p, isMap := part.(map[string]any)
	w, are := whole.(map[string]any)
	if !isMap || !are {
		return tree.Equal(part, whole)
	}
	for k, x := range p {
		if y, there := w[k]; !there || !within(x, y) {
			return false
		}
	}
	return secret.Of(w) == secret.Scope{} // whose values count as wholes
}
