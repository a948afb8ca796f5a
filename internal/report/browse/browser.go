package browse

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/text"
)

// Options say how a report is shown.
type Options struct {
	Text      text.Options // how CRs are printed; the width is that of the pane
	Term      string       // the type of the terminal
	Rereads   bool         // the input can be read again
	Clipboard bool         // the terminal may be asked to put what is copied into its clipboard
	Place     Place        // where the cursor is at first
	Accepting *Accepting   // nil for a saved report, of which nothing can be compared again
	Made      []Acceptance // what was accepted before and is in no file yet
}

// Browser shows a report on a terminal.
type Browser struct {
	program *tea.Program
}

// New prepares to show a report. Keys come from in, and the screen goes to out. The library is given
// no other variable of the environment: for TMUX it would start a program, and for others it would
// read files or ask the terminal questions, whose late answers a shell would take for input.
func New(ctx context.Context, in io.Reader, out io.Writer, r *finding.Report, opt Options) *Browser {
	profile := colorprofile.ASCII
	if opt.Text.Color {
		profile = colorprofile.ANSI
	}
	return &Browser{tea.NewProgram(
		newScreen(r, opt),
		tea.WithContext(ctx),
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithColorProfile(profile),
		tea.WithEnvironment([]string{"TERM=" + opt.Term, "NO_COLOR=1", "SSH_TTY="}),
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(),
	)}
}

// End is what the user leaves behind.
type End struct {
	Place  Place
	Again  bool         // the user wants to see the input as it is now
	Copied []string     // the texts that the user has copied, safe to print
	Made   []Acceptance // what the user has accepted and is in no file
}

// Run shows the report until the user quits. The error is that of the terminal or of the context.
func (b *Browser) Run() (End, error) {
	m, err := b.program.Run()
	last := m.(*screen)
	return End{last.tree.Place(), last.again, last.copied, last.unwritten()}, err
}

// Restore gives the terminal back, whatever happened. It does nothing after Run has returned.
func (b *Browser) Restore() { b.program.Kill() }

// screen is what is on the screen.
type screen struct {
	report        *finding.Report
	opt           Options
	tree          *Tree
	width, height int
	early         []tea.Msg // what the user did before the size was known, on which it may depend
	again         bool
	copied        []string // what the user has copied

	made    []Acceptance
	written int  // the number of those that are in a file
	warned  bool // of quitting without the others
	// the reason and the last day of the last acceptance
	reason, day string

	right  bool            // the keys move the text, which is on the screen if there is one pane only
	why    bool            // the text says why the template was chosen
	ask    *prompt         // what the user types; nil while keys move
	search string          // the search whose matches n goes to; "" for none
	said   string          // the answer to the last key
	top    int             // the first row of the tree on the screen
	scroll int             // the first line of the text on the screen
	page   func() []string // makes a text for the whole screen; nil for the tree and its text
	paged  []string

	of    subject // what text is the text of
	text  []string
	place map[string]int       // the lines of fields in the text
	runs  map[subject][]string // the texts of clusters, which take long to make
}

// subject identifies a text.
type subject struct {
	about any
	width int
	why   bool
}

// alarmMark stands before alarms, as in the text report.
const alarmMark = "!! "

// newScreen returns the screen at the beginning, whose last line is the first alarm.
func newScreen(r *finding.Report, opt Options) *screen {
	s := &screen{opt: opt, made: opt.Made}
	s.show(r, opt.Place)
	if len(s.made) > 0 {
		s.apply("")
	}
	if all := alarms(s.report); len(all) > 0 && s.said == "" {
		s.said = alarmMark + all[0]
	}
	return s
}

// show shows a report.
func (s *screen) show(r *finding.Report, at Place) {
	s.report, s.tree, s.runs, s.text = r, NewTree(r), map[subject][]string{}, nil
	s.tree.Return(at)
}

// Init implements tea.Model.
func (s *screen) Init() tea.Cmd { return nil }

// Update implements tea.Model. The library says the size beside the keys, which may come first.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	size, isSize := msg.(tea.WindowSizeMsg)
	key, isKey := msg.(tea.KeyPressMsg)
	switch {
	case isSize:
		s.width, s.height = size.Width, size.Height
		s.settle(false)
	case s.width > 0 || isKey && key.String() == "ctrl+c":
		return s, s.act(msg)
	default:
		s.early = append(s.early, msg)
		return s, nil
	}
	early := s.early
	s.early = nil
	var then []tea.Cmd
	for _, one := range early {
		then = append(then, s.act(one))
	}
	return s, tea.Sequence(then...)
}

// act does what the user wants.
func (s *screen) act(msg tea.Msg) (then tea.Cmd) {
	at := s.tree.at
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.said = ""
		then = s.key(msg)
	case tea.PasteMsg:
		if s.said = ""; s.ask != nil {
			s.ask.add(msg.Content)
		}
	case tea.MouseWheelMsg:
		s.wheel(msg.Mouse())
	case tea.MouseClickMsg:
		s.click(msg.Mouse())
	}
	s.settle(at != s.tree.at)
	return then
}

// settle computes the text for the cursor, and keeps what is on the screen within its bounds. moved is
// set if the cursor is on another node than before.
func (s *screen) settle(moved bool) {
	if s.width == 0 {
		return
	}
	rows := s.rows()
	if s.tree.at != nil {
		s.top = max(min(s.top, s.tree.at.row), s.tree.at.row-rows+1)
	}
	s.top = max(0, min(s.top, len(s.tree.rows)-rows))
	if s.page != nil {
		s.paged = s.page()
	} else {
		s.read()
		if n := s.tree.at; moved && n != nil {
			s.scroll = 0
			if line, known := s.place[n.path]; known && n.level == ofField && !s.why {
				s.scroll = line - rows/3
			}
		}
	}
	s.scroll = max(0, min(s.scroll, len(s.content())-rows))
}

// content returns the lines that the keys scroll.
func (s *screen) content() []string {
	if s.page != nil {
		return s.paged
	}
	return s.text
}

// rows returns the number of lines between the first one and the last one of the screen.
func (s *screen) rows() int { return max(1, s.height-2) }
