package text

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
)

// grouping says how CRs are shown.
func (p *printer) grouping() finding.Grouping {
	return finding.Grouping{
		Filter:   p.opt.Filter,
		Single:   p.opt.NoGroup,
		Expected: p.opt.ShowExpected,
		Alike:    !p.report.FailOn.Has(finding.FailOnExtra),
		Missing:  !p.opt.Verbose,
	}
}

// table is the layout of the overview.
type table struct {
	component, text int
	names           map[string]string // the names of components to show
	files           map[string]string // the names of templates to show
}

// overview prints the lines of the overview and returns them.
func (p *printer) overview() []finding.Entry {
	all := p.entries(p.grouping())
	below := present(p.asBefore(), p.hidden(all), p.r.Unlisted())
	if len(all)+len(below) == 0 {
		return nil
	}
	p.line("")
	if len(all) > 0 {
		const title = "Overview"
		for i, l := range p.ruler.paragraph(title+"  "+strings.Join(legendOf(all), ", "), p.width, 0, 2) {
			if i == 0 {
				l = paint(p.palette.heading, title) + l[len(title):]
			}
			p.line(l)
		}
	}
	t := p.tableOf(all)
	for _, e := range all {
		p.entry(t, e)
	}
	for _, said := range below {
		p.say(0, said)
	}
	return all
}

// legendOf explains those words and marks of an overview that do not explain themselves.
func legendOf(all []finding.Entry) []string {
	said := make([]string, 4)
	for _, e := range all {
		switch {
		case e.Class == finding.ClassWanted:
			said[0] = "REQUIRED: because of other CRs"
		case e.Class == finding.ClassPerhapsBroken:
			said[1] = "RULE?: perhaps broken"
		case e.Class == finding.ClassNotCollected:
			said[2] = "NOT FOUND?: perhaps not collected"
		case e.More > 0:
			said[3] = "+N: further findings of the CR"
		}
	}
	return present(said...)
}

// entries returns the lines of the overview, the most important last, above the verdict. They omit
// extra content as in Run.IsAside. They also omit findings that are about neither a compared CR nor
// a rule, because the summary lists these.
func (p *printer) entries(how finding.Grouping) []finding.Entry {
	all := slices.DeleteFunc(p.r.Entries(how, p.report.FailOn), func(e finding.Entry) bool {
		return e.Rule == "" && len(e.Group) == 0 || p.r.IsAside(e, p.report.FailOn, p.opt.Filter)
	})
	slices.SortStableFunc(all, func(a, b finding.Entry) int { return b.Compare(a) })
	return all
}

// tableOf returns the layout for entries. The columns of words and components are as wide as their
// content, but that of components takes at most a fifth of the width. A narrow overview has no
// column for components.
func (p *printer) tableOf(all []finding.Entry) table {
	var components, files []string
	for _, e := range all {
		components = append(components, e.Template.ComponentName())
		for _, m := range e.Missing {
			files = append(files, m.Template.Path)
		}
	}
	slices.Sort(components)
	t := table{names: shortNames(slices.Compact(components)), files: shortNames(files)}
	word, component := 0, 0
	for _, e := range all {
		word = max(word, len(e.Word()))
	}
	for _, name := range t.names {
		component = max(component, p.ruler.width(escape.Line(name)))
	}
	t.component = word + 2
	t.text = t.component
	if p.width >= componentsLeast && component > 0 {
		t.text += min(component, p.width/5) + 2
	}
	return t
}

// shortNames returns the last part of each name, or the whole name if another one has the same last
// part.
func shortNames(all []string) map[string]string {
	n, names := map[string]int{}, map[string]string{}
	for _, name := range all {
		n[path.Base(name)]++
	}
	for _, name := range all {
		if names[name] = name; name != "" && n[path.Base(name)] == 1 {
			names[name] = path.Base(name)
		}
	}
	return names
}

// componentsLeast is the minimum width of an overview with a column of components.
const componentsLeast = 100

