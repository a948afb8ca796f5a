package refdiff

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Version is a reference that is compared with another.
type Version struct {
	Ref    *refconfig.Reference
	Engine *render.Engine
}

// entry is a template of a version, with the rules from all entries for its path.
type entry struct {
	*render.Template
	ref        *refconfig.Reference
	normal     func() normalFunctions
	prober     *probe.Prober // of the version
	component  *refconfig.Component
	components []string
	kinds      []refconfig.RuleKind
	partner    *entry // the same template in the other version; nil for none
}

// Of compares two versions of a reference. The error is the context's.
func Of(ctx context.Context, old, new Version) (*Diff, error) {
	before, after := entries(old), entries(new)
	match(before, after)
	d := &Diff{
		SchemaVersion: schemaVersion,
		Old:           finding.ReferenceOf(old.Ref),
		New:           finding.ReferenceOf(new.Ref),
		renamed:       map[string]string{},
	}
	for i, changes := range workers.Each(ctx, 0, len(after), func(i int) []Change {
		n := after[i]
		if n.partner == nil {
			return []Change{n.added(before)}
		}
		return compare(n.partner, n, before, &secret.Searched{Context: ctx})
	}) {
		n := after[i]
		if n.partner != nil {
			d.renamed[n.partner.Ref.Path] = n.Ref.Path
		}
		d.report(n, changes...)
	}
	for _, o := range before {
		if o.partner == nil {
			d.report(o, o.removed(after))
		}
	}
	if ctx.Err() != nil {
		return nil, watch.Cause(ctx).And(" while the versions were compared")
	}
	d.Changes = merged(d.Changes)
	counts := map[Group]int{}
	for _, change := range d.Changes {
		counts[change.Group]++
	}
	d.Summary = Summary{Must: counts[Must], May: counts[May], Dropped: counts[Dropped], Authors: counts[Authors]}
	if len(d.Changes) > d.Summary.Authors {
		d.ExitStatus = 1
	}
	return d, nil
}

// report adds changes of a template.
func (d *Diff) report(e *entry, changes ...Change) {
	for _, c := range changes {
		c.Templates, c.index = []string{e.Ref.Path}, e.Ref.Index
		d.Changes = append(d.Changes, c)
	}
}

// entries returns the templates of a version, one for each path.
func entries(v Version) []*entry {
	var all []*entry
	known := map[string]*entry{}
	prober := &probe.Prober{}
	normal := sync.OnceValue(func() normalFunctions { return normalOf(v.Ref) })
	for _, t := range v.Engine.Templates() {
		name := path.Clean(t.Ref.Path)
		e := known[name]
		if e == nil {
			e = &entry{Template: t, ref: v.Ref, normal: normal, prober: prober, component: t.Ref.Component}
			known[name] = e
			all = append(all, e)
		}
		e.components = append(e.components, finding.TemplateOf(t.Ref).ComponentName())
		for _, r := range t.Ref.Component.Rules {
			if slices.Contains(r.Templates, t.Ref) {
				e.kinds = append(e.kinds, r.Kind)
			}
		}
	}
	return all
}

// match pairs the templates of both versions: by path and identity, then by identity, then by path.
func match(old, new []*entry) {
	kind := func(e *entry) string { return e.Identity.Kind.String() }
	named := func(e *entry) string {
		return strings.Join([]string{kind(e), e.Identity.Namespace.String(), e.Identity.Name.String()}, "\x00")
	}
	identity := func(e *entry) string { return e.Identity.APIVersion.String() + "\x00" + named(e) }
	file := func(e *entry) string { return path.Clean(e.Ref.Path) + "\x00\x00" }
	for _, m := range partners(old, new,
		func(e *entry) string { return file(e) + identity(e) },
		func(e *entry) string { return string(e.Ref.Source) + "\x00\x00" + identity(e) },
		identity,
		func(e *entry) string { return file(e) + kind(e) },
		named) {
		if m.A >= 0 && m.B >= 0 {
			old[m.A].partner, new[m.B].partner = new[m.B], old[m.A]
		}
	}
}

