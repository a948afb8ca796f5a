package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
)

// selection selects components of the reference.
type selection struct {
	components, skipComponents []string
}

func (o *selection) flags() []cli.Flag {
	return []cli.Flag{
		option("component", often, list(&o.components),
			"use only components matching `NAME`; NAME is COMPONENT, PART/COMPONENT, or a glob (repeatable)"),
		option("skip-component", ofComparing, list(&o.skipComponents),
			"leave out components matching `NAME`; NAME is as for --component (repeatable)"),
	}
}

// inputFlags returns the options for reading inputs that have these names. Without names it returns
// all of them.
func inputFlags(read *cluster.Options, names ...string) []cli.Flag {
	all := []cli.Flag{
		option("cluster", often, list(&read.Only),
			"use only clusters matching `NAME`; NAME is the infrastructure name, the cluster ID, or a glob (repeatable)"),
		toggle("join", ofComparing, &read.Join,
			"treat all inputs as one cluster"),
		toggle("nested", rare, &read.Nested,
			"read archives inside the input, even if the input has CRs of its own"),
		toggle("skip-unreadable", often, &read.SkipUnreadable,
			"treat unreadable input files as warnings; CRs that cannot be evaluated, exceeded limits and interrupted runs still give exit status 2"),
	}
	if names == nil {
		return all
	}
	return only(all, names)
}

// only returns the options that have one of these names.
func only(flags []cli.Flag, names []string) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}

// comparing are the options that decide what is compared, and how.
type comparing struct {
	selection
	read cluster.Options // options for reading inputs

	references, filenames             []string
	overrides, crds, old, impactFiles []string
	correlation, diffConfig           string
	allResources, validate, onlyGiven bool
	plain                             bool // the reference is no cluster

	tool      string                     // the name of the tool in commands
	below     func(name string) []string // see referencesBelow; nil for none
	reference string                     // the reference from arguments or options, see setSides
	impact    *impactRules               // nil without --impact
}

func (o *comparing) flags() []cli.Flag {
	return slices.Concat(o.selection.flags(), inputFlags(&o.read), []cli.Flag{
		toggle("placeholders", ofComparing, &o.read.Placeholders,
			"treat placeholders in CRs as unknown values; placeholders are $name, ${NAME}, {{ … }} and {{hub … hub}}; they count as drift only if the reference fixes the value"),
		toggle("wrapped", ofComparing, &o.read.Wrapped,
			"compare CRs inside other CRs too; these are Policy and ConfigurationPolicy of ACM, ManifestWork, Template of OpenShift, SyncSet of Hive and Object of Crossplane"),
		option("correlation", ofComparing, one(&o.correlation, "fixed", "nearest"),
			"set `HOW` to find the template of a CR: fixed or nearest; fixed requires that all fixed fields of the template match; nearest otherwise takes the closest template of the same kind (default: nearest for references in the annotations format, else fixed)"),
		toggle("plain", ofComparing, &o.plain,
			"take a REFERENCE that is a cluster, such as a support archive, for plain CRs"),
		toggle("given", ofComparing, &o.onlyGiven,
			"judge only the CRs that are given; no CR counts as missing, and no rule is evaluated"),
		toggle("validate", ofComparing, &o.validate,
			"check CRs against the CustomResourceDefinitions in the input too; fields that the API server would reject or drop are findings of the category invalid"),
		option("crds", ofComparing, list(&o.crds),
			"with --validate, use the CustomResourceDefinitions and OpenAPI v3 documents in `PATH` before those in the input; PATH is a file, a folder or a support archive (repeatable)"),
		option("old", ofComparing, &value{many: true, set: o.addOld},
			"let templates compare CRs with those in `INPUT`, as they were before; for references that call oldCR, such as for fields that must not change (repeatable)"),
		option("diff-config c", ofComparing, one(&o.diffConfig),
			"read manual pairs of CRs and templates from `FILE`"),
		option("overrides p", often, list(&o.overrides),
			"accept the deviations in `FILE` (repeatable)"),
		option("reference r", rare, list(&o.references),
			"use `REFERENCE` instead of the first argument"),
		option("filename f", rare, list(&o.filenames),
			"use `INPUT` instead of arguments (repeatable, or separated by commas)"),
		toggle("recursive R", rare, new(bool),
			"has no effect, accepted for compatibility; folders are always read recursively"),
	})
}

// tellingFlags returns options that change what is told of CRs and findings, but not which findings there are.
func (o *comparing) tellingFlags() []cli.Flag {
	return []cli.Flag{
		toggle("all-resources A", ofComparing, &o.allResources,
			"also list the CRs of kinds that the reference does not have"),
		option("impact", ofComparing, list(&o.impactFiles),
			"rate findings by the rules in `FILE`; the first matching rule counts (repeatable)"),
	}
}

