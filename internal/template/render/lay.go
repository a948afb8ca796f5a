package render

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/memory"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
)

// builder builds the node of a rendering from the YAML nodes of its text.
type builder struct {
	out   *Output
	nodes *memory.Blocks[provenance.Node]
	a     assembled
	seen  map[int]bool // prints whose finding is in a note

	shown  func(key string) bool // see output.place
	hidden map[string]string     // replacements of the keys that are not shown

	line   line                     // the last result of lineAt
	sorted map[*kubeyaml.Node][]int // see lastBefore
}

// buildRendering builds the rendering, including the findings that belong to no leaf.
func (o *Output) buildRendering(
	a assembled, room *Room, root *kubeyaml.Node, shown func(key string) bool,
) Rendering {
	if !slices.ContainsFunc(o.Prints, func(p Printed) bool { return p.secret }) {
		shown = nil
	}
	l := &builder{
		out:    o,
		nodes:  &room.expected,
		a:      a,
		seen:   map[int]bool{},
		shown:  shown,
		line:   line{end: -1},
		sorted: map[*kubeyaml.Node][]int{},
	}
	n := l.node(root, len(a.text), 0, mark{})
	r := Rendering{Node: &n}
	r.Value, _ = n.Value().(map[string]any)
	failed := false
	for i := range o.Prints {
		p := &o.Prints[i]
		failed = failed || p.fail != ""
		if f := p.finding(); f != nil && !l.seen[i] && l.unplaced(i) {
			p.reported = true
			if f.Path == nil {
				f.Path = l.pathAt(root, a.spans[i].start)
			}
			r.Unplaced = append(r.Unplaced, *f)
		}
	}
	if !failed {
		return r
	}
	for path, leaf := range n.Leaves() {
		if note, _ := leaf.Note(); note.Finding != nil && note.Finding.Path == nil {
			note.Finding.Path = slices.Clone(path)
		}
	}
	return r
}

// unplaced reports whether the finding of print i counts although no leaf has it. A missing key in
// a comment does not count.
func (l *builder) unplaced(i int) bool {
	p := &l.out.Prints[i]
	switch {
	case p.fail != "":
		return true // even in a comment, where trimmed white space may have moved it
	case l.a.spans[i].start > len(l.a.text):
		return false // the print is in a second document
	}
	start := l.a.spans[i].start
	return p.blank || start <= l.lineAt(start).comment
}

// finding returns the finding of a print, or nil.
func (p *Printed) finding() *provenance.Finding {
	at := p.Val.at
	switch {
	case p.open:
		return nil
	case p.fail != "":
		return &provenance.Finding{Code: code.EvalFail, Path: at.path(), Message: p.fail + " (" + p.position() + ")"}
	case p.Val.lost != nil:
		at = p.Val.lost
	case !p.Val.Absent:
		return nil
	}
	position := p.position()
	f := &provenance.Finding{
		Code:    code.EvalMissingKey,
		Path:    at.path(),
		Message: "the template needs a value that the CR lacks (" + position + ")",
		Null:    p.Val.lost != nil && strings.TrimSpace(fmt.Sprint(p.Val.V)) == "null",
	}
	if f.Path != nil {
		f.Message = fmt.Sprintf("the template needs %s, which the CR lacks (%s)", f.Path, position)
	}
	return f
}

// position returns the place of the action in the template.
func (p *Printed) position() string { return p.file.Place(p.pos).String() }

// node returns the expected value of a YAML node that ends before limit. depth is the distance from
// the root. within is the mark of the enclosing containers.
func (l *builder) node(n *kubeyaml.Node, limit, depth int, within mark) provenance.Node {
	switch {
	case n.Kind == kubeyaml.Map && len(n.Keys) > 0:
		within = l.enter(n, within, depth)
		return l.mapping(n, limit, depth, within)
	case n.Kind == kubeyaml.List && len(n.Values) > 0:
		within = l.enter(n, within, depth)
		items := l.nodes.Take(len(n.Values))
		for i, item := range n.Values {
			end := limit
			if i+1 < len(n.Values) {
				end = n.Values[i+1].Offset
			}
			items[i] = l.node(item, end, depth+1, within)
		}
		return provenance.List(items)
	}
	return l.leaf(n, limit, depth, within)
}

// mark is the print that contains the start of the containers around a node, and the depth of the
// outermost of these containers.
type mark struct {
	print int // number from 1; 0 for none
	depth int
}

