package browse

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/text"
)

// Attributes of text that every terminal has, with colours or without.
const (
	bold     = "\x1b[1m"
	faint    = "\x1b[2m"
	reversed = "\x1b[7m"
	plain    = "\x1b[0m"
)

// twoPanes is the minimum width of a screen for two panes.
const twoPanes = 100

// left returns the width of the tree: all or nothing of a narrow screen.
func (s *screen) left() int {
	switch {
	case s.width >= twoPanes:
		return s.width * 2 / 5
	case s.right:
		return 0
	}
	return s.width
}

// textWidth returns the width of the text.
func (s *screen) textWidth() int {
	if s.width >= twoPanes {
		return s.width - s.left() - 1
	}
	return s.width
}

// View implements tea.Model.
func (s *screen) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if s.width == 0 {
		return v
	}
	if s.page == nil { // a terminal lets users mark a text to copy it only if it keeps the mouse
		v.MouseMode = tea.MouseModeCellMotion
	}
	all := []string{reversed + fitted(s.head(), s.width) + plain}
	for i := range s.rows() {
		all = append(all, s.row(i))
	}
	if s.height > 1 {
		all = append(all, fitted(s.foot(), s.width))
	}
	v.Content = strings.Join(all[:min(len(all), s.height)], "\n")
	return v
}

// row returns a line between the first one and the last one.
func (s *screen) row(i int) string {
	content, line := s.content(), ""
	if at := s.scroll + i; at < len(content) {
		line = content[at]
	}
	left := s.left()
	if s.page != nil || left == 0 {
		return fitted(line, s.width)
	}
	node := ""
	if at := s.top + i; at < len(s.tree.rows) {
		node = s.node(s.tree.rows[at], left)
	}
	if left == s.width {
		return fitted(node, left)
	}
	return fitted(node, left) + faint + "│" + plain + fitted(line, s.textWidth())
}

// fitted cuts a line or fills it with blanks.
func fitted(line string, width int) string {
	if ansi.StringWidthWc(line) > width {
		line = ansi.TruncateWc(line, width, "…") + plain
	}
	return line + strings.Repeat(" ", width-ansi.StringWidthWc(line)) // a wide character may not fit
}

// node returns the line of a node in the tree.
func (s *screen) node(n *node, width int) string {
	fold := " "
	if len(n.children) > 0 {
		fold = "+"
		if n.open {
			fold = "-"
		}
	}
	mark, tail := n.mark(), ""
	if n.change == finding.New || n.change == finding.Changed {
		mark = strings.TrimSuffix("! "+mark, " ")
	}
	if len(n.children) > 0 {
		tail = " " + strconv.Itoa(n.count)
	}
	head := strings.Repeat("  ", int(n.level)) + fold + " "
	if mark != "" {
		mark += " "
	}
	room := width - len(head) - len(mark) - len(tail)
	label := n.label
	if ansi.StringWidthWc(label) > room {
		label = ansi.TruncateWc(label, room, "…")
	}
	if n == s.tree.at {
		style := reversed
		if s.right {
			style = bold
		}
		return style + fitted(head+mark+label+tail, width) + plain
	}
	if n.class != "" && !n.accepted {
		mark = text.Mark(n.class, mark, s.opt.Text)
	}
	return head + mark + label + faint + tail + plain
}

// mark returns the mark of a node: the verdict of a cluster, that of the text report for a field, the
// word of the class for what is no compared CR.
func (n *node) mark() string {
	switch {
	case n.level == ofCluster && n.run.Summary.Verdict != finding.Compliant:
		return strings.ToUpper(string(n.run.Summary.Verdict))
	case n.level == ofCluster:
		return string(finding.Compliant)
	case n.level < ofCR:
		return ""
	case n.accepted:
		return "accepted"
	case n.cr == nil || n.class == finding.ClassError:
		return n.class.Word()
	case n.level == ofField:
		return map[finding.Class]string{
			finding.ClassDrift: "|", finding.ClassMissing: "<", finding.ClassExtra: ">", finding.ClassInvalid: "x",
		}[n.class]
	}
	return ""
}

