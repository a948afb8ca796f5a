package compare

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/placeholder"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// attempt is an object compared with one candidate.
type attempt struct {
	template    *render.Template
	tree        *diff.Pair
	differences []diff.Difference
	score       int // once it is measured
	err         *render.Error
	accepted    patch.Applied
	remarks     []function.Statement
	told        []provenance.Finding  // the findings that belong to no field of the rendered object
	conflicting []refconfig.FieldPath // the fields whose groups matched different texts
	masked      []refconfig.FieldPath
	closed      []diff.Closed
	input       map[string]any    // the object as it was compared
	secretive   func() bool       // whether there is something secret in the object, asked of all attempts once
	suppressed  []diff.Suppressed // where somebody asks for it
	malformed   []diff.Malformed
	reached     template.Reached // where somebody asks for it
	trace       *render.Trace    // where the run traces
	whole       any              // where the run traces: the expected value before fields are left out
	before      *render.Before   // where the run looks for fixes: what was printed
	mending     *patch.Trial     // where the run looks for fixes: the attempt as they begin from it
	expected    *resolved        // where the run looks for overrides: what was rendered, before any
}

// Refusal is a template's reason not to match an object.
type Refusal struct {
	Template *refconfig.Template
	Reason   string
	At       refconfig.Place // of doNotMatch
}

// attempts compares an object with all its candidates, with each as the one of its entries says
// that leaves the smallest difference. Those that refuse it are returned as refusals.
func (w *weighing) attempts(input map[string]any, candidates []*render.Template) (all []*attempt, refusals []Refusal) {
	secretive := sync.OnceValue(func() bool { return secret.Of(input).With(w.searched).Holds(input) })
	for _, t := range candidates {
		var tried []*attempt
		for _, entry := range w.entries[t] {
			if w.ctx.Err() != nil {
				return nil, nil
			}
			a, no := w.attempt(input, entry, w.accepted)
			a.secretive = secretive
			if no == nil && a.err == nil && (len(candidates) > 1 || len(w.entries[t]) > 1) {
				w.measure(a)
			}
			if no != nil {
				refusals = append(refusals, *no)
				break // which it does for all of its entries
			}
			tried = append(tried, a)
		}
		if len(tried) > 0 {
			all = append(all, closest(tried)[0])
		}
	}
	return all, refusals
}

// closest returns the attempts that could be evaluated, the one with the smallest difference first;
// of several that are alike, the first in the reference. One that could not is returned only if all
// could not.
func closest(all []*attempt) []*attempt {
	evaluated := slices.DeleteFunc(slices.Clone(all), func(a *attempt) bool { return a.err != nil })
	if len(evaluated) == 0 {
		return all[:1]
	}
	slices.SortStableFunc(evaluated, func(a, b *attempt) int { return a.score - b.score })
	return evaluated
}

// candidatesOf lists the attempts that could be evaluated, the chosen one first, the others in the
// order of the reference; nil where there was no choice.
func candidatesOf(all []*attempt, chosen *attempt) []finding.Candidate {
	first, rest := []finding.Candidate{}, []finding.Candidate{}
	for _, a := range all {
		switch {
		case a == chosen:
			first = append(first, finding.Candidate{Path: a.template.Ref.Path, Score: a.score})
		case a.err == nil:
			rest = append(rest, finding.Candidate{Path: a.template.Ref.Path, Score: a.score})
		}
	}
	if chosen.err != nil || len(rest) == 0 {
		return nil
	}
	return append(first, rest...)
}

