package report

import (
	"bytes"
	"io"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/refconfig"
)

// explainVersion is the version of the document of an explanation.
const explainVersion = 1

// explainDocument is what ExplanationJSON prints. docs/explain.schema.json describes it.
type explainDocument struct {
	SchemaVersion int                    `json:"schemaVersion"`
	Tool          docTool                `json:"tool"`
	Subject       string                 `json:"subject"`
	Reference     docReference           `json:"reference"`
	Inputs        []docInput             `json:"inputs"`
	LeftOut       []string               `json:"leftOut,omitempty"`
	Objects       []docExplainedObject   `json:"objects"`
	Templates     []docExplainedTemplate `json:"templates"`
	Unreadable    []docUnreadable        `json:"unreadable"`
	NotRead       []docUnreadable        `json:"notRead,omitempty"`
}

type docExplainedObject struct {
	Object     docObject       `json:"object"`
	Source     docSource       `json:"source"`
	Cluster    string          `json:"cluster,omitempty"`
	Copies     []docSource     `json:"copies,omitempty"`
	Result     string          `json:"result"` // as in a report, or refused or unmatched
	By         string          `json:"by,omitempty"`
	Template   string          `json:"template,omitempty"`
	Manual     string          `json:"manual,omitempty"`
	Considered []docConsidered `json:"considered"`
	Warnings   []docWarning    `json:"warnings,omitempty"`
}

type docConsidered struct {
	Template  docTemplate        `json:"template"`
	Standing  string             `json:"standing"`
	Candidate bool               `json:"candidate"`
	Identity  []docIdentityField `json:"identity"`
	Result    string             `json:"result,omitempty"`
	Score     *int               `json:"score,omitempty"`
	Counts    *docDifferences    `json:"counts,omitempty"`
	Error     *docError          `json:"error,omitempty"`
	Refusal   *docRefusedAt      `json:"refusal,omitempty"`
	Detail    *docDetail         `json:"detail,omitempty"`
}

type docIdentityField struct {
	Field   string  `json:"field"`
	States  *string `json:"states,omitempty"`
	Pattern bool    `json:"pattern,omitempty"`
	Has     *string `json:"has,omitempty"`
	Agrees  *bool   `json:"agrees,omitempty"`
}

type docRefusedAt struct {
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

type docDetail struct {
	Rendered    []docLine       `json:"rendered"`
	Asked       []docAsked      `json:"asked"`
	Lookups     []docLookup     `json:"lookups,omitempty"`
	Overrides   []docUsed       `json:"overrides,omitempty"`
	Functions   []docFunction   `json:"functions,omitempty"`
	Omitted     []string        `json:"omitted,omitempty"`
	Merged      bool            `json:"merged,omitempty"`
	Differences []docDifference `json:"differences"`
}

type docLine struct {
	Text    string `json:"text"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Printed bool   `json:"printed,omitempty"`
	Finding bool   `json:"finding,omitempty"`
	Hidden  bool   `json:"hidden,omitempty"`
}

type docAsked struct {
	Path   string `json:"path"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Needed bool   `json:"needed"`
}

type docLookup struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Found      int    `json:"found"`
	File       string `json:"file"`
	Line       int    `json:"line"`
}

type docUsed struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Expires string `json:"expires,omitempty"`
	Applied bool   `json:"applied"`
	State   string `json:"state"`
}

type docFunction struct {
	Path     string `json:"path"`
	Function string `json:"function"`
}

type docExplainedTemplate struct {
	Cluster      string             `json:"cluster,omitempty"`
	Template     docTemplate        `json:"template"`
	File         string             `json:"file"`
	Identity     []docIdentityField `json:"identity"`
	NotAnalysed  bool               `json:"notAnalysed,omitempty"`
	Rules        []string           `json:"rules"`
	Broken       []docRule          `json:"broken"`
	Interrupted  bool               `json:"interrupted,omitempty"`
	Objects      []docMetObject     `json:"objects"`
	Nearest      *docNearest        `json:"nearest,omitempty"`
	Referenced   *docReferenced     `json:"referenced,omitempty"`
	NotCollected *docKind           `json:"notCollected,omitempty"`
}

