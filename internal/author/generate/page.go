package generate

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	reftemplate "github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// page is a file of a reference that is being edited: its lines, and what they say as YAML. The YAML of
// a template is what it prints for a CR. Only lines that the template states literally can be changed, so
// that everything else stays as its author wrote it.
type page struct {
	lines   []string // of the file, without line feeds
	printed []string // lines of YAML
	from    []int    // the index of the file's line for each line of YAML; -1 if it is not that line
	makers  []int    // the index of the file's line that prints each line of YAML; -1 if another file does
	text    string   // the YAML
	root    *kubeyaml.Node
	escapes bool   // braces in new text would begin an action
	pad     string // what begins each line of YAML in the file: it is in a block scalar
}

// Reasons why a page cannot be edited.
var (
	errAction  = errors.New("the template prints this with an action")
	errComment = errors.New("there is a comment that would be lost")
	errAbsent  = errors.New("it has no lines of its own in this file")
)

// plainPage returns the page of a file that is YAML.
func plainPage(text []byte) (*page, error) {
	p := &page{lines: strings.Split(string(text), "\n")}
	p.printed = p.lines
	for i := range p.lines {
		p.from = append(p.from, i)
	}
	p.makers = p.from
	return p, p.parse()
}

// templatePage returns the page of a template's file, given what the template prints.
func templatePage(text []byte, t *render.Template, trace *render.Trace) (*page, error) {
	p := &page{lines: strings.Split(string(text), "\n"), escapes: !t.Literal}
	for _, line := range trace.Lines {
		p.printed = append(p.printed, line.Text)
		from, maker := p.source(line, t.Body.File.Name)
		p.from, p.makers = append(p.from, from), append(p.makers, maker)
	}
	if p.parse() == nil {
		return p, nil
	}
	for i, line := range trace.Lines { // printed values may be no YAML on their own
		for _, print := range line.Prints {
			by := strings.Repeat("x", print.End-print.Start)
			p.printed[i] = p.printed[i][:print.Start] + by + p.printed[i][print.End:]
		}
	}
	return p, p.parse()
}

// source returns the index of the line of the file that is the line that a template printed, and of the one
// that prints it; -1 for none.
func (p *page) source(line render.Line, file string) (is, prints int) {
	at := line.From.Line - 1
	if line.From.File != file || at < 0 || at >= len(p.lines) {
		return -1, -1
	}
	own := strings.TrimPrefix(p.lines[at], kubeyaml.BOM)
	if own == line.Text || p.escapes && own == escaped(line.Text) {
		return at, at
	}
	return -1, at
}

// escaped returns text of a CR as a template states it.
func escaped(text string) string { return strings.ReplaceAll(text, "{{", `{{ "{{" }}`) }

// parse reads the YAML of the page.
func (p *page) parse() (err error) {
	p.text = reftemplate.FirstDocument(strings.Join(p.printed, "\n") + "\n")
	p.root, err = kubeyaml.ParseMapping(p.text, kubeyaml.DefaultLimits())
	return err
}

// open returns the page with the value at a path, and the path there: the page of the document that the
// path leads into, if it does and the document is in a block scalar.
func (p *page) open(path refconfig.FieldPath) (*page, refconfig.FieldPath, error) {
	for i, step := range path {
		s, ok := p.at(path[:i+1])
		inside := false
		if !ok {
			var around refconfig.Step
			if around, inside = step.Around(); inside {
				s, inside = p.at(append(slices.Clone(path[:i]), around))
			}
			if !inside {
				return p, path, nil
			}
		}
		last := i+1 == len(path)
		switch {
		case s.node.Kind != kubeyaml.Scalar || last && !inside:
			continue
		case last || s.node.Style != kubeyaml.Literal:
			return nil, nil, errAbsent
		}
		inner := &page{lines: p.lines, escapes: p.escapes}
		for n := s.node.Line; n <= p.region(s.parent, s.i).last; n++ {
			line := p.printed[n]
			if inner.pad == "" {
				inner.pad = line[:indentOf(line)]
			}
			inner.printed = append(inner.printed, strings.TrimPrefix(line, inner.pad))
			inner.from, inner.makers = append(inner.from, p.from[n]), append(inner.makers, p.makers[n])
		}
		if err := inner.parse(); err != nil {
			return nil, nil, errAbsent
		}
		inner.pad = p.pad + inner.pad
		return inner.open(path[i+1:])
	}
	return p, path, nil
}

