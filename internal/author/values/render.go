package values

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/filename"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Options of Render.
type Options struct {
	Values   File
	Input    []*manifest.Object // CRs that lookups find in addition to the rendered ones
	Limits   render.Limits      // limits of each execution of a template
	Compare  compare.Options    // options for comparing the rendered CRs; Render sets Manual
	Searched *secret.Searched   // cache of searching texts for Secrets; nil for none
}

// Result has the rendered CRs. If it has Faults, CRs may be absent or wrong.
type Result struct {
	CRs     []CR
	LeftOut []string       // templates that neither the values file nor a rule requires
	Rules   []finding.Rule // rules that the CRs break
	Faults  []refconfig.Problem
}

// CR is a rendered CR.
type CR struct {
	ID       manifest.ID
	File     string // file name
	Template string // path of the template
	Value    map[string]any
	Secret   bool // the CR contains data of a Secret
}

// mostRounds limits the number of rounds. In each round, all CRs are rendered again, because CRs
// that they look up changed.
const mostRounds = 10

// Render renders the CRs. The error is the context's.
func Render(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, opt Options) (Result, error) {
	r := renderer{ref: ref, engine: engine, opt: opt}
	r.entries, r.result.LeftOut = plan(ctx, ref, engine, opt.Values)
	for _, e := range r.entries {
		e.ctx, e.limits = ctx, opt.Limits
		if ref.Format == refconfig.Annotations {
			e.drop = []refconfig.OmitEntry{
				{Path: refconfig.PathOf("metadata", "annotations", "reference-config.openshift.io/attributes")},
			}
		}
	}
	input := decoded(opt.Input, engine.Lookups(), opt.Searched, func(o *manifest.Object, err error) {
		r.result.Faults = append(
			r.result.Faults,
			o.Place.Problem(code.EvalDecode, "the CR cannot be decoded, and a template may look it up: %s", err),
		)
	})
	r.rounds(ctx, input)
	r.identities()
	err := r.verify(ctx)
	for _, e := range r.entries {
		r.result.Faults = append(r.result.Faults, e.faults...)
	}
	slices.SortStableFunc(r.result.Faults, func(a, b refconfig.Problem) int { return a.Place.Compare(b.Place) })
	r.result.CRs = r.named()
	return r.result, cmp.Or(err, ctx.Err())
}

// renderer is the state of a call of Render.
type renderer struct {
	ref     *refconfig.Reference
	engine  *render.Engine
	opt     Options
	entries []*entry
	result  Result
}

// plan lists the CRs to render: those of the values file, and one for each template that a rule
// requires and that the file does not have.
func plan(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine, f File,
) (entries []*entry, leftOut []string) {
	parameters := parametersOf(ctx, ref, engine)
	wanted := wantedBy(ref, f)
	seen := map[string]bool{}
	for _, t := range engine.Templates() {
		path := t.Ref.Path
		all, named := f.given[path]
		switch {
		case seen[path]:
			continue
		case !named && wanted[path]:
			all = []given{{place: refconfig.Place{File: t.Ref.File, Line: 1 + t.Ref.LinesBefore}}}
		case !named:
			leftOut = append(leftOut, path)
		}
		seen[path] = true
		for _, g := range all {
			entries = append(entries, newEntry(t, g, parameters[path]))
		}
	}
	return entries, leftOut
}

// parametersOf returns the fields that templates read, by the path of the template.
func parametersOf(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine,
) map[string][]refconfig.FieldPath {
	all := map[string][]refconfig.FieldPath{}
	for t := range inspect.Of(ctx, ref, engine, inspect.Options{}).Templates() {
		for _, p := range t.Parameters {
			if path, err := refconfig.ParseFieldPath(p.Path); err == nil {
				all[t.Path] = append(all[t.Path], path)
			}
		}
	}
	return all
}

// wantedBy returns the templates for which a rule requires a CR: always (allOf), or because the
// values file has a CR of another template of the rule (allOrNoneOf).
func wantedBy(ref *refconfig.Reference, f File) map[string]bool {
	wanted := map[string]bool{}
	for _, c := range ref.Components() {
		for _, r := range c.Rules {
			some := slices.ContainsFunc(
				r.Templates, func(t *refconfig.Template) bool { return len(f.given[t.Path]) > 0 },
			)
			for _, t := range r.Templates {
				wanted[t.Path] = wanted[t.Path] || r.Kind == refconfig.AllOf || r.Kind == refconfig.AllOrNoneOf && some
			}
		}
	}
	return wanted
}

