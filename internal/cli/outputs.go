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

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/destination"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/html"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/visible"
)

// format is an output format.
type format struct {
	name   string
	lives  bool // it needs the CRs, and cannot be written from a saved report
	folder bool // it is a folder of files
}

// overridesFormat is the format that accepts findings.
const overridesFormat = "overrides"

// allFormats returns all formats of a comparison. The first one is the default.
func allFormats() []format {
	return []format{
		{name: "text"}, {name: "json"}, {name: "yaml"}, {name: "diff"}, {name: "html"}, {name: "csv"},
		{name: "github"}, {name: "gitlab"}, {name: "markdown"}, {name: "sarif"}, {name: "junit"}, {name: "fix", lives: true, folder: true},
		{name: overridesFormat, lives: true},
	}
}

// needs returns what a format needs from each CR in addition to the differences.
func (o *options) needs(name string) diff.Show {
	show := diff.Show{
		Secrets:  o.showSecrets,
		Expected: o.showExpected,
		Accepted: o.showOverridden,
		Context:  o.context,
		Full:     o.full,
	}
	switch name {
	case "text":
		show.Brief = true
		show.Lines = !o.screen.Summary
		show.Longest = cmp.Or(o.limits.Count("line"), visible.DefaultLongest)
	case "json", "yaml":
		show.Lines = show.Full
	case "diff":
		show.Lines = true
		show.Varying = true
	case "html", "markdown":
		show.Lines = true
	case overridesFormat:
		show.NoValues = true
	}
	return show
}

// writeFormat writes a report in a format.
func (p *program) writeFormat(w io.Writer, found *finding.Report, o *options, to output) error {
	switch to.name {
	case "json":
		return formats.JSON(w, o.extent().Of(found))
	case "yaml":
		return formats.YAML(w, o.extent().Of(found))
	case "diff":
		return formats.Diff(w, found, o.context)
	case "html":
		how := finding.Grouping{
			Filter: o.screen.Filter,
			Single: o.screen.NoGroup,
			Alike:  !found.FailOn.Has(finding.FailOnExtra),
		}
		return html.Write(w, found, html.Options{Grouping: how, Context: o.context, Fold: o.fold()})
	case "csv":
		return formats.CSV(w, found)
	case "github":
		return formats.GitHub(w, found, workingFolder())
	case "gitlab":
		return formats.GitLab(w, found, workingFolder())
	case "markdown":
		return formats.Markdown(w, found, o.fold())
	case "sarif":
		return formats.SARIF(w, found, workingFolder())
	case "junit":
		return formats.JUnit(w, found)
	case "fix":
		left, err := formats.Fix(to.dir.Write, found, formats.FixOptions{Command: p.name})
		for _, one := range left {
			p.notice(one.Code, "fix: "+one.Message)
		}
		return err
	case overridesFormat:
		patch.Twins(found.Runs)
		p.warnUnaccepted(found)
		o.accept.Command = p.name
		return formats.Overrides(w, found, o.accept)
	}
	opt := p.textOptions(o, p.io.Out)
	opt.Fold = o.fold()
	opt.Digest = to.digest
	if to.file != "" { // a file must not depend on the terminal
		opt.Width = o.screen.Width
		opt.Color = o.color == "always"
	}
	return text.Report(w, found, opt)
}

// workingFolder returns the folder to which file names in SARIF and annotations are relative, which
// is the repository in a workflow; "" if it is unknown.
func workingFolder() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// formatNames returns the names of all formats, or of the formats for saved reports.
func formatNames(saved bool) (names []string) {
	for _, f := range allFormats() {
		if !saved || !f.lives {
			names = append(names, f.name)
		}
	}
	return names
}

// output is a destination of a report in one format.
type output struct {
	format
	file string              // file name; "" for standard output
	adds bool                // append to the file
	part *destination.File   // the file while it is written
	dir  *destination.Folder // the folder of a format that writes a folder

	digest bool // print only the verdict and the overview, because all formats go to files
}

