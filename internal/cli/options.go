package cli

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// options are what the user asks for: of a comparison, or of explain-match, which has some of them and allCandidates.
type options struct {
	output, failOnList, color, correlation, diffConfig, overrideReason, overrideExpires, hold string

	context, width, jobs int

	summary, full, unified, verbose, noGroup, showExpected, showOverridden, showSecrets, showSuppressed, allCandidates bool // what is shown

	allResources, join, interactive, skipUnreadable, nested, noScan, timings, recursive bool

	strict, compatible bool // of reference lint: warnings count; what a peer reads otherwise is warned of
	showNested         bool // of reference inspect

	crs, categories, clusters, components, skipComponents, overrides, impactFiles, overrideFor, outputList, limitList, references, filenames cli.StringSlice

	// What the methods check and checkExplain make of them and of the arguments.
	reference string
	inputs    []string
	subject   string // what explain-match is to explain
	failOn    finding.FailOn
	filter    finding.Filter
	limits    limits
	outputs   []output
	impact    *impactRules // nil where none are given
}

// Categories of options, in the order in which they are listed. --help lists only those that are used often, each with what stands before
// the first semicolon of its Usage; --help-all has everything.
const (
	often       = "Options"
	ofText      = "The text report"
	ofComparing = "What is compared"
	ofAccepting = "Accepting deviations"
	rare        = "Rare options"
)

func categories() []string { return []string{often, ofText, ofComparing, ofAccepting, rare} }

