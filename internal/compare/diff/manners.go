package diff

import (
	"github.com/validationtool/validationtool/internal/text/quantity"
	"github.com/validationtool/validationtool/refconfig"
)

// manner is how a key of perField compares a field.
type manner struct {
	key refconfig.FieldKey
	// normal returns the form that equal values have in common, or the reason why a value has none.
	// It is nil for a key that does not decide which values are equal. The items of lists are
	// compared one by one, so that lists have no form.
	normal func(v any) (text, why string)
	types  []string // types of schemas whose values it can compare; nil for all
}

// manners returns a row for each key.
func manners() []manner {
	return []manner{
		{key: refconfig.InlineDiff, types: []string{"string", "integer"}},
		{key: refconfig.Embedded, types: []string{"string"}},
		{key: refconfig.List, normal: normalList, types: []string{"array"}},
		{key: refconfig.Quantity, normal: normalQuantity, types: []string{"string", "integer"}},
		{key: refconfig.CPUSet, normal: normalCPUs, types: []string{"string"}},
		{key: refconfig.Exact},
	}
}

// mannerOf returns the row of a key.
func mannerOf(key refconfig.FieldKey) (row manner) {
	for _, row = range manners() {
		if row.key == key {
			return row
		}
	}
	return manner{key: key}
}

// Types returns the types of schemas whose values a key of perField can compare; nil for all.
func Types(key refconfig.FieldKey) []string { return mannerOf(key).types }

func normalList(v any) (text, why string) {
	if _, isList := v.([]any); !isList {
		return "", "it is not a list"
	}
	return "", ""
}

func normalQuantity(v any) (text, why string) {
	printed, isScalar := Text(v)
	if !isScalar {
		return "", noScalar
	}
	q, err := quantity.ParseQuantity(printed)
	if err != nil {
		return "", err.Error()
	}
	return q.String(), ""
}

func normalCPUs(v any) (text, why string) {
	printed, isScalar := Text(v)
	if !isScalar {
		return "", noScalar
	}
	cpus, err := quantity.ParseCPUs(printed)
	if err != nil {
		return "", "it is not a set of CPUs, such as 0-3,8"
	}
	return cpus.Key(), ""
}

// noScalar is why a map or a list is no quantity.
const noScalar = "it is not a single value"
