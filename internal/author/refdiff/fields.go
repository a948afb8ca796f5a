package refdiff

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	texttemplate "text/template"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// side is a template of one version.
type side struct {
	*entry
	asked    *probe.Probed // the fields that the template reads
	root     *probe.Part
	whole    bool                 // whether root has everything that the template prints
	secret   map[*probe.Part]bool // parts with content that must not be shown
	sources  *probe.Sources
	fields   []refconfig.FieldPath     // of asked.Fields; nil for the whole CR, or a CR that is looked up
	patterns []refconfig.FieldFunction // fields with an inline diff function
	embedded []refconfig.FieldFunction // fields whose texts are compared as documents
	reported map[string]bool           // lines, as file:line, that reported changes of fields explain
	// lines that read a field with a reported change: Must; Dropped if only this version reads the field,
	// which does not explain that the line computes another value; May if both versions read it
	read map[string]Group
}

// newSide finds out what a template reads and prints, and the parts with secret data.
func newSide(e *entry, searched *secret.Searched) *side {
	asked := e.prober.Execute(searched.Context, e.Template.Template)
	s := &side{
		entry:    e,
		asked:    asked,
		secret:   map[*probe.Part]bool{},
		sources:  asked.Sources(),
		patterns: e.Ref.Config.Fields(refconfig.InlineDiff),
		embedded: e.Ref.Config.Fields(refconfig.Embedded),
		reported: map[string]bool{},
		read:     map[string]Group{},
	}
	for _, f := range asked.Fields {
		path, _ := refconfig.ParseFieldPath(f.Path)
		s.fields = append(s.fields, path)
	}
	s.root, s.whole = probe.Print(searched.Context, e.Template.Template).Parts()
	kind, _ := e.Identity.Kind.Exact()
	s.mark(s.root, secret.OfKind(kind).Or(secret.Of(s.root.Value)).With(searched))
	return s
}

// mark marks the parts that hold secret data, and their parents. Each text is searched once.
func (s *side) mark(p *probe.Part, scope secret.Scope) {
	if lines, isList := p.Value.([]any); isList {
		scope = scope.Elements(lines)
	}
	s.secret[p] = scope.IsWhole() || len(p.Below) == 0 && scope.Holds(p.Value)
	for _, b := range p.Below {
		s.mark(b, scope.Below(b.Key, b.Value))
		s.secret[p] = s.secret[p] || s.secret[b]
	}
}

// covers records that a change explains the lines of a part and the conditions around it.
func (s *side) covers(p *probe.Part) {
	s.around(p)
	for _, at := range p.Lines {
		s.reported[at] = true
	}
	for _, b := range p.Below {
		s.covers(b)
	}
}

// around records that a change explains the conditions around a part.
func (s *side) around(p *probe.Part) {
	for _, w := range p.When {
		s.reported[w.At] = true
	}
}

// function returns the inline diff function of a field; "" for none.
func (s *side) function(path refconfig.FieldPath) string {
	for _, f := range s.patterns {
		if (refconfig.OmitEntry{Path: f.Path}).Match(path) {
			return f.Function
		}
	}
	return ""
}

// reads reports whether the template reads the field at a path, or one above or below it.
func (s *side) reads(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(s.fields, func(read refconfig.FieldPath) bool { return areRelated(read, path) })
}

// readsOther reports whether lines read a field that is not the one at a path, nor above or below it.
func (s *side) readsOther(path refconfig.FieldPath, lines []string) bool {
	isThere := func(u probe.Use) bool { return slices.Contains(lines, u.At) }
	for i, read := range s.fields {
		if !areRelated(read, path) && slices.ContainsFunc(s.asked.Fields[i].Uses, isThere) {
			return true
		}
	}
	return false
}

