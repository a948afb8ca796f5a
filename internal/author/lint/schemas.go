package lint

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Checked lists the kinds, each with its apiVersion, that were checked with schemas; sorted.
type Checked struct {
	Kinds   []string `json:"kinds"`
	Without []string `json:"without"` // kinds without a schema
}

// add adds the kinds of another reference.
func (c *Checked) add(other *Checked) *Checked {
	if c == nil || other == nil {
		return c
	}
	union := func(a, b []string) []string {
		return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	}
	return &Checked{union(c.Kinds, other.Kinds), union(c.Without, other.Without)}
}

// Unchecked describes the kinds without a schema; "" for none.
func (c *Checked) Unchecked() string {
	if c == nil || len(c.Without) == 0 {
		return ""
	}
	return fmt.Sprintf("no schema for %d of %d kinds: %s",
		len(c.Without), len(c.Without)+len(c.Kinds), strings.Join(c.Without, ", "))
}

// typer checks the templates with the schemas of their kinds.
type typer struct {
	*linter
	set     *crdschema.Set // the schemas that the user gave; nil for none
	builtIn func() *crdschema.BuiltIn
	kinds   map[string]bool // whether a kind has a schema, by apiVersion and kind
	omitted reasons         // mistakes in paths of fieldsToOmit
}

// schemas reports values in templates that the API server would reject, and fields that templates
// and overrides use and no CR has. The kinds of Kubernetes have schemas of their own, unless the user
// gave others. It returns nil if the user gave none.
func (l *linter) schemas(ctx context.Context, opt Options) *Checked {
	y := &typer{linter: l, set: opt.Schemas, kinds: map[string]bool{}, omitted: reasons{}}
	y.builtIn = sync.OnceValue(crdschema.NewBuiltIn)
	known := map[string]bool{}
	for _, s := range l.subjects {
		if ctx.Err() == nil && !known[s.Ref.Path] {
			known[s.Ref.Path] = true
			y.template(ctx, s)
		}
	}
	for _, o := range opt.Overrides {
		y.override(o)
	}
	for place, why := range y.omitted {
		if why != "" {
			l.warn(code.RefFieldUnknown, place, "no template of this entry has the field: %s", why)
		}
	}
	if opt.Schemas == nil {
		return nil
	}
	out := &Checked{Kinds: []string{}, Without: []string{}}
	for _, name := range tree.Keys(y.kinds) {
		if y.kinds[name] {
			out.Kinds = append(out.Kinds, name)
		} else {
			out.Without = append(out.Without, name)
		}
	}
	return out
}

// kind returns the schema of a kind, and the name by which messages call it. wrong is the reason why
// no CR of it can exist, and key the wrong key of a template; both are "" if that is unknown.
func (y *typer) kind(apiVersion, kind string) (k *crdschema.Kind, called, key, wrong string) {
	k, others := y.set.Kind(apiVersion, kind)
	name := y.set.Named(apiVersion, kind)
	y.kinds[apiVersion+" "+kind] = k != nil || len(others) > 0 || name != ""
	switch {
	case k != nil:
	case len(others) == 0 && name == "" && isBuiltIn(apiVersion):
		if k = y.builtIn().Kind(apiVersion, kind); k != nil {
			y.kinds[apiVersion+" "+kind] = true
			return k, kind + " of Kubernetes " + y.builtIn().Version(), "", ""
		}
	case strings.Contains(apiVersion, "*"): // of a lookup
		if len(others) == 1 {
			k, _ = y.set.Kind(others[0], kind)
		}
	case len(others) > 0:
		wrong = fmt.Sprintf("%s is served as %s, not as %s", kind, code.Enumerate(others, "and"), apiVersion)
		return nil, kind, "apiVersion", wrong
	case name != "":
		return nil, kind, "kind", fmt.Sprintf("the kind is written %s, not %s", name, kind)
	}
	return k, kind, "", ""
}

// isBuiltIn reports whether a group is one of Kubernetes.
func isBuiltIn(apiVersion string) bool {
	group, valid := groupOf(apiVersion)
	return valid && slices.ContainsFunc(builtIns(), func(b builtIn) bool { return b.group == group })
}

