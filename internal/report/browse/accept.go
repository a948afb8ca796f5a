package browse

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/refconfig"
)

// Part is what the user accepts of a cluster: a CR that was compared, a field of it, a missing CR, or
// a broken rule.
type Part struct {
	CR      *finding.Comparison // nil for a rule
	Path    string              // the field; "" for the whole CR
	Lacks   bool                // the CR lacks the field
	Rule    *finding.Rule
	Missing string // the template of the missing CR; "" for all CRs of the rule
}

// Acceptance is what the user accepts at once.
type Acceptance []refconfig.Override

// Accepting has what the caller does for a user who accepts findings.
type Accepting struct {
	// Propose returns overrides for parts of a cluster, beside those that were made before, and lines
	// about what they do not accept.
	Propose func(of *finding.Run, parts []Part, made []refconfig.Override) (Acceptance, []string)
	// Apply returns the report of the comparison under more overrides.
	Apply func(made []refconfig.Override) (*finding.Report, error)
	// Entries returns overrides as they are written, safe to print.
	Entries func([]refconfig.Override) string
	// Day returns an error if a text is no last day of an acceptance.
	Day func(string) error
	// Write adds overrides to a file, which is new or has overrides.
	Write func(file string, made []refconfig.Override) error
	// File is the file to write to; "" to ask for it.
	File string
}

// unwritten returns the acceptances that are in no file.
func (s *screen) unwritten() []Acceptance { return s.made[s.written:] }

// apply shows the report under the acceptances, and then a message.
func (s *screen) apply(said string) {
	next, err := s.opt.Accepting.Apply(slices.Concat(s.made...))
	if err != nil {
		s.tell(err.Error())
		return
	}
	s.shown(next)
	s.said = cmp.Or(said, s.said)
}

// shown shows another report of the same inputs at the same place.
func (s *screen) shown(next *finding.Report) {
	s.show(next, s.tree.Place())
	s.warned = false
}

// parts adds what can be accepted at a node and below it, as far as it is shown and counts.
func (n *node) parts(all []Part) []Part {
	switch {
	case n.hidden, n.accepted, n.isFinding() && !n.counts:
		return all
	case n.part != Part{} && !slices.ContainsFunc(n.children, func(child *node) bool { return child.hidden }):
		return append(all, n.part)
	}
	for _, child := range n.children {
		all = child.parts(all)
	}
	return all
}

// accept asks the user for a reason and a last day, and shows the overrides that accept what is at the
// cursor.
func (s *screen) accept() tea.Cmd {
	n := s.tree.at
	if n == nil || n.level < ofComponent {
		s.said = "a accepts a finding, a CR, a rule or a component; go to one"
		return nil
	}
	parts := n.parts(nil)
	switch {
	case n.accepted:
		s.said = "an override accepts it already"
		return nil
	case len(parts) == 0:
		s.said = "there is nothing that an override can accept and that counts"
		return nil
	case s.opt.Accepting == nil:
		return s.instead(n.run, parts)
	}
	made, left := s.opt.Accepting.Propose(n.run, parts, slices.Concat(s.made...))
	if len(made) == 0 {
		s.turn(func() []string { return s.paragraphs(append([]string{"No override can accept this:"}, left...)) })
		return nil
	}
	if len(left) > 0 {
		left = append([]string{"Not accepted by this:"}, left...)
	}
	s.askReason(proposal{made, left})
	return nil
}

// instead shows the command that accepts parts of a cluster, because nothing of a saved report can be
// compared again.
func (s *screen) instead(of *finding.Run, parts []Part) tea.Cmd {
	words := []string{"--output", "overrides", "--override-reason", "REASON"}
	for _, one := range parts {
		names := []string{one.Missing}
		switch {
		case one.CR != nil && one.Path != "" && one.Path != ".":
			names[0] = one.CR.Object.Selector() + ":" + one.Path
		case one.CR != nil:
			names[0] = one.CR.Object.Selector()
		case one.Missing == "":
			names = one.Rule.Templates
		}
		for _, name := range names {
			words = append(words, "--override-for", name)
		}
	}
	return s.offer(s.command(of, words...), "a saved report cannot be compared again; this command accepts it")
}

// proposal is what the user is asked to accept.
type proposal struct {
	made Acceptance
	left []string // about what is not accepted
}

// askReason asks why overrides are made.
func (s *screen) askReason(one proposal) {
	s.propose(one, nil, &prompt{
		label: "reason: ", text: s.reason, hint: "every report shows it",
		typed: func(text string) { s.reason = strings.TrimSpace(text) },
		enter: func(string) string {
			if s.reason == "" {
				return "a reason is needed, because every report shows it"
			}
			s.askDay(one)
			return ""
		},
	})
}

