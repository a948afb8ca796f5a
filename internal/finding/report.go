// Package finding is the model of a report: a Report has a Run for each cluster. Its structs define
// the document that JSON and YAML print, with the keys in this order; it can be read back.
// docs/report.schema.json describes the document. Writers of formats read only this model. The tag
// required is for texts that no comparison leaves empty, with the name of a field for a text in it; no
// report without them is read back.
//
// The package decides the verdict and the exit status. From the document it makes the list of
// findings (Run.Findings) and the lines of the overview (Run.Entries) that every format shows. It
// compares no CR with a reference and prints nothing. It has secret values only if the user asks to
// see them.
package finding

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/lines"
	"github.com/validationtool/validationtool/refconfig"
)

const (
	// SchemaVersion is the schema version of a report. It changes if a key is removed or its
	// meaning changes.
	SchemaVersion = 2
	// ToolName is the name of the tool in documents.
	ToolName = "validationTool"
)

// Report has the findings on all clusters of the inputs.
type Report struct {
	SchemaVersion int                 `json:"schemaVersion"`
	Tool          Tool                `json:"tool"`
	Reference     Reference           `json:"reference,omitzero"` // of the first run; a document lacks it if runs have others
	FailOn        FailOn              `json:"failOn"`
	ExitStatus    int                 `json:"exitStatus"`
	Summary       Overall             `json:"summary"`
	Codes         []refconfig.OwnCode `json:"codes,omitempty"`  // the reference's own codes in the report, sorted
	Passed        []Passed            `json:"passed,omitempty"` // the files that were passed over, by reason, sorted
	Runs          []*Run              `json:"runs"`             // at least one, in the order of the inputs
	Origin        *Origin             `json:"origin,omitempty"` // nil unless --report-dir saves the report
}

// Origin is what a report depends on besides the reference. A report is used again only if its
// origin is the same.
type Origin struct {
	Options []string `json:"options"` // the options, as NAME=VALUE, with hashes for the files that they name
	Input   string   `json:"input"`   // a hash of the names, sizes and times of the files of the input
}

// Equal reports whether two origins are the same. An unknown one differs from all others.
func (o *Origin) Equal(other *Origin) bool {
	return o != nil && other != nil && o.Input == other.Input && slices.Equal(o.Options, other.Options)
}

// Tool is the tool that wrote a document.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Reference identifies a reference.
type Reference struct {
	Path     string `json:"path"`
	Metadata string `json:"metadata,omitempty"` // the metadata file; "" in the annotations format
	Format   string `json:"format"`
	Hash     string `json:"hash"`
}

// HasOther reports whether a run is of another reference than the report.
func (r *Report) HasOther(run *Run) bool {
	return cmp.Or(run.Reference, r.Reference).Hash != r.Reference.Hash
}

// ReferenceOf identifies a reference.
func ReferenceOf(ref *refconfig.Reference) Reference {
	return Reference{Path: ref.Path, Metadata: ref.Metadata, Format: string(ref.Format), Hash: ref.Hash}
}

// Overall summarizes all clusters.
type Overall struct {
	Verdict  Verdict  `json:"verdict"` // the worst verdict of the clusters
	Clusters Clusters `json:"clusters"`
	// the clusters with the same findings, in the order of Fleet.Rows. Only a document of several
	// clusters has it, and nobody reads it back, because it follows from the runs
	Groups []ClusterGroup `json:"groups,omitempty"`
}

// ClusterGroup is a Row in a document.
type ClusterGroup struct {
	Verdict  Verdict  `json:"verdict"`
	Clusters []string `json:"clusters"` // the names, sorted
	Runs     []int    `json:"runs"`     // the indexes in Report.Runs, in the order of the names
	Findings int      `json:"findings"`
	Usual    bool     `json:"usual,omitempty"` // the group has the most clusters
	// the findings that the clusters of the usual group do not have, and those that only they have; nil
	// for none
	More *Odd `json:"more,omitempty"`
	Less *Odd `json:"less,omitempty"`
}

// OddShown is the maximum number of findings that are listed for an odd cluster.
const OddShown = 10

// Odd counts findings, and lists the first of them.
type Odd struct {
	Count    int       `json:"count"`
	Findings []Finding `json:"findings"`
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
	// Files is the number of files among them that are named as YAML or JSON and hold nothing else.
	// Names are the first of these files, sorted.
	Files int      `json:"files,omitempty"`
	Names []string `json:"names,omitempty"`
}

