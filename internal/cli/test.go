package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/fixture"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// testOptions are the options of reference test.
type testOptions struct {
	base
	format string
	only   string // a glob that selects fixtures
	update bool
}

// testCommand returns the command reference test.
func (p *program) testCommand() *cli.Command {
	o := &testOptions{}
	return command(p, o, p.test, &cli.Command{
		Name: "test", ArgsUsage: "REFERENCE",
		Usage: "run the fixtures of a reference, and report which fail",
		Description: `A fixture is a folder tests/NAME next to the metadata file, or in the folder of
a reference without metadata. It has an input, which is a folder, file or
archive called input with any suffix, and an expect.yaml with the verdict and
all findings. Start with an empty expect.yaml and --update. Or write only the
findings that must occur, for the input or for several cases.

It also lists templates, branches of templates and rules that no fixture
reaches.

  REFERENCE  folder with metadata.yaml, or folder of CRs or templates

Examples:
  validationTool test reference
  validationTool test --run tuning reference

Exit status:
  0  all results are as expected, or were written
  1  a result is not as expected
  2  bad usage, an invalid reference, or a fixture that cannot be compared`,
		Flags: []cli.Flag{
			p.limitFlag(), formatFlag(&o.format, "the results", "text", "json", "junit"),
			toggle("update", often, &o.update,
				"write the results into the expect.yaml of each fixture that differs"),
			option("run", often, one(&o.only),
				"run only fixtures with names matching `GLOB`, or cases with NAME/CASE"),
		},
	})
}

// Validate implements options.
func (o *testOptions) Validate(args []string) error {
	if _, err := path.Match(o.only, ""); err != nil {
		return fmt.Errorf("--run %q is not a valid glob: %w", o.only, err)
	}
	return o.base.Validate(args)
}

// test compares the fixtures of a reference and prints the result.
func (p *program) test(ctx context.Context, o *testOptions) error {
	ref, engine, err := p.loadReference(ctx, o.args[0])
	if err != nil {
		return err
	}
	t := &tester{p: p, o: o, ref: ref, engine: engine, root: fixturesOf(ref), record: fixture.NewRecord()}
	found, err := t.test(ctx)
	if err != nil {
		return err
	}
	p.status = found.ExitStatus
	ctx = context.WithoutCancel(ctx) // the result reports fixtures that were not compared
	return p.answer(ctx, o.format, "the answer", found, func(w io.Writer) error {
		if o.format == "junit" {
			return formats.JUnitFixtures(w, found)
		}
		return found.Text(w, p.name)
	})
}

// tester compares the fixtures of one reference.
type tester struct {
	p      *program
	o      *testOptions
	ref    *refconfig.Reference
	engine *render.Engine
	root   string // the folder of the fixtures
	record *fixture.Record
	wanted *compare.Wanted // the content of CRs that fixtures without options need; nil until it is known
}

// test compares the selected fixtures.
func (t *tester) test(ctx context.Context) (*fixture.Document, error) {
	entries, err := os.ReadDir(t.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the fixtures cannot be read: %w", code.FixtureNone, err)
	}
	found := &fixture.Document{Tool: t.p.tool()}
	glob, ofCases, _ := strings.Cut(t.o.only, "/")
	for _, e := range entries {
		f := oneFixture{name: e.Name(), folder: joinPath(t.root, e.Name())}
		f.file = joinPath(f.folder, refconfig.ExpectationFile)
		f.inputs = inputsIn(f.folder)
		if len(f.inputs) == 0 && !isThere(f.file) || !selected(glob, e.Name()) {
			continue
		}
		err := t.expect(ctx, &f)
		if err != nil || len(f.expected.Cases) == 0 && ofCases == "" {
			found.Fixtures = append(found.Fixtures, t.result(ctx, f, err))
			continue
		}
		for _, c := range f.expected.Cases {
			if selected(ofCases, c.Name) {
				f.name = e.Name() + "/" + c.Name
				f.expected = c
				found.Fixtures = append(found.Fixtures, t.result(ctx, f, nil))
			}
		}
	}
	if len(found.Fixtures) == 0 {
		return nil, fmt.Errorf(
			"%s: %s: there is no fixture%s; make a folder %s with an input and an empty %s, and run the command with --update",
			code.FixtureNone,
			t.root,
			finding.Prefixed(" like ", t.o.only),
			joinPath(t.root, "NAME"),
			refconfig.ExpectationFile,
		)
	}
	found.Coverage = t.record.Coverage(t.ref, t.engine)
	found.Conclude(t.ref)
	return found, nil
}

// selected reports whether a glob matches a name; "" matches every name.
func selected(glob, name string) bool {
	matches, _ := path.Match(glob, name) // Validate has rejected invalid globs
	return matches || glob == ""
}