// enter returns the mark for the children of a container.
func (l *builder) enter(n *kubeyaml.Node, within mark, depth int) mark {
	i := l.spanAt(n.Offset)
	if i < 0 || l.spanIsToken(i) {
		return mark{}
	}
	if within.print == i+1 {
		return within
	}
	return mark{i + 1, depth}
}

func (l *builder) mapping(n *kubeyaml.Node, limit, depth int, within mark) provenance.Node {
	children := l.nodes.Take(len(n.Keys))
	for i, k := range n.Keys {
		end := limit
		if i+1 < len(n.Keys) && n.Keys[i+1].Offset > n.Values[i].Offset {
			end = n.Keys[i+1].Offset
		}
		key, printed, open := l.key(k)
		if l.secretKey(k, n.Values[i].Offset) {
			key = l.redacted(key)
		}
		child := l.node(n.Values[i], end, depth+1, within)
		if printed || l.out.unsure {
			if note, whole := child.Note(); whole {
				note.Variable = note.Variable || printed
				note.Unsure = open || l.unsureAt(k.Offset) || l.inOpen(within)
				child = provenance.Leaf(child.Value(), note)
			}
		}
		children[i] = child.Under(key)
	}
	return provenance.Map(children)
}

// key returns a map key, whether an action printed a part of it, and whether it depends on a
// placeholder.
func (l *builder) key(k *kubeyaml.Node) (key string, printed, open bool) {
	if !strings.Contains(k.Text, l.a.prefix) {
		for i := l.firstSpan(k.Offset); i < len(l.a.spans) && l.a.spans[i].start < k.Offset+len(k.Text); i++ {
			open = open || l.out.Prints[i].open
		}
		return kubeyaml.KeyString(k), l.spanAt(k.Offset) >= 0, open
	}
	if i, ok := l.a.tokens[k.Text]; ok && k.Style == kubeyaml.Plain {
		l.seen[i] = true
		if s, ok := l.out.Prints[i].Val.trimmed().(string); ok {
			return s, true, l.out.Prints[i].open
		}
	}
	plain := *k
	var parts []int
	plain.Text, parts = l.substitute(k.Text, k.Style)
	for _, i := range parts {
		l.seen[i] = l.out.Prints[i].finding() == nil // a finding about a key belongs to no leaf
		open = open || l.out.Prints[i].open
	}
	return kubeyaml.KeyString(&plain), true, open
}

// leaf returns the expected value of a scalar or an empty container.
func (l *builder) leaf(n *kubeyaml.Node, limit, depth int, within mark) provenance.Node {
	note := provenance.Note{Unsure: l.unsureAt(n.Offset) || l.inOpen(within), Empty: l.isEmptyBlock(n, limit)}
	start, end := n.Offset, n.EndIn(l.a.text[:limit])
	if n.Kind == kubeyaml.Scalar && strings.Contains(n.Text, l.a.prefix) {
		note.Variable = true
		text, parts := l.substitute(n.Text, n.Style)
		for _, i := range parts {
			l.out.Prints[i].addFinding(&note)
		}
		for i := l.firstSpan(start); i < len(l.a.spans) && l.a.spans[i].start < end; i++ {
			parts = append(parts, l.a.spans[i].print) // other actions may print parts of the text too
		}
		for _, i := range parts {
			p := &l.out.Prints[i]
			note.Secret = note.Secret || p.secret
			note.Open = note.Open || p.open
			note.Input = note.Input || p.Val.Input
		}
		if i, ok := l.a.tokens[n.Text]; ok && n.Style == kubeyaml.Plain && n.Tag() == "" {
			note.Print, note.Root = i+1, depth
			v := l.out.Prints[i].Val.trimmed()
			if text, isText := v.(string); isText {
				note.Kept = kubeyaml.Resolve(text, kubeyaml.Plain, "") != v
			}
			return provenance.Leaf(v, note)
		}
		return provenance.Leaf(kubeyaml.Resolve(text, n.Style, n.Tag()), note)
	}
	for i := l.firstSpan(start); i < len(l.a.spans) && l.a.spans[i].start <= max(end, start+1); i++ {
		s := l.a.spans[i]
		p := &l.out.Prints[s.print]
		if s.start >= max(end, start+1) && (s.start != s.end || p.blank || s.start > end) {
			continue // a print right after the value belongs to the value only if it is empty
		}
		note.Open, note.Input = note.Open || p.open, note.Input || p.Val.Input
		if s.start == s.end {
			if s.start > start && p.addFinding(&note) {
				l.seen[s.print] = true
			}
			continue
		}
		if !l.seen[s.print] && p.addFinding(&note) {
			l.seen[s.print] = true
		}
		note.Variable = note.Variable || !p.stated
		note.Secret = note.Secret || p.secret
		if s.start <= start && end <= s.end {
			note.Print, note.Root = s.print+1, depth
			if within.print == s.print+1 {
				note.Root = within.depth
			}
		}
	}
	return provenance.Leaf(n.Value(), note)
}

