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

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// workingFolder returns the working folder: file names in SARIF, GitLab issues and annotations are
// relative to it. In a workflow it is the repository. workingFolder returns "" if it is unknown.
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
		if !saved || !f.needsCRs {
			names = append(names, f.name)
		}
	}
	return names
}

// output is a destination of a report in one format.
type output struct {
	format
	file string     // file name; "" for standard output
	adds bool       // append to the file
	made unfinished // the open file, or the folder of a format that writes one; nil for standard output

	digest bool // print only the verdict and the overview, because all formats go to files
}

// unfinished is a file or a folder that is being written.
type unfinished interface {
	Commit() error
	Drop()
}

// addOutput reads a value of --output: FORMAT, FORMAT=FILE, or FORMAT+=FILE, which appends. The file
// "-" is standard output, as its device is.
func (o *reporting) addOutput(value string) error {
	name, file, toFile := strings.Cut(value, "=")
	adds := false
	if toFile {
		name, adds = strings.CutSuffix(name, "+")
	}
	if file == stdin || slices.Contains([]string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, file) {
		file, adds, toFile = "", false, false
	}
	i := slices.IndexFunc(allFormats(), func(f format) bool { return f.name == name })
	if i < 0 {
		return fmt.Errorf("%q is not a format; it can be %s", name, code.Enumerate(o.formats, "or"))
	}
	to := output{format: allFormats()[i], file: file, adds: adds}
	switch {
	case adds && to.whole:
		return fmt.Errorf("%s writes one document a file, which += cannot append to; name a file of its own, as in %s=FILE", name, name)
	case adds && to.folder:
		return fmt.Errorf("%s writes a folder, which += cannot append to; name a new or empty one, as in %s=DIR", name, name)
	case !slices.Contains(o.formats, name):
		return fmt.Errorf("%s needs the CRs, which a saved report does not have; use it with a comparison", name)
	case toFile && file == "":
		return fmt.Errorf("%s needs the name of a file", value)
	case to.folder && !toFile:
		return fmt.Errorf("%s writes a folder; name a new or empty one, as in %s=DIR", name, name)
	}
	for _, other := range o.outputs {
		switch {
		case filepath.Clean(other.file) != filepath.Clean(file):
		case toFile:
			return fmt.Errorf("%s and %s have the same file; name another one for one of them", other, to)
		default:
			return fmt.Errorf("%s and %s both go to standard output; name a file for one of them, as in %s=FILE", other, to, name)
		}
	}
	o.outputs = append(o.outputs, to)
	return nil
}

// String returns the output as a value of --output.
func (to output) String() string {
	return to.name + strings.TrimSuffix("="+to.file, "=")
}

// completeOutputs adds the format text if no other one is requested. If all formats go to files, it
// adds a text with only the verdict and the overview, unless --quiet is set.
func (o *reporting) completeOutputs() {
	toFiles := !slices.ContainsFunc(o.outputs, func(to output) bool { return to.file == "" })
	if digest := len(o.outputs) > 0; !digest || toFiles && !o.quiet {
		o.outputs = append(o.outputs, output{format: allFormats()[0], digest: digest})
	}
}

// fold returns the folding for formats that do not show all lines, if another format needs all
// lines; else nil.
func (p *program) fold(o *reporting) *diff.Folding {
	if show := p.shown(o); o.full || !show.Full && !show.Varying {
		return nil
	}
	return &diff.Folding{Context: o.context, Expected: o.screen.ShowExpected}
}

// writes reports whether a format is requested.
func (o *reporting) writes(name string) bool {
	return slices.ContainsFunc(o.outputs, func(to output) bool { return to.name == name && !to.digest })
}

