package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
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
	unclear := func(one manifest.Problem) bool { return one.Code == code.ClusterUnclear }
	p.problems("Not clear", slices.DeleteFunc(slices.Clone(p.r.Unreadable), func(one manifest.Problem) bool { return !unclear(one) }))
	p.problems("Not readable", slices.DeleteFunc(slices.Clone(p.r.Unreadable), unclear))
	p.problems("Archives not read", p.r.NotRead)
	p.passed()
	p.warnings()
	p.notGathered()
	p.figures()
}

func (p *printer) section(title string, n int) {
	p.line("  " + paint(p.palette.heading, title) + ": " + decimal(n))
}

func (p *printer) missingCRs() {
	var rules []compare.BrokenRule
	n := 0
	for _, b := range p.r.Rules {
		if isMissing(b) {
			rules = append(rules, b)
			n += len(b.Templates)
		}
	}
	if len(rules) == 0 {
		return
	}
	p.section("Missing required CRs", n)
	for _, b := range rules {
		p.rule(b)
	}
}

func (p *printer) brokenRules() {
	rules := otherRules(p.r)
	if len(rules) == 0 {
		return
	}
	p.section("Other broken rules", len(rules))
	for _, b := range rules {
		p.rule(b)
	}
}

// rule prints a broken rule: its component and message, then the templates, with what each is and what comes near it.
func (p *printer) rule(b compare.BrokenRule) {
	name := componentName(b.Component)
	if name == "" {
		name = "(no component)"
	}
	p.say(4, fmt.Sprintf("%s: %s (%s, %s)", name, b.Message, b.Rule, b.Code))
	said := ""
	for _, t := range b.Templates {
		missing := slices.IndexFunc(b.Missing, func(m compare.MissingCR) bool { return m.Template == t })
		line := t.Path
		if missing >= 0 {
			line += ": " + statedID(b.Missing[missing].Object)
		}
		p.say(6, line)
		if t.Description != "" && t.Description != said {
			for _, l := range proseLines(t.Description) {
				p.say(8, l)
			}
			said = t.Description
		}
		if missing >= 0 && b.Missing[missing].Nearest != nil {
			n := b.Missing[missing].Nearest
			p.say(8, "nearest: "+n.Object.String()+differing(n.Differs))
		}
		p.there(8, "there: ", b, t)
	}
	for _, t := range b.There {
		if !slices.Contains(b.Templates, t) {
			p.there(6, "wanted because of "+t.Path+": ", b, t)
		}
	}
}

// thereShown is how many CRs of a template are named that break a rule.
const thereShown = 5