// rounds renders all CRs, and repeats it until no CR changes.
func (r *renderer) rounds(ctx context.Context, input []found) {
	w := newWorld(nil, input)
	for round := 1; ; round++ {
		var changed []*entry
		for _, e := range r.entries {
			if ctx.Err() == nil && e.render(w) {
				changed = append(changed, e)
			}
		}
		if len(changed) == 0 {
			break
		}
		if round == mostRounds {
			for _, e := range changed {
				e.fault(
					code.RenderCircle, nil, "the CR looks up CRs that look it up, and changes each time",
				)
			}
			return
		}
		w = newWorld(r.entries, input)
	}
	left := mostProbed
	for _, e := range r.entries {
		if e.value != nil && ctx.Err() == nil {
			e.idle(w, &left)
		}
	}
}

// identities records results that are not CRs, and CRs with the same identity.
func (r *renderer) identities() {
	seen := map[manifest.ID]*entry{}
	for _, e := range r.entries {
		if e.value == nil || len(e.faults) > 0 {
			continue
		}
		if e.id.APIVersion == "" || e.id.Kind == "" || e.id.Name == "" {
			e.fault(
				code.RenderRefused,
				nil,
				"the result of the template is not a CR, because it has no apiVersion, kind or metadata.name",
			)
			continue
		}
		if first := seen[e.id]; first != nil {
			e.fault(
				code.RenderTwice,
				nil,
				"%s is rendered a second time; the first time by %s, at %s",
				e.id,
				first.template.Ref.Path,
				first.given.place,
			)
			continue
		}
		seen[e.id] = e
	}
}

// verify compares every CR with its template, as the input of a comparison.
func (r *renderer) verify(ctx context.Context) error {
	byID := map[manifest.ID]*entry{}
	in := compare.Collected{}
	opt := r.opt.Compare
	opt.Manual = map[string]*refconfig.Template{}
	opt.Beside = map[string]map[string]any{}
	faulty := func(e *entry) bool { return e.value == nil || len(e.faults) > 0 }
	for _, e := range r.entries {
		if faulty(e) || slices.ContainsFunc(e.uses, faulty) { // the CR that it looks up will change
			continue
		}
		read := manifest.Read(
			e.template.Ref.File, "", []byte(tree.YAML(e.value)), manifest.Hints{Asked: true, Limits: e.limits.Text},
		)
		if len(read.Objects) != 1 || read.Objects[0].ID != e.id {
			e.fault(code.RenderRefused, nil, "the result of the template cannot be read back as the CR %s", e.id)
			continue
		}
		byID[e.id] = e
		opt.Manual[e.id.Key()], opt.Beside[e.id.Key()] = e.template.Ref, e.only
		in.Objects = append(in.Objects, read.Objects[0])
	}
	lookups := r.engine.Lookups()
	for _, o := range r.opt.Input {
		if byID[o.ID] == nil && lookups.Matches(o.ID.APIVersion, o.ID.Kind) {
			in.Objects = append(in.Objects, o)
		}
	}
	found, err := compare.Run(ctx, r.ref, r.engine, in, opt)
	for _, c := range found.Comparisons {
		if e := byID[manifest.ID(c.Object)]; e != nil {
			e.differs(c)
			delete(byID, e.id)
		}
	}
	for _, e := range byID {
		if err == nil {
			e.fault(code.RenderRefused, nil, "the template rejects the CR %s, which it rendered", e.id)
		}
	}
	if len(r.opt.Input) == 0 { // else CRs of the input count for the rules too
		r.result.Rules = found.Rules
	}
	return err
}

// differs records why a CR does not match the template that it was rendered from.
func (e *entry) differs(c *finding.Comparison) {
	if c.Error != nil {
		e.fault(c.Error.Code, nil, "%s, compared with the template: %s", e.id, c.Error.Message)
	}
	for _, d := range c.Differences {
		path, _ := refconfig.ParseFieldPath(d.Path)
		text, advice := strings.TrimSuffix(d.Words(), finding.Note(d.Code)), "give values that do"
		if d.Message != "" && text != d.Message {
			text += "; " + d.Message
		}
		if d.Code == code.EvalMissingKey {
			advice = "give what only the template reads under " + onlyRead + ":"
		}
		e.fault(
			cmp.Or(d.Code, code.RenderRefused),
			path,
			"%s does not match the template that it was rendered from: %s; %s",
			e.id,
			text,
			advice,
		)
	}
}

// named returns the CRs with their file names, sorted by identity.
func (r *renderer) named() []CR {
	var all []CR
	for _, e := range r.entries {
		if e.value != nil {
			all = append(all, CR{
				ID:       e.id,
				Template: e.template.Ref.Path,
				Value:    e.value,
				Secret:   secret.Of(e.value).With(r.opt.Searched).Holds(e.value),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b CR) int { return manifest.Compare(a.ID, b.ID) })
	taken := filename.Taken{}
	for i := range all {
		all[i].File = unused(all[i].ID, taken)
	}
	return all
}
