package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

// summary prints what is about the run as a whole.
func (p *printer) summary() {
	p.line("")
	p.line(paint(p.palette.quiet, strings.Repeat("-", p.width)))
	p.line(paint(p.palette.heading, "Summary"))
	p.missingCRs()
	p.brokenRules()
	p.unmatched("Unmatched CRs", p.r.Unmatched)
	if p.opt.Verbose {
		p.unmatched("Left unchecked on purpose (refused by their templates)", p.r.Refused)
	}
	p.referenced()
	p.overridden()
	p.acceptedCRs()
	unclear := func(one finding.Problem) bool { return one.Code == code.ClusterUnclear }
	p.problems("Not clear", slices.DeleteFunc(slices.Clone(p.r.Unreadable), func(one finding.Problem) bool { return !unclear(one) }))
	p.problems("Not readable", slices.DeleteFunc(slices.Clone(p.r.Unreadable), unclear))
	p.problems("Archives not read", p.r.NotRead)
	if len(p.report.Runs) == 1 {
		p.passed()
	}
	p.suppressed()
	p.warnings()
	p.notCollected()
	p.figures()
}

func (p *printer) section(title string, n int) {
	p.line("  " + paint(p.palette.heading, title) + ": " + decimal(n))
}

func (p *printer) missingCRs() {
	if p.r.Summary.MissingCRs == 0 {
		return
	}
	p.section("Missing required CRs", p.r.Summary.MissingCRs)
	for _, b := range p.r.Rules {
		if b.IsMissing() {
			p.rule(b)
		}
	}
}

func (p *printer) brokenRules() {
	rules := p.r.OtherRules()
	if len(rules) == 0 {
		return
	}
	p.section("Other broken rules", len(rules))
	for _, b := range rules {
		p.rule(b)
	}
}

// rule prints a broken rule: its component and message, then the templates, with what each is and what comes near it.
func (p *printer) rule(b finding.Rule) {
	p.say(4, fmt.Sprintf("%s: %s (%s, %s)", cmp.Or(b.ComponentName(), "(no component)"), b.Message, b.Rule, b.Code))
	if b.Impact != "" && !b.IsMissing() {
		p.say(6, b.Words())
	}
	said := ""
	for _, t := range b.Templates {
		line, missed := t, b.MissedAs(t)
		if missed != nil {
			line += ": " + statedID(missed.Object)
		}
		p.say(6, line)
		if about := b.About(t); about != "" && about != said {
			for _, l := range proseLines(about) {
				p.say(8, l)
			}
			said = about
		}
		if missed != nil && missed.Impact != "" {
			p.say(8, missed.Words())
		}
		if missed != nil && missed.Nearest != nil {
			p.say(8, "nearest: "+missed.Nearest.Object.String()+differing(missed.Nearest.Differs))
		}
		p.there(8, "there: ", b, t)
	}
	told := slices.Clone(b.Templates)
	for _, one := range b.Present {
		if !slices.Contains(told, one.Template) {
			told = append(told, one.Template)
			p.there(6, "wanted because of "+one.Template+": ", b, one.Template)
		}
	}
}

// thereShown is how many CRs of a template are named that break a rule.
const thereShown = 5

// there names the CRs of a template that break a rule, or make it ask for others.
func (p *printer) there(indent int, label string, b finding.Rule, template string) {
	all := slices.DeleteFunc(slices.Clone(b.Present), func(one finding.Present) bool { return one.Template != template })
	shown := all
	if len(all) > thereShown+1 {
		shown = all[:thereShown]
	}
	for _, one := range shown {
		note := ""
		if one.Referenced {
			note = ", which others refer to"
		}
		p.say(indent, label+statedID(one.Object)+note)
	}
	if more := len(all) - len(shown); more > 0 {
		p.say(indent, fmt.Sprintf("… and %d more", more))
	}
}

// statedID writes an identity as far as a template states it.
func statedID(id finding.Object) string {
	if id.Name == "" {
		id.Name = "*"
	}
	return strings.TrimSuffix(id.String(), " ()")
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

func (p *printer) unmatched(title string, list []finding.Unmatched) {
	if len(list) == 0 {
		return
	}
	p.section(title, len(list))
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && sameKind(list[end].Object, list[start].Object) {
			end++
		}
		shown := list[start:end]
		if len(shown) > unmatchedShown+1 && !p.opt.Verbose {
			shown = shown[:unmatchedShown]
		}
		for _, u := range shown {
			p.say(4, u.Object.String()+"  "+u.Source.String())
			for _, r := range u.Reasons {
				p.say(6, r.Template+": "+r.Reason)
			}
		}
		if more := end - start - len(shown); more > 0 {
			p.say(4, fmt.Sprintf("… and %d more of kind %s (%s); --verbose lists them", more, list[start].Object.Kind, list[start].Object.APIVersion))
		}
		start = end
	}
}

// unmatchedShown is how many unmatched objects of a kind are listed where not all are asked for: a cluster has hundreds
// of some kinds that a reference names once.
const unmatchedShown = 10

func sameKind(a, b finding.Object) bool { return a.APIVersion == b.APIVersion && a.Kind == b.Kind }

