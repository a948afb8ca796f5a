package finding

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Class classifies a Finding.
type Class string

// The classes, in the order of Findings.
const (
	ClassError   Class = "error"   // a CR could not be evaluated
	ClassDrift   Class = "drift"   // a field differs
	ClassMissing Class = "missing" // a field is missing
	ClassInvalid Class = "invalid" // an API server would reject or drop a field
	ClassExtra   Class = "extra"   // a field is extra
	ClassRule    Class = "rule"    // a rule that is not about missing CRs is broken
	// such a rule may be broken: the input may not show the CRs of which it requires one
	ClassPerhapsBroken Class = "perhaps broken"
	ClassAbsent        Class = "absent"        // a required CR is missing
	ClassNotCollected  Class = "not collected" // a required CR was not found, and the input may not show such CRs
	ClassWanted        Class = "wanted"        // a CR that other CRs require is missing
	ClassInvalidCR     Class = "invalid CR"    // an API server would reject or drop a field of a CR that was not compared
	ClassReferenced    Class = "referenced"    // a CR that others refer to is missing; listed only if this fails the run
	ClassUnmatched     Class = "unmatched"     // CRs of a kind match no template; listed only if this fails the run
	ClassUnreadable    Class = "unreadable"    // a part of the input could not be used
	ClassUnknown       Class = "not known"     // the input may lack CRs on which the result depends
	ClassIncomplete    Class = "incomplete"    // the result is unreliable for another reason
	ClassNote          Class = "note"          // a template's note on a CR; it never makes the run fail
)

// Word names a class in capitals, as overviews and annotations do.
func (c Class) Word() string {
	switch c {
	case ClassError:
		return "FAILED"
	case ClassAbsent:
		return "NOT FOUND"
	case ClassNotCollected:
		return "NOT FOUND?"
	case ClassWanted:
		return "REQUIRED"
	case ClassInvalidCR:
		return "INVALID"
	case ClassPerhapsBroken:
		return "RULE?"
	}
	return strings.ToUpper(string(c))
}

// IsOfCR reports whether findings of the class are about a CR that was compared. It is false for
// notes.
func (c Class) IsOfCR() bool { return slices.Contains(classesOfCRs(), c) }

func classesOfCRs() []Class {
	return []Class{ClassError, ClassDrift, ClassMissing, ClassInvalid, ClassExtra}
}

// IsBesideCRs reports whether findings of the class are neither about a CR that was compared nor
// notes.
func (c Class) IsBesideCRs() bool { return !c.IsOfCR() && !c.IsNote() }

// IsNote reports whether the class is that of notes.
func (c Class) IsNote() bool { return c == ClassNote }

// IsRule reports whether a class is about rules that are not about missing CRs.
func (c Class) IsRule() bool { return c == ClassRule || c == ClassPerhapsBroken }

// isMissingCR reports whether a class is about missing CRs.
func (c Class) isMissingCR() bool {
	return c == ClassAbsent || c == ClassNotCollected || c == ClassWanted
}

// Effect says how a finding affects the exit status.
type Effect int

// The effects, the least serious first.
const (
	Informs Effect = iota // the exit status does not change
	Fails                 // the exit status is 1
	Breaks                // the exit status is 2: the result is unreliable
)

