package refdiff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// side is a template of one version.
type side struct {
	*entry
	root     *render.Part
	whole    bool                      // root has all that the template prints
	secret   map[*render.Part]bool     // something in it may not be shown
	patterns []refconfig.FieldFunction // the fields with inline diff functions
	reported map[string]bool           // lines, as file:line, that changes of fields cover
	read     map[string]bool           // lines that read a field of which a change was reported
}

// newSide has a template printed. It counts what looking for Secrets in its texts takes.
func newSide(e *entry, searched *secret.Searched) *side {
	s := &side{
		entry:    e,
		secret:   map[*render.Part]bool{},
		patterns: e.Ref.Config.Fields(refconfig.InlineDiff),
		reported: map[string]bool{},
		read:     map[string]bool{},
	}
	s.root, s.whole = e.Printing(searched.Context).Parts()
	kind, _ := e.Identity.Kind.Exact()
	s.mark(s.root, secret.OfKind(kind).Or(secret.Of(s.root.Value)).With(searched))
	return s
}

// mark finds the parts that hold data of Secrets: those that are, and those above them. Each text
// is searched once.
func (s *side) mark(p *render.Part, scope secret.Scope) {
	if lines, isList := p.Value.([]any); isList {
		scope = scope.Elements(lines)
	}
	s.secret[p] = scope.IsWhole() || len(p.Below) == 0 && scope.Holds(p.Value)
	for _, b := range p.Below {
		s.mark(b, scope.Below(b.Key, b.Value))
		s.secret[p] = s.secret[p] || s.secret[b]
	}
}

// hides reports whether something of the template may not be shown.
func (s *side) hides() bool { return s.secret[s.root] }

// covers notes that a change covers the lines of a part.
func (s *side) covers(p *render.Part) {
	s.around(p)
	for _, at := range p.Lines {
		s.reported[at] = true
	}
	for _, b := range p.Below {
		s.covers(b)
	}
}

// around notes that a change covers the conditions around a part.
func (s *side) around(p *render.Part) {
	for _, w := range p.When {
		s.reported[w.At] = true
	}
}

// function returns the inline diff function for a field, "" for none.
func (s *side) function(path refconfig.FieldPath) string {
	for _, f := range s.patterns {
		if (refconfig.OmitEntry{Path: f.Path}).Match(path) {
			return f.Function
		}
	}
	return ""
}

// pair is a template of both versions.
type pair struct {
	old, new *side
	searched *secret.Searched
	changes  []Change
	values   []string         // that changes of parameters name
	paths    map[string]bool  // fields that changes are about: true; those above them: false
	computed map[string]bool  // as paths, of fields that are worked out otherwise
	others   []func() *Change // make the changes of these fields that nothing else covers
}

// change returns a change of a field with what both versions have there, as far as they have it.
func (p *pair) change(group Group, kind Kind, words string, path refconfig.FieldPath, old, new *render.Part) Change {
	c := Change{Group: group, Kind: kind, Words: words, Paths: []string{path.String()}}
	if old != nil {
		c.Old, c.OldAt = old.Text(), old.At()
	}
	if new != nil {
		c.New, c.NewAt = new.Text(), new.At()
	}
	if p.old.secret[old] || p.new.secret[new] {
		c.Old, c.New = hidden(c.Old), hidden(c.New)
	}
	return c
}

// report records a change of a field.
func (p *pair) report(group Group, kind Kind, words string, path refconfig.FieldPath, old, new *render.Part) {
	if old != nil {
		p.old.covers(old)
	}
	if new != nil {
		p.new.covers(new)
	}
	p.add(p.change(group, kind, words, path, old, new), path, p.omits(old, path) && p.omits(new, path))
}

func (p *pair) add(c Change, path refconfig.FieldPath, omitted bool) {
	if omitted {
		c.Group, c.Words = Authors, "changed, but is left out of the comparison"
	}
	mark(p.paths, path)
	p.changes = append(p.changes, c)
}

// omits reports whether a field, or all that is below it, is left out of the comparison.
func (p *pair) omits(one *render.Part, path refconfig.FieldPath) bool {
	if one == nil || tree.Omits(p.new.Ref.Config.Omit, path) {
		return true
	}
	for i, b := range one.Below {
		if !p.omits(b, below(path, one, i)) {
			return false
		}
	}
	return len(one.Below) > 0
}

// redacted stands for what may not be shown.
const redacted = "(hidden)"

// hidden returns what is shown of a text that may not be.
func hidden(text string) string {
	if text == "" {
		return ""
	}
	return redacted
}

