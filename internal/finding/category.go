package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/lines"
)

// Category classifies a difference.
type Category = lines.Category

// The categories. Reports list all but Same.
const (
	Same     Category = ""         // both sides agree, and the text is fixed in the reference
	Expected Category = "expected" // both sides agree because the template printed a value from the user
	Extra    Category = "extra"    // only the input has the field
	Drift    Category = "drift"    // both sides have the field, with different values
	Missing  Category = "missing"  // the reference requires the field, and the input lacks it
	Invalid  Category = "invalid"  // an API server would reject or drop the field, whatever the reference says
)

// Categories returns all categories but Same, the most serious first.
func Categories() []Category { return []Category{Drift, Missing, Invalid, Extra, Expected} }

// Counts counts differences by category.
type Counts struct {
	Drift    int `json:"drift"`
	Missing  int `json:"missing"`
	Extra    int `json:"extra"`
	Expected int `json:"expected"`
	Invalid  int `json:"invalid,omitempty"`

	// the expected differences that depend on placeholders of source CRs
	Placeholders int `json:"placeholders,omitempty"`
}

// Count adds n differences of a category.
func (c *Counts) Count(category Category, n int) {
	switch category {
	case Drift:
		c.Drift += n
	case Missing:
		c.Missing += n
	case Extra:
		c.Extra += n
	case Expected:
		c.Expected += n
	case Invalid:
		c.Invalid += n
	}
}

// Of returns the number of differences of a category.
func (c Counts) Of(category Category) int {
	switch category {
	case Drift:
		return c.Drift
	case Missing:
		return c.Missing
	case Extra:
		return c.Extra
	case Expected:
		return c.Expected
	case Invalid:
		return c.Invalid
	}
	return 0
}

// Add adds other counts.
func (c *Counts) Add(other Counts) {
	c.Drift += other.Drift
	c.Missing += other.Missing
	c.Extra += other.Extra
	c.Expected += other.Expected
	c.Invalid += other.Invalid
	c.Placeholders += other.Placeholders
}

// Result returns the result of an object with these differences.
func (c Counts) Result() Result {
	switch {
	case c.Drift+c.Missing > 0:
		return Drifted
	case c.Invalid > 0:
		return OnlyInvalid
	case c.Extra > 0:
		return OnlyExtra
	}
	return Clean
}

// String lists the numbers in words, the most serious first.
func (c Counts) String() string {
	var all []Share
	for _, category := range Categories() {
		all = append(all, Share{N: c.Of(category), Text: string(category)})
	}
	said := cmp.Or(Shares(all...), "no difference")
	if c.Placeholders > 0 {
		said += " (" + strconv.Itoa(c.Placeholders) + " by placeholders)"
	}
	return said
}

// Result summarizes the comparison of one object.
type Result string

// The results, from best to worst.
const (
	Clean       Result = "clean"   // only expected differences, or none
	OnlyExtra   Result = "extra"   // extra content only
	OnlyInvalid Result = "invalid" // at least one invalid field, and extra content at most
	Drifted     Result = "drift"   // at least one drift or missing field
	Failed      Result = "error"   // could not be evaluated
)

// Severity orders results, the best first.
func (r Result) Severity() int {
	return 1 + slices.Index([]Result{OnlyExtra, OnlyInvalid, Drifted, Failed}, r)
}

// hashOf returns a hash that identifies a finding. Values and locations are no part of it, so
// that the same finding has the same hash in later reports.
func hashOf(parts ...string) string {
	hash := sha256.Sum256([]byte(joined(parts...)))
	return hex.EncodeToString(hash[:fingerprintBytes])
}

// joined joins the parts of a fingerprint. Invalid UTF-8 becomes what a report says in its place, so
// that a saved report has the fingerprints of what it says.
func joined(parts ...string) string {
	text := strings.Join(parts, "\x00")
	if !utf8.ValidString(text) {
		return string([]rune(text))
	}
	return text
}

// fingerprintBytes is the number of bytes of a fingerprint, which is written in hexadecimal digits.
const fingerprintBytes = 16

// IsFingerprint reports whether a text has the form of a fingerprint: hexadecimal digits, and for
// further findings with the same ones a number.
func IsFingerprint(text string) bool {
	digits, number, numbered := strings.Cut(text, "-")
	return len(digits) == 2*fingerprintBytes && strings.Trim(digits, "0123456789abcdef") == "" &&
		(!numbered || number != "" && strings.Trim(number, "0123456789") == "")
}

// Identify sets the fingerprints of the differences between an object and a template. A list item
// is identified by its name if it has one, else by its index.
func Identify(all []Difference, o Object, template string) {
	about := fieldHash(o, template)
	for i, d := range all {
		path := cmp.Or(d.Named, d.Path)
		all[i].Fingerprint, all[i].Named = fieldFingerprint(about, string(d.Category), path, d.Code), ""
	}
}

// fieldHash begins the fingerprints of all differences of an object: a hash of object, template,
// category, path and code.
func fieldHash(o Object, template string) hash.Cloner {
	about := sha256.New().(hash.Cloner)
	about.Write([]byte(joined(o.APIVersion, o.Kind, o.Namespace, o.Name, template)))
	return about
}

func fieldFingerprint(about hash.Cloner, category, path string, c code.Code) string {
	whole, err := about.Clone() // the names are hashed only once, because they can be long
	if err != nil {
		panic(err) // unreachable: this hash can be cloned
	}
	whole.Write([]byte(joined("", category, path, c)))
	return hex.EncodeToString(whole.Sum(nil)[:fingerprintBytes])
}

// Identity returns the fingerprint of a broken rule: a hash of part, component and rule. The CRs
// that break it are its values.
func (r Rule) Identity() string { return hashOf(r.Part, r.Component, r.Rule) }

// EarlierIdentity returns the fingerprint of a broken rule in reports of earlier versions, which
// has the templates too.
func (r Rule) EarlierIdentity() string {
	return hashOf(append([]string{r.Part, r.Component, r.Rule}, r.Templates...)...)
}