// addOld reads a value of --old.
func (o *comparing) addOld(name string) error {
	if name == stdin {
		return errors.New("it must be a file or folder, not standard input")
	}
	o.old = append(o.old, name)
	return nil
}

// sides returns the number of references and inputs, from arguments and from options that replace
// arguments.
func (o *comparing) sides(args []string) int { return len(args) + len(o.references) + len(o.filenames) }

// setSides sets the reference and the inputs from arguments or options.
func (o *comparing) setSides(args []string) error {
	if len(o.references) > 1 {
		return fmt.Errorf("expected one REFERENCE, found %d", len(o.references))
	}
	all := slices.Concat(o.references, args, o.filenames)
	if len(all) == 0 {
		return errors.New("a REFERENCE and an INPUT are needed")
	}
	o.reference = all[0]
	o.read.Inputs = all[1:]
	if found, err := source.Expand(all[:1], false); len(found) > 1 {
		return fmt.Errorf("the REFERENCE %s matches %s; name one of them", o.reference, quoted(found))
	} else if err == nil {
		o.reference = found[0]
	}
	if len(o.read.Inputs) == 0 {
		var below []string
		if o.below != nil {
			below = o.below(o.reference)
		}
		if below != nil {
			return fmt.Errorf("%s holds %s: %s; name one of them, and an INPUT",
				o.reference, finding.Plural(len(below), "reference", "references"), quoted(below))
		}
		return fmt.Errorf("an INPUT is needed after the reference %s; for commands that collect one or read it from a cluster: "+
			"%s needs %s", o.reference, o.tool, o.reference)
	}
	return nil
}

// display are the options for text on a terminal.
type display struct {
	screen      text.Options
	color       string
	showSecrets bool
}

func (o *display) flags() []cli.Flag {
	return []cli.Flag{
		option("color", ofText, one(&o.color, "auto", "always", "never"),
			"set `WHEN` to use colours: auto, always or never (default: auto)"),
		option("width", ofText, between(&o.screen.Width, text.MinWidth, text.MaxWidth),
			"make the text `N` columns wide, 1000 at most (default: the terminal's width); in a pipe the default is $COLUMNS, else the width of the terminal of standard error, else 150"),
	}
}

// contentFlags returns options for the content of CRs in reports.
func (o *display) contentFlags() []cli.Flag {
	return []cli.Flag{
		toggle("show-expected", ofText, &o.screen.ShowExpected,
			"list expected variations too"),
		toggle("show-secrets", ofText, &o.showSecrets,
			"show the data of Secrets in clear text"),
	}
}

// reporting are the options for the report of a comparison.
type reporting struct {
	display
	formats                      []string // the formats that --output accepts
	outputs                      []output
	failOnWords, crs, categories []string
	baselineFile, sort           string
	context                      int
	full, quiet                  bool

	failOn    finding.FailOn // the parsed failOnWords
	baseline  *saved.Earlier // nil without --baseline
	unmatched bool           // JSON and YAML documents list the unmatched CRs
}

// newReporting returns options with their defaults.
func newReporting(formats []string) reporting { return reporting{formats: formats, context: 3} }

// flags returns the options. moreFormats is the help about formats that only one command has, and
// otherwise is the help about the default of --fail-on.
func (o *reporting) flags(moreFormats, otherwise string) []cli.Flag {
	return append(o.display.flags(), verboseFlag(&o.screen), failOnFlag(&o.failOnWords, otherwise),
		option("output o", often, &value{words: o.formats, many: true, set: o.addOutput},
			withDefault(o.formats)+
				"; `FORMAT`=FILE writes it to a file, and FORMAT+=FILE appends it to one (repeatable)"+moreFormats),
		option("baseline", ofComparing, one(&o.baselineFile),
			"mark each finding as new, changed or unchanged since the report in `FILE`; FILE is a report of --output json; --fail-on new then counts only new and changed findings"),
		toggle("quiet q", ofText, &o.quiet,
			"print nothing if all reports go to files; without it the tool then prints the verdict, the overview and the names of the files"),
		toggle("summary", often, &o.screen.Summary,
			"show only the summary in the text report"),
		toggle("brief", ofText, &o.screen.Brief,
			"list the findings of each CR by path, not side by side"),
		toggle("unified", ofText, &o.screen.Unified,
			"show differences below each other instead of side by side"),
		option("cr", often, &value{many: true, set: o.addSelector},
			"show only CRs matching `SELECTOR`; SELECTOR is KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs; the verdict and the counts still cover all CRs (repeatable)"),
		option("category", ofText, list(&o.categories, "drift", "missing", "invalid", "extra", "expected", "new"),
			"show only CRs with findings of the categories in `LIST`; LIST has drift, missing, invalid, extra, expected or new, separated by commas; new is what is new or changed since --baseline; missing includes broken rules and CRs that were not found; the verdict and the counts still cover all CRs"),
		toggle("no-group", ofText, &o.screen.NoGroup,
			"show each CR separately, even if several have the same findings"),
		option("sort", ofText, one(&o.sort, "verdict", "input"),
			"sort the table of clusters by `ORDER`; ORDER is verdict, with the worst first, or input (default: verdict)"),
		toggle("show-overridden", ofAccepting, &o.screen.ShowOverridden,
			"list the deviations that overrides accept, with their reasons"),
	)
}

