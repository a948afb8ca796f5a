package finding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Rule is a rule of a component that does not hold.
type Rule struct {
	Part         string      `json:"part"`
	Component    string      `json:"component"`
	Rule         string      `json:"rule"`
	Code         code.Code   `json:"code"`
	Message      string      `json:"message"`
	Templates    []string    `json:"templates"`              // that it is about, in the order of the reference
	Description  string      `json:"description,omitempty"`  // their common one, else the component's or the part's
	Descriptions []Described `json:"descriptions,omitempty"` // of each template that has one
	// one for each template that the rule misses, in the order of the reference
	Missing []Missed `json:"missing,omitempty"`
	// CRs that break the rule, or because of which it requires the missing ones
	Present     []Present `json:"present,omitempty"`
	Line        int       `json:"line,omitempty"` // of the rule in the metadata file
	Fingerprint string    `json:"fingerprint"`
	Change      Change    `json:"change,omitempty"` // unset if CRs are missing: each Missed has its own
	Rating                // of missing CRs the most serious one

	Acceptance *Acceptance `json:"-"` // overrides that accept the CRs it is about, where somebody asks for them
}

// Described is what the reference says about a template.
type Described struct {
	Template    string `json:"template"`
	Description string `json:"description"`
}

// Missed is an object that a rule asks for and the input lacks.
type Missed struct {
	Template string `json:"template"`
	// as far as the template states it: a pattern has * for what is open, a field left open is ""
	Object       Object   `json:"object"`
	Nearest      *Nearest `json:"nearest,omitempty"`
	Line         int      `json:"line,omitempty"`         // of the template in the metadata file
	NotCollected bool     `json:"notCollected,omitempty"` // the cluster may have it, and the input would not show it
	// why the input would not show it; set where NotCollected is
	Because Uncollected `json:"notCollectedBecause,omitempty"`
	// the first of the objects without which it would not be required; the rule has all
	WantedBy *Object `json:"wantedBy,omitempty"`
	Change   Change  `json:"change,omitempty"`
	Rating
	Fix *Fix `json:"-"` // what it would have to be, where somebody asks for it
}

// Uncollected is why a cluster may have an object that the input lacks.
type Uncollected string

// The reasons.
const (
	CollectionFailed Uncollected = "failed"     // the collector says that it could not collect such objects
	ArchiveCut       Uncollected = "cut"        // an archive breaks off or is corrupt
	FileUnread       Uncollected = "unread"     // the collector's file for such objects is empty or could not be read
	NotAsked         Uncollected = "notCovered" // nothing shows that the collector gathers such objects
)

// Words say why.
func (u Uncollected) Words() string {
	return map[Uncollected]string{
		CollectionFailed: "the collector could not collect it",
		ArchiveCut:       "an archive breaks off or is corrupt",
		FileUnread:       "the file that may hold it is empty or could not be read",
		NotAsked:         "nothing shows that the collector gathers CRs of its kind",
	}[u]
}

// Sort is why an object is missing.
type Sort int

// The sorts, of which each missing object is of one.
const (
	Absent       Sort = iota // it is not there
	NotCollected             // nobody knows, for the input would not show it
	Wanted                   // it is not there, and is required only because another one is
)

// Sort tells why the object is missing.
func (m Missed) Sort() Sort {
	switch {
	case m.NotCollected:
		return NotCollected
	case m.WantedBy != nil:
		return Wanted
	}
	return Absent
}

// Present is an object that counts for a rule.
type Present struct {
	Template   string `json:"template"`
	Object     Object `json:"object"`
	Referenced bool   `json:"referenced,omitempty"` // it is not in the input, but others point at it
}

// AcceptedCR is an object that is missing, or present, against a rule, which an override accepts:
// so the rule is not broken by it.
type AcceptedCR struct {
	Part      string `json:"part"`
	Component string `json:"component"`
	Rule      string `json:"rule"`
	Template  string `json:"template"`
	Object    Object `json:"object"`            // as in Missed, or as in Present
	Present   bool   `json:"present,omitempty"` // it is there; else it is missing
	Override  int    `json:"override"`          // which of the overrides of the run, from 0
	Reason    string `json:"reason"`
	Expires   string `json:"expires,omitempty"`
}