// longestPath is the most bytes that the path of a field has which is reported by itself: each
// change has its own path.
const longestPath = 4 << 10

// isLong reports whether fields below a path are not reported by themselves.
func isLong(path refconfig.FieldPath) bool {
	n := 0
	for _, step := range path {
		n += len(step.Key) + 1
	}
	return n > longestPath
}

// parts compares two parts of one place; fields are what the new version says of how the values
// there and below it are compared.
func (p *pair) parts(old, new *render.Part, path refconfig.FieldPath, fields diff.Fields) {
	p.condition(old, new, path)
	if len(old.Below) > 0 && len(new.Below) > 0 && old.Below[0].Item == new.Below[0].Item && !isLong(path) {
		p.below(old, new, path, fields)
		return
	}
	fo, fn := p.old.function(path), p.new.function(path)
	was, is := old.Text(), new.Text()
	alike, _ := fields.Equal(old.Value, new.Value)
	switch {
	case fo != fn || fo != "" && was != is:
		p.pattern(old, new, path, fo, fn)
	case tree.Equal(old.Value, new.Value) && old.Fixed == new.Fixed:
	case old.Fixed && new.Fixed && alike:
		p.report(Authors, ValueChanged, "is written in another way, and counts as the same", path, old, new)
	case old.Fixed && new.Fixed:
		p.report(Must, ValueChanged, "has to be another value", path, old, new)
	case old.Fixed:
		p.report(May, ValueFree, "is not fixed any more"+p.need(path), path, old, new)
	case new.Fixed:
		p.report(Must, ValueFixed, "is fixed now", path, old, new)
	case render.Frame(was) != render.Frame(is):
		p.report(Must, ValueChanged, "is fixed otherwise in part", path, old, new)
	default:
		mark(p.computed, path)
		p.others = append(p.others, func() *Change {
			defer p.old.covers(old)
			defer p.new.covers(new)
			reads := func(s *side, one *render.Part) bool {
				return slices.ContainsFunc(one.Lines, func(at string) bool { return s.read[at] })
			}
			if reads(p.old, old) || reads(p.new, new) {
				return nil
			}
			c := p.change(Must, Computed, "is worked out otherwise", path, old, new)
			return &c
		})
	}
}

// conditions returns those around a part, below those of its parent.
func conditions(one *render.Part) string {
	var all []string
	for _, w := range one.When {
		all = append(all, w.Text)
	}
	return strings.Join(all, " and ")
}

// condition reports that a part is asked for under other conditions.
func (p *pair) condition(old, new *render.Part, path refconfig.FieldPath) {
	c := Change{
		Group: Must, Kind: Condition, Words: "is asked for under another condition",
		Old: conditions(old), New: conditions(new), OldAt: old.At(), NewAt: new.At(), Paths: []string{path.String()},
	}
	lacks := func(w render.Around) bool {
		return !slices.ContainsFunc(new.When, func(v render.Around) bool { return v.Text == w.Text })
	}
	if c.Old == c.New {
		return
	}
	p.old.around(old)
	p.new.around(new)
	switch {
	case c.Old == "":
		c.Group, c.Words = May, "is asked for only under a condition"
	case c.New == "":
		c.Words = "is asked for always, and not only under a condition"
	case !slices.ContainsFunc(old.When, lacks):
		c.Group, c.Words = May, "is asked for only under a further condition"
	}
	for i, before := range p.changes { // one condition around several keys, or the other branch of it
		branch := c.Old == "not ("+before.Old+")" && c.New == "not ("+before.New+")"
		if before.Kind == Condition && (branch || before.Old == c.Old && before.New == c.New) {
			if !slices.Contains(before.Paths, c.Paths[0]) {
				p.changes[i].Paths = append(before.Paths, c.Paths...)
			}
			mark(p.paths, path)
			return
		}
	}
	if p.old.hides() || p.new.hides() {
		c.Old, c.New = hidden(c.Old), hidden(c.New)
	}
	p.add(c, path, p.omits(old, path) && p.omits(new, path))
}

// pattern reports a change of a field with an inline diff function.
func (p *pair) pattern(old, new *render.Part, path refconfig.FieldPath, fo, fn string) {
	switch {
	case fo == "":
		p.report(May, ValueFree, "may vary as far as a pattern says ("+fn+")", path, old, new)
	case fn == "":
		p.report(Must, ValueFixed, "is not a pattern any more ("+fo+"), but has to be as it stands", path, old, new)
	case fo != fn:
		words := "is a pattern of another inline diff function (" + fo + " before, " + fn + " now)"
		p.report(Must, PatternChanged, words, path, old, new)
	default:
		p.report(Must, PatternChanged, "has to meet another pattern ("+fn+")", path, old, new)
	}
}

