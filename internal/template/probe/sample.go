package probe

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Sampled is what a template prints for CRs that were made for it.
type Sampled struct {
	Renderings []render.Rendering // each reaches a branch that those before it do not reach
	Faults     []SampleFault
}

// SampleFault says that the text of a branch is no YAML, whatever values a CR has.
type SampleFault struct {
	render.Error
	Field string // a CR without this field has no fault; "" for none
	Lines bool   // only a list or a map in this field has the fault
}

// Sample executes a template on CRs that have a value for each field that it reads: one with all
// fields, and for branches that this one does not reach, some in which one field is absent or has a
// value that the template states.
//
// The kind of a value is not known. If a value fails, others are tried in its place, and only a
// fault that remains with all of them is reported.
func Sample(ctx context.Context, t *render.Template, asked *Probed) Sampled {
	s := &sampler{ctx: ctx, template: t, tried: map[string]int{}, reached: template.Reached{}}
	s.grow(asked)
	var out Sampled
	if s.hasHighIndex() {
		return out
	}
	for range mostFaults {
		r, reached, err := s.settle()
		if err == nil {
			s.reached.Add(reached)
			out.Renderings = append(out.Renderings, r)
			break
		}
		fault, known := s.explain(err)
		if !known {
			break
		}
		out.Faults = append(out.Faults, fault)
		if fault.Field == "" {
			return out
		}
		s.gone = append(s.gone, fault.Field)
	}
	s.vary(&out)
	return out
}

// Limits of samples.
const (
	mostFaults  = 5   // of one template
	mostSamples = 200 // executions for one template
	mostStated  = 3   // values of one comparison that are tried
	mostItems   = 200 // of one list; a template that reads a later item is not sampled
)

// sampler makes CRs for a template.
type sampler struct {
	ctx      context.Context
	template *render.Template
	fields   []*sampleField
	lookups  []LookedUp
	tried    map[string]int // the number of the value of a field, by its path
	gone     []string       // fields that the CR lacks
	forced   map[string]any // values that fields have
	reached  template.Reached
	runs     int
	moved    bool // another value than the first was needed
}

// sampleField is a field without fields below it.
type sampleField struct {
	Field
	path   refconfig.FieldPath
	values []any
	kinds  int // the number of values that differ in YAML; they are the first
}

// grow finds the fields that need a value, and the values that each may have.
func (s *sampler) grow(asked *Probed) {
	s.lookups = asked.Lookups
	for _, f := range asked.Fields {
		if path, err := refconfig.ParseFieldPath(f.Path); err == nil && f.Path != WholeCR {
			s.fields = append(s.fields, &sampleField{Field: f, path: path})
		}
	}
	for _, f := range s.fields {
		f.values, f.kinds = s.valuesOf(f)
	}
}

// hasHighIndex reports whether the template reads an item that would need a very long list.
func (s *sampler) hasHighIndex() bool {
	isHigh := func(step refconfig.Step) bool { return step.Index >= mostItems }
	return slices.ContainsFunc(s.fields, func(f *sampleField) bool { return slices.ContainsFunc(f.path, isHigh) })
}

// valuesOf returns the values that a field may have, the most likely first, and how many of the first
// differ in YAML and have a type that the template takes.
func (s *sampler) valuesOf(f *sampleField) (all []any, different int) {
	leaf := !slices.ContainsFunc(s.fields, func(o *sampleField) bool {
		return len(o.path) > len(f.path) && isPrefix(f.path, o.path)
	})
	if !leaf {
		return []any{aList, aMap}, 2 // if it has items or keys that are not named
	}
	texts := []any{sampleText, "7", "1.2.3", "0-9", "10.0.0.1", "1Gi", "YQ==", "{}", "https://a.example/b"}
	items := []any{[]any{sampleText, "b"}, []any{
		map[string]any{sampleKey: sampleText}, map[string]any{sampleKey: "b"},
	}}
	keys := []any{map[string]any{sampleKey: sampleText, sampleKey + "2": "b"}}
	numbers := []any{int64(7)}
	every := slices.Concat(texts[:1], numbers, keys, items, []any{true}, texts[1:])
	kinds := strings.Split(f.Type, " or ")
	if f.Type == "" && s.indented(f) {
		all = slices.Concat(keys, items)
		return all, len(all)
	}
	for _, kind := range kinds {
		switch {
		case strings.HasPrefix(kind, "string of"):
			all = append(all, "{}", "[]", `{"`+sampleKey+`": "a"}`)
		case kind == "string":
			all = append(all, texts...)
		case kind == "list":
			all = append(all, items...)
		case kind == "map":
			all = append(all, keys...)
		case kind == "number":
			all = append(all, numbers...)
		}
	}
	if different = len(all); different == 0 {
		different = len(every) - len(texts) + 1 // all texts are alike
	}
	return append(all, every...), different
}

