package finding

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Rule is a broken rule of a component.
type Rule struct {
	Part         string      `json:"part"`
	Component    string      `json:"component"`
	Rule         string      `json:"rule" required:"true"`
	Code         code.Code   `json:"code"`
	Message      string      `json:"message"`
	Templates    []string    `json:"templates" required:"true"` // the rule's templates, in the order of the reference
	Of           int         `json:"of,omitempty"`              // how many templates the rule has; 0 if unknown
	Description  string      `json:"description,omitempty"`     // the one of all templates, else the component's or part's
	Descriptions []Described `json:"descriptions,omitempty"`    // the descriptions of templates that have one of their own
	// one for each of Templates, in their order; nil if the rule is not about missing CRs
	Missing []Missed `json:"missing,omitempty"`
	// the CRs that break the rule, or that make it require the missing CRs
	Present     []Present `json:"present,omitempty"`
	Line        int       `json:"line,omitempty"` // the line of the rule in the metadata file
	Fingerprint string    `json:"fingerprint"`
	News                  // zero if CRs are missing: each Missed has its own
	Rating                // if CRs are missing, the most serious rating of these

	Acceptance *Acceptance `json:"-"` // overrides that accept the CRs; nil unless the caller asks for them
}

// Described is the reference's description of a template.
type Described struct {
	Template    string `json:"template" required:"true"`
	Description string `json:"description"`
}

// Missed is a missing object that a rule requires.
type Missed struct {
	Template string `json:"template" required:"true"`
	// the identity as far as the template states it: in a pattern * matches any text, and ""
	// matches any value
	Object       Object   `json:"object"`
	Nearest      *Nearest `json:"nearest,omitempty"`
	Line         int      `json:"line,omitempty"`         // the line of the template in the metadata file
	NotCollected bool     `json:"notCollected,omitempty"` // the cluster may have it, and the input may not show it
	// why the input may not show the object; set if NotCollected is true
	Because Uncollected `json:"notCollectedBecause,omitempty"`
	// the first of the objects that require this one; Rule.Present has all
	WantedBy *Object `json:"wantedBy,omitempty"`
	News
	Rating
	Fix *Fix `json:"-"` // the object to create; nil unless the caller asks for it
}

// BeforeCreating says what to know before the missing CR of a finding is created from its fix. alarms
// are those of the run.
func (f Finding) BeforeCreating(alarms []Warning) (all []string) {
	fix := f.Missed.Fix
	if fix.CR != "" && slices.ContainsFunc(alarms, Warning.DoubtsReference) {
		all = append(all, "This may be the wrong reference: do not create the CR before you know that it is the right one.")
	}
	if f.Class == ClassNotCollected {
		all = append(all, "The cluster may have it: "+f.Missed.Because.Words()+".")
	}
	if fix.First != "" {
		all = append(all, "First: "+fix.First+".")
	}
	if f.Object.RestartsNodes() {
		all = append(all, "A change of this kind of CR may drain and restart nodes, one after the other.")
	}
	if fix.Held != "" {
		all = append(all, "The CR to create is not shown: "+fix.Held+".")
	}
	for _, field := range fix.Open {
		all = append(all, "still open: "+field.Words())
	}
	return all
}

// Uncollected is the reason why a cluster may have an object that the input lacks.
type Uncollected string

// The reasons.
const (
	CollectionFailed Uncollected = "failed"     // the collector reports that it could not collect such objects
	ArchiveCut       Uncollected = "cut"        // an archive is truncated or corrupt
	ArchiveClosed    Uncollected = "closed"     // an archive that may hold it was not opened
	FileUnread       Uncollected = "unread"     // the collector's file for such objects is empty or unreadable
	NotAsked         Uncollected = "notCovered" // nothing shows that the collector collects such objects
)

// Words describes the reason.
func (u Uncollected) Words() string {
	return map[Uncollected]string{
		CollectionFailed: "the collector could not collect it",
		ArchiveCut:       "an archive breaks off or is corrupt",
		ArchiveClosed:    "an archive that may hold it was not opened",
		FileUnread:       "the file that may hold it is empty or could not be read",
		NotAsked:         "nothing shows that the collector gathers CRs of its kind",
	}[u]
}

// Class returns the class of the finding.
func (m Missed) Class() Class {
	switch {
	case m.NotCollected:
		return ClassNotCollected
	case m.WantedBy != nil:
		return ClassWanted
	}
	return ClassAbsent
}

// Present is an object that counts for a rule.
type Present struct {
	Template   string `json:"template" required:"true"`
	Object     Object `json:"object"`
	Referenced bool   `json:"referenced,omitempty"` // not in the input, but other objects refer to it
}

// AcceptedCR is a missing or present object that would break a rule without an override.
type AcceptedCR struct {
	Part      string `json:"part"`
	Component string `json:"component"`
	Rule      string `json:"rule"`
	Template  string `json:"template" required:"true"`
	Object    Object `json:"object"`            // the identity, as in Missed or Present
	Present   bool   `json:"present,omitempty"` // false if the object is missing
	Override  int    `json:"override"`          // the index in Run.Overrides
	Reason    string `json:"reason"`
	Expires   string `json:"expires,omitempty"`
}

// Accept returns the AcceptedCR for an override; index is that of the override in Run.Overrides.
func Accept(
	v refconfig.Violation, t *refconfig.Template, o Object, present bool, index int, by refconfig.Override,
) AcceptedCR {
	out := AcceptedCR{
		Rule:     string(v.Rule),
		Template: t.Path,
		Object:   o,
		Present:  present,
		Override: index,
		Reason:   by.Reason,
		Expires:  by.Expires,
	}
	out.Part, out.Component = componentNames(v.Component)
	return out
}

