package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Follow restricts a template to what it asks of the CRs that are made of a values file. Each probe
// is one of the template with the values for one CR. Fields and calls in branches that none of these
// CRs reaches are dropped, and those behind a call with a computed name are added.
func (out *Template) Follow(id template.Identity, probes []*probe.Probed) {
	asked := map[string]*probe.Field{}
	var nested []probe.Nested
	out.Incomplete = false
	for _, p := range probes {
		out.Incomplete = out.Incomplete || p.Incomplete
		for _, f := range p.Fields {
			if have := asked[f.Path]; have == nil || f.Need.Over(have.Need) {
				asked[f.Path] = &f
			}
		}
		for _, n := range p.Nested {
			if !slices.ContainsFunc(nested, func(m probe.Nested) bool { return written(m) == written(n) }) {
				nested = append(nested, n)
			}
		}
	}
	if out.Nested != nil {
		out.Nested = nested
	}
	isAsked := func(p Parameter) bool { return asked[p.Path] != nil || p.hasPattern() }
	out.Unasked = nil
	for _, p := range out.Parameters {
		if !isAsked(p) {
			out.Unasked = append(out.Unasked, p.Path)
		}
	}
	out.Parameters = slices.DeleteFunc(out.Parameters, func(p Parameter) bool { return !isAsked(p) })
	for _, path := range tree.Keys(asked) {
		f := *asked[path]
		i, known := out.find(path)
		if !known {
			out.Parameters = slices.Insert(out.Parameters, i, parameter(id, f))
		} else if p := &out.Parameters[i]; !p.hasPattern() {
			p.Need, p.When, p.Uses = f.Need, f.When, f.Uses
		}
	}
}

// hasPattern reports whether an inline diff function compares the field.
func (p Parameter) hasPattern() bool {
	return slices.ContainsFunc(p.Constraints, func(c probe.Constraint) bool {
		return c.By == pattern.Regex || c.By == pattern.CaptureGroups
	})
}

// find returns the index of a parameter, or the index where it belongs.
func (out *Template) find(path string) (index int, found bool) {
	return slices.BinarySearchFunc(out.Parameters, path, func(p Parameter, name string) int {
		return strings.Compare(p.Path, name)
	})
}

// Join adds to each call of a named template what this template takes: the arguments of the call,
// and the fields of the CR that it reads itself.
func (all *Interface) Join() {
	for t := range all.Templates() {
		t.join(t.Nested)
	}
}

func (out *Template) join(calls []probe.Nested) {
	for i := range calls {
		n := &calls[i]
		var taken []probe.Taken
		for _, a := range n.Takes {
			if one, is := out.argument(n, a); is {
				taken = append(taken, one)
			}
		}
		for _, path := range n.Reads {
			known := slices.ContainsFunc(taken, func(one probe.Taken) bool { return one.Path == path })
			if at, is := out.find(path); is && !known {
				taken = append(taken, out.taken(probe.Taken{Label: label(path), Path: path}, out.Parameters[at]))
			}
		}
		n.Parameters = taken
		out.join(n.Nested)
	}
}

// argument returns the parameter for an argument of a call. It returns false for the CR itself and
// for a part of it that is only passed on: the fields that are read of it are parameters.
func (out *Template) argument(n *probe.Nested, a probe.Argument) (one probe.Taken, is bool) {
	one = probe.Taken{Label: label(strings.TrimPrefix(a.As, ".")), Computed: a.Computed}
	if n.Definition != nil {
		one.Description = n.Definition.OfArgument(one.Label)
	}
	if len(a.Values) == 1 && len(a.Fields) == 0 {
		one.Value, one.Type = &a.Values[0], typeOf(a.Values[0])
	} else {
		one.Values = a.Values
	}
	if len(a.Fields) != 1 || a.Computed {
		return one, len(a.Fields) != 1 || a.Fields[0] != probe.WholeCR
	}
	one.Path = a.Fields[0]
	at, known := out.find(one.Path)
	if !known {
		return one, false
	}
	return out.taken(one, out.Parameters[at]), true
}

// taken completes a parameter of a named template with what is known of the field of the CR.
func (out *Template) taken(one probe.Taken, p Parameter) probe.Taken {
	one.Need, one.Default, one.Secret = p.Need, p.Default, p.Secret
	one.Description = cmp.Or(one.Description, p.Description)
	one.Type = p.Type
	if s := p.Schema; s != nil {
		one.Description, one.Type = cmp.Or(one.Description, s.Description), cmp.Or(one.Type, s.Type)
	}
	if one.Type == "" && p.Default != nil {
		one.Type = typeOf(*p.Default)
	}
	if len(p.Values) == 1 && one.Values == nil {
		one.Value, one.Type = &p.Values[0], cmp.Or(one.Type, typeOf(p.Values[0]))
	} else {
		one.Values = append(one.Values, p.Values...)
	}
	return one
}

// label returns the last key of a path.
func label(path string) string {
	steps, err := refconfig.ParseFieldPath(path)
	for _, step := range slices.Backward(steps) {
		if err == nil && !step.Any {
			return step.Key
		}
	}
	return path
}

// typeOf returns the word for the type of a value; "" for null.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return ""
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "list"
	case map[string]any:
		return "map"
	}
	return "number"
}
