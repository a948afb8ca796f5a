package lint

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Checked says which kinds were held against schemas.
type Checked struct {
	Kinds   int      `json:"kinds"`   // that templates are for, or look up, and there is a schema of
	Without []string `json:"without"` // apiVersion and kind of the others, sorted
	Partly  []string `json:"partly"`  // templates of which not all that they print could be read
}

// Unchecked says in a sentence each which kinds and templates were not checked.
func (c *Checked) Unchecked() (sentences []string) {
	if c == nil {
		return nil
	}
	if n := len(c.Without); n > 0 {
		sentences = append(sentences, fmt.Sprintf("no schema for %d of %s: %s",
			n, finding.Plural(n+c.Kinds, "kind", "kinds"), strings.Join(c.Without, ", ")))
	}
	if len(c.Partly) > 0 {
		sentences = append(sentences, "not all that these templates print was held against schemas: "+
			strings.Join(c.Partly, ", "))
	}
	return sentences
}

// schemas holds the templates against the schemas of their kinds.
type schemas struct {
	*linter
	set     *crdschema.Set
	kinds   map[string]bool // apiVersion and kind of what was asked for: whether there is a schema
	partly  []string
	omitted map[refconfig.Place]*omission
}

// omission is a path that is left out of templates.
type omission struct {
	open bool // it may be a field of one of them
	lack string
}

// schemas finds what the API server would refuse of what templates state, and what they read that
// no CR has.
func (l *linter) schemas(ctx context.Context, set *crdschema.Set) *Checked {
	s := &schemas{linter: l, set: set, kinds: map[string]bool{}, omitted: map[refconfig.Place]*omission{}}
	for _, t := range l.distinct() {
		if ctx.Err() == nil {
			s.template(ctx, t)
		}
	}
	for place, o := range s.omitted {
		if !o.open && o.lack != "" {
			l.warn(code.RefFieldUnknown, place, "%s", o.lack)
		}
	}
	out := &Checked{Without: []string{}, Partly: s.partly}
	for _, name := range tree.Keys(s.kinds) {
		if s.kinds[name] {
			out.Kinds++
		} else {
			out.Without = append(out.Without, name)
		}
	}
	return out
}

