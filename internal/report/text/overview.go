package text

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

// grouping says how CRs are shown.
func (p *printer) grouping() finding.Grouping {
	return finding.Grouping{Filter: p.opt.Filter, Single: p.opt.NoGroup, Expected: p.opt.ShowExpected}
}

// table is the layout of the overview: where its columns begin.
type table struct {
	component, text int
	names           map[string]string // of components, as they are shown
	files           map[string]string // of templates, as they are shown
}

// overview prints a line for each CR or group of CRs with findings, each missing CR and each broken rule, and returns them.
func (p *printer) overview() []finding.Entry {
	extra := p.report.FailOn.Has("extra")
	all := p.r.Overview(p.grouping(), extra)
	hidden := p.hidden(all, extra)
	if len(all) == 0 && hidden == "" {
		return nil
	}
	p.line("")
	title := "Overview"
	if slices.ContainsFunc(all, func(e finding.Entry) bool { return e.Word == finding.WordUnseen }) {
		title += " (MISSING? may not have been collected)"
	}
	p.line(paint(p.palette.heading, title))
	t := p.tableOf(all)
	for _, e := range all {
		p.entry(t, e)
	}
	if hidden != "" {
		p.say(0, hidden)
	}
	return all
}

// tableOf is the layout that entries need. The columns of words and components are as wide as what is in them, but no component widens its
// column to more than a sixth of the width.
func (p *printer) tableOf(all []finding.Entry) table {
	t := table{names: map[string]string{}, files: map[string]string{}}
	components, templates := map[string]int{}, map[string]int{}
	for _, e := range all {
		if _, known := t.names[e.Component]; !known {
			t.names[e.Component] = path.Base(e.Component)
			components[path.Base(e.Component)]++
		}
		for _, m := range e.Missing {
			t.files[m.Template] = path.Base(m.Template)
			templates[path.Base(m.Template)]++
		}
	}
	for full, short := range t.files {
		if templates[short] > 1 {
			t.files[full] = full
		}
	}
	word, component := 0, 0
	for full, short := range t.names {
		if full == "" {
			t.names[full] = ""
		} else if components[short] > 1 {
			t.names[full] = full
		}
		component = max(component, p.ruler.width(visible.Line(t.names[full])))
	}
	for _, e := range all {
		word = max(word, len(e.Word))
	}
	t.component = word + 2
	t.text = t.component + min(component, p.width/6) + 2
	return t
}

// narrow is a width in which what does not fit into a line of the overview goes on below the component.
const narrow = 100

// entry prints a line of the overview. What does not fit goes on below its text.
func (p *printer) entry(t table, e finding.Entry) {
	subject, said := p.told(t, e)
	said += rated(e)
	hang := t.text
	if p.width < narrow {
		hang = t.component + 2
	}
	name := visible.Line(t.names[e.Component])
	text, at := subject+said, max(t.text, t.component+p.ruler.width(name)+2)
	if at > p.width/2 { // a component that is too long for a column of its own begins the text
		name, text, at = "", name+"  "+text, t.component
	}
	name += spacesOf(at - t.component - p.ruler.width(name))
	text = p.fitting(text, t, e, p.width-at)
	for i, l := range p.ruler.paragraph(text, p.width, at, hang) {
		if i > 0 {
			p.line(l)
			continue
		}
		before, after, found := strings.Cut(l[at:], subject)
		if found {
			before += paint(p.palette.heading, subject)
		}
		p.line(paint(p.wordStyle(e.Word), string(e.Word)) + spacesOf(t.component-len(e.Word)) + name + before + after)
	}
	if p.opt.Verbose {
		p.more(hang, e)
	}
}

// fitting leaves the template of a missing CR whose name is known out of a line that fits only without it. --verbose has both.
func (p *printer) fitting(text string, t table, e finding.Entry, room int) string {
	if len(e.Missing) != 1 || strings.Contains(missedName(e.Missing[0]), "*") || p.ruler.width(visible.Line(text)) <= room {
		return text
	}
	if short := strings.Replace(text, " ("+t.files[e.Missing[0].Template]+")", "", 1); p.ruler.width(visible.Line(short)) <= room {
		return short
	}
	return text
}

func (p *printer) wordStyle(w finding.Word) *color.Color {
	switch w {
	case finding.WordFailed, finding.WordUnseen:
		return p.palette.unsure
	case finding.WordExtra:
		return p.palette.info
	}
	return p.palette.bad
}

// told is what an entry says: the CR that it is about, and what there is to say about it.
func (p *printer) told(t table, e finding.Entry) (subject, said string) {
	switch e.Word {
	case finding.WordRule:
		return e.Rule.Message, " (" + e.Rule.Rule + ", " + string(e.Rule.Code) + ")" + prefixed(": ", breakers(e.Rule))
	case finding.WordMissing, finding.WordWanted:
		m := e.Missing[0]
		return missedName(m), " (" + t.files[m.Template] + ")" + because(e) + nearest(m)
	case finding.WordUnseen:
		if len(e.Missing) == 1 {
			m := e.Missing[0]
			return missedName(m), " (" + t.files[m.Template] + ")" + because(e)
		}
		var kinds []string
		for _, m := range e.Missing {
			if !slices.Contains(kinds, m.Object.Kind) {
				kinds = append(kinds, m.Object.Kind)
			}
		}
		return decimal(len(e.Missing)) + " CRs", ": " + strings.Join(kinds, ", ") + because(e)
	}
	said = "  " + e.Finding
	if e.More > 0 {
		said += "  +" + decimal(e.More)
	}
	return groupName(e.Group), said
}

