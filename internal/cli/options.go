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
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// options are the values of all options. A command sets the options that it has; the others keep
// their defaults.
type options struct {
	args  []string
	isSet func(name string) bool // reports whether an option is given

	formats []string // the formats that --output of the command accepts

	limits  limits
	endless bool                    // the limits of time and memory are not for the whole run
	read    cluster.Options         // how inputs are read
	screen  text.Options            // how text is formatted
	accept  formats.OverrideOptions // how overrides are written

	format, color, sort, correlation, diffConfig, baselineFile, shardText, reportDir string

	outputList, failOnList, references, filenames, crs, crds, old, categories, components, skipComponents, overrides,
	overrideFor, impactFiles []string

	context int

	full, showExpected, showOverridden, showSecrets, showSuppressed bool // the content of a CR that is shown

	allResources, interactive, validate, timings, quiet, recursive bool // --recursive has no effect

	// Values that Validate computes.
	reference string
	outputs   []output
	failOn    finding.FailOn
	shard     shard // the zero value for all inputs

	impact   *impactRules     // nil without --impact
	baseline *finding.Earlier // nil without --baseline
}

// newOptions returns options with their defaults and the limits of the invocation.
func (p *program) newOptions() *options {
	return &options{
		format: "text", color: "auto", sort: "verdict", context: 3, limits: p.limits, isSet: func(string) bool { return false },
	}
}

