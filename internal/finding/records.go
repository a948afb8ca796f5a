package finding

import (
	"encoding/json"
	"iter"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Record is a finding on one flat line, for programs that filter, count and join: the lines of CSV and
// NDJSON, and the list of a document. Its keys are the columns of CSV, in this order.
type Record struct {
	Cluster     string          `json:"cluster"` // the name of the run
	Class       Class           `json:"class"`   // verdict and alarm stand before the findings
	Fails       string          `json:"fails"`   // the Effect in words
	Impact      Impact          `json:"impact,omitempty"`
	Part        string          `json:"part,omitempty"`
	Component   string          `json:"component,omitempty"`
	Template    string          `json:"template,omitempty"`
	APIVersion  string          `json:"apiVersion,omitempty"`
	Kind        string          `json:"kind,omitempty"`
	Namespace   string          `json:"namespace,omitempty"`
	Name        string          `json:"name,omitempty"`
	Path        string          `json:"path,omitempty"`
	Code        code.Code       `json:"code,omitempty"`
	Finding     string          `json:"finding"` // Finding.Words
	Reference   json.RawMessage `json:"reference,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`
	Comment     string          `json:"comment,omitempty"`
	Link        string          `json:"link,omitempty"`
	File        string          `json:"file,omitempty"`
	Entry       string          `json:"entry,omitempty"`
	Line        int             `json:"line,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Change      Change          `json:"change,omitempty"`
	Wrapper     string          `json:"wrapper,omitempty"`
	Cause       Cause           `json:"cause,omitempty"`
	Rule        string          `json:"rule,omitempty"`
	Accepted    json.RawMessage `json:"accepted,omitempty"` // as in Difference
}

// Records are the records of a document. They follow from the rest of it, so they are not read back.
type Records []Record

// UnmarshalJSON reads nothing.
func (*Records) UnmarshalJSON([]byte) error { return nil }

// Records yields for each cluster a record of class verdict, one of class alarm for each alarm, and its
// findings.
func (r *Report) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for _, run := range r.Runs {
			verdict := Finding{
				Class:  "verdict",
				Effect: Effect(run.ExitStatus(r.FailOn)), // the effects are in the order of the exit statuses
				Words:  run.Sentence(r.FailOn),
			}
			if !yield(verdict.record(run.Name())) {
				return
			}
			for _, a := range run.Alarms {
				alarm := Finding{Class: "alarm", Code: a.Code, Words: a.Message, Source: Source{File: a.Place}}
				if !yield(alarm.record(run.Name())) {
					return
				}
			}
			for record := range run.Records(r.FailOn) {
				if !yield(record) {
					return
				}
			}
		}
	}
}

// Records yields the records of Findings.
func (r *Run) Records(failOn FailOn) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		name := r.Name()
		for f := range r.Findings(failOn, nil) {
			if !yield(f.record(name)) {
				return
			}
		}
	}
}

func (f Finding) record(cluster string) Record {
	return Record{
		Cluster:     cluster,
		Class:       f.Class,
		Fails:       []string{"no", "yes", "incomplete"}[f.Effect],
		Impact:      f.Impact,
		Part:        f.Template.Part,
		Component:   f.Template.Component,
		Template:    f.Template.Path,
		APIVersion:  f.Object.APIVersion,
		Kind:        f.Object.Kind,
		Namespace:   f.Object.Namespace,
		Name:        f.Object.Name,
		Path:        f.Path,
		Code:        f.Code,
		Finding:     f.Words,
		Reference:   f.Reference,
		Input:       f.Input,
		Comment:     f.Comment,
		Link:        f.Link,
		File:        f.Source.File,
		Entry:       f.Source.Entry,
		Line:        f.Source.Line,
		Fingerprint: f.Fingerprint,
		Change:      f.Change,
		Wrapper:     f.Source.Wrapper,
		Cause:       f.Cause,
		Rule:        f.Rule,
		Accepted:    f.Accepted,
	}
}
