package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/refconfig"
)

// Overrides returns overrides that accept the differences of a comparison, or nil if there is nothing
// to accept. First it states only the items of lists that differ. If that leaves differences, it
// tries whole lists, and returns the overrides that leave fewer differences.
func (m *Maker) Overrides(found *diff.Compared) *finding.Acceptance {
	if len(m.acceptable(found.Differences)) == 0 {
		return m.complete(&finding.Acceptance{}, found)
	}
	kept := m.keptBeside()
	base := m.Compare(Proposal{Overrides: kept})
	if base == nil {
		return m.complete(&finding.Acceptance{Left: m.left(found.Tree, found.Differences)}, found)
	}
	m.widen(found, base)
	best := &finding.Acceptance{Left: m.left(base.Tree, base.Differences)}
	for _, asItIs := range []bool{false, true} {
		if len(best.Left) == 0 || asItIs && holdsSecret(m.Secrets, base.Right, nil) {
			break // omitted fields may contain a copy of the data
		}
		if one := m.try(base, kept, asItIs); len(one.Left) < len(best.Left) {
			best = one
		}
	}
	return m.complete(best, base)
}

// complete adds the differences that can only be accepted together with others. It returns nil if
// there is nothing to report.
func (m *Maker) complete(a *finding.Acceptance, t *diff.Compared) *finding.Acceptance {
	for _, d := range t.Differences {
		if m.counts(d.Category) && m.Scope.isAround(fieldOf(d)) {
			a.Left = append(a.Left, finding.NotAccepted{
				Path:    d.Path,
				Message: "it differs as a whole, and --override-for names only a part of it",
			})
		}
	}
	if len(a.Overrides)+len(a.Left) == 0 {
		return nil
	}
	return a
}

// counts reports whether differences of a category are to be accepted.
func (m *Maker) counts(c finding.Category) bool {
	return c == finding.Drift || c == finding.Missing || c == finding.Invalid || c == finding.Extra && m.Extra
}

// fieldOf returns the field of a difference.
func fieldOf(d diff.Difference) Field {
	return FieldOf(d.Path, d.Reference.Present && !d.Input.Present)
}

// acceptable returns the differences that are to be accepted.
func (m *Maker) acceptable(differences []diff.Difference) []diff.Difference {
	return slice.Filter(differences, func(d diff.Difference) bool {
		return m.counts(d.Category) && m.Scope.has(fieldOf(d))
	})
}

// left explains, for each difference that remains in a comparison, why no override accepts it.
func (m *Maker) left(root *diff.Pair, differences []diff.Difference) []finding.NotAccepted {
	var left []finding.NotAccepted
	lists := map[string]bool{}
	secretLists(root, nil, lists)
	for _, d := range m.acceptable(differences) {
		message := d.Message
		switch {
		case d.Input.Present && d.Secret.Holds(d.Input.Data):
			message = "it differs in secret data, which is never written to a file"
		case slices.ContainsFunc(texts(d.Path)[:len(d.Path)], func(at string) bool { return lists[at] }):
			message = "it is in a list with secret data, which is never written to a file"
		case (d.Code == code.EvalFail || code.IsOwn(d.Code) && len(d.Path) == 0) && !d.Reference.Present &&
			!d.Input.Present:
			message = "a check of the template is about no field, so no override can accept it: " + message
		case message == "":
			message = "no patch of the reference makes it agree"
		}
		left = append(left, finding.NotAccepted{Path: d.Path, Message: message})
	}
	return left
}

// keptBeside returns the existing overrides that still apply next to the new ones. The new ones
// name the object exactly, so less specific overrides do not apply any more.
func (m *Maker) keptBeside() *Set {
	var kept []refconfig.Override
	var made refconfig.Override
	m.identify(&made)
	for _, i := range m.Active.mostSpecific(m.Object) {
		if one := m.Active.all[i]; specificity(one) == specificity(made) {
			kept = append(kept, one)
		}
	}
	return NewSet(kept, m.Active.today)
}

