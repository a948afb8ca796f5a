package cli

import (
	"io"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/html"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/destination"
)

// format is an output format.
type format struct {
	name     string
	write    func(*program, io.Writer, content) error
	needsCRs bool                          // it needs the CRs, so that it cannot be written from a saved report
	folder   bool                          // it is a folder of files
	lines    func(*reporting, output) bool // whether it needs the lines of CRs; nil for never
	varying  bool                          // it needs lines that vary as expected too
	status   bool                          // it has the exit status
	whole    bool                          // a file has only one document, so that nothing can be appended
}

// content is what a format writes.
type content struct {
	found  *finding.Report
	o      *reporting
	to     output
	accept formats.OverrideOptions
}

// Two formats have options of their own.
const (
	textFormat      = "text"
	overridesFormat = "overrides" // accepts findings
)

// allFormats returns all formats of a comparison. The first one is the default.
func allFormats() []format {
	always := func(*reporting, output) bool { return true }
	onFull := func(o *reporting, _ output) bool { return o.full }
	unlessShort := func(o *reporting, to output) bool { return !o.screen.Summary && !o.screen.Brief && !to.digest }
	return []format{
		{name: textFormat, write: (*program).writeText, lines: unlessShort},
		{name: "json", write: withOmissions(formats.JSON), lines: onFull, status: true, whole: true},
		{name: "yaml", write: withOmissions(formats.YAML), lines: onFull, status: true, whole: true},
		{name: "diff", lines: always, varying: true, write: func(_ *program, w io.Writer, r content) error {
			return formats.Diff(w, r.found, r.o.context)
		}},
		{name: "html", write: (*program).writeHTML, lines: always, whole: true},
		{name: "csv", write: func(_ *program, w io.Writer, r content) error { return formats.CSV(w, r.found) }},
		{name: "ndjson", write: func(_ *program, w io.Writer, r content) error { return formats.NDJSON(w, r.found) }},
		{name: "github", write: withFolder(formats.GitHub)},
		{name: "gitlab", write: withFolder(formats.GitLab), whole: true},
		{name: "markdown", lines: always, write: func(p *program, w io.Writer, r content) error {
			return formats.Markdown(w, r.found, p.fold(r.o), r.o.screen.Filter.OnlyNew)
		}},
		{name: "sarif", write: withFolder(formats.SARIF), whole: true},
		{name: "junit", whole: true, write: func(_ *program, w io.Writer, r content) error {
			return formats.JUnit(w, r.found)
		}},
		{name: "fix", write: (*program).writeFixes, needsCRs: true, folder: true},
		{name: overridesFormat, write: (*program).writeOverrides, needsCRs: true},
	}
}

// withOmissions returns the writer of a document that may leave out parts.
func withOmissions(
	write func(io.Writer, *finding.Report, formats.Omit) error,
) func(*program, io.Writer, content) error {
	return func(_ *program, w io.Writer, r content) error {
		return write(w, r.found, formats.Omit{Lines: !r.o.full, Unmatched: !r.o.unmatched})
	}
}

// withFolder returns the writer of a document with file names relative to the working folder.
func withFolder(write func(io.Writer, *finding.Report, string) error) func(*program, io.Writer, content) error {
	return func(_ *program, w io.Writer, r content) error { return write(w, r.found, workingFolder()) }
}

func (p *program) writeText(w io.Writer, r content) error {
	opt := p.textOptions(&r.o.display, p.io.Out)
	opt.InputOrder = r.o.sort == "input"
	opt.Fold = p.fold(r.o)
	opt.Digest = r.to.digest
	if r.to.file != "" { // a file must not depend on the terminal
		opt.Terminal = false
		opt.Width = r.o.screen.Width
		opt.Color = r.o.color == "always"
	}
	return text.Report(w, r.found, opt)
}

func (p *program) writeHTML(w io.Writer, r content) error {
	filter := r.o.screen.Filter
	filter.OnlyNew = filter.AskedNew // the page has room for what is as before
	how := finding.Grouping{
		Filter: filter,
		Single: r.o.screen.NoGroup,
		Alike:  !r.found.FailOn.Has(finding.FailOnExtra),
	}
	return html.Write(w, r.found, html.Options{
		Grouping: how, Context: r.o.context, Fold: p.fold(r.o), Command: p.name,
	})
}

func (p *program) writeFixes(_ io.Writer, r content) error {
	left, err := formats.Fix(r.to.made.(*destination.Folder).Write, r.found, formats.FixOptions{Command: p.name})
	for _, one := range left {
		p.notice(one.Code, "fix: "+one.Message)
	}
	return err
}

func (p *program) writeOverrides(w io.Writer, r content) error {
	patch.Twins(r.found.Runs)
	p.warnUnaccepted(r.found)
	r.accept.Command = p.name
	return formats.Overrides(w, r.found, r.accept)
}