// compare returns the changes of a template. before has all templates of the old version.
func compare(o, n *entry, before []*entry, searched *secret.Searched) []Change {
	p := pairOf(&side{entry: o}, &side{entry: n}, searched)
	if !o.expectsTheSame(n) {
		p = newPair(o, n, searched)
		p.contents()
		p.settle()
		p.faults()
	}
	p.config()
	if from, to := o.Ref.Path, n.Ref.Path; from != to {
		if path.Base(from) == path.Base(to) { // moving a folder is one change
			from, to = path.Dir(from)+"/", path.Dir(to)+"/"
		}
		p.add(Authors, TemplateRenamed, "the file was renamed; update diff configs and overrides that name it",
			from, to)
	}
	isInherited := o.component.Name != n.component.Name && o.inherits() && n.inherits()
	switch from, to := o.Ref.Description, n.Ref.Description; {
	case from == to, isInherited:
	case withoutAnchors(from) == withoutAnchors(to):
		p.add(Authors, Described, "the description links to another place of the same page", "", "")
	default:
		p.add(Authors, Described, "the description changed", from, to)
	}
	p.rules(before)
	return p.changes
}

// withoutAnchors returns a text without the fragments of its URLs.
func withoutAnchors(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if address, _, isThere := strings.Cut(word, "#"); isThere && strings.Contains(address, "://") {
			words[i] = address
		}
	}
	return strings.Join(words, " ")
}

// expectsTheSame reports whether two versions of a template say the same, and compare it with the same
// patterns. Only their settings may differ then.
func (e *entry) expectsTheSame(other *entry) bool {
	pattern := func(f refconfig.FieldFunction) string { return f.Path.String() + "\x00" + f.Said() }
	was, is := e.Ref.Config.Fields(refconfig.InlineDiff), other.Ref.Config.Fields(refconfig.InlineDiff)
	return slices.Equal(each(was, pattern), each(is, pattern)) &&
		(e.text() == other.text() || e.IsLike(other.Template.Template))
}

// newPair executes both versions of a template.
func newPair(o, n *entry, searched *secret.Searched) *pair {
	return pairOf(newSide(o, searched), newSide(n, searched), searched)
}

// pairOf returns a pair of two versions of a template, of which nothing is reported yet.
func pairOf(old, new *side, searched *secret.Searched) *pair {
	return &pair{
		old:      old,
		new:      new,
		searched: searched,
		paths:    map[string]bool{},
		computed: map[string]bool{},
	}
}

// contents compares what the versions expect of CRs.
func (p *pair) contents() {
	p.printed()
	p.parameters()
	p.actions()
}

// inherits reports whether a template has the description of its component or part.
func (e *entry) inherits() bool {
	return e.Ref.Description == e.component.Description || e.Ref.Description == e.component.Part.Description
}

// binding describes which CRs of a template must exist.
func (e *entry) binding() string {
	words := map[refconfig.RuleKind]string{
		refconfig.AllOf:       "required",
		refconfig.AllOrNoneOf: "required together with the others of its component",
		refconfig.AnyOf:       "optional",
		refconfig.NoneOf:      "forbidden",
		refconfig.OneOf:       "one of the alternatives of its component; exactly one is required",
		refconfig.AnyOneOf:    "one of the alternatives of its component; at most one is allowed",
	}
	var all []string
	for _, kind := range e.kinds {
		if !slices.Contains(all, words[kind]) {
			all = append(all, words[kind])
		}
	}
	return cmp.Or(strings.Join(all, " and "), "compared if present")
}

// about describes the identity that a template states.
func (e *entry) about() string { return inspect.Identified(e.Identity).Identity() }

// rules compares the rules about a template. before has all templates of the old version.
func (p *pair) rules(before []*entry) {
	o, n := p.old.entry, p.new.entry
	was, is := o.binding(), n.binding()
	from, to := strings.Join(o.components, ", "), strings.Join(n.components, ", ")
	moved := func(group Group, words string) {
		p.add(group, TemplateMoved, words, from, to)
	}
	movedAlone := func(other *entry) bool {
		after := other.partner
		return after != nil && (other.component == o.component) != (after.component == n.component)
	}
	switch {
	case was != is:
		group := Must
		if isLooser(o.kinds, n.kinds) {
			group = May
		}
		if from != to {
			was, is = was+" ("+from+")", is+" ("+to+")"
		}
		p.add(group, RuleChanged, "has another rule", was, is)
	case from == to:
	case strings.Contains(is, "component") && slices.ContainsFunc(before, movedAlone):
		moved(Must, "is in another component, with a rule about other templates: "+is)
	default:
		moved(Authors, "is in another component")
	}
}

