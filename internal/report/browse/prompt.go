package browse

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/validationtool/validationtool/internal/finding/escape"
)

// prompt asks the user for a line, in the last line of the screen. Esc ends it.
type prompt struct {
	label, text string
	hint        string                   // stands behind what is typed
	choice      bool                     // there is nothing to type, only Enter or Esc
	typed       func(text string)        // is called after each change; nil for nothing
	enter       func(text string) string // returns what is wrong with the text; "" ends the prompt
	cancel      func()                   // is called after Esc; nil for nothing
}

// add adds typed or pasted text, as one line without what a terminal acts on.
func (p *prompt) add(text string) {
	if p.choice {
		return
	}
	p.set(p.text + strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || escape.Hidden(r):
			return -1
		}
		return r
	}, text))
}

// set changes the text.
func (p *prompt) set(text string) {
	p.text = text
	if p.typed != nil {
		p.typed(text)
	}
}

// line returns the prompt in one line with its end on the screen, and what is said about it, else the
// hint.
func (p *prompt) line(said string, width int) string {
	text, more := escape.Text(p.text), faint+"  "+p.hint+plain
	if said != "" {
		more = "  " + escape.Text(said)
	}
	if over := ansi.StringWidthWc(p.label+text) + 1 + min(ansi.StringWidthWc(more), width/2) - width; over > 0 {
		text = ansi.TruncateLeftWc(text, over+1, "…")
	}
	return p.label + text + reversed + " " + plain + more
}

// tell says something, on the whole screen if the last line has no room for it.
func (s *screen) tell(what string) {
	if ansi.StringWidthWc(what) < s.width/2 || s.page != nil {
		s.said = what
		return
	}
	s.turn(func() []string { return s.paragraphs([]string{what}) })
}

// answer handles a key for the prompt.
func (s *screen) answer(k tea.KeyPressMsg) {
	p, runes := s.ask, []rune(s.ask.text)
	switch name := k.String(); {
	case name == "enter":
		page := s.page
		s.ask, s.page = nil, nil
		if wrong := p.enter(p.text); wrong != "" {
			s.ask, s.page = p, page
			s.tell(wrong)
		}
	case name == "esc", name == "backspace" && len(runes) == 0 && !p.choice:
		s.ask, s.page = nil, nil
		if p.cancel != nil {
			p.cancel()
		}
	case name == "backspace" && !p.choice:
		p.set(string(runes[:len(runes)-1]))
	case name == "ctrl+u" && !p.choice:
		p.set("")
	case s.page != nil && (p.choice || k.Text == ""):
		s.scrolls(name)
	default:
		p.add(k.Text)
	}
}
