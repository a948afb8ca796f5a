package refdiff

import (
	"github.com/validationtool/validationtool/internal/finding"
)

// schemaVersion is the schema version of the document.
const schemaVersion = 1

// Diff has the changes between two versions of a reference. It is the JSON document that
// docs/refdiff.schema.json describes.
type Diff struct {
	SchemaVersion int               `json:"schemaVersion"`
	Tool          finding.Tool      `json:"tool"`
	Old           finding.Reference `json:"old"`
	New           finding.Reference `json:"new"`
	ExitStatus    int               `json:"exitStatus"`
	Summary       Summary           `json:"summary"`
	Changes       []Change          `json:"changes"`            // by group, then in the order of the reference
	Clusters      []Cluster         `json:"clusters,omitempty"` // how the results for inputs change

	renamed map[string]string // new paths of templates, by their old paths
}

// Summary counts the changes of each group.
type Summary struct {
	Must    int `json:"must"`
	May     int `json:"may"`
	Dropped int `json:"dropped"`
	Authors int `json:"authors"`
}

// Group is what a change means for users.
type Group string

// The groups, in the order in which they are reported.
const (
	Must    Group = "must"    // CRs that matched the old version may need changes or additions
	May     Group = "may"     // something fixed or required may now vary or be absent
	Dropped Group = "dropped" // something is no longer required
	Authors Group = "authors" // no CR is compared differently
)

// Kind is what changed.
type Kind string

// The kinds.
const (
	TemplateAdded   Kind = "template-added"
	TemplateRemoved Kind = "template-removed"
	TemplateRenamed Kind = "template-renamed" // another path of the file; Old and New are the paths
	TemplateMoved   Kind = "template-moved"   // another component; Old and New are the components
	RuleChanged     Kind = "rule"             // another rule about which CRs must exist
	FieldAdded      Kind = "field-added"
	FieldRemoved    Kind = "field-removed"
	ValueChanged    Kind = "value"     // another value of a field that is fixed, or fixed in part
	ValueFixed      Kind = "fixed"     // a fixed value of a field that was free
	ValueFree       Kind = "free"      // a free value of a field that was fixed
	PatternChanged  Kind = "pattern"   // another pattern of an inline diff function
	Condition       Kind = "condition" // another condition under which a field is required
	// another check or default of a field, or another answer to whether the field is required
	ParameterKind Kind = "parameter"
	Computed      Kind = "computed"    // another computation in the template
	Compared      Kind = "compared"    // a field is no longer omitted from the comparison
	Omitted       Kind = "omitted"     // a field is omitted from the comparison
	Unspecified   Kind = "unspecified" // whether fields that the template lacks are ignored
	Manner        Kind = "manner"      // how perField compares a field, except for patterns
	Validated     Kind = "validated"   // whether CRs are also validated against the schemas of their kinds
	Described     Kind = "description"
)

// Change is a change, with all templates that have it.
type Change struct {
	Group Group  `json:"group"`
	Kind  Kind   `json:"kind"`
	Words string `json:"words"`
	// paths of the templates in the new version; for removed templates, in the old version
	Templates []string `json:"templates"`
	Paths     []string `json:"paths,omitempty"` // paths of fields, as in pathToKey
	Old       string   `json:"old,omitempty"`   // text of the old version
	New       string   `json:"new,omitempty"`
	OldAt     string   `json:"oldAt,omitempty"` // file:line
	NewAt     string   `json:"newAt,omitempty"`

	index int // index of the template in the order of the reference
}

// Cluster has the changes of the findings on a cluster.
type Cluster struct {
	Name string    `json:"name"`
	New  []Finding `json:"new"`  // findings only with the new version
	Gone []Finding `json:"gone"` // findings only with the old version
	Both int       `json:"both"` // findings with both versions
	// the result is unreliable: part of the input could not be read
	Incomplete bool `json:"incomplete,omitempty"`
}

// Finding is one finding of a comparison.
type Finding struct {
	Class  finding.Class  `json:"class"`
	Object finding.Object `json:"object,omitzero"`
	// path of the template in the new version; for a broken rule, the component
	Template string `json:"template,omitempty"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`

	key string // identifies the finding in both versions
}
