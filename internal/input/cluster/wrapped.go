package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// NotLookedInto returns a problem about CRs that contain or produce other CRs which were not read;
// false if there are none.
func (c Collected) NotLookedInto() (refconfig.Problem, bool) {
	p := refconfig.Problem{Code: code.WrappedNotRead}
	count, seen, readable := map[string]int{}, map[manifest.ID]bool{}, false
	for _, o := range c.Objects {
		if o.Carries == manifest.CarriesNone || o.Carries == manifest.CarriesRead || seen[o.ID] {
			continue
		}
		seen[o.ID] = true
		if len(count) == 0 || o.Place.Compare(p.Place) < 0 {
			p.Place = o.Place
		}
		count[o.ID.Kind]++
		readable = readable || o.Carries == manifest.CarriesUnread
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", count[kind], kind))
	}
	p.Message = "missing CRs may be inside other CRs, which were not read: " + strings.Join(
		kinds, ", ",
	)
	if readable {
		p.Message += "; --wrapped compares the CRs inside them"
	}
	return p, len(kinds) > 0
}

// Forbidden returns a problem about CRs of the given kinds that must not exist according to
// policies, or are only patched; false if there are none.
func (c Collected) Forbidden(kinds func(string) bool) (refconfig.Problem, bool) {
	const most = 3
	all := slice.Filter(c.Refused, func(o *manifest.Object) bool { return kinds(o.ID.Kind) })
	if len(all) == 0 {
		return refconfig.Problem{}, false
	}
	slices.SortFunc(all, func(a, b *manifest.Object) int { return a.Place.Compare(b.Place) })
	var names []string
	for _, o := range all[:min(len(all), most)] {
		name := o.ID.String()
		if o.Wrapper != "" {
			name += " in " + o.Wrapper
		}
		names = append(names, fmt.Sprintf("%s (%s)", name, o.Compliance))
	}
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return refconfig.Problem{Code: code.WrappedRefused, Place: all[0].Place,
		Message: "some CRs do not count as present, because a policy forbids them or is disabled, or they are patches: " +
			strings.Join(names, ", ")}, true
}
