package finding

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// FailOn lists the kinds of findings that make a run fail.
type FailOn []FailOnWord

// FailOnWord is a word of --fail-on.
type FailOnWord string

// The words. FailOnWords lists them.
const (
	FailOnDrift      FailOnWord = "drift"      // values that differ, violations
	FailOnMissing    FailOnWord = "missing"    // missing fields and CRs, broken rules
	FailOnAbsent     FailOnWord = "absent"     // missing CRs, except those that were perhaps not collected
	FailOnInvalid    FailOnWord = "invalid"    // fields that an API server would reject or drop
	FailOnExtra      FailOnWord = "extra"      // extra content
	FailOnUnmatched  FailOnWord = "unmatched"  // CRs without a template, of the kinds that the reference has
	FailOnReferenced FailOnWord = "referenced" // CRs that other CRs refer to and the input lacks
	FailOnImpacting  FailOnWord = "impacting"  // findings that --impact rates as impacting
	FailOnNew        FailOnWord = "new"        // restricts the other words to new findings
	FailOnNone       FailOnWord = "none"       // cannot be combined with other words: only an incomplete run fails

	// CRs without a template, of any kind. The comparison has to count them, see Unmatched.OtherKind.
	FailOnUnmatchedAll FailOnWord = "unmatched-all"
)

// FailOnWords returns all words, in the order of FailOn.
func FailOnWords() FailOn {
	return FailOn{
		FailOnDrift,
		FailOnMissing,
		FailOnAbsent,
		FailOnInvalid,
		FailOnExtra,
		FailOnUnmatched,
		FailOnUnmatchedAll,
		FailOnReferenced,
		FailOnImpacting,
		FailOnNew,
		FailOnNone,
	}
}

// Names returns the words as texts.
func (f FailOn) Names() []string {
	names := make([]string, len(f))
	for i, word := range f {
		names[i] = string(word)
	}
	return names
}

// usual returns the default of --fail-on.
func usual() FailOn { return FailOn{FailOnDrift, FailOnMissing} }

// WithInvalid adds the word invalid.
func (f FailOn) WithInvalid() FailOn {
	return slices.DeleteFunc(FailOnWords(), func(word FailOnWord) bool { return word != FailOnInvalid && !f.Has(word) })
}

// Has reports whether a kind of findings makes a run fail.
func (f FailOn) Has(word FailOnWord) bool { return slices.Contains(f, word) }

// HasUnmatched reports whether CRs without a template make a run fail.
func (f FailOn) HasUnmatched() bool { return f.Has(FailOnUnmatched) || f.Has(FailOnUnmatchedAll) }

// String lists the words as ParseFailOn reads them.
func (f FailOn) String() string { return strings.Join(f.Names(), ",") }

// said lists the words for a message, as a user writes them: "new" alone stands for the words that
// it restricts.
func (f FailOn) said() string {
	restricts := slices.DeleteFunc(slices.Clone(f), func(word FailOnWord) bool { return word == FailOnInvalid })
	if slices.Equal(restricts, append(usual(), FailOnNew)) {
		return string(FailOnNew)
	}
	return f.String()
}

// ParseFailOn parses a list such as "drift,missing,extra", or "none".
func ParseFailOn(list string) (FailOn, error) {
	if strings.TrimSpace(list) == "" {
		return nil, errors.New(`the list is empty; write "none" if no finding should make the run fail`)
	}
	var f FailOn
	for name := range strings.SplitSeq(list, ",") {
		word := FailOnWord(strings.ToLower(strings.TrimSpace(name)))
		if !FailOnWords().Has(word) {
			all := FailOnWords().Names()
			last := len(all) - 1
			return nil, fmt.Errorf("%q is unknown; it can be %s or %s", word, strings.Join(all[:last], ", "), all[last])
		}
		f = append(f, word)
	}
	f = slices.DeleteFunc(FailOnWords(), func(word FailOnWord) bool { return !f.Has(word) })
	switch {
	case f.Has(FailOnNone) && len(f) > 1:
		return nil, errors.New(`"none" cannot be combined with other words`)
	case f.Has(FailOnNew) && len(f) == 1:
		return append(usual(), f...), nil
	}
	return f, nil
}
