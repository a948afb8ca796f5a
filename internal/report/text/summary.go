package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// summary prints facts about the run as a whole. The least important facts come first, because the
// end of the report stays on the screen.
func (p *printer) summary() {
	p.line(paint(p.palette.quiet, strings.Repeat("-", p.width)))
	text := p.printed((*printer).facts)
	if len(text) == 0 {
		return
	}
	p.line(paint(p.palette.heading, "Summary"))
	p.write(text)
}

// facts prints the content of the summary.
func (p *printer) facts() {
	p.leftOut()
	p.agreed()
	p.suppressed()
	p.accepted()
	if !p.narrowed() {
		p.authorWarnings()
	}
	if len(p.report.Runs) == 1 && !p.narrowed() {
		p.passed()
		p.codes()
	}
	p.unmatched()
	if !p.narrowed() {
		p.validated()
	}
	if p.opt.Verbose {
		p.listed("Left unchecked on purpose (refused by their templates)", p.r.Refused)
	}
	p.referenced()
	if !p.narrowed() {
		p.inputWarnings()
	}
	unclear := func(c code.Code) bool { return c == code.ClusterUnclear }
	clear := func(c code.Code) bool { return c != code.ClusterUnclear }
	p.problems("Archives not read", p.r.NotRead, clear)
	p.problems("Not clear", p.r.Unreadable, unclear)
	p.problems("Not readable", p.r.Unreadable, clear)
	p.problems("Not known", p.r.NotKnown, clear)
	if !p.narrowed() {
		p.figures()
	}
	p.notCollected()
}

// narrowed reports whether the user asks for some CRs only. If so, the facts about the run as a
// whole are only those that make the result unreliable.
func (p *printer) narrowed() bool { return len(p.opt.Filter.Selectors) > 0 }

func (p *printer) section(title string, n int) {
	p.line("  " + paint(p.palette.heading, title) + ": " + decimal(n))
}

// list prints a section with these items about n things, unless there are none. The first line of an
// item is a heading of the others.
func (p *printer) list(title string, n int, items [][]string) {
	if len(items) == 0 {
		return
	}
	p.section(title, n)
	for _, lines := range items {
		for i, l := range lines {
			p.say(4+2*min(i, 1), l)
		}
	}
}

// leftOut names the components that the user excluded.
func (p *printer) leftOut() {
	if n := len(p.r.LeftOut); n > 0 {
		p.say(2, "Left out: "+finding.Plural(n, "component", "components")+": "+strings.Join(p.r.LeftOut, ", "))
	}
}

// agreed lists the fields that two clusters have of their own, with both values.
func (p *printer) agreed() {
	if p.r.Base == nil {
		return
	}
	var items [][]string
	var last finding.Object
	for _, f := range p.r.Base.Fields {
		if !p.opt.Filter.ShowsObject(f.Object) {
			continue
		}
		if f.Object != last {
			items = append(items, []string{f.Object.String()})
			last = f.Object
		}
		of := &items[len(items)-1]
		*of = append(*of, f.Path+" ("+f.Name+"): "+f.Base+" → "+f.Other)
	}
	p.list("Agree although they differ", len(p.r.Base.Fields), items)
}

func differing(fields []string) string {
	switch len(fields) {
	case 0:
		return ""
	case 1:
		return ", differs in its " + fields[0]
	}
	last := len(fields) - 1
	return ", differs in its " + strings.Join(fields[:last], ", ") + " and " + fields[last]
}

// validated counts the CRs that were not compared and only held against schemas, by kind if they are
// invalid, and names those.
func (p *printer) validated() {
	n := p.r.Summary.ValidatedCRs
	if n == 0 {
		return
	}
	counts, items := map[string]int{}, [][]string{}
	last := finding.Object{}
	for _, one := range p.r.InvalidCRs {
		if one.Object != last {
			counts[one.Object.Kind]++
			items = append(items, []string{one.Object.String() + "  " + p.places.Short(one.Source.String())})
		}
		last = one.Object
		items[len(items)-1] = append(items[len(items)-1], one.Message+finding.Note(one.Code))
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		kinds = append(kinds, decimal(counts[kind])+" "+kind)
	}
	said := "none is invalid"
	if len(kinds) > 0 {
		said = decimal(len(items)) + " invalid (" + finding.Some(kinds, unmatchedKinds) + ")"
	}
	if len(items) > invalidNamed && !p.opt.Verbose {
		items, said = items[:invalidNamed], said+"; --verbose lists all"
	}
	p.say(2, "Validated "+finding.Plural(n, "further CR", "further CRs")+", without a template: "+said)
	p.list("Invalid CRs without a template", len(items), items)
}