// isEmptyBlock reports whether a scalar that ends before limit has no text of its own, and only
// blocks that printed nothing stand in its place.
func (l *builder) isEmptyBlock(n *kubeyaml.Node, limit int) bool {
	if n.Kind != kubeyaml.Scalar || n.Text != "" || n.Style != kubeyaml.Plain || n.Tag() != "" {
		return false
	}
	for i := l.firstSpan(n.Offset); i < len(l.a.spans) && l.a.spans[i].start <= limit; i++ {
		if l.out.Prints[l.a.spans[i].print].empty {
			return true
		}
	}
	return false
}

// addFinding adds the finding of a print to a note that has none, and reports whether it did.
func (p *Printed) addFinding(n *provenance.Note) bool {
	if f := p.finding(); f != nil && n.Finding == nil {
		n.Finding, p.reported = f, true
		return true
	}
	return false
}

// substitute replaces tokens by the texts of their values and returns the prints it used. In a
// plain scalar it trims blanks at both ends that do not belong to a value, as in "args: run {{
// .options }}" without options.
func (l *builder) substitute(text string, style kubeyaml.Style) (string, []int) {
	const blanks = " \t"
	var used []int
	var b strings.Builder
	valued := 0 // end of the last value that is not empty
	write := func(own string) {
		if style == kubeyaml.Plain && b.Len() == 0 {
			own = strings.TrimLeft(own, blanks)
		}
		b.WriteString(own)
	}
	for {
		at := max(strings.Index(text, l.a.prefix), 0)
		end := strings.IndexByte(text[at:], 'X')
		i, ok := l.a.tokens[text[at:at+end+1]]
		if !ok {
			break
		}
		p := &l.out.Prints[i]
		write(text[:at])
		before := b.Len()
		if p.Val.isWholePlaceholder() {
			fmt.Fprint(&b, p.Val.trimmed())
		} else {
			b.Write(l.out.Buf[p.start:p.end])
		}
		if b.Len() > before {
			valued = b.Len()
		}
		l.seen[i] = true
		used = append(used, i)
		text = text[at+end+1:]
	}
	write(text)
	whole := b.String()
	if style == kubeyaml.Plain {
		whole = whole[:valued] + strings.TrimRight(whole[valued:], blanks)
	}
	return whole, used
}

// firstSpan returns the index of the first span that ends after an offset, or is empty and starts
// at or after it.
func (l *builder) firstSpan(offset int) int {
	return sort.Search(len(l.a.spans), func(i int) bool {
		s := l.a.spans[i]
		return s.end > offset || (s.start == s.end && s.start >= offset)
	})
}

// spanAt returns the print whose text includes an offset, or -1.
func (l *builder) spanAt(offset int) int {
	for i := l.firstSpan(offset); i < len(l.a.spans) && l.a.spans[i].start <= offset; i++ {
		if s := l.a.spans[i]; s.start <= offset && offset < s.end {
			return s.print
		}
	}
	return -1
}

// inOpen reports whether an open print made the enclosing container.
func (l *builder) inOpen(within mark) bool {
	return within.print > 0 && l.out.Prints[within.print-1].open
}

// unsureAt reports whether a placeholder decides if the text at an offset exists.
func (l *builder) unsureAt(offset int) bool {
	if !l.out.unsure {
		return false
	}
	i := l.spanAt(offset)
	return i >= 0 && l.out.Prints[i].unsure
}

// spanIsToken reports whether a token replaces the print in the text.
func (l *builder) spanIsToken(i int) bool {
	s := l.a.spans[i]
	return strings.HasPrefix(l.a.text[s.start:s.end], l.a.prefix)
}
