package crdschema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Schema is the schema of a value in a CustomResourceDefinition or an OpenAPI v3 document.
type Schema struct {
	Ref           string
	Type          string
	Description   string
	Format        string
	Nullable      bool
	Enum          []any
	Default       any
	Properties    map[string]*Schema
	Additional    *orBool
	Items         *Schema
	Required      []string
	AllOf         []*Schema
	AnyOf         []*Schema
	OneOf         []*Schema
	Not           *Schema
	Pattern       string
	Minimum       *float64
	Maximum       *float64
	OverMinimum   bool
	UnderMaximum  bool
	MultipleOf    *float64
	MinLength     *int64
	MaxLength     *int64
	MinItems      *int64
	MaxItems      *int64
	MinProperties *int64
	MaxProperties *int64
	Unique        bool
	KeepsUnknown  bool
	Embedded      bool
	IntOrString   bool
	ListType      string
	ListKeys      []string
	Rules         []Rule
}

// Rule is a rule in CEL about the values of a schema.
type Rule struct {
	Rule              string
	Message           string
	MessageExpression string
	Reason            string
	FieldPath         string
	OptionalOld       bool
}

// Further returns the schema of the keys that are not in Properties, nil for none.
func (s *Schema) Further() *Schema {
	if s.Additional == nil {
		return nil
	}
	return s.Additional.schema
}

// types returns the types that a value may have, nil for any.
func (s *Schema) types() []string {
	switch {
	case s.IntOrString || s.Format == "int-or-string":
		return []string{"integer", "string"}
	case s.Type == "" && s.Format == quantityFormat:
		return []string{"integer", "number", "string"}
	case s.Type == "":
		return nil
	}
	return []string{s.Type}
}

// Is reports whether a value may have a type. A schema may allow any.
func (s *Schema) Is(kind string) bool {
	types := s.types()
	return types == nil || slices.Contains(types, kind) || kind == "integer" && s.Type == "number"
}

// field returns the schema of a field of an object; nil if it is unknown. known reports whether the
// field may exist.
func (k *Kind) field(s *Schema, key string) (below *Schema, known bool) {
	if below = s.Properties[key]; below != nil {
		return k.Target(below), true
	}
	if s.Additional != nil && s.Additional.schema != nil {
		return k.Target(s.Additional.schema), true
	}
	open := s.KeepsUnknown || k.open || s.Additional != nil && s.Additional.allowed || s.Type != "object" ||
		k.published && len(s.Properties) == 0
	return nil, open || s.Embedded && slices.Contains([]string{"apiVersion", "kind", "metadata"}, key)
}

// quantityFormat is the format of quantities. OpenAPI documents say only that these are texts or numbers.
const quantityFormat = "quantity"

// Target returns the schema that a reference names. OpenAPI documents put a reference alone into
// allOf to add other keys.
func (k *Kind) Target(s *Schema) *Schema {
	const longest = 50 // references in a row
	for range longest {
		if s == nil { // null instead of a schema
			return &Schema{}
		}
		ref := s.Ref
		if ref == "" && len(s.AllOf) == 1 && s.AllOf[0] != nil && s.Type == "" {
			ref = s.AllOf[0].Ref
		}
		if ref == "" || k.shared == nil {
			break
		}
		if strings.HasSuffix(ref, ".api.resource.Quantity") {
			return &Schema{Format: quantityFormat}
		}
		next := k.shared(strings.TrimPrefix(ref, "#/components/schemas/"))
		if next == nil {
			break
		}
		s = next
	}
	return s
}

// Missed is a field that a schema does not have.
type Missed struct {
	Above refconfig.FieldPath // the path of the parent
	Key   string
	Names []string // names of the parent's fields
	Type  string   // type of the parent if it has no fields
}

// At returns the schema of the field at a path, nil if it is unknown, and the first field on the
// path that does not exist.
func (k *Kind) At(path refconfig.FieldPath) (*Schema, *Missed) {
	s := k.Root
	for i, step := range path {
		switch {
		case s == nil, s.Type == "" && len(s.Properties) == 0:
			return nil, nil
		case s.Type == "array" && (step.Any || step.Index >= 0):
			s = k.Target(cmp.Or(s.Items, &Schema{}))
		case s.Type == "object" && step.Any:
			if s.Additional == nil || s.Additional.schema == nil {
				return nil, nil
			}
			s = k.Target(s.Additional.schema)
		case s.Type == "object":
			below, known := k.field(s, step.Key)
			if !known {
				return nil, &Missed{Above: path[:i], Key: step.Key, Names: tree.Keys(s.Properties)}
			}
			s = below
		default:
			return nil, &Missed{Above: path[:i], Key: step.Key, Type: s.Type}
		}
	}
	return s, nil
}

// Elsewhere returns the path of the only field with a name; nil if no field or several fields have
// it.
func (k *Kind) Elsewhere(key string) refconfig.FieldPath {
	const most = 2000 // fields to visit
	type place struct {
		schema *Schema
		path   refconfig.FieldPath
	}
	var found refconfig.FieldPath
	queue := []place{{schema: k.Root}}
	for i := 0; i < len(queue) && i < most; i++ {
		at := queue[i]
		if at.schema.Items != nil {
			queue = append(queue, place{k.Target(at.schema.Items), at.path.Below(refconfig.AnyStep())})
		}
		for _, name := range tree.Keys(at.schema.Properties) {
			if len(at.path) == 0 && (name == "metadata" || name == "status") {
				continue
			}
			path := at.path.Below(refconfig.Key(name))
			switch {
			case name == key && found != nil:
				return nil
			case name == key:
				found = path
			}
			queue = append(queue, place{k.Target(at.schema.Properties[name]), path})
		}
	}
	return found
}
