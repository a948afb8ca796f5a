package browse

import (
	"os"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding/saved"
)

// TestCursor moves the cursor through three clusters: north has a drift, south nothing, west the same
// drift and a missing CR.
func TestCursor(t *testing.T) {
	text, err := os.ReadFile("testdata/fleet.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, document, _ := strings.Cut(string(text), "-- report.json --\n")
	document, _, _ = strings.Cut(document, "\n-- ")
	r, err := saved.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	filtered := func(words string) func(*Tree) bool {
		return func(t *Tree) bool {
			f, err := ParseFilter(words)
			t.SetFilter(f)
			return err == nil
		}
	}
	next := func(step int) func(*Tree) bool { return func(t *Tree) bool { return t.NextFinding(step) } }
	other := func(step int, has bool) func(*Tree) bool {
		return func(t *Tree) bool { return t.OtherCluster(step, has) }
	}
	search := func(text string, step int, here bool) func(*Tree) bool {
		return func(t *Tree) bool { return t.Search(text, step, here) }
	}
	unfold := func(t *Tree) bool { return t.Unfold() }
	fold := func(t *Tree) bool { t.Fold(); return true }
	again := func(tree *Tree) bool {
		place := tree.Place()
		*tree = *NewTree(r)
		tree.Return(place)
		return true
	}
	const memory, policy = `spec.hard."limits.memory": expected 32Gi`, "NetworkPolicy shop/storefront-only"
	for name, one := range map[string]struct {
		steps   []func(*Tree) bool
		at      string // the beginning of the label
		cluster string
		no      bool // the last step finds nothing
	}{
		"at first":                   {nil, "north", "north", false},
		"first finding":              {[]func(*Tree) bool{next(1)}, memory, "north", false},
		"no finding before":          {[]func(*Tree) bool{next(1), next(-1)}, memory, "north", true},
		"last finding":               {[]func(*Tree) bool{next(1), next(1), next(1)}, policy, "west", false},
		"and back":                   {[]func(*Tree) bool{next(1), next(1), next(1), next(-1)}, memory, "west", false},
		"the same in west":           {[]func(*Tree) bool{next(1), other(1, true)}, memory, "west", false},
		"and back in north":          {[]func(*Tree) bool{next(1), other(1, true), other(-1, true)}, memory, "north", false},
		"south has it not":           {[]func(*Tree) bool{next(1), other(1, false)}, "south", "south", false},
		"nobody else has it":         {[]func(*Tree) bool{next(1), next(1), next(1), other(-1, true)}, policy, "west", true},
		"the next cluster":           {[]func(*Tree) bool{other(1, true)}, "south", "south", false},
		"search":                     {[]func(*Tree) bool{search("networkPOLICY", 1, true)}, policy, "west", false},
		"search goes round":          {[]func(*Tree) bool{search("south", 1, false), search("north", 1, false)}, "north", "north", false},
		"search backwards":           {[]func(*Tree) bool{search("memory", -1, false)}, memory, "west", false},
		"search without a match":     {[]func(*Tree) bool{search("nowhere", 1, true)}, "north", "north", true},
		"go in":                      {[]func(*Tree) bool{unfold, unfold}, "shop", "north", false},
		"nothing to go in":           {[]func(*Tree) bool{next(1), unfold}, memory, "north", true},
		"fold what the cursor is in": {[]func(*Tree) bool{next(1), fold, fold}, "ResourceQuota", "north", false},
		"a category":                 {[]func(*Tree) bool{filtered("missing"), next(1)}, policy, "west", false},
		"a kind":                     {[]func(*Tree) bool{filtered("NetworkPolicy"), next(1)}, policy, "west", false},
		"categories and a kind":      {[]func(*Tree) bool{filtered("drift,missing Network*/*"), next(1)}, policy, "west", false},
		"a component":                {[]func(*Tree) bool{filtered("component=shop/name*"), next(1)}, memory, "north", false},
		"another component":          {[]func(*Tree) bool{filtered("component=other"), next(1)}, "north", "north", true},
		"not as before":              {[]func(*Tree) bool{filtered("new"), next(1)}, memory, "north", false},
		"a filter hides the cursor":  {[]func(*Tree) bool{next(1), filtered("missing")}, "north", "north", false},
		"no category":                {[]func(*Tree) bool{filtered("drfit")}, "north", "north", true},
		"another tree":               {[]func(*Tree) bool{filtered("missing"), next(1), again}, policy, "west", false},
		"a finding that is gone":     {[]func(*Tree) bool{next(1), filtered("missing"), again}, "north", "north", false},
	} {
		tree, found := NewTree(r), true
		for _, step := range one.steps {
			found = step(tree)
		}
		if at := tree.at; !strings.HasPrefix(at.label, one.at) || !strings.HasPrefix(at.cluster().label, one.cluster) {
			t.Errorf("%s: at %q of %q, want %q of %q", name, at.label, at.cluster().label, one.at, one.cluster)
		}
		if found == one.no {
			t.Errorf("%s: found is %v", name, found)
		}
		for i, n := range tree.rows {
			if n.row != i || tree.all[n.place] != n {
				t.Errorf("%s: %q is not where it says", name, n.label)
			}
		}
	}
}
