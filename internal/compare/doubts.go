package compare

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// warnOfDoubts warns if so few of the required CRs exist that the reference may be for another
// cluster, and if a support archive lacks the half of its CRs in which required ones are missing.
func (r *run) warnOfDoubts(there present) {
	if found, of := r.fewRequired(there); of > 0 {
		said := fmt.Sprintf("none of the %d required CRs exists", of)
		if found > 0 {
			said = fmt.Sprintf("of %d required CRs only %s, and no component is complete",
				of, finding.Plural(found, "exists", "exist"))
		}
		said += ": this may be the wrong reference"
		if !r.in.Gathered {
			said += ", or only a part of the CRs, which --given judges by themselves"
		}
		r.warn(code.FewRequired, "", said)
	}
	if half := r.lackingHalf(); half != "" {
		r.warn(code.HalfArchive, "", "the archive has no CR "+half+": a part of it may be missing")
	}
}

// fewRequired returns how many required CRs exist, and of how many that either exist or are surely
// absent, if these are less than a quarter of many and no component has all that it requires; else
// both are 0.
func (r *run) fewRequired(there present) (found, of int) {
	const many, part = 8, 4
	for _, c := range r.ref.Components() {
		n, all := 0, 0
		for _, rule := range c.Rules {
			if rule.Kind != refconfig.AllOf || !r.opt.Keep(c) {
				continue
			}
			all += len(rule.Templates)
			for _, t := range rule.Templates {
				if len(there[r.templates.byRef(t)]) > 0 {
					n++
				}
			}
		}
		if found += n; n > 0 && n == all {
			return 0, 0
		}
	}
	of = found
	for _, b := range r.result.Rules {
		for _, m := range b.Missing {
			if b.Rule == string(refconfig.AllOf) && m.Class() == finding.ClassAbsent {
				of++
			}
		}
	}
	if of < many || found*part >= of {
		return 0, 0
	}
	return found, of
}

// lackingHalf returns which CRs a support archive lacks, although the cluster may have required ones of
// them: "in a namespace" or those without; "" if it has both.
func (r *run) lackingHalf() string {
	if !r.in.Gathered || len(r.in.Objects) == 0 || r.evidence.CutShort() {
		return ""
	}
	inside, outside := false, false
	for _, o := range r.in.Objects {
		inside = inside || o.ID.Namespace != ""
		outside = outside || o.ID.Namespace == "" && o.ID.Kind != "Namespace"
	}
	missed := func(namespaced bool) bool {
		return slices.ContainsFunc(r.result.Rules, func(b finding.Rule) bool {
			return slices.ContainsFunc(b.Missing, func(m finding.Missed) bool {
				return m.NotCollected && (m.Object.Namespace != "") == namespaced && m.Object.Kind != "Namespace"
			})
		})
	}
	switch {
	case !inside && missed(true):
		return "in a namespace"
	case !outside && missed(false):
		return "without a namespace but Namespaces"
	}
	return ""
}
