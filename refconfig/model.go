package refconfig

import (
	"reflect"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/slice"
)

// Format is a format of references.
type Format string

// The formats.
const (
	V1          Format = "v1"
	V2          Format = "v2"
	Annotations Format = "annotations"
)

// Reference is a loaded reference configuration. It is not modified after loading.
//
// Parts and components have the rules, Templates the CRs. A Template is an entry of the metadata
// and belongs to one component. Several entries may have the same path: CRs are then compared with
// the config of the first one, and count for the rules of all.
type Reference struct {
	Path     string // as the user wrote it
	Format   Format // "" if nothing could be read
	Metadata string // path of the metadata file for messages; "" in the annotations format
	// the text of the metadata file
	MetadataText []byte
	// paths of the references below the folder, if it has several and is none itself, so that it cannot
	// be used
	Below     []string
	Files     []string // sorted paths for messages of metadata, templates, function files and codes
	Hash      string   // "sha256:<hex>" over these files
	Parts     []*Part
	Templates []*Template     // all templates in the order of the reference
	Functions []*FunctionFile // in the order listed
	Validate  bool            // CRs are also validated with the schemas of their kinds
	Codes     []OwnCode       // in the order of their file
	Warnings  []Problem       // sorted by location; they do not prevent the use of the reference
}

// Part is a group of components.
type Part struct {
	Name, Description string
	Components        []*Component
}

// Component is a group of templates, with rules about which of them a cluster must have.
type Component struct {
	Name, Description string
	Part              *Part
	// Rules are evaluated independently; a component without rules never reports anything. A v2
	// component has one. A v1 component of type Required has allOf with its required templates and
	// anyOf with its optional ones; type Optional has allOrNoneOf instead of allOf; one without a
	// type has no rules. In the annotations format, a named component is like one of type Optional.
	// If the name is empty, every template has a rule of its own: allOf if required, else anyOf.
	Rules []Rule
}

// RuleKind is one of the six rules.
type RuleKind string

// The rules.
const (
	AllOf       RuleKind = "allOf"
	AllOrNoneOf RuleKind = "allOrNoneOf"
	AnyOf       RuleKind = "anyOf"
	NoneOf      RuleKind = "noneOf"
	OneOf       RuleKind = "oneOf"
	AnyOneOf    RuleKind = "anyOneOf"
)

// Rule is a condition on some of a component's templates.
type Rule struct {
	Kind      RuleKind
	Templates []*Template
	Line      int // line of its key in the metadata file; 0 in the annotations format
}

// Template is one templated CR of the reference.
type Template struct {
	// relative to the metadata file, slash-separated, as written there; file#2 for the second
	// document of a file
	Path        string
	File        string // path for messages
	Source      []byte // text of the template
	Part        *Part
	Component   *Component
	Description string // description of the template, else of its component, else of its part
	Line        int    // line of the entry in the metadata file; 0 in the annotations format
	// index in the order of the reference: by part, component, then as listed
	Index       int
	LinesBefore int // lines of the file before Source, if that is a document or a List item in it
	// a CR without attributes in a folder without metadata: if it is not a template, it is used as
	// it is
	Plain  bool
	Config Config
}

// Config is the metadata's configuration of how to compare a template.
type Config struct {
	IgnoreUnspecified bool
	UnspecifiedPlace  Place // location of ignore-unspecified-fields
	// the resolved entries: own lists replace the default, and includes are followed; the caller
	// handles managedFields
	Omit     []OmitEntry
	PerField []FieldFunction
}

// OmitEntry is a field that is not compared.
type OmitEntry struct {
	Path   FieldPath
	Prefix bool  // the last step matches every key that begins with it
	Place  Place // location of the entry; without a file if built in
}

// FieldFunction is an entry of perField: how to compare one field, if not by equality.
type FieldFunction struct {
	Path     FieldPath
	Key      FieldKey
	Function string      // the value of that key; "" for true
	Encoding string      // encoding of an embedded document; "" to detect it
	Keys     []FieldPath // keys that identify the items of a list that is compared as a map
	Place    Place
}

// Said describes the entry in one or two words: the name of an inline diff function, or "embedded
// json".
func (f FieldFunction) Said() string {
	if f.Key == InlineDiff {
		return f.Function
	}
	return strings.TrimSpace(string(f.Key) + " " + f.Function)
}

// FieldKey is a key that says how to compare a field.
type FieldKey string

// The keys.
const (
	InlineDiff FieldKey = "inlineDiffFunc" // text, with a pattern in the template
	Embedded   FieldKey = "embedded"       // text, as a document
	List       FieldKey = "list"           // a list, by its items
	Quantity   FieldKey = "quantity"       // text or number, as a quantity of Kubernetes
	CPUSet     FieldKey = "cpuset"         // text, as a set of CPUs
	Exact      FieldKey = "exact"          // any value; extra content is drift; the field may have another entry too
)

// The values of List other than map(KEY…).
const (
	ListSet     = "set"
	ListOrdered = "ordered"
)

// Same reports whether two configs compare CRs in the same way.
func (c Config) Same(other Config) bool {
	sameField := func(a, b FieldFunction) bool {
		a.Place = b.Place
		return reflect.DeepEqual(a, b)
	}
	sameOmission := func(a, b OmitEntry) bool { return a.Prefix == b.Prefix && slices.Equal(a.Path, b.Path) }
	return c.IgnoreUnspecified == other.IgnoreUnspecified &&
		slices.EqualFunc(c.PerField, other.PerField, sameField) && slices.EqualFunc(c.Omit, other.Omit, sameOmission)
}

// Fields returns the entries of perField that have a key.
func (c Config) Fields(key FieldKey) []FieldFunction {
	return slice.Filter(c.PerField, func(f FieldFunction) bool { return f.Key == key })
}

// FunctionFile is a file with named templates ({{ define }}).
type FunctionFile struct {
	Path, File string
	Source     []byte
}

// Step is one step of a FieldPath: a key of a map, an element of a list, or all of either. A step
// parsed from digits may be either and has both Key and Index; a step from an object has one.
type Step struct {
	Key   string // for a map; the digits, if Index was parsed from them
	Index int    // element of a list, or -1 for a key
	Any   bool   // "*"; then Key is "" and Index is -1
}

// FieldPath is the path from the root of an object to a field. ParseFieldPath and String convert it
// from and to text.
type FieldPath []Step

// Violation is a rule of a component that the input breaks.
type Violation struct {
	Component *Component
	Rule      RuleKind
	Line      int         // line of the rule
	Of        int         // number of templates of the rule
	Code      string      // as in a Problem
	Message   string      // "missing CRs", "should not be present", ...
	Templates []*Template // the templates that the message is about, in the order of the reference
	There     []*Template // templates with a matching object that break the rule, or make it require others
}
