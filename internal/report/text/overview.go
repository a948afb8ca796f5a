package text

import (
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
	return finding.Grouping{
		Filter:   p.opt.Filter,
		Single:   p.opt.NoGroup,
		Expected: p.opt.ShowExpected,
		Alike:    !p.report.FailOn.Has(finding.FailOnExtra),
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
	hidden := p.hidden(all)
	if p.isBlank() {
		var unlisted string
		if all, unlisted = finding.WithoutMissing(all); unlisted != "" {
			hidden = unlisted + "; --verbose lists them"
		}
	}
	if len(all) == 0 && hidden == "" {
		return nil
	}
	p.line("")
	title := "Overview"
	if slices.ContainsFunc(all, func(e finding.Entry) bool { return e.Class == finding.ClassNotCollected }) {
		title += " (NOT FOUND? perhaps not collected)"
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

// entries returns the lines of the overview. The summary lists the findings that are about no
// compared CR and no rule.
func (p *printer) entries(how finding.Grouping) []finding.Entry {
	return slices.DeleteFunc(p.r.Entries(how, p.report.FailOn), func(e finding.Entry) bool {
		return e.Rule == "" && len(e.Group) == 0 || e.IsAside(p.report.FailOn)
	})
}

// isBlank reports whether missing CRs are left out, because no CR was read and --verbose is not
// set.
func (p *printer) isBlank() bool { return p.r.IsBlank() && !p.opt.Verbose }

// tableOf returns the layout for entries. The columns of words and components are as wide as their
// content, but a component widens its column at most to a sixth of the width, or to a fifth of a
// narrow one.
func (p *printer) tableOf(all []finding.Entry) table {
	t := table{names: map[string]string{}, files: map[string]string{}}
	components, templates := map[string]int{}, map[string]int{}
	for _, e := range all {
		if name := e.Template.ComponentName(); t.names[name] == "" {
			t.names[name] = path.Base(name)
			components[path.Base(name)]++
		}
		for _, m := range e.Missing {
			t.files[m.Template.Path] = path.Base(m.Template.Path)
			templates[path.Base(m.Template.Path)]++
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
		word = max(word, len(e.Word()))
	}
	t.component = word + 2
	t.text = t.component + min(component, max(p.width/6, min(p.width/5, componentLeast))) + 2
	return t
}

// componentLeast is the width that components can have at any width. It is enough for most names.
const componentLeast = 16

// narrow is the width below which a long line of the overview continues below the component.
const narrow = 100

// entry prints a line of the overview. It leaves out the template of a missing CR with a known name
// if that saves a line; --verbose prints both.
func (p *printer) entry(t table, e finding.Entry) {
	subject, said := e.Describe(func(template string) string { return t.files[template] })
	hang := t.text
	if p.width < narrow {
		hang = t.component + 2
	}
	name := visible.Line(t.names[e.Template.ComponentName()])
	text, at := subject+said, max(t.text, t.component+p.ruler.width(name)+2)
	if at > p.width/2 { // a component that is too long for its column begins the text
		name, text, at = "", name+"  "+text, t.component
	}
	name += spacesOf(at - t.component - p.ruler.width(name))
	lines := p.ruler.paragraph(text, p.width, at, hang)
	if len(e.Missing) == 1 && !strings.Contains(e.Subject(), "*") { // the CR is known without its template
		short := strings.Replace(text, " ("+t.files[e.Template.Path]+")", "", 1)
		if fewer := p.ruler.paragraph(short, p.width, at, hang); len(fewer) < len(lines) {
			lines = fewer
		}
	}
	for i, l := range lines {
		if i > 0 {
			p.line(l)
			continue
		}
		before, after, found := strings.Cut(l[at:], subject)
		if found {
			before += paint(p.palette.heading, subject)
		}
		p.line(paint(p.style(e), e.Word()) + spacesOf(t.component-len(e.Word())) + name + before + after)
	}
	if p.opt.Verbose {
		p.more(hang, e)
	}
}

// style returns the style of an entry's word.
func (p *printer) style(e finding.Entry) *color.Color {
	switch e.Class {
	case finding.ClassError, finding.ClassNotCollected:
		return p.palette.unsure
	case finding.ClassExtra:
		return p.palette.info
	}
	return p.palette.bad
}

// more prints the description, the templates and the CRs of an entry that has no block of its own.
func (p *printer) more(indent int, e finding.Entry) {
	for _, m := range e.Missing {
		if len(e.Missing) > 1 {
			p.say(indent, m.Subject())
		}
		p.say(indent, "template "+m.Template.Path)
	}
	if e.Class == finding.ClassRule && e.Broken != nil && len(e.Broken.Templates) > 0 {
		p.say(indent, "templates "+strings.Join(e.Broken.Templates, ", "))
	}
	if len(e.Group) == 0 && e.About != "" {
		for _, l := range proseLines(e.About) {
			p.say(indent, l)
		}
	}
}

// hidden describes what the filters hide of the overview, or "".
func (p *printer) hidden(shown []finding.Entry) string {
	if !p.opt.Filter.IsSet() {
		return ""
	}
	how := p.grouping()
	how.Filter = finding.Filter{}
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
	by := "--cr and --category"
	switch {
	case len(p.opt.Filter.Categories) == 0:
		by = "--cr"
	case len(p.opt.Filter.Selectors) == 0:
		by = "--category"
	}
	return finding.Prefixed("Hidden by "+by+": ", strings.Join(said, ", "))
}

// counted counts the CRs with findings, the missing CRs and the broken rules of entries.
func counted(all []finding.Entry) (crs, missing, rules int) {
	for _, e := range all {
		crs += len(e.Group)
		missing += len(e.Missing)
		if e.Class == finding.ClassRule {
			rules++
		}
	}
	return crs, missing, rules
}

// next prints the command that tells more, if there is one. The line is not wrapped, so that it can
// be pasted.
func (p *printer) next(entries []finding.Entry) {
	why, command := "", ""
	explain := func(c code.Code) { why, command = "what "+string(c)+" means", "explain "+string(c) }
	isWrong := func(alarm finding.Warning) bool { return alarm.Code == code.WrongReference }
	switch {
	case slices.ContainsFunc(p.r.Alarms, isWrong):
		explain(code.WrongReference)
	case len(p.r.Unreadable) > 0:
		explain(p.r.Unreadable[0].Code)
	case len(entries) == 0:
	case entries[0].Class == finding.ClassError, entries[0].Class == finding.ClassRule:
		explain(entries[0].Code)
	case len(entries[0].Group) > 0:
		why, command = "to see why", p.explainMatch(entries[0].Object.Selector())
	default:
		why, command = "to see what is near", p.explainMatch(entries[0].Template.Path)
	}
	if command != "" {
		p.line("Next, " + why + ": " + p.command() + " " + visible.Line(command))
	}
}

// explainMatch returns the command that explains a CR or a template of the run; "" if the input
// cannot be read again.
func (p *printer) explainMatch(what string) string {
	if p.report.Reference.Path == "" {
		return ""
	}
	words := []string{"explain-match"}
	if len(p.report.Runs) > 1 && p.r.Cluster.Name != "" {
		words = append(words, "--cluster", quoted(p.r.Cluster.Name))
	}
	if p.r.Summary.Differences.Placeholders > 0 {
		words = append(words, "--placeholders")
	}
	if slices.ContainsFunc(p.r.Comparisons, func(c *finding.Comparison) bool { return c.Source.Wrapper != "" }) {
		words = append(words, "--wrapped")
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

// quoted quotes a word for a shell if it needs quotes.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_./:@%+=,-", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