// template checks a template with the schema of its kind.
func (y *typer) template(ctx context.Context, s *subject) {
	apiVersion, fixed := s.Identity.APIVersion.Exact()
	kind, known := s.Identity.Kind.Exact()
	one := &typed{subject: s, name: kind, called: kind, reported: map[string]bool{}}
	key, wrong := "", ""
	if fixed && known {
		one.kind, one.called, key, wrong = y.kind(apiVersion, kind)
		one.isBuiltIn = one.called != kind
	}
	_, fixed = s.Identity.Namespace.Exact()
	if one.kind != nil && one.kind.ClusterWide && fixed {
		key, wrong = "metadata", "a "+kind+" has no namespace; delete metadata.namespace"
	}
	if wrong != "" && !y.never[s.Ref.Path] {
		y.fail(code.RefNotServed, s.at(key), "no CR can match the template: %s", wrong)
	}
	y.lookups(s)
	if one.kind != nil {
		one.stated(ctx)
		one.reads(ctx)
		for _, f := range s.Ref.Config.PerField {
			one.perField(f)
		}
	}
	s.slips(one.kind != nil)
	for _, e := range s.Ref.Config.Omit {
		y.omits(one, e)
	}
}

// override checks that the fields of an override exist.
func (y *typer) override(o refconfig.Override) {
	if o.ExactMatch != "" {
		identity := strings.SplitN(o.ExactMatch, "_", 3)
		o.APIVersion, o.Kind = identity[0], identity[min(1, len(identity)-1)]
	}
	if o.Patch == "" || o.APIVersion == "" || o.Kind == "" {
		return
	}
	k, called, _, wrong := y.kind(o.APIVersion, o.Kind)
	if wrong != "" {
		y.warn(code.RefNotServed, o.Place, "no CR can match the override: %s", wrong)
	}
	for _, path := range patched(o) {
		if lack, _ := lacking(k, called, path); lack.String() != "" {
			y.warn(code.RefFieldUnknown, o.Place, "the override is for a field that no CR has: %s", lack)
			return
		}
	}
}

// patched returns the paths that the patch of an override has.
func patched(o refconfig.Override) (all []refconfig.FieldPath) {
	if o.Type == refconfig.JSONPatch {
		var operations []struct{ Path string }
		if json.Unmarshal([]byte(o.Patch), &operations) != nil {
			return nil
		}
		for _, operation := range operations {
			var path refconfig.FieldPath
			for key := range strings.SplitSeq(strings.TrimPrefix(operation.Path, "/"), "/") {
				step := refconfig.Key(strings.NewReplacer("~1", "/", "~0", "~").Replace(key))
				if _, err := strconv.Atoi(key); err == nil || key == "-" {
					step = refconfig.AnyStep()
				}
				path = path.Below(step)
			}
			all = append(all, path)
		}
		return all
	}
	var patch any
	if json.Unmarshal([]byte(o.Patch), &patch) != nil {
		return nil
	}
	return leaves(patch, nil)
}

// leaves returns the paths of a value's fields without fields of their own, with * for list items.
func leaves(v any, path refconfig.FieldPath) (all []refconfig.FieldPath) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			all = append(all, leaves(v[key], path.Below(refconfig.Key(key)))...)
		}
	case []any:
		for _, item := range v {
			all = append(all, leaves(item, path.Below(refconfig.AnyStep()))...)
		}
	}
	if len(all) == 0 {
		all = append(all, path)
	}
	return all
}

// lookups checks the lookups of a template.
func (y *typer) lookups(s *subject) {
	for _, l := range s.asked.Lookups {
		if l.APIVersion == "" || l.Kind == "" {
			continue
		}
		k, called, _, wrong := y.kind(l.APIVersion, l.Kind)
		if wrong != "" {
			y.warn(code.RefNotServed, l.Place, "the lookup finds no CR: %s", wrong)
		}
		for _, field := range l.Reads {
			path := pathOf(field)
			if len(path) > 0 && isIndex(path[0]) { // of what lookupCRs returns
				path = path[1:]
			}
			if lack, _ := lacking(k, called, path); lack.String() != "" {
				y.warn(code.RefFieldUnknown, l.Place, "a CR of the lookup has no such field: %s", lack)
			}
		}
	}
}