// fixturesOf returns the folder with the fixtures of a reference.
func fixturesOf(ref *refconfig.Reference) string {
	folder := ref.Path
	info, err := os.Stat(folder)
	switch {
	case ref.Metadata != "":
		folder = filepath.Dir(ref.Metadata)
	case err == nil && !info.IsDir():
		folder = filepath.Dir(folder)
	}
	return joinPath(folder, refconfig.FixturesFolder)
}

// joinPath joins elements to a path with slashes, as in reports.
func joinPath(elements ...string) string { return filepath.ToSlash(filepath.Join(elements...)) }

// oneFixture is a fixture, or one of its cases.
type oneFixture struct {
	name, folder string
	inputs       []string
	file         string // the file of the expectation
	text         []byte // its content
	expected     fixture.Expectation
}

// inputsIn returns the inputs of a fixture: all files and folders called input, with any suffix.
func inputsIn(folder string) (all []string) {
	entries, _ := os.ReadDir(folder) // if there are no entries, there is no input
	for _, e := range entries {
		if base, _, _ := strings.Cut(e.Name(), "."); base == "input" {
			all = append(all, joinPath(folder, e.Name()))
		}
	}
	return all
}

// result returns the result for a fixture or a case. It compares the fixture unless err is set, the
// reason why it cannot be compared.
func (t *tester) result(ctx context.Context, f oneFixture, err error) (r fixture.Result) {
	if err == nil {
		r, err = t.compare(ctx, f)
	}
	r.Name = f.name
	r.File = f.file
	if err != nil {
		r.State = fixture.Failed
		r.Errors = strings.Split(err.Error(), "\n")
	}
	return r
}

// compare compares a fixture or case and returns the result.
func (t *tester) compare(ctx context.Context, f oneFixture) (r fixture.Result, err error) {
	ref := t.ref
	if f.expected.Template != "" {
		only := t.ref.Template(f.expected.Template)
		if only == nil {
			_, err := t.ref.SelectTemplates([]string{f.expected.Template})
			return r, fmt.Errorf("%s: %s:%d: %w", code.FixtureBroken, f.file, f.expected.Line("template"), err)
		}
		ref = t.ref.Only(only)
	}
	o, err := t.options(ctx, f)
	if err != nil {
		return r, err
	}
	run, err := t.run(ctx, o, ref, ref == t.ref && len(f.expected.Options) == 0)
	if err != nil {
		return r, err
	}
	t.record.Run(run)
	found := fixture.Found(run, f.folder)
	r.Verdict = found.Verdict
	r.State = fixture.Unchanged
	differences := fixture.Differences(f.expected, found)
	if len(differences) == 0 {
		return r, nil
	}
	r.State = fixture.Differing
	if !f.expected.Empty() {
		r.Differences = differences
	}
	if t.o.update && f.expected.Written() {
		r.State = fixture.Written
		err = t.write(f.file, found, found.Text(f.text))
	}
	return r, err
}

// expect reads the expectation of a fixture.
func (t *tester) expect(ctx context.Context, f *oneFixture) error {
	err := t.isInside(f.file)
	if err != nil {
		return err
	}
	f.text, err = t.p.limits.readWritten(ctx, f.file)
	switch isNew := errors.Is(err, fs.ErrNotExist); {
	case isNew && t.ref.Format != refconfig.Annotations && t.o.update:
		return nil
	case isNew:
		return fmt.Errorf(
			"%s: %s: the file does not exist, so the folder is not a fixture yet; create the file empty, and run the command with --update",
			code.FixtureIncomplete,
			f.file,
		)
	case err != nil:
		return fmt.Errorf("%s: the expectation cannot be read: %w", code.FixtureBroken, err)
	}
	var problems []refconfig.Problem
	f.expected, problems = fixture.Parse(f.file, f.text, t.p.limits.Aliases())
	switch {
	case len(problems) > 0:
		return refconfig.Faults{What: "the expectation cannot be used", Problems: problems}
	case f.expected.Empty() && !t.o.update:
		return fmt.Errorf(
			"%s: %s: nothing is expected yet; run the command with --update, and check the result",
			code.FixtureIncomplete,
			f.file,
		)
	}
	return nil
}

