package browse

import (
	"cmp"
	"context"
	"io"
	"strings"

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
	Again  bool     // the user wants to see the input as it is now
	Copied []string // the texts that the user has copied, safe to print
}

// Run shows the report until the user quits. The error is that of the terminal or of the context.
func (b *Browser) Run() (End, error) {
	m, err := b.program.Run()
	last := m.(*screen)
	return End{last.tree.Place(), last.again, last.copied}, err
}

// Restore gives the terminal back, whatever happened. It does nothing after Run has returned.
func (b *Browser) Restore() { b.program.Kill() }

// mode says what the keys mean.
type mode int

// The modes.
const (
	moving    mode = iota // through the tree, or through the text
	searching             // a search is typed
	filtering             // a filter is typed
	reading               // a text is on the whole screen: the keys, or what can be copied
)

// screen is what is on the screen.
type screen struct {
	report        *finding.Report
	opt           Options
	tree          *Tree
	alarms        int // of all clusters
	width, height int
	mode          mode
	again         bool
	copied        []string // what the user has copied

	right  bool // the keys move the text, which is on the screen if there is one pane only
	why    bool // the text says why the template was chosen
	typed  string
	before *node  // where the search began
	search string // the search whose matches n goes to; "" for none
	said   string // the answer to the last key
	top    int    // the first row of the tree on the screen
	scroll int    // the first line of the text on the screen
	page   []string

	of    shown // what text is the text of
	text  []string
	place map[string]int     // the lines of fields in the text
	runs  map[shown][]string // the texts of clusters, which take long to make
}

// shown identifies a text.
type shown struct {
	about any
	width int
	why   bool
}

// alarmMark stands before alarms, as in the text report.
const alarmMark = "!! "

// newScreen returns the screen at the beginning, whose last line is the first alarm.
func newScreen(r *finding.Report, opt Options) *screen {
	s := &screen{report: r, opt: opt, tree: NewTree(r), runs: map[shown][]string{}}
	s.tree.Return(opt.Place)
	for _, run := range r.Runs {
		for _, a := range run.Alarms {
			s.alarms++
			of := run.Name() + ": "
			if len(r.Runs) == 1 {
				of = ""
			}
			s.said = cmp.Or(s.said, alarmMark+of+a.String())
		}
	}
	return s
}

// Init implements tea.Model.
func (s *screen) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var then tea.Cmd
	at := s.tree.at
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		s.said = ""
		then = s.key(msg)
	case tea.PasteMsg:
		if s.mode == searching || s.mode == filtering {
			s.typed += strings.Join(strings.Fields(msg.Content), " ")
			s.edited()
		}
	case tea.MouseWheelMsg:
		s.wheel(msg.Mouse())
	case tea.MouseClickMsg:
		s.click(msg.Mouse())
	}
	s.settle(at != s.tree.at)
	return s, then
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
	if s.mode != reading {
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
	if s.mode == reading {
		return s.page
	}
	return s.text
}

// rows returns the number of lines between the first one and the last one of the screen.
func (s *screen) rows() int { return max(1, s.height-2) }
