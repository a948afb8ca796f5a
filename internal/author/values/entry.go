package values

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// entry is a CR to render.
type entry struct {
	ctx      context.Context
	template *render.Template
	given    given
	limits   render.Limits
	reads    []refconfig.FieldPath // fields that the template reads
	drop     []refconfig.OmitEntry // fields of the template that are not written to the CR

	only      map[string]any        // values that only the template reads: the CR does not get them
	groups    map[string]string     // values of the named groups of patterns
	filled    map[string]bool       // the groups whose values the CR contains
	inside    []refconfig.FieldPath // the given values that went into documents of texts
	documents []refconfig.OmitEntry // these documents
	// the data for executing the template: the given values and the identity that the template states
	input  map[string]any
	value  map[string]any // the CR that was rendered last; nil for none
	id     manifest.ID
	uses   []*entry // rendered CRs that it looked up
	hidden bool     // it looked up secret data of the input
	faults []refconfig.Problem
}

// newEntry prepares the input of a template. A null for a field that the template reads means that
// the value is not given.
func newEntry(t *render.Template, g given, parameters []refconfig.FieldPath) *entry {
	e := &entry{template: t, given: g, reads: parameters}
	v := tree.Copy(any(g.tree))
	e.takeGroups(v)
	e.takeOnly(v)
	var open []refconfig.OmitEntry
	for _, p := range parameters {
		for _, path := range tree.Expand(v, p) {
			if x, _ := tree.At(v, path); x == nil {
				open = append(open, refconfig.OmitEntry{Path: path})
			}
		}
	}
	e.input, _ = tree.Omit(v, open).(map[string]any)
	if e.input == nil {
		e.input = map[string]any{}
	}
	e.given.tree, _ = tree.Copy(any(e.input)).(map[string]any)
	e.input = tree.Beside(e.input, e.only)
	e.identify()
	return e
}

// identify adds the parts of the identity that the template fixes, because every matching CR has
// them.
func (e *entry) identify() {
	id := e.template.Identity
	metadata, more := map[string]any{}, map[string]any{}
	for _, field := range []struct {
		in     map[string]any
		key    string
		states template.Matcher
	}{
		{more, "apiVersion", id.APIVersion}, {more, "kind", id.Kind},
		{metadata, "namespace", id.Namespace}, {metadata, "name", id.Name},
	} {
		if text, exact := field.states.Exact(); exact {
			field.in[field.key] = text
		}
	}
	if len(metadata) > 0 {
		more["metadata"] = metadata
	}
	e.input, _ = with(e.input, more).(map[string]any)
}

// fault records a problem. Its message begins with the path of the template.
func (e *entry) fault(c code.Code, path refconfig.FieldPath, format string, args ...any) {
	p := e.given.at(path).Problem(c, "%s: %s", e.template.Ref.Path, fmt.Sprintf(format, args...))
	if !slices.Contains(e.faults, p) {
		e.faults = append(e.faults, p)
	}
}

// render renders the CR, with the lookups of a world, and reports whether the CR changed.
func (e *entry) render(w *world) bool {
	before := e.value
	e.value, e.id, e.uses, e.hidden, e.faults = nil, manifest.ID{}, nil, false, nil
	e.inside, e.documents = nil, nil
	r, ok := e.execute(e.input, w.lookup(e, 0), true)
	if ok && e.hidden {
		other, _ := e.execute(e.input, w.lookup(e, 1), false)
		if !tree.Equal(any(r.Value), any(other.Value)) {
			e.fault(
				code.RenderSecret,
				nil,
				"data of a Secret of the input would go into this CR; give the Secret as values instead",
			)
		}
	}
	if ok {
		e.value = e.finished(r)
		e.id = identityOf(e.value)
	}
	return !tree.Equal(any(before), any(e.value))
}