// options returns the options for the comparison of a fixture.
func (t *tester) options(ctx context.Context, f oneFixture) (*comparing, error) {
	o := &comparing{}
	flags := only(append(o.flags(), o.countingFlags()...), []string{
		"all-resources", "cluster", "component", "correlation", "crds", "diff-config", "impact", "join", "nested", "old",
		"overrides", "placeholders", "skip-component", "skip-unreadable", "validate",
	})
	if err := parse(ctx, flags, f.expected.Options); err != nil {
		return nil, fmt.Errorf(
			"%s: %s:%d: the options cannot be used: %w", code.FixtureBroken, f.file, f.expected.Line("options"), err,
		)
	}
	inside := func(names []string) []string {
		all := slices.Clone(names)
		for i, name := range all {
			all[i] = joinPath(f.folder, name)
		}
		return all
	}
	o.read.Inputs = f.inputs
	if len(f.expected.Inputs) > 0 {
		o.read.Inputs = inside(f.expected.Inputs)
	}
	if len(o.read.Inputs) == 0 {
		return nil, fmt.Errorf(
			"%s: %s: the fixture has no input; put CRs into %s", code.FixtureIncomplete, f.folder, joinPath(f.folder, "input"),
		)
	}
	files := slices.Clone(o.read.Inputs)
	for _, names := range []*[]string{&o.overrides, &o.impactFiles, &o.crds, &o.old} {
		*names = inside(*names)
		files = append(files, *names...)
	}
	if o.diffConfig != "" {
		o.diffConfig = joinPath(f.folder, o.diffConfig)
		files = append(files, o.diffConfig)
	}
	for _, file := range files {
		if err := t.isInside(file); err != nil {
			return nil, err
		}
	}
	t.p.use(o)
	var err error
	o.impact, err = t.p.limits.readImpact(ctx, o.impactFiles)
	return o, err
}

// parse sets options from the words of a command line without arguments.
func parse(ctx context.Context, flags []cli.Flag, words []string) error {
	words, _, err := front(flags, words)
	if err != nil {
		return err
	}
	app := &cli.App{
		Flags: flags, HideHelp: true, Writer: io.Discard, ExitErrHandler: func(*cli.Context, error) {},
		Action: func(*cli.Context) error { return check(flags) },
	}
	return app.RunContext(ctx, append([]string{finding.ToolName}, words...))
}

// isInside returns an error if the name of a file or a link leads outside the reference's folder,
// and for a dangling link.
func (t *tester) isInside(file string) error {
	root, err := filepath.EvalSymlinks(path.Dir(t.root))
	if err != nil {
		return err
	}
	name, err := filepath.EvalSymlinks(file)
	if _, there := os.Lstat(file); err != nil && there != nil {
		return nil // the file does not exist; reading reports that
	}
	if err == nil {
		name, err = filepath.Rel(root, name)
	}
	if err != nil || !filepath.IsLocal(name) {
		return fmt.Errorf(
			"%s: %s: the path leaves the reference; all files of a fixture must be in the folder %s",
			code.RefPathOutside,
			file,
			path.Dir(t.root),
		)
	}
	return nil
}

// run compares the input of a fixture with a reference, or with one of its templates. Overrides do
// not expire, so that the result does not depend on the day. usual is true for a fixture without
// options.
func (t *tester) run(ctx context.Context, o *comparing, ref *refconfig.Reference, usual bool) (*finding.Run, error) {
	opt, err := t.p.comparison(ctx, o, t.ref)
	if err != nil {
		return nil, err
	}
	if ref != t.ref { // the options do not select components: the template is always compared
		opt.Keep = nil
		opt.LeftOut = nil
		opt.Chosen = nil
	}
	opt.Today = ""
	opt.Reached = t.record.Execution
	if usual {
		opt.Wanted = t.wanted
	}
	l := plan{ref: ref, engine: t.engine, opt: opt}
	if err := t.p.readMore(ctx, o, &l); err != nil {
		return nil, err
	}
	if usual {
		t.wanted = l.opt.Wanted
	}
	runs, err := t.p.runs(ctx, t.p.read(ctx, o.read), l.comparer())
	o.impact.rate(ctx, runs)
	switch {
	case err != nil:
		return nil, err
	case len(runs) > 1:
		return nil, fmt.Errorf(
			"%s: %s: the input is of %d clusters; make a fixture for each, or name one with the option cluster",
			code.FixtureClusters,
			quoted(o.read.Inputs),
			len(runs),
		)
	case runs[0].Interrupted:
		return nil, watch.Cause(ctx)
	}
	return runs[0], nil
}

// write writes an expectation, after checking that it can be read back.
func (t *tester) write(file string, meant fixture.Expectation, text string) error {
	read, problems := fixture.Parse(file, []byte(text), t.p.limits.Aliases())
	if len(problems)+len(fixture.Differences(read, meant)) > 0 {
		return fmt.Errorf(
			"%s: %s: the results cannot be written after the options; delete everything else, and run the command again",
			code.FixtureBroken,
			file,
		)
	}
	if err := destination.WriteFile(file, []byte(text), &t.p.inUse); err != nil {
		return fmt.Errorf("%s: %w", outputCode(err, code.OutputFailed), err)
	}
	return nil
}
