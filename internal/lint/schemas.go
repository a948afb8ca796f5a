package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Checked says which kinds, each with its apiVersion, were held against schemas, sorted.
type Checked struct {
	Kinds   []string `json:"kinds"`
	Without []string `json:"without"` // that there is no schema of
}

// add takes in what was checked of another reference.
func (c *Checked) add(other *Checked) *Checked {
	if c == nil || other == nil {
		return c
	}
	union := func(a, b []string) []string {
		return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	}
	return &Checked{union(c.Kinds, other.Kinds), union(c.Without, other.Without)}
}

// Unchecked says which kinds there is no schema of, "" for none.
func (c *Checked) Unchecked() string {
	if c == nil || len(c.Without) == 0 {
		return ""
	}
	return fmt.Sprintf("no schema for %d of %d kinds: %s",
		len(c.Without), len(c.Without)+len(c.Kinds), strings.Join(c.Without, ", "))
}

// typer holds the templates against the schemas of their kinds.
type typer struct {
	*linter
	set     *crdschema.Set
	kinds   map[string]bool            // apiVersion and kind of what was asked for: whether there is a schema
	omitted map[refconfig.Place]string // paths that are left out: why they are a slip, "" for none
}

// schemas finds what the API server would refuse of what templates state, and what they read that
// no CR has.
func (l *linter) schemas(ctx context.Context, set *crdschema.Set) *Checked {
	s := &typer{linter: l, set: set, kinds: map[string]bool{}, omitted: map[refconfig.Place]string{}}
	for _, t := range l.distinct() {
		if ctx.Err() == nil {
			s.template(ctx, t)
		}
	}
	for place, slip := range s.omitted {
		if slip != "" {
			l.warn(code.RefFieldUnknown, place, "no template of this entry has the field: %s", slip)
		}
	}
	out := &Checked{Kinds: []string{}, Without: []string{}}
	for _, name := range tree.Keys(s.kinds) {
		if s.kinds[name] {
			out.Kinds = append(out.Kinds, name)
		} else {
			out.Without = append(out.Without, name)
		}
	}
	return out
}

// kind returns the schema of a kind. wrong says why there can be no CR of it, and which key of a
// template is at fault; "" where nothing is known of that.
func (s *typer) kind(apiVersion, kind string) (k *crdschema.Kind, key, wrong string) {
	k, others := s.set.Kind(apiVersion, kind)
	name := s.set.Named(apiVersion, kind)
	s.kinds[apiVersion+" "+kind] = k != nil || len(others) > 0 || name != ""
	switch {
	case k != nil:
	case strings.Contains(apiVersion, "*"): // of a lookup
		if len(others) == 1 {
			k, _ = s.set.Kind(others[0], kind)
		}
	case len(others) > 0:
		wrong = fmt.Sprintf("%s is served as %s, not as %s", kind, code.Enumerate(others, "and"), apiVersion)
		return nil, "apiVersion", wrong
	case name != "":
		return nil, "kind", fmt.Sprintf("the kind is written %s, not %s", name, kind)
	}
	return k, "", ""
}

// template holds a template against the schema of its kind.
func (s *typer) template(ctx context.Context, t *render.Template) {
	apiVersion, fixed := t.Identity.APIVersion.Exact()
	kind, known := t.Identity.Kind.Exact()
	one := &typed{typer: s, t: t, name: kind, reported: map[string]bool{}}
	key, wrong := "", ""
	if fixed && known {
		one.kind, key, wrong = s.kind(apiVersion, kind)
	}
	_, fixed = t.Identity.Namespace.Exact()
	if one.kind != nil && one.kind.ClusterWide && fixed {
		key, wrong = "metadata", "a CR of kind "+kind+" is in no namespace; delete metadata.namespace"
	}
	if wrong != "" && !s.never[t.Ref.Path] {
		s.fail(code.RefNotServed, s.at(t, key), "no CR can match the template: %s", wrong)
	}
	s.lookups(ctx, t)
	if one.kind != nil {
		one.stated(ctx)
		one.reads(ctx)
		for _, f := range t.Ref.Config.PerField {
			one.perField(f)
		}
	}
	for _, e := range t.Ref.Config.Omit {
		one.omits(e)
	}
}

// lookups checks what a template looks up.
func (s *typer) lookups(ctx context.Context, t *render.Template) {
	for _, l := range t.Probe(ctx).Lookups {
		if l.APIVersion == "" || l.Kind == "" {
			continue
		}
		k, _, wrong := s.kind(l.APIVersion, l.Kind)
		if wrong != "" {
			s.warn(code.RefNotServed, lineOf(l.At), "the lookup finds no CR: %s", wrong)
		}
		for _, field := range l.Reads {
			if lack, _ := lacking(k, l.Kind, pathOf(field)); lack != "" {
				s.warn(code.RefFieldUnknown, lineOf(l.At), "a CR of the lookup has no such field: %s", lack)
			}
		}
	}
}