// invalidNamed is the maximum number of invalid CRs without a template that are named.
const invalidNamed = 10

// unmatchedNamed is the maximum number of unmatched CRs that are named. If there are more, they are
// counted by kind, because a cluster can have hundreds of CRs of a kind.
const unmatchedNamed = 5

// unmatched tells which CRs match no template.
func (p *printer) unmatched() {
	c := p.r.Summary.Objects
	counted, others := p.r.SplitUnmatched()
	all := c.Compared+c.Ignored+c.Copies+c.NotPresent == c.Read
	if c.Unmatched == 0 && c.Compared > 0 && all && !p.r.Lost && !p.narrowed() {
		p.say(2, "No CRs are unmatched")
	} else {
		p.namedOrCounted("Unmatched CRs", c.Unmatched, counted, p.r.UnmatchedKinds)
	}
	if len(others) > 0 {
		p.namedOrCounted("CRs of kinds that the reference does not have", len(others), others, finding.CountKinds(others))
	}
}

// namedOrCounted names a few CRs that match no template, and counts many by kind. list has all n of them,
// or none if the report does not name them.
func (p *printer) namedOrCounted(title string, n int, list []finding.Unmatched, kinds []finding.KindCount) {
	most := unmatchedNamed
	if p.r.Base != nil { // somebody added them
		most = addedNamed
	}
	if p.narrowed() || n == len(list) && (n <= most || p.opt.Verbose) {
		uncompared := make([]finding.Refused, len(list))
		for i, u := range list {
			uncompared[i] = finding.Refused{Object: u.Object, Source: u.Source}
		}
		p.listed(title, uncompared)
		return
	}
	kinds = slices.Clone(kinds)
	slices.SortStableFunc(kinds, func(a, b finding.KindCount) int { return b.Count - a.Count })
	named := map[string]int{}
	for _, k := range kinds {
		named[k.Kind]++
	}
	var said []string
	for _, k := range kinds {
		name := k.Kind
		if named[k.Kind] > 1 {
			name += " (" + k.APIVersion + ")"
		}
		said = append(said, decimal(k.Count)+" "+name)
	}
	p.say(2, title+": "+decimal(n)+" ("+finding.Some(said, unmatchedKinds)+"); --verbose lists them")
}

// addedNamed is the maximum number of CRs that are named because the first of two clusters lacks them.
const addedNamed = 40

// unmatchedKinds is the maximum number of kinds of unmatched CRs that are listed.
const unmatchedKinds = 12

// listed lists CRs that were not compared.
func (p *printer) listed(title string, list []finding.Refused) {
	var items [][]string
	for _, u := range list {
		if !p.opt.Filter.ShowsObject(u.Object) {
			continue
		}
		lines := []string{u.Object.String() + "  " + p.places.Short(u.Source.String())}
		for _, r := range u.Reasons {
			lines = append(lines, r.Template+": "+r.Reason)
		}
		items = append(items, lines)
	}
	p.list(title, len(items), items)
}

func (p *printer) referenced() {
	var items [][]string
	for _, r := range p.r.Referenced {
		if p.opt.Filter.ShowsObject(r.By) {
			line := r.Template + ": " + howReferenced(r.How) + " of " + r.By.String()
			items = append(items, append([]string{line}, proseLines(r.Description)...))
		}
	}
	p.list("Referenced, content not in the input", len(items), items)
}

func howReferenced(how string) string {
	switch how {
	case "ownerReference":
		return "named as the owner"
	case "subject":
		return "named as a subject"
	}
	return how
}

