package text

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lines"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// description is a result as the test data writes it.
type description struct {
	Reference   struct{ Path, Format, Hash string }
	Inputs      []struct{ Path, Format, Layout, Root, Folder string }
	Cluster     struct{ Name, Version, ID, Infrastructure, Gathered string }
	Read        int
	Ignored     int
	Comparisons []describedObject
	Rules       []struct {
		Template []describedTemplate // of one component
		Rule     string
		Code     string
		Message  string
		Missing  []struct {
			Template, Object string
			Nearest          *struct {
				Object  string
				Differs []string
			}
			NotCollected bool `yaml:"notCollected"`
		}
		Present []struct {
			Template   describedTemplate
			Object     string
			Referenced bool
		}
	}
	Unmatched, Refused []struct {
		Object, File, Entry string
		Line                int
		Reasons             map[string]string
	}
	Referenced []struct {
		Template describedTemplate
		By, How  string
	}
	Unreadable, NotRead []problem
	Warnings            []finding.Warning
	LeftOut             []string       `yaml:"leftOut"`
	NotGathered         []finding.Kind `yaml:"notGathered"`
}

type describedTemplate struct{ Path, Part, Component, Description string }

type describedObject struct {
	Object, File, Entry string
	Line                int
	Template            describedTemplate
	By                  string
	Fields              []string
	Candidates          []struct {
		Path  string
		Score int
	}
	Override *struct {
		File    string
		Reasons []string
	}
	Error    string // "CODE message"
	Left     any
	Right    any
	Expected []string          // paths
	Hidden   []string          // paths
	Messages map[string]string // path: "CODE message"; the path "." is the root
}

// build makes a report of a description, with everything counted as compare does, and as much of it
// as is to be shown.
func build(t testing.TB, text []byte, show diff.Show) *finding.Report {
	t.Helper()
	var d description
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatalf("result.yaml: %s", err)
	}
	r := &finding.Run{Cluster: finding.Cluster(d.Cluster), LeftOut: d.LeftOut, NotCollected: d.NotGathered}
	for _, in := range d.Inputs {
		r.Inputs = append(r.Inputs, finding.Input(in))
	}
	for _, o := range d.Comparisons {
		r.Comparisons = append(r.Comparisons, o.build(t, show))
	}
	for _, rule := range d.Rules {
		v := refconfig.Violation{Rule: refconfig.RuleKind(rule.Rule), Message: rule.Message, Code: code.Code(rule.Code)}
		for _, one := range rule.Template {
			v.Templates = append(v.Templates, one.build())
			v.Component = v.Templates[0].Component
		}
		b := finding.NewRule(v)
		for _, m := range rule.Missing {
			one := finding.Missed{Template: m.Template, Object: identity(t, m.Object), NotCollected: m.NotCollected}
			if n := m.Nearest; n != nil {
				one.Nearest = &finding.Nearest{
					Template: one.Template,
					Object:   identity(t, n.Object),
					Differs:  n.Differs,
				}
			}
			b.Missing = append(b.Missing, one)
		}
		for _, p := range rule.Present {
			b.Present = append(
				b.Present,
				finding.Present{Template: p.Template.Path, Object: identity(t, p.Object), Referenced: p.Referenced},
			)
		}
		r.Rules = append(r.Rules, b)
	}
	for i, list := range [][]struct {
		Object, File, Entry string
		Line                int
		Reasons             map[string]string
	}{d.Unmatched, d.Refused} {
		for _, u := range list {
			one := finding.Unmatched{
				Object: identity(t, u.Object),
				Source: finding.Source{File: u.File, Entry: u.Entry, Line: u.Line},
			}
			for _, path := range slices.Sorted(maps.Keys(u.Reasons)) {
				one.Reasons = append(one.Reasons, finding.Refusal{Template: path, Reason: u.Reasons[path]})
			}
			if i == 0 {
				r.Unmatched = append(r.Unmatched, one)
			} else {
				r.Refused = append(r.Refused, one)
			}
		}
	}
	for _, x := range d.Referenced {
		r.Referenced = append(r.Referenced, finding.Referenced{
			Template:    x.Template.Path,
			By:          identity(t, x.By),
			How:         x.How,
			Description: x.Template.Description,
		})
	}
	r.Unreadable, r.NotRead = problemsOf(d.Unreadable), problemsOf(d.NotRead)
	for _, w := range d.Warnings {
		if code.Alarm(w.Code) {
			r.Alarms = append(r.Alarms, w)
		} else {
			r.Warnings = append(r.Warnings, w)
		}
	}
	r.Summary.Objects.Ignored = d.Ignored
	report := alone(r, d.Read)
	report.Reference = finding.Reference{Path: d.Reference.Path, Format: d.Reference.Format, Hash: d.Reference.Hash}
	return report
}

