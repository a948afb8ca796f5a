// Package finding holds what was found: a Report with a Run for each cluster. These structs are the
// document that JSON and YAML print, key by key in their order, and can be read back from it;
// docs/report.schema.json describes it. Every writer reads nothing else.
//
// The verdict and the exit status are decided here, once. Reports that were saved are read again and
// made one, and held against each other: a finding is the same as an earlier one where their
// fingerprints are, and a cluster where what is known of both agrees. The package compares nothing
// with a reference and prints nothing. What is secret never comes here unless the user asks to see it.
package finding

import (
	"encoding/json"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/lines"
	"github.com/validationtool/validationtool/refconfig"
)

const (
	// SchemaVersion is the version of the document of a report. It changes when something is taken
	// out or changes its meaning.
	SchemaVersion = 2
	// ToolName is what a document calls the tool.
	ToolName = "validationTool"
)

// Report is what a command found about all clusters of its inputs.
type Report struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Tool          Tool                `json:"tool"`
	Reference     Reference           `json:"reference"`
	FailOn        FailOn              `json:"failOn"`
	ExitStatus    int                 `json:"exitStatus"`
	Summary       Overall             `json:"summary"`
	Codes         []refconfig.OwnCode `json:"codes,omitempty"`  // those of the reference's own that are told, sorted
	Passed        []Passed            `json:"passed,omitempty"` // what of the inputs was passed over, by reason, sorted
	Runs          []*Run              `json:"runs"`             // at least one, in the order of the inputs
}

// Tool is what made a document.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Reference is what the inputs are compared with.
type Reference struct {
	Path     string `json:"path"`
	Metadata string `json:"metadata,omitempty"` // its metadata file; none in the annotations format
	Format   string `json:"format"`
	Hash     string `json:"hash"`
}

// ReferenceOf says what a reference is.
func ReferenceOf(ref *refconfig.Reference) Reference {
	return Reference{Path: ref.Path, Metadata: ref.Metadata, Format: string(ref.Format), Hash: ref.Hash}
}

// Overall is what all clusters come to.
type Overall struct {
	Verdict  Verdict  `json:"verdict"` // the worst
	Clusters Clusters `json:"clusters"`
}

// Clusters counts the clusters by verdict.
type Clusters struct {
	Compliant  int `json:"compliant"`
	Drift      int `json:"drift"`
	Incomplete int `json:"incomplete"`
}

// Passed counts the files, or documents of files, that were passed over for one reason.
type Passed struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// Run is what was found about one cluster.
type Run struct {
	Inputs         []Input       `json:"inputs"`
	Cluster        Cluster       `json:"cluster,omitzero"`
	Summary        Summary       `json:"summary"`
	Alarms         []Warning     `json:"alarms"`      // the warnings that must not drown among others
	Comparisons    []*Comparison `json:"comparisons"` // sorted by object, then source
	Rules          []Rule        `json:"rules"`       // those that do not hold, in the order of the reference
	UnmatchedKinds []KindCount   `json:"unmatchedKinds"`
	// sorted by object; counted, but left out here where nobody asks for them
	Unmatched  []Unmatched `json:"unmatched,omitempty"`
	Unreadable []Problem   `json:"unreadable"` // sorted by place
	Warnings   []Warning   `json:"warnings"`   // see CompareWarnings

	Referenced []Referenced `json:"referenced,omitempty"`
	// left unchecked because all candidates refuse them; sorted by object
	Refused []Unmatched `json:"refused,omitempty"`
	NotRead []Problem   `json:"notRead,omitempty"` // archives inside the input that were not opened
	// kinds of missing CRs that may not have been collected, sorted
	NotCollected []Kind `json:"notCollected,omitempty"`
	// some of these may have been in files that hold no CR or could not be read
	Lost        bool          `json:"lost,omitempty"`
	LeftOut     []string      `json:"leftOut,omitempty"`     // components that the user left out
	Chosen      bool          `json:"chosen,omitempty"`      // the user named the components to analyse
	Interrupted bool          `json:"interrupted,omitempty"` // one of Unreadable says why, and what was not looked at
	Overrides   []OverrideUse `json:"overrides,omitempty"`   // in their order
	Suppressed  []Suppressed  `json:"suppressed,omitempty"`  // where somebody asks for it, in the order of the rules
	AcceptedCRs []AcceptedCR  `json:"acceptedCRs,omitempty"` // that would break rules, in the order of the reference
	// what an earlier report says, where somebody asks for it
	Baseline *Baseline `json:"baseline,omitempty"`
}

// Input is one thing that the user handed in.
type Input struct {
	Path   string `json:"path"`
	Format string `json:"format"`           // directory, file, stdin, tar, tar.gz, ...
	Layout string `json:"layout,omitempty"` // must-gather, ...
	// the folder inside that is of this cluster, where the input holds others too
	Root   string `json:"root,omitempty"`
	Folder string `json:"folder,omitempty"` // the innermost folder inside that holds all CRs of this cluster
}