// render renders one template for an object and applies the overrides that are for it. Where it
// cannot, the attempt says so.
func (w *weighing) render(a *attempt, input map[string]any, o *patch.Set) (*resolved, *Refusal) {
	t := a.template
	opt := w.rendering()
	if w.opt.Reached != nil {
		a.reached = template.Reached{}
		opt.Reached = a.reached
	}
	opt.Before = a.before
	rendering, err := t.Execute(input, opt)
	a.trace, a.remarks = rendering.Trace, rendering.Remarks
	if err != nil {
		var refused *render.Refused
		if errors.As(err, &refused) {
			return nil, &Refusal{Template: t.Ref, Reason: refused.Reason, At: refused.At}
		}
		if !errors.As(err, &a.err) {
			a.err = &render.Error{Code: code.Internal, Position: t.Ref.File, Message: err.Error()}
		}
		if w.opt.Placeholders && placeholder.Within(input) {
			a.err.Message += "; the CR has placeholders, for which the template may be at a loss: fill in the values that it needs"
		}
		return nil, nil
	}
	x := &resolved{
		Expected: patch.Expected{
			ID:       w.of.object.ID,
			Value:    rendering.Value,
			Notes:    rendering.Notes,
			Clear:    w.opt.Show.Secrets,
			Searched: w.searched,
		},
		Printed: rendering.Value, Input: input, Unplaced: rendering.Unplaced, Source: w.opt.Placeholders, Template: t}
	x.LookInside(w.ctx, embed.Most(w.of.object.Text()))
	if t.Ref.Config.IgnoreUnspecified {
		x.Value = diff.Unspecified(x.Input, x.Value, x.Notes,
			diff.FieldsOf(t.Ref.Config).Until(w.ctx)).(map[string]any)
	}
	x.Rendered = x.Value
	if w.opt.Accept != nil {
		before := *x
		a.expected = &before
	}
	a.accepted, a.err = o.Apply(&x.Expected, t.Ref, input, w.rendering(), func() *patch.Trial {
		return w.try(&attempt{template: t}, x)
	})
	return x, nil
}

// trying is how what an attempt rendered is compared under other overrides: it is not rendered
// again, and compared once without any.
func (w *weighing) trying(a *attempt, input map[string]any) func(*patch.Set) *patch.Trial {
	plain := sync.OnceValue(func() *patch.Trial {
		x := *a.expected
		return w.try(&attempt{template: x.Template}, &x)
	})
	return func(under *patch.Set) *patch.Trial {
		x := *a.expected
		applied, err := under.Apply(&x.Expected, x.Template.Ref, input, w.rendering(), plain)
		switch {
		case err != nil:
			return nil
		case applied.Uses == nil:
			return plain()
		}
		return w.try(&attempt{template: x.Template}, &x)
	}
}

// try compares an object with what is expected of it, and leaves that as it is; nil where it cannot
// be compared.
func (w *weighing) try(a *attempt, x *resolved) *patch.Trial {
	compared := *x
	if w.compare(a, &compared); a.err != nil {
		return nil
	}
	t := a.trial()
	t.Value, t.Omit, t.Notes = x.Value, w.omit[a.template.Ref], compared.Notes
	return t
}

// trial is what accept is told of an attempt.
func (a *attempt) trial() *patch.Trial {
	return &patch.Trial{Tree: a.tree, Differences: a.differences, Told: a.told, Conflicting: a.conflicting}
}

// attempt renders one template for an object and lays the two over each other.
func (w *weighing) attempt(input map[string]any, t *render.Template, o *patch.Set) (*attempt, *Refusal) {
	a := &attempt{template: t}
	if w.opt.Fix {
		a.before = &render.Before{}
	}
	x, no := w.render(a, input, o)
	switch {
	case no != nil || a.err != nil:
	case w.opt.Fix:
		a.mending = w.try(a, x)
	default:
		w.compare(a, x)
	}
	return a, no
}

// compare lays an object over what is expected of it.
func (w *weighing) compare(a *attempt, x *resolved) {
	var conflicts []provenance.Finding
	if conflicts, a.err = x.Inline(w.ctx); a.err != nil {
		return
	}
	a.conflicting, a.malformed, a.closed, a.input = x.Conflicting, x.Malformed, x.Closed, x.Input
	if w.trace {
		a.whole = tree.Copy(x.Value)
	}
	omit := w.omit[a.template.Ref]
	if w.opt.Suppressed != Untold {
		a.suppressed = diff.LeftOut(x.Printed, x.Input, omit, x.Template.Ref.Config, w.opt.Show.Secrets)
	}
	checks := diff.OmittedChecks(x.Notes, omit)
	left, right := diff.Spelled(x.Value, x.Input, x.ID)
	done := diff.Compare(left, right, x.Notes, x.Scope(), diff.Policy{
		Fields:       diff.FieldsOf(a.template.Ref.Config).Until(w.ctx),
		Omit:         omit,
		Unspecified:  a.template.Ref.Config.IgnoreUnspecified,
		Layout:       w.layout(),
		Kind:         w.of.object.ID.Kind,
		Placeholders: w.opt.Placeholders,
		Moved:        true,
	})
	a.tree, x.Notes, a.masked = done.Tree, done.Notes, done.Masked
	a.closed = append(a.closed[:len(a.closed):len(a.closed)], done.AsIs...)
	a.differences = diff.Flatten(a.tree)
	a.tell(slices.Concat(x.Open(a.tree.Left.Data, a.tree.Right.Data), checks, conflicts), omit)
}

