package compare

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// warnOfPlaceholders warns of source CRs that were compared like CRs of a cluster. A CR that contains
// others, such as a policy, may have placeholders on a cluster too.
func (r *run) warnOfPlaceholders() {
	if r.in.Gathered || r.opt.Placeholders {
		return
	}
	var places []refconfig.Place
	for _, c := range r.compared {
		if c.placeholder > 0 && c.stored.object.Carries == manifest.CarriesNone {
			place := c.stored.object.Place
			place.Line = c.placeholder
			places = append(places, place)
		}
	}
	for _, o := range r.unmatched {
		if o.ID.Open() && r.templates.kept.HasKind(o.ID.Kind) {
			places = append(places, o.Place)
		}
	}
	if len(places) == 0 {
		return
	}
	r.warn(code.PlaceholdersOpen, slices.MinFunc(places, refconfig.Place.Compare).String(), fmt.Sprintf(
		"%s placeholders, which are compared as text; --placeholders takes them for values that are not known yet",
		finding.Plural(len(places), "CR has", "CRs have")))
}