// kindOfMany is the kind of a value that has items or keys.
type kindOfMany string

const (
	aList kindOfMany = "list"
	aMap  kindOfMany = "map"
)

// The texts and keys of samples.
const (
	sampleText = "vtSample"
	sampleKey  = "vtKey"
)

// indented reports whether the template prints a field as lines of YAML, as it does for a list or a
// map only.
func (s *sampler) indented(f *sampleField) bool {
	return slices.ContainsFunc(f.Uses, func(u Use) bool {
		line := u.file.Text(u.pos)
		at := strings.Index(line, "toYaml")
		return at >= 0 && (strings.Contains(line[at:], "indent ") || strings.HasPrefix(strings.TrimSpace(line), "{{"))
	})
}

// object returns the CR.
func (s *sampler) object() map[string]any {
	id := s.template.Identity
	text := func(m template.Matcher) string {
		if exact, _ := m.Exact(); exact != "" {
			return exact
		}
		return sampleText
	}
	root := &sampleNode{}
	for _, f := range s.fields {
		if s.lacks(f.path) {
			root.plant(f.path, absent{})
		} else {
			root.plant(f.path, s.value(f))
		}
	}
	for _, l := range []struct {
		path refconfig.FieldPath
		text template.Matcher
	}{
		{refconfig.PathOf("apiVersion"), id.APIVersion},
		{refconfig.PathOf("kind"), id.Kind},
		{refconfig.PathOf("metadata", "name"), id.Name},
		{refconfig.PathOf("metadata", "namespace"), id.Namespace},
	} {
		if l.text.Fixed() || l.path.String() != "metadata.namespace" {
			root.plant(l.path, text(l.text))
		}
	}
	object, _ := root.value().(map[string]any)
	return object
}

// lacks reports whether the CR lacks a field or one above it.
func (s *sampler) lacks(path refconfig.FieldPath) bool {
	name := path.String()
	return slices.ContainsFunc(s.gone, func(gone string) bool {
		return name == gone || strings.HasPrefix(name, gone+".")
	})
}

// value returns the value of a field, or the kind of one that has fields below it.
func (s *sampler) value(f *sampleField) any {
	if v, ok := s.forced[f.Path]; ok {
		return v
	}
	return tree.Copy(f.values[s.tried[f.Path]%len(f.values)])
}

// absent is in the place of a value that the CR lacks.
type absent struct{}

// sampleNode is a value of a CR that is being made.
type sampleNode struct {
	keys  map[string]*sampleNode
	items []*sampleNode
	every *sampleNode // all keys or items
	leaf  any         // the value; the kind, if every is set
}

// plant sets the value at a path.
func (n *sampleNode) plant(path refconfig.FieldPath, v any) {
	if len(path) == 0 {
		n.leaf = v
		return
	}
	step, below := path[0], (*sampleNode)(nil)
	switch {
	case step.Any:
		if n.every == nil {
			n.every = &sampleNode{}
		}
		below = n.every
	case step.Index >= 0:
		for len(n.items) <= step.Index {
			n.items = append(n.items, &sampleNode{})
		}
		below = n.items[step.Index]
	default:
		if n.keys == nil {
			n.keys = map[string]*sampleNode{}
		}
		if n.keys[step.Key] == nil {
			n.keys[step.Key] = &sampleNode{}
		}
		below = n.keys[step.Key]
	}
	below.plant(path[1:], v)
}

// value returns the value of a node. Where every key or item has a value, there are two of them.
func (n *sampleNode) value() any {
	const each = 2
	switch {
	case n.keys != nil:
		all := map[string]any{}
		for _, key := range tree.Keys(n.keys) {
			if _, lacks := n.keys[key].leaf.(absent); !lacks {
				all[key] = n.keys[key].value()
			}
		}
		return all
	case n.every != nil && n.items == nil && n.leaf == aMap:
		return map[string]any{sampleKey: n.every.value(), sampleKey + "2": n.every.value()}
	case n.items != nil || n.every != nil:
		var all []any
		for _, item := range n.items {
			all = append(all, item.value())
		}
		for n.every != nil && len(all) < each {
			all = append(all, n.every.value())
		}
		return all
	case n.leaf == aList:
		return []any{}
	case n.leaf == aMap:
		return map[string]any{}
	}
	return n.leaf
}

