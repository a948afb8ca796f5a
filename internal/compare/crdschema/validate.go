package crdschema

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Reason is the reason of a rejection, in the words of the API server.
type Reason string

// The reasons.
const (
	Unknown     Reason = "unknown field"
	Required    Reason = "Required value"
	Invalid     Reason = "Invalid value"
	Unsupported Reason = "Unsupported value"
	Duplicate   Reason = "Duplicate value"
	TooLong     Reason = "Too long"
	TooMany     Reason = "Too many"
	Forbidden   Reason = "Forbidden" // only rules in CEL say so
)

// Violation is a value that an API server rejects. With the reason Unknown, it is a field that the
// API server drops, or rejects in strict mode.
type Violation struct {
	Path   refconfig.FieldPath
	At     *kubeyaml.Node // the key of an unknown field, the parent of a missing field, else the value
	Reason Reason
	Value  string   // the rejected value in the API server's format; it may be secret
	Detail string   // such as "should match '^a'"
	Again  bool     // the API server repeats the value after the detail
	IsRule bool     // a rule in CEL is broken
	Shown  string   // the path in the API server's format, if it has another one for a rule
	Names  []string // the known fields, or the allowed values
}

// Error returns the message of the API server.
func (v Violation) Error() string {
	if v.IsRule {
		text := v.Shown + ": " + string(v.Reason)
		for _, part := range []string{v.Value, v.Detail} {
			if part != "" {
				text += ": " + part
			}
		}
		return text
	}
	path := apiPath(v.Path)
	switch v.Reason {
	case Unknown:
		return fmt.Sprintf("unknown field %q", path)
	case Required:
		return path + ": Required value"
	case Invalid:
		text := fmt.Sprintf("%s: Invalid value: %s: %s in body %s", path, v.Value, path, v.Detail)
		if v.Again {
			text += ": " + v.Value
		}
		return text
	case Duplicate:
		return fmt.Sprintf("%s: Duplicate value: %s", path, v.Value)
	case Unsupported:
		return fmt.Sprintf("%s: Unsupported value: %s: %s", path, v.Value, v.Detail)
	}
	return fmt.Sprintf("%s: %s: %s", path, v.Reason, v.Detail)
}

// Blocks reports whether the API server evaluates no rule in CEL because of the violation.
func (v Violation) Blocks() bool {
	switch v.Reason {
	case Required, Unsupported, TooLong, TooMany:
		return true
	}
	return v.Again // a wrong type or format
}

// apiPath returns a path in the API server's format: spec.ports[0].name.
func apiPath(path refconfig.FieldPath) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case step.Any:
			b.WriteString("[*]")
		case step.Index >= 0:
			fmt.Fprintf(&b, "[%d]", step.Index)
		case i > 0:
			b.WriteString("." + step.Key)
		default:
			b.WriteString(step.Key)
		}
	}
	return b.String()
}

// Hole says how much of a value is unknown.
type Hole int

// The holes.
const (
	Whole    Hole = iota // all is known
	Text                 // an unknown text
	Anything             // nothing is known
)

// Options of a validation. The zero value is for an object without holes.
type Options struct {
	// Hole returns which part of the value at a path is unknown. With it, the number of items and
	// duplicates are not checked. Key reports an unknown key.
	Hole func(n *kubeyaml.Node, path refconfig.FieldPath) Hole
	Key  func(n *kubeyaml.Node) bool
	// NoStatus skips the status if the API server drops it when users apply an object.
	NoStatus bool
}

// Validate returns what an API server would reject in an object, until the context ends. It checks
// metadata only against the schema of the kind.
func (k *Kind) Validate(ctx context.Context, object *kubeyaml.Node, opt Options) []Violation {
	v := &validator{ctx: ctx, kind: k, opt: opt}
	v.value(k.Root, object, nil)
	return v.found
}

// ValidateField returns what an API server would reject in the value of a field.
func (k *Kind) ValidateField(
	ctx context.Context, s *Schema, value *kubeyaml.Node, path refconfig.FieldPath,
) []Violation {
	v := &validator{ctx: ctx, kind: k}
	v.value(s, value, path)
	return v.found
}

// validator is the validation of one object.
type validator struct {
	ctx   context.Context
	kind  *Kind
	opt   Options
	found []Violation
	deep  int  // nesting of the schemas for one value
	loose bool // unknown fields are not reported
}

// deepest is the largest nesting of schemas for one value.
const deepest = 60

// refuse adds a violation.
func (v *validator) refuse(path refconfig.FieldPath, at *kubeyaml.Node, reason Reason, value any, format string,
	args ...any,
) *Violation {
	found := Violation{Path: path, At: at, Reason: reason, Detail: fmt.Sprintf(format, args...)}
	if reason == Invalid || reason == Unsupported || reason == Duplicate {
		found.Value, _ = tree.JSON(value)
	}
	v.found = append(v.found, found)
	return &v.found[len(v.found)-1]
}

