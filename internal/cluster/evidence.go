package cluster

import (
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// Query describes objects that were looked for and not found.
type Query struct {
	Group           string            // "*" for any
	Kind            string            // "" for any
	Namespace, Name func(string) bool // whether the object can have this namespace or name
}

// Evidence is the information in an input, apart from its objects, about which objects were
// gathered.
type Evidence struct {
	in   *Collected
	cut  bool  // an archive is cut off or corrupt, so its full content is unknown
	lost []gap // files that contain no objects or cannot be read

	mu    sync.Mutex
	asked map[Lookup]asker
	kinds map[string]bool // the kinds of all lookups

	// Computed by look from the objects and Lists; nil before.
	shown       map[groupKind]map[string]bool
	definitions []string // names of CustomResourceDefinitions, PLURAL.GROUP
}

// gap is a file of a collector without readable objects.
type gap struct {
	collector.PathID // the objects, by path
	place            refconfig.Place
	told             bool // a problem with reading says so
}

// NewEvidence returns the evidence of a cluster. The caller must not modify in any more.
func NewEvidence(in *Collected) *Evidence {
	broken := func(p refconfig.Problem) bool { return p.Code == code.ArchiveBroken }
	return &Evidence{
		in:    in,
		lost:  lostFiles(in),
		cut:   slices.ContainsFunc(in.Unreadable, broken) || slices.ContainsFunc(in.Warnings, broken),
		asked: map[Lookup]asker{},
		kinds: map[string]bool{},
	}
}

// HasGaps reports whether the cluster may have objects that the input lacks.
func (e *Evidence) HasGaps() bool { return e.in.Gathered || e.cut || len(e.in.Failed)+len(e.lost) > 0 }

// CutShort reports whether an archive is cut off or corrupt.
func (e *Evidence) CutShort() bool { return e.cut }

// WhyUncollected returns why the cluster may have an object that the input does not contain: an
// unreadable file may contain it, or the input was gathered and nothing shows that the collector
// would have gathered the object. It returns "" if the cluster does not have the object. A wrong
// "absent" is a false alarm, so in doubt the object may exist.
func (e *Evidence) WhyUncollected(q Query) finding.Uncollected {
	switch {
	case q.Kind != "" && slices.ContainsFunc(e.in.Failed, q.isOf):
		return finding.CollectionFailed
	case e.cut:
		return finding.ArchiveCut
	case q.Kind != "" && slices.ContainsFunc(e.lost, func(g gap) bool { return q.isIn(g.PathID) }):
		return finding.FileUnread
	case q.Kind != "" && e.in.Gathered && !e.cannotExist(q) && !e.hasSimilar(q):
		return finding.NotAsked
	}
	return ""
}

// WhyUnknown returns the same as WhyUncollected, but "" if a problem with reading the input gives
// the reason: the run is then incomplete, unless the user accepts the problem.
func (e *Evidence) WhyUnknown(q Query) finding.Uncollected {
	why := e.WhyUncollected(q)
	if _, untold := e.hollow(q); why == finding.ArchiveCut || why == finding.FileUnread && !untold {
		return ""
	}
	return why
}

// hollow returns a file without objects that may be that of a queried object.
func (e *Evidence) hollow(q Query) (gap, bool) {
	i := slices.IndexFunc(e.lost, func(g gap) bool { return !g.told && q.isIn(g.PathID) })
	if i < 0 {
		return gap{}, false
	}
	return e.lost[i], true
}

// isIn reports whether a collector writes such objects to a file with this path.
func (q Query) isIn(file collector.PathID) bool {
	return file.OfKind(q.Kind) && q.ofGroup(file.Group) && q.Namespace(file.Namespace) &&
		(file.Name == "" || q.Name(file.Name))
}

// isOf reports whether a failed collection may concern the queried objects. They may be in any
// namespace.
func (q Query) isOf(f manifest.Failed) bool {
	return f.OfKind(q.Kind) && q.ofGroup(f.Group) && (f.Name == "" || q.Name(f.Name))
}

// ProvesAbsent reports whether a gathered input proves that the cluster has no such object: the
// collector would have gathered it, and the input does not contain it.
func (e *Evidence) ProvesAbsent(q Query) bool {
	return q.Kind != "" && e.in.Gathered && e.WhyUncollected(q) == ""
}

// Gaps returns the problems of the input that leave objects unknown, although a collector was asked
// for them: failed collections, and collectors' files without objects. concerned are those that may
// be about an object of one of the queries.
func (e *Evidence) Gaps(queries ...Query) (concerned, others []refconfig.Problem) {
	sort := func(p refconfig.Problem, concerns func(Query) bool) {
		if slices.ContainsFunc(queries, func(q Query) bool { return q.Kind != "" && concerns(q) }) {
			concerned = append(concerned, p)
		} else {
			others = append(others, p)
		}
	}
	for _, f := range e.in.Failed {
		sort(f.Problem(), func(q Query) bool { return q.isOf(f) })
	}
	for _, p := range e.in.Hollow {
		id, ok := e.in.pathID(p.Place)
		sort(p, func(q Query) bool { return ok && q.isIn(id) })
	}
	return concerned, others
}

func (q Query) ofGroup(group string) bool { return q.Group == "*" || group == "*" || q.Group == group }

// groupKind is a kind of an API group, or its plural if only the path of a List shows it.
type groupKind struct{ group, kind, plural string }

// everywhere is the key for all namespaces. No namespace has this name.
const everywhere = "*"

// look sets, for each kind, the namespaces of which all objects were gathered, as far as the input
// shows it ("" for cluster-scoped objects). A List, also an empty one, shows it for its kind and
// namespace. An object shows it too, unless the collector gathers only some objects of the kind.
// Content outside of support archives was requested by kind. An object inside another object was
// not gathered.
func (e *Evidence) look() {
	if e.shown != nil {
		return
	}
	e.shown = map[groupKind]map[string]bool{}
	show := func(k groupKind, namespace string) {
		if e.shown[k] == nil {
			e.shown[k] = map[string]bool{}
		}
		e.shown[k][namespace] = true
	}
	for _, o := range e.in.Objects {
		if o.Wrapper != "" {
			continue
		}
		if o.ID.Kind == "CustomResourceDefinition" && o.ID.Group() == "apiextensions.k8s.io" {
			e.definitions = append(e.definitions, o.ID.Name)
		}
		layout, namespace := "", everywhere
		if e.in.Layout != nil {
			layout = e.in.Layout(o.Place)
		}
		if layout != "" {
			namespace = o.ID.Namespace
		}
		if k := (groupKind{group: o.ID.Group(), kind: o.ID.Kind}); !collector.Samples(layout, k.group, k.kind, false) {
			show(k, namespace)
		}
	}
	for _, l := range e.in.Listed {
		if l.Layout == "" {
			l.Namespace = everywhere
		}
		if !collector.Samples(l.Layout, l.Group, l.Kind, true) {
			show(groupKind{l.Group, l.Kind, l.Plural}, l.Namespace)
		}
	}
}

// hasSimilar reports whether the input shows that such an object would have been gathered.
func (e *Evidence) hasSimilar(q Query) bool {
	e.look()
	for k, namespaces := range e.shown {
		named := k.kind == q.Kind || k.kind == "" && collector.PathID{Plural: k.plural}.OfKind(q.Kind)
		other, both := collector.AlsoServedAs(k.group, q.Kind)
		if named && (q.ofGroup(k.group) || both && q.ofGroup(other)) && q.inOneOf(namespaces) {
			return true
		}
	}
	return false
}

func (q Query) inOneOf(namespaces map[string]bool) bool {
	if namespaces[everywhere] {
		return true
	}
	for n := range namespaces {
		if q.Namespace(n) {
			return true
		}
	}
	return false
}

// cannotExist reports whether the cluster has no API for a kind: the input contains all
// CustomResourceDefinitions, and none defines the kind.
func (e *Evidence) cannotExist(q Query) bool {
	if !collector.IsCustom(q.Group) {
		return false
	}
	e.look()
	complete, defined := false, false
	for _, name := range e.definitions {
		plural, of, _ := strings.Cut(name, ".")
		defined = defined || of == q.Group && mayBePlural(plural, q.Kind)
		complete = complete ||
			slices.ContainsFunc(
				e.in.Inputs, func(in finding.Input) bool { return collector.HasAllDefinitions(in.Layout, name) },
			)
	}
	return complete && !defined
}

// mayBePlural reports whether a plural may belong to a kind, including irregular plurals such as
// network-attachment-definitions, or indices for Index.
func mayBePlural(plural, kind string) bool {
	kind = strings.ToLower(kind)
	return strings.HasPrefix(strings.ReplaceAll(plural, "-", ""), kind[:max(len(kind)-2, min(len(kind), 1))])
}

// lostFiles returns the collectors' files that contain no objects or could not be read.
func lostFiles(in *Collected) []gap {
	var lost []gap
	seen := map[collector.PathID]bool{}
	take := func(p refconfig.Place, told bool) {
		if id, ok := in.pathID(p); ok && !seen[id] {
			seen[id] = true
			lost = append(lost, gap{id, p, told})
		}
	}
	for _, p := range in.Unreadable {
		if p.Code != code.ClusterUnclear { // the file was read
			take(p.Place, true)
		}
	}
	for _, l := range in.Lost {
		take(l.Place, true)
	}
	for _, p := range in.Hollow {
		take(p.Place, false)
	}
	for _, p := range in.Blank {
		take(p, true)
	}
	return lost
}