// run executes the template on the CR.
func (s *sampler) run() (render.Rendering, template.Reached, error) {
	s.runs++
	return s.execute(nil)
}

// execute executes the template on the CR, without the nodes that are aside.
func (s *sampler) execute(aside template.Aside) (render.Rendering, template.Reached, error) {
	reached := template.Reached{}
	r, err := s.template.Execute(s.object(), render.Options{
		Context: s.ctx,
		Reached: reached,
		Lookup:  s.lookup,
		Aside:   aside,
	})
	return r, reached, err
}

// lookup returns a CR that has the fields which the template reads of it.
func (s *sampler) lookup(apiVersion, kind, namespace, name string) []map[string]any {
	root := &sampleNode{}
	root.plant(refconfig.PathOf("apiVersion"), apiVersion)
	root.plant(refconfig.PathOf("kind"), kind)
	root.plant(refconfig.PathOf("metadata", "name"), strings.ReplaceAll(name, "*", sampleText))
	for _, l := range s.lookups {
		if l.Kind != kind {
			continue
		}
		for _, read := range l.Reads {
			if path, err := refconfig.ParseFieldPath(read); err == nil && read != WholeCR {
				root.plant(path, sampleText)
			}
		}
	}
	object, _ := root.value().(map[string]any)
	return []map[string]any{object}
}

// settle executes the template on the CR. If a value fails, it tries others.
func (s *sampler) settle() (render.Rendering, template.Reached, error) {
	r, reached, err := s.run()
	known := map[string]bool{} // errors that were passed
	for again := true; again && err != nil && s.runs < mostSamples; {
		again, known[err.Error()] = false, true
		for _, f := range s.suspects(err) {
			before := s.tried[f.Path]
			for i := 1; i < f.choices(err) && s.runs < mostSamples && !again; i++ {
				s.tried[f.Path] = before + i
				next, nextReached, nextErr := s.run()
				if again = isFurther(nextErr, err) && (nextErr == nil || !known[nextErr.Error()]); again {
					r, reached, err = next, nextReached, nextErr
				}
			}
			if again {
				s.moved = true
				break
			}
			s.tried[f.Path] = before
		}
	}
	return r, reached, err
}

// choices returns how many values of a field to try after an error. All texts are alike in YAML.
func (f *sampleField) choices(err error) int {
	var e *render.Error
	if errors.As(err, &e) && e.Code == code.EvalYAML {
		return min(len(f.values), f.kinds)
	}
	return len(f.values)
}

// isFurther reports whether an execution that ended with an error got further than another one.
func isFurther(err, before error) bool {
	var failed, earlier *render.Error
	switch {
	case err == nil:
		return true
	case !errors.As(err, &failed) || !errors.As(before, &earlier):
		return false
	case earlier.Code == code.EvalTemplate:
		return failed.At != earlier.At
	}
	return failed.Code == earlier.Code && failed.At.File == earlier.At.File && failed.At.Line > earlier.At.Line
}

// isFaulty reports whether an error is about the values of a CR or the text of a template.
func isFaulty(e *render.Error) bool { return e.Code == code.EvalTemplate || e.Code == code.EvalYAML }

// suspects returns the fields whose values may have caused an error: those that are read in its line
// or, for YAML, near it. Any field may make a call fail, and those of its line are the first.
func (s *sampler) suspects(err error) []*sampleField {
	var e *render.Error
	if !errors.As(err, &e) || !isFaulty(e) {
		return nil
	}
	var near, others []*sampleField
	for _, f := range s.fields {
		switch {
		case len(f.values) < 2:
		case f.isNear(e):
			near = append(near, f)
		case e.Code == code.EvalTemplate:
			others = append(others, f)
		}
	}
	return append(near, others...)
}

// isNear reports whether the template reads a field in the line of an error, or next to it if the
// error is in YAML.
func (f *sampleField) isNear(e *render.Error) bool {
	off := 0
	if e.Code == code.EvalYAML {
		off = 2
	}
	return slices.ContainsFunc(f.Uses, func(u Use) bool {
		at := u.Place()
		return at.File == e.At.File && max(at.Line-e.At.Line, e.At.Line-at.Line) <= off
	})
}

