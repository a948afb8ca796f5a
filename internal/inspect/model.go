package inspect

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// schemaVersion is that of both documents.
const schemaVersion = 1

// Interface is what a reference offers to its users. It is the JSON document that docs/inspect.schema.json describes.
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
	// What the template states of the identity: in full, with * for what is open, or "" where all of it is open.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`

	IgnoresUnspecified bool        `json:"ignoresUnspecified,omitempty"` // fields that the template does not have are free
	Omitted            []string    `json:"omitted,omitempty"`            // fields that lists of the reference leave out of the comparison
	Compared           []Compared  `json:"compared,omitempty"`           // fields that are not compared as they are; patterns are constraints of parameters
	CRs                *int        `json:"crs,omitempty"`                // how many CRs are rendered of it, where values are given
	Parameters         []Parameter `json:"parameters"`
	Lookups            []Lookup    `json:"lookups,omitempty"`
	Nested             []Nested    `json:"nested,omitempty"`
	Incomplete         bool        `json:"incomplete,omitempty"` // the template is too large to be followed to its end
}

// Compared is a field, and how it is compared.
type Compared struct {
	Path string `json:"path"`
	By   string `json:"by"` // what perField says, such as "list set"
	At   string `json:"at"` // file:line of the entry
}

// Need says whether a CR has to have a field.
type Need string

// The needs, from the strongest to the weakest.
const (
	Mandatory   Need = "mandatory"   // a CR without it has a finding
	Conditional Need = "conditional" // the same where the conditions of When hold
	Computed    Need = "computed"    // it goes into what is computed, and cannot be followed
	Optional    Need = "optional"
)

// Parameter is a field of the CR that a template reads. In a path, * stands for every element or key.
type Parameter struct {
	Path        string       `json:"path"`
	Need        Need         `json:"need"`
	When        []string     `json:"when,omitempty"` // conditions, as the template has them
	Type        string       `json:"type,omitempty"`
	Default     *any         `json:"default,omitempty"` // what the template expects of a CR that has no such field
	Constraints []Constraint `json:"constraints,omitempty"`
	Uses        []Use        `json:"uses"`
	Given       *int         `json:"given,omitempty"`   // to how many of the CRs values give it
	Lacking     *int         `json:"lacking,omitempty"` // to how many of them values should give it, and do not
}

// Constraint is what a template holds a field against.
type Constraint struct {
	By      string `json:"by"`                // the function, or the inline diff function
	Through string `json:"through,omitempty"` // what was made of the field before, such as "len"
	Values  []any  `json:"values"`            // that the template states
}

// Use is a place where a template reads a field.
type Use struct {
	At  string   `json:"at"`            // file:line
	Via []string `json:"via,omitempty"` // nested templates that it is read in, the outermost first
}

// Lookup is a question for other CRs of the input. What the template states of it in no place is "".
type Lookup struct {
	APIVersion string   `json:"apiVersion,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Namespace  string   `json:"namespace,omitempty"`
	Name       string   `json:"name,omitempty"`
	Computed   []string `json:"computed,omitempty"` // which of the four are computed
	Reads      []string `json:"reads,omitempty"`    // fields of the CRs that were found
	At         string   `json:"at"`
}

// Nested is a call of a named template.
type Nested struct {
	Name    string     `json:"name"`
	At      string     `json:"at"`      // of the call
	Defined string     `json:"defined"` // where the named template stands; "" where there is none of that name
	Takes   []Argument `json:"takes,omitempty"`
	Nested  []Nested   `json:"nested,omitempty"`
}

// Argument is a part of what a named template is called with.
type Argument struct {
	As       string   `json:"as"`                 // how the named template asks for it
	Fields   []string `json:"fields,omitempty"`   // of the CR: it is one of them, or made of them
	Values   []any    `json:"values,omitempty"`   // that the calling template states
	Computed bool     `json:"computed,omitempty"` // it is made of these, or of what cannot be followed
}