// there names the CRs of a template that break a rule, or make it ask for others.
func (p *printer) there(indent int, label string, b compare.BrokenRule, t *refconfig.Template) {
	all := slices.DeleteFunc(slices.Clone(b.Present), func(one compare.PresentCR) bool { return one.Template != t })
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
func statedID(id manifest.ID) string {
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

func (p *printer) unmatched(title string, list []compare.Unmatched) {
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
			p.say(4, u.Object.String()+"  "+place(u.Source))
			for _, r := range u.Refused {
				p.say(6, r.Template.Path+": "+r.Reason)
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

func sameKind(a, b manifest.ID) bool { return a.APIVersion == b.APIVersion && a.Kind == b.Kind }

func (p *printer) referenced() {
	if len(p.r.Referenced) == 0 {
		return
	}
	p.section("Referenced, content not in the input", len(p.r.Referenced))
	for _, r := range p.r.Referenced {
		p.say(4, r.Template.Path+": "+howReferenced(r.How)+" of "+r.By.String())
		if r.Template.Description != "" {
			for _, l := range proseLines(r.Template.Description) {
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
	var list []*compare.Comparison
	for i := range p.r.Comparisons {
		if p.r.Comparisons[i].Override != nil {
			list = append(list, &p.r.Comparisons[i])
		}
	}
	if len(list) == 0 {
		return
	}
	p.section("Overridden CRs", len(list))
	for _, c := range list {
		p.say(4, c.Object.String()+": "+strings.Join(c.Override.Reasons, "; "))
	}
}

func (p *printer) problems(title string, list []manifest.Problem) {
	if len(list) == 0 {
		return
	}
	p.section(title, len(list))
	for _, one := range list {
		p.say(4, place(one.Place)+": "+one.Message+codeNote(one.Code))
	}
}

// passed counts what of the input was passed over, by reason.
func (p *printer) passed() {
	if len(p.files) == 0 || !p.opt.Verbose {
		return
	}
	n := 0
	for _, one := range p.files {
		n += one.Count
	}
	p.section("Files and documents passed over", n)
	for _, one := range p.files {
		p.say(4, one.Reason+": "+decimal(one.Count))
	}
}

func (p *printer) warnings() {
	_, warnings := sortedWarnings(p.r)
	if len(warnings) == 0 {
		return
	}
	p.section("Warnings", len(warnings))
	for _, w := range warnings {
		p.say(4, warningLine(w))
	}
}

// sortedWarnings sets the alarms among the warnings apart, both in their order.
func sortedWarnings(r *compare.Result) (alarms, warnings []compare.Warning) {
	for _, w := range slices.SortedStableFunc(slices.Values(r.Warnings), compare.CompareWarnings) {
		if code.Alarm(w.Code) {
			alarms = append(alarms, w)
			continue
		}
		warnings = append(warnings, w)
	}
	return alarms, warnings
}

// warningLine is a warning with its place and its code.
func warningLine(w compare.Warning) string {
	return prefixedPlace(w.Place) + w.Message + codeNote(w.Code)
}

func prefixedPlace(place string) string {
	if place == "" {
		return ""
	}
	return place + ": "
}

// notGathered tells how to find out whether what is missing is missing from the cluster.
func (p *printer) notGathered() {
	if len(p.r.NotGathered) == 0 {
		return
	}
	p.section("Maybe not collected", len(p.r.NotGathered))
	var kinds []string
	for _, k := range p.r.NotGathered {
		p.say(4, k.Kind+" ("+orElse(k.APIVersion, "any apiVersion")+")")
		kinds = append(kinds, inspectArgument(k))
	}
	why := "The input holds no CR of " + these(len(kinds)) + "."
	if p.r.Lost {
		why = "The input holds no CR of " + these(len(kinds)) + ", or files of them could not be read or hold none."
	}
	p.say(4, why+" To know for sure, collect and give the result as a further input:")
	p.line(spacesOf(6) + "oc adm inspect --all-namespaces " + visibleLine(strings.Join(kinds, ","))) // unwrapped, to be pasted
}

func these(n int) string {
	if n == 1 {
		return "this kind"
	}
	return "these kinds"
}

// inspectArgument is what the collector takes a kind as: "PtpConfig.v1.ptp.openshift.io".
func inspectArgument(k compare.KindOf) string {
	group, version, hasGroup := strings.Cut(k.APIVersion, "/")
	if !hasGroup {
		return k.Kind
	}
	return k.Kind + "." + version + "." + group
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (p *printer) figures() {
	c := p.r.Counts
	p.say(2, "Read "+plural(c.Read, "CR", "CRs")+": "+strings.Join(p.shares(), ", "))
	p.say(2, fmt.Sprintf("Compared: %d clean, %d with extra content only, %d with drift, %d failed", c.Clean, c.Extra, c.Drift, c.Error))
	p.say(2, "Differences: "+counts(c.Differences))
	if one := p.firstCode(); one != "" {
		p.line("  What a code means: " + p.command() + " explain " + string(one)) // unwrapped, to be pasted
	}
	p.say(2, fmt.Sprintf("Total CRs with drift: %d", c.Drift))
}

// shares tells what became of the CRs that were read. The figures add up.
func (p *printer) shares() []string {
	c, refused := p.r.Counts, len(p.r.Refused)
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
	if p.opt.Command == "" {
		return toolName
	}
	return p.opt.Command
}

// firstCode is a code that the report shows, as an example.
func (p *printer) firstCode() code.Code {
	for _, c := range p.r.Comparisons {
		if c.Err != nil {
			return c.Err.Code
		}
	}
	for _, b := range p.r.Rules {
		return b.Code
	}
	for _, u := range p.r.Unreadable {
		return u.Code
	}
	for _, w := range p.r.Warnings {
		return w.Code
	}
	return ""
}
