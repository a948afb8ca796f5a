package compare

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// store holds the distinct objects of an input, sorted by identity.
type store struct {
	read     int       // objects read, copies counted
	distinct []*stored // one for each identity, sorted
	copies   []copies  // identities that occur more than once
	byKind   map[[2]string][]*stored
	lookups  sync.Map // indexes of the kinds that templates look up, by apiVersion and kind, see places
}

// stored is an object that is decoded at most once, when its value is first needed.
type stored struct {
	object *manifest.Object
	once   sync.Once
	value  map[string]any
	err    error
	copied bool        // there are copies of it
	others []*stored   // copies to compare too, because the newest copy is unknown
	copyOf *stored     // for a copy in others, the object that it is a copy of
	missed atomic.Bool // a template looked the object up, but it cannot be decoded
	looked atomic.Bool // a template looked the object up
	chosen atomic.Bool // the object has copies, and a result depends on which of them counts

	compared  sync.Once
	differing []*stored // see contents
	summed    sync.Once
	checksum  [sha256.Size]byte // see sum
	unsummed  error
}

// decode returns the object's value, which must not be modified.
func (s *stored) decode() (map[string]any, error) {
	s.once.Do(func() { s.value, s.err = s.object.Decode() })
	return s.value, s.err
}

// newStore groups the objects of one cluster by identity. If placeholders are allowed, objects with
// a placeholder in their identity are not grouped.
func newStore(objects []*manifest.Object, placeholders bool) *store {
	s := &store{read: len(objects), distinct: make([]*stored, 0, len(objects)), byKind: map[[2]string][]*stored{}}
	for same := range manifest.Copies(objects, placeholders) {
		s.add(same)
	}
	for _, e := range s.distinct {
		k := [2]string{e.object.ID.APIVersion, e.object.ID.Kind}
		s.byKind[k] = append(s.byKind[k], e)
	}
	return s
}

// add adds all objects of one identity. The first is compared. The others are compared too unless
// the resource versions show that they are older, except objects inside other objects, which may be
// parts of one.
func (s *store) add(same []*manifest.Object) {
	group := make([]*stored, len(same))
	for i, o := range same {
		group[i] = &stored{object: o}
	}
	first := group[0]
	for _, other := range group[1:] {
		if !first.object.Outdates(other.object) && other.object.Wrapper == "" {
			other.copyOf = first
			first.others = append(first.others, other)
		}
	}
	if first.copied = len(group) > 1; first.copied {
		s.copies = append(s.copies, copies{len(s.distinct), first, group})
	}
	s.distinct = append(s.distinct, first)
}

// unreadable returns the problem that an object cannot be decoded. what says why it was needed.
func unreadable(o *manifest.Object, err error, what string) refconfig.Problem {
	cd, message := undecoded(o, err)
	return refconfig.Problem{Code: cd, Place: o.Place, Message: fmt.Sprintf("%s cannot be read: %s", what, message)}
}

// brokenLookups records the objects that templates looked up and that cannot be decoded.
func (r *run) brokenLookups() {
	for _, e := range slices.Concat(r.store.distinct, r.before.distinct) {
		for _, one := range append([]*stored{e}, e.others...) {
			if one.missed.Load() {
				r.unread = append(r.unread, unreadable(one.object, one.err, "a CR that a template looks up"))
			}
		}
	}
}

// lasting returns an object without the fields that the cluster changes. The caller must not use v
// any more.
func lasting(v map[string]any) any {
	return tree.Omit(v, tree.RuntimeFields())
}

// find returns the objects for a template's lookupCRs, unmodified, sorted by identity. Of copies, it
// returns the one that the lookups choose. The result must not be used after the end of the context.
func (s *store) find(
	ctx context.Context, among *lookedUp, apiVersion, kind, namespace, name string,
) []map[string]any {
	if open(namespace) {
		namespace = ""
	}
	if open(name) {
		name = ""
	}
	var found []map[string]any
	for _, e := range s.places([2]string{apiVersion, kind})[[2]string{namespace, name}] {
		if ctx.Err() != nil {
			break
		}
		e = among.choose(e)
		v, err := e.decode()
		if err != nil {
			among.miss(e)
			continue
		}
		if !among.proposed {
			e.looked.Store(true)
		}
		found = append(found, v)
	}
	return found
}

// same returns the object with an identity, the copy of it that is chosen, and its value. All are nil
// if there is none.
func (s *store) same(id manifest.ID, among *lookedUp) (*stored, map[string]any) {
	e := s.at(id)
	if e == nil {
		return nil, nil
	}
	e = among.choose(e)
	v, err := e.decode()
	if err != nil {
		among.miss(e)
	}
	return e, v
}

// miss records that an object was looked up and cannot be decoded.
func (l *lookedUp) miss(e *stored) {
	if !l.proposed {
		e.missed.Store(true)
	}
}

// at returns the entry of an object, nil for none.
func (s *store) at(id manifest.ID) *stored {
	all := s.byKind[[2]string{id.APIVersion, id.Kind}]
	i, found := slices.BinarySearchFunc(all, id, func(e *stored, id manifest.ID) int {
		return manifest.Compare(e.object.ID, id)
	})
	if !found {
		return nil
	}
	return all[i]
}

// places indexes the objects of a kind by namespace and name; "" means any. So the time of a lookup
// depends only on the number of objects that it finds.
func (s *store) places(kind [2]string) map[[2]string][]*stored {
	of, _ := s.lookups.LoadOrStore(kind, sync.OnceValue(func() map[[2]string][]*stored {
		places := map[[2]string][]*stored{}
		for _, e := range s.byKind[kind] {
			id := e.object.ID
			keys := [][2]string{{}, {id.Namespace, ""}, {"", id.Name}, {id.Namespace, id.Name}}
			slices.SortFunc(keys, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
			for _, key := range slices.Compact(keys) {
				places[key] = append(places[key], e)
			}
		}
		return places
	}))
	return of.(func() map[[2]string][]*stored)()
}

func open(s string) bool { return s == "" || s == "*" }
