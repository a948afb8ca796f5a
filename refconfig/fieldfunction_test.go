package refconfig

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// TestFieldFunction checks what entries say, or what is wrong with them.
func TestFieldFunction(t *testing.T) {
	for _, row := range []struct{ entry, want string }{
		{"{inlineDiffFunc: regex}", "inlineDiffFunc regex"},
		{"{embedded: json, encoding: gzip}", "embedded json in gzip"},
		{"{list: set}", "list set"},
		{"{list: 'map(a,b.c )'}", "list map(a, b.c) by a and b.c"},
		{"{quantity: true}", "quantity"},
		{"{cpuset: yes}", "cpuset"},
		{"{list: bag}", `unknown list "bag"; it can be set, map(KEY…) or ordered`},
		{"{list: map(}", `list "map(" does not name the keys that identify an item; write map(name), or map(port, protocol)`},
		{"{list: 'map(a,)'}", `list "map(a,)" does not name the keys that identify an item; write map(name), or map(port, protocol)`},
		{"{list: [set]}", "list must be text, not a list"},
		{"{quantity: false}", "quantity can only be true; to compare the field as it is, remove the entry"},
		{"{cpuset: 0-3}", "cpuset can only be true; to compare the field as it is, remove the entry"},
		{"{exact: true}", "exact"},
		{"{exact: false}", "exact can only be true; to compare the field as it is, remove the entry"},
		{"{list: set, quantity: true}", "an entry of perField has both list and quantity; write two entries"},
		{"{embedded: json, encoding: null}", `unknown encoding ""; it can be auto, base64, dataurl or gzip`},
		{"{list: set, encoding: gzip}", "encoding has no effect without embedded in this entry of perField list set"},
		{"{list: null}", "an entry of perField does not say how to compare the field; add inlineDiffFunc (regex or capturegroups), embedded (json, yaml, ini or text), list (set, map(KEY…) or ordered), quantity (true), cpuset (true) or exact (true)"},
	} {
		var said []string
		d := (&findings{}).document("f", kubeyaml.FileCodes{}, 100)
		root, _ := d.Parse([]byte(row.entry))
		fields, _ := d.Mapping(root, "an entry", fieldKeys())
		if f, ok := d.fieldFunction(fields, root); ok {
			said = append(said, strings.TrimSpace(string(f.Key)+" "+f.Function))
			if f.Encoding != "" {
				said = append(said, "in "+f.Encoding)
			}
			for i, key := range f.Keys {
				said = append(said, []string{"by", "and"}[min(i, 1)], key.String())
			}
		}
		for _, p := range append(d.faults, d.warnings...) {
			said = append([]string{p.Message}, said...)
		}
		if got := strings.Join(said, " "); got != row.want {
			t.Errorf("%s: %s", row.entry, got)
		}
	}
}