// For reports whether an AcceptedCR is about a present object of a rule.
func (a AcceptedCR) For(r Rule, p Present) bool {
	return a.Present && a.Object == p.Object && a.Template == p.Template && a.Part == r.Part &&
		a.Component == r.Component &&
		a.Rule == r.Rule
}

// Fingerprint is that of the finding on the missing CR that is accepted.
func (a AcceptedCR) Fingerprint() string { return hashOf(a.Part, a.Component, a.Rule, a.Template) }

// Nearest is an unmatched object that is similar to a missing one.
type Nearest struct {
	Template string   `json:"template"`
	Object   Object   `json:"object"`
	Differs  []string `json:"differs"` // which of apiVersion, kind, namespace and name differ
}

// Short returns the identity of the object, with its apiVersion only if that differs.
func (n Nearest) Short() string {
	if slices.Contains(n.Differs, "apiVersion") {
		return n.Object.String()
	}
	return n.Object.Short()
}

// NewRule returns a broken rule. The caller sets Missing and Present.
func NewRule(v refconfig.Violation) Rule {
	r := Rule{
		Rule:        string(v.Rule),
		Code:        v.Code,
		Message:     v.Message,
		Of:          v.Of,
		Templates:   []string{},
		Description: ruleDescription(v),
		Line:        v.Line,
	}
	r.Part, r.Component = componentNames(v.Component)
	for _, t := range v.Templates {
		r.Templates = append(r.Templates, t.Path)
		if t.Description != "" {
			r.Descriptions = append(r.Descriptions, Described{t.Path, t.Description})
		}
	}
	r.Fingerprint = r.Identity()
	return r
}

// ruleDescription returns the templates' common description, else the component's or the part's.
func ruleDescription(v refconfig.Violation) string {
	common := ""
	if len(v.Templates) > 0 {
		common = v.Templates[0].Description
	}
	if slices.ContainsFunc(v.Templates, func(t *refconfig.Template) bool { return t.Description != common }) {
		common = ""
	}
	switch c := v.Component; {
	case common != "" || c == nil:
		return common
	case c.Description == "" && c.Part != nil:
		return c.Part.Description
	default:
		return c.Description
	}
}

// IsMissing reports whether the rule is broken because CRs are missing.
func (r Rule) IsMissing() bool { return r.Code == code.RuleMissing || r.Code == code.RuleNotGathered }

// SurelyMissing reports whether a required object is surely missing. If the rule requires one of
// several objects, all of them must be surely missing.
func (r Rule) SurelyMissing() bool {
	collected := func(m Missed) bool { return !m.NotCollected }
	open := func(m Missed) bool { return m.NotCollected }
	return r.IsMissing() && slices.ContainsFunc(r.Missing, collected) ||
		r.Code == code.RuleOneRequired && !slices.ContainsFunc(r.Missing, open)
}

// PerhapsBroken reports whether the rule may be broken or not: it requires one of several objects,
// and the input may not show some of them.
func (r Rule) PerhapsBroken() bool { return r.Code == code.RuleOneRequired && !r.SurelyMissing() }

// class returns the class of the finding on a rule that is not about missing CRs.
func (r *Rule) class() Class {
	if r.PerhapsBroken() {
		return ClassPerhapsBroken
	}
	return ClassRule
}

// present returns the CRs that break the rule as JSON; nil for none.
func (r Rule) present() json.RawMessage {
	if len(r.Present) == 0 {
		return nil
	}
	all := make([]string, len(r.Present))
	for i, p := range r.Present {
		all[i] = p.Object.String()
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // unreachable: strings can be encoded
	}
	return text
}

// About returns the descriptions of templates by their paths.
func (r Rule) About() map[string]string {
	all := make(map[string]string, len(r.Descriptions))
	for _, d := range slices.Backward(r.Descriptions) { // the first counts
		all[d.Template] = d.Description
	}
	return all
}

// Missed returns the missing CR of the template at an index of Templates, or nil. The lists are
// parallel.
func (r *Rule) Missed(i int) *Missed {
	if i >= len(r.Missing) {
		return nil
	}
	return &r.Missing[i]
}

// missing describes the number of missing CRs, with the numbers of absent ones, of those that were
// perhaps not collected, and of those that other CRs require.
func (r *Run) missing(failOn FailOn) tally {
	s := r.Summary
	surely := s.MissingCRs - s.NotCollectedCRs
	out := tally{
		n:     s.MissingCRs,
		of:    ofClass(ClassAbsent, ClassNotCollected, ClassWanted),
		fails: failOn.Has(FailOnMissing) || failOn.Has(FailOnAbsent) && surely > 0,
	}
	if surely == 0 {
		out.text = Plural(
			s.MissingCRs, "required CR was perhaps not collected", "required CRs were perhaps not collected",
		)
		return out
	}
	out.text = Plural(s.MissingCRs, "required CR was not found", "required CRs were not found")
	if !failOn.Has(FailOnMissing) && s.NotCollectedCRs > 0 {
		out.passes = Plural(
			s.NotCollectedCRs, "required CR was perhaps not collected", "required CRs were perhaps not collected",
		)
	}
	sorts := Shares(
		Share{N: s.AbsentCRs, Text: "absent"},
		Share{N: s.NotCollectedCRs, Text: "perhaps not collected"},
		Share{N: s.WantedCRs, Text: "required by other CRs"},
	)
	if strings.Contains(sorts, ", ") {
		out.text += " (" + sorts + ")"
	} else if s.WantedCRs > 0 {
		out.text += " (required by other CRs)"
	}
	return out
}
