package function

import (
	"slices"
	"strings"
	"testing"
)

// Each function of the table must be one of our own or in one collection, and no other name may be
// listed.
func TestEveryFunctionIsTold(t *testing.T) {
	var told []string
	for _, a := range Own() {
		told = append(told, a.Name)
	}
	if !slices.IsSorted(told) {
		t.Errorf("%v is not sorted", told)
	}
	for _, c := range Collections() {
		if !slices.IsSorted(c.Names) {
			t.Errorf("%s: %v is not sorted", c.Name, c.Names)
		}
		told = append(told, c.Names...)
	}
	slices.Sort(told)
	all := Table()
	if len(slices.Compact(slices.Clone(told))) != len(told) {
		t.Errorf("some are told twice: %v", told)
	}
	for name := range all {
		if !slices.Contains(told, name) {
			t.Errorf("%s is our own, and About has no text for it", name)
		}
	}
	for _, name := range told {
		if all[name] == nil {
			t.Errorf("there is no %s", name)
		}
		if LeftOut(name) != "" {
			t.Errorf("%s is there and left out", name)
		}
	}
}

// TestEveryKnownFunctionIsDescribed checks known.txt: each function of a collection has a line, and
// each line a function.
func TestEveryKnownFunctionIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, c := range Collections() {
		for _, name := range c.Names {
			signature, does := Described(name)
			if called, _, _ := strings.Cut(signature, " "); called != name || does == "" {
				t.Errorf("%s: %q %q", name, signature, does)
			}
			described[signature] = true
		}
	}
	for line := range strings.Lines(known) {
		if signature, does, ok := strings.Cut(strings.TrimSpace(line), ": "); !ok || does == "" || !described[signature] {
			t.Errorf("line %q is about no function", line)
		}
	}
}
