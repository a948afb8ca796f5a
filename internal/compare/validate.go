package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/celrule"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/placeholder"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// schemas finds the schemas of kinds: first those that the user gave, then those of the cluster.
type schemas struct {
	given *crdschema.Set
	found map[string][]*stored // the definitions of the cluster, by the group of the defined kind
	kinds sync.Map             // caches the result of find for each kind and copy of its definition
	sets  sync.Map             // caches the schemas of each definition, read when its kind is compared
	rules *celrule.Library     // the rules in CEL of the schemas

	skipped *unevaluated // rules that were not evaluated
}

// schema is what is known about a kind.
type schema struct {
	kind   *crdschema.Kind    // nil if no schema of this version is known
	exists bool               // the kind is defined, perhaps in no version that is served
	others []string           // the versions that are served, if kind is nil
	broken *refconfig.Problem // why the definition of the kind cannot be used; nil for no problem
}

// newSchemas returns the given schemas and those that the definitions among the objects contain.
func newSchemas(given *crdschema.Set, objects []*stored) *schemas {
	s := &schemas{
		given: given, found: map[string][]*stored{}, rules: celrule.NewLibrary(), skipped: &unevaluated{},
	}
	for _, e := range objects {
		if _, group, ok := defined(e.object); ok {
			s.found[group] = append(s.found[group], e)
		}
	}
	return s
}

// defined returns the plural and the group that a CustomResourceDefinition defines according to its
// name. It returns false for any other object.
func defined(o *manifest.Object) (plural, group string, ok bool) {
	plural, group, ok = strings.Cut(o.ID.Name, ".")
	return plural, group, ok && crdschema.IsDefinition(o)
}

// of returns what is known about a kind, from the copy of its definition that is chosen.
func (s *schemas) of(k finding.Kind, among *lookedUp) *schema {
	known, from := s.in(k, nil)
	if from != nil && len(from.contents()) > 0 {
		known, _ = s.in(k, among.choose(from))
	}
	return known
}

// all returns what each copy of the definition of a kind says about it.
func (s *schemas) all(k finding.Kind) []*schema {
	first, from := s.in(k, nil)
	all := []*schema{first}
	if from != nil {
		for _, other := range from.contents() {
			known, _ := s.in(k, other)
			all = append(all, known)
		}
	}
	return all
}

// in is find with a cache.
func (s *schemas) in(k finding.Kind, one *stored) (*schema, *stored) {
	find := sync.OnceValues(func() (*schema, *stored) { return s.find(k, one) })
	known, _ := s.kinds.LoadOrStore([2]any{k, one}, find)
	return known.(func() (*schema, *stored))()
}

// read returns the schemas of a definition.
func (s *schemas) read(e *stored) (*crdschema.Set, *refconfig.Problem) {
	read, _ := s.sets.LoadOrStore(e, sync.OnceValues(func() (*crdschema.Set, *refconfig.Problem) {
		set := &crdschema.Set{}
		return set, set.AddDefinition(e.object)
	}))
	return read.(func() (*crdschema.Set, *refconfig.Problem))()
}

// find looks for a kind in the schemas that the user gave, in the definition with a matching
// plural, and in the other definitions of the group. It reads one copy of a definition instead of
// the first if that is given. from is the definition of the kind in the input, nil for none.
func (s *schemas) find(k finding.Kind, one *stored) (out *schema, from *stored) {
	out = &schema{}
	has := func(set *crdschema.Set) bool {
		kind, others := set.Kind(k.APIVersion, k.Kind)
		out.kind, out.others = kind, append(out.others, others...)
		out.exists = out.exists || kind != nil || len(others) > 0 || set.Defines(k.APIVersion, k.Kind)
		return kind != nil
	}
	if s.given != nil && has(s.given) {
		return out, nil
	}
	all := s.found[manifest.ID{APIVersion: k.APIVersion}.Group()]
	for _, likely := range []bool{true, false} {
		for _, first := range all {
			plural, _, _ := defined(first.object)
			if (collector.PathID{Plural: plural}).OfKind(k.Kind) != likely {
				continue
			}
			e := first
			if one != nil && one.copyOf == e {
				e = one
			}
			set, problem := s.read(e)
			defines := has(set)
			if likely {
				out.broken = problem
			}
			if defines || likely || s.aCopyHas(first, k) {
				from = first
			}
			if defines {
				return out, from
			}
		}
		if len(out.others) > 0 {
			break
		}
	}
	return out, from
}

// aCopyHas reports whether one of several copies of a definition has a kind.
func (s *schemas) aCopyHas(e *stored, k finding.Kind) bool {
	return slices.ContainsFunc(e.contents(), func(other *stored) bool {
		set, _ := s.read(other)
		kind, _ := set.Kind(k.APIVersion, k.Kind)
		return kind != nil
	})
}

