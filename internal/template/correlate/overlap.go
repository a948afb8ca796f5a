package correlate

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// stated is a template's condition on one field of the identity.
type stated struct {
	text         string
	fixed, exact bool
}

// scope is a template's condition on all fields of the identity. Templates with the same scope have
// the same candidates. Patterns are only known to overlap if they are equal.
type scope [4]stated

func scopeOf(id template.Identity) (s scope) {
	for i, m := range matchers(&id) {
		_, exact := m.Exact()
		s[i] = stated{m.String(), m.Fixed(), exact}
	}
	return s
}

// Overlaps returns a warning for each set of templates that match the same objects.
func Overlaps(templates []*render.Template) []refconfig.Problem {
	var order []scope
	sets := map[scope][]*render.Template{}
	for _, t := range templates {
		s := scopeOf(t.Identity)
		if sets[s] == nil {
			order = append(order, s)
		}
		sets[s] = append(sets[s], t)
	}
	var out []refconfig.Problem
	for _, s := range order {
		if set := sets[s]; len(set) > 1 {
			var names []string
			for _, t := range set {
				names = append(names, t.Ref.Path)
			}
			slices.Sort(names[1:])
			out = append(out, refconfig.Place{File: set[0].Ref.File}.Problem(
				code.RefOverlap,
				"%d templates match the same CRs (%s): %s; each such CR is compared with all of them, and the smallest difference counts",
				len(names),
				identityText(set[0].Identity),
				strings.Join(names, ", "),
			))
		}
	}
	return out
}

// identityText describes the objects of a template.
func identityText(id template.Identity) string {
	var parts []string
	for i, m := range matchers(&id) {
		if m.Fixed() {
			parts = append(parts, fieldNames()[i]+" "+m.String())
		}
	}
	return strings.Join(parts, ", ")
}