// PassedOver counts the files that are named as YAML or JSON and hold no CR, by reason; "" for none.
// It names those of a reason if they are few, because their CRs may be lost. short shortens a name;
// nil to keep it.
func (r *Report) PassedOver(short func(string) string) string {
	var said []string
	n := 0
	for _, one := range r.Passed {
		if one.Files == 0 {
			continue
		}
		text := strconv.Itoa(one.Files) + " " + one.Reason
		if one.Files == len(one.Names) {
			names := slices.Clone(one.Names)
			for i, name := range names {
				if short != nil {
					names[i] = short(name)
				}
			}
			text += ": " + strings.Join(names, ", ")
		}
		n, said = n+one.Files, append(said, text)
	}
	if n == 0 {
		return ""
	}
	return "Passed over: " + Plural(n, "file", "files") + " without CRs (" + strings.Join(said, "; ") + ")"
}

// PassedNames is the maximum number of files that were passed over for one reason and are named.
const PassedNames = 3

// Run has the findings on one cluster.
type Run struct {
	Reference      Reference     `json:"reference,omitzero"`  // zero in reports of earlier versions
	StartedAt      string        `json:"startedAt,omitempty"` // when the comparison began (RFC 3339), unless that was not wanted
	Inputs         []Input       `json:"inputs"`
	Cluster        Cluster       `json:"cluster,omitzero"`
	Summary        Summary       `json:"summary"`
	Alarms         []Warning     `json:"alarms"`             // the warnings that every format shows at its beginning
	Listed         Records       `json:"findings,omitempty"` // the records of Findings; only a document has them
	Comparisons    []*Comparison `json:"comparisons"`        // sorted by object, then source
	Rules          []Rule        `json:"rules"`              // the broken rules, in the order of the reference
	UnmatchedKinds []KindCount   `json:"unmatchedKinds"`
	// sorted by object; nil unless the user asks for them, because Summary counts them
	Unmatched  []Unmatched         `json:"unmatched,omitempty"`
	Unreadable []refconfig.Problem `json:"unreadable"` // sorted by place
	Warnings   []Warning           `json:"warnings"`   // see CompareWarnings

	Referenced []Referenced `json:"referenced,omitempty"`
	// CRs that were not compared because all candidate templates refuse them with doNotMatch;
	// sorted by object
	Refused []Refused `json:"refused,omitempty"`
	// what an API server would reject in CRs that were not compared; sorted by object and place
	InvalidCRs []InvalidCR         `json:"invalidCRs,omitempty"`
	NotRead    []refconfig.Problem `json:"notRead,omitempty"` // archives inside the input that were not opened
	// what the input may not show: CRs that decide about a rule or that a template looks up, and
	// schemas that the reference needs, sorted by place. They only matter if the run would be
	// compliant without them.
	NotKnown []refconfig.Problem `json:"notKnown,omitempty"`
	// kinds of CRs that were perhaps not collected: missing ones, and those of NotKnown; sorted
	NotCollected []Kind `json:"notCollected,omitempty"`
	// some CRs of NotCollected may be in files that could not be read or that have no CR
	Lost    bool     `json:"lost,omitempty"`
	LeftOut []string `json:"leftOut,omitempty"` // components that the user excluded
	Chosen  bool     `json:"chosen,omitempty"`  // the user named the components to analyse
	Given   bool     `json:"given,omitempty"`   // only the CRs of the input were judged, and no rule evaluated
	// other options that change what is read, compared or counted, as NAME or NAME=VALUE, sorted
	Options      []string      `json:"options,omitempty"`
	Validated    bool          `json:"validated,omitempty"` // CRs were compared with the schemas of their kinds
	NotValidated []Kind        `json:"notValidated,omitempty"`
	Interrupted  bool          `json:"interrupted,omitempty"` // the run was interrupted; a problem in Unreadable says why
	Overrides    []OverrideUse `json:"overrides,omitempty"`   // in the order of the files
	Suppressed   []Suppressed  `json:"suppressed,omitempty"`  // in the order of the rules; nil unless the user asks for them
	AcceptedCRs  []AcceptedCR  `json:"acceptedCRs,omitempty"` // would break rules; in the order of the reference
	Base         *Base         `json:"base,omitempty"`        // the cluster that the CRs were compared with; nil for a reference
	// the comparison with an earlier report; nil if the user gives none
	Baseline *Baseline `json:"baseline,omitempty"`
}

