package celrule

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// unknown stands for a value that is not known, such as one that the collector masked.
type unknown struct{}

// typed is a value with its schema; nil for a value that no schema describes.
type typed struct {
	value  any
	schema *crdschema.Schema
}

// values gives the values of one evaluation to the library, and notes what an expression read that
// makes its result worthless.
type values struct {
	types   *provider
	unknown bool // a value that is not known
	foreign bool // a value that has another type than the schema says, or is not supported
}

// NativeToValue implements types.Adapter.
func (c *values) NativeToValue(value any) ref.Val {
	if v, ok := value.(typed); ok {
		return c.value(v.value, v.schema, false)
	}
	return types.DefaultTypeAdapter.NativeToValue(value)
}

// value returns a value as expressions see it.
func (c *values) value(v any, s *crdschema.Schema, root bool) ref.Val {
	if _, isUnknown := v.(unknown); isUnknown {
		c.unknown = true
		return types.NewErr("the value is not known")
	}
	if s == nil {
		return opaque{value: v}
	}
	s = c.types.target(s, root)
	switch v := v.(type) {
	case nil:
		if s.Nullable {
			return types.NullValue
		}
	case bool:
		if s.Type == "boolean" {
			return types.Bool(v)
		}
	case int64:
		switch {
		case s.Type == "number" && !s.IntOrString:
			return types.Double(v)
		case s.Type == "integer", s.IntOrString:
			return types.Int(v)
		}
	case float64:
		if s.Type == "number" {
			return types.Double(v)
		}
	case string:
		if s.Type == "string" || s.IntOrString {
			return c.text(v, s)
		}
	case []any:
		if s.Type == "array" && s.Items != nil {
			return c.list(v, s)
		}
	case map[string]any:
		if s.Type == "object" {
			return c.object(v, s)
		}
	}
	if s.KeepsUnknown && s.Type == "" {
		return opaque{value: v}
	}
	c.foreign = true
	return types.NewErr("a value of another type than %s", s.Type)
}

// text returns a text, or what it stands for according to its format.
func (c *values) text(text string, s *crdschema.Schema) ref.Val {
	var err error
	var value ref.Val = types.String(text)
	var t time.Time
	switch {
	case s.IntOrString:
	case s.Format == "duration":
		var d time.Duration
		d, err = time.ParseDuration(text)
		value = types.Duration{Duration: d}
	case s.Format == "date":
		t, err = time.Parse(time.DateOnly, text)
		value = types.Timestamp{Time: t}
	case s.Format == "date-time":
		t, err = time.Parse(time.RFC3339, text)
		value = types.Timestamp{Time: t}
	case s.Format == "byte":
		var b []byte
		b, err = base64.StdEncoding.DecodeString(text)
		value = types.Bytes(b)
	}
	if err != nil { // the API server reads more spellings of durations
		c.foreign = true
		return types.WrapErr(err)
	}
	return value
}

// object returns a map, or an object, in which null is the same as an absent field.
func (c *values) object(m map[string]any, s *crdschema.Schema) ref.Val {
	all := make(map[string]any, len(m))
	more := s.Further()
	for key, v := range m {
		below, isField := s.Properties[key]
		switch {
		case isField && v == nil:
		case isField:
			if escaped, ok := escape(key); ok {
				key = escaped
			}
			all[key] = typed{v, below}
		case s.Properties == nil && more != nil:
			all[key] = typed{v, more}
		default:
			all[key] = typed{v, nil}
		}
	}
	return types.NewStringInterfaceMap(c, all)
}

// list returns a list, which is compared as its type says.
func (c *values) list(items []any, s *crdschema.Schema) ref.Val {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = typed{item, s.Items}
	}
	plain := types.NewDynamicList(c, all)
	if s.ListType == "set" || s.ListType == "map" && len(s.ListKeys) > 0 {
		return unordered{Lister: plain, schema: s, values: c}
	}
	return plain
}

// unordered is a list that is a set or a map: its order does not count, and + joins items.
type unordered struct {
	traits.Lister
	schema *crdschema.Schema
	values *values
}

// key returns what identifies an item.
func (l unordered) key(item ref.Val) string {
	keys := []ref.Val{item}
	if m, ok := item.(traits.Mapper); ok && l.schema.ListType == "map" {
		keys = nil
		for _, name := range l.schema.ListKeys {
			escaped, _ := escape(name)
			v, _ := m.Find(types.String(escaped))
			keys = append(keys, v)
		}
	}
	var text []byte
	for _, k := range keys {
		if k != nil {
			text = strconv.AppendQuote(append(text, k.Type().TypeName()...), fmt.Sprint(k.Value()))
		}
		text = append(text, ',')
	}
	return string(text)
}

func (l unordered) index() map[string]ref.Val {
	all := map[string]ref.Val{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		all[l.key(item)] = item
	}
	return all
}

// Equal implements ref.Val.
func (l unordered) Equal(other ref.Val) ref.Val {
	list, ok := other.(traits.Lister)
	if !ok || l.Size() != list.Size() {
		return types.False
	}
	own, seen := l.index(), map[string]bool{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		item := it.Next()
		key := l.key(item)
		same, found := own[key]
		if !found || types.Equal(same, item) != types.True {
			return types.False
		}
		seen[key] = true
	}
	return types.Bool(len(seen) == len(own))
}

// Add implements traits.Adder.
func (l unordered) Add(other ref.Val) ref.Val {
	list, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	var all []ref.Val
	at := map[string]int{}
	for _, each := range []traits.Lister{l, list} {
		for it := each.Iterator(); it.HasNext() == types.True; {
			item := it.Next()
			if i, known := at[l.key(item)]; known {
				all[i] = item
				continue
			}
			at[l.key(item)] = len(all)
			all = append(all, item)
		}
	}
	return types.NewRefValList(l.values, all)
}

// opaque is a value without a schema. Expressions can only compare it.
type opaque struct{ value any }

// ConvertToNative implements ref.Val.
func (o opaque) ConvertToNative(reflect.Type) (any, error) { return o.value, nil }

// ConvertToType implements ref.Val.
func (o opaque) ConvertToType(to ref.Type) ref.Val {
	return types.NewErr("no conversion to %s of a value without a schema", to.TypeName())
}

// Equal implements ref.Val.
func (o opaque) Equal(other ref.Val) ref.Val {
	same, ok := other.(opaque)
	return types.Bool(ok && tree.Equal(o.value, same.value))
}

// Type implements ref.Val.
func (o opaque) Type() ref.Type { return types.UnknownType }

// Value implements ref.Val.
func (o opaque) Value() any { return o.value }
