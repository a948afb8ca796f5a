package refconfig

import (
	"slices"
	"strings"
)

// Format is the format a reference is written in.
type Format string

// The formats.
const (
	V1          Format = "v1"
	V2          Format = "v2"
	Annotations Format = "annotations"
)

// Reference is a loaded reference configuration. It is not modified after it was loaded.
//
// Its parts and components tell of the rules, its Templates of the CRs. A Template is an entry of
// the metadata and belongs to one component. Several entries with the same path are about the same
// CRs: these are compared as the first one says, and count for the rules of all.
type Reference struct {
	Path     string // as the user named it
	Format   Format // "" where nothing could be read
	Metadata string // its metadata file, as a user would open it; "" in the annotations format
	// the text of the metadata file
	MetadataText []byte
	Hash         string // "sha256:<hex>" over metadata, templates, function files and codes, in a fixed order
	Parts        []*Part
	Templates    []*Template     // all templates in the order of the reference
	Functions    []*FunctionFile // in the order listed
	Codes        []OwnCode       // in the order of their file
	Warnings     []Problem       // what is odd but does not stop anyone from using the reference, sorted by place
}

// Part is a group of components.
type Part struct {
	Name, Description string
	Components        []*Component
}

// Component is a group of templates with rules about which of them must be there.
type Component struct {
	Name, Description string
	Part              *Part
	// Rules are evaluated each by itself; a component without rules never reports. A v2 component
	// has one. A v1 component of type Required has allOf over its required templates and anyOf over
	// its optional ones; of type Optional it has allOrNoneOf instead of allOf; without type it has
	// none. In the annotations format a named component is as one of type Optional, and where the
	// name is empty every template has a rule of its own: allOf if required, else anyOf.
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

// Rule binds some of a component's templates.
type Rule struct {
	Kind      RuleKind
	Templates []*Template
	Line      int // of its key in the metadata file; 0 in the annotations format
}

// Template is one templated CR of the reference.
type Template struct {
	// relative to the metadata file, slash-separated, as the reference spells it; file#2 for the
	// second document of a file
	Path        string
	File        string // path for messages: as a user would open it
	Source      []byte // text of the template
	Part        *Part
	Component   *Component
	Description string // the nearest one: template, else component, else part
	Line        int    // line of the entry in the metadata file; 0 in the annotations format
	// its place in the order of the reference, from 0: by part, component, then as the reference
	// lists it
	Index       int
	LinesBefore int // lines of the file before Source, where that is a part of it: a document, or an item of a List
	// a CR without attributes in a folder without metadata: where it is no template, it may be
	// meant as it is
	Plain  bool
	Config Config
}

// Config is what the metadata says about how a template is compared.
type Config struct {
	IgnoreUnspecified bool
	UnspecifiedPlace  Place // of ignore-unspecified-fields
	// resolved: own lists instead of the default, includes followed; managedFields is the caller's
	Omit     []OmitEntry
	PerField []FieldFunction
}

// OmitEntry is a field that is left out of the comparison.
type OmitEntry struct {
	Path   FieldPath
	Prefix bool  // the last step matches every key that begins with it
	Place  Place // of the entry; no file for what is built in
}

// FieldFunction says how one field is compared, where that is not as it is: an entry of perField.
type FieldFunction struct {
	Path     FieldPath
	Key      FieldKey
	Function string      // what the entry has at that key; "" where that is true
	Encoding string      // of an embedded document; "" for whatever it turns out to be
	Keys     []FieldPath // by which the items of a list are told apart that is compared as a map
	Place    Place
}

// Said is what the entry says in a word or two: the name of an inline diff function, or "embedded
// json".
func (f FieldFunction) Said() string {
	if f.Key == InlineDiff {
		return f.Function
	}
	return strings.TrimSpace(string(f.Key) + " " + f.Function)
}

// FieldKey is a key that says how a field is compared.
type FieldKey string

// The keys.
const (
	InlineDiff FieldKey = "inlineDiffFunc" // by an inline diff function
	Embedded   FieldKey = "embedded"       // by what the document says that it holds
	List       FieldKey = "list"           // a list, whose items are found where they are
	Quantity   FieldKey = "quantity"       // by the amount that it stands for
	CPUSet     FieldKey = "cpuset"         // by the CPUs that it stands for
	Exact      FieldKey = "exact"          // so that extra content is drift, beside another entry
)

// What List may say beside map(KEY…).
const (
	ListSet     = "set"
	ListOrdered = "ordered"
)

// Same reports whether two configs compare CRs in the same way.
func (c Config) Same(other Config) bool {
	alike := func(a, b FieldFunction) bool {
		return a.Key == b.Key && a.Function == b.Function && a.Encoding == b.Encoding &&
			a.Path.String() == b.Path.String() &&
			slices.EqualFunc(a.Keys, b.Keys, func(a, b FieldPath) bool { return a.String() == b.String() })
	}
	shared := len(c.Omit) == len(other.Omit) && len(c.Omit) > 0 && &c.Omit[0] == &other.Omit[0]
	return c.IgnoreUnspecified == other.IgnoreUnspecified && slices.EqualFunc(c.PerField, other.PerField, alike) &&
		(shared || slices.EqualFunc(c.Omit, other.Omit, func(a,
			b OmitEntry) bool {
			return a.Prefix == b.Prefix && a.Path.String() == b.Path.String()
		}))
}

// Fields returns the entries of perField that have a key.
func (c Config) Fields(key FieldKey) []FieldFunction {
	return slices.DeleteFunc(slices.Clone(c.PerField), func(f FieldFunction) bool { return f.Key != key })
}

// FunctionFile is a file of {{ define }} blocks.
type FunctionFile struct {
	Path, File string
	Source     []byte
}

// Step is one step of a FieldPath: a key of a map, an element of a list, or all of either. A step
// that was parsed from digits can be a key or an element and has both; one that was taken from an
// object has the one that it is.
type Step struct {
	Key   string // for a map; also the digits as they were written where Index is set by parsing
	Index int    // element of a list, or -1 for a step that can only be a key
	Any   bool   // "*"; then Key is "" and Index is -1
}

// FieldPath leads from the root of an object to a field. ParseFieldPath and String convert it from
// and to text.
type FieldPath []Step

// Violation is a component rule that does not hold.
type Violation struct {
	Component *Component
	Rule      RuleKind
	Line      int         // that of the rule
	Code      string      // as that of a Problem
	Message   string      // "missing CRs", "should not be present", ...
	Templates []*Template // those that the message is about, in the order of the reference
	There     []*Template // those that an object matched, where these break the rule or make it ask for the others
}
