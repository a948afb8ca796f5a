package refdiff

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/internal/watch"
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
	asked      *render.Probed // the fields that the template reads
	component  *refconfig.Component
	components []string
	kinds      []refconfig.RuleKind
}

// comparison compares two versions.
type comparison struct {
	old, new []*entry
	matches  map[*entry]*entry // entries of the new version, by the matching entries of the old version
	changes  []Change
	searched *secret.Searched // cache of searching the texts of both versions for Secrets
}

// Of compares two versions of a reference. The error is the context's.
func Of(ctx context.Context, old, new Version) (*Diff, error) {
	c := &comparison{
		old:      entries(ctx, old),
		new:      entries(ctx, new),
		matches:  map[*entry]*entry{},
		searched: &secret.Searched{Context: ctx},
	}
	c.match()
	before := map[*entry]*entry{}
	for o, n := range c.matches {
		before[n] = o
	}
	for _, n := range c.new {
		if ctx.Err() != nil {
			break
		}
		if o := before[n]; o != nil {
			c.pair(o, n)
		} else {
			c.added(n)
		}
	}
	for _, o := range c.old {
		if c.matches[o] == nil {
			c.removed(o)
		}
	}
	if ctx.Err() != nil {
		return nil, watch.Cause(ctx).And(" while the versions were compared")
	}
	d := &Diff{
		SchemaVersion: schemaVersion,
		Old:           finding.ReferenceOf(old.Ref),
		New:           finding.ReferenceOf(new.Ref),
		Changes:       merged(c.changes),
	}
	counts := map[Group]int{}
	for _, change := range d.Changes {
		counts[change.Group]++
	}
	d.Summary = Summary{counts[Must], counts[May], counts[Dropped], counts[Authors]}
	if len(d.Changes) > d.Summary.Authors {
		d.ExitStatus = 1
	}
	d.renamed = map[string]string{}
	for o, n := range c.matches {
		d.renamed[o.Ref.Path] = n.Ref.Path
	}
	return d, nil
}

// entries returns the templates of a version, one for each path.
func entries(ctx context.Context, v Version) []*entry {
	var all []*entry
	known := map[string]*entry{}
	for _, t := range v.Engine.Templates() {
		name := path.Clean(t.Ref.Path)
		e := known[name]
		if e == nil {
			e = &entry{Template: t, ref: v.Ref, asked: t.Probe(ctx), component: t.Ref.Component}
			known[name] = e
			all = append(all, e)
		}
		e.components = append(e.components, componentName(t.Ref))
		for _, r := range t.Ref.Component.Rules {
			if slices.Contains(r.Templates, t.Ref) {
				e.kinds = append(e.kinds, r.Kind)
			}
		}
	}
	return all
}

func componentName(t *refconfig.Template) string { return finding.TemplateOf(t).ComponentName() }

// match pairs the templates of both versions: by path and identity, then by identity, then by path.
func (c *comparison) match() {
	kind := func(e *entry) string { return e.Identity.Kind.String() }
	named := func(e *entry) string {
		return strings.Join([]string{kind(e), e.Identity.Namespace.String(), e.Identity.Name.String()}, "\x00")
	}
	identity := func(e *entry) string { return e.Identity.APIVersion.String() + "\x00" + named(e) }
	file := func(e *entry) string { return path.Clean(e.Ref.Path) + "\x00\x00" }
	partner, _ := partners(c.old, c.new,
		func(e *entry) string { return file(e) + identity(e) },
		func(e *entry) string { return string(e.Ref.Source) + "\x00\x00" + identity(e) },
		identity,
		func(e *entry) string { return file(e) + kind(e) },
		named)
	for i, j := range partner {
		if j >= 0 {
			c.matches[c.old[i]] = c.new[j]
		}
	}
}

// pair compares a template of both versions.
func (c *comparison) pair(o, n *entry) {
	p := &pair{
		old:      newSide(o, c.searched),
		new:      newSide(n, c.searched),
		searched: c.searched,
		paths:    map[string]bool{},
		computed: map[string]bool{},
	}
	if p.old.whole && p.new.whole {
		p.parts(p.old.root, p.new.root, nil, diff.FieldsOf(n.Ref.Config))
	}
	p.parameters()
	p.actions()
	p.config()
	if from, to := o.Ref.Path, n.Ref.Path; from != to {
		from, to = renamed(from, to)
		p.reportAll(Authors, TemplateRenamed,
			"the file was renamed; update diff configs and overrides that name it", from, to)
	}
	if o.Ref.Description != n.Ref.Description &&
		!(o.component.Name != n.component.Name && inherited(o) && inherited(n)) {
		p.reportAll(Authors, Described, "the description changed", o.Ref.Description, n.Ref.Description)
	}
	c.bound(p)
	for _, change := range p.changes {
		c.report(change, n)
	}
}

