package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/baseline"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/limit"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// options are what the user asks for: of a comparison, or of explain-match, which has some of them and allCandidates.
type options struct {
	output, failOnList, baselineFile, filesFrom, color, correlation, diffConfig, overrideReason, overrideExpires string

	context, width, jobs int

	summary, full, unified, verbose, noGroup, showExpected, showOverridden, showSecrets, showSuppressed, allCandidates bool // what is shown

	allResources, join, interactive, skipUnreadable, nested, noScan, timings, recursive, placeholders, wrapped bool

	strict, compatible bool   // of reference lint: warnings count; what a peer reads otherwise is warned of
	showNested         bool   // of reference inspect
	update             bool   // of reference test
	only               string // so too: the fixtures to test

	crs, categories, clusters, components, skipComponents, overrides, impactFiles, overrideFor, outputList, references, filenames []string

	// What the methods check and checkExplain make of them and of the arguments.
	reference string
	inputs    []string
	subject   string // what explain-match is to explain
	failOn    finding.FailOn
	filter    finding.Filter
	limits    limit.Limits
	outputs   []output
	impact    *impactRules    // nil where none are given
	baseline  *baseline.Saved // so too
}

// newOptions returns the options with what they are where they are not given. The limits are those of the invocation.
func (p *program) newOptions() *options {
	return &options{output: "text", failOnList: "drift,missing", color: "auto", context: 3, limits: p.limits}
}