// isIndex reports whether a step of a path that a template reads is the index of an item.
func isIndex(step refconfig.Step) bool {
	_, err := strconv.Atoi(step.Key)
	return step.Index >= 0 || err == nil
}

// typed is a template and the schema of its kind.
type typed struct {
	*subject
	kind      *crdschema.Kind // nil for none
	name      string          // of the kind
	called    string          // the name by which messages call it
	isBuiltIn bool            // the schema is not of the user
	reported  map[string]bool // fields with a finding, as written and as suggested
	parts     []*probe.Part   // the part of each node, by its offset
	under     []bool          // whether the part is in a condition
}

// stated validates what the template prints.
func (t *typed) stated(ctx context.Context) {
	if !t.isWhole && !t.isBuiltIn {
		t.warn(code.RefProbeCut, t.at(), "a branch of the template is not valid YAML, so it is not checked against "+
			"the schema of %s", t.name)
	}
	opt := crdschema.Options{Hole: t.hole, Key: func(n *kubeyaml.Node) bool { return strings.Contains(n.Text, "{{") }}
	for _, v := range t.kind.Validate(ctx, t.node(t.root, false), opt) {
		t.violation(v)
	}
	if !t.isBuiltIn { // their items have names, by which they are paired
		t.listKeys(t.root, nil)
	}
}

// node converts a part to a node, with the keys of all branches.
func (t *typed) node(p *probe.Part, under bool) *kubeyaml.Node {
	under = under || len(p.When) > 0
	n := node(p.Value)
	n.Offset = len(t.parts)
	t.parts, t.under = append(t.parts, p), append(t.under, under)
	if len(p.Below) > 0 {
		n = &kubeyaml.Node{Kind: kubeyaml.Map, Offset: n.Offset}
	}
	for _, b := range p.Below {
		value := t.node(b, under)
		n.Values = append(n.Values, value)
		if b.Item {
			n.Kind = kubeyaml.List
		} else {
			n.Keys = append(n.Keys, &kubeyaml.Node{Text: b.Key, Style: kubeyaml.DoubleQuoted, Offset: value.Offset})
		}
	}
	return n
}

// node converts a value to a node, without the items of maps and lists.
func node(v any) *kubeyaml.Node {
	switch v := v.(type) {
	case string:
		return &kubeyaml.Node{Text: v, Style: kubeyaml.DoubleQuoted}
	case map[string]any:
		return &kubeyaml.Node{Kind: kubeyaml.Map}
	case []any:
		return &kubeyaml.Node{Kind: kubeyaml.List}
	}
	text, _ := tree.JSON(v)
	return &kubeyaml.Node{Text: text}
}

// hole describes which part of a value the template leaves undetermined.
func (t *typed) hole(n *kubeyaml.Node, path refconfig.FieldPath) crdschema.Hole {
	p := t.parts[n.Offset]
	printed := len(p.Below) == 0 && !p.Fixed
	switch text, isText := p.Value.(string); {
	case t.leftOut(path), printed && !strings.HasPrefix(text, `"`):
		return crdschema.Anything
	case printed, isText && t.hasEntry(refconfig.InlineDiff, path):
		return crdschema.Text
	}
	return crdschema.Whole
}

// violation reports a value that the API server would reject.
func (t *typed) violation(v crdschema.Violation) {
	at, path := t.parts[v.At.Offset].Place, v.Path.Starred()
	if t.isKnown(at) {
		return
	}
	say := t.fail
	if t.under[v.At.Offset] {
		say = t.warn
	}
	switch v.Reason {
	case crdschema.Required:
		known := t.reported[path.String()] || t.leftOut(v.Path) || t.partlyLeftOut(v.Path)
		if inItem := path.String() != v.Path.String(); inItem { // other items may have the field
			known = known || t.parts[v.At.Offset].Has(v.Path[len(v.Path)-1:]) != probe.Never
		} else {
			known = known || t.isBuiltIn || t.Ref.Config.IgnoreUnspecified || t.printing.Has(v.Path) != probe.Never
		}
		if !known {
			t.warn(code.RefFieldMissing, at, "the schema requires %s of %s, and the template does not state it",
				path, t.called)
		}
	case crdschema.Unknown:
		above, last := path[:len(path)-1], path[len(path)-1].Key
		t.reported[path.String()] = true
		t.reported[above.Below(refconfig.Key(code.Nearest(last, v.Names))).String()] = true
		say(code.RefFieldUnknown, at, "no CR can agree: %s", missing(t.kind, t.called, path, v.Names))
	default:
		value := ""
		if !secret.OfKind(t.name).IsObject() {
			value = " " + v.Value
		}
		say(code.RefFieldRefused, at, "no CR can agree, because the API server rejects %s: %s%s: %s%s",
			path, v.Reason, value, v.Detail, code.DidYouMean(v.At.Text, v.Names))
	}
}