// Accept says that an override, by its index, accepts that an object is missing, or present,
// against a rule.
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

// For reports whether it is about an object that is there, as a rule has it.
func (a AcceptedCR) For(r Rule, p Present) bool {
	return a.Present && a.Object == p.Object && a.Template == p.Template && a.Part == r.Part &&
		a.Component == r.Component &&
		a.Rule == r.Rule
}

// Nearest is an object that no template fits and that comes near to a missing one.
type Nearest struct {
	Template string   `json:"template"`
	Object   Object   `json:"object"`
	Differs  []string `json:"differs"` // which of apiVersion, kind, namespace, name differ
}

// NewRule says which rule does not hold. Missing and Present are for the caller to fill in.
func NewRule(v refconfig.Violation) Rule {
	r := Rule{
		Rule:        string(v.Rule),
		Code:        v.Code,
		Message:     v.Message,
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
	r.Fingerprint = r.fingerprint()
	return r
}

// ruleDescription is the templates' common description, else the component's or the part's.
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

// IsMissing reports whether the rule does not hold because required objects are missing.
func (r Rule) IsMissing() bool { return r.Code == code.RuleMissing || r.Code == code.RuleNotGathered }

// SurelyMissing reports whether an object that the rule asks for is surely not there: of those that
// are missing one, and of those of which one would do all.
func (r Rule) SurelyMissing() bool {
	collected := func(m Missed) bool { return m.Sort() != NotCollected }
	open := func(m Missed) bool { return m.Sort() == NotCollected }
	return r.IsMissing() && slices.ContainsFunc(r.Missing, collected) ||
		r.Code == code.RuleOneRequired && !slices.ContainsFunc(r.Missing, open)
}

// present lists the CRs that break the rule as JSON, nil where there is none.
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
		panic(err) // texts can be written as JSON
	}
	return text
}

// About is what the reference says about each of the templates that it says something about.
func (r Rule) About() map[string]string {
	all := make(map[string]string, len(r.Descriptions))
	for _, d := range slices.Backward(r.Descriptions) { // the first counts
		all[d.Template] = d.Description
	}
	return all
}

// Misses is what is missing of each template of which something is.
func (r Rule) Misses() map[string]*Missed {
	all := make(map[string]*Missed, len(r.Missing))
	for i := range slices.Backward(r.Missing) { // the first counts
		all[r.Missing[i].Template] = &r.Missing[i]
	}
	return all
}

// missing says in words how many required CRs are missing, and of which sorts they are.
func (r *Run) missing(failOn FailOn) statement {
	s := r.Summary
	surely := s.MissingCRs - s.NotCollectedCRs
	out := statement{
		n:     s.MissingCRs,
		of:    ofClass(ClassAbsent, ClassNotCollected, ClassWanted),
		fails: failOn.Has("missing") || failOn.Has("absent") && surely > 0,
	}
	if surely == 0 {
		out.text = Plural(
			s.MissingCRs, "required CR was perhaps not collected", "required CRs were perhaps not collected",
		)
		return out
	}
	out.text = Plural(s.MissingCRs, "required CR was not found", "required CRs were not found")
	if !failOn.Has("missing") && s.NotCollectedCRs > 0 {
		out.passes = Plural(
			s.NotCollectedCRs, "required CR was perhaps not collected", "required CRs were perhaps not collected",
		)
	}
	if sorts := s.missingSorts(); len(sorts) > 1 {
		out.text += " (" + strings.Join(sorts, ", ") + ")"
	} else if s.WantedCRs > 0 {
		out.text += " (required by other CRs)"
	}
	return out
}

// missingSorts counts the missing CRs of each sort, in words.
func (s Summary) missingSorts() []string {
	var out []string
	for _, one := range []struct {
		n    int
		text string
	}{{s.AbsentCRs, "absent"}, {s.NotCollectedCRs, "perhaps not collected"}, {s.WantedCRs, "required by other CRs"}} {
		if one.n > 0 {
			out = append(out, fmt.Sprint(one.n, " ", one.text))
		}
	}
	return out
}
