package refdiff

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// part is a key of what a template states, or an item of a list there, with what stands below it.
type part struct {
	key   string // as the template has it
	item  bool
	below []*part

	// as the template has it, without the key and without comments; of what has parts below it, see
	// text
	own    string
	lines  []string // of the template that it takes, without that of its key
	how    spelling // of the actions in them
	value  any      // what YAML makes of it; where actions stand in it, as the template has it
	fixed  bool     // no action stands in it
	when   []guard  // that its parent does not stand in
	first  int      // its first and last line
	last   int
	secret bool // something in it may not be shown
}

// guard is a condition or a loop that a part of a template stands in.
type guard struct {
	text string
	loop bool
	line int
}

// side is one template of one version, made ready to be compared.
type side struct {
	t        *render.Template
	root     *part
	unread   []statement               // text that belongs to no part
	patterns []refconfig.FieldFunction // the fields with inline diff functions
}

// newSide reads a template. It counts what looking for Secrets in its texts takes.
func newSide(t *render.Template, searched *secret.Searched) *side {
	s := &side{t: t, root: &part{}}
	if t.Literal || !bytes.Contains(t.Ref.Source, []byte("{{")) {
		s.plain()
	} else {
		r := &reader{side: s, contents: t.Contents(), text: strings.TrimPrefix(string(t.Ref.Source), "\ufeff"),
			guards:  map[*parse.ListNode][]guard{},
			covered: map[int]bool{}, spelling: newSpelling()}
		r.lines = strings.Split(r.text, "\n")
		r.body(t.Body.Root, nil)
		s.root = r.part(r.contents.Root, nil)
		r.rest()
	}
	s.root.assemble()
	kind, _ := t.Identity.Kind.Exact()
	s.root.mark(secret.OfKind(kind).Or(secret.Of(s.root.value)).With(searched))
	s.patterns = t.Ref.Config.Fields(refconfig.InlineDiff)
	return s
}

// place is file:line of a line of the template.
func (s *side) place(line int) string {
	if line == 0 {
		return ""
	}
	at := s.t.Body.File.Place(0)
	at.Line = line
	return at.String()
}

// plain reads a template without actions.
func (s *side) plain() {
	text := template.FirstDocument(string(s.t.Ref.Source))
	docs, err := kubeyaml.Parse([]byte(text))
	docs = slices.DeleteFunc(docs, func(d *kubeyaml.Node) bool { return d.Kind != kubeyaml.Map })
	if err == nil && len(docs) == 1 {
		s.root = s.node(docs[0])
		return
	}
	for i, line := range strings.Split(text, "\n") {
		s.unread = append(s.unread, statement{strings.TrimSpace(line), i + 1 + s.t.Ref.LinesBefore})
	}
}

// node makes a part of a value.
func (s *side) node(n *kubeyaml.Node) *part {
	line := n.Line + s.t.Ref.LinesBefore
	p := &part{fixed: true, first: line, last: line}
	if len(n.Values) == 0 {
		p.value = n.Value() // of others see assemble
	}
	for i, v := range n.Values {
		one := s.node(v)
		one.item = n.Kind == kubeyaml.List
		if !one.item {
			one.key, one.first = kubeyaml.KeyString(n.Keys[i]), n.Keys[i].Line+s.t.Ref.LinesBefore
		}
		p.last = max(p.last, one.last)
		p.below = append(p.below, one)
	}
	return p
}

// assemble makes the values of parts of those below them.
func (p *part) assemble() {
	m, l := map[string]any{}, []any{}
	for _, b := range p.below {
		b.assemble()
		m[b.key] = b.value
		l = append(l, b.value)
	}
	switch {
	case len(p.below) == 0:
	case p.below[0].item:
		p.value = l
	default:
		p.value = m
	}
}

// text is the part as the template has it, without its key and without comments.
func (p *part) text() string {
	switch {
	case p.lines != nil:
		return dedented(p.how.actions(strings.Join(p.lines, "\n")), false)
	case p.own == "" && p.fixed && p.value != nil:
		return strings.TrimSuffix(tree.YAML(p.value), "\n")
	}
	return p.own
}