// isLooser reports whether rules allow all that others allowed.
func isLooser(old, new []refconfig.RuleKind) bool {
	allows := map[refconfig.RuleKind][]refconfig.RuleKind{
		refconfig.AllOrNoneOf: {refconfig.AllOf, refconfig.NoneOf},
		refconfig.AnyOneOf:    {refconfig.OneOf, refconfig.NoneOf},
	}
	return !slices.ContainsFunc(new, func(kind refconfig.RuleKind) bool {
		isWithin := func(was refconfig.RuleKind) bool { return was == kind || slices.Contains(allows[kind], was) }
		return kind != refconfig.AnyOf && !slices.ContainsFunc(old, isWithin)
	})
}

// mayShare reports whether a CR may match both templates.
func mayShare(a, b *entry) bool {
	both := func(a, b template.Matcher) bool {
		one, isExact := a.Exact()
		other, isOtherExact := b.Exact()
		return (!isExact || b.Matches(one)) && (!isOtherExact || a.Matches(other))
	}
	return both(a.Identity.APIVersion, b.Identity.APIVersion) && both(a.Identity.Kind, b.Identity.Kind) &&
		both(a.Identity.Namespace, b.Identity.Namespace) && both(a.Identity.Name, b.Identity.Name)
}

// isPreferred reports whether a CR that matches both templates is compared with a.
func isPreferred(a, b *entry) bool {
	exact := func(e *entry) (n int) {
		id := e.Identity
		for _, m := range []template.Matcher{id.APIVersion, id.Kind, id.Namespace, id.Name} {
			if _, isExact := m.Exact(); isExact {
				n++
			}
		}
		return n
	}
	one, other := correlate.Fixed(a.Identity).Rank(), correlate.Fixed(b.Identity).Rank()
	return one < other || one == other && exact(a) > exact(b)
}

// added returns the change of a template that only the new version has. before has all templates of the
// old version, which may have had its CRs.
func (e *entry) added(before []*entry) Change {
	canBreak := func(k refconfig.RuleKind) bool { return k != refconfig.AnyOf && k != refconfig.AnyOneOf }
	change := Change{Group: Must, Kind: TemplateAdded, NewAt: e.Ref.File}
	change.Words = "a new template, " + e.binding() + ": " + e.about()
	switch {
	case slices.Contains(e.kinds, refconfig.NoneOf):
		change.Words = "CRs that match it are forbidden: " + e.about()
	case !slices.ContainsFunc(e.kinds, canBreak), slices.Contains(e.kinds, refconfig.OneOf):
		change.Group = May
		takes := func(o *entry) bool { return mayShare(e, o) && isPreferred(e, o) }
		if i := slices.IndexFunc(before, takes); i >= 0 {
			change.Group = Must
			change.Words += "; such CRs may have been compared with " + before[i].Ref.Path
		}
	}
	return change
}

// removed returns the change of a template that only the old version has. after has all templates of the
// new version, which may get its CRs.
func (e *entry) removed(after []*entry) Change {
	change := Change{Group: Dropped, Kind: TemplateRemoved, OldAt: e.Ref.File}
	change.Words = "the template was removed, so its CRs are no longer compared; it was " + e.binding() + ": " + e.about()
	gets := func(n *entry) bool { return mayShare(e, n) && !isPreferred(n, e) } // and did not have them before
	if i := slices.IndexFunc(after, gets); i >= 0 {
		change.Group = Must
		change.Words = "the template was removed, so its CRs may be compared with " + after[i].Ref.Path + "; it was " +
			e.binding() + ": " + e.about()
	}
	if slices.Contains(e.kinds, refconfig.OneOf) {
		change.Group = Must
	}
	if slices.Contains(e.kinds, refconfig.NoneOf) {
		change.Group, change.Words = May, "CRs that it forbade are allowed again: "+e.about()
	}
	return change
}