// reportAll adds a change of a whole template, or of some fields.
func (p *pair) reportAll(group Group, kind Kind, words, old, new string, paths ...string) {
	p.changes = append(p.changes, Change{Group: group, Kind: kind, Words: words, Old: old, New: new, Paths: paths})
}

// renamed returns the two paths of a file. If only the folder differs, it returns the folders, so
// that moving a folder is one change.
func renamed(old, new string) (from, to string) {
	if path.Base(old) != path.Base(new) {
		return old, new
	}
	return path.Dir(old) + "/", path.Dir(new) + "/"
}

// inherited reports whether a template has the description of its component or part.
func inherited(e *entry) bool {
	return e.Ref.Description == e.component.Description || e.Ref.Description == e.component.Part.Description
}

// report adds a change of a template.
func (c *comparison) report(change Change, e *entry) {
	change.Templates, change.index = []string{e.Ref.Path}, e.Ref.Index
	c.changes = append(c.changes, change)
}

// binding describes which CRs of a template must exist.
func (e *entry) binding() string {
	var all []string
	for _, kind := range e.kinds {
		word := map[refconfig.RuleKind]string{
			refconfig.AllOf: "required", refconfig.AllOrNoneOf: "required together with the others of its component", refconfig.AnyOf: "optional",
			refconfig.NoneOf: "forbidden", refconfig.OneOf: "one of the alternatives of its component; exactly one is required",
			refconfig.AnyOneOf: "one of the alternatives of its component; at most one is allowed",
		}[kind]
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	if len(all) == 0 {
		return "compared if present"
	}
	return strings.Join(all, " and ")
}

// asks reports whether a rule can break because a template has a CR or has none.
func (e *entry) asks() bool {
	return slices.ContainsFunc(
		e.kinds, func(k refconfig.RuleKind) bool { return k != refconfig.AnyOf && k != refconfig.AnyOneOf },
	)
}

// bound compares the rules about a template.
func (c *comparison) bound(p *pair) {
	o, n := p.old.entry, p.new.entry
	was, is := o.binding(), n.binding()
	from, to := strings.Join(o.components, ", "), strings.Join(n.components, ", ")
	switch {
	case was != is:
		group := Must
		if looser(o.kinds, n.kinds) {
			group = May
		}
		if from != to {
			was, is = was+" ("+from+")", is+" ("+to+")"
		}
		p.reportAll(group, RuleChanged, "has another rule", was, is)
	case from != to && strings.Contains(is, "component") && !c.together(o, n):
		p.reportAll(Must, TemplateMoved, "is in another component, with a rule about other templates: "+is, from, to)
	case from != to:
		p.reportAll(Authors, TemplateMoved, "is in another component", from, to)
	}
}

// about describes the identity that a template states.
func (e *entry) about() string { return inspect.Identified(e.Identity).Identity() }

// looser reports whether rules allow all that others allowed.
func looser(old, new []refconfig.RuleKind) bool {
	allows := map[refconfig.RuleKind][]refconfig.RuleKind{
		refconfig.AllOrNoneOf: {refconfig.AllOf, refconfig.NoneOf},
		refconfig.AnyOneOf:    {refconfig.OneOf, refconfig.NoneOf},
	}
	return !slices.ContainsFunc(new, func(kind refconfig.RuleKind) bool {
		within := func(was refconfig.RuleKind) bool { return was == kind || slices.Contains(allows[kind], was) }
		return kind != refconfig.AnyOf && !slices.ContainsFunc(old, within)
	})
}

// together reports whether the templates of a component all moved to the same other component.
func (c *comparison) together(o, n *entry) bool {
	for _, other := range c.old {
		if after := c.matches[other]; after != nil &&
			(other.component == o.component) != (after.component == n.component) {
			return false
		}
	}
	return true
}

// added reports a template that only the new version has.
func (c *comparison) added(n *entry) {
	change := Change{Group: Must, Kind: TemplateAdded, NewAt: n.Ref.File}
	change.Words = "a new template, " + n.binding() + ": " + n.about()
	switch {
	case slices.Contains(n.kinds, refconfig.NoneOf):
		change.Words = "CRs that match it are forbidden: " + n.about()
	case !n.asks() || slices.Contains(n.kinds, refconfig.OneOf):
		change.Group = May
	}
	c.report(change, n)
}

// removed reports a template that only the old version has.
func (c *comparison) removed(o *entry) {
	change := Change{Group: Dropped, Kind: TemplateRemoved, OldAt: o.Ref.File}
	change.Words = "the template was removed, so its CRs are no longer compared; it was " + o.binding() + ": " + o.about()
	if slices.Contains(o.kinds, refconfig.OneOf) {
		change.Group = Must
	}
	if slices.Contains(o.kinds, refconfig.NoneOf) {
		change.Group, change.Words = May, "CRs that it forbade are allowed again: "+o.about()
	}
	c.report(change, o)
}

// config compares the settings of a template in the metadata.
func (p *pair) config() {
	old, new := p.old.Ref.Config, p.new.Ref.Config
	switch {
	case new.IgnoreUnspecified && !old.IgnoreUnspecified:
		p.reportAll(May, Unspecified, "fields that the template lacks are ignored", "", "")
	case old.IgnoreUnspecified && !new.IgnoreUnspecified:
		p.reportAll(Must, Unspecified, "fields that the template lacks are no longer ignored: they are extra content", "", "")
	}
	p.manners(manners(old), manners(new))
	p.exact(old, new)
	if more := paths(new.Omit, old.Omit); len(more) > 0 {
		p.reportAll(May, Omitted, "is no longer compared", "", "", more...)
	}
	if less := paths(old.Omit, new.Omit); len(less) > 0 {
		p.reportAll(Must, Compared, "is compared now", "", "", less...)
	}
}

// manners compares how perField compares fields. Patterns are reported with their fields.
func (p *pair) manners(was, is map[string]string) {
	strict := func(manner string) bool { // the order of a list counts by default
		return manner == "" || manner == string(refconfig.List)+" "+refconfig.ListOrdered
	}
	both := maps.Clone(was)
	maps.Copy(both, is)
	for _, path := range tree.Keys(both) {
		group, words := Must, "is compared differently"
		switch old, new := was[path], is[path]; {
		case old == new:
			continue
		case strict(old) && strict(new):
			group, words = Authors, "is reported differently"
		case strict(old):
			group, words = May, "may be written differently with the same meaning"
		case strict(new):
			words = "may no longer be written differently"
		}
		p.reportAll(group, Manner, words, was[path], is[path], path)
	}
}

// exact compares which fields must be exactly as in the template.
func (p *pair) exact(old, new refconfig.Config) {
	fields := func(c refconfig.Config) (all []refconfig.OmitEntry) {
		for _, f := range c.Fields(refconfig.Exact) {
			all = append(all, refconfig.OmitEntry{Path: f.Path})
		}
		return all
	}
	was, is := fields(old), fields(new)
	if free := paths(was, is); len(free) > 0 {
		p.reportAll(May, Manner, "may have content that the template does not state", "", "", free...)
	}
	if bound := paths(is, was); len(bound) > 0 {
		p.reportAll(Must, Manner, "must be what the template states, without extra content", "", "", bound...)
	}
}

// manners describes the entries of perField by their paths, without patterns. Of two entries for
// one path, the first one counts.
func manners(c refconfig.Config) map[string]string {
	all := map[string]string{}
	for _, f := range c.PerField {
		path := f.Path.String()
		_, again := all[path]
		if f.Key == refconfig.InlineDiff || f.Key == refconfig.Exact || again {
			continue
		}
		all[path] = f.Said()
		if f.Encoding != "" {
			all[path] += " in " + f.Encoding
		}
	}
	return all
}

// paths returns the entries that another list lacks, each once.
func paths(all, others []refconfig.OmitEntry) (more []string) {
	known := map[string]bool{}
	for _, e := range others {
		known[e.String()] = true
	}
	for _, e := range all {
		if text := e.String(); !known[text] {
			known[text] = true
			more = append(more, text)
		}
	}
	return more
}

// merged merges equal changes of several templates, and sorts by group and the order of the
// reference.
func merged(all []Change) []Change {
	out := []Change{}
	slices.SortStableFunc(all, func(a, b Change) int {
		groups := []Group{Must, May, Dropped, Authors}
		return cmp.Or(slices.Index(groups, a.Group)-slices.Index(groups, b.Group), a.index-b.index)
	})
	known := map[string]int{}
	for _, c := range all {
		key := strings.Join(
			append([]string{string(c.Group), string(c.Kind), c.Words, c.Old, c.New}, c.Paths...), "\x00",
		)
		i, again := known[key]
		if again && c.Kind != TemplateAdded && c.Kind != TemplateRemoved && c.Old != redacted && c.New != redacted {
			out[i].Templates = append(out[i].Templates, c.Templates...)
			continue
		}
		known[key] = len(out)
		out = append(out, c)
	}
	return out
}