// accepted counts the accepted deviations, or lists them if the user asks for them: the CRs with
// accepted differences, and CRs that would break a rule without an override.
func (p *printer) accepted() {
	overridden, crs, deviations := p.overridden()
	var against [][]string
	for _, a := range p.r.AcceptedCRs {
		is, until := " was not found: ", ""
		if a.Present {
			is = " is there: "
		}
		if a.Expires != "" {
			until = " (until " + a.Expires + ")"
		}
		if p.opt.Filter.MayShowObject(a.Object) {
			against = append(against, []string{a.Object.Stated() + is + a.Reason + until})
		}
	}
	if p.opt.ShowOverridden || p.opt.Verbose {
		p.list("CRs with accepted differences", crs, overridden)
		p.list("CRs accepted against a rule", len(against), against)
	} else if crs += len(against); crs > 0 {
		said := finding.Plural(crs, "CR", "CRs")
		if deviations > 0 || len(overridden) == 0 { // unknown in reports of earlier versions
			said = decimal(deviations+len(against)) + inBrackets(said)
		}
		p.say(2, "Accepted deviations: "+said+"; --show-overridden lists them")
	}
}

// overridden returns the CRs with accepted differences, with those differences if the report has
// them. It also counts both. CRs of one template with the same differences are one item.
func (p *printer) overridden() (items [][]string, crs, deviations int) {
	type block struct {
		first finding.Object
		more  int
		lines []string
	}
	var all []*block
	known := map[string]*block{} // by everything but the names of the CRs
	for _, c := range p.r.Comparisons {
		if c.Override == nil || c.Override.Void || !p.opt.Filter.ShowsObject(c.Object) {
			continue
		}
		crs, deviations = crs+1, deviations+c.Override.Deviations
		lines := []string{strings.Join(c.Override.Reasons, "; ")}
		for _, d := range c.Override.Accepted {
			text := "accepted " + acceptedText(d)
			if len(c.Override.Reasons) > 1 {
				text += inBrackets(d.Reason)
			}
			lines = append(lines, text)
		}
		key := strings.Join(append(slices.Clip(lines), c.Template.Path, c.Object.Kind), "\n")
		if same := known[key]; same != nil {
			same.more++
			continue
		}
		known[key] = &block{first: c.Object, lines: lines}
		all = append(all, known[key])
	}
	for _, one := range all {
		name := one.first.String()
		if one.more > 0 {
			name += " and " + decimal(one.more) + " more"
		}
		one.lines[0] = name + ": " + one.lines[0]
		items = append(items, one.lines)
	}
	return items, crs, deviations
}

// acceptedText formats an accepted difference.
func acceptedText(d finding.Difference) string {
	text := string(d.Category) + " " + d.Path
	if d.Message != "" {
		text += ": " + d.Message
	}
	if _, ok := d.Violation(); ok {
		text += finding.Note(d.Code)
	}
	if d.Reference != nil && !d.Required() {
		text += ", the reference has " + string(d.Reference)
	}
	if d.Input != nil {
		text += ", the CR " + string(d.Input)
	}
	return text
}

// problems lists the problems with one of the codes that are wanted.
func (p *printer) problems(title string, list []refconfig.Problem, wants func(code.Code) bool) {
	var items [][]string
	for _, one := range list {
		if wants(one.Code) {
			items = append(items, []string{problemText(p.places, one)})
		}
	}
	p.list(title, len(items), items)
}

func problemText(names places.Names, p refconfig.Problem) string {
	return names.Short(finding.PlaceText(p.Place)) + ": " + p.Message + finding.Note(p.Code)
}

// passed counts the files that were passed over, by reason: those that are named as YAML or JSON, or
// all with --verbose.
func (p *printer) passed() {
	if len(p.report.Passed) == 0 {
		return
	}
	if said := p.report.PassedOver(p.places.Short); said != "" {
		p.say(2, said)
	}
	if !p.opt.Verbose {
		return
	}
	n := 0
	for _, one := range p.report.Passed {
		n += one.Count
	}
	p.section("Files and documents passed over", n)
	for _, one := range p.report.Passed {
		p.say(4, one.Reason+": "+decimal(one.Count))
	}
}

