package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
)

func (r *run) warn(c code.Code, place, message string) {
	r.result.Warnings = append(r.result.Warnings, Warning{Code: c, Message: message, Place: place})
}

// CompareWarnings orders warnings by code, then by place, where lines of a file are in the order of their numbers.
func CompareWarnings(a, b Warning) int {
	file, lines := splitPlace(a.Place)
	otherFile, otherLines := splitPlace(b.Place)
	return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(file, otherFile), slices.Compare(lines, otherLines), cmp.Compare(a.Message, b.Message))
}

// splitPlace splits file:line or file:line:column into the file and the numbers behind it.
func splitPlace(place string) (file string, numbers []int) {
	file = place
	for {
		i := strings.LastIndexByte(file, ':')
		n, err := strconv.Atoi(file[i+1:])
		if i < 0 || err != nil {
			return file, numbers
		}
		file, numbers = file[:i], append([]int{n}, numbers...)
	}
}

// unusedPairs warns of manual pairs whose object the input does not hold: most likely their keys are misspelt.
func (r *run) unusedPairs() {
	if len(r.opt.Manual) == 0 {
		return
	}
	there := make(map[string]bool, len(r.opt.Manual))
	for _, e := range r.store.distinct {
		if key := e.object.ID.Key(); r.opt.Manual[key] != nil {
			there[key] = true
		}
	}
	for _, key := range tree.Keys(r.opt.Manual) {
		if !there[key] {
			r.warn(code.ManualPairUnused, "", "the manual pair of "+key+" is for no CR of the input")
		}
	}
}

// wrapped warns of CRs that carry others where required CRs are missing: they may be inside. A gathered archive holds what they
// produced as well.
func (r *run) wrapped() {
	missing := slices.ContainsFunc(r.result.Rules, func(b BrokenRule) bool { return b.Code == code.RuleMissing })
	if !missing || r.in.Gathered {
		return
	}
	count := map[string]int{}
	first := manifest.Place{}
	for _, e := range r.store.distinct {
		if e.object.Wrapped {
			if len(count) == 0 {
				first = e.object.Place
			}
			count[e.object.ID.Kind]++
		}
	}
	var kinds []string
	for _, kind := range tree.Keys(count) {
		kinds = append(kinds, fmt.Sprintf("%d %s", count[kind], kind))
	}
	if len(kinds) > 0 {
		r.warn(code.WrappedNotRead, Where(first), "CRs are missing, and may be inside of CRs that carry others, which were not looked into: "+
			strings.Join(kinds, ", "))
	}
}

// nameless warns of CRs without a name among those that are of interest.
func (r *run) nameless() {
	warn := func(id manifest.ID, at manifest.Place) {
		if id.Name == "" {
			r.warn(code.ObjectWithoutName, Where(at), id.String()+" has no name, so no template that states one can be its own")
		}
	}
	for i := range r.result.Comparisons {
		warn(r.result.Comparisons[i].Object, r.result.Comparisons[i].Source)
	}
	for _, u := range r.result.Unmatched {
		if r.index.HasKind(u.Object.Kind) {
			warn(u.Object, u.Source)
		}
	}
}

// twiceWarning warns of keys of a CR that stand more than once.
func twiceWarning(c *Comparison) (Warning, bool) {
	if len(c.twice) == 0 {
		return Warning{}, false
	}
	first := c.twice[0]
	place := c.Source
	place.Line = first.Line
	more := ""
	if n := len(c.twice) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more keys)", n)
	}
	return Warning{Code: code.KeyTwice, Place: Where(place), Message: fmt.Sprintf(
		"%s: the key %q stands here, and again in the same map, whose value counts%s", c.Object, manifest.KeyString(first), more)}, true
}
