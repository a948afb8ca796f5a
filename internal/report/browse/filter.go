package browse

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/finding"
)

// Filter hides findings. It changes no verdict. The zero value hides none.
type Filter struct {
	text       string // as the user wrote it
	categories []finding.Category
	selectors  []finding.Selector
	components []string // globs
	onlyNew    bool
}

// componentWord stands before a component in a filter.
const componentWord = "component="

// ParseFilter reads a filter: words with blanks between them. A word is one or more categories as for
// --category, new, a selector of CRs as for --cr, which begins with a capital, or component=NAME. A
// finding is shown if a word of each sort selects it.
func ParseFilter(text string) (Filter, error) {
	f := Filter{text: text}
	for word := range strings.FieldsSeq(text) {
		name, isComponent := strings.CutPrefix(word, componentWord)
		switch {
		case isComponent:
			f.components = append(f.components, name)
		case unicode.IsUpper([]rune(word)[0]) || word[0] == '*':
			s, err := finding.ParseSelector(word)
			if err != nil {
				return Filter{}, err
			}
			f.selectors = append(f.selectors, s)
		default:
			categories, onlyNew, err := finding.ParseCategories(word)
			if err != nil {
				return Filter{}, fmt.Errorf("%w; or a Kind, or %sNAME", err, componentWord)
			}
			f.categories, f.onlyNew = append(f.categories, categories...), f.onlyNew || onlyNew
		}
	}
	return f, nil
}

// shows reports whether a finding is shown. What could not be evaluated has every category, and a
// missing CR or a broken rule is of the category missing. A problem of the input belongs to no
// category, CR or component, and is always shown.
func (f Filter) shows(n *node) bool {
	if n.entry != nil && n.entry.Broken == nil && n.entry.Missing == nil {
		return true
	}
	category := finding.Missing
	if n.cr != nil {
		category = finding.Category(n.class)
	}
	failed := n.class == finding.ClassError
	among := func(s finding.Selector) bool {
		return s.Matches(n.object) || n.entry != nil && s.MayMeet(n.object)
	}
	return (failed || len(f.categories) == 0 || slices.Contains(f.categories, category)) &&
		(failed || !f.onlyNew || n.change != finding.Unchanged) &&
		(len(f.selectors) == 0 || slices.ContainsFunc(f.selectors, among)) &&
		(len(f.components) == 0 || slices.ContainsFunc(f.components, n.isOf))
}

// isOf reports whether a finding is of a component: COMPONENT, PART/COMPONENT or a glob.
func (n *node) isOf(name string) bool {
	for up := n; up != nil; up = up.parent {
		if up.level == ofComponent {
			return finding.Globs(name, up.label) || finding.Globs(name, up.parent.label+"/"+up.label)
		}
	}
	return false
}