// compareOptions are the options of the comparison on the command line.
func (o *options) compareOptions() []command.Option {
	return []command.Option{
		o.outputOption("; fix=DIR writes the CRs as they should be, with commands that apply them; overrides accept what was found, for use with --overrides", formatNames(false)),
		o.failOnOption("drift,missing"),
		{Name: "baseline", Category: command.OfComparing, Into: &o.baselineFile, Usage: "mark each finding as new, changed or the same since the report that was saved as `FILE` by --output json; see --fail-on"},
		{Name: "summary", Category: command.Often, Into: &o.summary, Usage: "leave the CRs out of the text, show the summary only"},
		{Name: "context", Category: command.OfText, Into: &o.context, Usage: "show `N` lines around a difference (default: 3)"},
		{Name: "full", Category: command.Often, Into: &o.full, Usage: "show the whole of every CR with a difference"},
		{Name: "unified", Category: command.OfText, Into: &o.unified, Usage: "show differences below each other instead of side by side"},
		{Name: "verbose", Short: "v", Category: command.Often, Into: &o.verbose, Usage: "say more; list what is only counted else: CRs without findings, unmatched and refused ones, all of a group, warnings for the author of the reference, what was passed over; and tell more of missing CRs"},
		{Name: "cr", Category: command.Often, Into: &o.crs, Usage: "show only CRs that `SELECTOR` means; it is KIND, KIND/NAME or KIND/NAMESPACE/NAME, with globs; verdict and counts stay those of all (repeatable)"},
		{Name: "category", Category: command.OfText, Into: &o.categories, Usage: "show only CRs with findings of a `LIST` of drift, missing, extra, expected; CRs that were not found and broken rules count as missing; verdict and counts stay those of all"},
		{Name: "no-group", Category: command.OfText, Into: &o.noGroup, Usage: "show every CR by itself, where several have the same findings too"},
		{Name: "show-expected", Category: command.OfText, Into: &o.showExpected, Usage: "list the expected variations too"},
		{Name: "show-suppressed", Category: command.OfText, Into: &o.showSuppressed, Usage: "list the fields that were left out of the comparison, and what says so; that is the built-in list, a list of the reference, ignore-unspecified-fields, the collector, or an override"},
		{Name: "show-overridden", Category: command.OfAccepting, Into: &o.showOverridden, Usage: "list what overrides accept, with the reasons; it counts as little as without"},
		{Name: "show-secrets", Category: command.Often, Into: &o.showSecrets, Usage: "show the data of Secrets in clear"},
		{Name: "width", Category: command.OfText, Into: &o.width, Usage: "make the text `N` columns wide (default: the terminal's width; when piped COLUMNS, else that of the terminal of the error stream, else 150)"},
		{Name: "color", Category: command.OfText, Values: []string{"auto", "always", "never"}, Into: &o.color, Usage: "`WHEN` to colour the text: auto (the default), always or never"},
		{Name: "all-resources", Short: "A", Category: command.OfText, Into: &o.allResources, Usage: "list unmatched CRs of every kind, not only of those the reference has"},
		{Name: "cluster", Category: command.Often, Into: &o.clusters, Usage: "take only the clusters that `NAME` means; it is the infrastructure's name, the cluster's id, or a glob (repeatable)"},
		{Name: "join", Category: command.OfComparing, Into: &o.join, Usage: "take all inputs for one cluster, whatever they say of themselves"},
		{Name: "jobs", Category: command.Rare, Into: &o.jobs, Usage: "read `N` inputs at a time where several are given; the report is the same whatever N is (default: half of the processors)"},
		{Name: "component", Category: command.Often, Into: &o.components, Usage: "analyse only components that `NAME` means; it is a name, part/component, or a glob (repeatable)"},
		{Name: "skip-component", Category: command.Often, Into: &o.skipComponents, Usage: "leave out components that `NAME` means; see --component (repeatable)"},
		{Name: "placeholders", Category: command.OfComparing, Into: &o.placeholders, Usage: "read source CRs: $name, ${NAME}, {{ … }} and {{hub … hub}} stand for values that are set and not known yet; they are drift only where the reference fixes the value"},
		{Name: "wrapped", Category: command.OfComparing, Into: &o.wrapped, Usage: "take the CRs inside of CRs for CRs of the input too: those in a Policy or ConfigurationPolicy of ACM, a ManifestWork, a Template of OpenShift, a SyncSet of Hive, an Object of Crossplane"},
		{Name: "correlation", Category: command.OfComparing, Values: []string{"fixed", "nearest"}, Into: &o.correlation, Usage: "`HOW` a CR finds its template: fixed or nearest; fixed means that all fields that the template states must agree, nearest that else the nearest of its kind is taken, which is the default for references in the annotations format"},
		{Name: "diff-config", Short: "c", Category: command.OfComparing, Into: &o.diffConfig, Usage: "`FILE` with manual correlations of CRs and templates"},
		{Name: "interactive", Category: command.OfComparing, Into: &o.interactive, Usage: "ask which template to take where several fit a CR; questions come on the terminal, and in the end the answers can be saved as a diff config"},
		{Name: "overrides", Short: "p", Category: command.Often, Into: &o.overrides, Usage: "`FILE` with accepted deviations; repeatable"},
		{Name: "impact", Category: command.Often, Into: &o.impactFiles, Usage: "`FILE` of rules that say what findings mean to you; the first rule that fits a finding counts (repeatable)"},
		{Name: "override-reason", Category: command.OfAccepting, Into: &o.overrideReason, Usage: "with --output overrides, which needs it: `TEXT` that says why the deviations are accepted"},
		{Name: "override-for", Category: command.OfAccepting, Into: &o.overrideFor, Usage: "with --output overrides: accept only what `NAME` means; it is a template (a path or a glob), a component, CRs (KIND/NAME or KIND/NAMESPACE/NAME, with globs), or a field of them (KIND/NAME:spec.replicas); repeatable"},
		{Name: "override-expires", Category: command.OfAccepting, Into: &o.overrideExpires, Usage: "with --output overrides: the last `DATE` on which the deviations are accepted, such as 2030-01-31"},
		{Name: "skip-unreadable", Category: command.Often, Into: &o.skipUnreadable, Usage: "only warn of what of the input cannot be read; CRs that cannot be evaluated, limits and an interrupted run still make the exit status 2"},
		{Name: "limit", Category: command.Rare, Values: limit.Values(), Table: limit.Rows(), Into: o.limits.Set, Usage: "set a limit that protects against hostile input, `NAME=VALUE`, sizes with KiB, MiB, GiB or TiB (repeatable; they are listed below)"},
		{Name: "nested", Category: command.Rare, Into: &o.nested, Usage: "open archives inside the input's archives and folders even where these hold CRs of their own"},
		{Name: "no-scan", Category: command.Rare, Hidden: true, Into: &o.noScan, Usage: "decode every document instead of scanning for identities: a check on the scanner"},
		{Name: "timings", Category: command.Rare, Into: &o.timings, Usage: "say on the error stream, at the end, where the run spent its time and memory"},
		{Name: "reference", Short: "r", Category: command.Rare, Into: &o.references, Usage: "`REFERENCE`, instead of the first argument"},
		{Name: "filename", Short: "f", Category: command.Rare, Into: &o.filenames, Usage: "`INPUT`, instead of arguments (repeatable, or separated by commas)"},
		{Name: "recursive", Short: "R", Category: command.Rare, Into: &o.recursive, Usage: "accepted for the sake of habit; folders are always read as a whole"},
	}
}

// outputOption is the option that names the formats of a report, of which more may be said.
func (o *options) outputOption(more string, names []string) command.Option {
	return command.Option{Name: "output", Short: "o", Category: command.Often, Values: names, Into: &o.outputList,
		Usage: "`FORMAT` of the report: " + code.Enumerate(names, "or") + "; FORMAT=FILE writes it to a file, and FORMAT+=FILE adds it to one (repeatable)" + more}
}

// failOnOption is the option that says what makes the exit status 1, which is what otherwise says where it is not given.
func (o *options) failOnOption(otherwise string) command.Option {
	return command.Option{Name: "fail-on", Category: command.Often, Values: finding.FailOnWords(), Into: &o.failOnList,
		Usage: "`LIST` of what makes the exit status 1 (default: " + otherwise + "); it can have drift, missing, absent, extra, unmatched, referenced and, with --impact, impacting; with new, which needs --baseline, only what is new of these counts; or is none"}
}