// lacks reports whether a run validates and no definition of a kind is known.
func (s *schemas) lacks(k finding.Kind) bool {
	return s != nil && !slices.ContainsFunc(s.all(k), func(known *schema) bool { return known.exists })
}

// kindOfObject returns the kind of an object's identity.
func kindOfObject(id manifest.ID) finding.Kind {
	return finding.Kind{APIVersion: id.APIVersion, Kind: id.Kind}
}

// refused finds the values of an object that an API server would reject, and the fields that it
// would drop. The scope is that of its kind, and value returns the content of the node. It reports
// neither masked values nor placeholders, and no missing field of a CR inside another one, which may
// be only a part.
func (c *comparer) refused(
	o *manifest.Object, looked *lookedUp, scope secret.Scope, node *kubeyaml.Node,
	value func() map[string]any,
) (all []provenance.Finding) {
	known := c.schemas.of(kindOfObject(o.ID), looked)
	if known.kind == nil {
		served := "no version of it is served"
		if len(known.others) > 0 {
			served = "it is served as " + code.Enumerate(known.others, "and")
		}
		if known.exists {
			all = append(all, provenance.Finding{
				Code: code.InvalidVersion, Path: refconfig.PathOf("apiVersion"),
				Message: fmt.Sprintf("no matches for kind %q in version %q; %s", o.ID.Kind, o.ID.APIVersion, served),
			})
		}
		return all
	}
	invalid := slices.DeleteFunc(known.kind.Validate(c.ctx, node, crdschema.Options{NoStatus: true}),
		func(v crdschema.Violation) bool { return c.unsure(o, v) })
	if rules := c.schemas.rules.Of(known.kind); rules != nil || len(c.opt.Old) > 0 {
		scope = scope.Or(secret.Of(value()))
		invalid = append(invalid, c.ruled(o, known.kind, rules, value(), scope, invalid, looked)...)
	}
	for _, v := range invalid {
		if !c.opt.Show.Secrets {
			v = withoutSecrets(v, value(), scope.Or(secret.Of(value())))
		}
		one := provenance.Finding{Code: code.InvalidValue, Path: v.Path, Message: v.Error()}
		switch {
		case v.IsRule:
			one.Code = code.InvalidRule
		case v.Reason == crdschema.Required:
			one.Code = code.InvalidMissing
		case v.Reason == crdschema.Unknown:
			one.Code = code.InvalidUnknown
		}
		all = append(all, one)
	}
	return all
}

// unsure reports whether the cluster may have, or may get, another value than the rejected one.
func (c *comparer) unsure(o *manifest.Object, v crdschema.Violation) bool {
	open := func(key *kubeyaml.Node) bool { return c.opt.Placeholders && placeholder.In(key.Text) }
	switch v.Reason {
	case crdschema.Unknown:
		return open(v.At)
	case crdschema.Required:
		return o.Wrapper != "" || slices.ContainsFunc(v.At.Keys, open)
	}
	found := v.At.Value()
	return c.opt.Placeholders && placeholder.Within(found) ||
		diff.Masked(c.layoutOf(o), o.ID.Kind, v.Path, found)
}

// withoutSecrets removes secret data from a violation.
func withoutSecrets(v crdschema.Violation, object any, scope secret.Scope) crdschema.Violation {
	for n := range v.Path {
		if _, at := scope.At(object, v.Path[:n]); at.IsWhole() {
			v.Path, v.Reason, v.Value, v.Again, v.IsRule = v.Path[:n], crdschema.Invalid, "(hidden)", false, false
			v.Detail = "contains a secret value that is refused"
			return v
		}
	}
	if value, at := scope.At(object, v.Path); v.Value != "" && at.Holds(value) {
		v.Value = fmt.Sprintf("(hidden, %s)", finding.Plural(len(v.Value), "byte", "bytes"))
	}
	return v
}