// spot is a value on a page, with the map or list that it is in.
type spot struct {
	node   *kubeyaml.Node
	parent *kubeyaml.Node // nil for the root
	i      int            // its index in the values of the parent
}

// line returns the index of the line of YAML on which a value below the root begins, with its key.
func (s spot) line() int {
	if s.parent.Kind == kubeyaml.Map {
		return s.parent.Keys[s.i].Line - 1
	}
	return s.node.Line - 1
}

// at returns the value at a path.
func (p *page) at(path refconfig.FieldPath) (spot, bool) {
	s := spot{node: p.root}
	for _, step := range path {
		i := step.Index
		switch s.node.Kind {
		case kubeyaml.Map:
			key := keyOf(step)
			i = slices.IndexFunc(s.node.Keys, func(k *kubeyaml.Node) bool { return kubeyaml.KeyString(k) == key })
		case kubeyaml.Scalar:
			return s, false
		}
		if i < 0 || i >= len(s.node.Values) {
			return s, false
		}
		s = spot{s.node.Values[i], s.node, i}
	}
	return s, true
}

// keyOf returns a step of a path as the key of a map.
func keyOf(step refconfig.Step) string {
	if step.Key == "" && step.Index >= 0 {
		return strconv.Itoa(step.Index)
	}
	return step.Key
}

// region is a range of lines of YAML, with its last line.
type region struct{ first, last int }

// region returns the lines of an entry of a map or an item of a list in block style.
func (p *page) region(parent *kubeyaml.Node, i int) region {
	value, column := parent.Values[i], parent.Column-1
	first := value.Line - 1
	if parent.Kind == kubeyaml.Map {
		first, column = parent.Keys[i].Line-1, parent.Keys[i].Column-1
	} else {
		for ; first > parent.Line-1 && !isDash(p.printed[first], column); first-- {
			continue
		}
	}
	last := first
	for n := first + 1; n < len(p.printed); n++ {
		line := p.printed[n]
		indent := indentOf(line)
		blank := strings.TrimSpace(line) == ""
		item := parent.Kind == kubeyaml.Map && value.Kind == kubeyaml.List && indent == column && isDash(line, column)
		aside := strings.HasPrefix(line[indent:], "#") && indent <= column
		if !blank && !aside && indent <= column && !item {
			break
		}
		if !blank && !aside {
			last = n
		}
	}
	return region{first, last}
}

// indentOf returns the number of blanks at the start of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// isBefore reports whether a text has only the blanks and dashes that stand before a key or an item on its
// line.
func isBefore(text string) bool { return strings.Trim(text, " -") == "" }

// isDash reports whether a line has the dash of an item at a column.
func isDash(line string, column int) bool {
	if len(line) <= column || line[column] != '-' || !isBefore(line[:column]) {
		return false
	}
	return strings.TrimSpace(line[column+1:]) == "" || line[column+1] == ' '
}

// check returns an error if the lines of a region are not those of the file, or have a comment.
func (p *page) check(in region, value *kubeyaml.Node) error {
	texts := map[int]bool{} // the lines of block scalars
	p.blocks(value, texts)
	for n := in.first; n <= in.last; n++ {
		if p.from[n] < 0 || n > in.first && p.from[n] != p.from[n-1]+1 {
			return errAction
		}
		if !texts[n] && kubeyaml.Comment(p.printed[n]) >= 0 {
			return errComment
		}
	}
	return nil
}

// blocks adds the lines of the block scalars of a value.
func (p *page) blocks(n *kubeyaml.Node, to map[int]bool) {
	if isBlock(n) {
		indent := 0
		for i := n.Line; i < len(p.printed); i++ {
			by := indentOf(p.printed[i])
			if blank := strings.TrimSpace(p.printed[i]) == ""; !blank && by < max(1, indent) {
				break
			} else if !blank && indent == 0 {
				indent = by
			}
			to[i] = true
		}
	}
	for _, v := range n.Values {
		p.blocks(v, to)
	}
}

// isBlock reports whether a value is a block scalar.
func isBlock(n *kubeyaml.Node) bool { return n.Style == kubeyaml.Literal || n.Style == kubeyaml.Folded }

