package compare

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

// truth checks a comparison against the two sides: its tree contains both, every leaf has the
// category of its values, and everything that must be found is found.
func truth(c *audited, s sides) error {
	if s.err != nil {
		return fmt.Errorf("compared, but rendering it ends with: %w", s.err)
	}
	left, right := rebuilt(
		c.tree, func(p *diff.Pair) diff.Value { return p.Left },
	), rebuilt(c.tree, func(p *diff.Pair) diff.Value { return p.Right })
	if !alike(right.Data, s.right) {
		return fmt.Errorf("the tree's right side is not the input")
	}
	var wrong error
	unlike(left.Data, s.left, nil, func(at spot, _ finding.Category) {
		if !slices.ContainsFunc(s.unlike, func(p spot) bool { return p.near(at) }) {
			wrong = fmt.Errorf("the tree's left side is not the reference at %s", at)
		}
	})
	if wrong != nil {
		return wrong
	}
	tree := map[string]int{}
	leaves(c.tree, nil, func(p *diff.Pair, at spot) {
		want := category(p)
		if p.Category != want && (p.Message == "" || p.Category != finding.Drift && p.Category != finding.Missing) {
			wrong = fmt.Errorf("%s is of category %q and not %q", at, p.Category, want)
		}
		if !inPlace(p, at, s) {
			wrong = fmt.Errorf("%s is not where it is said to be", at)
		}
		if p.Category != finding.Same {
			tree[marked(at, p.Category)]++
		}
	})
	if wrong != nil {
		return wrong
	}
	return everything(c, s, tree)
}

// marked returns a name for a difference: its category and path. At one index of a list, one
// element may be missing and another one extra.
func marked(at spot, c finding.Category) string { return fmt.Sprintf("%s%q", c, []any(at)) }

// everything checks that the differences, the counts and the result agree with the tree, and that
// every difference and every finding of the template is among them.
func everything(c *audited, s sides, tree map[string]int) error {
	counts, apart := finding.Counts{}, 0
	for _, d := range c.differences {
		counts.Count(d.Category, 1)
		at := marked(spotOf(d.Path), d.Category)
		if tree[at]--; tree[at] < 0 {
			if d.Message == "" {
				return fmt.Errorf("%s is told, and not in the tree", d.Path)
			}
			tree[at], apart = 0, apart+1
		}
	}
	for at, n := range tree {
		if n > 0 {
			return fmt.Errorf("%s is in the tree, and not told", at)
		}
	}
	worst := finding.Clean
	if counts.Drift+counts.Missing > 0 {
		worst = finding.Drifted
	} else if counts.Extra > 0 {
		worst = finding.OnlyExtra
	}
	if counts != c.Counts || worst != c.Result {
		return fmt.Errorf("counted %v and result %s, told %v", c.Counts, c.Result, counts)
	}
	var lost error
	need := func(at spot, _ finding.Category) {
		for _, d := range c.differences {
			if d.Category == finding.Expected {
				continue
			}
			if p := spotOf(d.Path); p.same(at) || at.leadsTo(p) && inList(s, at) ||
				p.leadsTo(at) && d.Secret.IsWhole() {
				return
			}
		}
		lost = fmt.Errorf("%s differs and is not told; told:\n%s", at, lines(c.differences))
	}
	unlike(s.left, s.right, nil, need)
	for _, at := range s.asked {
		if !slices.ContainsFunc(c.differences, func(d diff.Difference) bool {
			return d.Category != finding.Expected && spotOf(d.Path).near(at.outOfLists())
		}) {
			lost = fmt.Errorf("a finding about %s is not told", at)
		}
	}
	if s.conflict && worst != finding.Drifted || s.apart > 0 && apart == 0 && worst != finding.Drifted {
		return fmt.Errorf("what is found apart from fields is not told")
	}
	return lost
}

// inList reports whether the value at a spot is a list, whose elements are compared.
func inList(s sides, at spot) bool {
	l, _ := valueAt(s.left, at)
	r, _ := valueAt(s.right, at)
	_, ok1 := l.([]any)
	_, ok2 := r.([]any)
	return ok1 && ok2
}