// IsOpenOption reports whether an option of a run lets findings differ although all runs have it: its
// value is not known, or the user is asked.
func IsOpenOption(option string) bool {
	return slices.Contains([]string{"crds", "interactive", "old", "skip-unreadable"}, option)
}

// Input is an input that the user gives.
type Input struct {
	Path   string `json:"path" required:"true"`
	Format string `json:"format"`           // directory, file, stdin, tar, tar.gz, ...
	Layout string `json:"layout,omitempty"` // must-gather, ...
	// the folder in the input that belongs to the cluster, if the input has several clusters
	Root   string `json:"root,omitempty"`
	Folder string `json:"folder,omitempty"` // the innermost folder in the input that has all CRs of the cluster
	SHA256 string `json:"sha256,omitempty"` // checksum of the file, if it was read from its first byte to its last
}

// Cluster identifies a cluster, as far as its CRs identify it.
type Cluster struct {
	Name           string `json:"name,omitempty"` // the name to show
	Version        string `json:"version,omitempty"`
	ID             string `json:"id,omitempty"`
	Infrastructure string `json:"infrastructure,omitempty"`
	Gathered       string `json:"gathered,omitempty"`
}

// Summary has the counts of a run. The caller sets those that Conclude cannot compute.
type Summary struct {
	Verdict     Verdict `json:"verdict"`
	Objects     Objects `json:"objects"`
	Differences Counts  `json:"differences"`
	MissingCRs  int     `json:"missingCRs"` // AbsentCRs + NotCollectedCRs + WantedCRs
	AbsentCRs   int     `json:"absentCRs"`  // CRs that are required and missing
	// CRs that are required and were not found, although the cluster may have them: the input may
	// not show such CRs
	NotCollectedCRs int `json:"notCollectedCRs"`
	// CRs that other CRs require and that are missing
	WantedCRs   int `json:"wantedCRs"`
	BrokenRules int `json:"brokenRules"` // rules that are not about missing CRs
	// the BrokenRules that may not be broken, because the input may not show the CRs that they require
	PerhapsBrokenRules int `json:"perhapsBrokenRules,omitempty"`
	AcceptedCRs        int `json:"acceptedCRs,omitempty"`        // would break rules without an override
	AcceptedDeviations int `json:"acceptedDeviations,omitempty"` // the accepted differences of compared CRs
	ValidatedCRs       int `json:"validatedCRs,omitempty"`       // were not compared, only held against schemas
	InvalidCRs         int `json:"invalidCRs,omitempty"`         // the ValidatedCRs that an API server would reject
	Unreadable         int `json:"unreadable"`
	// values that the collector masked, which were not compared
	Masked int      `json:"masked"`
	Impact *Impacts `json:"impact,omitempty"` // of all findings; nil if there are no impact rules
}

// Objects counts objects. Read is the sum of Compared, Unmatched, Ignored, Copies and NotPresent;
// in an interrupted run it also includes the objects that were not compared.
type Objects struct {
	Read       int `json:"read"`
	Compared   int `json:"compared"`
	Clean      int `json:"clean"`
	Extra      int `json:"extra"`
	Invalid    int `json:"invalid,omitempty"`
	Drift      int `json:"drift"`
	Error      int `json:"error"`
	Overridden int `json:"overridden"` // with accepted differences
	Unmatched  int `json:"unmatched"`
	Referenced int `json:"referenced"`
	Ignored    int `json:"ignored"`
	LeftOut    int `json:"leftOut,omitempty"`    // the ignored ones of components that the user excluded
	Copies     int `json:"copies"`               // further copies of CRs, which are not compared
	NotPresent int `json:"notPresent,omitempty"` // CRs that a policy forbids, or that are patches
}

