package text

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// template explains one template.
func (x explainer) template(t *explain.ExplainedTemplate, first bool) {
	if !first {
		x.rule()
	}
	met, others := split(t.Objects)
	word, style := "MATCHED", x.palette.good
	switch {
	case t.NotAnalysed:
		word, style = "LEFT OUT", x.palette.info
	case len(met) == 0:
		word, style = "NO MATCH", x.palette.info
	}
	x.titled(0, word, style, templateName(t.Template))
	x.fact(2, "cluster", t.Cluster)
	x.place(2, "file", t.File)
	x.fact(2, "about", proseLines(t.Template.Description)...)
	x.identity(2, t.Identity)
	x.rules(t)
	if t.NotAnalysed {
		x.fact(2, "left out", "by --component or --skip-component, so no CR is compared with it")
	}
	x.absent(t)
	x.met(met)
	x.others(others)
	if c := t.Create; c != nil && !x.opt.Summary {
		x.create(c)
	}
	switch {
	case x.opt.Summary || len(met) == 0:
	case len(met) == 1 || x.opt.AllCandidates:
		for i := range met {
			if len(met) > 1 {
				x.rule()
				x.say(0, met[i].Object.String())
			}
			x.detail(&met[i].Considered)
		}
	default:
		x.title("Rendered text and differences: name one of the CRs, or use --all-candidates")
	}
}

// split separates the objects that match a template from the others.
func split(objects []explain.MetObject) (met, others []explain.MetObject) {
	for _, o := range objects {
		if o.Met() {
			met = append(met, o)
			continue
		}
		others = append(others, o)
	}
	return met, others
}

// rules prints the rules that decide whether the template's object is required, and whether they
// are broken.
func (x explainer) rules(t *explain.ExplainedTemplate) {
	for _, kind := range t.Rules {
		x.fact(2, "rule", kind+" of "+t.Template.ComponentName())
	}
	if len(t.Rules) == 0 {
		x.fact(2, "rule", "none, so it is never reported as missing")
	}
	for _, b := range t.Broken {
		x.fact(2, "broken", fmt.Sprintf("%s: %s%s", b.Rule, b.Message, finding.Note(b.Code)))
	}
	if t.Interrupted {
		x.fact(2, "broken", "not known: the run was interrupted, and no rule was evaluated")
	}
}

// absent prints possible reasons why the template's object is missing.
func (x explainer) absent(t *explain.ExplainedTemplate) {
	if len(t.Objects) == 0 {
		x.fact(2, "CRs", "the input has none of its kind")
	}
	if n := t.Nearest; n != nil {
		x.fact(2, "nearest", n.Object.String()+differing(n.Differs))
	}
	if r := t.Referenced; r != nil {
		x.fact(2, "referenced", "the CR is not in the input, but it is "+howReferenced(
			r.How,
		)+" of "+r.By.String()+", so it counts as present")
	}
	if k := t.NotCollected; k != nil {
		x.fact(2, "gathered", "perhaps it was not collected ("+t.Because.Words()+"); to collect it:")
		for _, command := range inspect.CollectCommands([]finding.Kind{*k}, x.e.Inputs) {
			x.line(spacesOf(13) + escape.Line(command))
		}
	}
}

// create prints the object to create. Its lines are not wrapped, so that they can be pasted.
func (x explainer) create(c *explain.Creation) {
	x.title("To create, as far as the reference says it")
	x.fact(2, "before", c.First)
	x.fact(2, "not shown", c.Held)
	x.fact(2, "still open", c.Open...)
	if c.CR == "" {
		return
	}
	x.line("")
	for line := range strings.Lines(c.CR) {
		x.line(spacesOf(2) + escape.Line(strings.TrimRight(line, "\n")))
	}
}

// met lists the objects that are compared with the template.
func (x explainer) met(objects []explain.MetObject) {
	if len(objects) == 0 {
		return
	}
	x.title(finding.Plural(len(objects), "CR is", "CRs are") + " compared with it")
	for _, o := range objects {
		c := &o.Considered
		x.line("")
		x.titled(2, resultName(c.Result), x.palette.result(c.Result), o.Object.String())
		x.place(4, "file", o.Source.String())
		x.came(c)
		if c.Error == nil {
			x.fact(4, "why", howMet(o))
		}
	}
}

// howMet describes how object and template were matched, unless they are a fixed pair.
func howMet(o explain.MetObject) string {
	var facts []string
	switch o.By {
	case finding.ByManual:
		facts = append(facts, "the diff config pairs them")
	case finding.ByNearest:
		facts = append(facts, "no template fits, and it is one of the nearest of the kind")
	}
	if o.Candidates > 1 {
		facts = append(facts, "the smallest difference of "+decimal(o.Candidates)+" candidates")
	}
	return strings.Join(facts, "; ")
}

// others lists the objects of the kind that are not compared with the template.
func (x explainer) others(objects []explain.MetObject) {
	if len(objects) == 0 {
		return
	}
	x.title(finding.Plural(len(objects), "other CR of the kind is", "other CRs of the kind are") + " not")
	shown := x.shown(len(objects), othersShown)
	for _, o := range objects[:shown] {
		text := o.Object.String() + ": " + x.whyNot(o)
		if o.With != "" && o.Considered.Standing != explain.Larger && o.Considered.Standing != explain.Tie {
			text += "; it is compared with " + o.With
		}
		x.say(2, text)
	}
	x.unlisted(2, len(objects)-shown, "")
}

// whyNot describes why an object is not compared with the template.
func (x explainer) whyNot(o explain.MetObject) string {
	c := &o.Considered
	if why := x.whyLost(c, o.With, o.WithScore); why != "" {
		if c.Error != nil {
			why += ": " + c.Error.Message
		}
		return why
	}
	var differs []string
	for _, f := range c.Identity {
		if f.Disagrees() {
			differs = append(differs, "its "+f.Field+" is "+cmp.Or(*f.Has, "none")+", not "+*f.States)
		}
	}
	return strings.Join(differs, "; ")
}