// shown returns the content of each CR that the requested formats need together.
func (p *program) shown(o *reporting) diff.Show {
	all := diff.Show{
		Secrets:  o.showSecrets,
		Expected: o.screen.ShowExpected,
		Accepted: o.screen.ShowOverridden,
		NoValues: o.baseline == nil, // a comparison with a baseline needs single differences
		Brief:    true,
		Context:  o.context,
		Full:     o.full,
	}
	for _, to := range o.outputs {
		all.Secrets = all.Secrets && !to.needsCRs // the CRs that such a format writes are stored and used
		all.NoValues = all.NoValues && to.name == overridesFormat
		all.Brief = all.Brief && to.name == textFormat
		if to.lines != nil && to.lines(o, to) {
			all.Lines = true
			all.Varying = all.Varying || to.varying
		}
	}
	if all.Brief {
		all.Longest = cmp.Or(p.limits.Count("line"), escape.DefaultLongest)
	}
	all.Brief = all.Brief && o.baseline == nil
	return all
}

// openOutputs opens the files before the comparison, so that errors appear early. The function that
// openOutputs returns removes unfinished files.
func (p *program) openOutputs(outputs []output) (func(), error) {
	drop := func() {
		for _, to := range outputs {
			if to.made != nil {
				to.made.Drop()
			}
		}
	}
	var inFolders, inFiles []*output // folders come first, because no other output may be inside one
	for i := range outputs {
		switch to := &outputs[i]; {
		case to.folder:
			inFolders = append(inFolders, to)
		case to.file != "":
			inFiles = append(inFiles, to)
		}
	}
	var folders []*destination.Folder
	for _, to := range slices.Concat(inFolders, inFiles) {
		if err := p.openOutput(to, folders); err != nil {
			drop()
			return nil, to.refused(err)
		}
		if made, ok := to.made.(*destination.Folder); ok {
			folders = append(folders, made)
		}
	}
	p.removeOnExit(drop)
	return drop, nil
}

// openOutput opens a file, which may be in none of the folders that other outputs fill.
func (p *program) openOutput(to *output, folders []*destination.Folder) error {
	if slices.ContainsFunc(folders, func(d *destination.Folder) bool { return d.Holds(to.file) }) {
		return fmt.Errorf("%s is in a folder that another --output fills; choose a path outside of it", to.file)
	}
	if !to.adds || collector.IsObjectName(filepath.Base(to.file)) {
		if err := p.keep(to.file); err != nil {
			return err
		}
	}
	if to.folder {
		made, err := destination.MakeFolder(to.file)
		if err == nil {
			to.made = made
		}
		return err
	}
	create := destination.Create
	if to.adds {
		create = destination.Append
	}
	made, err := create(to.file, &p.inUse)
	if err != nil {
		return err
	}
	to.made = made
	for _, name := range made.Left {
		p.notice(code.OutputLeft, name+" is unfinished: an earlier run was killed, or another one is writing "+to.file)
	}
	return nil
}

// keep returns an error if an output would replace a file inside an input or a reference that is no
// earlier report: a file that is not read now may still be part of them, such as a kustomization or a
// file of Git.
func (p *program) keep(output string) error {
	real, err := source.RealPath(output)
	if err != nil {
		return nil // there is no file
	}
	for _, at := range p.own.around {
		if !source.IsWithin(real, at.folder) {
			continue
		}
		if isReport, err := beginsLikeReport(output); err != nil || isReport {
			return err
		}
		return destination.NewInUseError(output + " is a file inside " + at.role +
			", and no earlier report; name another file for the output")
	}
	return nil
}

// beginsLikeReport reports whether a regular file begins like a report.
func beginsLikeReport(name string) (bool, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return true, nil // the one who opens it reports that
	}
	head, err := headOf(name)
	return err == nil && formats.IsReport(head), err
}

// headOf returns the beginning of a file, which shows whether the file is a report.
func headOf(name string) ([]byte, error) {
	file, err := disk.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, formats.HeadSize))
}

// checkOutputs returns an error for the first output that the run has begun to use since it was
// opened.
func checkOutputs(outputs []output) error {
	for _, to := range outputs {
		if file, ok := to.made.(*destination.File); ok {
			if err := file.Check(); err != nil {
				return to.refused(err)
			}
		}
	}
	return nil
}