// kind returns the schema of a kind. wrong says why there can be no CR of it, and which key of a
// template is at fault; "" where nothing is known of that.
func (s *schemas) kind(apiVersion, kind string) (k *crdschema.Kind, key, wrong string) {
	k, others := s.set.Kind(apiVersion, kind)
	name := s.set.Named(apiVersion, kind)
	s.kinds[apiVersion+" "+kind] = k != nil || len(others) > 0 || name != ""
	switch {
	case k != nil:
	case strings.Contains(apiVersion, "*"):
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
func (s *schemas) template(ctx context.Context, t *render.Template) {
	apiVersion, _ := t.Identity.APIVersion.Exact()
	kind, known := t.Identity.Kind.Exact()
	var k *crdschema.Kind
	if known && apiVersion != "" {
		key, wrong := "", ""
		if k, key, wrong = s.kind(apiVersion, kind); wrong != "" && !s.never[t.Ref.Path] {
			s.fail(code.RefNotServed, s.at(t, key), "no CR can match the template: %s", wrong)
		}
	}
	s.lookups(ctx, t)
	if k == nil {
		for _, e := range t.Ref.Config.Omit {
			s.omission(e.Place).open = true
		}
		return
	}
	if _, fixed := t.Identity.Namespace.Exact(); fixed && k.Scoped && !k.Namespaced && !s.never[t.Ref.Path] {
		s.fail(code.RefNotServed, s.at(t, "metadata", "namespace"),
			"no CR can match the template: a CR of kind %s is in no namespace; delete the key", kind)
	}
	one := &typed{schemas: s, t: t, kind: k, name: kind, seen: map[string]bool{}}
	one.stated(ctx)
	one.reads(ctx)
	for _, f := range t.Ref.Config.PerField {
		one.perField(f)
	}
	for _, e := range t.Ref.Config.Omit {
		one.omits(e)
	}
}

func (s *schemas) omission(at refconfig.Place) *omission {
	if s.omitted[at] == nil {
		s.omitted[at] = &omission{open: at.File == ""}
	}
	return s.omitted[at]
}

// lookups checks what a template looks up.
func (s *schemas) lookups(ctx context.Context, t *render.Template) {
	for _, l := range t.Probe(ctx).Lookups {
		if l.APIVersion == "" || l.Kind == "" {
			continue
		}
		at := lineOf(l.At)
		k, _, wrong := s.kind(l.APIVersion, l.Kind)
		if wrong != "" {
			s.warn(code.RefNotServed, at, "the lookup finds no CR: %s", wrong)
		}
		for _, field := range l.Reads {
			if path, err := refconfig.ParseFieldPath(field); err == nil && k != nil {
				if lack := lacking(k, l.Kind, path); lack != "" {
					s.warn(code.RefFieldUnknown, at, "what is looked up has no such field: %s", lack)
				}
			}
		}
	}
}

// typed is a template whose kind has a schema.
type typed struct {
	*schemas
	t    *render.Template
	kind *crdschema.Kind
	name string          // of the kind
	seen map[string]bool // fields that were told of, as written and as meant
}

// stated holds what the template prints against the schema.
func (t *typed) stated(ctx context.Context) {
	printing := t.t.Printing(ctx)
	texts, all := printing.Texts()
	if !all {
		t.partly = append(t.partly, t.t.Ref.Path)
	}
	for _, text := range texts {
		key := func(n *kubeyaml.Node) bool {
			some, _ := text.Computed(n)
			return some
		}
		hole := func(n *kubeyaml.Node, path refconfig.FieldPath) crdschema.Hole {
			some, whole := text.Computed(n)
			switch {
			case whole, t.leftOut(path):
				return crdschema.Anything
			case some, n.Kind == kubeyaml.Scalar && t.field(refconfig.InlineDiff, path):
				return crdschema.Text
			}
			return crdschema.Whole
		}
		t.listKeys(text.Root, nil, text)
		for _, v := range t.kind.Validate(ctx, text.Root, crdschema.Options{Hole: hole, Key: key}) {
			t.violation(text, printing, v)
		}
	}
}

// violation tells of what the API server would refuse.
func (t *typed) violation(text render.Printed, printing *render.Printing, v crdschema.Violation) {
	place, known := text.Place(v.At)
	path := starred(v.Path)
	if !known || t.leftOut(v.Path) {
		return
	}
	say := t.warn
	if text.Always(v.At) {
		say = t.fail
	}
	switch v.Reason {
	case crdschema.Required:
		written := t.seen[path.String()] || t.leftOutBelow(v.Path)
		if printing.Has(v.Path) == render.Never && t.whole(v.Path) && !written {
			t.warn(code.RefFieldMissing, place, "every %s has %s, which its schema requires, and the template "+
				"does not give it", t.name, path)
		}
	case crdschema.Unknown:
		t.seen[path.String()] = true
		meant := code.Nearest(path[len(path)-1].Key, v.Names)
		t.seen[path[:len(path)-1].Below(refconfig.Key(meant)).String()] = true
		say(code.RefFieldUnknown, place, "no CR can agree: %s", missing(t.kind, t.name, path, v.Names))
	default:
		value := ""
		if !secret.OfKind(t.name).IsObject() && v.Value != "" {
			value = " " + v.Value
		}
		meant := ""
		if v.At.Kind == kubeyaml.Scalar {
			meant = code.DidYouMean(v.At.Text, v.Names)
		}
		say(code.RefFieldRefused, place, "no CR can agree, because the API server refuses it: %s: %s%s: %s%s",
			path, v.Reason, value, v.Detail, meant)
	}
}

// whole reports whether a CR is compared at a path as a whole, so that it differs in what the
// template does not state.
func (t *typed) whole(path refconfig.FieldPath) bool {
	inItem := slices.ContainsFunc(path, func(s refconfig.Step) bool { return s.Index >= 0 })
	for i := range path {
		if t.field(refconfig.List, path[:i]) {
			return !t.t.Ref.Config.IgnoreUnspecified
		}
	}
	return !t.t.Ref.Config.IgnoreUnspecified || inItem
}

// leftOut reports whether a field is left out of the comparison.
func (t *typed) leftOut(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.t.Ref.Config.Omit, func(e refconfig.OmitEntry) bool {
		last := len(e.Path) - 1
		if e.Prefix && last >= 0 && len(path) > last {
			return alike(e.Path[:last], path[:last]) && strings.HasPrefix(path[last].Key, e.Path[last].Key)
		}
		return len(path) > last && last >= 0 && alike(e.Path, path[:last+1])
	})
}

// leftOutBelow reports whether something below a field is left out, which may be all that it has.
func (t *typed) leftOutBelow(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.t.Ref.Config.Omit, func(e refconfig.OmitEntry) bool {
		return len(e.Path) > len(path) && alike(e.Path[:len(path)], path)
	})
}