// addSelector reads a value of --cr.
func (o *reporting) addSelector(text string) error {
	s, err := finding.ParseSelector(text)
	if err != nil {
		return fmt.Errorf("%q is not a selector: %w", text, err)
	}
	o.crs = append(o.crs, text)
	o.screen.Filter.Selectors = append(o.screen.Filter.Selectors, s)
	return nil
}

// Validate checks the options and computes the values that a report needs.
func (o *reporting) Validate() (err error) {
	o.completeOutputs()
	o.unmatched = o.full || o.screen.Verbose
	if o.failOn, err = parseFailOn(o.failOnWords); err != nil {
		return err
	}
	o.unmatched = o.unmatched || o.failOn.HasUnmatched() // a later report is compared with them
	if len(o.categories) > 0 {
		filter := &o.screen.Filter
		filter.Categories, filter.AskedNew, err = finding.ParseCategories(strings.Join(o.categories, ","))
		if err != nil {
			return err
		}
	}
	o.screen.Filter.OnlyNew = o.screen.Filter.AskedNew || !o.screen.Verbose
	switch {
	case o.baselineFile == stdin:
		return errors.New("--baseline must be a file, not standard input")
	case o.screen.Filter.IsSet() && !o.writes("text"):
		return errors.New("--cr and --category are for --output text only; every other format has all findings")
	}
	return nil
}

// parseFailOn reads the values of --fail-on.
func parseFailOn(words []string) (finding.FailOn, error) {
	if words == nil {
		words = []string{"drift", "missing"}
	}
	failOn, err := finding.ParseFailOn(strings.Join(words, ","))
	if err != nil {
		return nil, fmt.Errorf("--fail-on: %w", err)
	}
	return failOn, nil
}

// compareOptions are the options of a comparison.
type compareOptions struct {
	base
	comparing
	reporting
	accept                               formats.OverrideOptions // options for writing overrides
	overrideFor                          []string
	reportDir                            string
	shard                                shard
	interactive, showSuppressed, timings bool
	reproducible                         bool
	acceptor                             *acceptor // for the command browse, which shows the report; else nil

	given  func() []string // the options that a saved report depends on
	origin *finding.Origin // the origin to save in the report; nil for none
}

// flags returns the options that only a comparison has.
func (o *compareOptions) flags() []cli.Flag {
	return []cli.Flag{
		option("context", ofText, atLeast(&o.context, 0),
			"show `N` lines around each difference (default: 3)"),
		toggle("full", ofText, &o.full,
			"show the whole text of each CR with a difference"),
		toggle("show-suppressed", ofText, &o.showSuppressed,
			"list the fields that were not compared, with the reason; reasons are the built-in list, a list of the reference, ignore-unspecified-fields, the collector, overrides and, with --validate, default values of schemas"),
		option("jobs", rare, atLeast(&o.read.Jobs, 1),
			"read `N` inputs in parallel (default: half of the processors); the report does not depend on N"),
		option("shard", rare, &value{set: o.shard.Set},
			"compare only a share of the inputs, `INDEX/COUNT`; the inputs are sorted by name, and those whose number modulo COUNT is INDEX are compared; the first number and the first INDEX are 0"),
		option("report-dir", rare, one(&o.reportDir),
			"compare each input by itself and save its report as `DIR`/NAME.json; inputs with a report there are skipped if reference, input and options are the same; exit status 0 means only that each input has a report: report --report-dir gives the verdict"),
		toggle("interactive", ofComparing, &o.interactive,
			"ask for the template if several match a CR; you can save the answers as a diff config"),
		option("override-reason", ofAccepting, one(&o.accept.Reason),
			"set `TEXT` as the reason for accepting deviations; --output overrides requires it"),
		option("override-for", ofAccepting, list(&o.overrideFor),
			"accept only deviations of `NAME` with --output overrides; NAME is a template (path or glob), a component, CRs (KIND/NAME or KIND/NAMESPACE/NAME, with globs), or a field of CRs (KIND/NAME:spec.replicas); repeatable"),
		option("override-expires", ofAccepting, &value{set: o.setExpiry},
			"accept deviations until `DATE` with --output overrides; DATE is such as 2030-01-31"),
		toggle("reproducible", rare, &o.reproducible,
			"leave the time of the comparison out of JSON and YAML, so that the same input always gives the same report"),
		toggle("timings", rare, &o.timings,
			"print the time and memory of each step to standard error"),
		toggle("version", rare, new(bool),
			"print the version"),
	}
}