// explainMatchOptions are the options of explain-match: those of the comparison that decide what is compared with what, and those
// of the text.
func (o *options) explainMatchOptions() []command.Option {
	return append([]command.Option{
		o.formatOption("the explanation", "text", "json", "yaml"),
		{Name: "all-candidates", Category: command.Often, Into: &o.allCandidates, Usage: "show the rendered text and the differences of every candidate, not only of the chosen one"},
		{Name: "summary", Category: command.Often, Into: &o.summary, Usage: "leave out the rendered text and the differences"},
		{Name: "verbose", Short: "v", Category: command.Often, Into: &o.verbose, Usage: "list all CRs of a template's kind that are not compared with it"},
	}, o.shared("show-expected", "show-secrets", "width", "color", "component", "skip-component", "correlation", "diff-config", "overrides",
		"cluster", "join", "placeholders", "wrapped", "skip-unreadable", "limit", "nested", "no-scan", "reference", "filename", "recursive")...)
}

// shared returns options of the comparison that other commands have too, by their names.
func (o *options) shared(names ...string) []command.Option {
	return slices.DeleteFunc(o.compareOptions(), func(one command.Option) bool { return !slices.Contains(names, one.Name) })
}

// check takes in the arguments of a comparison, and checks all options.
func (p *program) check(ctx context.Context, l command.Line, o *options) error {
	if len(l.Args) == 0 && !l.Given["reference"] && !l.Given["filename"] {
		return p.usageError("a REFERENCE and an INPUT are needed")
	}
	if err := p.sides(o, l.Args); err != nil {
		return err
	}
	if err := p.checkWidth(l, o); err != nil {
		return err
	}
	var err error
	if o.outputs, err = parseOutputs(o.outputList); err != nil {
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
	case l.Given["jobs"] && o.jobs < 1:
		return p.usageError("--jobs is %d; at least 1 is needed", o.jobs)
	case o.jobs == 0:
		o.jobs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if err := p.checkInteractive(o); err != nil {
		return err
	}
	if err := p.checkOverrides(l, o); err != nil {
		return err
	}
	if o.failOn.Has("impacting") && len(o.impactFiles) == 0 {
		return p.usageError("--fail-on impacting needs --impact, whose rules say which findings are impacting")
	}
	if o.impact, err = readImpact(o.impactFiles, o.limits); err != nil {
		return err
	}
	if o.failOn.Has("new") && o.baselineFile == "" {
		return p.usageError("--fail-on new needs --baseline, an earlier report that says what is not new")
	}
	return p.readBaseline(ctx, o)
}

// checkFilter reads the options that say which findings are shown.
func (p *program) checkFilter(o *options) error {
	for _, one := range o.crs {
		s, err := finding.ParseSelector(one)
		if err != nil {
			return p.usageError("--cr %s: %s", one, err)
		}
		o.filter.Selectors = append(o.filter.Selectors, s)
	}
	for _, list := range o.categories {
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
func (p *program) checkExplain(l command.Line, o *options) error {
	args := l.Args
	if sides(l) < 3 {
		return p.usageError("explain-match needs a REFERENCE, an INPUT and, as the last argument, what to explain, such as ConfigMap/shop/settings")
	}
	o.subject = args[len(args)-1]
	if err := p.sides(o, args[:len(args)-1]); err != nil {
		return err
	}
	var err error
	if o.outputs, err = parseOutputs([]string{o.output}); err != nil {
		return p.usageError("--output: %s", err)
	}
	return p.checkWidth(l, o)
}

// sides counts the arguments, and the options that stand in place of some.
func sides(l command.Line) int {
	n := len(l.Args)
	for _, name := range []string{"reference", "filename"} {
		if l.Given[name] {
			n++
		}
	}
	return n
}

// sides takes in the reference and the inputs, which stand in arguments or in options.
func (p *program) sides(o *options, args []string) error {
	o.inputs = args
	if refs := o.references; len(refs) > 0 {
		o.reference = refs[0]
		if len(refs) > 1 {
			return p.usageError("one REFERENCE is needed and %d are given", len(refs))
		}
	} else if len(args) > 0 {
		o.reference, o.inputs = args[0], args[1:]
	}
	o.inputs = append(o.inputs, o.filenames...)
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

// checkWidth checks how wide the text is to be.
func (p *program) checkWidth(l command.Line, o *options) error {
	if l.Given["width"] && o.width < text.MinWidth {
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
func (p *program) checkOverrides(l command.Line, o *options) error {
	if !o.writes(overridesFormat) {
		for _, name := range []string{"override-reason", "override-for", "override-expires"} {
			if l.Given[name] {
				return p.usageError("--%s is for --output overrides only", name)
			}
		}
		return nil
	}
	if strings.TrimSpace(o.overrideReason) == "" {
		return p.usageError("--output overrides needs --override-reason, because every report shows why a deviation was accepted")
	}
	if !l.Given["override-expires"] {
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