// alone is the report on one cluster, of which so many objects were read: those that came to
// nothing else are copies.
func alone(r *finding.Run, read int) *finding.Report {
	o := &r.Summary.Objects
	o.Read, o.Copies = read, max(0, read-o.Ignored-len(r.Comparisons)-len(r.Unmatched))
	slices.SortStableFunc(r.Warnings, finding.CompareWarnings)
	r.Conclude()
	report := &finding.Report{Tool: finding.Tool{Name: finding.ToolName, Version: "1.2.3"}, Runs: []*finding.Run{r}}
	report.Conclude()
	return report
}

func (d describedTemplate) build() *refconfig.Template {
	part := &refconfig.Part{Name: d.Part}
	return &refconfig.Template{
		Path:        d.Path,
		Description: d.Description,
		Part:        part,
		Component:   &refconfig.Component{Name: d.Component, Part: part},
	}
}

// identity reads "Kind namespace/name (apiVersion)", the namespace being optional.
func identity(t testing.TB, s string) finding.Object {
	t.Helper()
	kind, rest, ok1 := strings.Cut(s, " ")
	name, version, ok2 := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
	if !ok1 || !ok2 {
		t.Fatalf("object %q is not written as Kind namespace/name (apiVersion)", s)
	}
	id := finding.Object{APIVersion: version, Kind: kind, Name: name}
	if namespace, last, found := strings.Cut(name, "/"); found {
		id.Namespace, id.Name = namespace, last
	}
	return id
}

func (o describedObject) build(t testing.TB, show diff.Show) *finding.Comparison {
	t.Helper()
	c := &finding.Comparison{
		Object: identity(t, o.Object), Template: finding.TemplateOf(o.Template.build()),
		Source:      finding.Source{File: o.File, Entry: o.Entry, Line: o.Line},
		Correlation: finding.Correlation{By: finding.FoundBy(cmp.Or(o.By, "fixed")), Fields: append([]string{}, o.Fields...)},
		Differences: []finding.Difference{},
	}
	for _, one := range o.Candidates {
		c.Correlation.Candidates = append(c.Correlation.Candidates, finding.Candidate{Path: one.Path, Score: one.Score})
	}
	if o.Override != nil {
		c.Override = &finding.Override{File: o.Override.File, Reasons: o.Override.Reasons}
	}
	if o.Error != "" {
		id, message, _ := strings.Cut(o.Error, " ")
		c.Result, c.Error = finding.Failed, &finding.Error{Code: code.Code(id), Message: message}
		return c
	}
	finish(c, o.pair(nil, refconfig.Step{Index: -1}, o.Left, o.Right), show)
	return c
}

// finish fills in what follows from a tree.
func finish(c *finding.Comparison, tree *diff.Pair, show diff.Show) {
	var all []diff.Difference
	flatten(tree, nil, func(d diff.Difference) {
		all = append(all, d)
		c.Counts.Count(d.Category, 1)
	})
	line := func(path refconfig.FieldPath) int {
		return c.Source.Line + 1 + slices.IndexFunc(all, func(d diff.Difference) bool { return slices.Equal(d.Path, path) })
	}
	c.Result, c.Differences, c.Sides = c.Counts.Result(), show.Differences(all, line), lines.Pack(show.Sides(tree, all))
	finding.Identify(c.Differences, c.Object, c.Template.Path)
}