// replace puts lines in the place of those of a region, and returns the text of the file and the number
// of the first changed line. The lines end as their neighbours do.
func (p *page) replace(in region, by []string) ([]byte, int) {
	to := p.from[in.last] + 1
	from := to // an insertion behind the last line
	if in.first <= in.last {
		from = p.from[in.first]
	}
	mark, end := "", ""
	if from == 0 && strings.HasPrefix(p.lines[0], kubeyaml.BOM) {
		mark = kubeyaml.BOM
	}
	if len(p.lines) > 1 && strings.HasSuffix(p.lines[0], "\r") {
		end = "\r"
	}
	lines := slices.Clone(p.lines[:from])
	for _, line := range by {
		if line != "" {
			line = p.pad + line
		}
		lines = append(lines, mark+strings.TrimSuffix(line, "\r")+end)
		mark = ""
	}
	if to == len(p.lines) { // the last line has no end
		if from == to && from > 0 {
			lines[from-1] += end
		}
		lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], "\r")
	}
	return []byte(strings.Join(append(lines, p.lines[to:]...), "\n")), from + 1
}

// print returns the lines of a value.
func (p *page) print(v any, indent int) []string {
	text := tree.YAML(v)
	if p.escapes {
		text = tree.Template(v)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", indent) + line
		}
	}
	return lines
}

// set changes the value at a path, and returns the text of the file and the number of the changed line.
func (p *page) set(path refconfig.FieldPath, v any) ([]byte, int, error) {
	s, ok := p.at(path)
	switch {
	case !ok:
		return nil, 0, errAbsent
	case s.parent == nil:
		return nil, 0, errAction
	}
	if text, line, ok := p.scalar(s, v); ok {
		return text, line, nil
	}
	if s.parent.Flow {
		return p.climb(path, func(above any) (any, bool) { return tree.Set(above, path[len(path)-1:], v) })
	}
	in := p.region(s.parent, s.i)
	if err := p.check(in, s.node); err != nil {
		return nil, 0, err
	}
	line, column := p.printed[in.first], s.parent.Column-1
	if s.parent.Kind == kubeyaml.List {
		lines := p.print([]any{v}, column)
		lines[0] = line[:column] + lines[0][column:]
		text, at := p.replace(in, lines)
		return text, at, nil
	}
	key := s.parent.Keys[s.i]
	column = key.Column - 1
	colon := key.EndIn(p.text) - key.Offset + column
	for colon < len(line) && line[colon] != ':' {
		colon++
	}
	if key.Line-1 != in.first || colon == len(line) || !isBefore(line[:column]) {
		return nil, 0, errAbsent
	}
	lines := p.print(map[string]any{"k": v}, column)
	lines[0] = line[:colon] + lines[0][column+1:]
	text, at := p.replace(in, lines)
	return text, at, nil
}

// scalar changes a scalar on one line, and keeps its quotes and what else is on the line.
func (p *page) scalar(s spot, v any) ([]byte, int, bool) {
	n := s.node
	if n.Kind != kubeyaml.Scalar || isBlock(n) || n.Offset >= len(p.text) {
		return nil, 0, false
	}
	switch v := v.(type) {
	case map[string]any, []any:
		return nil, 0, false
	case tree.Action:
		if v.Block {
			return nil, 0, false
		}
	case string:
		if strings.Contains(v, "\n") && !s.parent.Flow {
			return nil, 0, false
		}
	}
	at, end := n.Line-1, n.EndIn(p.text)
	from := n.Column - 1
	to := from + end - n.Offset
	line := p.printed[at]
	if to > len(line) || from > to || p.from[at] < 0 || p.lines[p.from[at]] != p.pad+line {
		return nil, 0, false
	}
	rest := strings.TrimLeft(line[to:], " \t\r")
	if rest != "" && !strings.HasPrefix(rest, "#") && !(s.parent.Flow && strings.ContainsAny(rest[:1], ",]}")) {
		return nil, 0, false // it goes on
	}
	if !s.parent.Flow {
		if in := p.region(s.parent, s.i); at < in.first || at > in.last || n.Style == kubeyaml.Plain && at != in.last {
			return nil, 0, false // it is an alias, or goes on
		}
	}
	text := line[:from] + p.spelled(v, n, s.parent.Flow) + line[to:]
	changed, first := p.replace(region{at, at}, []string{text})
	return changed, first, true
}