// compareFlags are the options of the comparison on the command line.
func (o *options) compareFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "output", Category: often, Aliases: []string{"o"}, Destination: &o.outputList, Usage: "`FORMAT` of the report: " + code.Enumerate(formatNames(), "or") + "; FORMAT=FILE writes it to a file (repeatable); overrides accept what was found, for use with --overrides"},
		&cli.StringFlag{Name: "fail-on", Category: often, Value: "drift,missing", Destination: &o.failOnList, Usage: "`LIST` of what makes the exit status 1 (default: drift,missing); it can have drift, missing, absent, extra, unmatched, referenced and, with --impact, impacting; or is none"},
		&cli.BoolFlag{Name: "summary", Category: often, Destination: &o.summary, Usage: "leave the CRs out of the text, show the summary only"},
		&cli.IntFlag{Name: "context", Category: ofText, Value: 3, Destination: &o.context, Usage: "show `N` lines around a difference (default: 3)"},
		&cli.BoolFlag{Name: "full", Category: often, Destination: &o.full, Usage: "show the whole of every CR with a difference"},
		&cli.BoolFlag{Name: "unified", Category: ofText, Destination: &o.unified, Usage: "show differences below each other instead of side by side"},
		&cli.BoolFlag{Name: "verbose", Category: often, Aliases: []string{"v"}, Destination: &o.verbose, Usage: "say more; list what is only counted else: CRs without findings, unmatched and refused ones, all of a group, warnings for the author of the reference, what was passed over; and tell more of missing CRs"},
		&cli.StringSliceFlag{Name: "cr", Category: often, Destination: &o.crs, Usage: "show only CRs that `SELECTOR` means; it is KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs; verdict and counts stay those of all (repeatable)"},
		&cli.StringSliceFlag{Name: "category", Category: ofText, Destination: &o.categories, Usage: "show only CRs with findings of a `LIST` of drift, missing, extra, expected; missing CRs and broken rules are missing; verdict and counts stay those of all"},
		&cli.BoolFlag{Name: "no-group", Category: ofText, Destination: &o.noGroup, Usage: "show every CR by itself, where several have the same findings too"},
		&cli.BoolFlag{Name: "show-expected", Category: ofText, Destination: &o.showExpected, Usage: "list the expected variations too"},
		&cli.BoolFlag{Name: "show-suppressed", Category: ofText, Destination: &o.showSuppressed, Usage: "list the fields that were left out of the comparison, and what says so; that is the built-in list, a list of the reference, ignore-unspecified-fields, the collector, or an override"},
		&cli.BoolFlag{Name: "show-overridden", Category: ofAccepting, Destination: &o.showOverridden, Usage: "list what overrides accept, with the reasons; it counts as little as without"},
		&cli.BoolFlag{Name: "show-secrets", Category: often, Destination: &o.showSecrets, Usage: "show the data of Secrets in clear"},
		&cli.IntFlag{Name: "width", Category: ofText, Destination: &o.width, Usage: "make the text `N` columns wide (default: the terminal's width; when piped COLUMNS, else that of the terminal of the error stream, else 150)"},
		&cli.StringFlag{Name: "color", Category: ofText, Value: "auto", Destination: &o.color, Usage: "`WHEN` to colour the text: auto (the default), always or never"},
		&cli.BoolFlag{Name: "all-resources", Category: ofText, Aliases: []string{"A"}, Destination: &o.allResources, Usage: "list unmatched CRs of every kind, not only of those the reference has"},
		&cli.StringSliceFlag{Name: "cluster", Category: often, Destination: &o.clusters, Usage: "compare only the clusters that `NAME` means; it is the infrastructure's name, the cluster's id, or a glob (repeatable)"},
		&cli.BoolFlag{Name: "join", Category: ofComparing, Destination: &o.join, Usage: "take all inputs for one cluster, whatever they say of themselves"},
		&cli.IntFlag{Name: "jobs", Category: rare, Destination: &o.jobs, Usage: "read and compare `N` inputs at a time where several are given; the report is the same whatever N is (default: half of the processors)"},
		&cli.StringSliceFlag{Name: "component", Category: often, Destination: &o.components, Usage: "analyse only components that `NAME` means; it is a name, part/component, or a glob (repeatable)"},
		&cli.StringSliceFlag{Name: "skip-component", Category: often, Destination: &o.skipComponents, Usage: "leave out components that `NAME` means; see --component (repeatable)"},
		&cli.StringFlag{Name: "correlation", Category: ofComparing, Destination: &o.correlation, Usage: "`HOW` a CR finds its template: fixed or nearest; fixed means that all fields that the template states must agree, nearest that else the nearest of its kind is taken, which is the default for references in the annotations format"},
		&cli.StringFlag{Name: "diff-config", Category: ofComparing, Aliases: []string{"c"}, Destination: &o.diffConfig, Usage: "`FILE` with manual correlations of CRs and templates"},
		&cli.BoolFlag{Name: "interactive", Category: ofComparing, Destination: &o.interactive, Usage: "ask which template to take where several fit a CR; questions come on the terminal, and in the end the answers can be saved as a diff config"},
		&cli.StringSliceFlag{Name: "overrides", Category: often, Aliases: []string{"p"}, Destination: &o.overrides, Usage: "`FILE` with accepted deviations; repeatable"},
		&cli.StringSliceFlag{Name: "impact", Category: often, Destination: &o.impactFiles, Usage: "`FILE` of rules that say what findings mean to you; the first rule that fits a finding counts (repeatable)"},
		&cli.StringFlag{Name: "override-reason", Category: ofAccepting, Destination: &o.overrideReason, Usage: "with --output overrides, which needs it: `TEXT` that says why the deviations are accepted"},
		&cli.StringSliceFlag{Name: "override-for", Category: ofAccepting, Destination: &o.overrideFor, Usage: "with --output overrides: accept only what `NAME` means; it is a template (a path or a glob), a component, CRs (KIND/NAME or KIND/NAMESPACE/NAME, with globs), or a field of them (KIND/NAME:spec.replicas); repeatable"},
		&cli.StringFlag{Name: "override-expires", Category: ofAccepting, Destination: &o.overrideExpires, Usage: "with --output overrides: the last `DATE` on which the deviations are accepted, such as 2030-01-31"},
		&cli.BoolFlag{Name: "skip-unreadable", Category: often, Destination: &o.skipUnreadable, Usage: "only warn of what of the input cannot be read; CRs that cannot be evaluated, limits and an interrupted run still make the exit status 2"},
		&cli.StringSliceFlag{Name: "limit", Category: rare, Destination: &o.limitList, Usage: "set a limit that protects against hostile input, `NAME=VALUE`, sizes with KiB, MiB or GiB (repeatable; they are listed below)"},
		&cli.BoolFlag{Name: "nested", Category: rare, Destination: &o.nested, Usage: "open archives inside the input's archives and folders even where these hold CRs of their own"},
		&cli.BoolFlag{Name: "no-scan", Category: rare, Hidden: true, Destination: &o.noScan, Usage: "decode every document instead of scanning for identities: a check on the scanner"},
		&cli.StringFlag{Name: "hold", Category: rare, Hidden: true, Destination: &o.hold, Usage: "hold `WHICH` of several inputs until they were read, all or none: a check on letting go of them"},
		&cli.BoolFlag{Name: "timings", Category: rare, Destination: &o.timings, Usage: "say on the error stream, at the end, where the run spent its time and memory"},
		&cli.StringSliceFlag{Name: "reference", Category: rare, Aliases: []string{"r"}, Destination: &o.references, Usage: "`REFERENCE`, instead of the first argument"},
		&cli.StringSliceFlag{Name: "filename", Category: rare, Aliases: []string{"f"}, Destination: &o.filenames, Usage: "`INPUT`, instead of arguments (repeatable, or separated by commas)"},
		&cli.BoolFlag{Name: "recursive", Category: rare, Aliases: []string{"R"}, Destination: &o.recursive, Usage: "accepted for the sake of habit; folders are always read as a whole"},
	}
}