func flatten(p *diff.Pair, path refconfig.FieldPath, add func(diff.Difference)) {
	for _, kid := range p.Kids {
		flatten(kid, append(slices.Clone(path), kid.Step), add)
	}
	if p.Category != finding.Same {
		add(diff.Difference{
			Category:  p.Category,
			Path:      path,
			Reference: p.Left,
			Input:     p.Right,
			Message:   p.Message,
			Code:      p.Code,
			Secret:    p.Secret,
		})
	}
	if p.Category == finding.Same && p.Message != "" { // findings about no field
		add(diff.Difference{Category: finding.Drift, Path: path, Message: p.Message, Code: p.Code})
	}
}

func (o describedObject) pair(path refconfig.FieldPath, step refconfig.Step, left, right any) *diff.Pair {
	p := o.values(path, step, left, right)
	at := path.String()
	if id, message, found := strings.Cut(o.Messages[at], " "); found {
		p.Code, p.Message = code.Code(id), message
		if p.Kids == nil && p.Category == finding.Same && len(path) > 0 {
			p.Category = finding.Drift
		}
	}
	return p
}

// absent stands for a side that has no value.
type absent struct{}

func side(v any) diff.Value {
	if _, ok := v.(absent); ok {
		return diff.Value{}
	}
	return diff.Value{Present: true, Data: plain(v)}
}

func (o describedObject) values(path refconfig.FieldPath, step refconfig.Step, left, right any) *diff.Pair {
	p := &diff.Pair{Step: step, Left: side(left), Right: side(right), Secret: scopeOf(listed(o.Hidden, path))}
	lm, lok := p.Left.Data.(map[string]any)
	rm, rok := p.Right.Data.(map[string]any)
	ll, llok := p.Left.Data.([]any)
	rl, rlok := p.Right.Data.([]any)
	switch {
	case !p.Right.Present:
		p.Category = finding.Missing
	case !p.Left.Present:
		p.Category = finding.Extra
	case o.settled(path) && fmt.Sprintf("%#v", p.Left.Data) == fmt.Sprintf("%#v", p.Right.Data):
		if listed(o.Expected, path) {
			p.Category = finding.Expected
		}
	case lok && rok:
		keys := maps.Clone(lm)
		maps.Copy(keys, rm)
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			p.Kids = append(p.Kids, o.kid(path, refconfig.Step{Key: k, Index: -1}, pick(lm, k), pick(rm, k)))
		}
	case llok && rlok:
		p.List = true
		for i := range max(len(ll), len(rl)) {
			p.Kids = append(p.Kids, o.kid(path, refconfig.Step{Index: i}, at(ll, i), at(rl, i)))
		}
	default:
		p.Category = finding.Drift
	}
	return p
}

func (o describedObject) kid(path refconfig.FieldPath, step refconfig.Step, left, right any) *diff.Pair {
	return o.pair(append(slices.Clone(path), step), step, left, right)
}

func pick(m map[string]any, key string) any {
	if v, ok := m[key]; ok {
		return v
	}
	return absent{}
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}

// listed reports whether a path is in a list, or below a path that is. scopeOf is the scope of a
// value of which all values are secret, or of one that has nothing secret.
func scopeOf(hidden bool) secret.Scope {
	if hidden {
		return secret.Scope{}.Values()
	}
	return secret.Scope{}
}

func listed(paths []string, path refconfig.FieldPath) bool {
	for i := range len(path) + 1 {
		if slices.Contains(paths, path[:i].String()) && i > 0 {
			return true
		}
	}
	return false
}

// settled reports whether nothing below a path is described, so that equal values there need no
// kids.
func (o describedObject) settled(path refconfig.FieldPath) bool {
	prefix := path.String() + "."
	for _, p := range slices.Concat(o.Expected, o.Hidden, slices.Collect(maps.Keys(o.Messages))) {
		if strings.HasPrefix(p, prefix) || len(path) == 0 && p != "." {
			return false
		}
	}
	return true
}

// plain makes a decoded value of what yaml.v3 returns.
func plain(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = plain(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plain(x)
		}
		return out
	}
	return v
}

// problem is a problem as a description has it.
type problem struct {
	refconfig.Place `yaml:",inline"`
	Code, Message   string
}

func problemsOf(all []problem) (out []refconfig.Problem) {
	for _, one := range all {
		out = append(out, refconfig.Problem(one))
	}
	return out
}
