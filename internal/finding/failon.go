package finding

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// FailOn lists the kinds of findings that make a run fail.
type FailOn []string

// FailOnWords returns the words that FailOn can hold, in its order. "none" stands alone: only an
// incomplete run fails. "new" restricts the other words to new findings.
func FailOnWords() []string {
	return []string{
		"drift", "missing", "absent", "invalid", "extra", "unmatched", "referenced", "impacting", "new", "none",
	}
}

// usual returns the default.
func usual() FailOn { return FailOn{"drift", "missing"} }

// WithInvalid adds the word invalid.
func (f FailOn) WithInvalid() FailOn {
	return slices.DeleteFunc(FailOn(FailOnWords()), func(word string) bool { return word != "invalid" && !f.Has(word) })
}

// Has reports whether a kind of findings makes a run fail.
func (f FailOn) Has(sort string) bool { return slices.Contains(f, sort) }

// String lists the words as ParseFailOn reads them.
func (f FailOn) String() string { return strings.Join(f, ",") }

// ParseFailOn parses a list such as "drift,missing,extra", or "none".
func ParseFailOn(list string) (FailOn, error) {
	if strings.TrimSpace(list) == "" {
		return nil, errors.New(`the list is empty; write "none" if no finding should make the run fail`)
	}
	var given, f FailOn
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if !slices.Contains(FailOnWords(), name) {
			all := FailOnWords()
			last := len(all) - 1
			return nil, fmt.Errorf("%q is unknown; it can be %s or %s", name, strings.Join(all[:last], ", "), all[last])
		}
		given = append(given, name)
	}
	for _, name := range FailOnWords() {
		if given.Has(name) {
			f = append(f, name)
		}
	}
	switch {
	case f.Has("none") && len(f) > 1:
		return nil, errors.New(`"none" stands alone`)
	case f.Has("new") && len(f) == 1:
		return append(usual(), f...), nil
	}
	return f, nil
}
