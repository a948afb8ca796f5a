package finding

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// timesText is how many times as much as its text may what a report repeats be: that of what, and
// of which cluster, each finding is, and the blanks that indent it. Reports of comparisons come to
// some ten times.
const timesText = 250

// whole says why a text that was read as a report is none that a comparison wrote, although its
// counts are right: in few bytes it would take far more work to be shown than a report does.
func whole(text []byte, r *Report) error {
	if words, err := ParseFailOn(r.FailOn.String()); len(r.FailOn) > 0 &&
		(err != nil || len(words) != len(r.FailOn)) {
		return errors.New("its failOn is none that --fail-on takes")
	}
	if i := slices.IndexFunc(r.Runs, func(run *Run) bool { return !states(run) }); i >= 0 {
		return fmt.Errorf(
			"the run %d of it lacks what a report states of each finding, such as its code or its class", i+1,
		)
	}
	if repeats(r)+indentation(text) > timesText*len(text) {
		return fmt.Errorf(
			"its names are so long, or its values lie so deep in each other, that showing it would come to more than %d times its size",
			timesText,
		)
	}
	return nil
}

// states reports whether what is listed of a cluster has what is never empty.
func states(r *Run) bool {
	problem := func(p Problem) bool { return p.Code != "" }
	warning := func(w Warning) bool { return w.Code != "" }
	unmatched := func(u Unmatched) bool { return u.Object.Kind != "" }
	return all(r.Inputs, func(in Input) bool { return in.Path != "" }) &&
		all(r.Alarms, warning) && all(r.Warnings, warning) && all(r.Unreadable, problem) && all(r.NotRead, problem) &&
		all(
			r.Unmatched, unmatched,
		) && all(r.Refused, unmatched) && all(r.Comparisons, compared) && all(r.Rules, broken) &&
		all(r.UnmatchedKinds, func(k KindCount) bool { return k.Kind != "" }) &&
		all(r.Referenced, func(one Referenced) bool { return one.Template != "" }) &&
		all(r.AcceptedCRs, func(one AcceptedCR) bool { return one.Template != "" }) &&
		all(r.Overrides, func(one OverrideUse) bool { return one.File != "" }) &&
		all(r.Suppressed, func(one Suppressed) bool {
			return all(one.Fields, func(f SuppressedField) bool { return f.Path != "" })
		}) &&
		(r.Baseline == nil || all(r.Baseline.Gone, func(f Finding) bool {
			return f.Class != "" &&
				f.Fingerprint != ""
		}))
}

func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(one T) bool { return !is(one) })
}

// compared reports whether a comparison has what is never empty.
func compared(c *Comparison) bool {
	results := []Result{Clean, OnlyExtra, Drifted, Failed}
	categories := []Category{Expected, Extra, Drift, Missing}
	return c.Object.Kind != "" && c.Template.Path != "" && slices.Contains(results, c.Result) &&
		all(c.Notes, func(s Statement) bool { return s.Code != "" }) &&
		all(
			c.Differences,
			func(d Difference) bool { return slices.Contains(categories, d.Category) && d.Fingerprint != "" },
		)
}

// broken reports whether a rule has what is never empty.
func broken(r Rule) bool {
	return r.Rule != "" && r.Code != "" && r.Fingerprint != "" &&
		all(r.Templates, func(path string) bool { return path != "" }) &&
		all(r.Missing, func(m Missed) bool { return m.Template != "" }) &&
		all(r.Present, func(p Present) bool { return p.Template != "" }) &&
		all(r.Descriptions, func(d Described) bool { return d.Template != "" })
}

// repeats is how many bytes of names formats write that say of each finding what it is about.
func repeats(r *Report) (n int) {
	const named = 10 // clusters, of those that have a finding in common
	longest := 0
	for _, run := range r.Runs {
		longest = max(longest, len(run.Name()))
	}
	if len(r.Runs) > 1 {
		longest *= min(named, len(r.Runs))
	}
	for _, run := range r.Runs {
		n += len(
			r.Reference.Path,
		) + (len(run.Alarms)+len(run.Unreadable)+len(run.Referenced)+len(run.UnmatchedKinds))*longest
		for _, c := range run.Comparisons {
			o, t, s := c.Object, c.Template, c.Source
			own := len(o.String()) + len(t.Path) + len(t.Part) + len(
				t.Component,
			) + len(s.File) + len(s.Entry) + len(s.Wrapper)
			n += (1 + len(c.Differences) + len(c.Notes)) * (own + longest)
		}
		for _, b := range run.Rules {
			n += (1 + len(b.Templates)) * (len(b.Part) + len(b.Component) + len(b.Rule) + len(b.Message) + longest)
		}
	}
	return n
}

// indentation is how many blanks it takes to indent a text that is JSON.
func indentation(text []byte) (n int) {
	const blanks = 2 // for each level
	for depth := 0; len(text) > 0; {
		i := bytes.IndexAny(text, `"[]{},`)
		if i < 0 {
			return n
		}
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
			n += 2 * blanks * depth // of what is in it, and of its end
		case ',':
			n += blanks * depth
		default:
			depth--
		}
		text = text[min(i+1, len(text)):]
	}
	return n
}

// ListsExpected reports whether expected differences are listed in a report, and not only counted.
func (r *Report) ListsExpected() bool {
	return slices.ContainsFunc(r.Runs, func(run *Run) bool {
		return slices.ContainsFunc(run.Comparisons, func(c *Comparison) bool {
			return slices.ContainsFunc(
				c.Differences, func(d Difference) bool { return d.Category == Expected },
			)
		})
	})
}
