package crdschema

import (
	"errors"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// decoder reads schemas from decoded values, without a detour through JSON, which takes five times as
// long. A value of a wrong type is an error; null is nothing, as in JSON.
type decoder struct {
	path  []string // of the value that is read
	wrong string   // why the values are unusable, the first by path; "" if they are usable
}

// err returns why the values are unusable, nil if they are usable.
func (d *decoder) err() error {
	if d.wrong == "" {
		return nil
	}
	return errors.New(d.wrong)
}

// refuse records that the value that is read is not what it should be.
func (d *decoder) refuse(want string) {
	if text := strings.Join(d.path, ".") + " is not " + want; d.wrong == "" || text < d.wrong {
		d.wrong = text
	}
}

// typed returns a value of a type, and its zero value for null.
func typed[T any](d *decoder, v any, want string) T {
	out, ok := v.(T)
	if !ok && v != nil {
		d.refuse(want)
	}
	return out
}

func (d *decoder) text(v any) string { return typed[string](d, v, "a text") }

func (d *decoder) yes(v any) bool { return typed[bool](d, v, "true or false") }

// each calls a function with each field of a map.
func (d *decoder) each(v any, use func(key string, v any)) {
	for key, below := range typed[map[string]any](d, v, "a map") {
		d.path = append(d.path, key)
		use(key, below)
		d.path = d.path[:len(d.path)-1]
	}
}

// items returns what a function makes of each item of a list.
func items[T any](d *decoder, v any, item func(any) T) []T {
	list := typed[[]any](d, v, "a list")
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, one := range list {
		out[i] = item(one)
	}
	return out
}

// number returns a number, nil for null.
func (d *decoder) number(v any) *float64 {
	if whole, ok := v.(int64); ok {
		v = float64(whole)
	}
	if v == nil {
		return nil
	}
	out := typed[float64](d, v, "a number")
	return &out
}

// count returns a whole number, nil for null.
func (d *decoder) count(v any) *int64 {
	if v == nil {
		return nil
	}
	out := typed[int64](d, tree.Plain(v), "a whole number")
	return &out
}

// schema returns a schema, nil for null.
func (d *decoder) schema(v any) *Schema {
	if v == nil {
		return nil
	}
	s := &Schema{}
	d.each(v, func(key string, v any) { d.keyword(s, key, v) })
	return s
}

// schemas returns the schemas in a map.
func (d *decoder) schemas(v any) map[string]*Schema {
	all := map[string]*Schema{}
	d.each(v, func(key string, v any) { all[key] = d.schema(v) })
	return all
}

// orBool returns a schema, or a boolean that allows anything or nothing.
func (d *decoder) orBool(v any) *orBool {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		return &orBool{allowed: v}
	}
	return &orBool{schema: d.schema(v)}
}

// keyword sets what a keyword of a schema says.
func (d *decoder) keyword(s *Schema, key string, v any) {
	switch key {
	case "$ref":
		s.Ref = d.text(v)
	case "type":
		s.Type = d.text(v)
	case "description":
		s.Description = d.text(v)
	case "format":
		s.Format = d.text(v)
	case "nullable":
		s.Nullable = d.yes(v)
	case "enum":
		s.Enum = typed[[]any](d, v, "a list")
	case "default":
		s.Default = v
	case "properties":
		s.Properties = d.schemas(v)
	case "additionalProperties":
		s.Additional = d.orBool(v)
	case "items":
		s.Items = d.schema(v)
	case "required":
		s.Required = items(d, v, d.text)
	case "allOf":
		s.AllOf = items(d, v, d.schema)
	case "anyOf":
		s.AnyOf = items(d, v, d.schema)
	case "oneOf":
		s.OneOf = items(d, v, d.schema)
	case "not":
		s.Not = d.schema(v)
	case "x-kubernetes-preserve-unknown-fields":
		s.KeepsUnknown = d.yes(v)
	case "x-kubernetes-embedded-resource":
		s.Embedded = d.yes(v)
	case "x-kubernetes-int-or-string":
		s.IntOrString = d.yes(v)
	case "x-kubernetes-list-type":
		s.ListType = d.text(v)
	case "x-kubernetes-list-map-keys":
		s.ListKeys = items(d, v, d.text)
	case "x-kubernetes-validations":
		s.Rules = items(d, v, d.rule)
	default:
		d.bound(s, key, v)
	}
}