// Validate implements options.
func (o *compareOptions) Validate(args []string) error {
	o.endless = o.reportDir != "" // each input has its own limits of time and memory
	if o.endless && (len(o.outputs) > 0 || o.read.Join) {
		return errors.New("--report-dir saves a JSON report of each input; it cannot be used with --output or --join")
	}
	if err := o.reporting.Validate(); err != nil {
		return err
	}
	o.unmatched = o.unmatched || o.allResources
	if err := o.setSides(args); err != nil {
		return err
	}
	switch {
	case o.interactive && slices.Contains(o.read.Inputs, stdin):
		return errors.New("--interactive reads answers from standard input, so the INPUT cannot be standard input")
	case o.failOn.Has(finding.FailOnImpacting) && len(o.impactFiles) == 0:
		return errors.New("--fail-on impacting needs --impact, whose rules rate the findings")
	case o.onlyGiven && o.baselineFile != "":
		return errors.New("--given cannot be used with --baseline: what is not given would count as resolved")
	case o.failOn.Has(finding.FailOnNew) && o.baselineFile == "":
		return errors.New("--fail-on new needs --baseline, an earlier report to compare with")
	case o.screen.Filter.AskedNew && o.baselineFile == "":
		return errors.New("--category new needs --baseline, an earlier report to compare with")
	case o.writes(overridesFormat) && strings.TrimSpace(o.accept.Reason) == "":
		return errors.New(
			"--output overrides needs --override-reason, because every report shows why a deviation was accepted",
		)
	case !o.writes(overridesFormat) && (o.accept != formats.OverrideOptions{} || len(o.overrideFor) > 0):
		return errors.New("--override-reason, --override-for and --override-expires are for --output overrides only")
	}
	return nil
}

// setExpiry reads the value of --override-expires.
func (o *compareOptions) setExpiry(text string) error {
	o.accept.Expires = text
	return checkDay(text)
}

// linksFlag returns the option for following the links of all inputs.
func (p *program) linksFlag() cli.Flag {
	return toggle("follow-links", rare, &p.followLinks,
		"read the files and folders outside of the input that links in its folders lead to")
}

// limitFlag returns the option for limits.
func (p *program) limitFlag() cli.Flag {
	return option("limit", rare, &value{words: limitWords(), many: true, set: p.limits.Set},
		"set a limit against hostile input to `NAME=VALUE`; sizes have KiB, MiB, GiB or TiB; the limits are listed below (repeatable)")
}

// formatFlag returns the option for the format of a command's answer. what is the name of the
// answer in help. The first format is the default.
func formatFlag(into *string, what string, formats ...string) cli.Flag {
	*into = formats[0]
	return option("output o", often, one(into, formats...),
		"write "+what+" in `FORMAT`: "+withDefault(formats))
}

// withDefault lists formats and marks the first one as the default.
func withDefault(formats []string) string {
	return code.Enumerate(append([]string{formats[0] + " (default)"}, formats[1:]...), "or")
}

// failOnFlag returns the option for the findings that cause exit status 1. otherwise is the help
// about its default.
func failOnFlag(into *[]string, otherwise string) cli.Flag {
	return option("fail-on", often, list(into, finding.FailOnWords().Names()...),
		"exit with status 1 on `LIST` (default: "+otherwise+"); LIST has the findings drift, missing, absent, extra, unmatched, unmatched-all (also of kinds that the reference does not have) and referenced; with --validate also invalid, which is then a default; with --impact also impacting; new, with --baseline, counts only those that are new or changed; none counts nothing")
}

// verboseFlag returns the option for details of reports.
func verboseFlag(screen *text.Options) cli.Flag {
	return toggle("verbose v", often, &screen.Verbose,
		"list details that are otherwise only counted; these are CRs without findings, unmatched and refused CRs, all CRs of a group, skipped files, warnings for the author of the reference, and more about missing CRs")
}