// mark finds the parts that hold data of Secrets: those that are, and those above them. Each text
// is searched once.
func (p *part) mark(scope secret.Scope) {
	if len(p.below) == 0 {
		p.secret = scope.IsWhole() || scope.Holds(p.value)
		return
	}
	if lines, isList := p.value.([]any); isList {
		scope = scope.Elements(lines)
	}
	p.secret = scope.IsWhole()
	for _, b := range p.below {
		b.mark(scope.Below(b.key, b.value))
		p.secret = p.secret || b.secret
	}
}

// reader reads a template with actions.
type reader struct {
	*side
	contents *template.Contents
	text     string
	lines    []string
	guards   map[*parse.ListNode][]guard
	covered  map[int]bool // lines that belong to a part
	spelling
}

// spelling finds how actions are written.
type spelling struct{ comments, begins, ends *regexp.Regexp }

func newSpelling() spelling {
	return spelling{
		regexp.MustCompile(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`),
		regexp.MustCompile(`\{\{(- )?\s*`),
		regexp.MustCompile(`\s*( -)?\}\}`),
	}
}

// body notes what each list of nodes stands in.
func (r *reader) body(l *parse.ListNode, in []guard) {
	if l == nil {
		return
	}
	r.guards[l] = in
	for _, n := range l.Nodes {
		word, branch := template.BranchOf(n)
		if branch == nil {
			continue
		}
		line := r.t.Body.File.Line(branch.Pipe.Position())
		g := guard{text: branch.Pipe.String(), line: line}
		if word == "range" {
			g.text, g.loop = "range "+g.text, true
		}
		r.body(branch.List, and(in, g))
		r.body(branch.ElseList, and(in, guard{text: "not (" + branch.Pipe.String() + ")", line: line}))
	}
}

// and are guards with one more. So many are told, and so long ones; what stands in for the rest
// differs where one of these does.
func and(in []guard, g guard) []guard {
	const most, bytes = 50, 4 << 10
	size := len(g.text)
	for _, one := range in {
		size += len(one.text)
	}
	if len(in) == 0 || len(in) < most && size <= bytes {
		return append(slices.Clone(in), g)
	}
	last := in[len(in)-1]
	g.text, g.loop = fmt.Sprintf("further conditions (%x)", sha256.Sum256([]byte(last.text+"\n"+g.text))), g.loop ||
		last.loop
	return append(slices.Clone(in[:len(in)-1]), g)
}

// part reads a key or an item, whose parent stands in some guards.
func (r *reader) part(c *template.Content, in []guard) *part {
	p := &part{item: c.Item}
	all := r.guards[c.Branch]
	if c.Parent != nil {
		r.own(p, c)
		common := 0
		for common < min(len(all), len(in)) && all[common] == in[common] {
			common++
		}
		p.when = all[common:]
	}
	for _, b := range c.Children {
		one := r.part(b, all)
		p.below = append(p.below, one)
		p.last = max(p.last, one.last)
	}
	if len(p.below) > 0 {
		first := p.below[0].first
		if c.Item {
			first = p.first
		}
		p.how, p.fixed = r.spelling, true
		p.lines = r.lines[first-1-r.t.Ref.LinesBefore : p.last-r.t.Ref.LinesBefore]
		for _, b := range p.below {
			p.fixed = p.fixed && b.fixed && len(b.when) == 0
		}
	}
	return p
}

// own reads what stands on the lines of a key or an item itself.
func (r *reader) own(p *part, c *template.Content) {
	at := r.open(c.At)
	from := at + 1 // behind the dash
	switch {
	case !c.Item:
		from = c.At + len(c.Key) + bytes.IndexByte(r.contents.Text[c.At+len(c.Key):], ':') + 1
	case c.ValueAt > 0:
		from = r.open(c.ValueAt)
	}
	end := c.End
	if !c.Block {
		end = r.lineEnd(from)
	}
	p.key = r.actions(strings.TrimSpace(r.text[at:max(from, at)]))
	p.key = strings.Trim(strings.TrimSuffix(p.key, ":"), `"'`)
	p.first, p.last = r.line(c.At), r.line(max(end-1, c.At))
	for line := p.first; line <= p.last; line++ {
		r.covered[line] = true
	}
	outline := string(r.contents.Text[c.At:end])
	if p.fixed = !strings.ContainsAny(outline, string(template.Printed)+string(template.Acted)); p.fixed {
		p.own, p.value = fixed(r.text[from:end], c)
		return
	}
	text := r.actions(r.text[from:end])
	if at := strings.LastIndex(text, "}}"); !c.Block && at >= 0 {
		rest, _, _ := strings.Cut(text[at:], " #")
		text = text[:at] + rest
	}
	p.own = strings.TrimSpace(dedented(text, c.Block))
	p.value = p.own
}

// fixed returns a value without actions as it is shown, and what it is.
func fixed(source string, c *template.Content) (string, any) {
	docs, err := kubeyaml.Parse([]byte("v: " + source))
	if err != nil || len(docs) != 1 || len(docs[0].Values) != 1 || c.Item && c.ValueAt == 0 {
		return c.Value, c.Value
	}
	v := docs[0].Values[0].Value()
	if c.Block {
		text, _ := v.(string)
		return strings.TrimSuffix(text, "\n"), v
	}
	return c.Value, v
}

// open is an offset, or that of the action that it lies in.
func (r *reader) open(offset int) int {
	line := r.text[strings.LastIndexByte(r.text[:offset], '\n')+1 : offset]
	if begin := strings.LastIndex(line, "{{"); begin > strings.LastIndex(line, "}}") {
		return offset - len(line) + begin
	}
	return offset
}

// lineEnd is the offset of the end of a line, behind all actions that begin on it.
func (r *reader) lineEnd(from int) int {
	open := 0
	for end := from; ; end++ {
		line, _, more := strings.Cut(r.text[end:], "\n")
		if !more {
			return len(r.text)
		}
		end += len(line)
		if open += strings.Count(line, "{{") - strings.Count(line, "}}"); open <= 0 {
			return end
		}
	}
}

func (r *reader) line(offset int) int { return r.t.Place(offset).Line }

// rest takes down the text that belongs to no part: what is written in an unusual way.
func (r *reader) rest() {
	outline := strings.Split(template.FirstDocument(string(r.contents.Text)), "\n")
	for i, line := range outline {
		text := strings.Trim(line, string(template.Printed)+string(template.Acted)+" \t\r")
		at := i + 1 + r.t.Ref.LinesBefore
		if text != "" && text[0] != '#' && !strings.HasPrefix(text, "---") && !r.covered[at] && i < len(r.lines) {
			r.unread = append(r.unread, statement{strings.TrimSpace(r.actions(r.lines[i])), at})
		}
	}
}

// actions is a text of a template without its comments, and with each action written in one way.
func (r spelling) actions(text string) string {
	text = r.comments.ReplaceAllString(text, "")
	return r.ends.ReplaceAllString(r.begins.ReplaceAllString(text, "{{ "), " }}")
}

// dedented is a text of several lines without blank lines, comments unless these are part of it,
// and the indentation that all of it has.
func dedented(text string, comments bool) string {
	var lines []string
	for line := range strings.Lines(text) {
		if body := strings.TrimSpace(line); body != "" && (comments || body[0] != '#') {
			lines = append(lines, strings.TrimRight(line, " \t\r\n"))
		}
	}
	deep := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	least := -1
	for i, line := range lines {
		if d := deep(line); i > 0 && (least < 0 || d < least) {
			least = d
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), deep(line)):]
	}
	if len(lines) == 1 {
		return strings.TrimSpace(lines[0])
	}
	return strings.Join(lines, "\n")
}
