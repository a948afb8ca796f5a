package compare

import (
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Category says what a difference means to the user.
type Category int

// The categories. Same is no difference; the other four are those of a report.
const (
	Same     Category = iota // both sides agree, and the text is the reference's own
	Expected                 // both sides agree where the template printed a value of the user
	Extra                    // the input has it, the reference does not
	Drift                    // both sides have it, the values differ
	Missing                  // the reference requires it, the input lacks it
)

// Value is one side of a difference: a decoded value, or nothing at all.
type Value struct {
	Present bool
	Data    any // nil, bool, int64, float64, string, []any or map[string]any; meaningless where Present is false
}

// Pair is a node of two trees laid over each other: the rendered reference on the left, the input on the right.
// Kids is set where the two sides are both maps or both lists and something below is not Same; the kids of a map are
// sorted by Key, those of a list are in order. Where Kids is nil, Left and Right hold whole values.
// A pair with Kids has Category Same itself.
type Pair struct {
	Step     refconfig.Step // the key or the index (of the input's list where it has the item, else of the reference's) that leads here
	Category Category
	Left     Value
	Right    Value
	List     bool // Kids are list items
	Kids     []*Pair
	Message  string       // what more there is to say, e.g. which key a template asked for
	Code     code.Code    // "" for a plain difference
	Variable bool         // the template printed this (or part of it): user-variable content
	Secret   secret.Scope // what of the values must not be shown unless the user asks for it, see Value.Shown
}

// Difference is one entry of a report: the flattened form of the pairs that are not Same.
type Difference struct {
	Category  Category
	Path      refconfig.FieldPath
	Reference Value
	Input     Value
	Message   string
	Code      code.Code
	Line      int          // line in the source file (1-based) of the field, or of the nearest field above it; 0 if unknown
	Secret    secret.Scope // as in Pair
}

// Outcome is the result for one object.
type Outcome int

// The outcomes, from best to worst.
const (
	Clean     Outcome = iota // no difference but expected ones
	OnlyExtra                // extra content only
	Drifted                  // at least one drift or missing field
	Failed                   // could not be evaluated
)

// Comparison is what was found out about one object.
type Comparison struct {
	Object      manifest.ID
	Source      manifest.Place
	Template    *refconfig.Template
	Correlation Correlation
	Outcome     Outcome
	Err         *Failure // set where Outcome is Failed
	Override    *Override
	Acceptance  *Acceptance           // set where Options.Accept asks for it and there is something to accept
	Tree        *Pair                 // nil where Failed
	Differences []Difference          // all of them, expected ones included, in the order of the sorted tree
	Counts      [Missing + 1]int      // Differences by Category
	Masked      []refconfig.FieldPath // values that the collector of the input masked: expected differences, with a warning

	// Shown is what a report made of the comparison as soon as it was done (see Options.Each), nil if it did not. Where it is
	// set, Tree and Differences may be gone.
	Shown []byte

	twice     []*manifest.Node // keys of the object that stand more than once
	overrides []usedOverride
	malformed []malformedGroups
}

// Failure says why an object could not be evaluated.
type Failure struct {
	Code    code.Code
	Message string // position first: "templates/a.yaml:12:3: ..."
}

// Correlation says how object and template found each other.
type Correlation struct {
	By         string      // "fixed", "manual", "nearest" or "interactive"
	Fields     []string    // the fields that agreed: apiVersion, kind, namespace, name
	Candidates []Candidate // more than one where there was a choice; the chosen one first
}

// Candidate is a template that could have been chosen.
type Candidate struct {
	Template *refconfig.Template
	Score    int // changed characters; 0 is a perfect match
}

// Override says which accepted deviations were applied to an object's rendered reference.
type Override struct {
	File    string
	Reasons []string
}

// OverrideUse says what became of an accepted deviation in a run.
type OverrideUse struct {
	refconfig.Override
	State   OverrideState
	Objects []manifest.ID // those that it was applied to, sorted; of an obsolete one, those that it is for
}

// BrokenRule is a component rule that does not hold.
type BrokenRule struct {
	refconfig.Violation
	Code    code.Code
	Missing []MissingCR // one for each template that the rule misses, in the order of the reference
	Present []PresentCR // those that break the rule, or make it ask for the missing ones; in the order of the reference, then of identities
}

// MissingCR is an object that a rule asks for and the input lacks.
type MissingCR struct {
	Template     *refconfig.Template
	Object       manifest.ID // as far as the template states it: a pattern has * for what is open, a field left open is ""
	Nearest      *Nearest    // the object that comes near to it, nil if there is none
	NotCollected bool        // the input is a gathered archive that holds nothing of the kind
}

// PresentCR is an object that counts for a rule.
type PresentCR struct {
	Template   *refconfig.Template
	Object     manifest.ID
	Referenced bool // it is not in the input, but others point at it
}

// Nearest is an object that no template fits and that comes near to a missing template.
type Nearest struct {
	Template *refconfig.Template
	Object   manifest.ID
	Differs  []string // which of apiVersion, kind, namespace, name differ
}

// Unmatched is an object that no template met.
type Unmatched struct {
	Object  manifest.ID
	Source  manifest.Place
	Refused []Refusal // set where templates refused it with doNotMatch: then it is left unchecked on purpose
}

// Refusal is a template's reason not to match an object.
type Refusal struct {
	Template *refconfig.Template
	Reason   string
	At       refconfig.Place // of doNotMatch
}

// Referenced is a template whose object others point at although the input does not hold it.
type Referenced struct {
	Template *refconfig.Template
	By       manifest.ID
	How      string // "ownerReference" or "subject"
}

// KindOf is a kind of object; APIVersion is "" where it is open.
type KindOf struct{ APIVersion, Kind string }

// Passed counts the files, or documents of files, that were passed over for one reason.
type Passed struct {
	Reason string
	Count  int
}

// Warning is something the user should know that does not change the verdict.
type Warning struct {
	Code    code.Code
	Message string
	Place   string // "file:line", or ""
}

// Counts are the figures of the summary. What was read is the sum of Compared, Unmatched, Ignored and Copies, and of what was not
// looked at where the run was interrupted.
type Counts struct {
	Read, Compared, Clean, Extra, Drift, Error, Overridden, Unmatched, Referenced, Ignored int

	Copies                              int // objects that stand in the input besides those that count
	Differences                         [Missing + 1]int
	MissingCRs, BrokenRules, Unreadable int
	Masked                              int // values that were not compared
}

// Result is everything that was found about one cluster: the one model that all renderings show.
type Result struct {
	Reference   *refconfig.Reference
	Inputs      []Input
	Cluster     Cluster
	Comparisons []Comparison // in the order of object identity, then source
	Rules       []BrokenRule // in the order of the reference
	Unmatched   []Unmatched  // those worth listing, sorted by identity
	Refused     []Unmatched  // refused by all candidates, sorted by identity
	Referenced  []Referenced
	Unreadable  []manifest.Problem // sorted by place
	NotRead     []manifest.Problem // archives inside the input that were not opened
	Overrides   []OverrideUse      // in their order
	Warnings    []Warning
	LeftOut     []string // components that --component or --skip-component left out
	NotGathered []KindOf // kinds of missing CRs that may not have been collected, sorted
	Lost        bool     // some of these may have been in files that could not be read, or that hold no CR
	Counts      Counts
	Chosen      bool // the user named the components to analyse
	Interrupted bool // the run was ended early: one of Unreadable says where, and no rule was evaluated
}

// Input is one thing the user handed in.
type Input struct {
	Path   string
	Format string // directory, file, stdin, tar, tar.gz, ...
	Layout string // must-gather, ..., or ""
	Root   string // the folder inside that is of this cluster, where the input holds others too
}

// Cluster is what the input says about the cluster it came from.
type Cluster struct {
	Name                                  string // what to call it by, "" where nothing tells
	Version, ID, Infrastructure, Gathered string
}
