package explain

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
)

// ExplanationVersion is the version of the document of an explanation.
const ExplanationVersion = 1

// Explanation says of some objects, or of some templates, why they were compared as they were.
type Explanation struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Tool          finding.Tool        `json:"tool"`
	Subject       string              `json:"subject"` // what was asked for, as the user wrote it
	Reference     finding.Reference   `json:"reference"`
	Inputs        []finding.Input     `json:"inputs"`
	LeftOut       []string            `json:"leftOut,omitempty"`
	Objects       []ExplainedObject   `json:"objects"`   // sorted by identity
	Templates     []ExplainedTemplate `json:"templates"` // in the order of the reference
	// what of the input was not read: the answer may lie in it; sorted by place
	Unreadable []finding.Problem `json:"unreadable"`
	NotRead    []finding.Problem `json:"notRead,omitempty"`

	Cluster string            `json:"-"` // the name of the cluster that it is about
	Files   map[string]string `json:"-"` // paths within the reference of the files that places name
}

// ExplainedObject says which templates came into question for an object, and what became of each.
type ExplainedObject struct {
	Object  finding.Object   `json:"object"`
	Source  finding.Source   `json:"source"`
	Cluster string           `json:"cluster,omitempty"` // set only where the inputs hold several
	Copies  []finding.Source `json:"copies,omitempty"`  // where the object stands besides; these are not explained
	// with the template that was chosen; Refused or Unmatched where there is none
	Result finding.Result `json:"result"`
	// as in Correlation; "" where no template came into question
	By         string            `json:"by,omitempty"`
	Template   string            `json:"template,omitempty"`
	Manual     string            `json:"manual,omitempty"` // the template that the user paired the object with
	Considered []Considered      `json:"considered"`       // the templates of its kind, in the order of the reference
	Warnings   []finding.Warning `json:"warnings,omitempty"`
}

// The results of an explained object that is compared with no template.
const (
	RefusedByAll finding.Result = "refused"
	NoTemplate   finding.Result = "unmatched"
)

// Chosen returns what is said of the template that the object is compared with, nil if there is
// none.
func (o *ExplainedObject) Chosen() *Considered {
	if i := slices.IndexFunc(o.Considered, func(c Considered) bool { return c.Standing == Chosen }); i >= 0 {
		return &o.Considered[i]
	}
	return nil
}

// Standing says what became of a template in the search for an object's template.
type Standing string

// The standings. The first five are those of candidates.
const (
	Chosen       Standing = "chosen"       // the object is compared with it
	Larger       Standing = "larger"       // the difference is larger than that of the chosen one
	Tie          Standing = "tie"          // as small a difference, but later in the reference
	NotEvaluated Standing = "notEvaluated" // it cannot be evaluated on the object, and another one can, or comes first
	RefusedIt    Standing = "refused"      // it refuses the object by doNotMatch
	LessSpecific Standing = "lessSpecific" // all it states agrees, but others of which that is true state more
	Pattern      Standing = "pattern"      // it states a part of a field, and another one that agrees states the whole
	Unlike       Standing = "differs"      // a field that it states is not the object's
	Farther      Standing = "farther"      // no template fits, and others are nearer
	Overruled    Standing = "overruled"    // the user paired the object with another template
	NotAnalysed  Standing = "notAnalysed"  // its component was left out
)

// Candidate reports whether the object was compared with the template.
func (s Standing) Candidate() bool {
	switch s {
	case Chosen, Larger, Tie, NotEvaluated, RefusedIt:
		return true
	}
	return false
}

// Considered is what became of one template in the search for an object's template.
type Considered struct {
	Template  finding.Template `json:"template"`
	Standing  Standing         `json:"standing"`
	Candidate bool             `json:"candidate"`
	Identity  []IdentityField  `json:"identity"`         // apiVersion, kind, namespace, name
	Result    finding.Result   `json:"result,omitempty"` // what comparing came to; "" where it was not compared
	Score     *int             `json:"score,omitempty"`  // changed characters, where it was compared
	Counts    *finding.Counts  `json:"counts,omitempty"`
	Error     *finding.Error   `json:"error,omitempty"`
	Refusal   *RefusedAt       `json:"refusal,omitempty"`
	Detail    *Detail          `json:"detail,omitempty"`
}

