package report

import "encoding/json"

// schemaVersion is the version of the document. It changes when something is taken out or changes its meaning.
const schemaVersion = 2

// docHead is what stands before the runs. docs/report.schema.json describes the whole document.
type docHead struct {
	SchemaVersion int          `json:"schemaVersion"`
	Tool          docTool      `json:"tool"`
	Reference     docReference `json:"reference"`
	FailOn        []string     `json:"failOn"`
	ExitStatus    int          `json:"exitStatus"`
	Summary       docOverall   `json:"summary"`
}

// docOverall is what the clusters come to.
type docOverall struct {
	Verdict  Verdict     `json:"verdict"`
	Clusters docClusters `json:"clusters"`
}

type docClusters struct {
	Compliant  int `json:"compliant"`
	Drift      int `json:"drift"`
	Incomplete int `json:"incomplete"`
}

// docRunHead is what stands in a run before the comparisons.
type docRunHead struct {
	Inputs  []docInput   `json:"inputs"`
	Cluster *docCluster  `json:"cluster,omitempty"`
	Summary docSummary   `json:"summary"`
	Alarms  []docWarning `json:"alarms"`
}

// docRunTail is what stands in a run behind the comparisons.
type docRunTail struct {
	Rules      []docRule       `json:"rules"`
	Unmatched  []docUnmatched  `json:"unmatched"`
	Unreadable []docUnreadable `json:"unreadable"`
	Warnings   []docWarning    `json:"warnings"`

	// these are left out where they are empty
	Referenced   []docReferenced `json:"referenced,omitempty"`
	Refused      []docRefused    `json:"refused,omitempty"`
	NotRead      []docUnreadable `json:"notRead,omitempty"`
	NotCollected []docKind       `json:"notCollected,omitempty"`
	LeftOut      []string        `json:"leftOut,omitempty"`

	Overrides []docOverrideUse `json:"overrides,omitempty"`
}

type docTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type docReference struct {
	Path   string `json:"path"`
	Format string `json:"format"`
	Hash   string `json:"hash"`
}

type docInput struct {
	Path   string `json:"path"`
	Format string `json:"format"`
	Layout string `json:"layout,omitempty"`
	Root   string `json:"root,omitempty"`
}

type docCluster struct {
	Version        string `json:"version,omitempty"`
	ID             string `json:"id,omitempty"`
	Infrastructure string `json:"infrastructure,omitempty"`
	Gathered       string `json:"gathered,omitempty"`
}

type docSummary struct {
	Verdict     Verdict        `json:"verdict"`
	Objects     docObjects     `json:"objects"`
	Differences docDifferences `json:"differences"`
	MissingCRs  int            `json:"missingCRs"`
	BrokenRules int            `json:"brokenRules"`
	Unreadable  int            `json:"unreadable"`
}

type docObjects struct {
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
	Copies     int `json:"copies"`
}

type docDifferences struct {
	Drift    int `json:"drift"`
	Missing  int `json:"missing"`
	Extra    int `json:"extra"`
	Expected int `json:"expected"`
}

type docObject struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

type docSource struct {
	File     string `json:"file"`
	Entry    string `json:"entry,omitempty"`
	Document int    `json:"document"`
	Item     *int   `json:"item,omitempty"`
	Line     int    `json:"line"`
}

type docComparison struct {
	Object      docObject       `json:"object"`
	Source      docSource       `json:"source"`
	Template    docTemplate     `json:"template"`
	Correlation docCorrelation  `json:"correlation"`
	Result      string          `json:"result"`
	Error       *docError       `json:"error,omitempty"`
	Override    *docOverride    `json:"override,omitempty"`
	Differences []docDifference `json:"differences"`
}

type docTemplate struct {
	Path        string `json:"path"`
	Part        string `json:"part"`
	Component   string `json:"component"`
	Description string `json:"description,omitempty"`
}

type docCorrelation struct {
	By         string         `json:"by"`
	Fields     []string       `json:"fields"`
	Candidates []docCandidate `json:"candidates,omitempty"`
}

type docCandidate struct {
	Path  string `json:"path"`
	Score int    `json:"score"`
}

type docError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type docOverride struct {
	File    string   `json:"file"`
	Reasons []string `json:"reasons"`
}

// docDifference has values as raw JSON, so that a null and no value are two things.
type docDifference struct {
	Category  string          `json:"category"`
	Path      string          `json:"path"`
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Message   string          `json:"message,omitempty"`
	Line      int             `json:"line,omitempty"`
	Code      string          `json:"code,omitempty"`
}

type docRule struct {
	Part        string       `json:"part"`
	Component   string       `json:"component"`
	Rule        string       `json:"rule"`
	Code        string       `json:"code"`
	Message     string       `json:"message"`
	Templates   []string     `json:"templates"`
	Description string       `json:"description,omitempty"`
	Missing     []docMissing `json:"missing,omitempty"`
	Present     []docPresent `json:"present,omitempty"`
}

// docMissing is a CR that a rule misses. Its object is told as far as the template states it.
type docMissing struct {
	Template     string      `json:"template"`
	Object       docObject   `json:"object"`
	Nearest      *docNearest `json:"nearest,omitempty"`
	NotCollected bool        `json:"notCollected,omitempty"`
}

// docPresent is a CR that breaks a rule, or makes it ask for others.
type docPresent struct {
	Template   string    `json:"template"`
	Object     docObject `json:"object"`
	Referenced bool      `json:"referenced,omitempty"`
}

type docNearest struct {
	Template string    `json:"template"`
	Object   docObject `json:"object"`
	Differs  []string  `json:"differs"`
}

// docOverrideUse is an override with what became of it.
type docOverrideUse struct {
	File    string      `json:"file"`
	Line    int         `json:"line"`
	Index   int         `json:"index"`
	Reason  string      `json:"reason"`
	State   string      `json:"state"`
	Objects []docObject `json:"objects"`
}

type docUnmatched struct {
	Object docObject `json:"object"`
	Source docSource `json:"source"`
}

// docReferenced is a template whose CR others point at although the input does not hold it.
type docReferenced struct {
	Template string    `json:"template"`
	By       docObject `json:"by"`
	How      string    `json:"how"`
}

// docRefused is an object that is left unchecked because its templates refuse it.
type docRefused struct {
	Object  docObject    `json:"object"`
	Source  docSource    `json:"source"`
	Reasons []docRefusal `json:"reasons"`
}

type docRefusal struct {
	Template string `json:"template"`
	Reason   string `json:"reason"`
}

// docKind is a kind that may not have been collected.
type docKind struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
}

type docUnreadable struct {
	File    string `json:"file"`
	Entry   string `json:"entry,omitempty"`
	Line    int    `json:"line,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type docWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Place   string `json:"place,omitempty"`
}
