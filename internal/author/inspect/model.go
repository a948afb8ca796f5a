package inspect

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// schemaVersion is the schema version of both documents.
const schemaVersion = 1

// Interface describes a reference for its users. It is the JSON document that
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

// Rule says which CRs of a component must be present.
type Rule struct {
	Rule      refconfig.RuleKind `json:"rule"`
	Words     string             `json:"words"`
	Templates []string           `json:"templates"`
}

// Template is a template with its parameters.
type Template struct {
	Path        string `json:"path"`
	Description string `json:"description,omitempty"`
	// The identity of the CRs of the template. A * matches any text; a field that is "" may have
	// any value.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`

	// whether fields that the template does not have are ignored
	IgnoresUnspecified bool `json:"ignoresUnspecified,omitempty"`
	// fields that lists of the reference omit from the comparison
	Omitted []string `json:"omitted,omitempty"`
	// fields with an entry in perField, except for patterns: these are constraints of parameters
	Compared []Compared `json:"compared,omitempty"`
	// number of CRs that are rendered from the template; nil without a values file
	CRs        *int             `json:"crs,omitempty"`
	Parameters []Parameter      `json:"parameters"`
	Unasked    []string         `json:"unasked,omitempty"` // fields that it does not read of the CRs of the values file
	Lookups    []probe.LookedUp `json:"lookups,omitempty"`
	Nested     []probe.Nested   `json:"nested,omitempty"`
	Incomplete bool             `json:"incomplete,omitempty"` // the template is too large to be analysed completely
}

// Compared is a field with its entry in perField.
type Compared struct {
	Path string `json:"path"`
	By   string `json:"by"` // the key and the function of the entry, such as "list set"
	At   string `json:"at"` // file:line of the entry
}

// Parameter is a field of the CR that a template reads. In its path, * matches every list item or
// map key.
type Parameter struct {
	probe.Field
	Secret  bool  `json:"secret,omitempty"`  // the field is data of a Secret
	Given   *int  `json:"given,omitempty"`   // number of CRs for which the values file has the field
	Values  []any `json:"values,omitempty"`  // distinct values in the file, without secret ones
	Lacking *int  `json:"lacking,omitempty"` // number of CRs for which the file should have the field
	// the schema of the field, see Describe
	Schema *Described `json:"schema,omitempty"`
}