// config compares the settings of a template in the metadata.
func (p *pair) config() {
	old, new := p.old.Ref.Config, p.new.Ref.Config
	switch {
	case new.IgnoreUnspecified == old.IgnoreUnspecified:
	case new.IgnoreUnspecified:
		p.add(May, Unspecified, "fields that the template lacks are ignored", "", "")
	default:
		p.add(Must, Unspecified, "fields that the template lacks are no longer ignored: they are extra content", "", "")
	}
	switch was, is := p.old.ref.Validate, p.new.ref.Validate; {
	case is && !was:
		p.add(Must, Validated, "its CRs are also validated against the schema of their kind", "", "")
	case was && !is:
		p.add(Dropped, Validated, "its CRs are no longer validated against the schema of their kind", "", "")
	}
	p.manners(manners(old), manners(new))
	exact := func(f refconfig.FieldFunction) string { return f.Path.String() }
	was, is := each(old.Fields(refconfig.Exact), exact), each(new.Fields(refconfig.Exact), exact)
	p.fields(May, Manner, "may have content that the template does not state", was, is)
	p.fields(Must, Manner, "must be what the template states, without extra content", is, was)
	was, is = each(old.Omit, refconfig.OmitEntry.String), each(new.Omit, refconfig.OmitEntry.String)
	p.fields(May, Omitted, "is no longer compared", is, was)
	p.fields(Must, Compared, "is compared now", was, is)
}

// fields reports the paths that another list lacks, each once.
func (p *pair) fields(group Group, kind Kind, words string, all, others []string) {
	known := map[string]bool{}
	for _, path := range others {
		known[path] = true
	}
	var more []string
	for _, path := range all {
		if !known[path] {
			known[path] = true
			more = append(more, path)
		}
	}
	if len(more) > 0 {
		p.add(group, kind, words, "", "", more...)
	}
}

// manners compares how perField compares fields. Patterns are reported with their fields.
func (p *pair) manners(was, is map[string]string) {
	isStrict := func(manner string) bool { // the order of a list counts by default
		return manner == "" || manner == string(refconfig.List)+" "+refconfig.ListOrdered
	}
	both := maps.Clone(was)
	maps.Copy(both, is)
	for _, path := range tree.Keys(both) {
		group, words := Must, "is compared differently"
		switch old, new := was[path], is[path]; {
		case old == new:
			continue
		case isStrict(old) && isStrict(new):
			group, words = Authors, "is reported differently"
		case isStrict(old):
			group, words = May, "may be written differently with the same meaning"
		case isStrict(new):
			words = "may no longer be written differently"
		}
		p.add(group, Manner, words, was[path], is[path], path)
	}
}

// manners describes the entries of perField by their paths, without patterns. Of two entries for
// one path, the first one counts.
func manners(c refconfig.Config) map[string]string {
	all := map[string]string{}
	for _, f := range c.PerField {
		path := f.Path.String()
		_, isKnown := all[path]
		if f.Key == refconfig.InlineDiff || f.Key == refconfig.Exact || isKnown {
			continue
		}
		all[path] = f.Said()
		if f.Encoding != "" {
			all[path] += " in " + f.Encoding
		}
	}
	return all
}

// merged merges equal changes of several templates, and sorts by group and the order of the
// reference.
func merged(all []Change) []Change {
	out := []Change{}
	groups := []Group{Must, May, Dropped, Authors}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(slices.Index(groups, a.Group)-slices.Index(groups, b.Group), a.index-b.index)
	})
	known := map[string]int{}
	for _, c := range all {
		key := strings.Join(
			append([]string{string(c.Group), string(c.Kind), c.Words, c.Old, c.New}, c.Paths...), "\x00",
		)
		i, isKnown := known[key]
		if isKnown && c.Kind != TemplateAdded && c.Kind != TemplateRemoved && c.Old != redacted && c.New != redacted {
			for _, one := range c.Templates {
				if !slices.Contains(out[i].Templates, one) {
					out[i].Templates = append(out[i].Templates, one)
				}
			}
			continue
		}
		known[key] = len(out)
		out = append(out, c)
	}
	return out
}
