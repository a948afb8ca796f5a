package function

import (
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestEveryFunctionIsDescribed: docs.txt describes each function of the table once, and no other
// name. The functions of a collection are sorted, and only our own have examples.
func TestEveryFunctionIsDescribed(t *testing.T) {
	byCollection := map[string][]string{}
	var all []string
	for _, d := range Docs() {
		byCollection[d.Of.Name] = append(byCollection[d.Of.Name], d.Name)
		all = append(all, d.Name)
		own := d.Of.Name == ""
		if d.Does == "" || own != (d.Example != "") || own != (d.Output != "") {
			t.Errorf("the description is not complete: %+v", d)
		}
		if LeftOut(d.Name) != "" {
			t.Errorf("%s exists and is left out", d.Name)
		}
	}
	for of, names := range byCollection {
		if !slices.IsSorted(names) {
			t.Errorf("%q: %v is not sorted", of, names)
		}
	}
	known := tree.Keys(Table())
	for _, name := range known {
		if !slices.Contains(all, name) {
			t.Errorf("%s is in the table, and docs.txt does not describe it", name)
		}
	}
	slices.Sort(all)
	for i, name := range all {
		if !slices.Contains(known, name) || i > 0 && all[i-1] == name {
			t.Errorf("docs.txt describes %s, which is not in the table, or twice", name)
		}
	}
}
