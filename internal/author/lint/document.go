package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// SchemaVersion is the version of the document.
const SchemaVersion = 1

// Document has the findings in a reference. It is the JSON document that docs/lint.schema.json
// describes.
type Document struct {
	SchemaVersion int               `json:"schemaVersion"`
	Tool          finding.Tool      `json:"tool"`
	Reference     finding.Reference `json:"reference"`
	// all references if there are several; Reference is the first
	References []finding.Reference `json:"references,omitempty"`
	ExitStatus int                 `json:"exitStatus"`
	Summary    Summary             `json:"summary"`
	Baseline   *Baseline           `json:"baseline,omitempty"`
	Schemas    *Checked            `json:"schemas,omitempty"` // if schemas were given
	Flaws      []Flaw              `json:"flaws"`             // sorted by place, for each reference
}

// Baseline counts the flaws of an earlier document.
type Baseline struct {
	Path  string `json:"path"`
	Known int    `json:"known"` // flaws that are still found
	Gone  int    `json:"gone"`
}

// Summary counts the flaws, without those of the baseline.
type Summary struct {
	Templates int `json:"templates"` // templates of the reference
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
}

// Severity is the severity of a flaw.
type Severity string

// The severities.
const (
	Wrong    Severity = "error"   // the reference cannot be used, or has a part that can never have its effect
	Doubtful Severity = "warning" // perhaps not intended
)

// Flaw is an error or a likely mistake in a reference.
type Flaw struct {
	Severity Severity `json:"severity"`
	refconfig.Problem
	Known bool `json:"known,omitempty"` // the baseline has it

	PerField PerField `json:"-"` // the entry that would resolve it; the zero value if none is known
}

// PerField is an entry of perField that a template could have.
type PerField struct {
	Template  int // line of the template's entry in the metadata file
	PathToKey string
	Key       refconfig.FieldKey
	Value     string
}

// newDocument returns a document with each flaw once, sorted by location.
func newDocument(ref *refconfig.Reference, flaws []Flaw) *Document {
	l := &Document{SchemaVersion: SchemaVersion, Reference: finding.ReferenceOf(ref)}
	l.Summary.Templates = len(ref.Templates)
	slices.SortFunc(flaws, compareFlaws)
	l.Flaws = append([]Flaw{}, silenced(ref, slices.CompactFunc(flaws, isSame))...)
	return l
}

// isSame reports whether two flaws say the same.
func isSame(a, b Flaw) bool { return compareFlaws(a, b) == 0 }

// compareFlaws orders flaws by their location.
func compareFlaws(a, b Flaw) int {
	return cmp.Or(
		a.Place.Compare(b.Place),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Message, b.Message),
	)
}

// silenced removes the warnings that a comment silences: # lint:ignore CODE reason. The comment is
// on the line of the warning or the line above it. At the beginning of a file, before any content,
// it is for the whole file, and so is any comment for a warning without a line.
func silenced(ref *refconfig.Reference, flaws []Flaw) []Flaw {
	comment := regexp.MustCompile(`lint:ignore\s+(VT\d+)\s+\S`)
	const wholeFile = -1
	type at struct {
		file string
		line int
		code code.Code
	}
	silent := map[at]bool{}
	read := func(file string, text []byte, before int) {
		n, head := before, true
		for line := range bytes.Lines(text) {
			n++
			head = head && isComment(line)
			for _, m := range comment.FindAllSubmatch(line, -1) {
				lines := []int{0, n, n + 1}
				if head {
					lines = append(lines, wholeFile)
				}
				for _, where := range lines {
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
		return f.Severity == Doubtful && (silent[at{f.File, f.Line, f.Code}] || silent[at{f.File, wholeFile, f.Code}])
	})
}

// isComment reports whether a line is blank, a comment, or the mark of a document.
func isComment(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) == 0 || text[0] == '#' || bytes.HasPrefix(text, []byte("{{/*")) ||
		bytes.HasPrefix(text, []byte("{{- /*")) || string(text) == "---"
}

// Conclude counts the flaws and sets the exit status. With strict, warnings fail as well. Flaws of
// the baseline do not fail, unless they are about an unreadable part of the reference.
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

// Sentence summarizes the document: "3 errors, 6 warnings in 2 templates".
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
		said += fmt.Sprintf("; %d known from %s, %d resolved", b.Known, b.Path, b.Gone)
	}
	return said
}

// leavesUnread reports whether a code is about an unreadable part of the reference.
func leavesUnread(c code.Code) bool {
	limit := strings.HasPrefix(c, "VT5")
	return limit || slices.Contains([]code.Code{code.RefNotFound, code.RefUnreadable}, c)
}