// widen adds to the scope the fields that only differ without less specific overrides: the new ones
// must accept what those accepted. found is the comparison with them, and base the one without.
func (m *Maker) widen(found, base *diff.Compared) {
	for _, d := range base.Differences {
		same := func(other diff.Difference) bool {
			return other.Path.String() == d.Path.String() &&
				fieldOf(other).isLackingItem() == fieldOf(d).isLackingItem()
		}
		if len(d.Path) > 0 && m.counts(d.Category) && !slices.ContainsFunc(found.Differences, same) {
			m.Scope.below = append(slices.Clip(m.Scope.below), fieldOf(d))
		}
	}
}

// try builds overrides and compares the object under them. asItIs says to take a list or field that
// differs from the input as it is.
func (m *Maker) try(base *diff.Compared, kept *Set, asItIs bool) *finding.Acceptance {
	g := &acceptor{Maker: m, base: base, asItIs: asItIs}
	w := &walk{maker: g, towardsInput: true}
	g.value, _ = w.change(base.Tree, base.Expected.Value()).(map[string]any)
	g.findings()
	g.literals(m.Template.Config.Fields(refconfig.InlineDiff))
	made := g.overrides()
	for i := range made {
		m.identify(&made[i])
	}
	again := m.Compare(Proposal{Overrides: NewSet(slices.Concat(kept.all, made), kept.today)})
	if again == nil {
		return &finding.Acceptance{Left: m.left(base.Tree, base.Differences)}
	}
	then := m.asBefore(again.Differences, base.Differences)
	if m.others(then) < m.others(base.Differences) {
		return &finding.Acceptance{Left: m.left(base.Tree, base.Differences)}
	}
	return &finding.Acceptance{Overrides: made, Left: m.left(again.Tree, then)}
}

// asBefore returns differences that overrides leave, of which those of items that the object lacks have
// the paths from before: overrides may give an item of the reference's list another index. Of equal items,
// those remain that are not to be accepted.
func (m *Maker) asBefore(then, before []diff.Difference) []diff.Difference {
	var lacking []diff.Difference
	for _, wanted := range []bool{false, true} {
		for _, d := range before {
			if f := fieldOf(d); f.isLackingItem() && m.Scope.has(f) == wanted {
				lacking = append(lacking, d)
			}
		}
	}
	out := slices.Clone(then)
	for i, d := range out {
		if !fieldOf(d).isLackingItem() {
			continue
		}
		list := d.Path[:len(d.Path)-1]
		at := slices.IndexFunc(lacking, func(was diff.Difference) bool {
			return len(was.Path) == len(d.Path) && leads(list, was.Path) &&
				align.SameItem(was.Reference.Data, d.Reference.Data)
		})
		if at >= 0 {
			out[i].Path = lacking[at].Path
			lacking = slices.Delete(lacking, at, at+1)
		}
	}
	return out
}

// others counts the differences that are not to be accepted. An override must not change this
// number.
func (m *Maker) others(differences []diff.Difference) (n int) {
	for _, d := range differences {
		if m.counts(d.Category) && !m.Scope.has(fieldOf(d)) {
			n++
		}
	}
	return n
}

// identify makes an override specific to the object and the template. It uses the exact form in two
// cases: for an object without a namespace, because an override without a namespace matches every
// namespace, and for an object that another override names in the exact form, because that override
// would take precedence.
func (m *Maker) identify(o *refconfig.Override) {
	o.TemplatePath = m.Template.Path
	id := m.Object
	isExact := func(i int) bool { return m.Active.all[i].ExactMatch != "" }
	if id.Namespace == "" || slices.ContainsFunc(m.Active.mostSpecific(id), isExact) {
		o.ExactMatch = id.Key()
		return
	}
	o.APIVersion, o.Kind, o.Namespace, o.Name = id.APIVersion, id.Kind, id.Namespace, id.Name
}
