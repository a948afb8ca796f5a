package explain

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// ExplanationVersion is the schema version of the document.
const ExplanationVersion = 1

// Explanation says, for some objects or templates, how they were compared and why.
type Explanation struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Tool          finding.Tool        `json:"tool"`
	Subject       string              `json:"subject"` // as the user wrote it
	Reference     finding.Reference   `json:"reference"`
	Inputs        []finding.Input     `json:"inputs"`
	LeftOut       []string            `json:"leftOut,omitempty"`
	Objects       []ExplainedObject   `json:"objects"`   // sorted by identity
	Templates     []ExplainedTemplate `json:"templates"` // in the order of the reference
	// parts of the input that were not read and may contain the answer; sorted by location
	Unreadable []refconfig.Problem `json:"unreadable"`
	NotRead    []refconfig.Problem `json:"notRead,omitempty"`

	Cluster string            `json:"-"` // name of the cluster
	Files   map[string]string `json:"-"` // file → path within the reference
}

// ExplainedObject lists the templates that were considered for an object, with the outcome for
// each.
type ExplainedObject struct {
	Object  finding.Object   `json:"object"`
	Source  finding.Source   `json:"source"`
	Cluster string           `json:"cluster,omitempty"` // set only if the inputs contain several clusters
	Copies  []finding.Source `json:"copies,omitempty"`  // further sources of the same object; not explained
	// the result for the chosen template; RefusedByAll or NoTemplate if there is none
	Result finding.Result `json:"result"`
	// how the template was found, see finding.Correlation; "" if no template was considered
	By       finding.FoundBy `json:"by,omitempty"`
	Template string          `json:"template,omitempty"`
	Manual   string          `json:"manual,omitempty"` // template that the user paired with the object
	// templates of the object's kind, in the order of the reference
	Considered []Considered      `json:"considered"`
	Warnings   []finding.Warning `json:"warnings,omitempty"`
}

// These are the results of an object that is compared with no template.
const (
	RefusedByAll finding.Result = "refused"
	NoTemplate   finding.Result = "unmatched"
)

// Chosen returns the entry of the template that the object is compared with, or nil.
func (o *ExplainedObject) Chosen() *Considered {
	if i := slices.IndexFunc(o.Considered, func(c Considered) bool { return c.Standing == Chosen }); i >= 0 {
		return &o.Considered[i]
	}
	return nil
}

// Standing is the outcome for a template in the search for an object's template.
type Standing string

// The first five are outcomes for candidates.
const (
	Chosen       Standing = "chosen"       // the object is compared with this template
	Larger       Standing = "larger"       // the difference is larger than for the chosen template
	Tie          Standing = "tie"          // the difference is equal, but the template is later in the reference
	NotEvaluated Standing = "notEvaluated" // the evaluation failed, and another template succeeded or comes first
	RefusedIt    Standing = "refused"      // the template refuses the object by doNotMatch
	LessSpecific Standing = "lessSpecific" // all fixed fields match, but other matching templates fix more fields
	Pattern      Standing = "pattern"      // it fixes part of a field, and another matching template fixes all of it
	Unlike       Standing = "differs"      // a fixed field differs from the object's
	Farther      Standing = "farther"      // no template matches, and others are closer
	Overruled    Standing = "overruled"    // the user paired the object with another template
	NotAnalysed  Standing = "notAnalysed"  // the component of the template was excluded
)

// Candidate reports whether the object was compared with the template.
func (s Standing) Candidate() bool {
	switch s {
	case Chosen, Larger, Tie, NotEvaluated, RefusedIt:
		return true
	}
	return false
}

// Considered is the outcome for one template in the search for an object's template.
type Considered struct {
	Template  finding.Template `json:"template"`
	Standing  Standing         `json:"standing"`
	Candidate bool             `json:"candidate"`
	Identity  []IdentityField  `json:"identity"`         // apiVersion, kind, namespace, name
	Result    finding.Result   `json:"result,omitempty"` // result of the comparison; "" if there was none
	Score     *int             `json:"score,omitempty"`  // number of changed characters, if compared
	Counts    *finding.Counts  `json:"counts,omitempty"`
	Error     *finding.Error   `json:"error,omitempty"`
	Refusal   *RefusedAt       `json:"refusal,omitempty"`
	Detail    *Detail          `json:"detail,omitempty"`
}

// IdentityField compares one identity field of a template and of an object.
type IdentityField struct {
	Field string `json:"field"`
	// the stated value, or a pattern in which * matches any text; nil if the template does not fix
	// the field
	States  *string `json:"states,omitempty"`
	Pattern bool    `json:"pattern,omitempty"` // the template fixes only part of the value
	Has     *string `json:"has,omitempty"`     // nil without an object
	Agrees  *bool   `json:"agrees,omitempty"`  // also true for a field that is not fixed
}

// Disagrees reports whether the object's value differs from the template's.
func (f IdentityField) Disagrees() bool { return f.Agrees != nil && !*f.Agrees }

