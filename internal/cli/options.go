package cli

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/overrides"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// options are what the user asks for. The options of a command fill them; the others have their
// defaults.
type options struct {
	args  []string
	isSet func(name string) bool // says whether an option is given

	formats []string // those of --output of the command

	limits limits
	read   cluster.Options   // what is read, and how
	screen text.Options      // how a text looks
	accept overrides.Options // what overrides say

	format, color, sort, correlation, diffConfig, baselineFile string

	outputList, failOnList, references, filenames, crs, categories, components, skipComponents, overrides,
	overrideFor, impactFiles []string

	context int

	full, showExpected, showOverridden, showSecrets, showSuppressed bool // what of a CR is shown

	allResources, interactive, timings, quiet, recursive bool // the last says nothing

	// What Validate makes of them.
	reference string
	outputs   []output
	failOn    finding.FailOn

	impact   *impactRules     // nil where none are given
	baseline *finding.Earlier // so too
}

// newOptions returns the options with what they are where they are not given. The limits are those
// of the invocation.
func (p *program) newOptions() *options {
	return &options{
		format: "text", color: "auto", sort: "verdict", context: 3, limits: p.limits, isSet: func(string) bool { return false },
	}
}

// flags returns options of those that several commands have, or the comparison has, by their names.
func (o *options) flags(names ...string) []cli.Flag {
	all := []cli.Flag{
		&cli.StringFlag{
			Name: "baseline", Category: ofComparing, Destination: &o.baselineFile,
			Usage: "mark each finding as new, changed or the same since the report that was saved as `FILE` by --output json; see --fail-on",
		},
		&cli.BoolFlag{
			Name: "summary", Category: often, Destination: &o.screen.Summary,
			Usage: "leave the CRs out of the text, show the summary only",
		},
		&cli.IntFlag{
			Name: "context", Category: ofText, Destination: &o.context, Value: 3,
			Usage: "show `N` lines around a difference (default: 3)",
		},
		&cli.BoolFlag{
			Name: "quiet", Aliases: []string{"q"}, Category: ofText, Destination: &o.quiet,
			Usage: "where all formats go to files, print nothing beside them; else it is the verdict, the overview, and where they went",
		},
		&cli.BoolFlag{
			Name: "full", Category: often, Destination: &o.full,
			Usage: "show the whole of every CR with a difference",
		},
		&cli.BoolFlag{
			Name: "unified", Category: ofText, Destination: &o.screen.Unified,
			Usage: "show differences below each other instead of side by side",
		},
		&cli.BoolFlag{
			Name: "verbose", Aliases: []string{"v"}, Category: often, Destination: &o.screen.Verbose,
			Usage: "say more; list what is only counted else: CRs without findings, unmatched and refused ones, all of a group, warnings for the author of the reference, what was passed over; and tell more of missing CRs",
		},
		&cli.GenericFlag{
			Name: "cr", Category: often, Value: list(&o.crs),
			Usage: "show only CRs that `SELECTOR` means; it is KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs; verdict and counts stay those of all (repeatable)",
		},
		&cli.GenericFlag{
			Name: "category", Category: ofText, Value: list(&o.categories, "drift", "missing", "extra", "expected"),
			Usage: "show only CRs with findings of a `LIST` of drift, missing, extra, expected; CRs that were not found and broken rules count as missing; verdict and counts stay those of all",
		},
		&cli.BoolFlag{
			Name: "no-group", Category: ofText, Destination: &o.screen.NoGroup,
			Usage: "show every CR by itself, where several have the same findings too",
		},
		&cli.GenericFlag{
			Name: "sort", Category: ofText, Value: one(&o.sort, "verdict", "input"),
			Usage: "`ORDER` of the table of several clusters: verdict (the default, the worst first) or input",
		},
		&cli.BoolFlag{
			Name: "show-expected", Category: ofText, Destination: &o.showExpected,
			Usage: "list the expected variations too",
		},
		&cli.BoolFlag{
			Name: "show-suppressed", Category: ofText, Destination: &o.showSuppressed,
			Usage: "list the fields that were left out of the comparison, and what says so; that is the built-in list, a list of the reference, ignore-unspecified-fields, the collector, or an override",
		},
		&cli.BoolFlag{
			Name: "show-overridden", Category: ofAccepting, Destination: &o.showOverridden,
			Usage: "list the accepted deviations, with the reasons; they count as little as without",
		},
		&cli.BoolFlag{
			Name: "show-secrets", Category: often, Destination: &o.showSecrets,
			Usage: "show the data of Secrets in clear",
		},
		&cli.IntFlag{
			Name: "width", Category: ofText, Destination: &o.screen.Width,
			Usage: "make the text `N` columns wide (default: the terminal's width; when piped COLUMNS, else that of the terminal of the error stream, else 150)",
		},
		&cli.GenericFlag{
			Name: "color", Category: ofText, Value: one(&o.color, "auto", "always", "never"),
			Usage: "`WHEN` to colour the text: auto (the default), always or never",
		},
		&cli.BoolFlag{
			Name: "all-resources", Aliases: []string{"A"}, Category: ofText, Destination: &o.allResources,
			Usage: "list unmatched CRs of every kind, not only of those the reference has",
		},
		&cli.GenericFlag{
			Name: "cluster", Category: often, Value: list(&o.read.Only),
			Usage: "take only the clusters that `NAME` means; it is the infrastructure's name, the cluster's id, or a glob (repeatable)",
		},
		&cli.BoolFlag{
			Name: "join", Category: ofComparing, Destination: &o.read.Join,
			Usage: "take all inputs for one cluster, whatever they say of themselves",
		},
		&cli.IntFlag{
			Name: "jobs", Category: rare, Destination: &o.read.Jobs,
			Usage: "read `N` inputs at a time where several are given; the report is the same whatever N is (default: half of the processors)",
		},
		&cli.GenericFlag{
			Name: "component", Category: often, Value: list(&o.components),
			Usage: "analyse only components that `NAME` means; it is a name, part/component, or a glob (repeatable)",
		},
		&cli.GenericFlag{
			Name: "skip-component", Category: often, Value: list(&o.skipComponents),
			Usage: "leave out components that `NAME` means; see --component (repeatable)",
		},
		&cli.BoolFlag{
			Name: "placeholders", Category: ofComparing, Destination: &o.read.Placeholders,
			Usage: "read source CRs: $name, ${NAME}, {{ … }} and {{hub … hub}} stand for values that are set and not known yet; they are drift only where the reference fixes the value",
		},
		&cli.BoolFlag{
			Name: "wrapped", Category: ofComparing, Destination: &o.read.Wrapped,
			Usage: "take the CRs inside of CRs for CRs of the input too: those in a Policy or ConfigurationPolicy of ACM, a ManifestWork, a Template of OpenShift, a SyncSet of Hive, an Object of Crossplane",
		},
		&cli.GenericFlag{
			Name: "correlation", Category: ofComparing, Value: one(&o.correlation, "fixed", "nearest"),
			Usage: "`HOW` a CR finds its template: fixed or nearest; fixed means that all fields that the template states must agree, nearest that else the nearest of its kind is taken, which is the default for references in the annotations format",
		},
		&cli.StringFlag{
			Name: "diff-config", Aliases: []string{"c"}, Category: ofComparing, Destination: &o.diffConfig,
			Usage: "`FILE` with manual correlations of CRs and templates",
		},
		&cli.BoolFlag{
			Name: "interactive", Category: ofComparing, Destination: &o.interactive,
			Usage: "ask which template to take where several fit a CR; questions come on the terminal, and in the end the answers can be saved as a diff config",
		},
		&cli.GenericFlag{
			Name: "overrides", Aliases: []string{"p"}, Category: often, Value: list(&o.overrides),
			Usage: "`FILE` with accepted deviations; repeatable",
		},
		&cli.GenericFlag{
			Name: "impact", Category: often, Value: list(&o.impactFiles),
			Usage: "`FILE` of rules that say what findings mean to you; the first rule that fits a finding counts (repeatable)",
		},
		&cli.StringFlag{
			Name: "override-reason", Category: ofAccepting, Destination: &o.accept.Reason,
			Usage: "with --output overrides, which needs it: `TEXT` that says why the deviations are accepted",
		},
		&cli.GenericFlag{
			Name: "override-for", Category: ofAccepting, Value: list(&o.overrideFor),
			Usage: "with --output overrides: accept only what `NAME` means; it is a template (a path or a glob), a component, CRs (KIND/NAME or KIND/NAMESPACE/NAME, with globs), or a field of them (KIND/NAME:spec.replicas); repeatable",
		},
		&cli.StringFlag{
			Name: "override-expires", Category: ofAccepting, Destination: &o.accept.Expires,
			Usage: "with --output overrides: the last `DATE` on which the deviations are accepted, such as 2030-01-31",
		},
		&cli.BoolFlag{
			Name: "skip-unreadable", Category: often, Destination: &o.read.SkipUnreadable,
			Usage: "only warn of what of the input cannot be read; CRs that cannot be evaluated, limits and an interrupted run still make the exit status 2",
		},
		&cli.GenericFlag{
			Name: "limit", Category: rare, Value: &value{words: limitWords(), many: true, set: o.limits.Set},
			Usage: "set a limit that protects against hostile input, `NAME=VALUE`, sizes with KiB, MiB, GiB or TiB (repeatable; they are listed below)",
		},
		&cli.BoolFlag{
			Name: "nested", Category: rare, Destination: &o.read.Nested,
			Usage: "open archives inside the input's archives and folders even where these hold CRs of their own",
		},
		&cli.BoolFlag{
			Name: "no-scan", Hidden: true, Category: rare, Destination: &o.read.NoScan,
			Usage: "decode every document instead of scanning for identities: a check on the scanner",
		},
		&cli.BoolFlag{
			Name: "timings", Category: rare, Destination: &o.timings,
			Usage: "say on the error stream, at the end, where the run spent its time and memory",
		},
		&cli.GenericFlag{
			Name: "reference", Aliases: []string{"r"}, Category: rare, Value: list(&o.references),
			Usage: "`REFERENCE`, instead of the first argument",
		},
		&cli.GenericFlag{
			Name: "filename", Aliases: []string{"f"}, Category: rare, Value: list(&o.filenames),
			Usage: "`INPUT`, instead of arguments (repeatable, or separated by commas)",
		},
		&cli.BoolFlag{
			Name: "recursive", Aliases: []string{"R"}, Category: rare, Destination: &o.recursive,
			Usage: "accepted for the sake of habit; folders are always read as a whole",
		},
	}
	return slices.DeleteFunc(all, func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}

// outputFlag returns the option that names the formats of a report, of which more may be said.
func (o *options) outputFlag(formats []string, more string) cli.Flag {
	o.formats = formats
	return &cli.GenericFlag{
		Name: "output", Aliases: []string{"o"}, Category: often, Value: list(&o.outputList, formats...),
		Usage: "`FORMAT` of the report: " + code.Enumerate(formats, "or") +
			"; FORMAT=FILE writes it to a file, and FORMAT+=FILE adds it to one (repeatable)" + more,
	}
}

// formatFlag returns the option that says how a command writes what it has to say: as text, or in
// one of the other formats.
func (o *options) formatFlag(what string, formats ...string) cli.Flag {
	return &cli.GenericFlag{
		Name: "output", Aliases: []string{"o"}, Category: often, Value: one(&o.format, formats...),
		Usage: "`FORMAT` of " + what + ": " + strings.Replace(code.Enumerate(formats, "or"), "text", "text (the default)", 1),
	}
}

// failOnFlag returns the option that says what makes the exit status 1, which is what otherwise
// says where it is not given.
func (o *options) failOnFlag(otherwise string) cli.Flag {
	return &cli.GenericFlag{
		Name: "fail-on", Category: often, Value: list(&o.failOnList, finding.FailOnWords()...),
		Usage: "`LIST` of what makes the exit status 1 (default: " + otherwise + "); it can have drift, missing, absent, extra, unmatched, referenced and, with --impact, impacting; with new, which needs --baseline, only what is new of these counts; or is none",
	}
}

// Validate checks the options, and makes of them what a run works with.
func (o *options) Validate() (err error) {
	if o.outputs, err = parseOutputs(o.outputList, o.formats, o.quiet); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	failOn := "drift,missing"
	if o.failOnList != nil {
		failOn = strings.Join(o.failOnList, ",")
	}
	if o.failOn, err = finding.ParseFailOn(failOn); err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	switch {
	case o.isSet("width") && o.screen.Width < text.MinWidth:
		return fmt.Errorf("--width is %d; at least %d columns are needed", o.screen.Width, text.MinWidth)
	case o.context < 0:
		return fmt.Errorf("--context is %d; it cannot be negative", o.context)
	case o.isSet("jobs") && o.read.Jobs < 1:
		return fmt.Errorf("--jobs is %d; at least 1 is needed", o.read.Jobs)
	case o.baselineFile == "-":
		return errors.New("--baseline is standard input; it has to be a file")
	}
	if o.read.Jobs == 0 {
		o.read.Jobs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if err := o.validateFilter(); err != nil {
		return err
	}
	return o.validateOverrides()
}

// validateFilter reads the options that say which findings are shown.
func (o *options) validateFilter() error {
	filter := &o.screen.Filter
	for _, one := range o.crs {
		s, err := finding.ParseSelector(one)
		if err != nil {
			return fmt.Errorf("--cr %s: %w", one, err)
		}
		filter.Selectors = append(filter.Selectors, s)
	}
	if len(o.categories) > 0 {
		var err error
		if filter.Categories, err = finding.ParseCategories(strings.Join(o.categories, ",")); err != nil {
			return fmt.Errorf("--category: %w", err)
		}
	}
	if filter.IsSet() && !o.writes("text") {
		return errors.New("--cr and --category are for --output text only; every other format has all findings")
	}
	return nil
}

// validateOverrides checks the options that say how overrides are written.
func (o *options) validateOverrides() error {
	if !o.writes(overridesFormat) {
		for _, name := range []string{"override-reason", "override-for", "override-expires"} {
			if o.isSet(name) {
				return fmt.Errorf("--%s is for --output overrides only", name)
			}
		}
		return nil
	}
	if strings.TrimSpace(o.accept.Reason) == "" {
		return errors.New(
			"--output overrides needs --override-reason, because every report shows why a deviation was accepted",
		)
	}
	if !o.isSet("override-expires") {
		return nil
	}
	expires := o.accept.Expires
	if _, err := time.Parse(time.DateOnly, expires); err != nil {
		return fmt.Errorf("--override-expires is %q, which is no date; write year-month-day, like 2030-01-31", expires)
	}
	if (refconfig.Override{Expires: expires}).Expired(today()) {
		return fmt.Errorf("--override-expires is %s, which is past: the overrides would not apply", expires)
	}
	return nil
}

// setSides takes in the reference and the inputs, which stand in arguments or in options.
func (o *options) setSides(args []string) error {
	o.read.Inputs = args
	if len(o.references) > 1 {
		return fmt.Errorf("one REFERENCE is needed and %d are given", len(o.references))
	}
	if len(o.references) == 1 {
		o.reference = o.references[0]
	} else if len(args) > 0 {
		o.reference = args[0]
		o.read.Inputs = args[1:]
	}
	o.read.Inputs = append(o.read.Inputs, o.filenames...)
	if found, err := source.Expand([]string{o.reference}, false); len(found) > 1 {
		return fmt.Errorf("the REFERENCE %s matches %s; name one of them", o.reference, quoted(found))
	} else if err == nil {
		o.reference = found[0]
	}
	switch {
	case o.reference == "":
		return errors.New("a REFERENCE and an INPUT are needed")
	case len(o.read.Inputs) == 0:
		return fmt.Errorf("an INPUT is needed beside the reference %s", o.reference)
	}
	return nil
}