// head returns the first line of the screen.
func (s *screen) head() string {
	said := s.report.Sentence()
	if len(s.report.Runs) == 1 {
		said = verdicts(s.report)[0]
	}
	if f := s.tree.filter.text; f != "" {
		said = "filter " + f + "  " + said
	}
	if n := len(alarms(s.report)); n > 0 {
		said = alarmMark + finding.Plural(n, "alarm", "alarms") + "  " + said
	}
	return " " + escape.Text(said)
}

// foot returns the last line of the screen.
func (s *screen) foot() string {
	total := 0
	for _, c := range s.tree.clusters {
		total += c.count
	}
	switch {
	case s.ask != nil:
		return s.ask.line(s.said, s.width)
	case s.said != "":
		return " " + escape.Text(s.said)
	case s.page != nil:
		return faint + " any key: back" + plain
	}
	said := finding.Plural(total, "finding", "findings")
	if n := len(s.unwritten()); n > 0 {
		said += ", " + finding.Plural(n, "acceptance", "acceptances") + " to write (w)"
	}
	return faint + " " + said + "   ? keys  q quit  n next  a accept  / search  f filter  y copy  e why  ] next cluster" + plain
}

// read makes the text for the node at the cursor.
func (s *screen) read() {
	n := s.tree.at
	if n == nil {
		s.text = []string{"There are no findings."}
		return
	}
	of := subject{about: n, width: s.textWidth(), why: s.why}
	if n.cr != nil {
		of.about = n.cr // all fields of a CR have the same text
	}
	if s.of == of && s.text != nil {
		return
	}
	s.of, s.place = of, nil
	opt := s.opt.Text
	opt.Width = of.width
	switch {
	case s.why && n.cr != nil:
		s.text = reasons(n.cr, opt)
	case n.cr != nil:
		s.text, s.place = text.Lines(n.cr, opt)
		if n.cr.Result == finding.Clean { // its lines are not kept
			for _, f := range n.cr.Accepted() {
				s.text = append(s.text, text.Paragraph("  accepted   "+f.Words, opt)...)
			}
		}
	case n.entry != nil:
		s.text = text.EntryLines(s.report, n.run, *n.entry, opt)
	case n.level == ofCluster:
		if s.runs[of] == nil {
			s.runs[of] = text.RunLines(s.report, n.run, opt)
		}
		s.text = s.runs[of]
	default:
		s.text = listed(n, opt)
	}
}

// reasons says why a CR was compared with its template.
func reasons(c *finding.Comparison, opt text.Options) []string {
	said := []string{
		c.Object.String(),
		"",
		"template " + c.Template.Path,
		"The fields of its identity that agree: " + strings.Join(c.Correlation.Fields, ", "),
	}
	if words := c.Correlation.Words(); words != "" {
		said = append(said, "It is "+words)
	} else {
		said = append(said, "No other template of the reference matches the CR.")
	}
	said = append(said, "", "y shows the command that explains the choice in full.")
	var all []string
	for _, one := range said {
		all = append(all, text.Paragraph(one, opt)...)
	}
	return all
}

// listedMost is the maximum number of lines that name what is below a node.
const listedMost = 200

// listed names what is below a part or a component, as far as there is room.
func listed(n *node, opt text.Options) []string {
	if n.accepted {
		return text.Paragraph("accepted: "+n.label, opt)
	}
	all := text.Paragraph(n.label+": "+finding.Plural(n.count, "finding", "findings"), opt)
	for i, child := range n.children {
		if len(all) >= listedMost {
			return append(all, fmt.Sprintf("  … and %d more", len(n.children)-i))
		}
		if !child.hidden {
			line := finding.Plural(child.count, "finding", "findings") + "  " + child.label
			if mark := child.mark(); mark != "" {
				line = mark + "  " + child.label
			}
			all = append(all, text.Paragraph("  "+line, opt)...)
		}
	}
	return all
}

// wrapped splits a text that is safe to print into lines of a width.
func wrapped(all string, width int) []string {
	return strings.Split(ansi.HardwrapWc(strings.TrimSuffix(all, "\n"), width, true), "\n")
}