func (v *validator) hole(n *kubeyaml.Node, path refconfig.FieldPath) Hole {
	if v.opt.Hole == nil {
		return Whole
	}
	return v.opt.Hole(n, path)
}

// value checks a value against a schema.
func (v *validator) value(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	s = v.kind.Target(s)
	if v.ctx.Err() != nil || v.deep > deepest {
		return
	}
	hole := v.hole(n, path)
	if hole == Anything {
		return
	}
	if hole == Whole {
		v.enum(s, n, path)
	}
	if have := typeOf(n, hole); !s.Is(have) && !(have == "null" && s.Nullable) {
		v.refuse(path, n, Invalid, have, "must be of type %s", strings.Join(s.types(), ",")).Again = true
		return
	}
	switch {
	case hole == Text:
		return
	case n.Kind == kubeyaml.Map:
		v.object(s, n, path)
	case n.Kind == kubeyaml.List:
		v.list(s, n, path)
	default:
		v.scalar(s, n, path)
	}
	v.composed(s, n, path)
}

// enum checks a value against the allowed values.
func (v *validator) enum(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	if len(s.Enum) == 0 {
		return
	}
	value := n.Value()
	if slices.ContainsFunc(s.Enum, func(e any) bool { return tree.Equal(tree.Plain(e), value) }) {
		return
	}
	var names, quoted []string
	for _, e := range s.Enum {
		name, isText := e.(string)
		if !isText {
			name, _ = tree.JSON(e)
		}
		names, quoted = append(names, name), append(quoted, strconv.Quote(name))
	}
	v.refuse(path, n, Unsupported, value, "supported values: %s", strings.Join(quoted, ", ")).Names = names
}

// typeOf returns the type of a value as schemas name it.
func typeOf(n *kubeyaml.Node, hole Hole) string {
	switch {
	case hole == Text:
		return "string"
	case n.Kind == kubeyaml.Map:
		return "object"
	case n.Kind == kubeyaml.List:
		return "array"
	}
	switch value := n.Value().(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		if value == math.Trunc(value) {
			return "integer"
		}
		return "number"
	}
	return "string"
}

// object checks the fields of a map against a schema.
func (v *validator) object(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	given, open := map[string]bool{}, false
	root := len(path) == 0 || s.Embedded
	for i, key := range n.Keys {
		name := kubeyaml.KeyString(key)
		if len(path) == 0 && name == "status" && v.opt.NoStatus && v.kind.statusApart {
			given[name] = true
			continue
		}
		at := path.Below(refconfig.Key(name))
		if v.opt.Key != nil && v.opt.Key(key) {
			open = true
			continue
		}
		below, known := v.kind.field(s, name)
		value := n.Values[i]
		dropped := below != nil && !below.Nullable && value.IsNull() && v.hole(value, at) == Whole
		given[name] = !dropped || v.opt.Hole != nil
		switch {
		case root && name == "metadata" && below != nil && !v.kind.published:
			loose := v.loose
			v.loose = true // the schema does not describe the metadata of all objects
			v.value(below, value, at)
			v.loose = loose
		case root && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name), dropped:
		case !known && !v.loose:
			v.refuse(at, key, Unknown, nil, "").Names = tree.Keys(s.Properties)
		case below != nil:
			v.value(below, value, at)
		}
	}
	if open {
		return
	}
	required := s.Required
	if s.Embedded {
		required = slices.Concat(required, []string{"apiVersion", "kind"})
	}
	for _, name := range required {
		if below, _ := v.kind.field(s, name); !given[name] && (below == nil || below.Default == nil) {
			v.refuse(path.Below(refconfig.Key(name)), n, Required, nil, "")
		}
	}
	v.count(s.MinProperties, s.MaxProperties, n, path, "properties")
}

// count checks the number of items or keys against the minimum and maximum.
func (v *validator) count(least, most *int64, n *kubeyaml.Node, path refconfig.FieldPath, what string) {
	switch size := int64(len(n.Values)); {
	case v.opt.Hole != nil:
	case least != nil && size < *least:
		v.refuse(path, n, Invalid, size, "should have at least %d %s", *least, what)
	case most != nil && size > *most:
		items := "items"
		if *most == 1 {
			items = "item"
		}
		v.refuse(path, n, TooMany, size, "%d: must have at most %d %s", size, *most, items)
	}
}

