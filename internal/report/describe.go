package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// describeHead makes what stands before the runs.
func describeHead(r Report, opt DocOptions) docHead {
	counts := r.verdicts()
	d := docHead{
		SchemaVersion: schemaVersion,
		Tool:          docTool{Name: toolName, Version: opt.ToolVersion},
		FailOn:        strings.Split(r.FailOn.String(), ","),
		ExitStatus:    r.Exit(),
		Summary: docOverall{Verdict: r.Verdict(), Clusters: docClusters{
			Compliant: counts[Compliant], Drift: counts[Differs], Incomplete: counts[Incomplete]}},
	}
	if ref := r.reference(); ref != nil {
		d.Reference = docReference{Path: ref.Path, Format: string(ref.Format), Hash: ref.Hash}
	}
	return d
}

// describeRunHead makes what stands in a run before the comparisons.
func describeRunHead(r *compare.Result) docRunHead {
	alarms, _ := sortedWarnings(r)
	d := docRunHead{Inputs: []docInput{}, Summary: describeSummary(r.Counts, VerdictOf(r)), Alarms: describeWarnings(alarms)}
	if c := r.Cluster; c.Version+c.ID+c.Infrastructure+c.Gathered != "" {
		d.Cluster = &docCluster{Version: c.Version, ID: c.ID, Infrastructure: c.Infrastructure, Gathered: c.Gathered}
	}
	for _, in := range r.Inputs {
		d.Inputs = append(d.Inputs, docInput(in))
	}
	return d
}

// describeRunTail makes what stands in a run behind the comparisons.
func describeRunTail(r *compare.Result) docRunTail {
	d := docRunTail{Rules: []docRule{}, Unmatched: []docUnmatched{}, Unreadable: []docUnreadable{}, Warnings: []docWarning{}}
	for _, b := range r.Rules {
		d.Rules = append(d.Rules, describeRule(b))
	}
	for _, u := range r.Unmatched {
		d.Unmatched = append(d.Unmatched, docUnmatched{Object: describeID(u.Object), Source: describePlace(u.Source)})
	}
	for _, u := range r.Unreadable {
		d.Unreadable = append(d.Unreadable, describeProblem(u))
	}
	_, warnings := sortedWarnings(r)
	d.Warnings = append(d.Warnings, describeWarnings(warnings)...)
	d.describeRest(r)
	d.sort()
	return d
}

// describeWarnings makes what a document says of warnings; it is never nil.
func describeWarnings(all []compare.Warning) []docWarning {
	out := []docWarning{}
	for _, w := range all {
		out = append(out, docWarning{Code: string(w.Code), Message: w.Message, Place: w.Place})
	}
	return out
}

// describeRest fills the lists that most documents do not have.
func (d *docRunTail) describeRest(r *compare.Result) {
	for _, one := range r.Referenced {
		d.Referenced = append(d.Referenced, docReferenced{Template: one.Template.Path, By: describeID(one.By), How: one.How})
	}
	for _, one := range r.Refused {
		refused := docRefused{Object: describeID(one.Object), Source: describePlace(one.Source), Reasons: []docRefusal{}}
		for _, reason := range one.Refused {
			refused.Reasons = append(refused.Reasons, docRefusal{Template: reason.Template.Path, Reason: reason.Reason})
		}
		d.Refused = append(d.Refused, refused)
	}
	for _, one := range r.NotRead {
		d.NotRead = append(d.NotRead, describeProblem(one))
	}
	for _, k := range r.NotGathered {
		d.NotCollected = append(d.NotCollected, docKind(k))
	}
	d.LeftOut = r.LeftOut
	index := map[string]int{}
	for _, o := range r.Overrides {
		one := docOverrideUse{File: o.Place.File, Line: o.Place.Line, Index: index[o.Place.File], Reason: o.Reason, State: string(o.State), Objects: []docObject{}}
		for _, id := range o.Objects {
			one.Objects = append(one.Objects, describeID(id))
		}
		d.Overrides = append(d.Overrides, one)
		index[o.Place.File]++
	}
}

func describeProblem(p manifest.Problem) docUnreadable {
	return docUnreadable{File: p.Place.File, Entry: p.Place.Entry, Line: p.Place.Line, Code: string(p.Code), Message: p.Message}
}

// sort puts the lists whose order means nothing into one that depends on their content only. Rules stay in the order of
// the reference.
func (d *docRunTail) sort() {
	slices.SortStableFunc(d.Unmatched, func(a, b docUnmatched) int {
		return cmp.Or(compareObjects(a.Object, b.Object), compareSources(a.Source, b.Source))
	})
	slices.SortStableFunc(d.Unreadable, func(a, b docUnreadable) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
}

func compareObjects(a, b docObject) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.APIVersion, b.APIVersion))
}

func compareSources(a, b docSource) int {
	item := func(s docSource) int {
		if s.Item == nil {
			return -1
		}
		return *s.Item
	}
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Document, b.Document),
		cmp.Compare(item(a), item(b)), cmp.Compare(a.Line, b.Line))
}