// execute executes the template. If tell is set, it records the findings.
func (e *entry) execute(input map[string]any, lookup render.Lookup, tell bool) (render.Rendering, bool) {
	r, err := e.template.Execute(input, render.Options{Context: e.ctx, Lookup: lookup, Limits: e.limits})
	if !tell {
		return r, err == nil
	}
	var failed *render.Error
	switch {
	case errors.As(err, &failed):
		e.fault(failed.Code, nil, "%s", failed)
	case err != nil:
		e.fault(code.RenderRefused, nil, "%s", err)
	}
	missing := map[string]bool{}
	for _, f := range findings(r) {
		if f.Code == code.EvalMissingKey {
			if f.Code = code.ValueMissing; f.Path != nil && missing[f.Path.String()] {
				continue // it was reported at its first location
			}
			missing[f.Path.String()] = true
		}
		e.fault(f.Code, f.Path, "%s", f.Message)
	}
	return r, err == nil
}

// findings returns the findings of an execution. A key for which the template prints null is not
// mandatory, because the CR gets that null.
func findings(r render.Rendering) []provenance.Finding {
	all := append(r.Node.Findings(), r.Unplaced...)
	return slices.DeleteFunc(all, func(f provenance.Finding) bool { return f.Null })
}

// finished returns the rendered CR with values in place of patterns. If the template ignores fields
// that it lacks, it adds those of the given values.
func (e *entry) finished(r render.Rendering) map[string]any {
	v := any(r.Value)
	for _, p := range diff.Patterns(e.template.Ref.Config, v) {
		v = e.put(v, p)
	}
	if e.template.Ref.Config.IgnoreUnspecified {
		v = with(v, tree.Omit(e.compared(), e.documents))
	}
	m, _ := tree.Omit(v, e.drop).(map[string]any)
	return m
}

// takeGroups moves the values of named groups from the given values to the entry, if the template
// has patterns.
func (e *entry) takeGroups(given any) {
	m, _ := given.(map[string]any)
	groups, isMap := m[inspect.CaptureGroup].(map[string]any)
	if !isMap || len(e.template.Ref.Config.Fields(refconfig.InlineDiff)) == 0 {
		return
	}
	delete(m, inspect.CaptureGroup)
	e.groups, e.filled = map[string]string{}, map[string]bool{}
	for name, v := range groups {
		if text, isScalar := diff.Text(v); isScalar {
			e.groups[name] = text
		}
	}
}

// onlyRead is a key in the items of a values file. Its value has keys that the template reads at
// the top of the CR, and that the CR does not get.
const onlyRead = "values"

// takeOnly moves the values that only the template reads from the given values to the entry, unless
// CRs of the template have a field of that name.
func (e *entry) takeOnly(given any) {
	m, _ := given.(map[string]any)
	only, isMap := m[onlyRead].(map[string]any)
	isField := func(p refconfig.FieldPath) bool { return len(p) > 0 && p[0].Key == onlyRead }
	if !isMap || slices.ContainsFunc(e.reads, isField) {
		return
	}
	delete(m, onlyRead)
	maps.DeleteFunc(only, func(_ string, v any) bool { return v == nil }) // it is not given
	e.only = only
}

// fill returns a pattern with values in place of its named groups, if each group has a value. Else
// lacks describes the values to give.
func (e *entry) fill(function, expression string) (value any, lacks string, ok bool) {
	filled, names := pattern.Fill(function, expression, e.groups)
	if len(names) > 0 && !e.hasGroups(names) {
		return nil, ", or one for each of its groups at " + inspect.CaptureGroup + ": " + strings.Join(names, ", "), false
	}
	for _, name := range names {
		e.filled[name] = true
	}
	return filled, "", len(names) > 0
}

// hasGroups reports whether each of the named groups has a value; false without names.
func (e *entry) hasGroups(names []string) bool {
	lacks := func(name string) bool { _, given := e.groups[name]; return !given }
	return len(names) > 0 && !slices.ContainsFunc(names, lacks)
}