// field reports whether perField has an entry with this key for a field.
func (t *typed) field(key refconfig.FieldKey, path refconfig.FieldPath) bool {
	return slices.ContainsFunc(t.t.Ref.Config.Fields(key), func(f refconfig.FieldFunction) bool {
		return alike(f.Path, path)
	})
}

// alike reports whether two paths may lead to the same field.
func alike(a, b refconfig.FieldPath) bool {
	return slices.EqualFunc(a, b, func(a, b refconfig.Step) bool { return a.Any || b.Any || a.Key == b.Key })
}

// starred is a path with * for each item of a list.
func starred(path refconfig.FieldPath) refconfig.FieldPath {
	path = slices.Clone(path)
	for i, step := range path {
		if step.Index >= 0 {
			path[i] = refconfig.Step{Any: true, Index: -1}
		}
	}
	return path
}

// reads finds fields that the template reads and no CR has, and texts that it holds them against.
func (t *typed) reads(ctx context.Context) {
	for _, f := range t.t.Probe(ctx).Fields {
		path, err := refconfig.ParseFieldPath(f.Path)
		if err != nil || f.Path == render.WholeCR {
			continue
		}
		if lack := lacking(t.kind, t.name, path); lack != "" {
			for _, use := range f.Uses {
				if !t.toldAbove(path) {
					t.warn(code.RefFieldUnknown, lineOf(use.At), "the template reads what no CR has: %s", lack)
				}
			}
			continue
		}
		for _, c := range f.Constraints {
			if c.Through == "" && (c.By == "eq" || c.By == "ne") {
				t.heldAgainst(ctx, f, path, c)
			}
		}
	}
}

// toldAbove reports whether something was told of a field, or of one above it.
func (t *typed) toldAbove(path refconfig.FieldPath) bool {
	for i := range path {
		if t.seen[path[:i+1].String()] {
			return true
		}
	}
	return false
}

// heldAgainst finds values that a field is compared with and that no CR has there.
func (t *typed) heldAgainst(ctx context.Context, f render.Field, path refconfig.FieldPath, c render.Constraint) {
	s, _ := t.kind.At(path)
	for _, value := range c.Values {
		text, err := tree.JSON(value)
		nodes, fault := kubeyaml.Parse([]byte(text))
		if s == nil || value == nil || value == "" || err != nil || fault != nil || len(nodes) != 1 {
			continue
		}
		for _, v := range t.kind.ValidateField(ctx, s, nodes[0], path) {
			if v.Reason == crdschema.Unsupported || v.Reason == crdschema.Invalid {
				t.warn(code.RefFieldRefused, lineOf(f.Uses[0].At), "the template compares %s with %s, which no CR has there: %s%s",
					path, text, v.Detail, code.DidYouMean(nodes[0].Text, v.Names))
			}
		}
	}
}

