package generate

import (
	"slices"
	"strconv"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// This file has what the template of one cluster or of several states of fields to which clusters assign values:
// everything that is not assigned.

// takeAssigned takes the fields of rows that are stated out of values, which are those of some objects without
// omitted fields. The returned function puts into the merged value what the template states in their place.
func (t *template) takeAssigned(values []any, objects []map[string]any) (put func(merged any)) {
	var all []func(any)
	for _, row := range allRuntimeFields() {
		if !row.stated || !row.covers(t.id) {
			continue
		}
		for _, entry := range row.Entries() {
			at := entry.Path
			var found []any
			for _, v := range values {
				if of, is := tree.At(v, at); is {
					found = append(found, of)
				}
			}
			var state any
			switch {
			case len(found) == 0:
				continue
			case row.items != "":
				state = t.items(row, found, at, objects)
			default:
				state = t.address(found, at)
			}
			switch {
			case state == nil && row.items == "": // it is merged as any field
				continue
			case state == nil:
				t.List = row.List
			default:
				all = append(all, func(merged any) { set(merged, at, state) })
			}
			for i, v := range values {
				values[i] = tree.Omit(v, []refconfig.OmitEntry{entry})
			}
		}
	}
	return func(merged any) {
		for _, one := range all {
			one(merged)
		}
	}
}

// address returns what a template states for addresses, none of which is "None": any other address; nil if one is.
func (t *template) address(found []any, at refconfig.FieldPath) any {
	if slices.Contains(found, any("None")) {
		return nil
	}
	if t.only != nil {
		t.fields.countOwn(map[string]bool{ownAssigned: true})
	}
	pipe := "toString " + expressionOf(at).operand() + ` | replace "None" "(an address)" | quote`
	t.fields.left -= len(pipe)
	last := len(at) - 1
	return tree.Optional{If: has(at[:last], at[last].Key), Value: tree.Action{Pipe: pipe}}
}

// items returns what a template states for lists to which clusters add items: the other items, which all have, and
// those of the CR that its cluster can have added. It returns nil if the others differ, or have no names to tell
// them apart.
func (t *template) items(row runtimeFields, found []any, at refconfig.FieldPath, objects []map[string]any) any {
	var settings []any
	for i, v := range found {
		list, isList := v.([]any)
		if !isList {
			return nil
		}
		own := slices.DeleteFunc(slices.Clone(list), func(item any) bool { return row.assigned(objects[0], "", item) })
		texts, before := align.Texts(own), align.Texts(settings)
		slices.Sort(texts)
		slices.Sort(before)
		if i > 0 && !slices.Equal(texts, before) {
			return nil
		}
		if i == 0 {
			settings = own
		}
	}
	if !areNamed(settings) || len(settings) > 0 && len(found) < len(objects) {
		return nil
	}
	each := tree.Each{
		Of: expressionOf(at).text,
		If: "regexMatch " + strconv.Quote(tokenOf(objects[0])) + ` (.name | default "")`,
	}
	if t.only != nil && slices.ContainsFunc(found, func(v any) bool { return len(v.([]any)) > len(settings) }) {
		t.fields.countOwn(map[string]bool{ownAssigned: true})
	}
	t.fields.left -= len(each.Of) + len(each.If)
	t.PerField = append(t.PerField, refconfig.FieldFunction{Path: at, Key: refconfig.List, Function: row.items})
	all := append(slices.Clone(settings), each)
	if len(settings) > 0 {
		return all
	}
	last := len(at) - 1
	return tree.Optional{If: has(at[:last], at[last].Key), Value: all}
}

// listed returns how the lists of two clusters are compared to which they add items: in any order.
func (r runtimeFields) listed(at refconfig.FieldPath, lists ...any) []refconfig.FieldFunction {
	for _, in := range lists {
		if v, _ := tree.At(in, at); r.items == "" || v == nil {
			return nil
		}
	}
	return []refconfig.FieldFunction{{Path: at, Key: refconfig.List, Function: refconfig.ListSet}}
}

// areNamed reports whether each item of a list has a name of its own.
func areNamed(list []any) bool {
	names := map[string]bool{}
	for _, item := range list {
		names[tree.StringAt(item, "name")] = true
	}
	return len(names) == len(list) && !names[""]
}

// set sets a field below maps that there are.
func set(in any, at refconfig.FieldPath, to any) {
	for _, step := range at[:len(at)-1] {
		all, _ := in.(map[string]any)
		in = all[step.Key]
	}
	if all, isMap := in.(map[string]any); isMap {
		all[at[len(at)-1].Key] = to
	}
}