// Finding is a single result about a cluster: a difference, a broken rule or a problem, for
// example. A field that does not apply is zero.
type Finding struct {
	News
	Class     Class           `json:"class" required:"true"`
	Effect    Effect          `json:"-"`
	Code      code.Code       `json:"code,omitempty"`
	Object    Object          `json:"object,omitzero"`
	Template  Template        `json:"template,omitzero"`
	Rule      string          `json:"rule,omitempty"`  // the broken rule
	Path      string          `json:"path,omitempty"`  // the path of the field
	Words     string          `json:"words,omitempty"` // one line that describes the finding without the object
	Was       string          `json:"was,omitempty"`   // the Words of the earlier report if the finding has changed
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"` // the value of the field; the CRs that break a rule
	Source    Source          `json:"source,omitzero"` // the CR's location in the input, with the field's line
	// the line in the metadata file of the missing CR's template or the broken rule
	Line        int    `json:"-"`
	Fingerprint string `json:"fingerprint"`
	Rating

	Accepted json.RawMessage `json:"-"` // as in Difference
	Broken   *Rule           `json:"-"` // the rule that is broken, or that requires the missing CR
	Missed   *Missed         `json:"-"` // the missing CR
	CR       *Comparison     `json:"-"` // the CR that was compared
	// the unmatched CRs, and the run that lists them
	Unmatched   *KindCount `json:"-"`
	UnmatchedOf *Run       `json:"-"`
	mark        *News      `json:"-"` // the place of News in the report
}

// Findings yields the findings on a cluster whose classes are wanted, or all if wants is nil. The
// findings on CRs come first, in the order of reports. Then come those on rules and missing CRs in
// the order of the reference, other findings, and notes of templates. The worst Effect of all
// findings is the exit status of the run. Findings are created one by one, because a list of them
// can take more memory than the run.
//
// If no CR was read, there are no findings on rules: every required CR would be missing, but this
// would say nothing about the cluster.
func (r *Run) Findings(failOn FailOn, wants func(Class) bool) iter.Seq[Finding] {
	if wants == nil {
		wants = func(Class) bool { return true }
	}
	return func(yield func(Finding) bool) {
		each := func(all []Finding) bool {
			for _, f := range all {
				if wants(f.Class) && !yield(f) {
					return false
				}
			}
			return true
		}
		if slices.ContainsFunc(classesOfCRs(), wants) {
			for _, g := range r.Groups(Grouping{Single: true}) {
				if !each(g.First().Findings(failOn)) {
					return
				}
			}
		}
		for i := range r.Rules {
			if !r.IsBlank() && !each(r.Rules[i].findings(failOn)) {
				return
			}
		}
		if !each(r.besideCRsAndRules(failOn)) || !wants(ClassNote) {
			return
		}
		for _, c := range r.Comparisons {
			if len(c.Notes) > 0 && !each(c.Noted()) {
				return
			}
		}
	}
}

// Noted lists the notes on an object.
func (c *Comparison) Noted() (all []Finding) {
	about, n := fieldHash(c.Object, c.Template.Path), map[string]int{}
	for _, s := range c.Notes {
		one := Finding{
			Class:       ClassNote,
			Code:        s.Code,
			Object:      c.Object,
			Template:    c.Template,
			Path:        s.Path,
			Words:       s.Words() + Note(s.Code),
			Source:      c.Source,
			Fingerprint: fieldFingerprint(about, "", s.Path, s.Code),
			CR:          c,
		}
		one.Source.Line = cmp.Or(s.Line, one.Source.Line)
		one.Fingerprint += repeated(n, one.Fingerprint)
		all = append(all, one)
	}
	return all
}

// Level returns how serious a finding is in a list: 0 for a note, 1 for a warning, 2 for an error.
func (f Finding) Level() int {
	switch {
	case f.Effect != Informs:
		return 2
	case f.Class == ClassExtra || f.Class == ClassNote:
		return 0
	}
	return 1
}

// Words says what the other object does.
func (r Referenced) Words() string {
	return "refers to the CR of " + r.Template + " (" + r.How + "), which is not in the input"
}

