package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// description is a result as the test data writes it.
type description struct {
	Reference   struct{ Path, Format, Hash string }
	Inputs      []struct{ Path, Format, Layout, Root string }
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
	Unreadable, NotRead []struct {
		File, Entry, Code, Message string
		Line                       int
	}
	Warnings    []struct{ Code, Message, Place string }
	LeftOut     []string         `yaml:"leftOut"`
	NotGathered []compare.KindOf `yaml:"notGathered"`
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

// build makes a result of a description, with everything counted as compare does.
func build(t testing.TB, text []byte) *compare.Result {
	t.Helper()
	var d description
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatalf("result.yaml: %s", err)
	}
	r := &compare.Result{
		Reference: &refconfig.Reference{Path: d.Reference.Path, Format: refconfig.Format(d.Reference.Format), Hash: d.Reference.Hash},
		Cluster:   compare.Cluster(d.Cluster),
		LeftOut:   d.LeftOut, NotGathered: d.NotGathered,
	}
	for _, in := range d.Inputs {
		r.Inputs = append(r.Inputs, compare.Input(in))
	}
	for _, o := range d.Comparisons {
		r.Comparisons = append(r.Comparisons, o.build(t))
	}
	for _, rule := range d.Rules {
		b := compare.BrokenRule{Code: code.Code(rule.Code)}
		b.Rule, b.Message, b.Violation.Code = refconfig.RuleKind(rule.Rule), rule.Message, code.Code(rule.Code)
		byPath := map[string]*refconfig.Template{}
		for _, one := range rule.Template {
			tmpl := one.build()
			b.Component = tmpl.Component
			b.Templates = append(b.Templates, tmpl)
			byPath[tmpl.Path] = tmpl
		}
		for _, m := range rule.Missing {
			one := compare.MissingCR{Template: byPath[m.Template], Object: identity(t, m.Object), NotCollected: m.NotCollected}
			if n := m.Nearest; n != nil {
				one.Nearest = &compare.Nearest{Template: one.Template, Object: identity(t, n.Object), Differs: n.Differs}
			}
			b.Missing = append(b.Missing, one)
		}
		for _, p := range rule.Present {
			of := byPath[p.Template.Path]
			if of == nil {
				of = p.Template.build()
			}
			if !slices.Contains(b.There, of) {
				b.There = append(b.There, of)
			}
			byPath[of.Path] = of
			b.Present = append(b.Present, compare.PresentCR{Template: of, Object: identity(t, p.Object), Referenced: p.Referenced})
		}
		r.Rules = append(r.Rules, b)
	}
	for i, list := range [][]struct {
		Object, File, Entry string
		Line                int
		Reasons             map[string]string
	}{d.Unmatched, d.Refused} {
		for _, u := range list {
			one := compare.Unmatched{Object: identity(t, u.Object), Source: manifest.Place{File: u.File, Entry: u.Entry, Line: u.Line}}
			for _, path := range slices.Sorted(maps.Keys(u.Reasons)) {
				one.Refused = append(one.Refused, compare.Refusal{Template: &refconfig.Template{Path: path}, Reason: u.Reasons[path]})
			}
			if i == 0 {
				r.Unmatched = append(r.Unmatched, one)
			} else {
				r.Refused = append(r.Refused, one)
			}
		}
	}
	for _, x := range d.Referenced {
		r.Referenced = append(r.Referenced, compare.Referenced{Template: x.Template.build(), By: identity(t, x.By), How: x.How})
	}
	for _, x := range d.Unreadable {
		at := manifest.Place{File: x.File, Entry: x.Entry, Line: x.Line}
		r.Unreadable = append(r.Unreadable, manifest.Problem{Code: code.Code(x.Code), Place: at, Message: x.Message})
	}
	for _, x := range d.NotRead {
		at := manifest.Place{File: x.File, Entry: x.Entry, Line: x.Line}
		r.NotRead = append(r.NotRead, manifest.Problem{Code: code.Code(x.Code), Place: at, Message: x.Message})
	}
	for _, x := range d.Warnings {
		r.Warnings = append(r.Warnings, compare.Warning{Code: code.Code(x.Code), Message: x.Message, Place: x.Place})
	}
	count(r, d.Read, d.Ignored)
	return r
}

// count fills in the figures; read and ignored cannot be known from the rest, and what is left of read is copies.
func count(r *compare.Result, read, ignored int) {
	c := &r.Counts
	c.Read, c.Ignored, c.Compared = read, ignored, len(r.Comparisons)
	c.Copies = max(0, read-ignored-len(r.Comparisons)-len(r.Unmatched))
	for _, one := range r.Comparisons {
		switch one.Outcome {
		case compare.Clean:
			c.Clean++
		case compare.OnlyExtra:
			c.Extra++
		case compare.Drifted:
			c.Drift++
		case compare.Failed:
			c.Error++
		}
		if one.Override != nil {
			c.Overridden++
		}
		for category, n := range one.Counts {
			c.Differences[category] += n
		}
	}
	for _, b := range r.Rules {
		c.BrokenRules++
		if isMissing(b) {
			c.MissingCRs += len(b.Templates)
		}
	}
	c.Unmatched, c.Referenced, c.Unreadable = len(r.Unmatched), len(r.Referenced), len(r.Unreadable)
}