// Cluster is what the input says about the cluster that it came from.
type Cluster struct {
	Name           string `json:"name,omitempty"` // what to call it by
	Version        string `json:"version,omitempty"`
	ID             string `json:"id,omitempty"`
	Infrastructure string `json:"infrastructure,omitempty"`
	Gathered       string `json:"gathered,omitempty"`
}

// Summary has the figures of a run. Conclude fills in what follows from the rest of the run.
type Summary struct {
	Verdict     Verdict `json:"verdict"`
	Objects     Objects `json:"objects"`
	Differences Counts  `json:"differences"`
	MissingCRs  int     `json:"missingCRs"` // the sum of the next three
	AbsentCRs   int     `json:"absentCRs"`  // those that are required, and not there
	// those that may be there, for the input would not show them
	NotCollectedCRs int `json:"notCollectedCRs"`
	// those that are required only because others are there, and not there
	WantedCRs   int `json:"wantedCRs"`
	BrokenRules int `json:"brokenRules"`           // those that are not about missing CRs
	AcceptedCRs int `json:"acceptedCRs,omitempty"` // that would break rules
	Unreadable  int `json:"unreadable"`
	// values that the collector masked, so that they were not compared
	Masked int      `json:"masked"`
	Impact *Impacts `json:"impact,omitempty"` // of all findings; nil where no rules say what they mean
}

// Objects counts objects. What was read is the sum of Compared, Unmatched, Ignored and Copies, and
// of what was not looked at where the run was interrupted, or for want of steps.
type Objects struct {
	Read       int `json:"read"`
	Compared   int `json:"compared"`
	Clean      int `json:"clean"`
	Extra      int `json:"extra"`
	Drift      int `json:"drift"`
	Error      int `json:"error"`
	Overridden int `json:"overridden"`
	Unmatched  int `json:"unmatched"`
	Referenced int `json:"referenced"`
	Ignored    int `json:"ignored"`
	Copies     int `json:"copies"` // further copies of CRs, which do not count
}

// Comparison is what was found about one object.
type Comparison struct {
	Object      Object      `json:"object"`
	Source      Source      `json:"source"`
	Template    Template    `json:"template"`
	Correlation Correlation `json:"correlation"`
	Result      Result      `json:"result"`
	Counts      Counts      `json:"counts"` // of all differences, listed or not
	Error       *Error      `json:"error,omitempty"`
	Override    *Override   `json:"override,omitempty"`
	// in the order of the sorted object; those about no field have neither value, and stand last
	Differences []Difference `json:"differences"`
	Notes       []Statement  `json:"notes,omitempty"` // what the template tells of the object, which counts for nothing
	Sides       Sides        `json:"sides,omitempty"` // the lines of both sides, or those of them that are wanted

	Acceptance *Acceptance `json:"-"` // overrides that accept what was found, where somebody asks for them
	Fix        *Fix        `json:"-"` // what it has to become, where somebody asks for it
}

// Template is an entry of the reference.
type Template struct {
	Path        string `json:"path"`
	Part        string `json:"part"`
	Component   string `json:"component"`
	Description string `json:"description,omitempty"`
	Index       int    `json:"index"` // its place in the order of the reference, from 0
}

// TemplateOf says which template it is.
func TemplateOf(t *refconfig.Template) Template {
	out := Template{Path: t.Path, Description: t.Description, Index: t.Index}
	out.Part, out.Component = componentNames(t.Component)
	return out
}

func componentNames(c *refconfig.Component) (part, component string) {
	if c == nil {
		return "", ""
	}
	if c.Part != nil {
		part = c.Part.Name
	}
	return part, c.Name
}

// Correlation says how object and template found each other.
type Correlation struct {
	By         string      `json:"by"`                   // fixed, manual, nearest or interactive
	Fields     []string    `json:"fields"`               // those of the identity that agree
	Candidates []Candidate `json:"candidates,omitempty"` // where there was a choice; the chosen one first
}

// Candidate is a template that could have been chosen.
type Candidate struct {
	Path  string `json:"path"`
	Score int    `json:"score"` // changed characters; 0 is a perfect match
}

// Error says why an object could not be evaluated.
type Error struct {
	Code    code.Code `json:"code"`
	Message string    `json:"message"` // position first: "templates/a.yaml:12:3: ..."
	Change  Change    `json:"change,omitempty"`
}

// Override says which accepted deviations were applied to an object's rendered reference.
type Override struct {
	File    string   `json:"file"`
	Reasons []string `json:"reasons"`
	// what they accept, which counts nowhere; only where somebody asks for it
	Accepted []Difference `json:"accepted,omitempty"`
}

