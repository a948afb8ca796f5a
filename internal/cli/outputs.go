package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/accept"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/destination"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/report/diff"
	"github.com/validationtool/validationtool/internal/report/document"
	"github.com/validationtool/validationtool/internal/report/fix"
	"github.com/validationtool/validationtool/internal/report/html"
	"github.com/validationtool/validationtool/internal/report/junit"
	"github.com/validationtool/validationtool/internal/report/listing"
	"github.com/validationtool/validationtool/internal/report/markdown"
	"github.com/validationtool/validationtool/internal/report/overrides"
	"github.com/validationtool/validationtool/internal/report/sarif"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/visible"
)

// format is a way to write what was found.
type format struct {
	name  string
	shows func(o *options, show *overlay.Show) // what it needs of each CR, beyond the differences
	write func(p *program, w io.Writer, found *finding.Report, o *options, at output) error
	lives bool // it needs the CRs themselves, and so cannot be written from a saved report

	folder bool // it is a folder of files
}

// formats are all that a comparison can write. The first is what is written where none is named.
func formats() []format {
	return []format{
		{name: "text", shows: func(o *options, show *overlay.Show) {
			show.Brief, show.Lines, show.Longest = true, !o.summary, cmp.Or(o.limits.Count("line"), visible.DefaultLongest)
		}, write: func(p *program, w io.Writer, found *finding.Report, o *options, at output) error {
			opt := p.textOptions(o, p.io.Out)
			opt.Fold = o.fold()
			if at.file != "" { // a file is the same whatever terminal it was made on
				opt.Width, opt.Color = o.width, o.color == "always"
			}
			return text.Report(w, found, opt)
		}},
		{name: "json", shows: linesOfAll, write: func(_ *program, w io.Writer, found *finding.Report, o *options, _ output) error {
			return document.JSON(w, o.extent().Of(found))
		}},
		{name: "yaml", shows: linesOfAll, write: func(_ *program, w io.Writer, found *finding.Report, o *options, _ output) error {
			return document.YAML(w, o.extent().Of(found))
		}},
		{name: "diff", shows: func(_ *options, show *overlay.Show) { show.Lines, show.Varying = true, true },
			write: func(_ *program, w io.Writer, found *finding.Report, o *options, _ output) error {
				return diff.Write(w, found, o.context)
			}},
		{name: "html", shows: func(_ *options, show *overlay.Show) { show.Lines = true },
			write: func(_ *program, w io.Writer, found *finding.Report, o *options, _ output) error {
				how := finding.Grouping{Filter: o.filter, Single: o.noGroup}
				return html.Write(w, found, html.Options{Grouping: how, Context: o.context, Fold: o.fold()})
			}},
		{name: "csv", shows: noLines, write: func(_ *program, w io.Writer, found *finding.Report, _ *options, _ output) error {
			return listing.CSV(w, found)
		}},
		{name: "github", shows: noLines, write: func(_ *program, w io.Writer, found *finding.Report, _ *options, _ output) error {
			return listing.GitHub(w, found, workingFolder())
		}},
		{name: "markdown", shows: func(_ *options, show *overlay.Show) { show.Lines = true },
			write: func(_ *program, w io.Writer, found *finding.Report, o *options, _ output) error {
				return markdown.Write(w, found, o.fold())
			}},
		{name: "sarif", shows: noLines, write: func(_ *program, w io.Writer, found *finding.Report, _ *options, _ output) error {
			return sarif.Write(w, found, workingFolder())
		}},
		{name: "junit", shows: noLines, write: func(_ *program, w io.Writer, found *finding.Report, _ *options, _ output) error {
			return junit.Write(w, found)
		}},
		{name: "fix", lives: true, folder: true, shows: noLines, write: func(p *program, _ io.Writer, found *finding.Report, _ *options, at output) error {
			left, err := fix.Write(at.dir.Write, found, fix.Options{Command: p.name})
			for _, one := range left {
				p.notice(one.Code, "fix: "+one.Message)
			}
			return err
		}},
		{name: overridesFormat, lives: true, shows: func(_ *options, show *overlay.Show) { show.NoValues = true },
			write: func(p *program, w io.Writer, found *finding.Report, o *options, _ output) error {
				accept.Twins(found.Runs)
				p.tellUnwritten(found)
				return overrides.Write(w, found, p.overridesOptions(o))
			}},
	}
}

// workingFolder is the folder that code scanning and annotations name files from: that of the repository, in a workflow. It is "" where it
// is not known.
func workingFolder() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// overridesFormat is the format that accepts what was found.
const overridesFormat = "overrides"

// noLines is for formats that have the differences only.
func noLines(*options, *overlay.Show) {}

// linesOfAll is for formats that have the lines of CRs only where all of them are asked for.
func linesOfAll(_ *options, show *overlay.Show) { show.Lines = show.Full }

// formatNames are the names of the formats, or of those alone that a saved report can be shown in.
func formatNames(saved bool) (names []string) {
	for _, f := range formats() {
		if !saved || !f.lives {
			names = append(names, f.name)
		}
	}
	return names
}

// output is where a report goes in one format.
type output struct {
	format
	file string              // its name; "" for standard output
	adds bool                // to what the file has
	part *destination.File   // what becomes of it
	dir  *destination.Folder // that of a format that is a folder
}