// flags returns options by their names: those of the comparison, and those that several commands
// share.
func (o *options) flags(names ...string) []cli.Flag {
	all := []cli.Flag{
		&cli.StringFlag{
			Name: "baseline", Category: ofComparing, Destination: &o.baselineFile,
			Usage: "mark each finding as new, changed or unchanged since the report in `FILE`; FILE is a report of --output json; --fail-on new then counts only new and changed findings",
		},
		&cli.BoolFlag{
			Name: "summary", Category: often, Destination: &o.screen.Summary,
			Usage: "show only the summary in the text report",
		},
		&cli.IntFlag{
			Name: "context", Category: ofText, Destination: &o.context, Value: 3,
			Usage: "show `N` lines around each difference (default: 3)",
		},
		&cli.BoolFlag{
			Name: "quiet", Aliases: []string{"q"}, Category: ofText, Destination: &o.quiet,
			Usage: "print nothing if all reports go to files; without it the tool then prints the verdict, the overview and the names of the files",
		},
		&cli.BoolFlag{
			Name: "full", Category: ofText, Destination: &o.full,
			Usage: "show the whole text of each CR with a difference",
		},
		&cli.BoolFlag{
			Name: "unified", Category: ofText, Destination: &o.screen.Unified,
			Usage: "show differences below each other instead of side by side",
		},
		&cli.BoolFlag{
			Name: "verbose", Aliases: []string{"v"}, Category: often, Destination: &o.screen.Verbose,
			Usage: "list details that are otherwise only counted; these are CRs without findings, unmatched and refused CRs, all CRs of a group, skipped files, warnings for the author of the reference, and more about missing CRs",
		},
		&cli.GenericFlag{
			Name: "cr", Category: often, Value: list(&o.crs),
			Usage: "show only CRs matching `SELECTOR`; SELECTOR is KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs; the verdict and the counts still cover all CRs (repeatable)",
		},
		&cli.GenericFlag{
			Name: "category", Category: ofText, Value: list(&o.categories, "drift", "missing", "invalid", "extra", "expected"),
			Usage: "show only CRs with findings of the categories in `LIST`; LIST has drift, missing, invalid, extra or expected, separated by commas; missing includes CRs that were not found and broken rules; the verdict and the counts still cover all CRs",
		},
		&cli.BoolFlag{
			Name: "no-group", Category: ofText, Destination: &o.screen.NoGroup,
			Usage: "show each CR separately, even if several have the same findings",
		},
		&cli.GenericFlag{
			Name: "sort", Category: ofText, Value: one(&o.sort, "verdict", "input"),
			Usage: "sort the table of clusters by `ORDER`; ORDER is verdict, with the worst first, or input (default: verdict)",
		},
		&cli.BoolFlag{
			Name: "show-expected", Category: ofText, Destination: &o.showExpected,
			Usage: "list expected variations too",
		},
		&cli.BoolFlag{
			Name: "show-suppressed", Category: ofText, Destination: &o.showSuppressed,
			Usage: "list the fields that were not compared, with the reason; reasons are the built-in list, a list of the reference, ignore-unspecified-fields, the collector, overrides and, with --validate, default values of schemas",
		},
		&cli.BoolFlag{
			Name: "show-overridden", Category: ofAccepting, Destination: &o.showOverridden,
			Usage: "list the deviations that overrides accept, with their reasons",
		},
		&cli.BoolFlag{
			Name: "show-secrets", Category: ofText, Destination: &o.showSecrets,
			Usage: "show the data of Secrets in clear text",
		},
		&cli.IntFlag{
			Name: "width", Category: ofText, Destination: &o.screen.Width,
			Usage: "make the text `N` columns wide (default: the terminal's width); in a pipe the default is $COLUMNS, else the width of the terminal of standard error, else 150",
		},
		&cli.GenericFlag{
			Name: "color", Category: ofText, Value: one(&o.color, "auto", "always", "never"),
			Usage: "set `WHEN` to use colours: auto, always or never (default: auto)",
		},
		&cli.BoolFlag{
			Name: "all-resources", Aliases: []string{"A"}, Category: ofText, Destination: &o.allResources,
			Usage: "list unmatched CRs of all kinds, not only of kinds in the reference",
		},
		&cli.GenericFlag{
			Name: "cluster", Category: often, Value: list(&o.read.Only),
			Usage: "use only clusters matching `NAME`; NAME is the infrastructure name, the cluster ID, or a glob (repeatable)",
		},
		&cli.BoolFlag{
			Name: "join", Category: ofComparing, Destination: &o.read.Join,
			Usage: "treat all inputs as one cluster",
		},
		&cli.IntFlag{
			Name: "jobs", Category: rare, Destination: &o.read.Jobs,
			Usage: "read `N` inputs in parallel (default: half of the processors); the report does not depend on N",
		},
		&cli.StringFlag{
			Name: "shard", Category: rare, Destination: &o.shardText,
			Usage: "compare only a share of the inputs, `INDEX/COUNT`; the inputs are sorted by name, and those whose number modulo COUNT is INDEX are compared; the first number and the first INDEX are 0",
		},
		&cli.StringFlag{
			Name: "report-dir", Category: rare, Destination: &o.reportDir,
			Usage: "compare each input by itself and save its report as `DIR`/NAME.json; inputs with a report there are skipped; exit status 0 means only that each input has a report: report --report-dir gives the verdict",
		},
		&cli.GenericFlag{
			Name: "component", Category: often, Value: list(&o.components),
			Usage: "use only components matching `NAME`; NAME is COMPONENT, PART/COMPONENT, or a glob (repeatable)",
		},
		&cli.GenericFlag{
			Name: "skip-component", Category: ofComparing, Value: list(&o.skipComponents),
			Usage: "leave out components matching `NAME`; NAME is as for --component (repeatable)",
		},
		&cli.BoolFlag{
			Name: "placeholders", Category: ofComparing, Destination: &o.read.Placeholders,
			Usage: "treat placeholders in CRs as unknown values; placeholders are $name, ${NAME}, {{ … }} and {{hub … hub}}; they count as drift only if the reference fixes the value",
		},
		&cli.BoolFlag{
			Name: "wrapped", Category: ofComparing, Destination: &o.read.Wrapped,
			Usage: "compare CRs inside other CRs too; these are Policy and ConfigurationPolicy of ACM, ManifestWork, Template of OpenShift, SyncSet of Hive and Object of Crossplane",
		},
		&cli.GenericFlag{
			Name: "correlation", Category: ofComparing, Value: one(&o.correlation, "fixed", "nearest"),
			Usage: "set `HOW` to find the template of a CR: fixed or nearest; fixed requires that all fixed fields of the template match; nearest otherwise takes the closest template of the same kind (default: nearest for references in the annotations format, else fixed)",
		},
		&cli.BoolFlag{
			Name: "validate", Category: ofComparing, Destination: &o.validate,
			Usage: "check CRs against the CustomResourceDefinitions in the input too; fields that the API server would reject or drop are findings of the category invalid",
		},
		&cli.GenericFlag{
			Name: "crds", Category: ofComparing, Value: list(&o.crds),
			Usage: "with --validate, use the CustomResourceDefinitions and OpenAPI v3 documents in `PATH` before those in the input; PATH is a file, a folder or a support archive (repeatable)",
		},
		&cli.GenericFlag{
			Name: "old", Category: ofComparing, Value: list(&o.old),
			Usage: "let templates compare CRs with those in `INPUT`, as they were before; for references that call oldCR, such as for fields that must not change (repeatable)",
		},
		&cli.StringFlag{
			Name: "diff-config", Aliases: []string{"c"}, Category: ofComparing, Destination: &o.diffConfig,
			Usage: "read manual pairs of CRs and templates from `FILE`",
		},
		&cli.BoolFlag{
			Name: "interactive", Category: ofComparing, Destination: &o.interactive,
			Usage: "ask for the template if several match a CR; you can save the answers as a diff config",
		},
		&cli.GenericFlag{
			Name: "overrides", Aliases: []string{"p"}, Category: often, Value: list(&o.overrides),
			Usage: "accept the deviations in `FILE` (repeatable)",
		},
		&cli.GenericFlag{
			Name: "impact", Category: ofComparing, Value: list(&o.impactFiles),
			Usage: "rate findings by the rules in `FILE`; the first matching rule counts (repeatable)",
		},
		&cli.StringFlag{
			Name: "override-reason", Category: ofAccepting, Destination: &o.accept.Reason,
			Usage: "set `TEXT` as the reason for accepting deviations; --output overrides requires it",
		},
		&cli.GenericFlag{
			Name: "override-for", Category: ofAccepting, Value: list(&o.overrideFor),
			Usage: "accept only deviations of `NAME` with --output overrides; NAME is a template (path or glob), a component, CRs (KIND/NAME or KIND/NAMESPACE/NAME, with globs), or a field of CRs (KIND/NAME:spec.replicas); repeatable",
		},
		&cli.StringFlag{
			Name: "override-expires", Category: ofAccepting, Destination: &o.accept.Expires,
			Usage: "accept deviations until `DATE` with --output overrides; DATE is such as 2030-01-31",
		},
		&cli.BoolFlag{
			Name: "skip-unreadable", Category: often, Destination: &o.read.SkipUnreadable,
			Usage: "treat unreadable input files as warnings; CRs that cannot be evaluated, exceeded limits and interrupted runs still give exit status 2",
		},
		&cli.GenericFlag{
			Name: "limit", Category: rare, Value: &value{words: limitWords(), many: true, set: o.limits.Set},
			Usage: "set a limit against hostile input to `NAME=VALUE`; sizes have KiB, MiB, GiB or TiB; the limits are listed below (repeatable)",
		},
		&cli.BoolFlag{
			Name: "nested", Category: rare, Destination: &o.read.Nested,
			Usage: "read archives inside the input, even if the input has CRs of its own",
		},
		&cli.BoolFlag{
			Name: "no-scan", Hidden: true, Category: rare, Destination: &o.read.NoScan,
			Usage: "decode every document instead of scanning for identities: a check on the scanner",
		},
		&cli.BoolFlag{
			Name: "timings", Category: rare, Destination: &o.timings,
			Usage: "print the time and memory of each step to standard error",
		},
		&cli.GenericFlag{
			Name: "reference", Aliases: []string{"r"}, Category: rare, Value: list(&o.references),
			Usage: "use `REFERENCE` instead of the first argument",
		},
		&cli.GenericFlag{
			Name: "filename", Aliases: []string{"f"}, Category: rare, Value: list(&o.filenames),
			Usage: "use `INPUT` instead of arguments (repeatable, or separated by commas)",
		},
		&cli.BoolFlag{
			Name: "recursive", Aliases: []string{"R"}, Category: rare, Destination: &o.recursive,
			Usage: "has no effect, accepted for compatibility; folders are always read recursively",
		},
	}
	return slices.DeleteFunc(all, func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}

// outputFlag returns the option for the formats of a report. more is added to its help.
func (o *options) outputFlag(formats []string, more string) cli.Flag {
	o.formats = formats
	return &cli.GenericFlag{
		Name: "output", Aliases: []string{"o"}, Category: often, Value: list(&o.outputList, formats...),
		Usage: withDefault(formats) +
			"; `FORMAT`=FILE writes it to a file, and FORMAT+=FILE appends it to one (repeatable)" + more,
	}
}

// formatFlag returns the option for the format of a command's answer. what names the answer; the
// first format is the default.
func (o *options) formatFlag(what string, formats ...string) cli.Flag {
	return &cli.GenericFlag{
		Name: "output", Aliases: []string{"o"}, Category: often, Value: one(&o.format, formats...),
		Usage: "write " + what + " in `FORMAT`: " + withDefault(formats),
	}
}

// withDefault lists formats and marks the first one as the default.
func withDefault(formats []string) string {
	return code.Enumerate(append([]string{formats[0] + " (default)"}, formats[1:]...), "or")
}

// failOnFlag returns the option for the findings that cause exit status 1. otherwise is the help
// about its default.
func (o *options) failOnFlag(otherwise string) cli.Flag {
	return &cli.GenericFlag{
		Name: "fail-on", Category: often, Value: list(&o.failOnList, finding.FailOnWords().Names()...),
		Usage: "exit with status 1 on `LIST` (default: " + otherwise + "); LIST has the findings drift, missing, absent, extra, unmatched and referenced; with --validate also invalid, which is then a default; with --impact also impacting; new, with --baseline, counts only those that are new or changed; none counts nothing",
	}
}

// Validate checks the options and computes the values that a run needs.
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
		return errors.New("--baseline must be a file, not standard input")
	case slices.Contains(o.old, "-"):
		return errors.New("--old must be a file or folder, not standard input")
	case o.reportDir != "" && (o.isSet("output") || o.read.Join):
		return errors.New("--report-dir saves a JSON report of each input; it cannot be used with --output or --join")
	}
	if o.isSet("shard") {
		if o.shard, err = parseShard(o.shardText); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	if o.read.Jobs == 0 {
		o.read.Jobs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if err := o.validateFilter(); err != nil {
		return err
	}
	return o.validateOverrides()
}

// validateFilter reads the options that select the findings to show.
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

// validateOverrides checks the options for writing overrides.
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
		return fmt.Errorf("--override-expires is %q, which is not a date; write it like 2030-01-31", expires)
	}
	if (refconfig.Override{Expires: expires}).Expired(today()) {
		return fmt.Errorf("--override-expires is %s, which is in the past", expires)
	}
	return nil
}

// setSides sets the reference and the inputs from arguments or options.
func (o *options) setSides(args []string) error {
	o.read.Inputs = args
	if len(o.references) > 1 {
		return fmt.Errorf("expected one REFERENCE, found %d", len(o.references))
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
		return fmt.Errorf("an INPUT is needed after the reference %s", o.reference)
	}
	return nil
}
