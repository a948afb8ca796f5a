package refdiff

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
)

// statement is an action of a template, or a line of its text, without what means nothing.
type statement struct {
	text string
	line int
}

// others tells of what changed beside: fields that are worked out otherwise, actions, and text that
// is written in an unusual way.
func (p *pair) others() {
	for i, c := range p.expressions {
		old, new := p.expressionsOld[i], p.expressionsNew[i]
		if !p.read[0][old] && !p.read[1][new] {
			p.changes = append(p.changes, c)
		}
		p.told[0][old], p.told[1][new] = true, true
	}
	was, is := p.old.others(), p.new.others()
	was, is = unlike(was, is), unlike(is, was)
	was = slices.DeleteFunc(
		unexplained(was, p.values), func(s statement) bool { return p.told[0][s.line] || p.read[0][s.line] },
	)
	is = slices.DeleteFunc(
		unexplained(is, p.values), func(s statement) bool { return p.told[1][s.line] || p.read[1][s.line] },
	)
	p.notes(&was, &is)
	if len(was) == len(is) {
		p.message(&was, &is)
	}
	if len(was)+len(is) == 0 {
		if reordered(p.old, p.new) && len(p.changes) == 0 {
			p.changes = append(
				p.changes,
				Change{Group: Must, Kind: Computed, Words: "the template sets its variables in another order"},
			)
		}
		return
	}
	p.changes = append(
		p.changes, p.computed(Must, "the template works out otherwise what it expects, or what it refuses", was, is),
	)
}

// computed is a change of what a template works out.
func (p *pair) computed(group Group, words string, was, is []statement) Change {
	c := Change{Group: group, Kind: Computed, Words: words, Old: joined(was), New: joined(is)}
	if len(was) > 0 {
		c.OldAt = p.old.place(was[0].line)
	}
	if len(is) > 0 {
		c.NewAt = p.new.place(is[0].line)
	}
	if p.old.root.secret || p.new.root.secret {
		c.Old, c.New = hidden(c.Old), hidden(c.New)
	}
	return c
}

// message tells of checks that say something else, and takes them out of the statements.
func (p *pair) message(was, is *[]statement) {
	says := func(s statement) bool {
		return strings.HasPrefix(s.text, `{{fail "`) || strings.HasPrefix(s.text, `{{doNotMatch "`)
	}
	old, new := slices.DeleteFunc(slices.Clone(*was), not(says)), slices.DeleteFunc(slices.Clone(*is), not(says))
	if len(old) == 0 || len(old) != len(new) {
		return
	}
	p.changes = append(p.changes, p.computed(Authors, "a check has another message", old, new))
	*was, *is = slices.DeleteFunc(*was, says), slices.DeleteFunc(*is, says)
}

// notes tells of what is noted otherwise, which counts for nothing, and takes it out of the
// statements.
func (p *pair) notes(was, is *[]statement) {
	notes := func(s statement) bool { return strings.HasPrefix(s.text, `{{note `) }
	old, new := slices.DeleteFunc(slices.Clone(*was), not(notes)), slices.DeleteFunc(slices.Clone(*is), not(notes))
	if len(old)+len(new) > 0 {
		p.changes = append(p.changes, p.computed(Authors, "the template notes something else", old, new))
	}
	*was, *is = slices.DeleteFunc(*was, notes), slices.DeleteFunc(*is, notes)
}

func not(f func(statement) bool) func(statement) bool { return func(s statement) bool { return !f(s) } }

// others are the actions of a template, and its text that belongs to no part.
func (s *side) others() []statement {
	return slices.Concat(statements(s.t.Template, s.t.Body), s.unread)
}

// reordered reports whether two versions set the same variables in another order.
func reordered(old, new *side) bool {
	set := func(s *side) []statement {
		return slices.DeleteFunc(
			statements(s.t.Template, s.t.Body), func(s statement) bool { return !strings.HasPrefix(s.text, "{{$") },
		)
	}
	a, b := set(old), set(new)
	return joined(a) != joined(b) && len(unlike(a, b))+len(unlike(b, a)) == 0
}

func joined(all []statement) string {
	var lines []string
	for _, s := range all {
		lines = append(lines, s.text)
	}
	return strings.Join(lines, "\n")
}

// unlike are the statements that others do not have, or not as often.
func unlike(all, others []statement) (more []statement) {
	counts := map[string]int{}
	for _, s := range others {
		counts[s.text]++
	}
	for _, s := range all {
		if counts[s.text]--; counts[s.text] < 0 {
			more = append(more, s)
		}
	}
	return more
}

// definitions tells of named templates that both versions of a template call and that changed in a
// way that no field tells of.
func (p *pair) definitions() {
	reached := func(s *side) map[string]*template.Definition {
		named := map[string]*template.Definition{}
		called, _ := s.t.Called()
		for d := range called {
			if d != s.t.Body {
				named[d.Name] = d
			}
		}
		return named
	}
	before, after := reached(p.old), reached(p.new)
	for _, name := range tree.Keys(after) {
		old, new := before[name], after[name]
		if old == nil {
			continue
		}
		was, is := definition(p.old.t.Template, old), definition(p.new.t.Template, new)
		less, more := unlike(was, is), unlike(is, was)
		if joined(was) == joined(is) ||
			len(less)+len(more) > 0 &&
				len(unexplained(slices.Concat(less, more), slices.Concat(p.values, p.keys))) == 0 {
			continue
		}
		c := p.computed(Must, "the named template "+name+" works out otherwise what it prints", less, more)
		c.OldAt, c.NewAt = old.Place().String(), new.Place().String()
		if p.searched.In(joined(was) + joined(is)) {
			c.Old, c.New = hidden(c.Old), hidden(c.New)
		}
		p.changes = append(p.changes, c)
	}
}

// unexplained are the statements that have none of the words that changes of fields tell of.
func unexplained(all []statement, words []string) []statement {
	const most = 200 // words that are looked for
	words = words[:min(most, len(words))]
	return slices.DeleteFunc(all, func(s statement) bool {
		return slices.ContainsFunc(
			words, func(word string) bool { return word != "" && strings.Contains(s.text, word) },
		)
	})
}

// definition is what a named template has, in its order.
func definition(t *template.Template, d *template.Definition) []statement {
	all := statements(t, d)
	t.Visit(d, func(n parse.Node, _ bool) {
		text, ok := n.(*parse.TextNode)
		if !ok {
			return
		}
		for line := range strings.Lines(string(text.Text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				all = append(all, statement{line, d.File.Line(text.Pos)})
			}
		}
	})
	slices.SortStableFunc(all, func(a, b statement) int { return a.line - b.line })
	return all
}

// statements are the actions of a definition.
func statements(t *template.Template, d *template.Definition) []statement {
	var all []statement
	add := func(n parse.Node, text string) { all = append(all, statement{text, d.File.Line(n.Position())}) }
	t.Visit(d, func(n parse.Node, _ bool) {
		if word, b := template.BranchOf(n); b != nil {
			add(b.Pipe, word+" "+b.Pipe.String())
			return
		}
		switch n := n.(type) {
		case *parse.ActionNode:
			add(n, n.String())
		case *parse.TemplateNode:
			add(n, n.String())
		}
	})
	return all
}
