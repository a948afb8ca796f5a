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
		"Move",
		"  j k, arrows   down, up                  g G  first, last",
		"  l h, arrows   unfold or go in, fold or go out",
		"  Enter         fold or unfold; of a finding, its text",
		"  Tab           to the text and back      J K  a line of the text",
		"  Space b       a screen down, up, as PgDn and PgUp",
		"  n N           next, previous finding; after a search, match",
		"  ] [           the same in the next, previous cluster that has it",
		"  } {           the next, previous cluster that has it not",
		"Find",
		"  /             search as you type; Esc ends the search",
		"  f             filter: drift missing invalid extra new, Kind, Kind/name,",
		"                component=NAME; a finding is shown if a word of each sort",
		"                selects it, and an empty filter shows all",
		"Look",
		"  e             why this template was chosen, and back",
		"  y             a command, or the YAML of a missing CR, to copy",
	}
	if rereads {
		all = append(all, "  r             read the input again")
	}
	return append(all,
		"  ?  q          these keys; quit",
		"The wheel of a mouse scrolls, and a click chooses. Numbers count findings.",
		"+ folded  ! new or changed  | drift  < missing  > extra  x invalid",
	)
}

// key handles a key.
func (s *screen) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if name == "ctrl+z" {
		return tea.Suspend
	}
	if name == "ctrl+j" { // Enter, of a terminal that sends a line feed
		name, k = "enter", tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	switch s.mode {
	case searching, filtering:
		s.edit(k)
		return nil
	case reading:
		if !s.scrolls(name) {
			s.mode, s.page, s.scroll = moving, nil, 0
		}
		return nil
	}
	return s.move(name)
}

// move handles a key while nothing is typed.
func (s *screen) move(name string) tea.Cmd {
	if s.moves(name) {
		return nil
	}
	found, missed := true, ""
	switch name {
	case "q":
		return tea.Quit
	case "r":
		s.again = s.opt.Rereads
		if s.again {
			return tea.Quit
		}
		s.said = "a saved report is shown, so there is no input to read again"
	case "?":
		s.show(keys(s.opt.Rereads))
	case "tab":
		s.right = !s.right
	case "esc":
		s.right, s.why, s.search = false, false, ""
	case "e":
		s.why = !s.why
		s.right = s.right || s.width < twoPanes
	case "/":
		s.mode, s.typed, s.before = searching, "", s.tree.at
	case "f":
		s.mode, s.typed = filtering, s.tree.filter.text
	case "y":
		return s.copy()
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

// edit handles a key while a search or a filter is typed.
func (s *screen) edit(k tea.KeyPressMsg) {
	runes := []rune(s.typed)
	switch name := k.String(); {
	case name == "esc":
		if s.mode == searching {
			s.tree.goTo(s.before)
		}
		s.mode, s.search = moving, ""
		return
	case name == "enter" && s.mode == searching:
		s.mode, s.search = moving, s.typed
		return
	case name == "enter":
		f, err := ParseFilter(s.typed)
		held := func(r *finding.Run) bool { return r.Baseline != nil }
		switch {
		case err != nil:
			s.said = err.Error()
			return
		case f.onlyNew && !slices.ContainsFunc(s.report.Runs, held):
			s.said = "new needs --baseline, an earlier report to compare with"
			return
		}
		s.tree.SetFilter(f)
		s.mode = moving
		return
	case name == "backspace" && len(runes) > 0:
		s.typed = string(runes[:len(runes)-1])
	case name == "backspace":
		s.mode = moving
	case name == "ctrl+u":
		s.typed = ""
	default:
		s.typed += k.Text
	}
	s.edited()
}

// edited searches for what was typed so far.
func (s *screen) edited() {
	if s.mode != searching {
		return
	}
	s.tree.goTo(s.before)
	if s.typed != "" && !s.tree.Search(s.typed, 1, true) {
		s.said = "no match"
	}
}

// show shows a text on the whole screen.
func (s *screen) show(page []string) { s.mode, s.page, s.scroll = reading, page, 0 }

// copy shows what can be copied of the node at the cursor on a screen without anything else.
func (s *screen) copy() tea.Cmd {
	line := s.copyable()
	if line == "" {
		s.said = "there is nothing to copy"
		return nil
	}
	s.show(wrapped(line, s.width))
	s.copied = append(s.copied, strings.TrimSuffix(line, "\n")+"\n")
	s.said = "also printed after q; any key: back"
	if s.opt.Clipboard {
		s.said = "also in the clipboard, if the terminal allows it, and printed after q; any key: back"
		return tea.SetClipboard(line)
	}
	return nil
}

// copyable returns the YAML of the missing CR at the cursor if it is known, else a command that says
// more, or "".
func (s *screen) copyable() string {
	n := s.tree.at
	if n == nil {
		return ""
	}
	again := func(words ...string) string {
		command := escape.Again(s.report, n.run, s.report.Reference.Path, words...)
		return finding.Prefixed(s.opt.Text.Command+" ", command)
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
		return again()
	}
	if command := again(escape.ExplainMatch); command != "" {
		return command + " " + escape.ShellWord(what)
	}
	return ""
}

// wheel scrolls the pane under the mouse.
func (s *screen) wheel(m tea.Mouse) {
	const lines = 3
	by := lines * steps(m.Button == tea.MouseWheelDown)
	if s.mode == moving && m.X < s.left() {
		s.tree.Move(by)
	} else {
		s.scroll += by
	}
}

// click puts the cursor on a node. A click on the cursor folds or unfolds it.
func (s *screen) click(m tea.Mouse) {
	row := s.top + m.Y - 1
	s.right = m.X >= s.left()
	isRow := m.Y >= 1 && m.Y <= s.rows() && row < len(s.tree.rows)
	if s.mode != moving || s.right || m.Button != tea.MouseLeft || !isRow {
		return
	}
	if n := s.tree.rows[row]; n != s.tree.at {
		s.tree.at = n
	} else {
		s.moves("enter")
	}
}
