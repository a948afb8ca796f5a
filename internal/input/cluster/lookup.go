package cluster

import (
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Lookup is a lookup of objects by a template. A namespace or name of "" or "*" is any.
type Lookup struct{ APIVersion, Kind, Namespace, Name string }

// String describes the objects for users: "ConfigMap app/* (v1)".
func (l Lookup) String() string {
	if l.Namespace == "*" {
		l.Namespace = ""
	}
	return finding.Object(l).Stated()
}

// Exact reports whether at most one object in a namespace is looked up.
func (l Lookup) Exact() bool { return !isAny(l.Name) }

func (l Lookup) query() Query {
	matches := func(wanted string) func(string) bool {
		return func(s string) bool { return isAny(wanted) || s == wanted }
	}
	return Query{
		Group:     manifest.ID{APIVersion: l.APIVersion}.Group(),
		Kind:      l.Kind,
		Namespace: matches(l.Namespace),
		Name:      matches(l.Name),
		Spread:    isAny(l.Namespace),
	}
}

func isAny(s string) bool { return s == "" || s == "*" }

// asker is the first object, by identity, for which a template makes a lookup.
type asker struct {
	object *manifest.Object
	shown  Lookup // the lookup without secret data
}

// Ask records that the template of an object looks up other objects, and whether the result has all
// that can be in the cluster. shown is the lookup without secret data. Several goroutines may call it
// at once.
func (e *Evidence) Ask(l, shown Lookup, by *manifest.Object, answered bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kinds[l.Kind] = true
	if answered || !e.HasGaps() {
		return
	}
	if first, known := e.asked[l]; !known || manifest.Compare(by.ID, first.object.ID) < 0 {
		e.asked[l] = asker{by, shown}
	}
}

// AskedFor reports whether a template looked up objects of a kind.
func (e *Evidence) AskedFor(kind string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kinds[kind]
}

// Unanswered is a lookup of objects that the cluster may have although the input lacks them.
type Unanswered struct {
	refconfig.Problem
	Kind finding.Kind // the zero value if it may not be shown or cannot be collected any more
	Lost bool         // the input shows that they were lost; else it only does not show that it has all
}

// Unanswered returns the lookups of objects that the input may lack, sorted. It omits lookups of
// objects that may be in a file or archive which was reported already. isPast says that the input
// has the objects as they were, so that nobody can collect them now.
func (e *Evidence) Unanswered(isPast bool) (all []Unanswered) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, l := range slices.SortedFunc(maps.Keys(e.asked), func(a, b Lookup) int {
		return manifest.Compare(manifest.ID(a), manifest.ID(b))
	}) {
		q, by, shown := l.query(), e.asked[l].object, e.asked[l].shown
		one := Unanswered{Lost: true}
		if !isPast && shown.APIVersion == l.APIVersion && shown.Kind == l.Kind {
			one.Kind = finding.Kind{APIVersion: l.APIVersion, Kind: l.Kind}
		}
		who := "which the template of " + finding.Object(by.ID).Short() + " looks up"
		again, further := "collect it again", "collect it, and give the result as another input"
		permitted := again + " with the necessary permission"
		if isPast {
			who = "as it was, " + who
			again = "give an earlier input that has it with another --old"
			further, permitted = again, again
		}
		switch e.WhyUnknown(q) {
		case finding.CollectionFailed:
			f := e.in.Failed[slices.IndexFunc(e.in.Failed, q.isOf)]
			one.Problem = f.Place.Problem(code.NotCollected, "%s, %s, could not be collected: "+
				"the result of the template may be wrong; %s", shown, who, permitted)
		case finding.FileUnread:
			file, _ := e.hollow(q)
			one.Problem = file.place.Problem(code.FileBlank, "%s, %s, may be missing from the input, because this "+
				"file has no CR: the result of the template may be wrong; %s", shown, who, again)
		case finding.NotAsked, finding.ArchiveClosed:
			one.Lost = false
			one.Problem = by.Place.Problem(code.LookupUnknown, "%s, %s, may not have been collected: "+
				"the result of the template may be wrong; %s", shown, who, further)
		default:
			continue
		}
		all = append(all, one)
	}
	return all
}
