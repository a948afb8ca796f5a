package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

func (r *run) warn(c code.Code, place, message string) {
	r.result.Warnings = append(r.result.Warnings, finding.Warning{Code: c, Message: message, Place: place})
}

// warnOf warns of problems.
func (r *run) warnOf(all ...refconfig.Problem) {
	for _, p := range all {
		r.warn(p.Code, p.Place.String(), p.Message)
	}
}

// warning is a warning about a reference or a CR.
type warning struct {
	finding.Warning
	once string // a run gives only the first of the warnings with the same text here; "" for all
}

// warningOf returns a problem as a warning.
func warningOf(p refconfig.Problem) warning {
	return warning{Warning: finding.Warning{Code: p.Code, Place: p.Place.String(), Message: p.Message}}
}

// malformed returns warnings about malformed capture groups of a template, once for each entry of
// perField.
func malformed(t *refconfig.Template, all []refconfig.Problem) (warnings []warning) {
	for _, p := range all {
		w := warningOf(p)
		w.once = t.Path + " " + w.Place
		warnings = append(warnings, w)
	}
	return warnings
}

// add adds warnings to the result.
func (r *run) add(all []warning) {
	for _, w := range all {
		if w.once == "" || r.first(w.once) {
			r.result.Warnings = append(r.result.Warnings, w.Warning)
		}
	}
}

// first reports whether it is called with a name for the first time.
func (r *run) first(name string) bool {
	if r.warned == nil {
		r.warned = map[string]bool{}
	}
	was := r.warned[name]
	r.warned[name] = true
	return !was
}

// warnOfUnusedPairs warns of manual pairs for objects that the input does not contain. Most likely their
// keys are misspelt.
func (r *run) warnOfUnusedPairs() {
	if len(r.opt.Manual) == 0 {
		return
	}
	there := make(map[string]bool, len(r.opt.Manual))
	for _, e := range r.store.distinct {
		if key := e.object.ID.Key(); r.opt.Manual[key] != nil {
			there[key] = true
		}
	}
	for _, key := range tree.Keys(r.opt.Manual) {
		if !there[key] {
			r.warn(code.ManualPairUnused, "", "the manual pair of "+key+" matches no CR of the input")
		}
	}
}

// warnOfWrapped warns of CRs inside other CRs that must not be present. If required CRs are missing, it
// also warns of CRs inside other CRs that were not read, except in an archive of a cluster, which
// contains the resulting CRs as well.
func (r *run) warnOfWrapped() {
	if p, ok := r.in.Forbidden(r.templates.kept.HasKind); ok {
		r.warnOf(p)
	}
	missing := slices.ContainsFunc(r.result.Rules, func(b finding.Rule) bool { return b.Code == code.RuleMissing })
	if p, ok := r.in.NotLookedInto(); ok && missing && !r.in.Gathered {
		r.warnOf(p)
	}
}

// warnOfNameless warns of CRs without a name. One of a kind of the reference that matches no template could
// be any CR of this kind, so the input is not known, unless the cluster gives the name.
func (r *run) warnOfNameless() {
	problem := func(o *manifest.Object) refconfig.Problem {
		return o.Place.Problem(
			code.ObjectWithoutName, "%s has no name, so no template that states a name can match it", o.ID)
	}
	for _, c := range r.compared {
		if c.stored.object.ID.Name == "" {
			r.warnOf(problem(c.stored.object))
		}
	}
	for _, o := range r.unmatched {
		switch {
		case o.ID.Name != "" || !r.templates.kept.HasKind(o.ID.Kind):
		case r.in.Skips || !o.Unnamed:
			r.warnOf(problem(o))
		default:
			r.unread = append(r.unread, problem(o))
		}
	}
}

// addMisspelt reports CRs whose kind is that of the reference in other upper and lower case. No API
// server takes them, and no template matches them, so that a forbidden CR would seem to be absent.
func (r *run) addMisspelt() {
	meant := map[[2]string]string{} // by apiVersion and kind
	for _, o := range r.in.Objects {
		key := [2]string{o.ID.APIVersion, o.ID.Kind}
		kind, known := meant[key]
		if !known {
			kind = r.templates.kept.Misspelt(o.ID.APIVersion, o.ID.Kind)
			meant[key] = kind
		}
		if kind == "" {
			continue
		}
		p := o.Place.Problem(code.ObjectLost, "%s was not compared, because its kind is written in another way than %s, "+
			"as the reference has it; correct it", o.ID, kind)
		if r.in.Skips {
			r.warnOf(p)
			continue
		}
		r.unread = append(r.unread, p)
	}
}