// Comparison has the findings on one object.
type Comparison struct {
	Object      Object      `json:"object" required:"Kind"`
	Source      Source      `json:"source"`
	Template    Template    `json:"template" required:"Path"`
	Correlation Correlation `json:"correlation"`
	Result      Result      `json:"result"`
	Counts      Counts      `json:"counts"` // all differences, including those that are not listed
	Error       *Error      `json:"error,omitempty"`
	Override    *Override   `json:"override,omitempty"`
	// in the order of the sorted object; differences that are not about a field come last and have
	// no values
	Differences []Difference `json:"differences"`
	Notes       []Statement  `json:"notes,omitempty"` // notes of the template; they never make the run fail
	Sides       Sides        `json:"sides,omitempty"` // the lines of both sides that the caller asks for

	Acceptance *Acceptance `json:"-"` // overrides that accept the differences; nil unless the caller asks for them
	Fix        *Fix        `json:"-"` // the corrected object; nil unless the caller asks for it
}

// Template identifies a template of the reference.
type Template struct {
	Path        string `json:"path"`
	Part        string `json:"part"`
	Component   string `json:"component"`
	Description string `json:"description,omitempty"`
	Index       int    `json:"index"` // its index in the order of the reference
}

// TemplateOf identifies a template.
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

// Correlation says how an object and its template were matched.
type Correlation struct {
	By         FoundBy     `json:"by"`
	Fields     []string    `json:"fields"`               // the fields of the identity that agree
	Candidates []Candidate `json:"candidates,omitempty"` // all candidates if there are several, the chosen one first
}

// Candidate is a template that matches the object.
type Candidate struct {
	Path  string `json:"path"`
	Score int    `json:"score"` // changed characters; 0 is a perfect match
}

// Error says why an object could not be evaluated.
type Error struct {
	Code    code.Code `json:"code"`
	Message string    `json:"message"` // begins with the location: "templates/a.yaml:12:3: ..."
	News
}

// Override lists the accepted deviations that were applied to the expected object.
type Override struct {
	File       string   `json:"file"`
	Reasons    []string `json:"reasons"`
	Deviations int      `json:"deviations,omitempty"` // the number of accepted differences
	// no difference is accepted, because the object has other deviations
	Void bool `json:"void,omitempty"`
	// the accepted differences, which are not counted; nil unless the caller asks for them
	Accepted []Difference `json:"accepted,omitempty"`
}

// Difference is a field that differs. A map or list that one side lacks is one difference.
type Difference struct {
	Category Category `json:"category"`
	Path     string   `json:"path"` // in the syntax of pathToKey; "." is the whole object
	// Path with the names of items instead of their indexes, for the fingerprint; "" if it equals
	// Path
	Named string `json:"-"`
	// nil if the side has no value; null is a value
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	// what an override accepts in place of Reference; null is no value, and nil that no override is
	// about the field
	Accepted json.RawMessage `json:"accepted,omitempty"`
	// further information, such as the key that a template read
	Message string `json:"message,omitempty"`
	// the line in the source file, or of the nearest parent if the field is missing
	Line        int       `json:"line,omitempty"`
	Code        code.Code `json:"code,omitempty"`   // "" for a plain difference
	Inside      *Inside   `json:"inside,omitempty"` // set if both values are texts that contain documents
	Fingerprint string    `json:"fingerprint"`
	Reason      string    `json:"reason,omitempty"` // why the difference is accepted
	News
	Rating
}

// Required reports whether the reference requires the field but has no value for it, because the
// template takes the value from the object.
func (d Difference) Required() bool {
	void := d.Reference == nil || string(d.Reference) == "null" || string(d.Reference) == `""`
	return d.Category == Missing && void && (d.Code == code.EvalMissingKey || d.Reference == nil)
}

// The types for the lines of an object.
type (
	// Sides has all lines.
	Sides = lines.Packed
	// Side is a line of each side.
	Side = lines.Side
	// Line is a line of one side.
	Line = lines.Line
	// Span is a part of a line.
	Span = lines.Span
)

// Kind is a kind of objects. APIVersion is "" for any version.
type Kind struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
}

// Words describes a kind: "Widget (example.com/v1)".
func (k Kind) Words() string { return k.Kind + " (" + k.APIVersion + ")" }

// CompareKinds orders kinds by name, then by apiVersion.
func CompareKinds(a, b Kind) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.APIVersion, b.APIVersion))
}

// KindCount counts the objects of a kind.
type KindCount struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind" required:"true"`
	Count      int    `json:"count"`
	Hash       string `json:"hash,omitempty"` // of the CRs' names; "" in reports of earlier versions
	News              // set if unmatched CRs make the run fail
}