// Difference is a field that differs. A whole map or list that one side lacks is one difference.
type Difference struct {
	Category Category `json:"category"`
	Path     string   `json:"path"` // as pathToKey; "." for the whole object
	// the path with names of items in the place of indexes, for the fingerprint; "" for Path
	Named string `json:"-"`
	// nil where that side has no value, which is not the same as null
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	// what more there is to say, e.g. which key a template asked for
	Message string `json:"message,omitempty"`
	// in the source file; of the nearest field above it where the field is not there
	Line        int       `json:"line,omitempty"`
	Code        code.Code `json:"code,omitempty"`   // "" for a plain difference
	Inside      *Inside   `json:"inside,omitempty"` // where both values are texts that hold documents
	Fingerprint string    `json:"fingerprint"`
	Reason      string    `json:"reason,omitempty"` // why it is accepted, where it is
	Change      Change    `json:"change,omitempty"`
	Rating
}

// Required reports whether the reference has no value to show, because only the object could tell
// it.
func (d Difference) Required() bool {
	void := d.Reference == nil || string(d.Reference) == "null" || string(d.Reference) == `""`
	return d.Category == Missing && void && (d.Code == code.EvalMissingKey || d.Reference == nil)
}

// What the lines of an object are made of.
type (
	// Sides are all of them.
	Sides = lines.Packed
	// Side is one on each side.
	Side = lines.Side
	// Line is one of them.
	Line = lines.Line
	// Span is a part of one.
	Span = lines.Span
)

// Kind is a kind of object; APIVersion is "" where it is open.
type Kind struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
}

// KindCount says how many objects of a kind there are.
type KindCount struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Count      int    `json:"count"`
	Change     Change `json:"change,omitempty"` // where unmatched CRs count
}

// Unmatched is an object that no template met, or that is left unchecked on purpose.
type Unmatched struct {
	Object  Object    `json:"object"`
	Source  Source    `json:"source"`
	Reasons []Refusal `json:"reasons,omitempty"` // of the templates that refuse it with doNotMatch
}

// Refusal is a template's reason not to match an object.
type Refusal struct {
	Template string `json:"template"`
	Reason   string `json:"reason"`
}

// Referenced is a template whose object others point at although the input does not hold it.
type Referenced struct {
	Template    string `json:"template"`
	By          Object `json:"by"`
	How         string `json:"how"` // ownerReference or subject
	Description string `json:"description,omitempty"`
	Change      Change `json:"change,omitempty"`
}

// Suppressed is what of the objects was left out of their comparison by one rule.
type Suppressed struct {
	Rule   SuppressedBy      `json:"rule"`
	Count  int               `json:"count"`
	Fields []SuppressedField `json:"fields,omitempty"` // where somebody asks for them, sorted by object and path
}

// SuppressedBy is a rule that leaves fields out of a comparison.
type SuppressedBy string

// The rules.
const (
	ByBuiltIn     SuppressedBy = "built-in"    // the list of fields that no reference has to name
	ByReference   SuppressedBy = "reference"   // a list of the reference
	ByUnspecified SuppressedBy = "unspecified" // ignore-unspecified-fields: the template does not say it
	ByMask        SuppressedBy = "masked"      // the collector masked it
	ByOverride    SuppressedBy = "overridden"  // it is an accepted deviation
)

// SuppressedField is a field that was left out of the comparison of an object.
type SuppressedField struct {
	Object   Object   `json:"object"`
	Path     string   `json:"path"`
	Category Category `json:"category,omitempty"` // what it would have been; Same where both sides agree
	By       string   `json:"by"`                 // the entry, collector or reason that leaves it out
	Place    string   `json:"place,omitempty"`    // of the entry or override: "file:line"
}

// Acceptance is how overrides accept what was found in one object. They have everything but a
// reason.
//
// It holds: a run over the same objects with these overrides behind those of this run finds in the
// object, of what is to be accepted, only what is Left.
type Acceptance struct {
	Overrides []refconfig.Override // one, or two to be applied in this order; none where nothing can be accepted
	Left      []NotAccepted        // in the order of the object
}

// NotAccepted is a finding that no override accepts.
type NotAccepted struct {
	Path    refconfig.FieldPath
	Message string
}

// Fix is what an object has to become so that it agrees with the reference, as far as that is
// known. Nothing secret or masked is in it.
type Fix struct {
	CR, Held string // the whole object as YAML, without what the cluster writes into it; else why there is none
	// a merge patch (RFC 7386) as JSON; "" where nothing can be changed, and for an object that is
	// missing
	Patch string
	Open  []OpenField // what only the user can mend, in the order of the object
}

// OpenField is a field that only the user can mend, and why.
type OpenField struct{ Path, Message string }

// Question asks which of several templates that fit an object it is to be compared with.
type Question struct {
	Object     Object
	Source     Source
	Number, Of int      // which question this is, from 1, of how many
	Choices    []Choice // at least two; the smallest difference first, then the order of the reference
}

// Choice is what comparing the object with one of the templates comes to.
type Choice struct {
	Template Template
	Counts   Counts
	Score    int                // changed characters
	Shown    func() *Comparison // with the lines, which are made when they are first asked for
}
