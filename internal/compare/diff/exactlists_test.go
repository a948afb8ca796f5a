package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// TestExact checks that extra content at and below an exact field is drift, also beside another
// entry for the field and with ignore-unspecified-fields, and extra elsewhere.
func TestExact(t *testing.T) {
	m, list := mapOf, listOf
	for _, row := range []struct {
		name        string
		entries     []string
		left, right any
		want        string // of the whole comparison, and where unspecified fields are ignored
	}{
		{"a key", []string{"r exact"}, m("r", m("a", 1)), m("r", m("a", 1, "b", 2), "s", 3), "drift r.b, extra s; drift r.b"},
		{"a key further down", []string{"r exact"}, m("r", m("a", m())), m("r", m("a", m("b", 2))), "drift r.a.b; drift r.a.b"},
		{"an item", []string{"r exact"}, m("r", list("a")), m("r", list("a", "b")), "drift r.1; drift r.1"},
		{"an item of a set", []string{"r list set", "r exact"}, m("r", list("a", "c")), m("r", list("c", "b", "a")), "drift r.1; drift r.1"},
		{
			"each item of a map", []string{"r map k", "r.* exact"}, m("r", list(m("k", "a"))),
			m("r", list(m("k", "b"), m("k", "a", "x", 1))), "drift r.0, drift r.1.x; drift r.0, drift r.1.x",
		},
		{"a field that is not stated", []string{"r.x exact"}, m("r", m("a", 1)), m("r", m("a", 1, "x", 2, "y", 3)), "drift r.x, extra r.y; drift r.x"},
		{"no more", []string{"r exact"}, m("r", m("a", 1)), m("r", m("a", 1)), "; "},
		{"less", []string{"r exact"}, m("r", m("a", 1)), m("r", m()), "missing r.a; missing r.a"},
		{"no exact field", []string{"r list set"}, m("r", list("a")), m("r", list("a", "b"), "s", 1), "extra r.1, extra s; extra r.1"},
	} {
		policy := Policy{Fields: fields(t, row.entries...)}
		merged := Unspecified(row.right, provenance.Plain(row.left), policy.Fields, nil)
		got := categories(Compare(provenance.Plain(row.left), row.right, secret.Scope{}, policy).Tree)
		policy.Unspecified = true
		got += "; " + categories(Compare(merged, row.right, secret.Scope{}, policy).Tree)
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// categories lists the differences of a tree.
func categories(p *Pair) string {
	var all []string
	var walk func(p *Pair, at refconfig.FieldPath)
	walk = func(p *Pair, at refconfig.FieldPath) {
		if p.Children == nil && p.Category != finding.Same {
			all = append(all, fmt.Sprintf("%s %s", p.Category, at))
		}
		for _, child := range p.Children {
			walk(child, at.Below(child.Step))
		}
	}
	walk(p, nil)
	return strings.Join(all, ", ")
}
