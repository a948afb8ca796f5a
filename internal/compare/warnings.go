package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
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

// warnMalformed warns of malformed groups, once for each entry of perField.
func (r *run) warnMalformed(all []diff.Malformed) {
	for _, m := range all {
		if r.first(m.Entry) {
			r.warnOf(m.Problem)
		}
	}
}

// warnFailed warns of templates that match an object and cannot be evaluated for it, once for each
// location in the templates.
func (r *run) warnFailed(all []finding.Warning) {
	for _, w := range all {
		if r.first(w.Place) {
			r.result.Warnings = append(r.result.Warnings, w)
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

// unusedPairs warns of manual pairs for objects that the input does not contain. Most likely their
// keys are misspelt.
func (r *run) unusedPairs() {
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

// wrapped warns of CRs inside other CRs that must not be present. If required CRs are missing, it
// also warns of CRs inside other CRs that were not read, except in an archive of a cluster, which
// contains the resulting CRs as well.
func (r *run) wrapped() {
	if p, ok := r.in.Forbidden(r.templates.index.HasKind); ok {
		r.warnOf(p)
	}
	missing := slices.ContainsFunc(r.result.Rules, func(b finding.Rule) bool { return b.Code == code.RuleMissing })
	if p, ok := r.in.NotLookedInto(); ok && missing && !r.in.Gathered {
		r.warnOf(p)
	}
}

// nameless warns of CRs without a name.
func (r *run) nameless() {
	warn := func(id manifest.ID, at refconfig.Place) {
		if id.Name == "" {
			r.warn(
				code.ObjectWithoutName,
				at.String(),
				id.String()+" has no name, so no template that states a name can match it",
			)
		}
	}
	for _, c := range r.compared {
		warn(manifest.ID(c.found.Object), c.object.Place)
	}
	for _, o := range r.unmatched {
		if r.templates.index.HasKind(o.ID.Kind) {
			warn(o.ID, o.Place)
		}
	}
}

// warnings returns the warnings about a comparison.
func (c *comparison) warnings() (all []finding.Warning) {
	place := c.object.Place
	warn := func(why code.Code, message string) {
		all = append(
			all, finding.Warning{Code: why, Place: place.String(), Message: c.found.Object.String() + ": " + message},
		)
	}
	if len(c.masked) > 0 {
		var names []string
		for _, path := range c.masked {
			names = append(names, path.String())
		}
		warn(code.EvalMasked, "masked by the collector, so not compared: "+firstOf(3, names, ", ", ""))
	}
	if n := len(c.twice) - 1; n >= 0 {
		more := ""
		if n > 0 {
			more = fmt.Sprintf(" (and %d more keys)", n)
		}
		place.Line = c.twice[0].Line
		warn(code.KeyTwice, fmt.Sprintf(
			"the key %q is repeated later in the same map; the later value counts%s",
			kubeyaml.KeyString(c.twice[0]),
			more,
		))
		place = c.object.Place
	}
	var closed, asIs []string // fields that are compared as they are because their entry of perField does not fit
	for _, f := range c.closed {
		told := &asIs
		if f.Entry.Key == refconfig.Embedded {
			told = &closed
		}
		*told = append(*told, fmt.Sprintf("%s (%s, %s): %s", f.Path, f.Entry.Said(), f.Entry.Place, f.Why))
	}
	if len(closed) > 0 {
		warn(code.EvalClosed, "compared as it is, not by its content: "+firstOf(5, closed, "; ", ";"))
	}
	if len(asIs) > 0 {
		warn(code.EvalAsIs, "compared as it is, not as the reference says: "+firstOf(5, asIs, "; ", ";"))
	}
	return all
}

// warnOfReference warns about the reference.
func (r *run) warnOfReference() {
	doubts, malformed := r.templates.doubts()
	r.warnOf(doubts...)
	r.warnMalformed(malformed)
}

// firstOf joins the first few texts and gives the number of the others.
func firstOf(most int, all []string, between, end string) string {
	if more := len(all) - most; more > 0 {
		return strings.Join(all[:most], between) + fmt.Sprintf("%s and %d more", end, more)
	}
	return strings.Join(all, between)
}

// wrongReference warns if the reference is for another version than the cluster has.
func (r *run) wrongReference() {
	for _, c := range r.compared {
		if c.otherVersion != "" {
			r.warn(code.WrongReference, "", c.otherVersion+": this may be the wrong reference")
		}
	}
}

// cutArchives gives one warning about all archives with an unknown rest.
func (r *run) cutArchives() {
	var cut []finding.Problem
	for _, p := range finding.ProblemsOf(r.unread) {
		if p.Code == code.ArchiveBroken {
			cut = append(cut, p)
		}
	}
	switch len(cut) {
	case 0:
	case 1:
		r.warn(
			code.ArchiveBroken,
			cut[0].Place(),
			"this archive is cut short or corrupt: CRs that are missing here may be in the cluster",
		)
	default:
		r.warn(code.ArchiveBroken, cut[0].Place(), fmt.Sprintf(
			"this archive is cut short or corrupt (and %d more): CRs that are missing here may be in the cluster",
			len(cut)-1,
		))
	}
}