// parseOutputs reads the values of --output: each is a format, FORMAT=FILE, or FORMAT+=FILE, which adds to the file. Where none is given, it is text.
func parseOutputs(values []string) ([]output, error) {
	if len(values) == 0 {
		values = []string{"text"}
	}
	var all []output
	for _, value := range values {
		name, file, toFile := strings.Cut(value, "=")
		adds := false
		if toFile {
			name, adds = strings.CutSuffix(name, "+")
		}
		i := slices.IndexFunc(formats(), func(f format) bool { return f.name == name })
		switch {
		case i >= 0 && adds && formats()[i].folder:
			return nil, fmt.Errorf("%s is a folder of files, to which nothing can be added; name a new or empty one, as in %s=DIR", name, name)
		case i < 0:
			return nil, fmt.Errorf("%q is no format; it can be %s", name, code.Enumerate(formatNames(false), "or"))
		case toFile && file == "":
			return nil, fmt.Errorf("%s needs the name of a file", value)
		case formats()[i].folder && !toFile:
			return nil, fmt.Errorf("%s is a folder of files; name a new or empty one, as in %s=DIR", name, name)
		case slices.ContainsFunc(all, func(o output) bool { return filepath.Clean(o.file) == filepath.Clean(file) }):
			return nil, fmt.Errorf("%q: two formats cannot go to the same place; name a file for one of them, as in json=report.json", value)
		}
		all = append(all, output{format: formats()[i], file: file, adds: adds})
	}
	return all, nil
}

// extent is what documents have.
func (o *options) extent() document.Extent {
	return document.Extent{Lines: o.full, Unmatched: o.full || o.verbose || o.allResources}
}

// fold is what formats that do not want all lines keep of them, where another format has them all; else nil.
func (o *options) fold() *overlay.Folding {
	if show := o.shown(); o.full || !show.Full && !show.Varying {
		return nil
	}
	return &overlay.Folding{Context: o.context, Expected: o.showExpected}
}

// writes reports whether a format is asked for.
func (o *options) writes(name string) bool {
	return slices.ContainsFunc(o.outputs, func(to output) bool { return to.name == name })
}

// shown says what of each CR the formats show: what any of them does.
func (o *options) shown() overlay.Show {
	var all overlay.Show
	for i, to := range o.outputs {
		show := overlay.Show{Secrets: o.showSecrets, Expected: o.showExpected, Accepted: o.showOverridden, Context: o.context, Full: o.full}
		to.shows(o, &show)
		if i == 0 {
			all = show
			continue
		}
		all.NoValues, all.Brief, all.Lines = all.NoValues && show.NoValues, all.Brief && show.Brief, all.Lines || show.Lines
		all.Full, all.Varying = all.Full || show.Full, all.Varying || show.Varying
		all.Longest = max(all.Longest, show.Longest) * min(all.Longest, show.Longest, 1) // 0 is no limit
	}
	all.NoValues = all.NoValues && o.impact == nil && o.baseline == nil // differences are rated, and held against others, one by one
	all.Brief = all.Brief && o.baseline == nil
	kept := slices.ContainsFunc(o.outputs, func(to output) bool { return to.lives })
	all.Secrets = all.Secrets && !kept // what is made of CRs is to be kept, and used
	return all
}

// openOutputs makes ready to write the files, so that it is known before the comparison that they can be. The function returned takes
// away what was not finished.
func (p *program) openOutputs(o *options) (func(), error) {
	drop := func() {
		for _, to := range o.outputs {
			if to.part != nil {
				to.part.Drop()
			}
			if to.dir != nil {
				to.dir.Drop()
			}
		}
	}
	for i := range o.outputs {
		to := &o.outputs[i]
		if to.file == "" {
			continue
		}
		var err error
		switch {
		case to.folder:
			to.dir, err = destination.MakeFolder(to.file)
		case to.adds:
			to.part, err = destination.Append(to.file)
		default:
			to.part, err = destination.Create(to.file)
		}
		if err != nil {
			drop()
			return nil, fmt.Errorf("%s: --output %s: %w", code.OutputFailed, to.name, err)
		}
	}
	p.begun(drop)
	return drop, nil
}

// report writes what was found in all formats, and settles the exit status.
func (p *program) report(found *finding.Report, o *options) error {
	p.watch.Writing()
	p.status = found.ExitStatus
	var failed []error
	for i := range o.outputs {
		to := &o.outputs[i]
		if err := p.writeOutput(found, o, to); err != nil && !isClosedPipe(err) {
			failed = append(failed, fmt.Errorf("%s: the report could not be written: %w", code.OutputFailed, err))
		}
	}
	for _, i := range o.filter.Idle(found.Runs) {
		p.notice(code.SelectorIdle, "--cr "+o.crs[i]+": no such CR was compared, and none is missing or breaks a rule; the verdict is about the others")
	}
	return errors.Join(failed...)
}

// writeOutput writes what was found in one format.
func (p *program) writeOutput(found *finding.Report, o *options, to *output) error {
	if to.dir != nil {
		if err := to.write(p, nil, found, o, *to); err != nil {
			return err
		}
		return to.dir.Commit()
	}
	if to.part == nil {
		return p.write(func(w io.Writer) error { return to.write(p, w, found, o, *to) })
	}
	if err := to.write(p, to.part, found, o, *to); err != nil {
		return err
	}
	return to.part.Commit()
}