// entry prints a line of the overview. The component and the text wrap in their columns.
func (p *printer) entry(t table, e finding.Entry) {
	subject, said := e.Describe(func(template string) string { return t.files[template] })
	name, text := escape.Line(t.names[e.Template.ComponentName()]), subject+said
	var names []piece
	if width := t.text - t.component - 2; width > 0 {
		names = p.ruler.wrap(name, width, width, cutName)
	} else if name != "" {
		text += "  in " + name
	}
	lines := p.ruler.paragraph(text, p.width, t.text, t.text)
	rest := escape.Text(subject) // the part of the subject that is on further lines
	for i := range max(len(names), len(lines)) {
		before, after := "", ""
		if i < len(names) {
			before = name[names[i].start:names[i].end]
		}
		before += spacesOf(t.text - t.component - p.ruler.width(before))
		if i < len(lines) {
			after = lines[i][t.text:]
		}
		head := commonStart(after, rest)
		rest = strings.TrimLeft(rest[len(head):], " ")
		after = paint(p.palette.heading, head) + after[len(head):]
		if i == 0 {
			before = paint(p.style(e), e.Word()) + spacesOf(t.component-len(e.Word())) + before
		} else {
			before = spacesOf(t.component) + before
		}
		p.line(before + after)
	}
	if p.opt.Verbose {
		p.more(t.text, e)
	}
}

// commonStart returns the text that is a prefix of the other one, or "".
func commonStart(a, b string) string {
	if n := min(len(a), len(b)); a[:n] == b[:n] {
		return a[:n]
	}
	return ""
}

// style returns the style of an entry's word.
func (p *printer) style(e finding.Entry) *color.Color {
	switch e.Class {
	case finding.ClassError, finding.ClassNotCollected, finding.ClassPerhapsBroken:
		return p.palette.unsure
	case finding.ClassExtra:
		return p.palette.info
	}
	return p.palette.bad
}

// more prints the missing CRs, the templates and the description of an entry that has no block of
// its own.
func (p *printer) more(indent int, e finding.Entry) {
	for _, m := range e.Missing {
		if len(e.Missing) > 1 {
			p.say(indent, m.Subject())
		}
		p.say(indent, "template "+m.Template.Path)
	}
	if e.Class.IsRule() && e.Broken != nil && len(e.Broken.Templates) > 0 {
		p.say(indent, "templates "+strings.Join(e.Broken.Templates, ", "))
	}
	if len(e.Group) == 0 {
		for _, l := range proseLines(e.About) {
			p.say(indent, l)
		}
	}
}

// asBefore counts the findings that are not listed because the baseline has them.
func (p *printer) asBefore() string {
	said := p.opt.Filter.AsBefore(p.r)
	if said == "" || p.opt.Filter.AskedNew {
		return said
	}
	return said + "; --verbose shows them"
}

// hidden describes what the filters hide from the overview, or returns "".
func (p *printer) hidden(shown []finding.Entry) string {
	if !p.opt.Filter.IsSet() {
		return ""
	}
	how := p.grouping()
	how.Filter = finding.Filter{OnlyNew: p.opt.Filter.OnlyNew} // what is as before has a line of its own
	crs, missing, rules := counted(p.entries(how))
	shownCRs, shownMissing, shownRules := counted(shown)
	var said []string
	warnings, shownWarnings := len(p.r.Warnings), len(p.r.Warnings)
	if p.narrowed() {
		shownWarnings = 0
	}
	for _, one := range []struct {
		all, shown int
		one, many  string
	}{
		{crs, shownCRs, "CR with findings", "CRs with findings"},
		{missing, shownMissing, "CR not found", "CRs not found"},
		{rules, shownRules, "broken rule", "broken rules"},
		{warnings, shownWarnings, "warning", "warnings"},
	} {
		if one.all > one.shown {
			said = append(said, decimal(one.all-one.shown)+" of "+finding.Plural(one.all, one.one, one.many))
		}
	}
	return finding.Prefixed("Hidden by "+p.filters()+": ", strings.Join(said, ", "))
}

// filters names the options that hide something.
func (p *printer) filters() string {
	switch {
	case len(p.opt.Filter.Categories) == 0 && !p.opt.Filter.AskedNew:
		return "--cr"
	case len(p.opt.Filter.Selectors) == 0:
		return "--category"
	}
	return "--cr and --category"
}

// counted counts the CRs with findings, the missing CRs and the broken rules of entries.
func counted(all []finding.Entry) (crs, missing, rules int) {
	for _, e := range all {
		crs += len(e.Group)
		missing += len(e.Missing)
		if e.Class.IsRule() {
			rules++
		}
	}
	return crs, missing, rules
}