// list checks the items of a list against a schema.
func (v *validator) list(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	seen := map[string]bool{}
	for i, item := range n.Values {
		step := refconfig.Step{Key: strconv.Itoa(i), Index: i}
		at := path.Below(step)
		if s.Items != nil {
			v.value(s.Items, item, at)
		}
		if v.opt.Hole != nil || s.ListType != "map" && s.ListType != "set" && !s.Unique {
			continue
		}
		which := item.Value()
		if s.ListType == "map" {
			if item.Kind != kubeyaml.Map {
				continue
			}
			keys := map[string]any{}
			for _, key := range s.ListKeys {
				_, value := item.Field(key)
				keys[key] = value.Value()
			}
			which = keys
		}
		text, _ := tree.JSON(which)
		switch {
		case seen[text] && s.Unique:
			v.refuse(path, n, Invalid, "", "shouldn't contain duplicates")
		case seen[text]:
			v.refuse(at, item, Duplicate, which, "")
		}
		seen[text] = true
	}
	v.count(s.MinItems, s.MaxItems, n, path, "items")
}

// scalar checks a text, a number, a boolean or null against a schema.
func (v *validator) scalar(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	value := n.Value()
	invalid := func(format string, args ...any) { v.refuse(path, n, Invalid, value, format, args...) }
	switch value := value.(type) {
	case string:
		length := int64(utf8.RuneCountInString(value))
		if s.MinLength != nil && length < *s.MinLength {
			invalid("should be at least %d chars long", *s.MinLength)
		}
		if s.MaxLength != nil && length > *s.MaxLength {
			v.refuse(path, n, TooLong, nil, "may not be more than %d bytes", *s.MaxLength)
		}
		const most = 1 << 26 // instructions of the pattern times bytes of the text, about a second
		if s.Pattern != "" {
			p := v.kind.pattern(s.Pattern)
			if p.Regexp != nil && p.instructions*len(value) <= most && !p.MatchString(value) {
				invalid("should match '%s'", s.Pattern)
			}
		}
		if !v.kind.hasFormat(value, s.Format) {
			v.refuse(path, n, Invalid, value, "must be of type %s", s.Format).Again = true
		}
	case int64:
		if s.Format == "int32" && value != int64(int32(value)) {
			invalid("must be of type integer with format int32")
		}
		number(s, float64(value), invalid)
	case float64:
		if s.Type == "integer" && value == math.Trunc(value) && math.Abs(value) >= math.MaxInt64 {
			invalid("must be of type integer with format %s", cmp.Or(s.Format, "int64"))
		}
		number(s, value, invalid)
	}
}

// number checks a number against a schema.
func number(s *Schema, value float64, invalid func(string, ...any)) {
	orEqual := func(over bool) string {
		if over {
			return ""
		}
		return "or equal to "
	}
	limit := func(of *float64) float64 {
		if of != nil && value == math.Trunc(value) {
			return math.Trunc(*of) // the API server compares integers with integers
		}
		return *cmp.Or(of, new(float64))
	}
	if least := limit(s.Minimum); s.Minimum != nil && (value < least || s.OverMinimum && value == least) {
		invalid("should be greater than %s%v", orEqual(s.OverMinimum), least)
	}
	if most := limit(s.Maximum); s.Maximum != nil && (value > most || s.UnderMaximum && value == most) {
		invalid("should be less than %s%v", orEqual(s.UnderMaximum), most)
	}
	if s.MultipleOf != nil && *s.MultipleOf > 0 && math.Mod(value, *s.MultipleOf) != 0 {
		invalid("should be a multiple of %v", *s.MultipleOf)
	}
}

// composed checks a value against allOf, anyOf, oneOf and not. It skips the last three for a map or
// list that may have holes, because the result depends on the holes.
func (v *validator) composed(s *Schema, n *kubeyaml.Node, path refconfig.FieldPath) {
	loose := v.loose
	v.loose = true
	v.deep++
	defer func() { v.loose, v.deep = loose, v.deep-1 }()
	for _, one := range s.AllOf {
		v.value(one, n, path)
	}
	if v.opt.Hole != nil && n.Kind != kubeyaml.Scalar {
		return
	}
	if any, all := v.holds(s.AnyOf, n, path); any == 0 && all > 0 {
		v.refuse(path, n, Invalid, "", "must validate at least one schema (anyOf)")
	}
	if one, all := v.holds(s.OneOf, n, path); one != 1 && all > 0 {
		v.refuse(path, n, Invalid, "", "must validate one and only one schema (oneOf)")
	}
	if s.Not != nil {
		if held, _ := v.holds([]*Schema{s.Not}, n, path); held > 0 {
			v.refuse(path, n, Invalid, "", "must not validate the schema (not)")
		}
	}
}

// holds counts the schemas that a value satisfies.
func (v *validator) holds(schemas []*Schema, n *kubeyaml.Node, path refconfig.FieldPath) (met, all int) {
	for _, s := range schemas {
		found := len(v.found)
		if v.value(s, n, path); len(v.found) == found {
			met++
		}
		v.found = v.found[:found]
	}
	return met, len(schemas)
}