// besideCRsAndRules returns the findings that are about neither a CR that was compared nor a rule.
func (r *Run) besideCRsAndRules(failOn FailOn) []Finding {
	var all []Finding
	for i, one := range r.Referenced {
		if failOn.Has(FailOnReferenced) {
			all = append(all, Finding{
				Class:       ClassReferenced,
				Effect:      failOn.effect(true, one.Change),
				News:        one.News,
				mark:        &r.Referenced[i].News,
				Object:      one.By,
				Template:    Template{Path: one.Template},
				Words:       one.Words(),
				Fingerprint: hashOf("referenced", one.Template, one.By.String()),
			})
		}
	}
	for i, one := range r.InvalidCRs {
		all = append(all, Finding{
			Class:       ClassInvalidCR,
			Effect:      failOn.effect(failOn.Has(FailOnInvalid), one.Change),
			Code:        one.Code,
			News:        one.News,
			mark:        &r.InvalidCRs[i].News,
			Object:      one.Object,
			Path:        one.Path,
			Words:       one.Message + Note(one.Code),
			Source:      one.Source,
			Fingerprint: hashOf("invalid CR", one.Object.String(), one.Path, string(one.Code)),
		})
	}
	for i, k := range r.UnmatchedKinds {
		if failOn.HasUnmatched() {
			all = append(all, Finding{
				Class:       ClassUnmatched,
				Effect:      failOn.effect(true, k.Change),
				News:        k.News,
				mark:        &r.UnmatchedKinds[i].News,
				Object:      Object{APIVersion: k.APIVersion, Kind: k.Kind},
				Words:       Plural(k.Count, "CR of this kind matches no template", "CRs of this kind match no template"),
				Fingerprint: hashOf("unmatched", k.APIVersion, k.Kind),
				Unmatched:   &r.UnmatchedKinds[i],
				UnmatchedOf: r,
			})
		}
	}
	for _, p := range r.Unreadable {
		all = append(all, Finding{
			Class:       ClassUnreadable,
			Effect:      Breaks,
			Code:        p.Code,
			Words:       p.Message,
			Source:      SourceOf(p.Place, "", ""),
			Fingerprint: hashOf("unreadable", p.Entry, string(p.Code)),
		})
	}
	for _, p := range r.NotKnown {
		one := Finding{
			Class:       ClassUnknown,
			Effect:      Informs,
			Code:        p.Code,
			Words:       p.Message,
			Source:      SourceOf(p.Place, "", ""),
			Fingerprint: hashOf("not known", p.Entry, string(p.Code)),
		}
		if !r.deviates() || r.mayFail(failOn) {
			one.Effect = Breaks
		}
		all = append(all, one)
	}
	said := r.Summary.Objects.Error + len(r.Unreadable)
	words := strings.Join(r.Obstacles(), ", ")
	if r.Summary.Verdict == Incomplete && words != "" && said == 0 && (len(r.NotKnown) == 0 || r.nothingCompared()) {
		all = append(all, Finding{
			Class:       ClassIncomplete,
			Effect:      Breaks,
			Words:       words,
			Fingerprint: hashOf("incomplete", words),
		})
	}
	if r.unsure(failOn) {
		all = append(all, Finding{
			Class:       ClassIncomplete,
			Effect:      Breaks,
			Code:        code.BaselineUnclear,
			Words:       r.Baseline.unsure(),
			Fingerprint: hashOf("baseline"),
		})
	}
	n := map[string]int{} // places in folders are no part of a fingerprint
	for i, f := range all {
		all[i].Fingerprint += repeated(n, f.Fingerprint)
	}
	return all
}

// repeated counts a fingerprint and returns what follows it: its number if it is not the first one.
func repeated(n map[string]int, fingerprint string) string {
	if n[fingerprint]++; n[fingerprint] == 1 {
		return ""
	}
	return "-" + strconv.Itoa(n[fingerprint])
}

// Findings lists the findings on an object.
func (c *Comparison) Findings(failOn FailOn) []Finding {
	if c.Error != nil {
		return []Finding{c.failure()}
	}
	var all []Finding
	n := map[string]int{} // several checks of one field share a fingerprint, and so do several values of a set
	for i := range c.Differences {
		d := &c.Differences[i]
		if d.Category == Expected {
			continue
		}
		one := c.finding(d, failOn)
		one.Fingerprint += repeated(n, d.Fingerprint)
		all = append(all, one)
	}
	return all
}