// rated says what an entry means to the user, where rules of the user say so. The blocks of CRs have it in full.
func rated(e finding.Entry) string {
	switch {
	case e.Impact() == "":
		return ""
	case len(e.Group) > 0:
		return "  " + strings.ToUpper(string(e.Impact()))
	case e.Word == finding.WordRule:
		return "; " + e.Rule.Rating.Words()
	case len(e.Missing) == 1:
		return "; " + e.Missing[0].Words()
	}
	return "; " + strings.ToUpper(string(e.Impact()))
}

// groupName names the CRs of a group: "SriovNetwork sriov/net-001 and 119 more".
func groupName(g finding.Group) string {
	name := g.First().Object.Short()
	if n := len(g) - 1; n > 0 {
		name += " and " + decimal(n) + " more"
	}
	return name
}

// missedName is the identity of a missing CR, as far as its template states it.
func missedName(m finding.Missed) string {
	return cmp.Or(m.Object.Short(), "a CR")
}

// breakers names the CRs that break a rule, or else the templates of which none is there.
func breakers(b *finding.Rule) string {
	var names []string
	for _, one := range b.Present {
		names = append(names, one.Object.Short())
	}
	if len(names) == 0 {
		names = b.Templates
	}
	return some(names, thereShown)
}

// thereShown is how many CRs are named that break a rule, or make it ask for others.
const thereShown = 5

// because tells the CRs that are the reason why a rule asks for others.
func because(e finding.Entry) string {
	var names []string
	for _, one := range e.Rule.Reasons() {
		name := one.Object.Short()
		if one.Referenced {
			name += ", which others refer to"
		}
		names = append(names, name)
	}
	verb := ", wanted because of "
	if e.Word == finding.WordWanted {
		verb = ", because of "
	}
	return prefixed(verb, some(names, thereShown))
}

// some names as many things as given, or one more, and counts the rest.
func some(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", … and " + decimal(len(names)-most) + " more"
}

// nearest tells which CR comes near a missing one.
func nearest(m finding.Missed) string {
	if m.Nearest == nil {
		return ""
	}
	return "; nearest: " + m.Nearest.Object.Short()
}

// more tells what the reference says about an entry that no block tells of, and which CRs it stands for.
func (p *printer) more(indent int, e finding.Entry) {
	if e.Rule == nil {
		return
	}
	for _, m := range e.Missing {
		if len(e.Missing) > 1 {
			p.say(indent, missedName(m))
		}
		p.say(indent, "template "+m.Template)
	}
	if e.Word == finding.WordRule {
		p.say(indent, "templates "+strings.Join(e.Rule.Templates, ", "))
	}
	if about := e.About(); about != "" {
		for _, l := range proseLines(about) {
			p.say(indent, l)
		}
	}
}

// hidden says what the filters hide of the overview, "" for nothing.
func (p *printer) hidden(shown []finding.Entry, extra bool) string {
	if !p.opt.Filter.IsSet() {
		return ""
	}
	how := p.grouping()
	how.Filter = finding.Filter{}
	crs, missing, rules := counted(p.r.Overview(how, extra))
	shownCRs, shownMissing, shownRules := counted(shown)
	var said []string
	for _, one := range []struct {
		all, shown int
		what       string
	}{{crs, shownCRs, "CRs with findings"}, {missing, shownMissing, "missing CRs"}, {rules, shownRules, "broken rules"}} {
		if one.all > one.shown {
			said = append(said, decimal(one.all-one.shown)+" of "+decimal(one.all)+" "+one.what)
		}
	}
	return prefixed("Hidden by --cr and --category: ", strings.Join(said, ", "))
}

// counted is how many CRs with findings, missing CRs and broken rules entries are about.
func counted(all []finding.Entry) (crs, missing, rules int) {
	for _, e := range all {
		crs += len(e.Group)
		missing += len(e.Missing)
		if e.Word == finding.WordRule {
			rules++
		}
	}
	return crs, missing, rules
}

// next says which command tells more, where there is one. It is not wrapped, so that it can be pasted.
func (p *printer) next(entries []finding.Entry) {
	why, command := "", ""
	explain := func(c code.Code) { why, command = "what "+string(c)+" means", "explain "+string(c) }
	switch {
	case len(p.r.Unreadable) > 0:
		explain(p.r.Unreadable[0].Code)
	case len(entries) == 0:
	case entries[0].Word == finding.WordFailed:
		explain(entries[0].Group.First().Error.Code)
	case entries[0].Word == finding.WordRule:
		explain(entries[0].Rule.Code)
	case len(entries[0].Group) > 0:
		why, command = "to see why", p.explainMatch(entries[0].Group.First().Object.Selector())
	default:
		why, command = "to see what is near", p.explainMatch(entries[0].Missing[0].Template)
	}
	if command != "" {
		p.line("Next, " + why + ": " + p.command() + " " + visible.Line(command))
	}
}

// explainMatch is the command that explains a CR or a template of this run; "" where the input cannot be read again.
func (p *printer) explainMatch(what string) string {
	if p.report.Reference.Path == "" {
		return ""
	}
	words := []string{"explain-match"}
	if len(p.report.Runs) > 1 && p.r.Cluster.Name != "" {
		words = append(words, "--cluster", quoted(p.r.Cluster.Name))
	}
	words = append(words, quoted(p.report.Reference.Path))
	for _, in := range p.r.Inputs {
		if in.Path == "-" {
			return ""
		}
		words = append(words, quoted(in.Path))
	}
	return strings.Join(append(words, quoted(what)), " ")
}

// quoted is a word as a shell takes it for one.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:@%+=,-", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
