package refconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// encoding is an additional key of entries with Embedded.
const encoding = "encoding"

// keyRow is a key of perField that says how to compare a field.
type keyRow struct {
	key    FieldKey
	values []string // that it takes
	// read reads the value of the key. It returns false for an invalid one, which it reports.
	read func(d *document, row keyRow, value *kubeyaml.Node) (FieldFunction, bool)
}

// keyRows returns all keys.
func keyRows() []keyRow {
	yes := []string{"true"}
	return []keyRow{
		{key: InlineDiff, values: []string{"regex", "capturegroups"}, read: (*document).oneOfKey},
		{key: Embedded, values: []string{"json", "yaml", "ini", "text"}, read: (*document).oneOfKey},
		{key: List, values: []string{ListSet, "map(KEY…)", ListOrdered}, read: (*document).listKey},
		{key: Quantity, values: yes, read: (*document).yes},
		{key: CPUSet, values: yes, read: (*document).yes},
		{key: Exact, values: yes, read: (*document).yes},
	}
}

// FieldKeys returns all keys that say how to compare a field.
func FieldKeys() (all []FieldKey) {
	for _, row := range keyRows() {
		all = append(all, row.key)
	}
	return all
}

// fieldKeys returns the keys that an entry may have in addition to its path.
func fieldKeys() []string {
	keys := []string{encoding}
	for _, key := range FieldKeys() {
		keys = append(keys, string(key))
	}
	return keys
}

// fieldFunction reads how to compare a field from an entry of perField. It returns false for an
// invalid entry, which it reports.
func (d *document) fieldFunction(fields userfile.Mapping, entry *kubeyaml.Node) (f FieldFunction, ok bool) {
	var all []string
	for _, row := range keyRows() {
		all = append(all, fmt.Sprintf("%s (%s)", row.key, code.Enumerate(row.values, "or")))
		value := fields.Field(string(row.key))
		if value == nil {
			continue
		}
		if f.Key != "" {
			d.faultAt(entry, code.RefInlineUnknown,
				"an entry of perField has both %s and %s; write two entries", f.Key, row.key)
			return f, false
		}
		if f, ok = row.read(d, row, value); !ok {
			return f, false
		}
		f.Key = row.key
	}
	e := fields.Lookup(encoding)
	switch {
	case f.Key == "":
		d.faultAt(entry, code.RefInlineUnknown,
			"an entry of perField does not say how to compare the field; add %s", code.Enumerate(all, "or"))
	case e != nil && f.Key == Embedded:
		f.Encoding, ok = d.oneOf(e.Node, encoding, []string{"auto", "base64", "dataurl", "gzip"})
	case e != nil:
		d.warnAt(entry, code.RefNoEffect, "encoding has no effect without embedded in this entry of perField")
	}
	return f, ok
}

// yes reads a key whose only value is true.
func (d *document) yes(row keyRow, value *kubeyaml.Node) (FieldFunction, bool) {
	yes := value.Value() == true
	if !yes {
		d.faultAt(value, code.RefInlineUnknown,
			"%s can only be true; to compare the field as it is, remove the entry", row.key)
	}
	return FieldFunction{}, yes
}

// oneOfKey reads a key that takes one of a few words.
func (d *document) oneOfKey(row keyRow, value *kubeyaml.Node) (f FieldFunction, ok bool) {
	f.Function, ok = d.oneOf(value, string(row.key), row.values)
	return f, ok
}

// listKey reads the key of lists: a word, or the keys that identify the items.
func (d *document) listKey(row keyRow, value *kubeyaml.Node) (f FieldFunction, ok bool) {
	if strings.HasPrefix(value.Text, "map(") {
		f.Function, f.Keys, ok = d.mapKeys(value)
		return f, ok
	}
	return d.oneOfKey(row, value)
}

// mapKeys reads map(KEY, …): the keys that identify the items of a list.
func (d *document) mapKeys(n *kubeyaml.Node) (function string, keys []FieldPath, ok bool) {
	text, closed := strings.CutSuffix(strings.TrimPrefix(n.Text, "map("), ")")
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if !closed || slices.Contains(names, "") {
		d.faultAt(n, code.RefInlineUnknown,
			"list %q does not name the keys that identify an item; write map(name), or map(port, protocol)", n.Text)
		return "", nil, false
	}
	function = "map(" + strings.Join(names, ", ") + ")"
	for _, name := range names {
		path, err := ParseFieldPath(name)
		if err != nil {
			d.faultAt(n, code.RefInlineUnknown, "the key %q of list %s: %v", name, function, err)
			return "", nil, false
		}
		keys = append(keys, path)
	}
	return function, keys, true
}

// oneOf reads one of a few texts. It returns false, and reports it, for any other.
func (d *document) oneOf(n *kubeyaml.Node, key string, values []string) (string, bool) {
	text, ok := d.Text(n, key)
	if ok && !slices.Contains(values, text) {
		d.faultAt(n, code.RefInlineUnknown, "unknown %s %q; it can be %s", key, text, code.Enumerate(values, "or"))
		ok = false
	}
	return text, ok
}
