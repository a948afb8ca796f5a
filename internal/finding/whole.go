package finding

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/refconfig"
)

// timesText limits the output of a format for a saved report: it is at most this many times the
// size of the report. Formats repeat the cluster and the object for each finding, and indent
// values. The output for real reports is about ten times their size.
const timesText = 250

// checkAmplification checks that a report could come from a comparison. A small file that no
// comparison wrote could need much time and memory to show.
func checkAmplification(text []byte, r *Report) error {
	if words, err := ParseFailOn(r.FailOn.String()); len(r.FailOn) > 0 &&
		(err != nil || len(words) != len(r.FailOn)) {
		return errors.New("its failOn has a word that --fail-on does not know")
	}
	if i := slices.IndexFunc(r.Runs, func(run *Run) bool { return !hasMandatory(run) }); i >= 0 {
		return fmt.Errorf(
			"its run %d lacks a mandatory field, such as the code or the class of a finding", i+1,
		)
	}
	if repeats(r)+indentation(text) > timesText*len(text) {
		return fmt.Errorf(
			"its names are so long, or its values so deeply nested, that showing it would take more than %d times its size",
			timesText,
		)
	}
	return nil
}

// hasMandatory reports whether a run has all mandatory fields.
func hasMandatory(r *Run) bool {
	problem := func(p refconfig.Problem) bool { return p.Code != "" }
	warning := func(w Warning) bool { return w.Code != "" }
	unmatched := func(u Unmatched) bool { return u.Object.Kind != "" }
	return all(r.Inputs, func(in Input) bool { return in.Path != "" }) &&
		all(r.Alarms, warning) && all(r.Warnings, warning) && all(r.Unreadable, problem) && all(r.NotRead, problem) &&
		all(
			r.Unmatched, unmatched,
		) && all(r.Refused, unmatched) && all(r.Comparisons, hasMandatoryOfCR) && all(r.Rules, hasMandatoryOfRule) &&
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

// hasMandatoryOfCR reports whether a comparison has all mandatory fields.
func hasMandatoryOfCR(c *Comparison) bool {
	results := []Result{Clean, OnlyExtra, OnlyInvalid, Drifted, Failed}
	categories := []Category{Expected, Extra, Invalid, Drift, Missing}
	return c.Object.Kind != "" && c.Template.Path != "" && slices.Contains(results, c.Result) &&
		all(c.Notes, func(s Statement) bool { return s.Code != "" }) &&
		all(
			c.Differences,
			func(d Difference) bool { return slices.Contains(categories, d.Category) && d.Fingerprint != "" },
		)
}

// hasMandatoryOfRule reports whether a rule has all mandatory fields.
func hasMandatoryOfRule(r Rule) bool {
	return r.Rule != "" && r.Code != "" && r.Fingerprint != "" &&
		all(r.Templates, func(path string) bool { return path != "" }) &&
		all(r.Missing, func(m Missed) bool { return m.Template != "" }) &&
		all(r.Present, func(p Present) bool { return p.Template != "" }) &&
		all(r.Descriptions, func(d Described) bool { return d.Template != "" })
}

// repeats returns how many bytes of names a format writes: it repeats the names for each finding.
func repeats(r *Report) (n int) {
	const named = 10 // the number of clusters that are named for a common finding
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

// indentation returns the number of blanks that indent a JSON text.
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
			n += 2 * blanks * depth // for the content and the end
		case ',':
			n += blanks * depth
		default:
			depth--
		}
		text = text[min(i+1, len(text)):]
	}
	return n
}

// ListsExpected reports whether a report lists expected differences, and does not only count them.
func (r *Report) ListsExpected() bool {
	return slices.ContainsFunc(r.Runs, func(run *Run) bool {
		return slices.ContainsFunc(run.Comparisons, func(c *Comparison) bool {
			return slices.ContainsFunc(
				c.Differences, func(d Difference) bool { return d.Category == Expected },
			)
		})
	})
}