// Accepted lists what overrides accept of an object, as far as the report lists it. Nothing of it counts.
func (c *Comparison) Accepted() (all []Finding) {
	if c.Override == nil {
		return nil
	}
	n := map[string]int{}
	for i := range c.Override.Accepted {
		d := &c.Override.Accepted[i]
		one := c.finding(d, nil)
		one.Fingerprint += repeated(n, d.Fingerprint)
		all = append(all, one)
	}
	return all
}

// failure returns the finding on an object that could not be evaluated.
func (c *Comparison) failure() Finding {
	return Finding{
		News:        c.Error.News,
		Class:       ClassError,
		Effect:      Breaks,
		Code:        c.Error.Code,
		Object:      c.Object,
		Template:    c.Template,
		Words:       c.Error.Message,
		Source:      c.Source,
		Fingerprint: hashOf("error", c.Object.String(), c.Template.Path, string(c.Error.Code)),
		CR:          c,
		mark:        &c.Error.News,
	}
}

// finding returns the finding on a difference of the object.
func (c *Comparison) finding(d *Difference, failOn FailOn) Finding {
	fails := failOn.Has(FailOnWord(d.Category)) || failOn.Has(FailOnImpacting) && d.Impact == Impacting
	one := Finding{
		News:        d.News,
		Class:       Class(d.Category),
		Effect:      failOn.effect(fails, d.Change),
		Code:        d.Code,
		Object:      c.Object,
		Template:    c.Template,
		Path:        d.Path,
		Words:       d.Words(),
		Reference:   d.Reference,
		Input:       d.Input,
		Source:      c.Source,
		Fingerprint: d.Fingerprint,
		Rating:      d.Rating,
		Accepted:    d.Accepted,
		CR:          c,
		mark:        &d.News,
	}
	one.Source.Line = cmp.Or(d.Line, one.Source.Line)
	return one
}

// effect returns Fails if the finding makes the run fail, else Informs. If only new findings make
// the run fail, an old one only informs.
func (f FailOn) effect(fails bool, change Change) Effect {
	if fails && (!f.Has(FailOnNew) || change.isNews()) {
		return Fails
	}
	return Informs
}

// findings lists the missing CRs of the rule, or the rule itself if it is not about missing CRs.
func (r *Rule) findings(failOn FailOn) []Finding {
	one := Finding{
		Class:    r.class(),
		Code:     r.Code,
		Rule:     r.Rule,
		Template: Template{Part: r.Part, Component: r.Component},
		Broken:   r,
	}
	effect := func(surely bool, rating Rating, change Change) Effect {
		fails := failOn.Has(FailOnMissing) || failOn.Has(FailOnAbsent) && surely ||
			failOn.Has(FailOnImpacting) && rating.Impact == Impacting
		return failOn.effect(fails, change)
	}
	if !r.IsMissing() {
		one.Effect = effect(r.SurelyMissing(), r.Rating, r.Change)
		one.News, one.mark, one.Rating, one.Line = r.News, &r.News, r.Rating, r.Line
		one.Words, one.Input = r.Message+Prefixed(": ", breakers(r)), r.present()
		one.Fingerprint = r.Fingerprint
		return []Finding{one}
	}
	var all []Finding
	for i, template := range r.Templates {
		m := cmp.Or(r.Missed(i), &Missed{Template: template})
		one.Class = m.Class()
		one.Effect = effect(one.Class != ClassNotCollected, m.Rating, m.Change)
		one.News, one.mark, one.Rating, one.Line = m.News, &m.News, m.Rating, m.Line
		one.Object, one.Words = m.Object, m.words()
		one.Template.Path, one.Missed = template, m
		one.Fingerprint = hashOf(r.Part, r.Component, r.Rule, template)
		all = append(all, one)
	}
	return all
}