func (d describedTemplate) build() *refconfig.Template {
	part := &refconfig.Part{Name: d.Part}
	return &refconfig.Template{Path: d.Path, Description: d.Description, Part: part, Component: &refconfig.Component{Name: d.Component, Part: part}}
}

// identity reads "Kind namespace/name (apiVersion)", the namespace being optional.
func identity(t testing.TB, s string) manifest.ID {
	t.Helper()
	kind, rest, ok1 := strings.Cut(s, " ")
	name, version, ok2 := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
	if !ok1 || !ok2 {
		t.Fatalf("object %q is not written as Kind namespace/name (apiVersion)", s)
	}
	id := manifest.ID{APIVersion: version, Kind: kind, Name: name}
	if namespace, last, found := strings.Cut(name, "/"); found {
		id.Namespace, id.Name = namespace, last
	}
	return id
}

func (o describedObject) build(t testing.TB) compare.Comparison {
	t.Helper()
	c := compare.Comparison{
		Object: identity(t, o.Object), Template: o.Template.build(),
		Source:      manifest.Place{File: o.File, Entry: o.Entry, Line: o.Line},
		Correlation: compare.Correlation{By: o.By, Fields: o.Fields},
	}
	if c.Correlation.By == "" {
		c.Correlation.By = "fixed"
	}
	for _, one := range o.Candidates {
		c.Correlation.Candidates = append(c.Correlation.Candidates, compare.Candidate{Template: &refconfig.Template{Path: one.Path}, Score: one.Score})
	}
	if o.Override != nil {
		c.Override = &compare.Override{File: o.Override.File, Reasons: o.Override.Reasons}
	}
	if o.Error != "" {
		id, message, _ := strings.Cut(o.Error, " ")
		c.Outcome, c.Err = compare.Failed, &compare.Failure{Code: code.Code(id), Message: message}
		return c
	}
	finish(&c, o.pair(nil, refconfig.Step{Index: -1}, o.Left, o.Right))
	return c
}

// finish fills in what follows from a tree.
func finish(c *compare.Comparison, tree *compare.Pair) {
	c.Tree = tree
	flatten(tree, nil, func(d compare.Difference) {
		d.Line = c.Source.Line + len(c.Differences) + 1
		c.Differences = append(c.Differences, d)
		c.Counts[d.Category]++
	})
	switch {
	case c.Counts[compare.Drift]+c.Counts[compare.Missing] > 0:
		c.Outcome = compare.Drifted
	case c.Counts[compare.Extra] > 0:
		c.Outcome = compare.OnlyExtra
	}
}

func flatten(p *compare.Pair, path refconfig.FieldPath, add func(compare.Difference)) {
	for _, kid := range p.Kids {
		flatten(kid, append(slices.Clone(path), kid.Step), add)
	}
	if p.Category != compare.Same {
		add(compare.Difference{Category: p.Category, Path: path, Reference: p.Left, Input: p.Right, Message: p.Message, Code: p.Code, Secret: p.Secret})
	}
	if p.Category == compare.Same && p.Message != "" { // findings about no field
		add(compare.Difference{Category: compare.Drift, Path: path, Message: p.Message, Code: p.Code})
	}
}

func (o describedObject) pair(path refconfig.FieldPath, step refconfig.Step, left, right any) *compare.Pair {
	p := o.values(path, step, left, right)
	at := path.String()
	if id, message, found := strings.Cut(o.Messages[at], " "); found {
		p.Code, p.Message = code.Code(id), message
		if p.Kids == nil && p.Category == compare.Same && len(path) > 0 {
			p.Category = compare.Drift
		}
	}
	return p
}

// absent stands for a side that has no value.
type absent struct{}

func side(v any) compare.Value {
	if _, ok := v.(absent); ok {
		return compare.Value{}
	}
	return compare.Value{Present: true, Data: plain(v)}
}

func (o describedObject) values(path refconfig.FieldPath, step refconfig.Step, left, right any) *compare.Pair {
	p := &compare.Pair{Step: step, Left: side(left), Right: side(right), Secret: scopeOf(listed(o.Hidden, path))}
	lm, lok := p.Left.Data.(map[string]any)
	rm, rok := p.Right.Data.(map[string]any)
	ll, llok := p.Left.Data.([]any)
	rl, rlok := p.Right.Data.([]any)
	switch {
	case !p.Right.Present:
		p.Category = compare.Missing
	case !p.Left.Present:
		p.Category = compare.Extra
	case o.settled(path) && fmt.Sprintf("%#v", p.Left.Data) == fmt.Sprintf("%#v", p.Right.Data):
		if listed(o.Expected, path) {
			p.Category = compare.Expected
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
		p.Category = compare.Drift
	}
	return p
}

func (o describedObject) kid(path refconfig.FieldPath, step refconfig.Step, left, right any) *compare.Pair {
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

// listed reports whether a path is in a list, or below a path that is.
// scopeOf is the scope of a value of which all values are secret, or of one that has nothing secret.
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

// settled reports whether nothing below a path is described, so that equal values there need no kids.
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

// alone is the report on one cluster.
func alone(r *compare.Result) Report { return Report{Runs: []*compare.Result{r}} }
