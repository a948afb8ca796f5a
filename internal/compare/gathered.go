package compare

import (
	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/template"
)

// sought says what objects a template is for.
func sought(id template.Identity) cluster.Query {
	kind, exact := id.Kind.Exact()
	if !exact {
		kind = ""
	}
	return cluster.Query{Group: group(id.APIVersion), Kind: kind, Namespace: id.Namespace.Meets, Name: id.Name.Meets}
}

// notGathered returns the kind of a template's objects, and why the cluster may have the object
// although the input lacks it; "" where it has not.
func (r *run) notGathered(id template.Identity) (finding.Kind, finding.Uncollected) {
	kind, _ := id.Kind.Exact()
	version, _ := id.APIVersion.Exact()
	return finding.Kind{APIVersion: version, Kind: kind}, r.comparer.evidence.WhyUncollected(sought(id))
}

// group returns the API group of a matcher's apiVersion; "*" where it is open.
func group(m template.Matcher) string {
	v, exact := m.Exact()
	if !exact {
		return "*"
	}
	return manifest.ID{APIVersion: v}.Group()
}