// typed is a template and the schema of its kind.
type typed struct {
	*typer
	t        *render.Template
	kind     *crdschema.Kind // nil where there is none
	name     string          // of the kind
	reported map[string]bool // fields that have a finding, as written and as meant
	parts    []*render.Part  // what nodes stand for, by their offsets
	under    []bool          // whether a condition is around them
}

// stated holds what the template prints against the schema.
func (t *typed) stated(ctx context.Context) {
	printing := t.t.Printing(ctx)
	root, all := printing.Parts()
	if !all {
		t.warn(code.RefProbeCut, t.at(t.t), "a branch of the template is not valid YAML, so it is not checked against "+
			"the schema of %s", t.name)
	}
	opt := crdschema.Options{Hole: t.hole, Key: func(n *kubeyaml.Node) bool { return strings.Contains(n.Text, "{{") }}
	for _, v := range t.kind.Validate(ctx, t.node(root, false), opt) {
		t.violation(printing, v)
	}
	t.listKeys(root, nil)
}

// node makes a node of what a template prints. Its keys are those of all branches.
func (t *typed) node(p *render.Part, under bool) *kubeyaml.Node {
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

// node makes a node of a value that is no map or list with something in it.
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

// hole says what the template does not settle of a value.
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

// violation reports what the API server would refuse.
func (t *typed) violation(printing *render.Printing, v crdschema.Violation) {
	at, path := t.parts[v.At.Offset].Place, starred(v.Path)
	say := t.fail
	if t.under[v.At.Offset] {
		say = t.warn
	}
	switch v.Reason {
	case crdschema.Required:
		known := t.reported[path.String()] || t.leftOut(v.Path) || t.partlyLeftOut(v.Path) ||
			printing.Has(v.Path) != render.Never
		if inItem := path.String() != v.Path.String(); !known && (inItem || !t.t.Ref.Config.IgnoreUnspecified) {
			t.warn(code.RefFieldMissing, at, "the schema requires %s of %s, and the template does not state it",
				path, t.name)
		}
	case crdschema.Unknown:
		above, last := path[:len(path)-1], path[len(path)-1].Key
		t.reported[path.String()] = true
		t.reported[above.Below(refconfig.Key(code.Nearest(last, v.Names))).String()] = true
		say(code.RefFieldUnknown, at, "no CR can agree: %s", missing(t.kind, t.name, path, v.Names))
	default:
		value := ""
		if !secret.OfKind(t.name).IsObject() {
			value = " " + v.Value
		}
		say(code.RefFieldRefused, at, "no CR can agree, because the API server rejects %s: %s%s: %s%s",
			path, v.Reason, value, v.Detail, code.DidYouMean(v.At.Text, v.Names))
	}
}

// partlyLeftOut reports whether something below a field is left out, which may be all that it has.
func (t *typed) partlyLeftOut(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.t.Ref.Config.Omit, func(e refconfig.OmitEntry) bool {
		return len(e.Path) > len(path) && refconfig.OmitEntry{Path: e.Path[:len(path)]}.Match(path)
	})
}

// leftOut reports whether a field is left out of the comparison.
func (t *typed) leftOut(path refconfig.FieldPath) bool { return tree.Omits(t.t.Ref.Config.Omit, path) }

// hasEntry reports whether perField has an entry with this key for a field.
func (t *typed) hasEntry(key refconfig.FieldKey, path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.t.Ref.Config.Fields(key), func(f refconfig.FieldFunction) bool {
		return refconfig.OmitEntry{Path: f.Path}.Match(path)
	})
}

// starred returns a path with * for each item of a list.
func starred(path refconfig.FieldPath) refconfig.FieldPath {
	path = slices.Clone(path)
	for i, step := range path {
		if step.Index >= 0 {
			path[i] = anyItem()
		}
	}
	return path
}

func anyItem() refconfig.Step { return refconfig.Step{Any: true, Index: -1} }

// reads finds fields that the template reads and no CR has, and values that it holds them against.
func (t *typed) reads(ctx context.Context) {
	for _, f := range t.t.Probe(ctx).Fields {
		path := pathOf(f.Path)
		if lack, _ := lacking(t.kind, t.name, path); lack != "" && !t.isReported(path) {
			for _, use := range f.Uses {
				t.warn(code.RefFieldUnknown, use.Place, "the template reads a field that no CR has: %s", lack)
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
					t.warn(code.RefFieldRefused, f.Uses[0].Place, "the template compares %s with a value that no CR has: %s%s",
						path, v.Detail, code.DidYouMean(v.At.Text, v.Names))
				}
			}
		}
	}
}

// isReported reports whether a field, or one above it, has a finding.
func (t *typed) isReported(path refconfig.FieldPath) bool {
	for i := range path {
		if t.reported[path[:i+1].String()] {
			return true
		}
	}
	return false
}