func (p *printer) referenced() {
	if len(p.r.Referenced) == 0 {
		return
	}
	p.section("Referenced, content not in the input", len(p.r.Referenced))
	for _, r := range p.r.Referenced {
		p.say(4, r.Template+": "+howReferenced(r.How)+" of "+r.By.String())
		if r.Description != "" {
			for _, l := range proseLines(r.Description) {
				p.say(6, l)
			}
		}
	}
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

func (p *printer) overridden() {
	if p.r.Summary.Objects.Overridden == 0 {
		return
	}
	p.section("Overridden CRs", p.r.Summary.Objects.Overridden)
	for _, c := range p.r.Comparisons {
		if c.Override != nil {
			p.say(4, c.Object.String()+": "+strings.Join(c.Override.Reasons, "; "))
			for _, d := range c.Override.Accepted {
				p.say(6, "accepted "+acceptedText(d))
			}
		}
	}
}

// acceptedText is an accepted difference in a line.
func acceptedText(d finding.Difference) string {
	text := string(d.Category) + " " + d.Path
	if d.Message != "" {
		text += ": " + d.Message
	}
	if d.Reference != nil && !d.Required() {
		text += ", the reference has " + string(d.Reference)
	}
	if d.Input != nil {
		text += ", the CR " + string(d.Input)
	}
	return text + " (" + d.Reason + ")"
}

// acceptedCRs tells of CRs that would break a rule.
func (p *printer) acceptedCRs() {
	if len(p.r.AcceptedCRs) == 0 {
		return
	}
	p.section("Accepted CRs that rules are about", len(p.r.AcceptedCRs))
	for _, a := range p.r.AcceptedCRs {
		is := " is missing: "
		if a.Present {
			is = " is there: "
		}
		until := ""
		if a.Expires != "" {
			until = " (until " + a.Expires + ")"
		}
		p.say(4, statedID(a.Object)+is+a.Reason+until)
	}
}

func (p *printer) problems(title string, list []finding.Problem) {
	if len(list) == 0 {
		return
	}
	p.section(title, len(list))
	for _, one := range list {
		p.say(4, one.Place()+": "+one.Message+finding.Note(one.Code))
	}
}

// passed counts what of the input was passed over, by reason.
func (p *printer) passed() {
	if len(p.report.Passed) == 0 || !p.opt.Verbose {
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

func (p *printer) warnings() {
	if len(p.r.Warnings) == 0 {
		return
	}
	p.section("Warnings", len(p.r.Warnings))
	for _, w := range p.r.Warnings {
		p.say(4, w.String())
	}
}

// notCollected tells how to find out whether what is missing is missing from the cluster.
func (p *printer) notCollected() {
	if len(p.r.NotCollected) == 0 {
		return
	}
	p.section("Maybe not collected", len(p.r.NotCollected))
	var kinds []string
	namespaces := false // inspected, all that is in them would be collected, logs too
	for _, k := range p.r.NotCollected {
		p.say(4, k.Kind+" ("+cmp.Or(k.APIVersion, "any apiVersion")+")")
		if k == (finding.Kind{APIVersion: "v1", Kind: "Namespace"}) {
			namespaces = true
			continue
		}
		kinds = append(kinds, inspectArgument(k))
	}
	why := "The input holds no CR of " + these(len(p.r.NotCollected)) + "."
	if p.r.Lost {
		why = "The input holds no CR of " + these(len(p.r.NotCollected)) + ", or files of them could not be read or hold none."
	}
	p.say(4, why+" To know for sure, collect and give the result as a further input:")
	if len(kinds) > 0 {
		p.line(spacesOf(6) + "oc adm inspect --all-namespaces " + visible.Line(strings.Join(kinds, ","))) // unwrapped, to be pasted
	}
	if namespaces {
		p.line(spacesOf(6) + "oc get namespaces -o yaml > namespaces.yaml")
	}
}

func these(n int) string {
	if n == 1 {
		return "this kind"
	}
	return "these kinds"
}

// inspectArgument is what the collector takes a kind as: "PtpConfig.v1.ptp.openshift.io".
func inspectArgument(k finding.Kind) string {
	group, version, hasGroup := strings.Cut(k.APIVersion, "/")
	if !hasGroup {
		return k.Kind
	}
	return k.Kind + "." + version + "." + group
}

func (p *printer) figures() {
	c := p.r.Summary.Objects
	p.say(2, "Read "+finding.Plural(c.Read, "CR", "CRs")+": "+strings.Join(p.shares(), ", "))
	p.say(2, fmt.Sprintf("Compared: %d clean, %d with extra content only, %d with drift, %d failed", c.Clean, c.Extra, c.Drift, c.Error))
	p.say(2, "Differences: "+p.r.Summary.Differences.String())
	if one := p.firstCode(); one != "" {
		p.line("  What a code means: " + p.command() + " explain " + string(one)) // unwrapped, to be pasted
	}
	p.say(2, fmt.Sprintf("Total CRs with drift: %d", c.Drift))
}

// shares tells what became of the CRs that were read. The figures add up.
func (p *printer) shares() []string {
	c, refused := p.r.Summary.Objects, len(p.r.Refused)
	said := []string{decimal(c.Compared) + " compared"}
	for _, share := range []struct {
		n    int
		text string
	}{
		{c.Unmatched, "unmatched"}, {refused, "refused by their templates"}, {c.Ignored - refused, "of other kinds than the reference has"},
		{c.Copies, "further copies"}, {c.Read - c.Compared - c.Unmatched - c.Ignored - c.Copies, "not looked at"},
	} {
		if share.n > 0 {
			said = append(said, decimal(share.n)+" "+share.text)
		}
	}
	return said
}

func (p *printer) command() string {
	return cmp.Or(p.opt.Command, finding.ToolName)
}

// firstCode is a code that the report shows, as an example.
func (p *printer) firstCode() code.Code {
	for _, c := range p.r.Comparisons {
		if c.Error != nil {
			return c.Error.Code
		}
	}
	for _, b := range p.r.Rules {
		return b.Code
	}
	for _, u := range p.r.Unreadable {
		return u.Code
	}
	all := slices.SortedFunc(slices.Values(slices.Concat(p.r.Alarms, p.r.Warnings)), finding.CompareWarnings)
	for _, w := range all {
		return w.Code
	}
	return ""
}
