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

// pair is a template of both versions.
type pair struct {
	old, new       *side
	searched       *secret.Searched
	oldI, newI     offer
	changes        []Change
	told           [2]map[int]bool // lines of either version that changes of fields tell of
	read           [2]map[int]bool // lines that read what a change of a parameter tells of
	values, keys   []string        // that changes of parameters tell of
	toldPaths      map[string]bool // fields that changes tell of: true; those above them: false
	computedPaths  map[string]bool // as toldPaths, of fields that are worked out otherwise
	expressions    []Change        // fields that are worked out otherwise, told where nothing else tells of it
	expressionsOld []int
	expressionsNew []int
}

// tell takes down a change of parts.
func (p *pair) tell(c Change, path refconfig.FieldPath, old, new *part) {
	if old != nil {
		c.OldAt = p.old.place(old.first)
		p.lines(0, old)
	}
	if new != nil {
		c.NewAt = p.new.place(new.first)
		p.lines(1, new)
	}
	if old != nil && old.secret || new != nil && new.secret {
		c.Old, c.New = hidden(c.Old), hidden(c.New)
	}
	if tree.Omits(p.new.t.Ref.Config.Omit, path) {
		c.Group, c.Words = Authors, "changed, but is left out of the comparison"
	}
	mark(p.toldPaths, path)
	c.Paths = []string{path.String()}
	p.changes = append(p.changes, c)
}

// redacted stands for what may not be shown.
const redacted = "(hidden)"

// hidden is what is shown of a text that may not be.
func hidden(text string) string {
	if text == "" {
		return ""
	}
	return redacted
}

// lines notes that the lines of a part, and of the conditions that it alone stands in, are told of.
func (p *pair) lines(version int, one *part) {
	for line := one.first; line <= one.last; line++ {
		p.told[version][line] = true
	}
	for _, g := range one.when {
		p.told[version][g.line] = true
	}
}

// longestPath is how many bytes the path of a field has at most that is told by itself. Each change
// has its own.
const longestPath = 4 << 10

// isLong reports whether fields below a path are not told by themselves.
func isLong(path refconfig.FieldPath) bool {
	n := 0
	for _, step := range path {
		n += len(step.Key) + 1
	}
	return n > longestPath
}

// parts compares two parts of one place; fields are what the new version says of how the values
// there and below it are compared.
func (p *pair) parts(old, new *part, path refconfig.FieldPath, fields diff.Fields) {
	was, is := conditions(old), conditions(new)
	if was != is {
		p.condition(old, new, path, was, is)
	}
	fo, fn := p.function(p.old, path), p.function(p.new, path)
	switch {
	case len(old.below) > 0 && len(new.below) > 0 && old.below[0].item == new.below[0].item && !isLong(path):
		p.below(old, new, path, fields)
	case fo != fn || fo != "" && old.text() != new.text():
		p.pattern(old, new, path, fo, fn)
	case old.fixed && new.fixed:
		c := Change{Group: Must, Kind: ValueChanged, Words: "has to be another value", Old: old.text(), New: new.text()}
		if same, _ := fields.Equal(old.value, new.value); same {
			c.Group, c.Words = Authors, "is written in another way, and counts as the same"
		}
		if !tree.Equal(old.value, new.value) {
			p.tell(c, path, old, new)
		}
	case old.text() == new.text():
	case old.fixed:
		p.tell(
			Change{
				Group: May,
				Kind:  ValueFree,
				Words: "is not fixed any more" + p.need(path),
				Old:   old.text(),
				New:   new.text(),
			},
			path,
			old,
			new,
		)
	case new.fixed:
		p.tell(
			Change{Group: Must, Kind: ValueFixed, Words: "is fixed now", Old: old.text(), New: new.text()},
			path,
			old,
			new,
		)
	case frame(old.text()) != frame(new.text()):
		p.tell(
			Change{
				Group: Must,
				Kind:  ValueChanged,
				Words: "is fixed otherwise in part",
				Old:   old.text(),
				New:   new.text(),
			},
			path,
			old,
			new,
		)
	default:
		mark(p.computedPaths, path)
		p.expressions = append(p.expressions, p.expression(old, new, path))
		p.expressionsOld, p.expressionsNew = append(p.expressionsOld, old.first), append(p.expressionsNew, new.first)
	}
}

// expression is the change of a field that is worked out otherwise.
func (p *pair) expression(old, new *part, path refconfig.FieldPath) Change {
	c := Change{
		Group: Must,
		Kind:  Computed,
		Words: "is worked out otherwise",
		Old:   old.text(),
		New:   new.text(),
		Paths: []string{path.String()},
		OldAt: p.old.place(old.first),
		NewAt: p.new.place(new.first),
	}
	if old.secret || new.secret {
		c.Old, c.New = hidden(c.Old), hidden(c.New)
	}
	return c
}

// frame is the literal text around the actions of a value.
func frame(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(rest, "}}")
		b.WriteString("{{}}")
	}
}

// conditions are those that a part stands in, below those of its parent.
func conditions(one *part) string {
	var all []string
	for _, g := range one.when {
		all = append(all, g.text)
	}
	return strings.Join(all, " and ")
}