// partlyLeftOut reports whether a child of a field is omitted. It may be the only child.
func (t *typed) partlyLeftOut(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.Ref.Config.Omit, func(e refconfig.OmitEntry) bool {
		return len(e.Path) > len(path) && refconfig.OmitEntry{Path: e.Path[:len(path)]}.Match(path)
	})
}

// leftOut reports whether a field is omitted.
func (t *typed) leftOut(path refconfig.FieldPath) bool { return tree.Omits(t.Ref.Config.Omit, path) }

// hasEntry reports whether perField has an entry with this key for a field.
func (t *typed) hasEntry(key refconfig.FieldKey, path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.Ref.Config.Fields(key), func(f refconfig.FieldFunction) bool {
		return refconfig.OmitEntry{Path: f.Path}.Match(path)
	})
}

// reads reports fields that the template reads and no CR has, and values that it compares fields
// with and that no CR has.
func (t *typed) reads(ctx context.Context) {
	for _, f := range t.asked.Fields {
		path := pathOf(f.Path)
		if lack, _ := lacking(t.kind, t.called, path); lack.String() != "" && !t.isReported(path) {
			for _, use := range f.Uses {
				if t.isKnown(use.Place()) {
					continue
				}
				t.warn(code.RefFieldUnknown, use.Place(), "the template reads a field that no CR has: %s", lack)
			}
		}
		s, _ := t.kind.At(path)
		for _, c := range f.Constraints {
			compared := c.Through == "" && (c.By == "eq" || c.By == "ne") && s != nil && len(f.Uses) > 0
			for _, value := range c.Values {
				if !compared || value == nil || value == "" {
					continue
				}
				for _, v := range t.kind.ValidateField(ctx, s, node(value), path) {
					t.warn(code.RefFieldRefused, c.Use.Place(), "the template compares %s with a value that no CR has: %s%s",
						path, v.Detail, code.DidYouMean(v.At.Text, v.Names))
				}
			}
		}
	}
}

// isKnown reports whether another finding in the line explains why the API server would not take what
// the template has there, as an error does that is not about a schema.
func (t *typed) isKnown(at refconfig.Place) bool {
	explain := []code.Code{
		code.RefSingleBraces, code.RefHelm, code.RefNotText, code.RefReadCase, code.RefReadElsewhere, code.RefTextKey,
		code.RefStray,
	}
	ofSchemas := []code.Code{code.RefFieldUnknown, code.RefFieldRefused, code.RefNotServed}
	return slices.ContainsFunc(t.flaws, func(f Flaw) bool {
		return f.Place.File == at.File && f.Place.Line == at.Line && (slices.Contains(explain, f.Code) ||
			f.Severity == Wrong && !slices.Contains(ofSchemas, f.Code))
	})
}

// isReported reports whether a field or a parent of it has a finding.
func (t *typed) isReported(path refconfig.FieldPath) bool {
	for i := range path {
		if t.reported[path[:i+1].String()] {
			return true
		}
	}
	return false
}