// perField checks that an entry is for a field that there is, and of a type that it can be compared
// so.
func (t *typed) perField(f refconfig.FieldFunction) {
	if lack := lacking(t.kind, t.name, f.Path); lack != "" {
		if !t.toldAbove(f.Path) {
			t.warn(code.RefFieldUnknown, f.Place, "no CR has this field: %s", lack)
		}
		return
	}
	s, _ := t.kind.At(f.Path)
	if s == nil || diff.IsInside(f.Path) {
		return
	}
	fits := s.Is("string")
	switch f.Key {
	case refconfig.List:
		fits = s.Is("array")
	case refconfig.Quantity, refconfig.InlineDiff:
		fits = fits || s.Is("integer")
	}
	if !fits {
		t.warn(code.RefListKeys, f.Place, "%s cannot be compared as %s: its type is %s", f.Path, f.Said(), s.Type)
		return
	}
	for _, key := range f.Keys {
		step := refconfig.Step{Any: true, Index: -1}
		if lack := lacking(t.kind, t.name, slices.Concat(f.Path, refconfig.FieldPath{step}, key)); lack != "" {
			if len(s.ListKeys) > 0 {
				lack += "; the API server tells the items apart by " + code.Enumerate(s.ListKeys, "and")
			}
			t.warn(code.RefFieldUnknown, f.Place, "no item has this key: %s", lack)
		}
	}
}

// listKeys finds lists of several items that the API server tells apart by keys, and that are
// compared by their order.
func (t *typed) listKeys(n *kubeyaml.Node, path refconfig.FieldPath, text render.Printed) {
	if s, _ := t.kind.At(path); n.Kind == kubeyaml.List && s != nil && s.ListType == "map" && len(n.Values) > 1 &&
		!t.field(refconfig.List, path) && !t.leftOut(path) {
		keys := slices.DeleteFunc(slices.Clone(s.ListKeys), func(key string) bool {
			return !slices.ContainsFunc(n.Values, func(item *kubeyaml.Node) bool {
				stated, _ := item.Field(key)
				return stated != nil
			})
		})
		if place, known := text.Place(n); known && len(keys) > 0 {
			t.warn(code.RefListKeys, place, "the API server tells the items of %s apart by %s, and here their order counts; "+
				"add an entry to perField with list: map(%s)", path, code.Enumerate(s.ListKeys, "and"), strings.Join(keys, ", "))
		}
	}
	for i, v := range n.Values {
		step := refconfig.Step{Any: true, Index: -1}
		if n.Kind == kubeyaml.Map {
			step = refconfig.Key(kubeyaml.KeyString(n.Keys[i]))
		}
		t.listKeys(v, path.Below(step), text)
	}
}

// omits takes down whether a path that is left out leads to a field of the kind. Lists of paths are
// for many kinds, so that only a slip counts.
func (t *typed) omits(e refconfig.OmitEntry) {
	o, path := t.omission(e.Place), e.Path
	if e.Prefix {
		path = path[:max(len(path)-1, 0)]
	}
	lack, slip := noField(t.kind, t.name, path)
	if o.open = o.open || lack == ""; o.lack == "" && slip {
		o.lack = "no CR of a template that this is for has the field: " + lack
	}
}

// lacking says which field of a path a kind does not have, "" if it may have all of them.
func lacking(k *crdschema.Kind, kind string, path refconfig.FieldPath) string {
	lack, _ := noField(k, kind, path)
	return lack
}

// noField is lacking, and reports whether the path is surely a slip.
func noField(k *crdschema.Kind, kind string, path refconfig.FieldPath) (lack string, slip bool) {
	if len(path) == 0 || diff.IsInside(path) || slices.Contains([]string{"apiVersion", "kind", "metadata"}, path[0].Key) {
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
	return missing(k, kind, missed.Above.Below(refconfig.Key(missed.Key)), missed.Names),
		code.Nearest(missed.Key, missed.Names) != ""
}

// missing says that a kind has no field of a path, and which one was probably meant.
func missing(k *crdschema.Kind, kind string, path refconfig.FieldPath, names []string) string {
	key := path[len(path)-1].Key
	meant := code.DidYouMean(key, names)
	if meant == "" {
		if at := k.Elsewhere(key); at != nil {
			meant = "; it has " + at.String()
		}
	}
	return fmt.Sprintf("%s has no field %s%s", kind, path, meant)
}

// lineOf reads file:line.
func lineOf(position string) refconfig.Place {
	i := strings.LastIndexByte(position, ':')
	line, _ := strconv.Atoi(position[i+1:])
	return refconfig.Place{File: position[:max(i, 0)], Line: line}
}