func describeSummary(c compare.Counts, verdict Verdict) docSummary {
	return docSummary{
		Verdict: verdict,
		Objects: docObjects{
			Read: c.Read, Compared: c.Compared, Clean: c.Clean, Extra: c.Extra, Drift: c.Drift, Error: c.Error,
			Overridden: c.Overridden, Unmatched: c.Unmatched, Referenced: c.Referenced, Ignored: c.Ignored, Copies: c.Copies,
		},
		Differences: describeCounts(c.Differences),
		MissingCRs:  c.MissingCRs, BrokenRules: c.BrokenRules, Unreadable: c.Unreadable,
	}
}

// describeCounts counts differences by category.
func describeCounts(n [compare.Missing + 1]int) docDifferences {
	return docDifferences{Drift: n[compare.Drift], Missing: n[compare.Missing], Extra: n[compare.Extra], Expected: n[compare.Expected]}
}

func describeID(id manifest.ID) docObject {
	return docObject{APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}

func describePlace(p manifest.Place) docSource {
	s := docSource{File: p.File, Entry: p.Entry, Document: max(p.Document-1, 0), Line: p.Line}
	if item := p.Item - 1; item >= 0 {
		s.Item = &item
	}
	return s
}

func describeTemplate(t *refconfig.Template) docTemplate {
	if t == nil {
		return docTemplate{}
	}
	part, component := names(t.Component)
	return docTemplate{Path: t.Path, Part: part, Component: component, Description: t.Description}
}

func names(c *refconfig.Component) (part, component string) {
	if c == nil {
		return "", ""
	}
	if c.Part != nil {
		part = c.Part.Name
	}
	return part, c.Name
}

func describeComparison(c *compare.Comparison, opt DocOptions) (docComparison, error) {
	d := docComparison{
		Object: describeID(c.Object), Source: describePlace(c.Source), Template: describeTemplate(c.Template),
		Correlation: docCorrelation{By: c.Correlation.By, Fields: listOf(c.Correlation.Fields)},
		Result:      resultName(c.Outcome),
		Differences: []docDifference{},
	}
	for _, one := range c.Correlation.Candidates {
		d.Correlation.Candidates = append(d.Correlation.Candidates, docCandidate{Path: one.Template.Path, Score: one.Score})
	}
	if c.Err != nil {
		d.Error = &docError{Code: string(c.Err.Code), Message: c.Err.Message}
	}
	if c.Override != nil {
		d.Override = &docOverride{File: c.Override.File, Reasons: listOf(c.Override.Reasons)}
	}
	for _, diff := range c.Differences {
		if diff.Category == compare.Expected && !opt.ShowExpected {
			continue
		}
		one, err := describeDifference(diff, opt)
		if err != nil {
			return d, fmt.Errorf("%s: %s: %w", c.Object, diff.Path, err)
		}
		d.Differences = append(d.Differences, one)
	}
	return d, nil
}

// listOf makes an empty list of none, which JSON would print as null.
func listOf(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func resultName(o compare.Outcome) string {
	switch o {
	case compare.Failed:
		return "error"
	case compare.Drifted:
		return "drift"
	case compare.OnlyExtra:
		return "extra"
	}
	return "clean"
}

func describeDifference(diff compare.Difference, opt DocOptions) (d docDifference, err error) {
	d = docDifference{Category: categoryName(diff.Category), Path: diff.Path.String(), Message: diff.Message, Line: diff.Line, Code: string(diff.Code)}
	reference, input := diff.Reference, diff.Input
	if !opt.ShowSecrets {
		reference, input = reference.Shown(diff.Secret, hide), input.Shown(diff.Secret, hide)
	}
	if d.Reference, err = rawValue(reference); err != nil {
		return d, err
	}
	d.Input, err = rawValue(input)
	return d, err
}

// rawValue is a side as JSON, or nothing where there is none.
func rawValue(v compare.Value) (json.RawMessage, error) {
	if !v.Present {
		return nil, nil
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(finite(v.Data)); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// finite replaces floats that JSON has no number for by their text.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = finite(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = finite(x)
		}
		return out
	}
	return v
}

func describeRule(b compare.BrokenRule) docRule {
	part, component := names(b.Component)
	d := docRule{Part: part, Component: component, Rule: string(b.Rule), Code: string(b.Code), Message: b.Message, Templates: []string{},
		Description: ruleDescription(b)}
	for _, t := range b.Templates {
		d.Templates = append(d.Templates, t.Path)
	}
	for _, m := range b.Missing {
		d.Missing = append(d.Missing, docMissing{Template: m.Template.Path, Object: describeID(m.Object), Nearest: describeNearest(m.Nearest),
			NotCollected: m.NotCollected})
	}
	for _, one := range b.Present {
		d.Present = append(d.Present, docPresent{Template: one.Template.Path, Object: describeID(one.Object), Referenced: one.Referenced})
	}
	return d
}

func describeNearest(n *compare.Nearest) *docNearest {
	if n == nil {
		return nil
	}
	return &docNearest{Template: n.Template.Path, Object: describeID(n.Object), Differs: listOf(n.Differs)}
}

// ruleDescription is the templates' common description, else the component's or the part's.
func ruleDescription(b compare.BrokenRule) string {
	for i, t := range b.Templates {
		if t.Description != b.Templates[0].Description {
			break
		}
		if i == len(b.Templates)-1 && t.Description != "" {
			return t.Description
		}
	}
	if b.Component == nil {
		return ""
	}
	if b.Component.Description == "" && b.Component.Part != nil {
		return b.Component.Part.Description
	}
	return b.Component.Description
}