// layout is that of the archive that the object was gathered in; "" for none that is known.
func (w *weighing) layout() string {
	if w.in.Layout == nil {
		return ""
	}
	return w.in.Layout(w.of.object.Place)
}

// rendering returns the options of executing templates.
func (w *weighing) rendering() render.Options {
	return render.Options{
		Context:     w.ctx,
		Lookup:      w.lookup,
		Limits:      w.opt.Limits,
		Source:      w.opt.Placeholders,
		ShowSecrets: w.opt.Show.Secrets,
		Searched:    w.searched,
		Trace:       w.trace,
	}
}

// omitter has what is left out of comparisons, by the first of the entries of a list of the
// reference, which many templates share.
type omitter map[*refconfig.OmitEntry][]refconfig.OmitEntry

// omitted returns the fields that are left out of a template's comparisons.
func (o omitter) omitted(t *refconfig.Template, format refconfig.Format) (omit []refconfig.OmitEntry) {
	if len(t.Config.Omit) > 0 {
		if known := o[&t.Config.Omit[0]]; known != nil {
			return known
		}
		defer func() { o[&t.Config.Omit[0]] = omit }()
	}
	omit = append([]refconfig.OmitEntry{managedFields()}, t.Config.Omit...)
	if format == refconfig.Annotations {
		omit = append(omit, refconfig.OmitEntry{
			Path: refconfig.PathOf("metadata", "annotations", "reference-config.openshift.io/attributes"),
		})
	}
	return omit
}

// tell adds findings that belong to no field of the rendered object: at the path that was asked
// for, or at the root. A missing key that the tree tells already at its path, or that is omitted,
// is not told again; every check that did not hold and every conflict is, wherever it stands.
func (a *attempt) tell(findings []provenance.Finding, omit []refconfig.OmitEntry) {
	called, said, missing := diff.Names{}, []string{}, map[string]bool{}
	if a.tree.Message != "" {
		said = append(said, a.tree.Message)
	}
	for _, d := range a.differences {
		if d.Code == code.EvalMissingKey {
			missing[d.Path.String()] = true
		}
	}
	for _, f := range findings {
		d := diff.Difference{Category: finding.Drift, Path: f.Path, Message: f.Message, Code: f.Code}
		if f.Code == code.EvalMissingKey {
			path := f.Path.String()
			if f.Path != nil && (missing[path] || tree.Omits(omit, f.Path)) {
				continue
			}
			d.Category, missing[path] = finding.Missing, true
		}
		d.Named = called.Path(f.Path, a.tree, a.input)
		a.told, a.differences, said = append(a.told, f), append(a.differences, d), append(said, f.Message)
		a.tree.Code = cmp.Or(a.tree.Code, f.Code)
	}
	a.tree.Message = strings.Join(said, "\n")
}

// measure sets the score: it counts the changed characters between the two sides as sorted YAML,
// key names and indentation included. What the collector masked counts as equal, and what is secret
// of a difference as it is shown. A finding about fields that print alike counts as one character,
// so that only a perfect match scores 0.
func (r *run) measure(a *attempt) {
	left, right := a.tree.Expected(), a.tree.Right.Data
	hidden := a.secretive != nil && a.secretive() || slices.ContainsFunc(a.differences, diff.Difference.HidesMore)
	if hidden {
		l, r := a.tree.Shown()
		left, right = l.Data, r.Data
	}
	for _, path := range slices.Concat(a.masked, a.open()) {
		if was, there := tree.At(left, path); there {
			right, _ = tree.Set(right, path, was)
		}
	}
	a.score = align.Distance(tree.YAML(left), tree.YAML(right))
	for _, d := range a.differences {
		if d.Alike(hidden) && (d.Category == finding.Drift || d.Category == finding.Missing) {
			a.score++
		}
	}
}
