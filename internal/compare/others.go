package compare

import (
	"cmp"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
)

// Validate keeps the CRs of kinds that the given schemas describe; nil for none.
func (w *Wanted) Validate(given *crdschema.Set) { w.given = given }

// mayHaveSchema reports whether a run that validates may know a schema of the kind of an object, or
// the object is one.
func (w *Wanted) mayHaveSchema(o *manifest.Object) bool {
	if kind := kindOfObject(o.ID); !isCustom(kind) {
		known, _ := w.given.Kind(kind.APIVersion, kind.Kind)
		return known != nil || crdschema.IsDefinition(o)
	}
	return true
}

// validateOthers checks the CRs that were not compared and whose kinds have a schema. A CR that
// cannot be decoded does not count, because nothing depends on it.
func (r *run) validateOthers() {
	if r.schemas == nil || r.result.Interrupted {
		return
	}
	compared := map[*stored]bool{}
	for _, v := range r.compared {
		compared[cmp.Or(v.stored.copyOf, v.stored)] = true
	}
	var others []*stored
	for _, e := range r.store.distinct {
		if !compared[e] && e.object.Text() > 0 {
			others = append(others, e)
		}
	}
	type validated struct {
		hasSchema bool
		found     []finding.InvalidCR
	}
	// The workers also decode the definitions, which takes as long as to check the CRs.
	all := workers.Each(r.ctx, r.opt.Workers, len(others), func(i int) validated {
		known := r.schemas.all(kindOfObject(others[i].object.ID))
		if !slices.ContainsFunc(known, func(one *schema) bool { return one.kind != nil }) {
			return validated{}
		}
		memory, _ := r.rooms.Get().(*room)
		if memory == nil {
			memory = &room{}
		}
		defer func() {
			memory.reuse()
			r.rooms.Put(memory)
		}()
		return validated{true, r.validateOther(others[i], &memory.render.Nodes)}
	})
	for _, one := range all {
		if one.hasSchema {
			r.result.Summary.ValidatedCRs++
		}
		r.result.InvalidCRs = append(r.result.InvalidCRs, one.found...)
	}
	slices.SortStableFunc(r.result.InvalidCRs, func(a, b finding.InvalidCR) int {
		return cmp.Or(
			manifest.Compare(manifest.ID(a.Object), manifest.ID(b.Object)), cmp.Compare(a.Source.Line, b.Source.Line),
			cmp.Compare(a.Path, b.Path),
		)
	})
}

// validateOther returns what an API server would reject in an object. If the newest copy of it, or of
// what the result depends on, is not known, the worst result counts.
func (r *run) validateOther(e *stored, room *kubeyaml.Room) []finding.InvalidCR {
	var all [][]finding.InvalidCR
	copies := e.contents()
	e.chosen.Store(len(copies) > 0)
	for _, one := range append([]*stored{e}, copies...) {
		try := func(looked *lookedUp) {
			all = append(all, r.rejected(one.object, looked, room))
		}
		first := &lookedUp{}
		try(first)
		r.eachChoice(first, try)
	}
	return slices.MaxFunc(all, func(a, b []finding.InvalidCR) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(a, b finding.InvalidCR) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
		}))
	})
}

// rejected returns what an API server would reject in an object, the first for each field and code.
func (r *run) rejected(o *manifest.Object, looked *lookedUp, room *kubeyaml.Room) (all []finding.InvalidCR) {
	node, err := o.NodeIn(room)
	if err != nil {
		return nil
	}
	value := sync.OnceValue(func() map[string]any {
		value, _ := node.Value().(map[string]any)
		return value
	})
	locator := manifest.NewLocator(node)
	for _, f := range r.refused(o, looked, secret.OfKind(o.ID.Kind), node, value) {
		one := finding.InvalidCR{
			Object:    finding.Object(o.ID),
			Source:    finding.SourceOf(o.Source()),
			Statement: finding.Statement{Code: f.Code, Path: f.Path.String(), Message: f.Message},
		}
		one.Source.Line = cmp.Or(locator.Line(f.Path), one.Source.Line)
		told := func(other finding.InvalidCR) bool { return other.Path == one.Path && other.Code == one.Code }
		if !slices.ContainsFunc(all, told) {
			all = append(all, one)
		}
	}
	return all
}
