package inspect

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// schemaVersion is that of both documents.
const schemaVersion = 1

// Interface is what a reference offers to its users. It is the JSON document that
// docs/inspect.schema.json describes.
type Interface struct {
	SchemaVersion int              `json:"schemaVersion"`
	Tool          finding.Tool     `json:"tool"`
	Reference     string           `json:"reference"`
	Format        refconfig.Format `json:"format"`
	Parts         []Part           `json:"parts"`
}

// Part is a group of components.
type Part struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Components  []Component `json:"components"`
}

// Component is a group of templates with rules.
type Component struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Rules       []Rule     `json:"rules"`
	Templates   []Template `json:"templates"`
}

// Rule says which CRs of a component have to be there.
type Rule struct {
	Rule      refconfig.RuleKind `json:"rule"`
	Words     string             `json:"words"`
	Templates []string           `json:"templates"`
}

// Template is a template with what it takes from the user.
type Template struct {
	Path        string `json:"path"`
	Description string `json:"description,omitempty"`
	// What the template states of the identity: in full, with * for what is open, or "" where all
	// of it is open.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`

	// fields that the template does not have are not compared
	IgnoresUnspecified bool `json:"ignoresUnspecified,omitempty"`
	// fields that lists of the reference leave out of the comparison
	Omitted []string `json:"omitted,omitempty"`
	// fields that are not compared as they are; patterns are constraints of parameters
	Compared []Compared `json:"compared,omitempty"`
	// how many CRs are rendered of it, where values are given
	CRs        *int              `json:"crs,omitempty"`
	Parameters []Parameter       `json:"parameters"`
	Lookups    []render.LookedUp `json:"lookups,omitempty"`
	Nested     []render.Nested   `json:"nested,omitempty"`
	Incomplete bool              `json:"incomplete,omitempty"` // the template is too large to be followed to its end
}

// Compared is a field, and how it is compared.
type Compared struct {
	Path string `json:"path"`
	By   string `json:"by"` // what perField says, such as "list set"
	At   string `json:"at"` // file:line of the entry
}

// Parameter is a field of the CR that a template reads. In a path, * stands for every element or
// key.
type Parameter struct {
	render.Field
	Secret  bool  `json:"secret,omitempty"`  // it is data of a Secret
	Given   *int  `json:"given,omitempty"`   // to how many of the CRs values give it
	Values  []any `json:"values,omitempty"`  // that are given, each once; none of a Secret
	Lacking *int  `json:"lacking,omitempty"` // to how many of them values should give it, and do not
	// what the schema of the kind says about the field, see Describe
	Schema *Described `json:"schema,omitempty"`
}
