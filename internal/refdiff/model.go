package refdiff

import (
	"github.com/validationtool/validationtool/internal/finding"
)

// schemaVersion is that of the document.
const schemaVersion = 1

// Diff is what changed between two versions of a reference. It is the JSON document that
// docs/refdiff.schema.json describes.
type Diff struct {
	SchemaVersion int               `json:"schemaVersion"`
	Tool          finding.Tool      `json:"tool"`
	Old           finding.Reference `json:"old"`
	New           finding.Reference `json:"new"`
	ExitStatus    int               `json:"exitStatus"`
	Summary       Summary           `json:"summary"`
	Changes       []Change          `json:"changes"`            // by group, then in the order of the reference
	Clusters      []Cluster         `json:"clusters,omitempty"` // what becomes of inputs

	renamed map[string]string // paths of templates of the old version, to those of the new one
}

// Summary counts the changes of each group.
type Summary struct {
	Must    int `json:"must"`
	May     int `json:"may"`
	Dropped int `json:"dropped"`
	Authors int `json:"authors"`
}

// Group says what a change asks of users.
type Group string

// The groups, in the order in which they are reported.
const (
	Must    Group = "must"    // CRs that met the old version may have to be changed, or added
	May     Group = "may"     // what was fixed or required may vary or be left out now
	Dropped Group = "dropped" // it is not asked for any more
	Authors Group = "authors" // it makes no difference to any CR
)

// Kind says what changed.
type Kind string

// The kinds.
const (
	TemplateAdded   Kind = "template-added"
	TemplateRemoved Kind = "template-removed"
	TemplateRenamed Kind = "template-renamed" // its file; Old and New are the paths
	TemplateMoved   Kind = "template-moved"   // Old and New are the components
	RuleChanged     Kind = "rule"             // which CRs have to be there
	FieldAdded      Kind = "field-added"
	FieldRemoved    Kind = "field-removed"
	ValueChanged    Kind = "value"     // that is fixed, or fixed in part
	ValueFixed      Kind = "fixed"     // it was the user's
	ValueFree       Kind = "free"      // it was fixed
	PatternChanged  Kind = "pattern"   // of an inline diff function
	Condition       Kind = "condition" // under which a field is asked for
	// what a field is held against, whether it has to be there, what is expected without it
	ParameterKind Kind = "parameter"
	Computed      Kind = "computed"    // what the template works out
	Compared      Kind = "compared"    // a field is not left out of the comparison any more
	Omitted       Kind = "omitted"     // a field is left out of the comparison
	Unspecified   Kind = "unspecified" // whether fields that the template does not have are free
	Manner        Kind = "manner"      // how perField says that a field is compared, but for patterns
	Described     Kind = "description"
)

// Change is one thing that changed, in all templates that it changed in.
type Change struct {
	Group Group  `json:"group"`
	Kind  Kind   `json:"kind"`
	Words string `json:"words"`
	// by their paths in the new version; of what was removed, in the old one
	Templates []string `json:"templates"`
	Paths     []string `json:"paths,omitempty"` // as pathToKey
	Old       string   `json:"old,omitempty"`   // as the old version has it
	New       string   `json:"new,omitempty"`
	OldAt     string   `json:"oldAt,omitempty"` // file:line
	NewAt     string   `json:"newAt,omitempty"`

	index int // of the template in the order of the reference
}

// Cluster is what becomes of the findings of one cluster of the inputs.
type Cluster struct {
	Name string    `json:"name"`
	New  []Finding `json:"new"`  // what the new version finds, and the old one does not
	Gone []Finding `json:"gone"` // the other way round
	Both int       `json:"both"` // how many findings stay
	// The answer is not to be relied on: something of the input could not be used, see the
	// comparison with either version.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Finding is one finding of a comparison.
type Finding struct {
	Class  finding.Class  `json:"class"`
	Object finding.Object `json:"object,omitzero"`
	// by its path in the new version; of a broken rule, the component
	Template string `json:"template,omitempty"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`

	key string // the same for the same finding by either version
}