// Unmatched is an object that matches no template.
type Unmatched struct {
	Object Object `json:"object" required:"Kind"`
	Source Source `json:"source"`
	// the reference does not have the kind: the object is listed and does not count as unmatched
	OtherKind bool `json:"otherKind,omitempty"`
}

// Refused is an object that all candidate templates refuse.
type Refused struct {
	Object  Object    `json:"object" required:"Kind"`
	Source  Source    `json:"source"`
	Reasons []Refusal `json:"reasons"` // why templates refuse the object with doNotMatch
}

// InvalidCR is what an API server would reject in a CR that was not compared, or a field of it that
// the API server would drop.
type InvalidCR struct {
	Object Object `json:"object" required:"Kind"`
	Source Source `json:"source"` // with the line of the field
	Statement
	News
}

// Refusal is a template's reason not to match an object.
type Refusal struct {
	Template string `json:"template"`
	Reason   string `json:"reason"`
}

// Referenced is a template whose object is not in the input although another object refers to that
// object.
type Referenced struct {
	Template    string `json:"template" required:"true"`
	By          Object `json:"by"`
	How         string `json:"how"` // ownerReference or subject
	Description string `json:"description,omitempty"`
	News
}

// Suppressed counts the fields that one rule excludes from the comparison.
type Suppressed struct {
	Rule   SuppressedBy      `json:"rule"`
	Count  int               `json:"count"`
	Fields []SuppressedField `json:"fields,omitempty"` // sorted by object and path; nil unless the user asks for them
}

// SuppressedBy is a rule that excludes fields from the comparison.
type SuppressedBy string

// The rules.
const (
	ByBuiltIn     SuppressedBy = "built-in"    // the built-in list of fields that every comparison omits
	ByReference   SuppressedBy = "reference"   // a list in the reference
	ByUnspecified SuppressedBy = "unspecified" // ignore-unspecified-fields: the template lacks the field
	ByMask        SuppressedBy = "masked"      // the collector masked the value
	ByDefault     SuppressedBy = "default"     // the field has the schema's default, and the template does not state it
	ByOverride    SuppressedBy = "overridden"  // an override accepts the deviation
)

// SuppressedField is a field that is excluded from the comparison of an object.
type SuppressedField struct {
	Object   Object   `json:"object"`
	Path     string   `json:"path" required:"true"`
	Category Category `json:"category,omitempty"` // the category without the rule; Same if both sides agree
	By       string   `json:"by"`                 // the entry, collector or reason that excludes it
	Place    string   `json:"place,omitempty"`    // the location of the entry or override: "file:line"
}

// Acceptance has the overrides that accept the findings on one object; their reasons are not set
// yet.
//
// Invariant: a run that also uses these overrides still reports the findings in Left, and no other of
// those to be accepted.
type Acceptance struct {
	Overrides []refconfig.Override // at most two, applied in this order; none if nothing can be accepted
	Left      []NotAccepted        // in the order of the object
}

// NotAccepted is a finding that no override can accept.
type NotAccepted struct {
	Path    refconfig.FieldPath
	Message string
}

// Fix is the correction that makes an object agree with the reference, as far as it is known. It
// has no secret or masked values.
type Fix struct {
	CR   string // the whole object as YAML, without the fields that the cluster sets; "" if Held is set
	Held string // why there is no CR
	// a merge patch (RFC 7386) as JSON; "" if the object is missing or nothing can be changed
	Patch string
	// the fields of Patch that the API server refuses to change, and whether Patch has others too
	Immutable   []string
	PatchesMore bool
	First       string      // what has to be done before the cluster accepts the CR; "" for nothing
	Open        []OpenField // fields that only the user can fill in, in the order of the object
}

// OpenField is a field that only the user can fill in, and the reason.
type OpenField struct{ Path, Message string }

// Words names the field and says why it is open. A reason that is about the whole object stands
// alone.
func (f OpenField) Words() string {
	if f.Path == "." {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// Question asks with which of several matching templates an object is compared.
type Question struct {
	Object     Object
	Source     Source
	Number, Of int      // the number of the question, from 1, and the number of all questions
	Choices    []Choice // at least two: the smallest difference first, then in the order of the reference
}

// Choice is the result of comparing the object with one of the templates.
type Choice struct {
	Template Template
	Counts   Counts
	Score    int                // changed characters
	Shown    func() *Comparison // returns the comparison with its lines, made on the first call
}
