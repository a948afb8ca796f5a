package cli

import (
	"cmp"
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

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/destination"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/fixture"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// testOptions are the options of reference test.
type testOptions struct {
	*options
	update bool
	only   string // a glob that selects fixtures
}

// testCommand returns the command reference test.
func (p *program) testCommand() *cli.Command {
	o := &testOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.test(ctx, o) }, &cli.Command{
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
  validationTool reference test reference
  validationTool reference test --run tuning reference

Exit status:
  0  all results are as expected, or were written
  1  a result is not as expected
  2  bad usage, an invalid reference, or a fixture that cannot be compared`,
		Flags: append(
			o.flags("limit"), o.formatFlag("the results", "text", "json", "junit"),
			&cli.BoolFlag{
				Name: "update", Category: often, Destination: &o.update,
				Usage: "write the results into the expect.yaml of each fixture that differs",
			},
			&cli.StringFlag{
				Name: "run", Category: often, Destination: &o.only,
				Usage: "run only fixtures with names matching `GLOB`, or cases with NAME/CASE",
			},
		),
	})
}

// test compares the fixtures of a reference and prints the result.
func (p *program) test(ctx context.Context, o *testOptions) error {
	ref, engine, err := p.loadOneReference(ctx, o.options)
	if err != nil {
		return err
	}
	found, err := p.testReference(ctx, o, ref, engine)
	if err != nil {
		return err
	}
	p.status = found.ExitStatus
	ctx = context.WithoutCancel(ctx) // fixtures that were not compared are reported as such
	return p.answer(ctx, o.options, "the answer", found, func(w io.Writer) error {
		if o.format == "junit" {
			return formats.JUnitFixtures(w, found)
		}
		return found.Text(w, p.name)
	})
}

// testReference compares the fixtures of a reference.
func (p *program) testReference(
	ctx context.Context, o *testOptions, ref *refconfig.Reference, engine *render.Engine,
) (*fixture.Document, error) {
	t := &tester{
		p:      p,
		o:      o,
		ref:    ref,
		engine: engine,
		root:   filepath.ToSlash(folderOf(ref)),
		record: fixture.NewRecord(),
	}
	names, err := t.names()
	if err != nil {
		return nil, err
	}
	found := &fixture.Document{Tool: p.tool()}
	for _, name := range names {
		found.Fixtures = append(found.Fixtures, t.results(ctx, name)...)
	}
	if len(found.Fixtures) == 0 {
		return nil, t.noFixture()
	}
	found.Coverage = t.record.Coverage(ref, engine)
	found.Conclude(ref)
	return found, nil
}

// folderOf returns the folder of a reference.
func folderOf(ref *refconfig.Reference) string {
	if ref.Metadata != "" {
		return filepath.Dir(ref.Metadata)
	}
	if info, err := os.Stat(ref.Path); err == nil && !info.IsDir() {
		return filepath.Dir(ref.Path)
	}
	return ref.Path
}

// tester compares the fixtures of one reference.
type tester struct {
	p      *program
	o      *testOptions
	ref    *refconfig.Reference
	engine *render.Engine
	root   string // the reference's folder
	record *fixture.Record

	wanted *compare.Wanted // for the last fixture without manual pairs and overrides
	as     string          // the options of that fixture
}

// wants returns which content of a fixture's input is needed. It is computed once for fixtures with
// the same options.
func (t *tester) wants(
	o *options, ref *refconfig.Reference, only string, opt compare.Options,
) *compare.Wanted {
	as := fmt.Sprintf("%q %q %v %q %v", o.components, o.skipComponents, opt.Nearest, only, opt.Validate)
	own := len(opt.Manual)+len(opt.Overrides) > 0
	if !own && t.as == as {
		return t.wanted
	}
	wanted := compare.Wants(ref, t.engine, opt)
	if !own {
		t.wanted, t.as = wanted, as
	}
	return wanted
}

// names returns the sorted names of the selected fixtures. A folder with neither an expectation nor
// an input is not a fixture.
func (t *tester) names() ([]string, error) {
	if _, err := path.Match(t.o.only, ""); err != nil {
		return nil, t.p.usageError("--run %q is not a valid glob: %s", t.o.only, err)
	}
	entries, err := os.ReadDir(joinPath(t.root, refconfig.FixturesFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the fixtures cannot be read: %w", code.FixtureNone, err)
	}
	var names []string
	glob, _, _ := strings.Cut(t.o.only, "/")
	for _, e := range entries {
		name := e.Name()
		wanted, _ := path.Match(glob, name)
		_, err := os.Stat(joinPath(t.folder(name), refconfig.ExpectationFile))
		if (wanted || glob == "") && (err == nil || len(t.inputs(t.folder(name))) > 0) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, t.noFixture()
	}
	return names, nil
}

// noFixture returns the error for a reference without selected fixtures.
func (t *tester) noFixture() error {
	folder := joinPath(t.root, refconfig.FixturesFolder)
	return fmt.Errorf(
		"%s: %s: there is no fixture%s; make a folder %s with an input and an empty %s, and run the command with --update",
		code.FixtureNone,
		folder,
		strings.TrimSuffix(" like "+t.o.only, " like "),
		joinPath(folder, "NAME"),
		refconfig.ExpectationFile,
	)
}

// joinPath returns a path with slashes, as in reports.
func joinPath(elements ...string) string { return filepath.ToSlash(filepath.Join(elements...)) }

// folder returns the folder of a fixture.
func (t *tester) folder(name string) string {
	return joinPath(t.root, refconfig.FixturesFolder, name)
}

// inputs returns the inputs of a fixture: all files and folders called input, with any suffix.
func (t *tester) inputs(folder string) []string {
	entries, _ := os.ReadDir(folder) // without entries there is no input
	var all []string
	for _, e := range entries {
		if base, _, _ := strings.Cut(e.Name(), "."); base == "input" {
			all = append(all, joinPath(folder, e.Name()))
		}
	}
	return all
}

// results compares a fixture, or each of its selected cases.
func (t *tester) results(ctx context.Context, name string) []fixture.Result {
	file := joinPath(t.folder(name), refconfig.ExpectationFile)
	text, expected, err := t.expected(file)
	if err != nil || len(expected.Cases) == 0 {
		if _, glob, ofCases := strings.Cut(t.o.only, "/"); ofCases && glob != "" && err == nil {
			return nil
		}
		return []fixture.Result{t.result(ctx, name, file, text, expected, err)}
	}
	var all []fixture.Result
	for _, c := range expected.Cases {
		full := name + "/" + c.Name
		if wanted, _ := path.Match(t.o.only, full); wanted || !strings.Contains(t.o.only, "/") {
			r := t.result(ctx, name, file, text, c, nil)
			r.Name = full
			all = append(all, r)
		}
	}
	return all
}

// result compares a fixture or case, unless err says why that is impossible.
func (t *tester) result(
	ctx context.Context, name, file string, text []byte, expected fixture.Expectation, err error,
) (r fixture.Result) {
	if err == nil {
		r, err = t.compare(ctx, name, file, text, expected)
	}
	r.Name, r.File = name, file
	if err != nil {
		r.State, r.Errors = fixture.Failed, strings.Split(err.Error(), "\n")
	}
	return r
}

// compare compares a fixture or case and returns the result.
func (t *tester) compare(
	ctx context.Context, name, file string, text []byte, expected fixture.Expectation,
) (r fixture.Result, err error) {
	folder := t.folder(name)
	ref := t.ref
	if expected.Template != "" {
		only := t.ref.Template(expected.Template)
		if only == nil {
			_, err := t.ref.SelectTemplates([]string{expected.Template})
			return r, fmt.Errorf("%s: %s:%d: %w", code.FixtureBroken, file, expected.Line("template"), err)
		}
		ref = t.ref.Only(only)
	}
	o, err := t.options(ctx, folder, expected)
	if err != nil {
		return r, err
	}
	run, err := t.run(ctx, o, ref, expected.Template)
	if err != nil {
		return r, err
	}
	t.record.Run(run)
	found := fixture.Found(run, folder)
	r.Verdict, r.State = found.Verdict, fixture.Unchanged
	differences := fixture.Differences(expected, found)
	if len(differences) == 0 {
		return r, nil
	}
	if !expected.Empty() {
		r.Differences = differences
	}
	if r.State = fixture.Differing; t.o.update && expected.Written() {
		r.State, err = fixture.Written, t.write(file, found, found.Text(text))
	}
	return r, err
}

// expected reads the expectation of a fixture.
func (t *tester) expected(file string) (text []byte, e fixture.Expectation, err error) {
	if err := t.isInside(file); err != nil {
		return nil, e, err
	}
	text, err = readWritten(file, t.o.limits)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew && t.ref.Format != refconfig.Annotations && t.o.update {
		return nil, e, nil
	}
	if isNew {
		return nil, e, fmt.Errorf(
			"%s: %s: the file does not exist, so the folder is not a fixture yet; create the file empty, and run the command with --update",
			code.FixtureIncomplete,
			file,
		)
	}
	if err != nil {
		return nil, e, fmt.Errorf("%s: the expectation cannot be read: %w", code.FixtureBroken, err)
	}
	e, problems := fixture.Parse(file, text, cmp.Or(t.o.limits.Count("aliases"), refconfig.DefaultAliasLimit))
	switch {
	case len(problems) > 0:
		return nil, e, refconfig.Faults{What: "the expectation cannot be used", Problems: problems}
	case e.Empty() && !t.o.update:
		return nil, e, fmt.Errorf(
			"%s: %s: nothing is expected yet; run the command with --update, and check the result",
			code.FixtureIncomplete,
			file,
		)
	}
	return text, e, nil
}

// options returns the options for the comparison of a fixture.
func (t *tester) options(ctx context.Context, folder string, expected fixture.Expectation) (*options, error) {
	o := t.p.newOptions()
	o.read.Inputs, o.screen.Verbose = t.inputs(folder), true
	if len(expected.Inputs) > 0 {
		o.read.Inputs = nil
		for _, name := range expected.Inputs {
			o.read.Inputs = append(o.read.Inputs, joinPath(folder, name))
		}
	}
	if len(o.read.Inputs) == 0 {
		return nil, fmt.Errorf(
			"%s: %s: the fixture has no input; put CRs into %s",
			code.FixtureIncomplete,
			folder,
			joinPath(folder, "input"),
		)
	}
	known := t.p.app()
	known.Flags = o.flags(
		"all-resources", "cluster", "component", "correlation", "crds", "diff-config", "impact", "join", "nested", "old",
		"overrides", "placeholders", "skip-component", "skip-unreadable", "validate",
	)
	known.Action = func(*cli.Context) error { return o.Validate() }
	known.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return err }
	line, err := arrange(known.Flags, expected.Options)
	if err == nil {
		err = known.RunContext(ctx, slices.Concat([]string{known.Name}, line.options, []string{"--"}))
	}
	if err != nil {
		return nil, fmt.Errorf(
			"%s: %s:%d: the options cannot be used: %w",
			code.FixtureBroken,
			joinPath(folder, refconfig.ExpectationFile),
			expected.Line("options"),
			err,
		)
	}
	files := []*string{}
	for _, list := range [][]string{o.overrides, o.impactFiles, o.crds, o.old} {
		for i := range list {
			files = append(files, &list[i])
		}
	}
	if o.diffConfig != "" {
		files = append(files, &o.diffConfig)
	}
	for _, file := range files {
		*file = joinPath(folder, *file)
		if err := t.isInside(*file); err != nil {
			return nil, err
		}
	}
	for _, file := range o.read.Inputs {
		if err := t.isInside(file); err != nil {
			return nil, err
		}
	}
	o.impact, err = readImpact(o.impactFiles, o.limits)
	return o, err
}

// isInside returns an error for a file outside the reference's folder, by its name or a link, and
// for a dangling link.
func (t *tester) isInside(file string) error {
	root, err := filepath.EvalSymlinks(t.root)
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
			t.root,
		)
	}
	return nil
}

// run compares the input of a fixture with a reference, or with one of its templates. Overrides do
// not expire, so that the result does not depend on the day.
func (t *tester) run(
	ctx context.Context, o *options, ref *refconfig.Reference, only string,
) (*finding.Run, error) {
	opt, err := t.p.comparison(o, t.ref)
	if err != nil {
		return nil, err
	}
	if only != "" { // the template's component is compared whatever the options select
		opt.Keep, opt.LeftOut, opt.Chosen = nil, nil, nil
	}
	if err = t.p.validation(ctx, o, t.ref, t.engine, &opt); err != nil {
		return nil, err
	}
	if err = t.p.readOld(ctx, o, t.ref, t.engine, &opt); err != nil {
		return nil, err
	}
	opt.Today, opt.Reached, opt.Wanted = "", t.record.Execution, t.wants(o, ref, only, opt)
	runs, err := t.p.runs(ctx, o, t.p.read(ctx, t.p.inputs(o)), o.comparer(ref, t.engine, opt))
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
	read, problems := fixture.Parse(
		file, []byte(text), cmp.Or(t.o.limits.Count("aliases"), refconfig.DefaultAliasLimit),
	)
	if len(problems)+len(fixture.Differences(read, meant)) > 0 {
		return fmt.Errorf(
			"%s: %s: the results cannot be written after the options; delete everything else, and run the command again",
			code.FixtureBroken,
			file,
		)
	}
	if err := destination.WriteFile(file, []byte(text)); err != nil {
		return fmt.Errorf("%s: %w", code.OutputFailed, err)
	}
	return nil
}