// spelled returns a scalar in the style of another one.
func (p *page) spelled(v any, like *kubeyaml.Node, flow bool) string {
	if a, ok := v.(tree.Action); ok {
		return "{{ " + a.Pipe + " }}"
	}
	text := tree.ScalarOf(v)
	if s, ok := v.(string); ok {
		quoted, err := tree.JSON(s)
		doubly := like.Style == kubeyaml.DoubleQuoted || flow && strings.ContainsAny(s, ",[]{}")
		switch {
		case like.Style == kubeyaml.SingleQuoted && kubeyaml.IsPlainText([]byte(s)) && !strings.ContainsAny(s, "\n\t"):
			text = "'" + strings.ReplaceAll(s, "'", "''") + "'"
		case err == nil && doubly:
			text = quoted
		}
	}
	if p.escapes {
		text = escaped(text)
	}
	return text
}

// climb changes the map or list that has a value, because the value has no lines of its own.
func (p *page) climb(path refconfig.FieldPath, change func(above any) (any, bool)) ([]byte, int, error) {
	above := path[:len(path)-1]
	s, ok := p.at(above)
	if !ok || len(above) == 0 {
		return nil, 0, errAbsent
	}
	v, ok := change(s.node.Value())
	if !ok {
		return nil, 0, errAbsent
	}
	return p.set(above, v)
}

// remove removes the value at a path.
func (p *page) remove(path refconfig.FieldPath) ([]byte, int, error) {
	s, ok := p.at(path)
	if !ok || s.parent == nil {
		return nil, 0, errAbsent
	}
	climb := func() ([]byte, int, error) {
		return p.climb(path, func(above any) (any, bool) {
			switch v := above.(type) {
			case map[string]any:
				delete(v, keyOf(path[len(path)-1]))
				return v, true
			case []any:
				return slices.Delete(v, s.i, s.i+1), true
			}
			return nil, false
		})
	}
	if s.parent.Flow || len(s.parent.Values) == 1 {
		return climb()
	}
	in := p.region(s.parent, s.i)
	if err := p.check(in, s.node); err != nil {
		return nil, 0, err
	}
	column := s.parent.Column - 1
	if s.parent.Kind == kubeyaml.Map {
		column = s.parent.Keys[s.i].Column - 1
	}
	before := p.printed[in.first][:column]
	if !isBefore(before) {
		return climb()
	}
	if strings.TrimSpace(before) == "" {
		text, at := p.replace(in, nil)
		return text, at, nil
	}
	next := in.last + 1 // what follows takes its place behind the dash
	if next >= len(p.printed) || p.from[next] != p.from[in.last]+1 || len(p.printed[next]) <= column ||
		strings.TrimSpace(p.printed[next][:column]) != "" {
		return climb()
	}
	text, at := p.replace(region{in.first, next}, []string{before + p.printed[next][column:]})
	return text, at, nil
}

// add adds a value to a map, or to a list before the item of an index, or at the end for -1.
func (p *page) add(path refconfig.FieldPath, v any) ([]byte, int, error) {
	above, step := path[:len(path)-1], path[len(path)-1]
	s, ok := p.at(above)
	if !ok {
		return nil, 0, errAbsent
	}
	n := s.node
	if _, there := p.at(path); there && n.Kind == kubeyaml.Map {
		return p.set(path, v)
	}
	if n.Flow || len(n.Values) == 0 {
		return p.climb(path, func(above any) (any, bool) {
			switch was := above.(type) {
			case []any:
				i := step.Index
				if i < 0 || i > len(was) {
					i = len(was)
				}
				return slices.Insert(was, i, v), true
			case map[string]any:
				was[keyOf(step)] = v
				return was, true
			}
			if step.Key == "-" {
				return []any{v}, true
			}
			return map[string]any{keyOf(step): v}, true
		})
	}
	column, i := n.Column-1, len(n.Values)-1
	lines := p.print([]any{v}, column)
	if n.Kind == kubeyaml.Map {
		column, i = n.Keys[0].Column-1, 0
		for j, key := range n.Keys {
			if kubeyaml.KeyString(key) < keyOf(step) {
				i = j
			}
		}
		lines = p.print(map[string]any{keyOf(step): v}, column)
	} else if step.Index >= 0 {
		i = min(i, step.Index-1)
	}
	if i < 0 { // before the first item
		in := p.region(n, 0)
		if p.from[in.first] < 0 || strings.TrimSpace(p.printed[in.first][:column]) != "" {
			return nil, 0, errAction
		}
		lines = append(lines, strings.TrimPrefix(p.lines[p.from[in.first]], p.pad))
		text, at := p.replace(region{in.first, in.first}, lines)
		return text, at, nil
	}
	if first := p.printed[p.region(n, i).first]; n.Kind == kubeyaml.Map && !isBefore(first[:min(column, len(first))]) {
		return nil, 0, errAbsent
	}
	last, ok := p.below(s, i)
	if !ok {
		return nil, 0, errAction
	}
	text, at := p.replace(region{last + 1, last}, lines)
	return text, at, nil
}

