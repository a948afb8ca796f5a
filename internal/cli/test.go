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
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/fixture"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// testOptions are the options of test.
type testOptions struct {
	base
	format string
	only   string // a glob that selects fixtures
	update bool
	mutate bool // name the values that nothing checks
}

// testCommand returns the command test.
func (p *program) testCommand() *cli.Command {
	o := &testOptions{}
	return command(p, o, p.test, &cli.Command{
		ArgsUsage: "REFERENCE",
		Usage:     "run the fixtures of a reference, and report which fail",
		Description: `A fixture is a folder tests/NAME next to the metadata file, or in the folder of
a reference without metadata. It has an input, which is a folder, file or
archive called input with any suffix, and an expect.yaml with the verdict and
all findings. Start with an empty expect.yaml and --update. Or write only the
findings that must occur, for the input or for several cases.

It also lists templates, branches of templates and rules that no fixture
reaches. With --mutate, it also names values that nothing checks.

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
			toggle("mutate", often, &o.mutate,
				"change each value of the CRs without findings, and name those whose change no comparison finds"),
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
	t := &tester{p: p, ref: ref, engine: engine, root: fixturesOf(ref), record: fixture.NewRecord()}
	if o.mutate {
		t.mutations = &compare.Mutations{}
	}
	found, err := t.test(ctx, o)
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
	ref    *refconfig.Reference
	engine *render.Engine
	root   string // the folder of the fixtures
	record *fixture.Record
	wanted *compare.Wanted // the content of CRs that fixtures without options need; nil until it is known
	// what comparisons find of changed values; nil if none are changed
	mutations *compare.Mutations
}

// test compares the selected fixtures.
func (t *tester) test(ctx context.Context, o *testOptions) (*fixture.Document, error) {
	folders, err := t.folders()
	if err != nil {
		return nil, err
	}
	took := map[string]time.Duration{}
	found, err := (&fixture.Suite{
		Reference: t.ref, Engine: t.engine, Root: t.root, Folders: folders, Only: o.only, Update: o.update,
		Aliases: t.p.limits.Aliases(), Record: t.record,
		Read: func(file string) ([]byte, error) { return t.read(ctx, file) },
		Compare: func(c fixture.Case, ref *refconfig.Reference) (*finding.Run, error) {
			options, err := t.options(ctx, c)
			if err != nil {
				return nil, err
			}
			start := t.p.now()
			defer func() { took[c.Name] = t.p.now().Sub(start) }()
			return t.run(ctx, options, ref, ref == t.ref && len(c.Expected.Options) == 0)
		},
		Write: t.write,
	}).Test()
	if err != nil {
		return nil, err
	}
	found.Tool = t.p.tool()
	for i := range found.Fixtures {
		found.Fixtures[i].Took = took[found.Fixtures[i].Name]
	}
	if t.mutations != nil {
		found.Mutations = fixture.MutationsOf(t.mutations, t.engine)
	}
	return found, nil
}

// now returns the time, or the zero time if reports have none.
func (p *program) now() time.Time {
	if p.io.Now == nil {
		return time.Time{}
	}
	return p.io.Now()
}

// folders lists the folders that may be fixtures.
func (t *tester) folders() (all []fixture.Folder, err error) {
	entries, err := os.ReadDir(t.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the fixtures cannot be read: %w", code.FixtureNone, err)
	}
	for _, e := range entries {
		folder := joinPath(t.root, e.Name())
		one := fixture.Folder{Name: e.Name(), Expected: isThere(joinPath(folder, refconfig.ExpectationFile))}
		inside, _ := os.ReadDir(folder) // if there are no entries, there is no input
		for _, e := range inside {
			if fixture.IsInput(e.Name()) {
				one.Inputs = append(one.Inputs, joinPath(folder, e.Name()))
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// read reads the file of an expectation.
func (t *tester) read(ctx context.Context, file string) ([]byte, error) {
	if err := t.isInside(file); err != nil {
		return nil, err
	}
	text, err := t.p.limits.readWritten(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%s: the expectation cannot be read: %w", code.FixtureBroken, err)
	}
	return text, nil
}

// write writes the file of an expectation.
func (t *tester) write(file, text string) error {
	if err := destination.WriteFile(file, []byte(text), &t.p.inUse); err != nil {
		return fmt.Errorf("%s: %w", outputCode(err, code.OutputFailed), err)
	}
	return nil
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

// options returns the options for the comparison of a fixture.
func (t *tester) options(ctx context.Context, c fixture.Case) (*comparing, error) {
	o := &comparing{}
	flags := only(append(o.flags(), o.tellingFlags()...), []string{
		"all-resources", "cluster", "component", "correlation", "crds", "diff-config", "impact", "join", "nested", "old",
		"overrides", "placeholders", "skip-component", "skip-unreadable", "validate",
	})
	if err := parse(ctx, flags, c.Expected.Options); err != nil {
		return nil, fmt.Errorf(
			"%s: %s:%d: the options cannot be used: %w", code.FixtureBroken, c.File, c.Expected.Line("options"), err,
		)
	}
	inside := func(names []string) []string {
		all := slices.Clone(names)
		for i, name := range all {
			all[i] = joinPath(c.Folder, name)
		}
		return all
	}
	o.read.Inputs = c.Inputs
	if len(c.Expected.Inputs) > 0 {
		o.read.Inputs = inside(c.Expected.Inputs)
	}
	if len(o.read.Inputs) == 0 {
		return nil, fmt.Errorf(
			"%s: %s: the fixture has no input; put CRs into %s", code.FixtureIncomplete, c.Folder, joinPath(c.Folder, "input"),
		)
	}
	files := slices.Clone(o.read.Inputs)
	for _, names := range []*[]string{&o.overrides, &o.impactFiles, &o.crds, &o.old} {
		*names = inside(*names)
		files = append(files, *names...)
	}
	if o.diffConfig != "" {
		o.diffConfig = joinPath(c.Folder, o.diffConfig)
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
	how := l.comparer()
	if t.mutations != nil {
		how.run = func(ctx context.Context, in cluster.Collected, semaphore *workers.Semaphore) *finding.Run {
			l.opt.Semaphore = semaphore
			run, _ := t.mutations.Run(ctx, l.ref, l.engine, in, l.opt) // an interruption is in the result
			return run
		}
	}
	runs, err := t.p.runs(ctx, t.p.read(ctx, o.read), how)
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