// next prints the command that tells more about a cluster, if there is one.
func (p *printer) next(entries []finding.Entry) {
	var worst finding.Entry
	if len(entries) > 0 {
		worst = slices.MinFunc(entries, finding.Entry.Compare)
	}
	wrong := slices.IndexFunc(p.r.Alarms, finding.Warning.DoubtsReference)
	switch {
	case wrong >= 0:
		p.nextReference(p.r.Alarms[wrong])
	case len(p.r.Unreadable) > 0:
		p.nextExplain(p.r.Unreadable[0].Code)
	case slices.ContainsFunc(p.r.Alarms, func(a finding.Warning) bool { return a.Code == code.HalfArchive }):
		p.say(0, "Next, give the whole archive, or the part that it lacks as a further input")
	case p.r.Summary.Verdict == finding.Incomplete && len(p.r.NotKnown) > 0:
		p.nextExplain(p.r.NotKnown[0].Code)
	case len(entries) == 0:
	case worst.Class == finding.ClassError, worst.Class.IsRule():
		p.nextExplain(worst.Code)
	case len(worst.Group) > 0 && p.opt.Summary:
		p.nextCommand("to see what differs", p.again("--cr", worst.Object.Selector()))
	case len(worst.Group) > 0:
		p.nextCommand("to see the whole CR", p.again("--full", "--cr", worst.Object.Selector()))
	default:
		if command := p.again(escape.ExplainMatch); command != "" {
			command += " " + escape.ShellWord(worst.Missing[0].Template.Path)
			p.nextCommand("to see the CR to create and what is near", command)
		}
	}
}

// nextOfAll prints the command that tells more about several clusters. If parts of the worst
// cluster's input could not be read, the command explains that; else it explains that the reference
// is wrong, if an alarm says so; else it shows the worst cluster alone.
func (p *printer) nextOfAll(worst *finding.Run, alarms []finding.Warning) {
	wrong := slices.IndexFunc(alarms, finding.Warning.DoubtsReference)
	switch p.r = worst; {
	case len(worst.Unreadable) > 0:
		p.nextExplain(worst.Unreadable[0].Code)
	case wrong >= 0:
		p.nextReference(alarms[wrong])
	case worst.Summary.Verdict == finding.Incomplete && len(worst.NotKnown) > 0:
		p.nextExplain(worst.NotKnown[0].Code)
	case worst.Summary.Verdict != finding.Compliant || worst.ExitStatus(p.report.FailOn) > 0:
		p.nextCommand("to see one cluster", p.again())
	}
}

// nextReference prints how to compare with the reference that an alarm wants: the command, if the
// path of the reference shows its release.
func (p *printer) nextReference(alarm finding.Warning) {
	command := ""
	if path := otherRelease(p.report.Reference.Path, alarm.Release); path != "" {
		command = escape.Again(p.report, p.r, path)
	}
	switch reference := p.report.Reference.Path; {
	case alarm.Code == code.FewRequired && reference != "":
		p.nextCommand("to see what the reference requires", "inspect "+escape.ShellWord(escape.Operand(reference)))
	case alarm.Release == "":
		p.nextExplain(alarm.Code)
	case alarm.Command != "":
		p.line("Next, get the reference for " + alarm.Release + ": " + escape.Line(alarm.Command))
	case command != "":
		p.nextCommand("with the reference for "+alarm.Release+", if it is there", command)
	default:
		p.say(0, "Next, get the reference for "+alarm.Release+", such as the branch release-"+alarm.Release+
			" of its repository, and compare again")
	}
}

// otherRelease returns a path with another release in place of the one that it names; "" if it names
// none, or several.
func otherRelease(path, release string) string {
	major, _, _ := strings.Cut(release, ".")
	named := regexp.MustCompile(`[0-9]+(\.[0-9]+)+`).FindAllString(path, -1)
	isOther := func(name string) bool {
		return name != named[0] || !strings.HasPrefix(name, major+".") ||
			strings.Count(name, ".") != strings.Count(release, ".")
	}
	if release == "" || len(named) == 0 || slices.ContainsFunc(named, isOther) {
		return ""
	}
	return strings.ReplaceAll(path, named[0], release)
}

func (p *printer) nextExplain(c code.Code) {
	p.nextCommand("what "+string(c)+" means", "explain "+string(c))
}

// nextCommand prints a command. The line is not wrapped, so that it can be pasted.
func (p *printer) nextCommand(why, command string) {
	if command != "" {
		p.line("Next, " + why + ": " + p.command() + " " + escape.Line(command))
	}
}

// again returns a command with words that reads the cluster's input again, or "".
func (p *printer) again(words ...string) string {
	return escape.Again(p.report, p.r, p.report.Reference.Path, words...)
}