// below compares what stands below two parts.
func (p *pair) below(old, new *render.Part, path refconfig.FieldPath, fields diff.Fields) {
	for _, m := range matched(old.Below, new.Below, fields) {
		switch {
		case m.A < 0:
			p.added(new.Below[m.B], below(path, new, m.B))
		case m.B < 0:
			p.removed(old.Below[m.A], below(path, old, m.A))
		default:
			at := below(path, new, m.B)
			p.parts(old.Below[m.A], new.Below[m.B], at, fields.Below(at[len(at)-1]))
		}
	}
}

// below returns the path of one of the parts below another.
func below(path refconfig.FieldPath, above *render.Part, i int) refconfig.FieldPath {
	one := above.Below[i]
	switch {
	case !one.Item:
		return path.Below(refconfig.Key(one.Key))
	case one.Loop:
		return path.Below(refconfig.Step{Index: -1, Any: true})
	}
	return path.Below(refconfig.Step{Index: i, Key: strconv.Itoa(i)})
}

// matched says which parts belong together: items that are alike, or as the fields have it, and
// keys of one name, those under the same conditions first.
func matched(old, new []*render.Part, fields diff.Fields) []align.Pair {
	if old[0].Item {
		values := func(all []*render.Part) (out []any) {
			for _, one := range all {
				out = append(out, one.Value)
			}
			return out
		}
		return fields.Pair(values(old), values(new)).Pairs
	}
	partner, taken := partners(old, new,
		func(one *render.Part) string { return one.Key + "\x00" + conditions(one) },
		func(one *render.Part) string { return one.Key },
		func(one *render.Part) string { return render.Frame(one.Key) })
	var pairs []align.Pair
	for i, j := range partner {
		if j >= 0 {
			pairs = append(pairs, align.Pair{A: i, B: j})
		}
	}
	for i, j := range partner {
		if j < 0 {
			pairs = append(pairs, align.Pair{A: i, B: -1})
		}
	}
	for j := range new {
		if !taken[j] {
			pairs = append(pairs, align.Pair{A: -1, B: j})
		}
	}
	return pairs
}

// partners pairs the elements of two lists that are the same by one text of each, then of those
// left over the ones that are by another text, and so on: the first of a text with the first of
// that text. It returns what each old element is paired with, -1 for nothing, and which new ones
// are taken.
func partners[T any](old, new []T, by ...func(T) string) (partner []int, taken []bool) {
	partner, taken = slices.Repeat([]int{-1}, len(old)), make([]bool, len(new))
	for _, text := range by {
		free := map[string][]int{}
		for j, b := range new {
			if !taken[j] {
				free[text(b)] = append(free[text(b)], j)
			}
		}
		for i, a := range old {
			if left := free[text(a)]; partner[i] < 0 && len(left) > 0 {
				partner[i], taken[left[0]], free[text(a)] = left[0], true, left[1:]
			}
		}
	}
	return partner, taken
}

// added reports that a template states a field more.
func (p *pair) added(one *render.Part, path refconfig.FieldPath) {
	group, words := Must, "has to be there now"
	if one.Item {
		words = "is a further item, which has to be there now"
	}
	when, own := conditions(one), p.new.parameter(path)
	switch {
	case own != nil && own.Need == render.Optional && own.Default == nil && (when != "" || !one.Fixed), one.Loop:
		group, words = May, "may be there now; where it is, it is compared"
	case when != "" && p.new.hides():
		words += ", under a condition"
	case when != "":
		words += ", where " + when
	default:
		words += p.need(path)
	}
	p.report(group, FieldAdded, words, path, nil, one)
}

// removed reports that a template does not state a field any more.
func (p *pair) removed(one *render.Part, path refconfig.FieldPath) {
	words := "is not in the template any more; a CR that has it has extra content"
	switch {
	case one.Item:
		words = "is an item less"
	case p.new.Ref.Config.IgnoreUnspecified:
		words = "is not in the template any more, and is free"
	}
	p.report(Dropped, FieldRemoved, words, path, one, nil)
}

// need says in words what the new version asks of a field that is the user's.
func (p *pair) need(path refconfig.FieldPath) string {
	switch one := p.new.parameter(path); {
	case one == nil:
	case one.Need == render.Mandatory:
		return ", with a value of the user's own"
	case one.Default != nil && !p.new.hides():
		return "; without it " + written(*one.Default) + " is expected"
	}
	return ""
}