type docMetObject struct {
	Object     docObject     `json:"object"`
	Source     docSource     `json:"source"`
	By         string        `json:"by,omitempty"`
	With       string        `json:"with,omitempty"`
	Candidates int           `json:"candidates"`
	Considered docConsidered `json:"considered"`
}

// ExplanationJSON prints an explanation as a document that docs/explain.schema.json describes.
func ExplanationJSON(w io.Writer, e *compare.Explanation, opt ExplainOptions) error {
	d, err := explained{opt}.document(e)
	if err != nil {
		return err
	}
	text, err := indented(d, "")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ExplanationYAML prints the document of ExplanationJSON as YAML.
func ExplanationYAML(w io.Writer, e *compare.Explanation, opt ExplainOptions) error {
	var doc bytes.Buffer
	if err := ExplanationJSON(&doc, e, opt); err != nil {
		return err
	}
	return yamlOf(w, &doc)
}

// explained makes the document of an explanation.
type explained struct{ opt ExplainOptions }

func (x explained) document(e *compare.Explanation) (explainDocument, error) {
	d := explainDocument{
		SchemaVersion: explainVersion, Tool: docTool{Name: toolName, Version: x.opt.ToolVersion}, Subject: e.Subject,
		Reference: docReference{Path: e.Reference.Path, Format: string(e.Reference.Format), Hash: e.Reference.Hash},
		Inputs:    []docInput{}, LeftOut: e.LeftOut, Objects: []docExplainedObject{}, Templates: []docExplainedTemplate{}, Unreadable: []docUnreadable{},
	}
	for _, in := range e.Inputs {
		d.Inputs = append(d.Inputs, docInput(in))
	}
	for _, u := range e.Unreadable {
		d.Unreadable = append(d.Unreadable, describeProblem(u))
	}
	for _, n := range e.NotRead {
		d.NotRead = append(d.NotRead, describeProblem(n))
	}
	for i := range e.Objects {
		one, err := x.object(&e.Objects[i])
		if err != nil {
			return d, err
		}
		d.Objects = append(d.Objects, one)
	}
	for i := range e.Templates {
		one, err := x.template(&e.Templates[i])
		if err != nil {
			return d, err
		}
		d.Templates = append(d.Templates, one)
	}
	return d, nil
}

func (x explained) object(o *compare.ExplainedObject) (docExplainedObject, error) {
	d := docExplainedObject{Object: describeID(o.Object), Source: describePlace(o.Source), Cluster: o.Cluster, By: o.By, Template: chosenPath(o),
		Result: "unmatched", Considered: []docConsidered{}}
	switch {
	case o.Comparison != nil:
		d.Result = resultName(o.Comparison.Outcome)
	case o.By != "":
		d.Result = "refused"
	}
	if o.Manual != nil {
		d.Manual = o.Manual.Path
	}
	for _, c := range o.Copies {
		d.Copies = append(d.Copies, describePlace(c))
	}
	for _, w := range o.Warnings {
		d.Warnings = append(d.Warnings, docWarning{Code: string(w.Code), Message: w.Message, Place: w.Place})
	}
	for i := range o.Considered {
		one, err := x.considered(&o.Considered[i], true)
		if err != nil {
			return d, err
		}
		d.Considered = append(d.Considered, one)
	}
	return d, nil
}

func (x explained) considered(c *compare.Considered, hasObject bool) (docConsidered, error) {
	d := docConsidered{Template: describeTemplate(c.Template), Standing: string(c.Standing), Candidate: c.Standing.Candidate(),
		Identity: describeIdentity(c.Identity, hasObject)}
	if r := c.Refusal; r != nil {
		d.Refusal = &docRefusedAt{Reason: r.Reason, File: r.At.File, Line: r.At.Line}
	}
	if c.Compared != nil {
		d.Result = resultName(c.Compared.Outcome)
		if c.Compared.Err != nil {
			d.Error = &docError{Code: string(c.Compared.Err.Code), Message: c.Compared.Err.Message}
		} else {
			d.Score = &c.Score
			counts := describeCounts(c.Compared.Counts)
			d.Counts = &counts
		}
	}
	var err error
	if c.Detail != nil && !x.opt.Summary && (x.opt.AllCandidates || c.Standing == compare.Chosen) {
		d.Detail, err = x.detail(c)
	}
	return d, err
}

func describeIdentity(fields []compare.IdentityField, hasObject bool) []docIdentityField {
	list := []docIdentityField{}
	for i := range fields {
		f := &fields[i]
		d := docIdentityField{Field: f.Name, Pattern: f.Stated && !f.Whole}
		if f.Stated {
			d.States = &f.States
		}
		if hasObject {
			d.Has, d.Agrees = &f.Has, &f.Agrees
		}
		list = append(list, d)
	}
	return list
}

func (x explained) detail(c *compare.Considered) (*docDetail, error) {
	d := &docDetail{Rendered: []docLine{}, Asked: []docAsked{}, Merged: c.Detail.Merged, Differences: []docDifference{}}
	for _, l := range c.Detail.Lines {
		one := docLine{Text: l.Text, File: l.From.File, Line: l.From.Line, Printed: len(l.Prints) > 0, Finding: l.Finding, Hidden: l.Hidden}
		if l.Hidden && !x.opt.ShowSecrets {
			one.Text = l.Masked
		}
		d.Rendered = append(d.Rendered, one)
	}
	for _, a := range c.Detail.Asked {
		d.Asked = append(d.Asked, docAsked{Path: a.Path.String(), File: a.At.File, Line: a.At.Line, Needed: a.Needed})
	}
	for _, q := range c.Detail.Queries {
		d.Lookups = append(d.Lookups, docLookup{APIVersion: q.APIVersion, Kind: q.Kind, Namespace: q.Namespace, Name: q.Name, Found: q.Found,
			File: q.At.File, Line: q.At.Line})
	}
	for _, o := range c.Detail.Overrides {
		d.Overrides = append(d.Overrides, docUsed{File: o.Place.File, Line: o.Place.Line, Type: string(o.Type), Reason: o.Reason, Expires: o.Expires,
			Applied: o.State == compare.OverrideUsed, State: string(o.State)})
	}
	for _, f := range c.Detail.Functions {
		d.Functions = append(d.Functions, docFunction{Path: f.Path.String(), Function: f.Function})
	}
	for _, p := range c.Detail.Omitted {
		d.Omitted = append(d.Omitted, p.String())
	}
	if c.Compared == nil {
		return d, nil
	}
	for _, diff := range c.Compared.Differences {
		one, err := describeDifference(diff, DocOptions{ShowSecrets: x.opt.ShowSecrets})
		if err != nil {
			return d, err
		}
		d.Differences = append(d.Differences, one)
	}
	return d, nil
}

func (x explained) template(t *compare.ExplainedTemplate) (docExplainedTemplate, error) {
	d := docExplainedTemplate{Cluster: t.Cluster, Template: describeTemplate(t.Template), File: t.Template.File, Identity: describeIdentity(t.Identity, false),
		NotAnalysed: t.NotAnalysed, Interrupted: t.Interrupted, Rules: ruleNames(t.Rules), Broken: []docRule{}, Objects: []docMetObject{}}
	for _, b := range t.Broken {
		d.Broken = append(d.Broken, describeRule(b))
	}
	d.Nearest = describeNearest(t.Nearest)
	if r := t.Referenced; r != nil {
		d.Referenced = &docReferenced{Template: r.Template.Path, By: describeID(r.By), How: r.How}
	}
	if k := t.NotCollected; k != nil {
		kind := docKind(*k)
		d.NotCollected = &kind
	}
	for i := range t.Objects {
		o := &t.Objects[i]
		one := docMetObject{Object: describeID(o.Object), Source: describePlace(o.Source), By: o.By, Candidates: o.Candidates}
		if o.With != nil {
			one.With = o.With.Path
		}
		var err error
		if one.Considered, err = x.considered(&o.Considered, true); err != nil {
			return d, err
		}
		d.Objects = append(d.Objects, one)
	}
	return d, nil
}

func ruleNames(kinds []refconfig.RuleKind) []string {
	names := []string{}
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}