// dropFolders drops the outputs of an interrupted run that are folders: what a part of a run found
// would seem complete in them, and a later run fills only empty folders.
func (p *program) dropFolders(o *reporting) {
	kept := []output{}
	for _, to := range o.outputs {
		if !to.folder {
			kept = append(kept, to)
			continue
		}
		to.made.Drop()
		p.notice(code.Interrupted, to.name+": nothing was written, because the run was interrupted")
	}
	o.outputs = kept
}

// refused returns the error for an output that cannot be written.
func (to output) refused(err error) error {
	return fmt.Errorf("%s: --output %s: %w", outputCode(err, code.OutputFailed), to.name, err)
}

// outputCode returns the code of an error from writing an output: usual, unless the file is in use.
func outputCode(err error, usual code.Code) code.Code {
	if errors.As(err, &destination.InUseError{}) {
		return code.OutputInUse
	}
	return usual
}

// report writes the findings in all formats and sets the exit status, which is 2 if one of them
// cannot be written.
func (p *program) report(found *finding.Report, o *reporting, accept formats.OverrideOptions) error {
	p.watch.Writing()
	w := &writing{found: found, print: p.write, format: func(w io.Writer, to output) error {
		return to.write(p, w, content{found, o, to, accept})
	}}
	names := ""
	for _, to := range o.outputs {
		if to.file != "" {
			names += to.name + " written to " + escape.Line(to.file) + "\n"
		}
	}
	w.all(o.outputs)
	if n := len(o.outputs); n > 0 && o.outputs[n-1].digest && w.failed == nil {
		w.failed = append(w.failed, p.say(names))
	}
	for _, i := range o.screen.Filter.Idle(found.Runs) {
		p.notice(
			code.SelectorIdle,
			"--cr "+o.crs[i]+": it matches no compared or missing CR; the verdict covers all CRs",
		)
	}
	p.status = found.ExitStatus
	return errors.Join(w.failed...)
}

// writing writes a report in several formats. Some contain the exit status, which changes if another
// one cannot be written. So these come last, and get their names when all of them are complete.
type writing struct {
	found  *finding.Report
	print  func(func(io.Writer) error) error // writes to standard output
	format func(io.Writer, output) error
	failed []error
}

// all writes the outputs.
func (w *writing) all(outputs []output) {
	var last []output
	for _, to := range outputs {
		switch {
		case to.status:
			last = append(last, to)
		case w.write(to):
			w.commit(to)
		}
	}
	slices.SortStableFunc(last, func(a, b output) int { // standard output, which cannot be dropped, is the last one
		return cmp.Compare(len(b.file), len(a.file))
	})
	before := w.found.ExitStatus
	for _, to := range last {
		w.write(to)
	}
	for _, to := range last {
		if w.found.ExitStatus == before {
			w.commit(to)
		} else if to.made != nil {
			to.made.Drop()
			w.fail(fmt.Errorf("%s is not written, because the exit status in it would be wrong", to.file))
		}
	}
}

// write writes one output, and reports whether it is complete. A file has no name yet.
func (w *writing) write(to output) (complete bool) {
	var err error
	switch made := to.made.(type) {
	case nil:
		err = w.print(func(out io.Writer) error { return w.format(out, to) })
	case *destination.File:
		if err = w.format(made, to); err == nil {
			err = made.Finish()
		}
	default: // a folder is no stream
		err = w.format(nil, to)
	}
	if err != nil && to.made != nil {
		to.made.Drop()
	}
	w.fail(err)
	return err == nil
}

// commit gives an output its name.
func (w *writing) commit(to output) {
	if to.made != nil {
		w.fail(to.made.Commit())
	}
}

// fail records an error.
func (w *writing) fail(err error) {
	if err != nil {
		w.failed = append(
			w.failed, fmt.Errorf("%s: the report could not be written: %w", outputCode(err, code.OutputFailed), err))
		w.found.ExitStatus = exitUnreliable
	}
}
