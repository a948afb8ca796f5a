package crdschema

import (
	"maps"
	"reflect"
	"strings"
	"testing"
)

// everyKeyword has a value for each keyword of a schema.
func everyKeyword() map[string]any {
	one := map[string]any{"type": "string"}
	return map[string]any{
		"$ref": "#/a", "type": "object", "description": "d", "format": "f", "nullable": true, "enum": []any{int64(1)},
		"default": "x", "properties": map[string]any{"a": one}, "additionalProperties": one, "items": one,
		"required": []any{"a"}, "allOf": []any{one}, "anyOf": []any{one}, "oneOf": []any{one}, "not": one,
		"pattern": "p", "minimum": 1.5, "maximum": int64(9), "exclusiveMinimum": true, "exclusiveMaximum": true,
		"multipleOf": 0.5, "minLength": int64(1), "maxLength": 2.0, "minItems": int64(1), "maxItems": int64(1),
		"minProperties": int64(1), "maxProperties": int64(1), "uniqueItems": true,
		"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
		"x-kubernetes-int-or-string": true, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"a"},
		"x-kubernetes-validations": []any{map[string]any{
			"rule": "r", "message": "m", "messageExpression": "e", "reason": "w", "fieldPath": ".a", "optionalOldSelf": true,
		}},
	}
}

// TestEveryKeywordIsRead checks that no field of a schema stays empty, and that null is as if the
// keyword were absent.
func TestEveryKeywordIsRead(t *testing.T) {
	var d decoder
	s := d.schema(everyKeyword())
	if d.err() != nil {
		t.Fatal(d.err())
	}
	for _, v := range []any{*s, s.Rules[0]} {
		for i := range reflect.ValueOf(v).NumField() {
			if reflect.ValueOf(v).Field(i).IsZero() {
				t.Errorf("no keyword sets %s of %T", reflect.TypeOf(v).Field(i).Name, v)
			}
		}
	}
	if *s.Minimum != 1.5 || *s.Maximum != 9 || *s.MaxLength != 2 {
		t.Errorf("numbers are read as %v, %v and %v", *s.Minimum, *s.Maximum, *s.MaxLength)
	}
	for key := range everyKeyword() {
		if s := d.schema(map[string]any{key: nil}); d.err() != nil || !reflect.DeepEqual(*s, Schema{}) &&
			key != "properties" {
			t.Errorf("%s: null is read as %+v, %v", key, s, d.err())
		}
	}
}

// TestWrongTypesAreRefused gives each keyword a value of a type that none has, deep in a schema.
func TestWrongTypesAreRefused(t *testing.T) {
	for key, right := range everyKeyword() {
		if key == "default" {
			continue // any value can be one
		}
		var d decoder
		d.schema(map[string]any{"properties": map[string]any{"a": map[string]any{key: struct{}{}}}})
		if err := d.err(); err == nil || !strings.HasPrefix(err.Error(), "properties.a."+key+" is not ") {
			t.Errorf("%s: %v", key, err)
		}
		if list, isList := right.([]any); isList && key != "enum" {
			var d decoder
			d.schema(map[string]any{key: append(list, struct{}{})})
			if d.err() == nil {
				t.Errorf("%s: a wrong item is read", key)
			}
		}
	}
	twice := maps.Clone(everyKeyword())
	twice["type"], twice["items"] = true, map[string]any{"format": true, "pattern": true}
	for range 20 {
		var d decoder
		if d.schema(twice); d.err().Error() != "items.format is not a text" {
			t.Fatalf("of several, the first is not said: %v", d.err())
		}
	}
}