// below returns the line of YAML below which an entry of a map, or an item of a list, is added behind that of
// an index. It is one that the file states under no condition that the map or list is not under itself. An
// entry can also stand elsewhere in its map: behind the nearest before it, else behind the nearest after it,
// else below the key of the map.
func (p *page) below(s spot, i int) (last int, ok bool) {
	n := s.node
	top := p.region(n, 0).first
	if s.parent != nil {
		top = p.region(s.parent, s.i).first
	}
	isSafe := func(line int) bool {
		return p.from[line] >= 0 && p.from[top] >= 0 && p.depth(line) == p.depth(top)
	}
	candidates := []int{p.region(n, i).last}
	if n.Kind == kubeyaml.Map {
		for j := range n.Values {
			if before := i - 1 - j; before >= 0 {
				candidates = append(candidates, p.region(n, before).last)
			}
		}
		for j := i + 1; j < len(n.Values); j++ {
			candidates = append(candidates, p.region(n, j).last)
		}
		if top < n.Keys[0].Line-1 {
			candidates = append(candidates, top)
		}
	}
	at := slices.IndexFunc(candidates, isSafe)
	if at < 0 {
		return 0, false
	}
	return candidates[at], true
}

// append adds lines of an entry or item at the end of a map or list in block style.
func (p *page) append(to refconfig.FieldPath, lines []string) ([]byte, error) {
	s, ok := p.at(to)
	if !ok || s.node.Flow || len(s.node.Values) == 0 {
		return nil, errAbsent
	}
	column := s.node.Column - 1
	if s.node.Kind == kubeyaml.Map {
		column = s.node.Keys[0].Column - 1
	}
	by := indentOf(lines[0])
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", column) + line[by:]
	}
	last := p.region(s.node, len(s.node.Values)-1).last
	text, _ := p.replace(region{last + 1, last}, lines)
	return text, nil
}

// depth returns in how many blocks of a template a line of YAML is.
func (p *page) depth(line int) (depth int) {
	if !p.escapes || p.from[line] < 0 {
		return 0
	}
	for _, action := range strings.Split(strings.Join(p.lines[:p.from[line]+1], "\n"), "{{")[1:] {
		word, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(action, "-"), " \t\n\r"), " ")
		switch strings.TrimRight(strings.TrimRight(word, "}"), "-") {
		case "if", "with", "range", "define", "block":
			depth++
		case "end":
			depth--
		}
	}
	return depth
}

// itemAt returns the path of the innermost item of a list that has a line of the file; nil for none.
func (p *page) itemAt(n *kubeyaml.Node, path refconfig.FieldPath, line int) (found refconfig.FieldPath) {
	for i, value := range n.Values {
		if n.Flow {
			break
		}
		if in := p.region(n, i); line-1 < in.first || line-1 > in.last {
			continue
		}
		at := append(slices.Clone(path), index(i))
		if n.Kind == kubeyaml.Map {
			at[len(path)] = refconfig.Key(kubeyaml.KeyString(n.Keys[i]))
		} else {
			found = at
		}
		if inner := p.itemAt(value, at, line); inner != nil {
			found = inner
		}
	}
	return found
}

// lineOf returns the line of the file that states a value, or the nearest above it; 1 if none is known.
func (p *page) lineOf(path refconfig.FieldPath) int {
	if inner, rest, err := p.open(path); err == nil && inner != p {
		return inner.lineOf(rest)
	}
	for ; len(path) > 0; path = path[:len(path)-1] {
		s, ok := p.at(path)
		if !ok {
			continue
		}
		if line := p.makers[s.line()]; line >= 0 {
			return line + 1
		}
	}
	return 1
}

// isLiteral reports whether a line of the file states a value, or the nearest above it.
func (p *page) isLiteral(path refconfig.FieldPath) bool {
	if inner, rest, err := p.open(path); err == nil && inner != p {
		return inner.isLiteral(rest)
	}
	for ; len(path) > 0; path = path[:len(path)-1] {
		if s, ok := p.at(path); ok {
			return p.from[s.line()] >= 0
		}
	}
	return false
}