// compared returns the given values without the fields that the comparison omits.
func (e *entry) compared() any {
	return tree.Omit(e.given.tree, append(
		slices.Clone(e.template.Ref.Config.Omit),
		refconfig.OmitEntry{Path: refconfig.PathOf("metadata", "managedFields")},
	))
}

// wrote reports whether a given value, or a part of it, went into the document of a text.
func (e *entry) wrote(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(e.inside, func(at refconfig.FieldPath) bool {
		return len(path) <= len(at) && at[:len(path)].String() == path.String()
	})
}

// with adds to a value the keys of another one that it lacks. It does not change lists, because
// they are compared as a whole.
func with(v, more any) any {
	m, isMap := v.(map[string]any)
	other, areMaps := more.(map[string]any)
	if !isMap || !areMaps {
		return v
	}
	out := maps.Clone(other)
	for k, x := range m {
		out[k] = with(x, other[k])
	}
	return out
}

// identityOf reads the identity of a CR.
func identityOf(cr map[string]any) manifest.ID {
	return manifest.ID{
		APIVersion: tree.StringAt(cr, "apiVersion"),
		Kind:       tree.StringAt(cr, "kind"),
		Namespace:  tree.StringAt(cr, "metadata", "namespace"),
		Name:       tree.StringAt(cr, "metadata", "name"),
	}
}

// mostProbed limits the number of executions that search for values without effect.
const mostProbed = 10_000

// idle records the given values that have no effect: the CR does not contain the value, and is the
// same with another value or without it. left is the number of executions that remain.
func (e *entry) idle(w *world, left *int) {
	for _, name := range tree.Keys(e.groups) {
		if path := refconfig.PathOf(inspect.CaptureGroup, name); !e.filled[name] {
			e.fault(code.ValueIdle, path, "the value of %s has no effect, because no pattern has this group", path)
		}
	}
	failed := slices.ContainsFunc(e.faults, func(p refconfig.Problem) bool { return p.Code != code.ValueMissing })
	for _, name := range tree.Keys(e.only) {
		if path := refconfig.PathOf(name); e.given.tree[name] != nil || !failed && !e.mayRead(path) {
			path = refconfig.PathOf(onlyRead, name)
			e.fault(code.ValueIdle, path, "the value of %s has no effect, because the template does not read it", path)
		}
	}
	lookup := w.lookup(e, 0)
	whole, _ := e.execute(e.input, lookup, false)
	same := func(input any) bool {
		m, _ := input.(map[string]any)
		r, ok := e.execute(m, lookup, false)
		*left--
		return ok && tree.Equal(any(r.Value), any(whole.Value)) && len(findings(r)) == len(findings(whole))
	}
	for path, v := range tree.Leaves(e.compared()) {
		stands, there := tree.At(e.value, path)
		if len(path) == 0 || there && tree.Equal(stands, v) || *left <= 0 || e.ctx.Err() != nil || e.wrote(path) ||
			failed && e.mayRead(path) { // the execution failed, so the effect of the value is unknown
			continue
		}
		changed, _ := tree.Set(e.input, path, another(v))
		if !same(changed) || !same(tree.Omit(e.input, []refconfig.OmitEntry{{Path: path}})) {
			continue
		}
		if there {
			e.fault(
				code.ValueIdle,
				path,
				"the value of %s has no effect, because the reference fixes the value of this field",
				path,
			)
			continue
		}
		e.fault(
			code.ValueIdle, path, "the value of %s has no effect, because no CR of the template has such a field", path,
		)
	}
}

// mayRead reports whether the template reads a field, a parent of it, or a child of it.
func (e *entry) mayRead(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(e.reads, func(p refconfig.FieldPath) bool {
		for i := range min(len(p), len(path)) {
			if !p[i].Any && p[i].String() != path[i].String() {
				return false
			}
		}
		return true
	})
}

// another returns a different value of the same type.
func another(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case bool:
		return !v
	case int64:
		return v + 1
	case float64:
		return v + 1
	case map[string]any:
		return map[string]any{"x": "x"}
	case []any:
		return []any{"x"}
	}
	return "x"
}