// bound sets a bound of values.
func (d *decoder) bound(s *Schema, key string, v any) {
	switch key {
	case "pattern":
		s.Pattern = d.text(v)
	case "minimum":
		s.Minimum = d.number(v)
	case "maximum":
		s.Maximum = d.number(v)
	case "exclusiveMinimum":
		s.OverMinimum = d.yes(v)
	case "exclusiveMaximum":
		s.UnderMaximum = d.yes(v)
	case "multipleOf":
		s.MultipleOf = d.number(v)
	case "minLength":
		s.MinLength = d.count(v)
	case "maxLength":
		s.MaxLength = d.count(v)
	case "minItems":
		s.MinItems = d.count(v)
	case "maxItems":
		s.MaxItems = d.count(v)
	case "minProperties":
		s.MinProperties = d.count(v)
	case "maxProperties":
		s.MaxProperties = d.count(v)
	case "uniqueItems":
		s.Unique = d.yes(v)
	}
}

// rule returns a rule in CEL.
func (d *decoder) rule(v any) (r Rule) {
	d.each(v, func(key string, v any) {
		switch key {
		case "rule":
			r.Rule = d.text(v)
		case "message":
			r.Message = d.text(v)
		case "messageExpression":
			r.MessageExpression = d.text(v)
		case "reason":
			r.Reason = d.text(v)
		case "fieldPath":
			r.FieldPath = d.text(v)
		case "optionalOldSelf":
			r.OptionalOld = d.yes(v)
		}
	})
	return r
}

// definition is a CustomResourceDefinition, of v1 or v1beta1.
type definition struct {
	group, kind, scope string
	keepsUnknown       *bool
	statusApart        bool    // in all versions
	schema             *Schema // of the versions that have none
	versions           []definedVersion
	version            string // of a definition without versions
}

// definedVersion is a version of a kind.
type definedVersion struct {
	name        string
	served      bool
	statusApart bool
	schema      *Schema
}

// definition returns the CustomResourceDefinition that an object is.
func (d *decoder) definition(object map[string]any) (out definition) {
	d.path = append(d.path, "spec")
	d.each(object["spec"], func(key string, v any) {
		switch key {
		case "group":
			out.group = d.text(v)
		case "scope":
			out.scope = d.text(v)
		case "version":
			out.version = d.text(v)
		case "names":
			d.each(v, func(key string, v any) {
				if key == "kind" {
					out.kind = d.text(v)
				}
			})
		case "preserveUnknownFields":
			if v != nil {
				keeps := d.yes(v)
				out.keepsUnknown = &keeps
			}
		case "validation":
			out.schema = d.openAPI(v)
		case "subresources":
			out.statusApart = d.hasStatus(v)
		case "versions":
			out.versions = items(d, v, d.definedVersion)
		}
	})
	return out
}

func (d *decoder) definedVersion(v any) definedVersion {
	one := definedVersion{served: true}
	d.each(v, func(key string, v any) {
		switch key {
		case "name":
			one.name = d.text(v)
		case "served":
			one.served = v == nil || d.yes(v)
		case "schema":
			one.schema = d.openAPI(v)
		case "subresources":
			one.statusApart = d.hasStatus(v)
		}
	})
	return one
}

// openAPI returns the schema in a validation of a definition.
func (d *decoder) openAPI(v any) (s *Schema) {
	d.each(v, func(key string, v any) {
		if key == "openAPIV3Schema" {
			s = d.schema(v)
		}
	})
	return s
}

// hasStatus reports whether subresources have the status.
func (d *decoder) hasStatus(v any) bool {
	return typed[map[string]any](d, v, "a map")["status"] != nil
}

// definedKind is a kind that a schema of an OpenAPI document describes.
type definedKind struct{ group, version, kind string }

// definedKinds returns the kinds that a schema of an OpenAPI document describes.
func (d *decoder) definedKinds(schema any) []definedKind {
	fields, _ := schema.(map[string]any)
	return items(d, fields["x-kubernetes-group-version-kind"], func(v any) (k definedKind) {
		d.each(v, func(key string, v any) {
			switch key {
			case "group":
				k.group = d.text(v)
			case "version":
				k.version = d.text(v)
			case "kind":
				k.kind = d.text(v)
			}
		})
		return k
	})
}