// IdentityField is one of the four fields of an identity, as a template states it and as an object
// has it.
type IdentityField struct {
	Field string `json:"field"`
	// a value, or a pattern with * for what is open; nil for a field that the template leaves open
	States  *string `json:"states,omitempty"`
	Pattern bool    `json:"pattern,omitempty"` // the template states a part of the value
	Has     *string `json:"has,omitempty"`     // nil where it is about no object
	Agrees  *bool   `json:"agrees,omitempty"`  // true too for what is left open
}

// Disagrees reports whether an object has something else than the template states.
func (f IdentityField) Disagrees() bool { return f.Agrees != nil && !*f.Agrees }

// RefusedAt is a template's reason not to match an object, and where doNotMatch stands.
type RefusedAt struct {
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// Detail is what is behind a comparison.
type Detail struct {
	File      string                 `json:"file"` // of the template
	Rendered  []RenderedLine         `json:"rendered"`
	Asked     []Asked                `json:"asked"`
	Lookups   []Lookup               `json:"lookups,omitempty"`
	Overrides []finding.UsedOverride `json:"overrides,omitempty"`
	Functions []InlineFunction       `json:"functions,omitempty"`
	// fields of either side that were left out of the comparison
	Omitted []string `json:"omitted,omitempty"`
	// what the template does not say was taken from the object (ignore-unspecified-fields)
	Merged      bool                 `json:"merged,omitempty"`
	Differences []finding.Difference `json:"differences"`
	// what the template tells of the object, which counts for nothing
	Notes []finding.Statement `json:"notes,omitempty"`
}

// RenderedLine is a line of rendered text, with its line in the template.
type RenderedLine struct {
	Text    string         `json:"text"` // what may be shown of it
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Printed bool           `json:"printed,omitempty"` // an action printed something on it
	Prints  []finding.Span `json:"prints,omitempty"`  // what of Text actions printed, where it is not hidden
	Finding bool           `json:"finding,omitempty"` // it needs what the object lacks
	Hidden  bool           `json:"hidden,omitempty"`
}

// Asked is a key that a template asked for and the object lacks.
type Asked struct {
	Path   string `json:"path"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Needed bool   `json:"needed"` // the template prints it
}

// Lookup is something that a template looked up in the input.
type Lookup struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Found      int    `json:"found"`
	File       string `json:"file"`
	Line       int    `json:"line"`
}

// InlineFunction is an inline diff function of a template.
type InlineFunction struct {
	Path     string `json:"path"`
	Function string `json:"function"`
}

// ExplainedTemplate says which objects met a template, and why others did not.
type ExplainedTemplate struct {
	Cluster     string           `json:"cluster,omitempty"` // as in ExplainedObject
	Template    finding.Template `json:"template"`
	File        string           `json:"file"`
	Identity    []IdentityField  `json:"identity"`              // without an object's side
	NotAnalysed bool             `json:"notAnalysed,omitempty"` // its component was left out
	Rules       []string         `json:"rules"`
	// rules that do not hold, and that this template is a part of the reason for
	Broken      []finding.Rule `json:"broken"`
	Interrupted bool           `json:"interrupted,omitempty"` // the rules were not evaluated
	// those of its kind, and those paired with it, sorted by identity
	Objects []MetObject `json:"objects"`
	// the unmatched object that comes nearest, where the template met none
	Nearest *finding.Nearest `json:"nearest,omitempty"`
	// set where the template met no object, but others point at one
	Referenced *finding.Referenced `json:"referenced,omitempty"`
	// set where it met none, and the input is an archive that has nothing of the kind
	NotCollected *finding.Kind `json:"notCollected,omitempty"`
	// why the input would not show it; set where NotCollected is
	Because finding.Uncollected `json:"notCollectedBecause,omitempty"`
}

// MetObject is an object that a template was considered for.
type MetObject struct {
	Object     finding.Object `json:"object"`
	Source     finding.Source `json:"source"`
	By         string         `json:"by,omitempty"`        // as in Correlation
	With       string         `json:"with,omitempty"`      // the template that it is compared with
	WithScore  int            `json:"withScore,omitempty"` // its changed characters
	Candidates int            `json:"candidates"`          // how many templates the object was compared with
	Considered Considered     `json:"considered"`          // what became of this template
}

// Met reports whether the object is compared with the template.
func (m MetObject) Met() bool { return m.Considered.Standing == Chosen }

// Join makes one of the explanations of several clusters. It reads the reference, the subject and
// what was left out from the first.
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

// Complete makes empty lists of those that are none, which JSON would print as null.
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