// authorWarnings prints the warnings that only the author of the reference can correct.
func (p *printer) authorWarnings() {
	list := slice.Filter(p.r.Warnings, finding.Warning.ForAuthor)
	switch {
	case len(list) == 0:
	case p.opt.Verbose:
		p.warnings("Warnings for the author of the reference", list)
	default:
		p.say(2, "Warnings for the author of the reference: "+decimal(len(list))+"; --verbose lists them")
	}
}

// inputWarnings prints the warnings about this result.
func (p *printer) inputWarnings() {
	list := slice.Without(p.r.Warnings, finding.Warning.ForAuthor)
	if len(list) > 0 {
		p.warnings("Warnings", list)
	}
}

// alike is the number of warnings with the same code that are shown at most, unless --verbose is
// set.
const alike = 10

func (p *printer) warnings(title string, list []finding.Warning) {
	p.section(title, len(list))
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && list[end].Code == list[start].Code {
			end++
		}
		shown := p.shown(end-start, alike)
		for _, w := range list[start : start+shown] {
			p.say(4, p.warning(w))
		}
		p.unlisted(4, end-start-shown, " like these ("+string(list[start].Code)+")")
		start = end
	}
}

// notCollected prints commands that collect the CRs that were not found, because the cluster may
// have them.
func (p *printer) notCollected() {
	kinds := slice.Without(p.r.NotCollected, func(k finding.Kind) bool {
		return !p.opt.Filter.MayShowObject(finding.Object{APIVersion: k.APIVersion, Kind: k.Kind})
	})
	if len(kinds) == 0 || p.r.IsBlank() {
		return
	}
	said := "Perhaps not collected: " + finding.Plural(len(kinds), "kind", "kinds") + ". The input may lack CRs"
	if p.r.Lost {
		said += ", or their files could not be read or are empty"
	}
	p.say(2, said+". To know for sure, collect them and give the result as a further input:")
	for _, command := range inspect.CollectCommands(kinds, p.r.Inputs) {
		p.line(spacesOf(4) + escape.Line(command)) // not wrapped, so that it can be pasted
	}
}

// figures prints the numbers of CRs. Zeros are omitted, and the other numbers add up.
func (p *printer) figures() {
	c := p.r.Summary.Objects
	p.say(
		2,
		"Read "+finding.Plural(c.Read, "CR", "CRs")+": "+decimal(c.Compared)+" compared"+finding.Prefixed(", ", finding.Shares(
			finding.Share{N: c.Unmatched, Text: "unmatched"},
			finding.Share{N: len(p.r.Refused), Text: "refused by their templates", One: "refused by its template"},
			finding.Share{N: c.LeftOut, Text: "of components that are left out", One: "of a component that is left out"},
			finding.Share{N: c.Ignored - c.LeftOut - len(p.r.Refused), Text: "of kinds that the reference does not have"},
			finding.Share{N: c.Copies, Text: "further copies", One: "further copy"},
			finding.Share{N: c.NotPresent, Text: "that do not count as present", One: "that does not count as present"},
			finding.Share{
				N: c.Read - c.Compared - c.Unmatched - c.Ignored - c.Copies - c.NotPresent, Text: "not looked at",
			},
		)),
	)
	if c.Compared > 0 {
		p.say(2, "Compared "+finding.Plural(c.Compared, "CR", "CRs")+": "+finding.Shares(
			finding.Share{N: c.Clean, Text: "clean"},
			finding.Share{N: c.Extra, Text: "with extra content only"},
			finding.Share{N: c.Invalid, Text: "invalid without drift"},
			finding.Share{N: c.Drift, Text: "with drift"},
			finding.Share{N: c.Error, Text: "failed"},
		))
		s := p.r.Summary
		p.say(2, "Differences: "+s.Differences.String()+
			finding.Prefixed(", ", finding.Shares(finding.Share{N: s.AcceptedDeviations, Text: "accepted"})))
	}
}

func (p *printer) command() string {
	return cmp.Or(p.opt.Command, finding.ToolName)
}