// explain returns the fault of a text that is no YAML, and the field without which the text is YAML.
func (s *sampler) explain(err error) (fault SampleFault, known bool) {
	var failed *render.Error
	if !errors.As(err, &failed) || !isFaulty(failed) {
		return SampleFault{}, false
	}
	fault.Error = *failed
	if failed.Code == code.EvalTemplate {
		return fault, !s.moved // else two values may have to be changed together
	}
	isCause := func() bool {
		_, _, other := s.run()
		return isFurther(other, err)
	}
	for _, f := range s.fields {
		if s.lacks(f.path) || !s.indented(f) || !f.isNear(failed) || s.runs > mostSamples {
			continue
		}
		s.forced = map[string]any{f.Path: sampleText}
		if found := isCause(); found {
			fault.Field, fault.Lines, fault.At = f.Path, true, s.blame(f, failed.At)
			break
		}
	}
	s.forced = nil
	deepest := slices.Clone(s.fields)
	slices.SortStableFunc(deepest, func(a, b *sampleField) int { return len(b.path) - len(a.path) })
	gone := s.gone
	for _, f := range deepest {
		if fault.Field != "" || s.runs > mostSamples {
			break
		}
		if s.lacks(f.path) || f.path[len(f.path)-1].Any {
			continue
		}
		s.gone = append(slices.Clip(gone), f.Path)
		if isCause() {
			fault.Field, fault.At = f.Path, s.blame(f, failed.At)
		}
	}
	s.gone = gone
	return fault, true
}

// blame returns the place of the fault that a field causes. An error in YAML is known by its line
// only, and may be in the line before or after the one that is wrong.
func (s *sampler) blame(f *sampleField, at refconfig.Place) refconfig.Place {
	first, last := f.Uses[0].Place(), f.Uses[0].Place()
	for _, u := range f.Uses {
		switch p := u.Place(); {
		case p.File != at.File:
		case p.Line < first.Line:
			first = p
		case p.Line > last.Line:
			last = p
		}
	}
	switch {
	case first.File != at.File:
		return at
	case s.indented(f):
		return last
	case at.Line < first.Line:
		return first
	}
	return at
}

// vary executes the template on further CRs, for the branches that no CR has reached yet and whose text
// counts. A first execution, without the nodes that are aside, shows whether a CR reaches one.
func (s *sampler) vary(out *Sampled) {
	known := map[refconfig.Place]bool{}
	for _, f := range out.Faults {
		known[f.At] = true
	}
	aside, branches := s.template.Aside()
	try := func() {
		if !s.unreached(branches) || s.runs >= mostSamples || s.ctx.Err() != nil {
			return
		}
		if len(aside) > 0 {
			if _, reached, _ := s.execute(aside); !s.isNew(reached) {
				s.runs++
				return
			}
		}
		r, reached, err := s.run()
		var failed *render.Error
		switch {
		case err == nil && s.isNew(reached):
			s.reached.Add(reached)
			out.Renderings = append(out.Renderings, r)
		case errors.As(err, &failed) && failed.Code == code.EvalYAML && !known[failed.At] && s.isNew(reached):
			known[failed.At] = true
			out.Faults = append(out.Faults, SampleFault{Error: *failed})
		}
	}
	gone := s.gone
	for _, f := range s.fields {
		if f.path[len(f.path)-1].Any {
			continue
		}
		for _, c := range f.Constraints {
			for _, v := range c.Values[:min(mostStated, len(c.Values))] {
				s.forced = map[string]any{f.Path: v}
				try()
			}
		}
		s.forced = nil
		if f.Need == Optional {
			s.gone = append(slices.Clip(gone), f.Path)
			try()
		}
		s.gone = gone
	}
}

// isNew reports whether an execution reached more than those before it.
func (s *sampler) isNew(reached template.Reached) bool {
	for l := range maps.Keys(reached) {
		if !s.reached[l] {
			return true
		}
	}
	return false
}

// unreached reports whether there are branches that no CR has reached.
func (s *sampler) unreached(all []template.Branch) bool {
	return slices.ContainsFunc(all, func(b template.Branch) bool { return !s.reached.Has(b) || s.unreached(b.Inner) })
}