// warn adds a warning about the object of the comparison, at a line of it, or at the whole object.
func (v *verdict) warn(why code.Code, line int, message string) {
	at := v.stored.object.Place
	at.Line = cmp.Or(line, at.Line)
	v.warnings = append(v.warnings, warningOf(at.Problem(why, "%s: %s", v.found.Object, message)))
}

// warnDuplicates warns of duplicate keys of the object.
func (v *verdict) warnDuplicates(keys []*kubeyaml.Node) {
	if len(keys) == 0 {
		return
	}
	more := ""
	if n := len(keys) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more keys)", n)
	}
	v.warn(code.KeyTwice, keys[0].Line, fmt.Sprintf(
		"the key %q is repeated later in the same map; the later value counts%s", kubeyaml.KeyString(keys[0]), more))
}

// warnCompared warns of values that were not compared as the reference says.
func (v *verdict) warnCompared(a *attempt) {
	if v.masked = len(a.compared.Masked); v.masked > 0 {
		var names []string
		for _, path := range a.compared.Masked {
			names = append(names, path.String())
		}
		v.warn(code.EvalMasked, 0, "masked by the collector, so not compared: "+firstOf(3, names, ", ", ""))
	}
	var closed, asIs []string // fields that are compared as they are because their entry of perField does not fit
	for _, f := range slices.Concat(a.closed, a.compared.AsIs) {
		told := &asIs
		if f.Entry.Key == refconfig.Embedded {
			told = &closed
		}
		*told = append(*told, fmt.Sprintf("%s (%s, %s): %s", f.Path, f.Entry.Said(), f.Entry.Place, f.Why))
	}
	var twice []string
	for _, t := range a.twice {
		what := "a key"
		if t.Key != "" {
			what = fmt.Sprintf("the key %q in its line %d", t.Key, t.Line)
		}
		twice = append(twice, fmt.Sprintf("in %s, %s is repeated later in the same map", t.Path, what))
	}
	if len(twice) > 0 {
		v.warn(code.KeyTwice, 0, firstOf(3, twice, "; ", ";")+"; the later value counts")
	}
	if len(closed) > 0 {
		v.warn(code.EvalClosed, 0, "compared as it is, not by its content: "+firstOf(5, closed, "; ", ";"))
	}
	if len(asIs) > 0 {
		v.warn(code.EvalAsIs, 0, "compared as it is, not as the reference says: "+firstOf(5, asIs, "; ", ";"))
	}
	v.warnings = append(v.warnings, malformed(v.template, a.malformed)...)
}

// warnVersion warns if the reference is for another version than the cluster has. The differences
// are those of the cluster's ClusterVersion.
func (v *verdict) warnVersion(differences []finding.Difference) {
	if w, other := otherVersion(v.found.Object, differences); other {
		v.warnings = append(v.warnings, warning{Warning: w, once: w.Message})
	}
}

// firstOf joins the first few texts and gives the number of the others.
func firstOf(most int, all []string, between, end string) string {
	if more := len(all) - most; more > 0 {
		return strings.Join(all[:most], between) + fmt.Sprintf("%s and %d more", end, more)
	}
	return strings.Join(all, between)
}

// warnOfCutArchives gives one warning about all archives with an unknown rest.
func (r *run) warnOfCutArchives() {
	var cut []refconfig.Problem
	for _, p := range finding.SortedProblems(r.unread) {
		if p.Code == code.ArchiveBroken {
			cut = append(cut, p)
		}
	}
	switch len(cut) {
	case 0:
	case 1:
		r.warn(
			code.ArchiveBroken,
			finding.PlaceText(cut[0].Place),
			"this archive is cut short or corrupt: CRs that are missing here may be in the cluster",
		)
	default:
		r.warn(code.ArchiveBroken, finding.PlaceText(cut[0].Place), fmt.Sprintf(
			"this archive is cut short or corrupt (and %d more): CRs that are missing here may be in the cluster",
			len(cut)-1,
		))
	}
}
