package saved

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// timesText limits the output of a format for a saved report: it is at most this many times the
// size of the report. Formats repeat the cluster and the object for each finding, and indent
// values. The output for real reports is about ten times their size.
const timesText = 250

// checkAmplification checks that a report could come from a comparison. A small file that no
// comparison wrote could need much time and memory to show.
func checkAmplification(text []byte, r *finding.Report) error {
	if r.Reference.Path == "" || r.Reference.Format == "" || r.Reference.Hash == "" {
		return errors.New("it does not say with which reference the clusters were compared")
	}
	if words, err := finding.ParseFailOn(r.FailOn.String()); len(r.FailOn) > 0 &&
		(err != nil || len(words) != len(r.FailOn)) {
		return errors.New("its failOn has a word that --fail-on does not know")
	}
	if slices.ContainsFunc(r.Codes, func(c refconfig.OwnCode) bool { return code.CheckOwn(c.Code) != nil }) {
		return errors.New("its codes have one that no reference can define")
	}
	if i := slices.IndexFunc(r.Runs, func(run *finding.Run) bool { return !hasMandatory(run) }); i >= 0 {
		return fmt.Errorf(
			"its run %d lacks a mandatory field, such as the class of a finding, or has a code or a fingerprint that no comparison writes",
			i+1,
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

// hasMandatory reports whether a run has all mandatory fields, its codes and fingerprints have the
// form of such, because formats write them as they are, and its lines are sound.
func hasMandatory(r *finding.Run) bool {
	if slices.Contains(r.Comparisons, nil) {
		return false
	}
	has := true
	need := func(fields ...string) { has = has && !slices.Contains(fields, "") }
	coded := func(c code.Code) { has = has && code.IsValid(c) }
	identified := func(fingerprint string) { has = has && finding.IsFingerprint(fingerprint) }
	for _, in := range r.Inputs {
		need(in.Path)
	}
	for _, w := range slices.Concat(r.Alarms, r.Warnings) {
		coded(w.Code)
	}
	for _, p := range slices.Concat(r.Unreadable, r.NotRead, r.NotKnown) {
		coded(p.Code)
	}
	for _, u := range slices.Concat(r.Unmatched, r.Refused) {
		need(u.Object.Kind)
	}
	for _, k := range r.UnmatchedKinds {
		need(k.Kind)
	}
	for _, one := range r.Referenced {
		need(one.Template)
	}
	for _, one := range r.AcceptedCRs {
		need(one.Template)
	}
	for _, one := range r.Overrides {
		need(one.File)
	}
	for _, one := range r.Suppressed {
		for _, f := range one.Fields {
			need(f.Path)
		}
	}
	if r.Baseline != nil {
		for _, f := range r.Baseline.Gone {
			need(string(f.Class))
			identified(f.Fingerprint)
			has = has && (f.Code == "" || code.IsValid(f.Code))
		}
	}
	for _, c := range r.Comparisons {
		need(c.Object.Kind, c.Template.Path)
		has = has && (c.Result == finding.Clean || c.Result.Severity() > 0)
		for _, s := range c.Notes {
			coded(s.Code)
		}
		has = has && !slices.ContainsFunc(c.Sides.Each(), func(s finding.Side) bool { return !s.IsSound() })
		if c.Error != nil {
			coded(c.Error.Code)
		}
		all := c.Differences
		if c.Override != nil {
			all = slices.Concat(all, c.Override.Accepted)
		}
		for _, d := range all {
			identified(d.Fingerprint)
			has = has && slices.Contains(finding.Categories(), d.Category) && (d.Code == "" || code.IsValid(d.Code))
		}
	}
	for _, b := range r.Rules {
		need(b.Rule)
		coded(b.Code)
		identified(b.Fingerprint)
		need(b.Templates...)
		for _, m := range b.Missing {
			need(m.Template)
		}
		for _, p := range b.Present {
			need(p.Template)
		}
		for _, d := range b.Descriptions {
			need(d.Template)
		}
	}
	return has
}

// repeats returns how many bytes of names and blanks a format writes: it repeats the names for each
// finding, and indents lines.
func repeats(r *finding.Report) (n int) {
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
		) + (len(run.Alarms)+len(run.Unreadable)+len(run.NotKnown)+len(run.Referenced)+len(run.UnmatchedKinds))*longest
		for _, c := range run.Comparisons {
			o, t, s := c.Object, c.Template, c.Source
			own := len(o.String()) + len(t.Path) + len(t.Part) + len(
				t.Component,
			) + len(s.File) + len(s.Entry) + len(s.Wrapper)
			n += (1 + len(c.Differences) + len(c.Notes)) * (own + longest)
			for _, side := range c.Sides.Each() {
				for _, l := range side.Lines() {
					n += l.Indent
				}
			}
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

// HasLine reports whether one of the lines of both sides has a text for which the function is
// returns true.
func HasLine(r *finding.Report, is func(text string) bool) bool {
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			for _, side := range c.Sides.Each() {
				if slices.ContainsFunc(side.Lines(), func(l *finding.Line) bool { return is(l.Text) }) {
					return true
				}
			}
		}
	}
	return false
}

// ListsExpected reports whether a report lists expected differences, and does not only count them.
func ListsExpected(r *finding.Report) bool {
	return slices.ContainsFunc(r.Runs, func(run *finding.Run) bool {
		return slices.ContainsFunc(run.Comparisons, func(c *finding.Comparison) bool {
			return slices.ContainsFunc(
				c.Differences, func(d finding.Difference) bool { return d.Category == finding.Expected },
			)
		})
	})
}