// condition tells that a part is asked for under other conditions.
func (p *pair) condition(old, new *part, path refconfig.FieldPath, was, is string) {
	c := Change{Group: Must, Kind: Condition, Words: "is asked for under another condition", Old: was, New: is}
	switch {
	case was == "":
		c.Group, c.Words = May, "is asked for only under a condition"
	case is == "":
		c.Words = "is asked for always, and not only under a condition"
	}
	oldOnly := &part{
		first:  old.first,
		last:   old.first - 1,
		when:   old.when,
		secret: p.old.root.secret,
	} // what stands in it did not change
	newOnly := &part{first: new.first, last: new.first - 1, when: new.when, secret: p.new.root.secret}
	p.tell(c, path, oldOnly, newOnly)
	last := p.changes[len(p.changes)-1]
	for i := range p.changes[:len(p.changes)-1] { // one condition around several keys, or the other branch of it
		before := &p.changes[i]
		branch := last.Old == "not ("+before.Old+")" && last.New == "not ("+before.New+")"
		if before.Kind == Condition && (branch || before.Old == last.Old && before.New == last.New) {
			if !slices.Contains(before.Paths, last.Paths[0]) {
				before.Paths = append(before.Paths, last.Paths...)
			}
			p.changes = p.changes[:len(p.changes)-1]
			return
		}
	}
}

// function is the inline diff function for a field of a template, "" for none.
func (p *pair) function(s *side, path refconfig.FieldPath) string {
	for _, f := range s.patterns {
		if (refconfig.OmitEntry{Path: f.Path}).Match(path) {
			return f.Function
		}
	}
	return ""
}

// pattern tells of a field with an inline diff function.
func (p *pair) pattern(old, new *part, path refconfig.FieldPath, fo, fn string) {
	c := Change{
		Group: Must,
		Kind:  PatternChanged,
		Words: "has to meet another pattern (" + fn + ")",
		Old:   old.text(),
		New:   new.text(),
	}
	switch {
	case fo == "":
		c.Group, c.Kind, c.Words = May, ValueFree, "may vary as far as a pattern says ("+fn+")"
	case fn == "":
		c.Kind, c.Words = ValueFixed, "is not a pattern any more ("+fo+"), but has to be as it stands"
	case fo != fn:
		c.Words = "is a pattern of another inline diff function (" + fo + " before, " + fn + " now)"
	}
	p.tell(c, path, old, new)
}

// below compares what stands below two parts.
func (p *pair) below(old, new *part, path refconfig.FieldPath, fields diff.Fields) {
	for _, m := range matched(old.below, new.below, fields) {
		switch {
		case m.A < 0:
			p.added(new.below[m.B], below(path, new, m.B))
		case m.B < 0:
			p.removed(old.below[m.A], below(path, old, m.A))
		default:
			at := below(path, new, m.B)
			p.parts(old.below[m.A], new.below[m.B], at, fields.Below(at[len(at)-1]))
		}
	}
}

// below is the path of one of the parts below another.
func below(path refconfig.FieldPath, above *part, i int) refconfig.FieldPath {
	one := above.below[i]
	step := refconfig.Key(one.key)
	if one.item {
		step = refconfig.Step{Index: i, Key: strconv.Itoa(i)}
		if slices.ContainsFunc(one.when, func(g guard) bool { return g.loop }) {
			step = refconfig.Step{Index: -1, Any: true}
		}
	}
	return path.Below(step)
}

// matched says which parts belong together: items that are alike, or as the fields have it, and
// keys of one name, those under the same conditions first.
func matched(old, new []*part, fields diff.Fields) []align.Pair {
	if len(old) > 0 && len(new) > 0 && old[0].item {
		values := func(all []*part) (out []any) {
			for _, one := range all {
				out = append(out, one.value)
			}
			return out
		}
		return fields.Pair(values(old), values(new)).Pairs
	}
	partner, taken := partners(old, new,
		func(one *part) string { return one.key + "\x00" + conditions(one) },
		func(one *part) string { return one.key },
		func(one *part) string { return frame(one.key) })
	var pairs, gone []align.Pair
	for i, j := range partner {
		if j >= 0 {
			pairs = append(pairs, align.Pair{A: i, B: j})
		} else {
			gone = append(gone, align.Pair{A: i, B: -1})
		}
	}
	pairs = append(pairs, gone...)
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

// added tells that a template states a field more.
func (p *pair) added(one *part, path refconfig.FieldPath) {
	c := Change{Group: Must, Kind: FieldAdded, Words: "has to be there now", New: one.text()}
	if one.item {
		c.Words = "is a further item, which has to be there now"
	}
	when, own := conditions(one), p.newI.parameter(path)
	switch {
	case own != nil && own.Need == render.Optional && own.Default == nil && (when != "" || !one.fixed):
		c.Group, c.Words = May, "may be there now; where it is, it is compared"
	case when != "" && p.new.root.secret:
		c.Words += ", under a condition"
	case when != "":
		c.Words += ", where " + when
	default:
		c.Words += p.need(path)
	}
	p.tell(c, path, nil, one)
}

// removed tells that a template does not state a field any more.
func (p *pair) removed(one *part, path refconfig.FieldPath) {
	c := Change{
		Group: Dropped,
		Kind:  FieldRemoved,
		Words: "is not in the template any more; a CR that has it has extra content",
		Old:   one.text(),
	}
	switch {
	case one.item:
		c.Words = "is an item less"
	case p.newI.IgnoresUnspecified:
		c.Words = "is not in the template any more, and is free"
	}
	p.tell(c, path, one, nil)
}

// need says in words what the new version asks of a field that is the user's.
func (p *pair) need(path refconfig.FieldPath) string {
	switch one := p.newI.parameter(path); {
	case one == nil:
	case one.Need == render.Mandatory:
		return ", with a value of the user's own"
	case one.Default != nil && !p.new.root.secret:
		return "; without it " + written(*one.Default) + " is expected"
	}
	return ""
}
