package cluster

import (
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Query describes objects that were looked for and not found.
type Query struct {
	Group           string            // "*" for any
	Kind            string            // "" for any
	Namespace, Name func(string) bool // whether the object can have this namespace or name
	Spread          bool              // the objects can be in more than one namespace
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
	shown       map[groupKind]map[string]extent
	definitions []string // names of CustomResourceDefinitions, PLURAL.GROUP
	namespaces  []string // all namespaces of the cluster; nil if the input may lack some
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
func (e *Evidence) HasGaps() bool {
	return e.in.Gathered || e.in.Closed || e.cut || len(e.in.Failed) > 0
}

// CutShort reports whether an archive is cut off or corrupt.
func (e *Evidence) CutShort() bool { return e.cut }

// WhyUncollected returns why the cluster may have an object that the input does not contain: an
// unreadable file may contain it, or the input was gathered and nothing shows that the collector
// would have gathered the object. It returns "" if the cluster does not have the object. A wrong
// "absent" is a false alarm, so in doubt the object may exist.
func (e *Evidence) WhyUncollected(q Query) finding.Uncollected { return e.why(q, false) }

// why returns why the cluster may have a queried object. If all is set, the input must show that it
// has all objects of the query; else one of the kind is enough.
func (e *Evidence) why(q Query, all bool) finding.Uncollected {
	switch {
	case slices.ContainsFunc(e.in.Failed, q.isOf):
		return finding.CollectionFailed
	case e.cut:
		return finding.ArchiveCut
	case slices.ContainsFunc(e.lost, func(g gap) bool { return q.isIn(g.PathID) }):
		return finding.FileUnread
	case q.Kind != "" && e.in.Gathered && !e.cannotExist(q) && !e.hasSimilar(q, all):
		return finding.NotAsked
	case e.in.Closed:
		return finding.ArchiveClosed
	}
	return ""
}

// WhyUnknown returns why the cluster may have more objects than the input contains, of those that a
// template looks up or forbids. A wrong "there is none" hides drift, so unlike WhyUncollected it
// needs proof that all of them were gathered. It returns "" if a problem with reading the input
// gives the reason: the run is then incomplete, unless the user accepts the problem.
func (e *Evidence) WhyUnknown(q Query) finding.Uncollected {
	why := e.why(q, true)
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

// ProvesAbsent reports whether the input proves that the cluster has no such object. The input does
// not contain it, although the collector would have gathered it, or although the API server listed
// all objects of its kind and namespace.
func (e *Evidence) ProvesAbsent(q Query) bool {
	return q.Kind != "" && e.WhyUncollected(q) == "" && (e.in.Gathered || e.isServed(q))
}

// isServed reports whether the input has a List of the API server that would have such an object.
func (e *Evidence) isServed(q Query) bool {
	return e.isShown(q, func(namespaces map[string]extent) bool {
		for n, x := range namespaces {
			if x.served && (n == everywhere || q.Namespace(n) && (n == "" || !q.Spread)) {
				return true
			}
		}
		return false
	})
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
		id, _ := e.in.pathID(p.Place)
		sort(p, func(q Query) bool { return q.isIn(id) })
	}
	return concerned, others
}

func (q Query) ofGroup(group string) bool { return q.Group == "*" || group == "*" || q.Group == group }

// groupKind is a kind of an API group, or its plural if only the path of a List shows it.
type groupKind struct{ group, kind, plural string }

// everywhere is the key for all namespaces. No namespace has this name.
const everywhere = "*"

// extent is what shows that objects of a kind in a namespace were gathered. In the zero value it is
// only an object outside of support archives: a user asked for it, or for its kind.
type extent struct {
	listed bool // a List, also an empty one
	served bool // a List outside of support archives that an API server wrote
	single bool // a collector's file of one object: it asked for the kind, in all namespaces
}

// look sets, for each kind, the namespaces of which objects were gathered, as far as the input shows
// it ("" for cluster-scoped objects). A List, also an empty one, shows it for its kind and
// namespace. An object shows it too, unless the collector gathers only some objects of the kind.
// An object inside another object was not gathered.
func (e *Evidence) look() {
	if e.shown != nil {
		return
	}
	e.shown = map[groupKind]map[string]extent{}
	show := func(k groupKind, namespace string, x extent) {
		if e.shown[k] == nil {
			e.shown[k] = map[string]extent{}
		}
		was := e.shown[k][namespace]
		e.shown[k][namespace] = extent{
			listed: was.listed || x.listed,
			served: was.served || x.served,
			single: was.single || x.single,
		}
	}
	supplied, served := e.supplied(), map[suppliedList]bool{}
	for _, l := range e.in.Listed {
		if l.Served != (refconfig.Place{}) {
			served[suppliedAs(l.Served, groupKind{group: l.Group, kind: l.Kind})] = true
		}
	}
	for _, o := range e.in.Objects {
		if o.Wrapper != "" {
			continue
		}
		if o.ID.Kind == "CustomResourceDefinition" && o.ID.Group() == "apiextensions.k8s.io" {
			e.definitions = append(e.definitions, o.ID.Name)
		}
		if o.ID.Kind == "Namespace" && o.ID.Group() == "" {
			e.namespaces = append(e.namespaces, o.ID.Name)
		}
		layout, namespace := "", everywhere
		if e.in.Layout != nil {
			layout = e.in.Layout(o.Place)
		}
		item := o.Place.Item > 0
		if layout != "" || len(supplied[suppliedBy(o)]) == 1 {
			namespace = o.ID.Namespace
		}
		if k := (groupKind{group: o.ID.Group(), kind: o.ID.Kind}); !collector.Samples(layout, k.group, k.kind, false) {
			show(k, namespace, extent{
				listed: layout == "" && item,
				served: served[suppliedBy(o)],
				single: layout != "" && !item,
			})
		}
	}
	for _, l := range e.in.Listed {
		if l.Layout == "" {
			l.Namespace = everywhere
			if hasItems(supplied, l) {
				continue // the items show which namespaces were asked for
			}
		}
		if !collector.Samples(l.Layout, l.Group, l.Kind, true) {
			isServed := l.Served != (refconfig.Place{})
			show(groupKind{l.Group, l.Kind, l.Plural}, l.Namespace, extent{listed: true, served: isServed})
		}
	}
	anyName := func(string) bool { return true }
	if !e.hasSimilar(Query{Kind: "Namespace", Namespace: anyName, Name: anyName}, true) {
		e.namespaces = nil
	}
}

// suppliedList is a List outside of support archives, and a kind of its items.
type suppliedList struct {
	file, entry string
	document    int
	kind        groupKind
}

func suppliedBy(o *manifest.Object) suppliedList {
	return suppliedAs(o.Place, groupKind{group: o.ID.Group(), kind: o.ID.Kind})
}

func suppliedAs(at refconfig.Place, of groupKind) suppliedList {
	return suppliedList{file: at.File, entry: at.Entry, document: at.Document, kind: of}
}

// supplied returns the namespaces of the items of Lists outside of support archives. A user may have
// asked for one namespace if all items are of one.
func (e *Evidence) supplied() map[suppliedList]map[string]bool {
	lists := map[suppliedList]map[string]bool{}
	for _, o := range e.in.Objects {
		if o.Wrapper != "" || o.Place.Item == 0 || e.in.Layout != nil && e.in.Layout(o.Place) != "" {
			continue
		}
		list := suppliedBy(o)
		if lists[list] == nil {
			lists[list] = map[string]bool{}
		}
		lists[list][o.ID.Namespace] = true
	}
	return lists
}

// hasItems reports whether a List of this kind has items.
func hasItems(lists map[suppliedList]map[string]bool, l Listed) bool {
	for list := range lists {
		if list.kind.group == l.Group && list.kind.kind == l.Kind {
			return true
		}
	}
	return false
}

// hasSimilar reports whether the input shows that such an object would have been gathered. If all is
// set, it must show this of each object of the query.
func (e *Evidence) hasSimilar(q Query, all bool) bool {
	return e.isShown(q, func(namespaces map[string]extent) bool { return e.reaches(namespaces, q, all) })
}

// isShown reports whether what shows that objects of a kind were gathered is enough for one of the
// kinds that the query can mean.
func (e *Evidence) isShown(q Query, isEnough func(map[string]extent) bool) bool {
	e.look()
	for k, namespaces := range e.shown {
		named := k.kind == q.Kind || k.kind == "" && collector.PathID{Plural: k.plural}.OfKind(q.Kind)
		other, both := collector.AlsoServedAs(k.group, q.Kind)
		if named && (q.ofGroup(k.group) || both && q.ofGroup(other)) && isEnough(namespaces) {
			return true
		}
	}
	return false
}

// reaches reports whether the objects of a query were gathered in one of the namespaces. If all is
// set, the List of one namespace does not show the objects of others, nor one supplied object those
// with other names.
func (e *Evidence) reaches(namespaces map[string]extent, q Query, all bool) bool {
	for n, x := range namespaces {
		switch {
		case n != everywhere && !q.Namespace(n):
		case !all, x.single, x.listed && (n == everywhere || n == "" || !q.Spread):
			return true
		}
	}
	unlisted := func(n string) bool { return q.Namespace(n) && !namespaces[n].listed }
	return len(e.namespaces) > 0 && !slices.ContainsFunc(e.namespaces, unlisted)
}

// cannotExist reports whether the cluster has no API for a kind: the input contains all
// CustomResourceDefinitions, and none defines the kind.
func (e *Evidence) cannotExist(q Query) bool {
	complete := func(name string) bool {
		return slices.ContainsFunc(
			e.in.Inputs, func(in finding.Input) bool { return collector.HasAllDefinitions(in.Layout, name) },
		)
	}
	return e.Undefined(q) && slices.ContainsFunc(e.definitions, complete)
}

// Undefined reports whether the input contains CustomResourceDefinitions, and none defines a kind
// that needs one. The cluster may have more of them, see cannotExist.
func (e *Evidence) Undefined(q Query) bool {
	if !collector.IsCustom(q.Group) {
		return false
	}
	e.look()
	return len(e.definitions) > 0 && !slices.ContainsFunc(e.definitions, q.mayBeDefined)
}

// mayBeDefined reports whether the definition with a name may define the kind of the query.
func (q Query) mayBeDefined(name string) bool {
	plural, group, _ := strings.Cut(name, ".")
	return group == q.Group && mayBePlural(plural, q.Kind)
}

// DefinitionOf returns the query for the CustomResourceDefinition of a kind.
func DefinitionOf(k finding.Kind) Query {
	of := Query{Group: manifest.ID{APIVersion: k.APIVersion}.Group(), Kind: k.Kind}
	return Query{
		Group:     "apiextensions.k8s.io",
		Kind:      "CustomResourceDefinition",
		Namespace: func(namespace string) bool { return namespace == "" },
		Name:      of.mayBeDefined,
	}
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