// areRelated reports whether two paths are equal, or one of them is above the other.
func areRelated(a, b refconfig.FieldPath) bool {
	for i := range min(len(a), len(b)) {
		isAny := a[i].Any || b[i].Any || strings.Contains(b[i].Key, "{{")
		if !isAny && a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}

// pair is a template of both versions.
type pair struct {
	old, new *side
	searched *secret.Searched
	changes  []Change
	values   []string        // values in changes of parameters
	paths    map[string]bool // true for fields with a change, false for their parents
	computed map[string]bool // the same for fields that are computed differently
	others   []matching      // parts that are computed differently, unless another change explains it
}

// matching is a field that both versions print.
type matching struct {
	old, new *probe.Part
	path     refconfig.FieldPath
}

// add adds a change.
func (p *pair) add(group Group, kind Kind, words, old, new string, paths ...string) *Change {
	p.changes = append(p.changes, Change{Group: group, Kind: kind, Words: words, Old: old, New: new, Paths: paths})
	return &p.changes[len(p.changes)-1]
}

// hides reports whether a version of the template has content that must not be shown.
func (p *pair) hides() bool { return p.old.secret[p.old.root] || p.new.secret[p.new.root] }

// redacted replaces text that must not be shown.
const redacted = "(hidden)"

// hide replaces the texts of a change.
func (c *Change) hide() {
	for _, text := range []*string{&c.Old, &c.New} {
		if *text != "" {
			*text = redacted
		}
	}
}

// change adds a change of a field with its text; old or new is nil if the version lacks the field.
func (p *pair) change(group Group, kind Kind, words string, path refconfig.FieldPath, old, new *probe.Part) {
	c := p.add(group, kind, words, "", "", path.String())
	if old != nil {
		p.old.covers(old)
		c.Old, c.OldAt = old.Text(), old.At()
	}
	if new != nil {
		p.new.covers(new)
		c.New, c.NewAt = new.Text(), new.At()
	}
	if p.old.secret[old] || p.new.secret[new] {
		c.hide()
	}
}

// report adds a change of a field that explains changes of its requirements.
func (p *pair) report(group Group, kind Kind, words string, path refconfig.FieldPath, old, new *probe.Part) {
	if p.omits(old, path) && p.omits(new, path) {
		group, words = Authors, omitted
	}
	p.change(group, kind, words, path, old, new)
	mark(p.paths, path)
}

// omitted describes a change of a field that is not compared.
const omitted = "changed, but is omitted from the comparison"

// omits reports whether a field, or everything below it, is omitted from the comparison.
func (p *pair) omits(one *probe.Part, path refconfig.FieldPath) bool {
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

// longestPath is the maximum length in bytes of a path that is reported by itself.
const longestPath = 4 << 10

// isLong reports whether fields below a path are not reported by themselves.
func isLong(path refconfig.FieldPath) bool {
	n := 0
	for _, step := range path {
		n += len(step.Key) + 1
	}
	return n > longestPath
}

// printed compares what both versions print.
func (p *pair) printed() {
	if p.old.whole && p.new.whole {
		p.parts(p.old.root, p.new.root, nil, diff.FieldsOf(p.new.Ref.Config))
	}
}

// parts compares the parts at a path; fields are the entries of perField for it and below it.
func (p *pair) parts(old, new *probe.Part, path refconfig.FieldPath, fields diff.Fields) {
	p.condition(old, new, path)
	if len(old.Below) > 0 && len(new.Below) > 0 && old.Below[0].Item == new.Below[0].Item && !isLong(path) {
		p.below(old, new, path, fields)
		return
	}
	report := func(group Group, kind Kind, words string) { p.report(group, kind, words, path, old, new) }
	fo, fn := p.old.function(path), p.new.function(path)
	was, is := old.Text(), new.Text()
	isAlike, _ := fields.Equal(old.Value, new.Value)
	switch {
	case fo != fn && fo == "" && !old.Fixed:
		report(Must, PatternChanged, "must match a pattern ("+fn+")")
	case fo != fn && fo == "" && new.Fixed && !accepts(fn, new.Value, old.Value):
		report(Must, PatternChanged, "must match a pattern ("+fn+") that the old text does not match")
	case fo != fn && fo == "":
		report(May, ValueFree, "may vary within a pattern ("+fn+")")
	case fo != fn && fn == "":
		report(Must, ValueFixed, "is no longer a pattern ("+fo+") but a fixed value")
	case fo != fn:
		report(Must, PatternChanged, "is a pattern of another inline diff function ("+fo+" before, "+fn+" now)")
	case fo != "" && was != is:
		report(Must, PatternChanged, "must match another pattern ("+fn+")")
	case tree.Equal(old.Value, new.Value) && old.Fixed == new.Fixed:
	case old.Fixed && new.Fixed && (isAlike || p.isSameDocument(path, old.Value, new.Value)):
		report(Authors, ValueChanged, "is written differently, with the same meaning")
	case old.Fixed && new.Fixed:
		report(Must, ValueChanged, "must have another value")
	case old.Fixed && !p.new.reads(path):
		report(Must, ValueChanged, "is computed from something else than its own value")
	case old.Fixed && isEmpty(old.Value) && p.replacesEmpty(new, path):
		report(Must, ValueChanged, "is replaced if it is empty"+p.need(path))
	case old.Fixed:
		report(May, ValueFree, "is no longer fixed"+p.need(path))
	case new.Fixed:
		report(Must, ValueFixed, "is fixed now")
	case probe.Frame(was) != probe.Frame(is):
		report(Must, ValueChanged, "has another fixed part")
	case p.isOtherField(old, new):
		report(Must, ValueChanged, "must be equal to another field")
	default:
		mark(p.computed, path)
		p.others = append(p.others, matching{old: old, new: new, path: path})
	}
}

// isSameDocument reports whether two texts hold equal documents, and the new version compares these.
func (p *pair) isSameDocument(path refconfig.FieldPath, old, new any) bool {
	was, isText := old.(string)
	is, isOtherText := new.(string)
	for _, f := range p.new.embedded {
		if !isText || !isOtherText || !(refconfig.OmitEntry{Path: f.Path}).Match(path) {
			continue
		}
		reader := embed.Reader{Left: embed.Most(len(was) + len(is))}
		one, err := reader.Decode(was, f.Encoding, f.Function)
		other, otherErr := reader.Decode(is, f.Encoding, f.Function)
		isRead := err == nil && otherErr == nil && len(one.Twice)+len(other.Twice) == 0
		return isRead && tree.Equal(one.Value, other.Value)
	}
	return false
}

// isEmpty reports whether a value is false in a condition of a template.
func isEmpty(v any) bool {
	isTrue, _ := texttemplate.IsTrue(v)
	return !isTrue
}

// replacesEmpty reports whether the new version prints something else for an empty value at a path.
func (p *pair) replacesEmpty(new *probe.Part, path refconfig.FieldPath) bool {
	own := p.new.parameter(path)
	return own != nil && replacesEmpty(own) || p.new.readsOther(path, new.Lines)
}

// accepts reports whether a pattern accepts the whole of a text.
func accepts(function string, template, text any) bool {
	expected, isPattern := template.(string)
	old, isText := text.(string)
	if !isPattern || !isText {
		return false
	}
	out, err := pattern.Apply(function, expected, old)
	return err == nil && len(out.Findings) == 0 && out.Value == old
}

// isOtherField reports whether the versions print different fields of the CR.
func (p *pair) isOtherField(old, new *probe.Part) bool {
	was, is := p.old.sources.Of(old), p.new.sources.Of(new)
	return was != nil && is != nil && was.String() != is.String()
}

// isOwn reports whether both versions print the CR's own value, and ask only whether there is one. A
// CR with a value agrees then, if the new version does not ask for more than the old one.
func (p *pair) isOwn(old, new *probe.Part, path refconfig.FieldPath) bool {
	around := [2][]probe.Around{old.When, new.When}
	for isOnly(old) && isOnly(new) && old.Below[0].Key == new.Below[0].Key { // a map around the value
		old, new = old.Below[0], new.Below[0]
		path = path.Below(refconfig.Key(old.Key))
	}
	was, is := p.old.sources.Of(old), p.new.sources.Of(new)
	if was.String() != path.String() || is.String() != path.String() {
		return false
	}
	guard := guardOf(path)
	isWeaker := !slices.ContainsFunc(around[0], guard.asksLess) || slices.ContainsFunc(around[1], guard.asksLess)
	return isWeaker && slices.ContainsFunc(around[0], guard.asks) && slices.ContainsFunc(around[1], guard.asks) &&
		!slices.ContainsFunc(slices.Concat(around[0], around[1]), func(w probe.Around) bool { return !guard.asks(w) })
}

// guard has the conditions that ask only whether a CR has a field.
type guard struct {
	isTrue, isThere map[string]bool // texts that ask whether it is not empty, and whether it is there
}

// guardOf returns the conditions that ask for the field at a path, or for one above it.
func guardOf(path refconfig.FieldPath) guard {
	g := guard{map[string]bool{}, map[string]bool{}}
	for i := range path {
		own, above := "."+path[:i+1].String(), strings.TrimSuffix("."+path[:i].String(), ".")
		g.isTrue[own], g.isThere["ne "+own+" nil"] = true, true
		g.isThere["hasKey "+above+" "+strconv.Quote(path[i].Key)] = true
	}
	if last := len(path) - 1; last > 0 && path[last-1].Any { // in a loop, the dot is the item
		g.isTrue["."+path[last].Key], g.isThere["hasKey . "+strconv.Quote(path[last].Key)] = true, true
	}
	return g
}

// asks reports whether a condition asks for the field.
func (g guard) asks(w probe.Around) bool {
	return g.isTrue[strings.Trim(w.Text, "()")] || g.asksLess(w)
}

// asksLess reports whether a condition is also true for an empty value.
func (g guard) asksLess(w probe.Around) bool { return g.isThere[strings.Trim(w.Text, "()")] }

// keeps reports whether a part prints the CR's own values as they are.
func (s *side) keeps(one *probe.Part, path refconfig.FieldPath) bool {
	const keeping = `^((quote|toYaml|toJson) )?\$?[.\w]+( \| (quote|toYaml|toJson|n?indent \d+))*$`
	for i, b := range one.Below {
		if !s.keeps(b, below(path, one, i)) {
			return false
		}
	}
	isOwn, _ := regexp.MatchString(keeping, one.Pipeline())
	return len(one.Below) > 0 || isOwn && !s.readsOther(path, one.Lines)
}

// isOnly reports whether a part is a map of one key without a condition.
func isOnly(one *probe.Part) bool {
	return len(one.Below) == 1 && !one.Below[0].Item && len(one.Below[0].When) == 0
}

// conditions returns the conditions of a part that its parent does not have.
func conditions(one *probe.Part) string {
	return strings.Join(each(one.When, func(w probe.Around) string { return w.Text }), " and ")
}

// condition reports that a part has different conditions.
func (p *pair) condition(old, new *probe.Part, path refconfig.FieldPath) {
	was, is := conditions(old), conditions(new)
	if was == is {
		return
	}
	p.old.around(old)
	p.new.around(new)
	mark(p.paths, path)
	for i, before := range p.changes { // one condition around several keys, or the other branch of it
		isBranch := was == "not ("+before.Old+")" && is == "not ("+before.New+")"
		if before.Kind == Condition && (isBranch || before.Old == was && before.New == is) {
			if !slices.Contains(before.Paths, path.String()) {
				p.changes[i].Paths = append(before.Paths, path.String())
			}
			return
		}
	}
	isGone := func(w probe.Around) bool {
		return !slices.ContainsFunc(new.When, func(v probe.Around) bool { return v.Text == w.Text })
	}
	group, words := Must, "is required under another condition"
	switch {
	case p.omits(old, path) && p.omits(new, path):
		group, words = Authors, omitted
	case p.isOwn(old, new, path):
		group, words = May, "is the CR's own value, under another condition"
	case was == "":
		group, words = May, "is required only under a condition"
	case is == "":
		words = "is required always, not only under a condition"
	case !slices.ContainsFunc(old.When, isGone):
		group, words = May, "is required only under a further condition"
	}
	c := p.add(group, Condition, words, was, is, path.String())
	c.OldAt, c.NewAt = old.At(), new.At()
	if p.hides() {
		c.hide()
	}
}

// below compares the children of two parts.
func (p *pair) below(old, new *probe.Part, path refconfig.FieldPath, fields diff.Fields) {
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

// below returns the path of a child of a part.
func below(path refconfig.FieldPath, above *probe.Part, i int) refconfig.FieldPath {
	one := above.Below[i]
	switch {
	case !one.Item:
		return path.Below(refconfig.Key(one.Key))
	case one.Loop:
		return path.Below(refconfig.AnyStep())
	}
	return path.Below(refconfig.Step{Index: i, Key: strconv.Itoa(i)})
}

// matched pairs parts: items as the fields say, else by similarity; keys by name, first those with
// the same conditions.
func matched(old, new []*probe.Part, fields diff.Fields) []align.Pair {
	if old[0].Item {
		value := func(one *probe.Part) any { return one.Value }
		return fields.Pair(each(old, value), each(new, value)).Pairs
	}
	return partners(old, new,
		func(one *probe.Part) string { return one.Key + "\x00" + conditions(one) },
		func(one *probe.Part) string { return one.Key },
		func(one *probe.Part) string { return probe.Frame(one.Key) })
}

// partners pairs the elements of two lists with equal texts by the first function, then the
// remaining ones by the next function, and so on. The pairs are in the order of the old list;
// elements that only the new list has are last.
func partners[T any](old, new []T, by ...func(T) string) []align.Pair {
	pairs := align.ByName(each(old, by[0]), each(new, by[0]), func(as, bs []int) (rest []align.Pair) {
		if len(by) == 1 {
			return nil
		}
		olds, news := each(as, func(i int) T { return old[i] }), each(bs, func(i int) T { return new[i] })
		for _, p := range partners(olds, news, by[1:]...) {
			if p.A >= 0 && p.B >= 0 {
				rest = append(rest, align.Pair{A: as[p.A], B: bs[p.B]})
			}
		}
		return rest
	})
	slices.SortStableFunc(pairs, func(p, q align.Pair) int { return cmp.Compare(uint(p.A), uint(q.A)) })
	return pairs
}

// each returns the result of a function for each element of a list.
func each[T, U any](all []T, f func(T) U) (results []U) {
	for _, one := range all {
		results = append(results, f(one))
	}
	return results
}

// added reports a field that only the new version states.
func (p *pair) added(one *probe.Part, path refconfig.FieldPath) {
	group, words := Must, "is required now"
	if one.Item {
		words = "is a new item and required"
	}
	when, own := conditions(one), p.new.parameter(path)
	isFree := own != nil && own.Need == probe.Optional && own.Default == nil
	if isFree && p.old.Ref.Config.IgnoreUnspecified { // CRs may have any value until now
		isFree = p.new.keeps(one, path)
	} else if isFree { // CRs must not have the field until now
		isFree = slices.ContainsFunc(one.When, guardOf(path).asks) || !one.Fixed && !p.new.readsOther(path, one.Lines)
	}
	isOfLoop := one.Loop && (one.Item || !one.Fixed || strings.Contains(one.Key, "{{"))
	switch {
	case isFree, isOfLoop:
		group, words = May, "is optional, and compared if present"
	case when != "" && p.new.secret[p.new.root]:
		words += ", under a condition"
	case when != "":
		words += ", where " + when
	default:
		words += p.need(path)
	}
	p.report(group, FieldAdded, words, path, nil, one)
}

// removed reports a field that only the old version states.
func (p *pair) removed(one *probe.Part, path refconfig.FieldPath) {
	words := "was removed from the template, and is extra content of CRs"
	switch {
	case one.Item:
		words = "is a removed item"
	case p.new.Ref.Config.IgnoreUnspecified:
		words = "was removed from the template, and is ignored in CRs"
	}
	p.report(Dropped, FieldRemoved, words, path, one, nil)
}

// need describes whether a field of the user is mandatory in the new version, or its default.
func (p *pair) need(path refconfig.FieldPath) string {
	switch one := p.new.parameter(path); {
	case one == nil:
	case one.Need == probe.Mandatory:
		return ", with a value of the user"
	case one.Default != nil && !p.new.secret[p.new.root]:
		return "; the default is " + written(*one.Default)
	}
	return ""
}