// explainMatchFlags are the options of explain-match: those of the comparison that decide what is compared with what, and those
// of the text.
func (o *options) explainMatchFlags() []cli.Flag {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Category: often, Aliases: []string{"o"}, Value: "text", Destination: &o.output, Usage: "`FORMAT` of the explanation: text (the default), json or yaml"},
		&cli.BoolFlag{Name: "all-candidates", Category: often, Destination: &o.allCandidates, Usage: "show the rendered text and the differences of every candidate, not only of the chosen one"},
		&cli.BoolFlag{Name: "summary", Category: often, Destination: &o.summary, Usage: "leave out the rendered text and the differences"},
		&cli.BoolFlag{Name: "verbose", Category: often, Aliases: []string{"v"}, Destination: &o.verbose, Usage: "list all CRs of a template's kind that are not compared with it"},
	}
	shared := []string{"show-expected", "show-secrets", "width", "color", "component", "skip-component", "correlation", "diff-config", "overrides",
		"cluster", "join", "skip-unreadable", "limit", "nested", "no-scan", "reference", "filename", "recursive"}
	for _, f := range o.compareFlags() {
		if slices.Contains(shared, f.Names()[0]) {
			flags = append(flags, f)
		}
	}
	return flags
}

// check takes in the arguments of a comparison, and checks all options.
func (p *program) check(c *cli.Context, o *options) error {
	if c.NArg() == 0 && !c.IsSet("reference") && !c.IsSet("filename") {
		return p.usageError("a REFERENCE and an INPUT are needed")
	}
	if err := p.sides(o, c.Args().Slice()); err != nil {
		return err
	}
	if err := p.checkShared(c, o, compareValues()); err != nil {
		return err
	}
	var err error
	if o.outputs, err = parseOutputs(o.outputList.Value()); err != nil {
		return p.usageError("--output: %s", err)
	}
	if err := p.checkFilter(o); err != nil {
		return err
	}
	if o.context < 0 {
		return p.usageError("--context is %d; it cannot be negative", o.context)
	}
	if o.failOn, err = finding.ParseFailOn(o.failOnList); err != nil {
		return p.usageError("--fail-on: %s", err)
	}
	switch {
	case c.IsSet("jobs") && o.jobs < 1:
		return p.usageError("--jobs is %d; at least 1 is needed", o.jobs)
	case !slices.Contains([]string{"", "all", "none"}, o.hold):
		return p.usageError("--hold is %q; it can be all or none", o.hold)
	case o.jobs == 0:
		o.jobs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if err := p.checkInteractive(o); err != nil {
		return err
	}
	if o.limits, err = parseLimits(o.limitList.Value()); err != nil {
		return p.usageError("--limit: %s", err)
	}
	if err := p.checkOverrides(c, o); err != nil {
		return err
	}
	if o.failOn.Has("impacting") && len(o.impactFiles.Value()) == 0 {
		return p.usageError("--fail-on impacting needs --impact, whose rules say which findings are impacting")
	}
	o.impact, err = readImpact(o.impactFiles.Value(), o.limits)
	return err
}

// checkFilter reads the options that say which findings are shown.
func (p *program) checkFilter(o *options) error {
	for _, one := range o.crs.Value() {
		s, err := finding.ParseSelector(one)
		if err != nil {
			return p.usageError("--cr %s: %s", one, err)
		}
		o.filter.Selectors = append(o.filter.Selectors, s)
	}
	for _, list := range o.categories.Value() {
		found, err := finding.ParseCategories(list)
		if err != nil {
			return p.usageError("--category: %s", err)
		}
		o.filter.Categories = append(o.filter.Categories, found...)
	}
	if o.filter.IsSet() && !o.writes("text") {
		return p.usageError("--cr and --category are for --output text only; every other format has all findings")
	}
	return nil
}

// checkExplain takes in the arguments of explain-match, and checks all options.
func (p *program) checkExplain(c *cli.Context, o *options) error {
	args, needed := c.Args().Slice(), 3
	for _, option := range []string{"reference", "filename"} {
		if c.IsSet(option) {
			needed--
		}
	}
	if len(args) < needed {
		return p.usageError("explain-match needs a REFERENCE, an INPUT and, as the last argument, what to explain, such as ConfigMap/shop/settings")
	}
	o.subject = args[len(args)-1]
	if err := p.sides(o, args[:len(args)-1]); err != nil {
		return err
	}
	if err := p.checkShared(c, o, explainValues()); err != nil {
		return err
	}
	var err error
	if o.outputs, err = parseOutputs([]string{o.output}); err != nil {
		return p.usageError("--output: %s", err)
	}
	if o.limits, err = parseLimits(o.limitList.Value()); err != nil {
		return p.usageError("--limit: %s", err)
	}
	return nil
}

// sides takes in the reference and the inputs, which stand in arguments or in options.
func (p *program) sides(o *options, args []string) error {
	o.inputs = args
	if refs := o.references.Value(); len(refs) > 0 {
		o.reference = refs[0]
		if len(refs) > 1 {
			return p.usageError("one REFERENCE is needed and %d are given", len(refs))
		}
	} else if len(args) > 0 {
		o.reference, o.inputs = args[0], args[1:]
	}
	o.inputs = append(o.inputs, o.filenames.Value()...)
	if found, err := source.Expand([]string{o.reference}, false); len(found) > 1 {
		return p.usageError("the REFERENCE %s matches %s; name one of them", o.reference, quoted(found))
	} else if err == nil {
		o.reference = found[0]
	}
	switch {
	case o.reference == "":
		return p.usageError("a REFERENCE is needed")
	case len(o.inputs) == 0:
		return p.usageError("an INPUT is needed beside the reference %s", o.reference)
	}
	return nil
}

// checkShared checks the options that commands have in common.
func (p *program) checkShared(c *cli.Context, o *options, values map[string][]string) error {
	for _, name := range []string{"output", "color", "correlation"} {
		if name == "output" && o.output == "" { // a list of them, see parseOutputs
			continue
		}
		if v := c.String(name); c.IsSet(name) && !slices.Contains(values[name], v) {
			return p.usageError("--%s is %q; it can be %s", name, v, code.Enumerate(values[name], "or"))
		}
	}
	if c.IsSet("width") && o.width < text.MinWidth {
		return p.usageError("--width is %d; at least %d columns are needed", o.width, text.MinWidth)
	}
	return nil
}

// checkInteractive checks that there is a terminal to ask on, and that answers do not have to come from where the input
// comes from.
func (p *program) checkInteractive(o *options) error {
	if !o.interactive {
		return nil
	}
	if slices.Contains(o.inputs, "-") {
		return p.usageError("--interactive reads answers from standard input, which cannot be the INPUT too")
	}
	for _, s := range []struct {
		name   string
		stream any
	}{{"standard input", p.io.In}, {"the error stream", p.io.Err}} {
		if !p.isTerminal(s.stream) {
			return fmt.Errorf("%s: --interactive asks on the terminal, and %s is none; in a script use --diff-config", code.NoTerminal, s.name)
		}
	}
	return nil
}

// checkOverrides checks the options that say how overrides are written.
func (p *program) checkOverrides(c *cli.Context, o *options) error {
	if !o.writes(overridesFormat) {
		for _, name := range []string{"override-reason", "override-for", "override-expires"} {
			if c.IsSet(name) {
				return p.usageError("--%s is for --output overrides only", name)
			}
		}
		return nil
	}
	if strings.TrimSpace(o.overrideReason) == "" {
		return p.usageError("--output overrides needs --override-reason, because every report shows why a deviation was accepted")
	}
	if !c.IsSet("override-expires") {
		return nil
	}
	expires := o.overrideExpires
	if _, err := time.Parse(time.DateOnly, expires); err != nil {
		return p.usageError("--override-expires is %q, which is no date; write year-month-day, like 2030-01-31", expires)
	}
	if (refconfig.Override{Expires: expires}).Expired(today()) {
		return p.usageError("--override-expires is %s, which is past: the overrides would not apply", expires)
	}
	return nil
}