// parseOutputs reads the values of --output: FORMAT, FORMAT=FILE, or FORMAT+=FILE, which appends.
// The default is text. If all formats go to files, the verdict and the overview are printed too,
// unless quiet.
func parseOutputs(values, known []string, quiet bool) ([]output, error) {
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
		i := slices.IndexFunc(allFormats(), func(f format) bool { return f.name == name })
		switch {
		case i >= 0 && adds && allFormats()[i].folder:
			return nil, fmt.Errorf(
				"%s writes a folder, which += cannot append to; name a new or empty one, as in %s=DIR",
				name,
				name,
			)
		case i < 0:
			return nil, fmt.Errorf("%q is not a format; it can be %s", name, code.Enumerate(formatNames(false), "or"))
		case known != nil && !slices.Contains(known, name):
			return nil, fmt.Errorf(
				"%s needs the CRs, which a saved report does not have; use it with a comparison",
				name,
			)
		case toFile && file == "":
			return nil, fmt.Errorf("%s needs the name of a file", value)
		case allFormats()[i].folder && !toFile:
			return nil, fmt.Errorf("%s writes a folder; name a new or empty one, as in %s=DIR", name, name)
		case slices.ContainsFunc(all, func(o output) bool { return filepath.Clean(o.file) == filepath.Clean(file) }):
			return nil, fmt.Errorf(
				"%q: two formats cannot have the same target; name a file for one of them, as in json=report.json",
				value,
			)
		}
		all = append(all, output{format: allFormats()[i], file: file, adds: adds})
	}
	if !quiet && !slices.ContainsFunc(all, func(o output) bool { return o.file == "" }) {
		all = append(all, output{format: allFormats()[0], digest: true})
	}
	return all, nil
}

// extent returns how much JSON and YAML documents contain.
func (o *options) extent() formats.Extent {
	return formats.Extent{Lines: o.full, Unmatched: o.full || o.screen.Verbose || o.allResources}
}

// fold returns the folding for formats that do not show all lines, if another format needs all
// lines; else nil.
func (o *options) fold() *diff.Folding {
	if show := o.shown(); o.full || !show.Full && !show.Varying {
		return nil
	}
	return &diff.Folding{Context: o.context, Expected: o.showExpected}
}

// writes reports whether a format is requested.
func (o *options) writes(name string) bool {
	return slices.ContainsFunc(o.outputs, func(to output) bool { return to.name == name && !to.digest })
}

// shown returns what the requested formats together need from each CR.
func (o *options) shown() diff.Show {
	var all diff.Show
	for i, to := range o.outputs {
		show := o.needs(to.name)
		show.Lines = show.Lines && !to.digest
		if i == 0 {
			all = show
			continue
		}
		all.NoValues = all.NoValues && show.NoValues
		all.Brief = all.Brief && show.Brief
		all.Lines = all.Lines || show.Lines
		all.Full = all.Full || show.Full
		all.Varying = all.Varying || show.Varying
		all.Longest = max(all.Longest, show.Longest) * min(all.Longest, show.Longest, 1) // 0 is no limit
	}
	all.NoValues = all.NoValues && o.impact == nil &&
		o.baseline == nil // impact rules and baselines look at single differences
	all.Brief = all.Brief && o.baseline == nil
	kept := slices.ContainsFunc(o.outputs, func(to output) bool { return to.lives })
	all.Secrets = all.Secrets && !kept // written CRs are stored and used
	return all
}

// openOutputs opens the files before the comparison, so that errors appear early. The function that
// it returns removes unfinished files.
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

// report writes the findings in all formats and sets the exit status.
func (p *program) report(found *finding.Report, o *options) error {
	p.watch.Writing()
	p.status = found.ExitStatus
	var failed []error
	written := ""
	for i := range o.outputs {
		to := &o.outputs[i]
		if to.file != "" {
			written += to.name + " written to " + visible.Line(to.file) + "\n"
		}
		if err := p.writeOutput(found, o, to); err != nil && !isClosedPipe(err) {
			failed = append(failed, fmt.Errorf("%s: the report could not be written: %w", code.OutputFailed, err))
		}
	}
	if o.outputs[len(o.outputs)-1].digest && failed == nil {
		failed = append(failed, p.say(written))
	}
	for _, i := range o.screen.Filter.Idle(found.Runs) {
		p.notice(
			code.SelectorIdle,
			"--cr "+o.crs[i]+": it matches no compared or missing CR; the verdict covers all CRs",
		)
	}
	return errors.Join(failed...)
}

// writeOutput writes a report to one destination.
func (p *program) writeOutput(found *finding.Report, o *options, to *output) error {
	if to.dir != nil {
		if err := p.writeFormat(nil, found, o, *to); err != nil {
			return err
		}
		return to.dir.Commit()
	}
	if to.part == nil {
		return p.write(func(w io.Writer) error { return p.writeFormat(w, found, o, *to) })
	}
	if err := p.writeFormat(to.part, found, o, *to); err != nil {
		return err
	}
	return to.part.Commit()
}
