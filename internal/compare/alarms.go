package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// wrongReference warns where the reference is for another version than the cluster has.
func (r *run) wrongReference() {
	for _, c := range r.compared {
		if c.otherVersion != "" {
			r.warn(code.WrongReference, "", c.otherVersion+": this may be the wrong reference")
		}
	}
}

// cutArchives warns of archives of which nobody knows what else they held, once for all of them.
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

// uncollectedParts warns of the parts that require CRs of which none was collected. Of an archive
// that is cut short that is said already.
func (r *run) uncollectedParts(met map[*render.Template][]finding.Present) {
	if r.comparer.evidence.CutShort() {
		return
	}
	isMet := func(c *refconfig.Component) bool {
		return slices.ContainsFunc(c.Rules, func(rule refconfig.Rule) bool {
			return slices.ContainsFunc(
				rule.Templates, func(t *refconfig.Template) bool { return len(met[r.templates.byRef(t)]) > 0 },
			)
		})
	}
	var names []string
	for _, p := range r.ref.Parts {
		seen, missed := slices.ContainsFunc(p.Components, isMet), false
		for _, b := range r.result.Rules {
			for _, m := range b.Missing {
				if b.Part == p.Name {
					missed = true
					seen = seen || !m.NotCollected
				}
			}
		}
		if missed && !seen {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		r.warn(
			code.PartNotCollected,
			"",
			"nothing of "+strings.Join(names, ", ")+" was collected: the cluster may have it or not",
		)
	}
}
