package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// document renders an object as collectors write it: keys sorted, lists not indented below their
// key.
func document(content map[string]any) []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	writeMap(&b, content, "")
	return b.Bytes()
}

// writeMap writes the entries of a map, each at the given indentation; the first continues the last
// line of the buffer.
func writeMap(b *bytes.Buffer, m map[string]any, indent string) {
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteString(scalar(key, ""))
		b.WriteByte(':')
		writeBelow(b, m[key], indent)
	}
}

// writeBelow writes the value of a key after its colon or below it.
func writeBelow(b *bytes.Buffer, v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			b.WriteString("\n  " + indent)
			writeMap(b, v, indent+"  ")
			return
		}
	case []any:
		if len(v) > 0 {
			b.WriteByte('\n')
			writeList(b, v, indent)
			return
		}
	}
	b.WriteString(" " + scalar(v, indent+"  ") + "\n")
}

func writeList(b *bytes.Buffer, list []any, indent string) {
	for _, item := range list {
		b.WriteString(indent + "- ")
		if m, ok := item.(map[string]any); ok && len(m) > 0 {
			writeMap(b, m, indent+"  ")
			continue
		}
		b.WriteString(scalar(item, indent+"  ") + "\n")
	}
}

// scalar returns the YAML text of a scalar or an empty map or list; lines after the first are
// indented.
func scalar(v any, indent string) string {
	if s, ok := v.(string); ok && strings.Contains(s, "\n") {
		return block(s, indent)
	}
	data, err := yaml.Marshal(v)
	if err != nil {
		panic(err) // not reached: the value was decoded from YAML
	}
	return strings.TrimSuffix(string(data), "\n")
}

// block returns a text of several lines as a literal block.
func block(s, indent string) string {
	head := "|-"
	if t, ok := strings.CutSuffix(s, "\n"); ok {
		head, s = "|", t
	}
	return head + "\n" + indent + strings.ReplaceAll(s, "\n", "\n"+indent)
}