// addUnvalidated records the kinds of compared CRs that have no schema, and warns of them. If the
// reference says validate: true, it is an alarm, and the result on them is not known. This does not
// include kinds that no CustomResourceDefinition defines, unless no CR at all was validated: archives
// have no schemas of them. The result on a kind whose definition is damaged is not known, either.
func (r *run) addUnvalidated() {
	schemas := r.schemas
	if schemas == nil {
		return
	}
	r.result.Validated = true
	r.unevaluatedRules()
	var needed []finding.Kind
	without := r.withoutSchema()
	for _, k := range without {
		if isCustom(k) {
			needed = append(needed, k)
		}
	}
	kinds := r.comparedKinds()
	for _, k := range kinds {
		for _, known := range schemas.all(k) {
			if p := known.broken; p != nil && r.first(p.Place.String()) {
				r.result.NotKnown = append(r.result.NotKnown, p.Place.Problem(code.Unvalidated, "%s", p.Message))
			}
		}
	}
	if len(without) == 0 {
		return
	}
	r.result.NotValidated = slices.Clone(without)
	if len(without) == len(kinds) {
		needed = without
	}
	told := func(n int) string {
		return fmt.Sprintf("%d of %s not validated", n, finding.Plural(len(kinds), "kind was", "kinds were"))
	}
	if r.ref.Validate && len(needed) > 0 {
		r.warn(code.ValidateUnknown, "", told(len(needed))+
			" although the reference says validate: true; give their CustomResourceDefinitions with --crds")
		r.result.NotKnown = append(r.result.NotKnown, unvalidatedKinds(r.ref.Metadata, needed)...)
		without = slices.DeleteFunc(without, func(k finding.Kind) bool { return slices.Contains(needed, k) })
	}
	if len(without) > 0 {
		var names []string
		for _, k := range without {
			names = append(names, k.Words())
		}
		r.warn(code.Unvalidated, "",
			told(len(without))+", because no schema was found: "+strings.Join(names, ", "))
	}
}

// comparedKinds returns the kinds of the compared CRs, sorted.
func (r *run) comparedKinds() []finding.Kind {
	kinds := map[finding.Kind]bool{}
	for _, c := range r.compared {
		kinds[kindOfObject(manifest.ID(c.found.Object))] = true
	}
	return slices.SortedFunc(maps.Keys(kinds), finding.CompareKinds)
}

// withoutSchema returns the kinds of the compared CRs that a run validates and that have no schema.
func (r *run) withoutSchema() []finding.Kind {
	return slices.DeleteFunc(r.comparedKinds(), func(k finding.Kind) bool { return !r.schemas.lacks(k) })
}

// isCustom reports whether a CustomResourceDefinition defines a kind.
func isCustom(k finding.Kind) bool {
	return collector.IsCustom(manifest.ID{APIVersion: k.APIVersion}.Group())
}

// unvalidatedKinds returns a problem for each kind without a schema that the reference validates.
func unvalidatedKinds(metadata string, kinds []finding.Kind) (all []refconfig.Problem) {
	at := refconfig.Place{File: metadata}
	for _, k := range kinds {
		all = append(all, at.Problem(
			code.ValidateUnknown, "no schema of %s was found, so its CRs were not validated", k.Words()))
	}
	return all
}

// schemaOf returns the schema of an object's kind. It returns nil if none is known or the run does
// not validate.
func (c *comparer) schemaOf(id manifest.ID, looked *lookedUp) *crdschema.Kind {
	if c.schemas == nil {
		return nil
	}
	return c.schemas.of(kindOfObject(id), looked).kind
}

// unstatedLists returns entries of perField that compare the lists of two values as the API server
// does. It skips lists that the reference has entries for.
func unstatedLists(k *crdschema.Kind, config refconfig.Config, expected, input any) []refconfig.FieldFunction {
	return slices.DeleteFunc(k.Lists(expected, input), func(f refconfig.FieldFunction) bool {
		return slices.ContainsFunc(config.PerField, func(own refconfig.FieldFunction) bool {
			n := min(len(own.Path), len(f.Path))
			return own.Key != refconfig.Exact && refconfig.OmitEntry{Path: own.Path[:n]}.Match(f.Path[:n])
		})
	})
}

// unstatedDefaults returns entries that omit fields that have the schema's default value and that
// the reference does not state. It skips fields that must be exactly as in the reference.
func unstatedDefaults(k *crdschema.Kind, config refconfig.Config, expected, input any) (all []refconfig.OmitEntry) {
	exact := config.Fields(refconfig.Exact)
	for _, path := range k.Defaults(input, expected) {
		isExact := func(f refconfig.FieldFunction) bool {
			return len(f.Path) <= len(path) && refconfig.OmitEntry{Path: f.Path}.Match(path[:len(f.Path)])
		}
		if !slices.ContainsFunc(exact, isExact) {
			all = append(all, refconfig.OmitEntry{Path: path})
		}
	}
	return all
}

// nameDefaults names the rule for fields that are omitted because they have their default value.
func nameDefaults(all []diff.Suppressed, defaults []refconfig.OmitEntry) {
	for i, s := range all {
		if slices.ContainsFunc(defaults, func(e refconfig.OmitEntry) bool { return e.Path.String() == s.Path }) {
			all[i].Rule, all[i].By = finding.ByDefault, "the default of the schema"
		}
	}
}
