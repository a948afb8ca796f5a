package crdschema

import (
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Defaults returns the fields of an object that have the default value of the schema and that the
// expected value does not state. An item of a list states a field for all items.
func (k *Kind) Defaults(object, expected any) []refconfig.FieldPath {
	const most = 100_000 // values that defaults are completed with
	d := &defaults{kind: k, left: most}
	d.value(k.Root, object, []any{expected}, nil)
	return d.found
}

type defaults struct {
	kind  *Kind
	found []refconfig.FieldPath
	left  int // values that may be completed
}

func (d *defaults) value(s *Schema, v any, expected []any, path refconfig.FieldPath) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			below, _ := d.kind.field(s, key)
			if below == nil || isHead(path, key) {
				continue
			}
			at := path.Below(refconfig.Key(key))
			stated := valuesIn(expected, key)
			switch {
			case len(stated) > 0:
				d.value(below, v[key], stated, at)
			case below.Default != nil && tree.Equal(v[key], d.complete(below, tree.Plain(below.Default))):
				d.found = append(d.found, at)
			}
		}
	case []any:
		if s.Items == nil {
			return
		}
		items := itemsOf(expected)
		for i, x := range v {
			d.value(d.kind.Target(s.Items), x, items, path.Below(refconfig.Step{Key: strconv.Itoa(i), Index: i}))
		}
	}
}

// isHead reports whether a key of an object is one that all objects have, or its status.
func isHead(path refconfig.FieldPath, key string) bool {
	return len(path) == 0 && (key == "apiVersion" || key == "kind" || key == "metadata" || key == "status")
}

func valuesIn(all []any, key string) (found []any) {
	for _, v := range all {
		if x, there := mapOf(v)[key]; there {
			found = append(found, x)
		}
	}
	return found
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func itemsOf(lists []any) (items []any) {
	for _, v := range lists {
		list, _ := v.([]any)
		items = append(items, list...)
	}
	return items
}

// Admit returns a copy of an object as the API server stores it: with the defaults of fields that it
// lacks, without unknown fields, and without nulls where none is allowed. It returns false if the
// copy would be too large.
func (k *Kind) Admit(object map[string]any) (admitted map[string]any, ok bool) {
	const most = 1_000_000 // values
	d := &defaults{kind: k, left: most}
	admitted, _ = d.admit(k.Root, object, true).(map[string]any)
	return admitted, d.left >= 0
}

func (d *defaults) admit(s *Schema, v any, root bool) any {
	if d.left--; d.left < 0 {
		return v
	}
	s = d.kind.Target(s)
	switch v := v.(type) {
	case map[string]any:
		return d.admitObject(s, v, root || s.Embedded)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if s.Items != nil {
				out[i] = d.admit(s.Items, x, false)
			} else {
				out[i] = tree.Copy(x)
			}
		}
		return out
	}
	return v
}

func (d *defaults) admitObject(s *Schema, v map[string]any, root bool) map[string]any {
	out := make(map[string]any, len(v))
	for key, x := range v {
		below, known := d.kind.field(s, key)
		switch {
		case root && (key == "apiVersion" || key == "kind" || key == "metadata"):
			out[key] = tree.Copy(x)
		case !known, below != nil && x == nil && !below.Nullable: // dropped, or replaced by the default
		case below == nil:
			out[key] = tree.Copy(x)
		default:
			out[key] = d.admit(below, x, false)
		}
	}
	for key, below := range s.Properties {
		if below = d.kind.Target(below); below.Default == nil {
			continue
		}
		if _, given := out[key]; !given {
			out[key] = d.admit(below, tree.Plain(below.Default), false)
		}
	}
	return out
}

// complete returns a value with the defaults of the fields that it lacks, as the API server sets
// them.
func (d *defaults) complete(s *Schema, v any) any {
	if d.left--; d.left < 0 { // a schema may lead to itself
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, below := range s.Properties {
			if below = d.kind.Target(below); below.Default != nil {
				out[key] = d.complete(below, tree.Plain(below.Default))
			}
		}
		for key, x := range v {
			out[key] = x
			if below, _ := d.kind.field(s, key); below != nil {
				out[key] = d.complete(below, x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if out[i] = x; s.Items != nil {
				out[i] = d.complete(d.kind.Target(s.Items), x)
			}
		}
		return out
	}
	return v
}

// Lists returns entries of perField for the lists of values that the schema identifies by keys, or
// that are sets, if all of their items have these keys. The paths have * for items.
func (k *Kind) Lists(values ...any) []refconfig.FieldFunction {
	var found []refconfig.FieldFunction
	k.lists(k.Root, values, nil, &found)
	return found
}

func (k *Kind) lists(s *Schema, values []any, path refconfig.FieldPath, found *[]refconfig.FieldFunction) {
	if items := itemsOf(values); len(items) > 0 && s.Items != nil {
		entry := refconfig.FieldFunction{Path: path, Key: refconfig.List, Function: refconfig.ListSet}
		for _, key := range s.ListKeys {
			entry.Keys = append(entry.Keys, refconfig.PathOf(key))
		}
		isMap := s.ListType == "map" && len(s.ListKeys) > 0 && areIdentified(items, s.ListKeys)
		if isMap {
			entry.Function = "map(" + strings.Join(s.ListKeys, ", ") + ")"
		}
		if isMap || s.ListType == "set" {
			*found = append(*found, entry)
		}
		k.lists(k.Target(s.Items), items, path.Below(refconfig.AnyStep()), found)
		return
	}
	keys := map[string]bool{}
	for _, v := range values {
		for key := range mapOf(v) {
			keys[key] = true
		}
	}
	for _, key := range tree.Keys(keys) {
		if below, _ := k.field(s, key); below != nil && !isHead(path, key) {
			k.lists(below, valuesIn(values, key), path.Below(refconfig.Key(key)), found)
		}
	}
}

// areIdentified reports whether all items have the keys, with texts or numbers.
func areIdentified(items []any, keys []string) bool {
	for _, item := range items {
		for _, key := range keys {
			switch mapOf(item)[key].(type) {
			case nil, map[string]any, []any:
				return false
			}
		}
	}
	return true
}
