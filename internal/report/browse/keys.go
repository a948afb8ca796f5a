package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// keys describes the keys, as ? shows them.
func keys(rereads bool) []string {
	all := []string{
		"j k, arrows   down, up                  g G  first, last",
		"l h, arrows   unfold or go in, fold or go out",
		"Enter         fold or unfold; of a finding, its text",
		"Tab           to the text and back      J K  a line of the text",
		"Space b       a screen down, up, as PgDn and PgUp",
		"n N           next, previous finding; after a search, match",
		"] [           the same in the next, previous cluster that has it",
		"} {           the next, previous cluster that has it not",
		"/             search as you type; Esc ends the search",
		"f             filter: drift missing invalid extra new, Kind, Kind/name,",
		"              component=NAME; a finding is shown if a word of each sort",
		"              selects it, and an empty filter shows all",
		"e             why this template was chosen, and back",
		"y             a command, or the YAML of a missing CR, to copy",
		"a             accept the finding, CR, rule or component at the cursor",
		"u             take back the last acceptance that is not written",
		"w             write the acceptances to a file of overrides",
	}
	if rereads {
		all = append(all, "r             read the input again")
	}
	return append(all,
		"?  q          these keys; quit",
		"The wheel of a mouse scrolls, and a click chooses. Numbers count findings.",
		"+ folded  ! new or changed  | drift  < missing  > extra  x invalid",
	)
}

// key handles a key.
func (s *screen) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch {
	case name == "ctrl+c":
		return s.quit()
	case name == "ctrl+z":
		return tea.Suspend
	case name == "ctrl+j": // Enter, of a terminal that sends a line feed
		name, k = "enter", tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	switch {
	case s.ask != nil:
		s.answer(k)
	case s.page == nil:
		return s.move(name)
	case !s.scrolls(name):
		s.page, s.scroll = nil, 0
	}
	return nil
}

// move handles a key while nothing is typed.
func (s *screen) move(name string) tea.Cmd {
	if s.moves(name) {
		return nil
	}
	found, missed := true, ""
	switch name {
	case "q":
		return s.quit()
	case "a":
		return s.accept()
	case "u":
		s.takeBack()
	case "w":
		s.write()
	case "r":
		s.again = s.opt.Rereads
		if s.again {
			return tea.Quit
		}
		s.said = "a saved report is shown, so there is no input to read again"
	case "?":
		s.turn(func() []string { return keys(s.opt.Rereads) })
	case "tab":
		s.right = !s.right
	case "esc":
		s.right, s.why, s.search = false, false, ""
	case "e":
		s.why = !s.why
		s.right = s.right || s.width < twoPanes
	case "/":
		s.ask = s.searching()
	case "f":
		s.ask = s.filtering()
	case "y":
		return s.offer(s.copyable(), "also printed after q; any key: back")
	case "n", "N":
		step := steps(name == "n")
		if s.search == "" {
			found, missed = s.tree.NextFinding(step), "no further finding"
		} else {
			found, missed = s.tree.Search(s.search, step, false), "no match of "+s.search
		}
	case "]", "[":
		found, missed = s.tree.OtherCluster(steps(name == "]"), true), "no further cluster that has it"
	case "}", "{":
		found, missed = s.tree.OtherCluster(steps(name == "}"), false), "no further cluster that has it not"
	}
	if !found {
		s.said = missed
	}
	return nil
}

// steps is 1 for forward, else -1.
func steps(forward bool) int {
	if forward {
		return 1
	}
	return -1
}

// moves handles a key that moves the cursor or the text, and reports whether it is one.
func (s *screen) moves(name string) bool {
	t := s.tree
	switch name {
	case "J":
		s.scroll++
		return true
	case "K":
		s.scroll--
		return true
	case "left", "h":
		if s.right {
			s.right = false
		} else {
			t.Fold()
		}
		return true
	case "right", "l":
		s.right = s.right || !t.Unfold()
		return true
	case "enter":
		switch n := t.at; {
		case s.right || n == nil || len(n.children) == 0:
			s.right = !s.right
		case n.open:
			t.Fold()
		default:
			t.Unfold()
		}
		return true
	}
	if s.right {
		return s.scrolls(name)
	}
	by, known := s.distance(name, len(t.rows))
	if known {
		t.Move(by)
	}
	return known
}

// scrolls handles a key that moves the text, and reports whether it is one.
func (s *screen) scrolls(name string) bool {
	by, known := s.distance(name, len(s.content()))
	s.scroll += by
	return known
}