// RefusedAt is the reason why a template refuses an object, and the location of the doNotMatch
// call.
type RefusedAt struct {
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// Detail is the detail of a comparison.
type Detail struct {
	File      string                 `json:"file"` // file of the template
	Rendered  []RenderedLine         `json:"rendered"`
	Asked     []Asked                `json:"asked"`
	Lookups   []Lookup               `json:"lookups,omitempty"`
	Overrides []finding.UsedOverride `json:"overrides,omitempty"`
	Functions []InlineFunction       `json:"functions,omitempty"`
	// fields of either side that were excluded from the comparison
	Omitted []string `json:"omitted,omitempty"`
	// fields that the template lacks were copied from the object (ignore-unspecified-fields)
	Merged      bool                 `json:"merged,omitempty"`
	Differences []finding.Difference `json:"differences"`
	// notes of the template, which are not findings
	Notes []finding.Statement `json:"notes,omitempty"`
}

// RenderedLine is a line of rendered text, with its location in the template.
type RenderedLine struct {
	Text    string         `json:"text"` // the text, or its visible part
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Printed bool           `json:"printed,omitempty"` // an action printed part of the line
	Prints  []finding.Span `json:"prints,omitempty"`  // parts of Text that actions printed, unless hidden
	Finding bool           `json:"finding,omitempty"` // needs a value that the object lacks
	Hidden  bool           `json:"hidden,omitempty"`
}

// Asked is a key that a template needed or checked and the object lacks.
type Asked = render.Asked

// Lookup is a lookup of other objects in the input.
type Lookup = render.Query

// InlineFunction is an inline diff function of a template.
type InlineFunction struct {
	Path     string `json:"path"`
	Function string `json:"function"`
}

// ExplainedTemplate lists the objects that are compared with a template, and why others are not.
type ExplainedTemplate struct {
	Cluster     string           `json:"cluster,omitempty"` // as in ExplainedObject
	Template    finding.Template `json:"template"`
	File        string           `json:"file"`
	Identity    []IdentityField  `json:"identity"`              // the template's values only
	NotAnalysed bool             `json:"notAnalysed,omitempty"` // the component was excluded
	Rules       []string         `json:"rules"`
	// broken rules to which this template contributes
	Broken      []finding.Rule `json:"broken"`
	Interrupted bool           `json:"interrupted,omitempty"` // the rules were not evaluated
	// objects of the template's kind and objects paired with it, sorted by identity
	Objects []MetObject `json:"objects"`
	// the closest unmatched object, if no object matched the template
	Nearest *finding.Nearest `json:"nearest,omitempty"`
	// set if no object matched the template, but other objects refer to one
	Referenced *finding.Referenced `json:"referenced,omitempty"`
	// set if no object matched and the input is an archive without any object of the kind
	NotCollected *finding.Kind `json:"notCollected,omitempty"`
	// why the input may lack the object; set if NotCollected is
	Because finding.Uncollected `json:"notCollectedBecause,omitempty"`
	// the object to create; set if no object matched the template and a rule allows one
	Create *Creation `json:"create,omitempty"`
}

// Creation is an object to create, as far as the template says it.
type Creation struct {
	CR    string   `json:"cr,omitempty"`    // as YAML; "" if Held is set
	Held  string   `json:"held,omitempty"`  // why there is no CR
	First string   `json:"first,omitempty"` // what has to be done before the cluster accepts the CR
	Open  []string `json:"open,omitempty"`  // what only the user can fill in, in the order of the object
}

// MetObject is an object for which a template was considered.
type MetObject struct {
	Object     finding.Object  `json:"object"`
	Source     finding.Source  `json:"source"`
	By         finding.FoundBy `json:"by,omitempty"`        // how the template was found, see finding.Correlation
	With       string          `json:"with,omitempty"`      // template that the object is compared with
	WithScore  int             `json:"withScore,omitempty"` // changed characters against that template
	Candidates int             `json:"candidates"`          // number of templates that the object was compared with
	Considered Considered      `json:"considered"`          // outcome for this template
}

// Met reports whether the object is compared with the template.
func (m MetObject) Met() bool { return m.Considered.Standing == Chosen }

// Join merges the explanations of several clusters. The reference, the subject and the excluded
// components come from the first.
func Join(all []*Explanation) *Explanation {
	if len(all) == 1 {
		return all[0]
	}
	out := *all[0]
	out.Inputs, out.Objects, out.Templates, out.Unreadable, out.NotRead = nil, nil, nil, nil, nil
	for _, one := range all {
		for _, o := range one.Objects {
			o.Cluster = one.Cluster
			out.Objects = append(out.Objects, o)
		}
		for _, t := range one.Templates {
			t.Cluster = one.Cluster
			out.Templates = append(out.Templates, t)
		}
		out.Inputs = append(out.Inputs, one.Inputs...)
		out.Unreadable = append(out.Unreadable, one.Unreadable...)
		out.NotRead = append(out.NotRead, one.NotRead...)
	}
	return out.Complete()
}

// Complete replaces nil lists by empty ones, because JSON would print nil as null.
func (e *Explanation) Complete() *Explanation {
	e.SchemaVersion = ExplanationVersion
	e.Inputs, e.Objects, e.Templates, e.Unreadable = filled(
		e.Inputs,
	), filled(e.Objects), filled(e.Templates), filled(e.Unreadable)
	return e
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