// askDay asks for the last day of overrides.
func (s *screen) askDay(one proposal) {
	s.propose(one, nil, &prompt{
		label: "last day: ", text: s.day, hint: "such as 2030-01-31, or nothing for no end",
		typed: func(text string) { s.day = text },
		enter: func(text string) string {
			if err := s.opt.Accepting.Day(text); text != "" && err != nil {
				return err.Error()
			}
			s.confirm(one)
			return ""
		},
	})
}

// confirm shows what overrides change, and accepts them if the user agrees.
func (s *screen) confirm(one proposal) {
	made := append(slices.Clip(s.made), one.made)
	next, err := s.opt.Accepting.Apply(slices.Concat(made...))
	if err != nil {
		s.tell(err.Error())
		return
	}
	var said []string
	now, then := verdicts(s.report), verdicts(next)
	for i, one := range now {
		if i < len(then) && (one != then[i] || len(now) == 1) {
			said = append(said, "Now:  "+one, "Then: "+then[i])
		}
	}
	known := alarms(s.report)
	for _, one := range alarms(next) {
		if !slices.Contains(known, one) {
			said = append(said, alarmMark+one)
		}
	}
	s.propose(one, append(said, ""), &prompt{
		label: "Enter accepts this, Esc does not", hint: "arrows scroll", choice: true,
		typed: func(string) {},
		enter: func(string) string {
			s.made = made
			s.shown(next)
			return ""
		},
	})
}

// propose shows overrides as they will be written, between other lines, and asks about them.
func (s *screen) propose(one proposal, above []string, p *prompt) {
	typed := p.typed
	p.typed = func(text string) {
		typed(text)
		for i := range one.made {
			one.made[i].Reason, one.made[i].Expires, one.made[i].Place.File = s.reason, s.day, s.opt.Accepting.File
		}
		entries := s.opt.Accepting.Entries(one.made)
		s.page = func() []string {
			return slices.Concat(s.paragraphs(above), wrapped(entries, s.width), s.paragraphs(one.left))
		}
	}
	p.cancel = func() { s.said = "nothing was accepted" }
	s.ask, s.scroll = p, 0
	p.typed(p.text)
}

// takeBack forgets the last acceptance that is in no file.
func (s *screen) takeBack() {
	if len(s.unwritten()) == 0 {
		s.said = "there is no acceptance that is not written"
		return
	}
	s.made = s.made[:len(s.made)-1]
	s.apply("the last acceptance was taken back")
}

// write writes the acceptances to the file of the user's choice.
func (s *screen) write() {
	made := slices.Concat(s.unwritten()...)
	to := s.opt.Accepting
	switch {
	case len(made) == 0:
		s.said = "there is nothing to write; a accepts a finding"
	case to.File != "":
		if err := s.writeTo(to.File, made); err != nil {
			s.tell(err.Error())
		}
	default:
		s.ask = &prompt{
			label: "file: ", hint: "a new one, or one with overrides to add to",
			enter: func(text string) string {
				if err := s.writeTo(text, made); err != nil {
					return err.Error()
				}
				return ""
			},
		}
	}
}

// writeTo writes overrides to a file, which has the later ones too.
func (s *screen) writeTo(file string, made []refconfig.Override) error {
	if err := s.opt.Accepting.Write(file, made); err != nil {
		return err
	}
	said := finding.Plural(len(made), "override", "overrides") + " written; next time: --overrides " +
		escape.ShellWord(file)
	s.copied = append(s.copied, escape.Text(said)+"\n")
	for i := range made {
		made[i].Place.File = file
	}
	s.made, s.written = append(s.made[:s.written:s.written], made), s.written+1
	s.opt.Accepting.File = file
	s.apply(said)
	return nil
}

// quit ends the browser. It asks once if acceptances are in no file.
func (s *screen) quit() tea.Cmd {
	n := len(s.unwritten())
	if n == 0 || s.warned {
		return tea.Quit
	}
	s.warned, s.page = true, nil
	s.ask = nil
	s.said = finding.Plural(n, "acceptance is", "acceptances are") + " not written: w writes, q quits without"
	return nil
}

// verdicts returns the verdict of each cluster.
func verdicts(r *finding.Report) (all []string) {
	for _, run := range r.Runs {
		all = append(all, of(r, run)+run.Sentence(r.FailOn))
	}
	return all
}

// alarms returns the alarms of all clusters.
func alarms(r *finding.Report) (all []string) {
	for _, run := range r.Runs {
		for _, a := range run.Alarms {
			all = append(all, of(r, run)+a.String())
		}
	}
	return all
}

// of returns what stands before a text about a cluster: its name if there are several.
func of(r *finding.Report, run *finding.Run) string {
	if len(r.Runs) == 1 {
		return ""
	}
	return run.Name() + ": "
}

// paragraphs returns texts in lines of the screen.
func (s *screen) paragraphs(texts []string) (lines []string) {
	opt := s.opt.Text
	opt.Width = s.width
	for _, one := range texts {
		lines = append(lines, text.Paragraph(one, opt)...)
	}
	return lines
}