// distance returns how far a key moves among a number of lines, and whether it moves at all.
func (s *screen) distance(name string, lines int) (by int, known bool) {
	page := s.rows() - 1
	by, known = map[string]int{
		"j": 1, "down": 1, "k": -1, "up": -1,
		"pgdown": page, "space": page, "ctrl+f": page, "ctrl+d": page / 2,
		"pgup": -page, "b": -page, "ctrl+b": -page, "ctrl+u": -page / 2,
		"g": -lines, "home": -lines, "G": lines, "end": lines,
	}[name]
	return by, known
}

// searching asks for a search. The cursor goes to the first match of what is typed.
func (s *screen) searching() *prompt {
	before := s.tree.at
	return &prompt{
		label: "/",
		typed: func(text string) {
			s.tree.goTo(before)
			if text != "" && !s.tree.Search(text, 1, true) {
				s.said = "no match"
			}
		},
		enter: func(text string) string {
			s.search = text
			return ""
		},
		cancel: func() {
			s.tree.goTo(before)
			s.search = ""
		},
	}
}

// filtering asks for a filter.
func (s *screen) filtering() *prompt {
	return &prompt{
		label: "filter: ", text: s.tree.filter.text,
		hint: "drift missing invalid extra new Kind Kind/name " + componentWord + "NAME",
		enter: func(text string) string {
			f, err := ParseFilter(text)
			held := func(r *finding.Run) bool { return r.Baseline != nil }
			switch {
			case err != nil:
				return err.Error()
			case f.onlyNew && !slices.ContainsFunc(s.report.Runs, held):
				return "new needs --baseline, an earlier report to compare with"
			}
			s.tree.SetFilter(f)
			s.text = nil // it may list what is shown
			return ""
		},
	}
}

// turn shows a text on the whole screen.
func (s *screen) turn(page func() []string) { s.page, s.scroll = page, 0 }

// offer shows a text that the user can copy on a screen without anything else. about is what is said
// of it.
func (s *screen) offer(line, about string) tea.Cmd {
	if line == "" {
		s.said = "there is nothing to copy"
		return nil
	}
	s.turn(func() []string { return wrapped(line, s.width) })
	s.copied = append(s.copied, strings.TrimSuffix(line, "\n")+"\n")
	s.said = about
	if s.opt.Clipboard {
		s.said += "; also in the clipboard, if the terminal allows it"
		return tea.SetClipboard(line)
	}
	return nil
}

// command returns a command that compares a cluster again, or "".
func (s *screen) command(of *finding.Run, words ...string) string {
	return finding.Prefixed(s.opt.Text.Command+" ", escape.Again(s.report, of, s.report.Reference.Path, words...))
}

// copyable returns the YAML of the missing CR at the cursor if it is known, else a command that says
// more, or "".
func (s *screen) copyable() string {
	n := s.tree.at
	if n == nil {
		return ""
	}
	var what string
	switch {
	case n.cr != nil:
		what = n.object.Selector()
	case n.entry != nil && n.entry.Missing != nil:
		for _, m := range n.entry.Missing {
			if m.Fingerprint != n.key {
				continue
			}
			if fix := m.Missed.Fix; fix != nil && fix.CR != "" && escape.Plain(fix.CR) {
				comments := ""
				for _, before := range m.BeforeCreating(n.run.Alarms) {
					comments += "# " + escape.Text(before) + "\n"
				}
				return comments + fix.CR
			}
			what = m.Template.Path
		}
	case n.entry != nil && n.entry.Code != "":
		return s.opt.Text.Command + " explain " + string(n.entry.Code)
	default:
		return s.command(n.run)
	}
	if command := s.command(n.run, escape.ExplainMatch); command != "" {
		return command + " " + escape.ShellWord(what)
	}
	return ""
}

// wheel scrolls the pane under the mouse.
func (s *screen) wheel(m tea.Mouse) {
	const lines = 3
	by := lines * steps(m.Button == tea.MouseWheelDown)
	if s.page == nil && m.X < s.left() {
		s.tree.Move(by)
	} else {
		s.scroll += by
	}
}

// click puts the cursor on a node. A click on the cursor folds or unfolds it.
func (s *screen) click(m tea.Mouse) {
	if s.page != nil || s.ask != nil {
		return
	}
	row := s.top + m.Y - 1
	s.right = m.X >= s.left()
	isRow := m.Y >= 1 && m.Y <= s.rows() && row < len(s.tree.rows)
	if s.right || m.Button != tea.MouseLeft || !isRow {
		return
	}
	if n := s.tree.rows[row]; n != s.tree.at {
		s.tree.at = n
	} else {
		s.moves("enter")
	}
}