// perField checks that the field of an entry exists and has a suitable type.
func (t *typed) perField(f refconfig.FieldFunction) {
	lack, _ := lacking(t.kind, t.called, f.Path)
	if lack.String() != "" && !t.isReported(f.Path) {
		t.warn(code.RefFieldUnknown, f.Place, "no CR has this field: %s", lack)
	}
	s, _ := t.kind.At(f.Path)
	if s == nil || lack.String() != "" || diff.IsInside(f.Path) {
		return
	}
	if types := diff.Types(f.Key); types != nil && !slices.ContainsFunc(types, s.Is) {
		t.warn(code.RefListKeys, f.Place, "%s cannot be compared as %s: it is of type %s", f.Path, f.Said(), s.Type)
	}
	for _, key := range f.Keys {
		lack, _ := lacking(t.kind, t.called, slices.Concat(f.Path.Below(refconfig.AnyStep()), key))
		if lack.String() != "" {
			t.warn(code.RefFieldUnknown, f.Place, "no item has the key: %s%s", lack, identified(s))
		}
	}
}

// identified names the keys by which the API server identifies the items of a list; "" for none.
func identified(s *crdschema.Schema) string {
	if s.ListType != "map" {
		return ""
	}
	return "; the API server identifies them by " + code.Enumerate(s.ListKeys, "and")
}

// listKeys reports lists whose items the API server identifies by keys, but which are compared by
// order.
func (t *typed) listKeys(p *probe.Part, path refconfig.FieldPath) {
	s, _ := t.kind.At(path)
	several := len(p.Below) > 1 || len(p.Below) == 1 && p.Below[0].Loop
	known := t.hasEntry(refconfig.List, path) || t.leftOut(path)
	if several && p.Below[0].Item && s != nil && s.ListType == "map" && !known {
		keys := slice.Without(s.ListKeys, func(key string) bool {
			return p.Below[0].Find(refconfig.FieldPath{refconfig.Key(key)}) == nil
		})
		if len(keys) > 0 {
			list := fmt.Sprintf("map(%s)", strings.Join(keys, ", "))
			t.warn(code.RefListKeys, p.Place, "the reference compares the items of %s in order%s; add an entry to perField "+
				"with list: %s%s", path, identified(s), list, t.needs())
			t.entry(path, refconfig.List, list)
		}
	}
	for _, b := range p.Below {
		step := refconfig.Key(b.Key)
		if b.Item {
			step = refconfig.AnyStep()
		}
		t.listKeys(b, path.Below(step))
	}
}

// omits records whether an omitted path is a field of the kind. Lists of paths are for many kinds,
// so only a path that resembles a field is a mistake.
func (y *typer) omits(t *typed, e refconfig.OmitEntry) {
	path := e.Path
	if e.Prefix {
		path = path[:max(len(path)-1, 0)]
	}
	lack, isSlip := lacking(t.kind, t.called, path)
	if !isSlip && lack.String() != "" {
		return
	}
	y.omitted.add(e.Place, lack.String(), lack.String() == "")
}

// lacking describes the field of a path that a kind lacks; "" if it may have all of them or is
// unknown. slip reports that another field was probably intended.
func lacking(k *crdschema.Kind, kind string, path refconfig.FieldPath) (lack code.Meant, slip bool) {
	if k == nil || len(path) == 0 || diff.IsInside(path) || path[0].Key == "metadata" {
		return code.Meant{}, false
	}
	_, missed := k.At(path)
	switch {
	case missed == nil:
		return code.Meant{}, false
	case missed.Type == "array":
		return code.Meant{}.After("%s of %s is a list; write %s.*", missed.Above, kind, missed.Above), true
	case missed.Type != "":
		return code.Meant{}.After("%s of %s has no fields, it is of type %s", missed.Above, kind, missed.Type), true
	}
	path = missed.Above.Below(refconfig.Key(missed.Key))
	return missing(k, kind, path, missed.Names), code.Nearest(missed.Key, missed.Names) != ""
}

// missing reports that a kind lacks the field at a path, and suggests another one.
func missing(k *crdschema.Kind, kind string, path refconfig.FieldPath, names []string) code.Meant {
	key := path[len(path)-1].Key
	meant := code.DidYouMean(key, names)
	if at := k.Elsewhere(key); meant.Instead == "" && at != nil {
		meant = meant.After("; it has %s", at)
	}
	return meant.After("%s has no field %s", kind, path)
}

// pathOf parses the path of a field from a probe; nil for the whole CR.
func pathOf(field string) refconfig.FieldPath {
	path, err := refconfig.ParseFieldPath(field)
	if err != nil || field == probe.WholeCR {
		return nil
	}
	return path
}