// perField checks that an entry is for a field that there is, and of a type that can be compared
// so.
func (t *typed) perField(f refconfig.FieldFunction) {
	lack, _ := lacking(t.kind, t.name, f.Path)
	if lack != "" && !t.isReported(f.Path) {
		t.warn(code.RefFieldUnknown, f.Place, "no CR has this field: %s", lack)
	}
	s, _ := t.kind.At(f.Path)
	if s == nil || lack != "" || diff.IsInside(f.Path) {
		return
	}
	fits := s.Is("string") || s.Is("integer") && (f.Key == refconfig.Quantity || f.Key == refconfig.InlineDiff)
	if f.Key == refconfig.List {
		fits = s.Is("array")
	}
	if !fits {
		t.warn(code.RefListKeys, f.Place, "%s cannot be compared as %s: it is of type %s", f.Path, f.Said(), s.Type)
	}
	for _, key := range f.Keys {
		if lack, _ := lacking(t.kind, t.name, slices.Concat(f.Path.Below(anyItem()), key)); lack != "" {
			t.warn(code.RefFieldUnknown, f.Place, "no item has the key: %s%s", lack, toldApart(s))
		}
	}
}

// toldApart says by which keys the API server tells the items of a list apart, if it does.
func toldApart(s *crdschema.Schema) string {
	if s.ListType != "map" {
		return ""
	}
	return "; the API server identifies them by " + code.Enumerate(s.ListKeys, "and")
}

// listKeys finds lists of several items that the API server tells apart by keys, and that are
// compared by their order.
func (t *typed) listKeys(p *render.Part, path refconfig.FieldPath) {
	s, _ := t.kind.At(path)
	several := len(p.Below) > 1 || len(p.Below) == 1 && p.Below[0].Loop
	known := t.hasEntry(refconfig.List, path) || t.leftOut(path)
	if several && p.Below[0].Item && s != nil && s.ListType == "map" && !known {
		keys := slices.DeleteFunc(slices.Clone(s.ListKeys), func(key string) bool {
			return p.Below[0].Find(refconfig.FieldPath{refconfig.Key(key)}) == nil
		})
		if len(keys) > 0 {
			t.warn(code.RefListKeys, p.Place, "the reference compares the items of %s in order%s; add an entry to perField "+
				"with list: map(%s)", path, toldApart(s), strings.Join(keys, ", "))
		}
	}
	for _, b := range p.Below {
		step := refconfig.Key(b.Key)
		if b.Item {
			step = anyItem()
		}
		t.listKeys(b, path.Below(step))
	}
}

// omits records whether a path that is left out leads to a field of the kind. Lists of paths are
// for many kinds, so that only a slip counts.
func (t *typed) omits(e refconfig.OmitEntry) {
	path := e.Path
	if e.Prefix {
		path = path[:max(len(path)-1, 0)]
	}
	lack, slip := lacking(t.kind, t.name, path)
	before, known := t.omitted[e.Place]
	switch {
	case lack == "", e.Place.File == "", known && before == "":
		t.omitted[e.Place] = ""
	case slip && !known:
		t.omitted[e.Place] = lack
	}
}

// lacking says which field of a path a kind does not have, "" if it may have all of them, or
// nothing is known of the kind. slip says that another one was probably meant.
func lacking(k *crdschema.Kind, kind string, path refconfig.FieldPath) (lack string, slip bool) {
	if k == nil || len(path) == 0 || diff.IsInside(path) || path[0].Key == "metadata" {
		return "", false
	}
	_, missed := k.At(path)
	switch {
	case missed == nil:
		return "", false
	case missed.Type == "array":
		return fmt.Sprintf("%s of %s is a list; write %s.*", missed.Above, kind, missed.Above), true
	case missed.Type != "":
		return fmt.Sprintf("%s of %s has no fields, it is of type %s", missed.Above, kind, missed.Type), true
	}
	path = missed.Above.Below(refconfig.Key(missed.Key))
	return missing(k, kind, path, missed.Names), code.Nearest(missed.Key, missed.Names) != ""
}

// missing says that a kind has no field of a path, and which one was probably meant.
func missing(k *crdschema.Kind, kind string, path refconfig.FieldPath, names []string) string {
	key := path[len(path)-1].Key
	meant := code.DidYouMean(key, names)
	if at := k.Elsewhere(key); meant == "" && at != nil {
		meant = "; it has " + at.String()
	}
	return fmt.Sprintf("%s has no field %s%s", kind, path, meant)
}

// pathOf reads the path of a field that a probe found, nil for the CR itself.
func pathOf(field string) refconfig.FieldPath {
	path, err := refconfig.ParseFieldPath(field)
	if err != nil || field == render.WholeCR {
		return nil
	}
	return path
}

// lineOf reads file:line.
func lineOf(position string) refconfig.Place {
	file, line := cutNumber(position)
	return refconfig.Place{File: file, Line: line}
}
