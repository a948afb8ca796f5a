package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// SchemaVersion is the version of the document.
const SchemaVersion = 1

// Document says what is wrong with a reference, or may be. It is the JSON document that
// docs/lint.schema.json describes.
type Document struct {
	SchemaVersion int               `json:"schemaVersion"`
	Tool          finding.Tool      `json:"tool"`
	Reference     finding.Reference `json:"reference"`
	// of several, of which Reference is the first
	References []finding.Reference `json:"references,omitempty"`
	ExitStatus int                 `json:"exitStatus"`
	Summary    Summary             `json:"summary"`
	Baseline   *Baseline           `json:"baseline,omitempty"`
	Schemas    *Checked            `json:"schemas,omitempty"` // where there were some
	Flaws      []Flaw              `json:"flaws"`             // sorted by place, for each reference
}

// Baseline counts what became of the flaws of an earlier document.
type Baseline struct {
	Path  string `json:"path"`
	Known int    `json:"known"` // that are still there
	Gone  int    `json:"gone"`
}

// Summary counts. Errors and warnings of the baseline are not among them.
type Summary struct {
	Templates int `json:"templates"` // that the reference has
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
}

// Severity says how bad a flaw is.
type Severity string

// The severities.
const (
	Wrong    Severity = "error"   // the reference cannot be used, or what is there can never do what it says
	Doubtful Severity = "warning" // it may not be what was meant
)

// Flaw is something that is wrong with a reference, or may be.
type Flaw struct {
	Severity Severity  `json:"severity"`
	File     string    `json:"file"`
	Entry    string    `json:"entry,omitempty"`
	Line     int       `json:"line,omitempty"`
	Column   int       `json:"column,omitempty"`
	Code     code.Code `json:"code"`
	Message  string    `json:"message"`
	Known    bool      `json:"known,omitempty"` // the baseline has it
}

// Place returns where the flaw is.
func (f Flaw) Place() refconfig.Place {
	return refconfig.Place{File: f.File, Entry: f.Entry, Line: f.Line, Column: f.Column}
}

// newDocument makes a document of what is wrong with a reference, each problem once and sorted by
// place.
func newDocument(ref *refconfig.Reference, wrong, doubtful []refconfig.Problem) *Document {
	l := &Document{SchemaVersion: SchemaVersion, Reference: finding.ReferenceOf(ref), Flaws: []Flaw{}}
	l.Summary.Templates = len(ref.Templates)
	add := func(s Severity, problems []refconfig.Problem) {
		for _, p := range problems {
			l.Flaws = append(
				l.Flaws, Flaw{
					Severity: s, File: p.Place.File, Entry: p.Place.Entry, Line: p.Place.Line, Column: p.Place.Column,
					Code: p.Code, Message: p.Message,
				},
			)
		}
	}
	add(Wrong, wrong)
	add(Doubtful, doubtful)
	slices.SortFunc(l.Flaws, func(a, b Flaw) int {
		return cmp.Or(
			a.Place().Compare(b.Place()),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Message, b.Message),
		)
	})
	l.Flaws = silenced(ref, slices.Compact(l.Flaws))
	return l
}

// silenced leaves out the warnings that a comment takes back: # lint:ignore CODE reason, at the
// line of the warning or above it, or anywhere in the file where the warning is of all of it.
func silenced(ref *refconfig.Reference, flaws []Flaw) []Flaw {
	comment := regexp.MustCompile(`lint:ignore\s+(VT\d+)\s+\S`)
	type at struct {
		file string
		line int
		code code.Code
	}
	silent := map[at]bool{}
	read := func(file string, text []byte, before int) {
		n := before
		for line := range bytes.Lines(text) {
			n++
			for _, m := range comment.FindAllSubmatch(line, -1) {
				for _, where := range []int{0, n, n + 1} {
					silent[at{file, where, string(m[1])}] = true
				}
			}
		}
	}
	read(ref.Metadata, ref.MetadataText, 0)
	for _, f := range ref.Functions {
		read(f.File, f.Source, 0)
	}
	for _, t := range ref.Templates {
		read(t.File, t.Source, t.LinesBefore)
	}
	return slices.DeleteFunc(flaws, func(f Flaw) bool {
		return f.Severity == Doubtful && silent[at{f.File, f.Line, f.Code}]
	})
}

// Conclude counts the flaws and settles the exit status. Strict has warnings count as well. What is
// known does not fail, unless something of the reference could not be read for it.
func (l *Document) Conclude(strict bool) {
	unread := false
	for _, f := range l.Flaws {
		switch {
		case f.Known:
		case f.Severity == Wrong:
			l.Summary.Errors++
		default:
			l.Summary.Warnings++
		}
		unread = unread || f.Severity == Wrong && leavesUnread(f.Code)
	}
	switch {
	case unread:
		l.ExitStatus = 2
	case l.Summary.Errors > 0 || strict && l.Summary.Warnings > 0:
		l.ExitStatus = 1
	}
}

// Sentence says in words what was found: "3 errors, 6 warnings in 2 templates".
func (l *Document) Sentence() string {
	in := finding.Plural(l.Summary.Templates, "template", "templates")
	if len(l.References) > 0 {
		in += " of " + l.Name()
	}
	said := "nothing is wrong with " + in
	switch {
	case len(l.New()) > 0:
		said = finding.Plural(l.Summary.Errors, "error", "errors") + ", " +
			finding.Plural(l.Summary.Warnings, "warning", "warnings") + " in " + in
	case len(l.Flaws) > 0:
		said = "nothing new is wrong with " + in
	}
	if b := l.Baseline; b != nil {
		said += fmt.Sprintf("; %d known since %s, %d gone", b.Known, b.Path, b.Gone)
	}
	return said
}

// leavesUnread reports whether a fault means that something of the reference was not looked at.
func leavesUnread(c code.Code) bool {
	limit := strings.HasPrefix(c, "VT5")
	return limit || slices.Contains([]code.Code{code.RefNotFound, code.RefUnreadable}, c)
}
