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

// groupKind is a kind of an API group, or its plural where only the path of a List tells it.
type groupKind struct{ group, kind, plural string }

// everywhere stands for all namespaces. It is the name of none.
const everywhere = "*"

// scopes returns of which kinds, in which namespaces, the input shows that all objects were gathered ("" for those of the cluster). A List
// shows that of its kind and namespace, even if it is empty, and so does an object of it, but not where the collector gathers some objects
// of the kind only. What lies in no support archive was asked for by its kind.
func (r *run) scopes() map[groupKind]map[string]bool {
	if r.shown != nil {
		return r.shown
	}
	r.shown = map[groupKind]map[string]bool{}
	show := func(k groupKind, namespace string) {
		if r.shown[k] == nil {
			r.shown[k] = map[string]bool{}
		}
		r.shown[k][namespace] = true
	}
	for _, o := range r.in.Objects {
		layout, namespace := "", everywhere
		if r.in.Layout != nil {
			layout = r.in.Layout(o.Place)
		}
		if layout != "" {
			namespace = o.ID.Namespace
		}
		if k := (groupKind{group: o.ID.Group(), kind: o.ID.Kind}); !collector.Samples(layout, k.group, k.kind, false) {
			show(k, namespace)
		}
	}
	for _, l := range r.in.Listed {
		if !collector.Samples(l.Layout, l.Group, l.Kind, true) {
			show(groupKind{l.Group, l.Kind, l.Plural}, l.Namespace)
		}
	}
	return r.shown
}

// showsLike reports whether the input shows that the object of a template would have been gathered.
func (r *run) showsLike(id render.Identity) bool {
	kind, _ := id.Kind.Exact()
	of := group(id.APIVersion)
	for k, namespaces := range r.scopes() {
		named := k.kind == kind || k.kind == "" && collector.PathID{Plural: k.plural}.OfKind(kind)
		if named && (of == "*" || of == k.group) && meetsAny(id.Namespace, namespaces) {
			return true
		}
	}
	return false
}

// meetsAny reports whether one of the namespaces is one that a template can mean.
func meetsAny(m render.Matcher, namespaces map[string]bool) bool {
	if exact, ok := m.Exact(); ok || namespaces[everywhere] {
		return namespaces[everywhere] || namespaces[exact]
	}
	for n := range namespaces {
		if m.Meets(n) {
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
