package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// notGathered returns the kind of a template's objects, and whether the input may lack the object although the cluster has it: what
// could not be read may hold it, or the input was gathered, and nothing shows that the collector would have gathered it. A wrong "absent" is
// a false alarm, so where it is not sure the object was not gathered.
func (r *run) notGathered(id render.Identity) (finding.Kind, bool) {
	kind, exact := id.Kind.Exact()
	version, _ := id.APIVersion.Exact()
	unknown := exact && r.in.Gathered && !r.cannotExist(group(id.APIVersion), kind) && !r.showsLike(id)
	return finding.Kind{APIVersion: version, Kind: kind}, unknown || r.cutShort() || r.mayBeLost(id)
}

// cutShort reports whether an archive breaks off or is corrupt, so that nobody knows what it held.
func (r *run) cutShort() bool {
	broken := func(p refconfig.Problem) bool { return p.Code == code.ArchiveBroken }
	return slices.ContainsFunc(r.unread, broken) || slices.ContainsFunc(r.in.Warnings, broken)
}

// scope is where a collector gathers objects of a kind: the cluster, or a namespace of it.
type scope struct {
	group, kind string
	plural      string // in the place of the kind, where only the path of a List tells it
	namespace   string
	all         bool // the objects are of all namespaces
}

// scopes are those of which the input shows that all objects were gathered. A List shows that of its kind and namespace, even if it is
// empty, and so does an object of it, but not where the collector gathers some objects of the kind only.
func (r *run) scopes() map[scope]bool {
	if r.shown != nil {
		return r.shown
	}
	r.shown = map[scope]bool{}
	layout := func(p refconfig.Place) string {
		if r.in.Layout == nil {
			return ""
		}
		return r.in.Layout(p)
	}
	for _, o := range r.in.Objects {
		by := layout(o.Place)
		s := scope{group: o.ID.Group(), kind: o.ID.Kind, namespace: o.ID.Namespace, all: by == ""}
		if !r.shown[s] && !collector.Samples(by, s.group, s.kind, false) {
			r.shown[s] = true
		}
	}
	for _, l := range r.in.Listed {
		if !collector.Samples(l.Layout, l.Group, l.Kind, true) {
			r.shown[scope{group: l.Group, kind: l.Kind, plural: l.Plural, namespace: l.Namespace}] = true
		}
	}
	return r.shown
}

// showsLike reports whether the input shows that the object of a template would have been gathered.
func (r *run) showsLike(id render.Identity) bool {
	kind, _ := id.Kind.Exact()
	of := group(id.APIVersion)
	for s := range r.scopes() {
		named := s.kind == kind || s.kind == "" && collector.PathID{Plural: s.plural}.OfKind(kind)
		if named && (of == "*" || of == s.group) && (s.all || id.Namespace.Meets(s.namespace)) {
			return true
		}
	}
	return false
}

// cannotExist reports whether the cluster has no API for a kind: the input holds all its CustomResourceDefinitions, and none is for it.
func (r *run) cannotExist(group, kind string) bool {
	if !collector.IsCustom(group) {
		return false
	}
	complete, defined := false, false
	for k, list := range r.store.byKind {
		if k[1] != "CustomResourceDefinition" || !strings.HasPrefix(k[0], "apiextensions.k8s.io/") {
			continue
		}
		for _, e := range list {
			name := e.object.ID.Name // PLURAL.GROUP
			plural, of, _ := strings.Cut(name, ".")
			defined = defined || of == group && mayBePlural(plural, kind)
			complete = complete || slices.ContainsFunc(r.in.Inputs, func(in gather.Input) bool { return collector.HasAllDefinitions(in.Layout, name) })
		}
	}
	return complete && !defined
}

// mayBePlural reports whether a plural may be that of a kind, however odd it is: as network-attachment-definitions, or indices of Index.
func mayBePlural(plural, kind string) bool {
	kind = strings.ToLower(kind)
	return strings.HasPrefix(strings.ReplaceAll(plural, "-", ""), kind[:max(len(kind)-2, min(len(kind), 1))])
}

// mayBeLost reports whether a file of a collector that could not be read, or holds no object, may have been that of a template's
// object by its path.
func (r *run) mayBeLost(id render.Identity) bool {
	kind, exact := id.Kind.Exact()
	of := group(id.APIVersion)
	return exact && slices.ContainsFunc(r.lost, func(file collector.PathID) bool {
		return file.OfKind(kind) && (of == "*" || of == file.Group) && id.Namespace.Meets(file.Namespace) &&
			(file.Name == "" || id.Name.Meets(file.Name))
	})
}

// lostFiles returns which objects collectors wrote, by the paths, to files that hold none or could not be read.
func lostFiles(in Collected) []collector.PathID {
	var lost []collector.PathID
	seen := map[collector.PathID]bool{}
	take := func(p refconfig.Place) {
		if id, ok := manifest.PathIDOf(p); ok && !seen[id] {
			seen[id] = true
			lost = append(lost, id)
		}
	}
	for _, p := range in.Blank {
		take(p)
	}
	for _, p := range in.Unreadable {
		if p.Code != code.ClusterUnclear { // such a file was read
			take(p.Place)
		}
	}
	return lost
}

// group returns the API group of a matcher's apiVersion; "*" where it is open.
func group(m render.Matcher) string {
	v, exact := m.Exact()
	if !exact {
		return "*"
	}
	return manifest.ID{APIVersion: v}.Group()
}
