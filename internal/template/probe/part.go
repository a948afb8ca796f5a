package probe

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Part is a key or an item of the output of a template, or the whole output. A key that several
// branches of a condition print is one part for each of these branches.
type Part struct {
	Key   string // with actions as written in the template; "" for an item
	Other string // the word that YAML reads as this key, such as on as "true"; "" if it is the key
	Item  bool
	Below []*Part
	Value any      // the YAML value, with actions as written in the template
	Fixed bool     // it contains no action, and no part below it has a condition
	Bare  bool     // the key has no value
	Flow  bool     // it is a map or list in braces or brackets
	Twice bool     // it replaces an earlier key of that name with the same conditions
	When  []Around // conditions and loops around it that are not around its parent
	Loop  bool     // a loop is in When
	Lines []string // file:line of the lines that print it, without those of parts below it
	Pipe  string   // the action, if the value consists of one action; "" if not
	Maker string   // the function whose result this action prints; "" for none
	// the field of the CR that the action prints as it is, also through a variable; nil for none
	From refconfig.FieldPath

	Place   refconfig.Place // place of the key or of the item
	ValueAt refconfig.Place // place of the value
}

// At returns where the template prints the part, as file:line.
func (p *Part) At() string { return lineOf(p.Place) }

// lineOf returns a place as file:line.
func lineOf(at refconfig.Place) string { return refconfig.Place{File: at.File, Line: at.Line}.String() }

// Around is a condition or a loop around a part.
type Around struct{ Text, At string }

// Has returns whether a field below the part is printed.
func (p *Part) Has(path refconfig.FieldPath) Presence {
	if len(path) == 0 {
		return Always
	}
	step, found := path[0], Never
	if len(p.Below) == 0 && !p.Fixed {
		return Perhaps
	}
	for i, b := range p.Below {
		most := Always
		switch {
		case b.Item && !step.Any && step.Index < 0:
			continue
		case b.Item && (step.Any || step.Index != i), len(b.When) > 0:
			most = Perhaps
		}
		if !b.Item && !step.Any && b.Key != step.Key {
			if b.IsPrinted() {
				found = max(found, Perhaps)
			}
			continue
		}
		found = max(found, min(most, b.Has(path[1:])))
	}
	return found
}

// Is reports whether a step of a path leads to the part; an index leads to every item.
func (p *Part) Is(step refconfig.Step) bool {
	return step.Any || p.Item == (step.Index >= 0) && (p.Item || p.Key == step.Key)
}

// IsPrinted reports whether actions print the key or a part of it.
func (p *Part) IsPrinted() bool { return strings.Contains(p.Key, "{{") }

// IsOpen reports whether an action in the part may print further keys or items.
func (p *Part) IsOpen() bool {
	return len(p.Below) == 0 && !p.Fixed || slices.ContainsFunc(p.Below, (*Part).IsPrinted)
}

// Each calls visit for all parts below this one, with their paths. In a path, * means every item.
func (p *Part) Each(path refconfig.FieldPath, visit func(path refconfig.FieldPath, p *Part)) {
	for _, b := range p.Below {
		step := refconfig.Key(b.Key)
		if b.Item {
			step = refconfig.Step{Any: true, Index: -1}
		}
		at := path.Below(step)
		visit(at, b)
		b.Each(at, visit)
	}
}

// Find returns the part at a path without *, nil for none.
func (p *Part) Find(path refconfig.FieldPath) *Part {
	if len(path) == 0 {
		return p
	}
	for i, b := range p.Below {
		if b.Item && path[0].Index == i || !b.Item && path[0].Index < 0 && b.Key == path[0].Key {
			return b.Find(path[1:])
		}
	}
	return nil
}

// Text returns a part as written in the template, without its key.
func (p *Part) Text() string {
	if text, isText := p.Value.(string); isText && (!p.Fixed || strings.Contains(text, "\n")) {
		return strings.TrimSuffix(text, "\n")
	}
	return strings.TrimSuffix(tree.YAML(p.shown()), "\n")
}

// Frame returns a template's text with {{}} in place of each action.
func Frame(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(rest, "}}")
		b.WriteString("{{}}")
	}
}

// shown returns the value with actions that are not quoted.
func (p *Part) shown() any {
	switch {
	case p.Pipe != "":
		return tree.Action{Pipe: p.Pipe}
	case len(p.Below) == 0:
		return p.Value
	case p.Below[0].Item:
		var all []any
		for _, b := range p.Below {
			all = append(all, b.shown())
		}
		return all
	}
	all := map[string]any{}
	for _, b := range p.Below {
		all[b.Key] = b.shown()
	}
	return all
}

// join adds the parts that another execution printed and this one did not. failed is the condition
// that was false in the other execution.
func (p *Part) join(other *Part, failed Around) {
	known := map[string]*Part{}
	for _, b := range p.Below {
		known[b.name()] = b
	}
	for _, b := range other.Below {
		if have := known[b.name()]; have != nil {
			have.join(b, failed)
			continue
		}
		if !slices.Contains(b.When, failed) && len(b.Below) == 0 {
			b.When = append(b.When, failed)
		}
		p.Below = append(p.Below, b)
	}
}

// name returns a text that is the same for the same part of two executions.
func (p *Part) name() string {
	name := fmt.Sprintf("%s\x00%s", p.Place, p.Key)
	if len(p.Below) == 0 {
		name += "\x00" + fmt.Sprint(p.Value)
	}
	return name
}

// assemble computes the values of parts from the parts below them.
func (p *Part) assemble() {
	if len(p.Below) == 0 {
		return
	}
	p.Fixed = true
	m, l := map[string]any{}, []any{}
	for _, b := range p.Below {
		b.assemble()
		p.Fixed = p.Fixed && b.Fixed && len(b.When) == 0
		m[b.Key] = b.Value
		l = append(l, b.Value)
	}
	if p.Value = m; p.Below[0].Item {
		p.Value = l
	}
}

// partReader reads the parts of the output of one execution.
type partReader struct {
	*printing
	actions *regexp.Regexp // finds tokens
}

// part reads a node, and the text that prints it, which is between two offsets. around are the
// conditions around its parent.
func (r *partReader) part(n *kubeyaml.Node, from, to int, around []guard) *Part {
	p := &Part{Place: r.place(from), ValueAt: r.place(n.Offset), Flow: n.Flow}
	if n.Kind == kubeyaml.Scalar {
		r.scalar(p, n)
		p.Lines = r.lines(from, to)
		return p
	}
	if len(n.Values) == 0 {
		p.Value, p.Fixed = n.Value(), true
	}
	start := func(i int) *kubeyaml.Node {
		if n.Kind == kubeyaml.Map {
			return n.Keys[i]
		}
		return n.Values[i]
	}
	known := map[string]bool{}
	for i, v := range n.Values {
		at, end := start(i), to
		if i+1 < len(n.Values) {
			end = start(i + 1).Offset
		}
		guards := r.guards(at, v)
		b := r.part(v, at.Offset, max(end, at.Offset), guards)
		if b.Item = n.Kind == kubeyaml.List; !b.Item {
			key := kubeyaml.KeyString(at)
			if b.Key = r.text(key); key != at.Text && at.Style == kubeyaml.Plain && at.Tag() == "" {
				b.Other = at.Text
			}
			b.Twice = r.replaces(n, at, b.Place, guards)
			if r.isLine(at, v) {
				b.Value, b.Fixed = b.Key, false
			}
		}
		b.conditions(guards, around)
		if !b.Loop || !known[b.name()] { // each round of a loop prints the same
			p.Below = append(p.Below, b)
			known[b.name()] = true
		}
	}
	end := to
	if len(n.Values) > 0 {
		end = start(0).Offset
	}
	p.Lines = r.lines(from, end)
	return p
}

// replaces reports whether a key of a map replaces one that is elsewhere in the template and has
// the same conditions.
func (r *partReader) replaces(n, key *kubeyaml.Node, at refconfig.Place, guards []guard) bool {
	return slices.ContainsFunc(n.Duplicates(), func(d *kubeyaml.Node) bool {
		same := func(a, b guard) bool { return a.text == b.text && a.at == b.at }
		return d.Text == key.Text && r.place(d.Offset) != at && slices.EqualFunc(r.around(d.Offset), guards, same)
	})
}

// guards returns the conditions around a key or an item, and around its value.
func (r *partReader) guards(at, v *kubeyaml.Node) []guard {
	all := r.around(at.Offset)
	if v.Kind == kubeyaml.Scalar {
		if m := r.actions.FindStringSubmatch(v.Text); m != nil && m[0] == v.Text {
			return united(all, r.token(m).guards)
		}
		return united(all, r.around(v.Offset))
	}
	return all
}

// united returns the conditions of two lists, without those of the second that the first has too.
func united(all, others []guard) []guard {
	for _, g := range others {
		if !slices.ContainsFunc(all, func(h guard) bool { return g.text == h.text }) {
			all = append(slices.Clip(all), g)
		}
	}
	return all
}

// conditions adds the conditions around a part, all, that are not around its parent.
func (p *Part) conditions(all, around []guard) {
	common := 0
	for common < min(len(all), len(around)) && all[common].text == around[common].text {
		common++
	}
	for _, g := range all[common:] {
		p.When, p.Loop = append(p.When, Around{g.text, g.at}), p.Loop || g.loop
	}
}

// scalar reads a scalar.
func (r *partReader) scalar(p *Part, n *kubeyaml.Node) {
	if p.Fixed = !strings.Contains(n.Text, printedToken); p.Fixed {
		p.Value, p.Bare = n.Value(), n.Text == "" && n.Style == kubeyaml.Plain && n.Tag() == ""
		return
	}
	text := r.text(n.Text)
	if m := r.actions.FindStringSubmatch(n.Text); m != nil && m[0] == n.Text && n.Style == kubeyaml.Plain {
		p.Pipe, p.Maker, p.From = r.token(m).pipe, r.token(m).maker, r.token(m).from
	}
	if n.Style == kubeyaml.SingleQuoted || n.Style == kubeyaml.DoubleQuoted {
		text = `"` + text + `"`
	}
	p.Value = text
}

// text returns a text with actions in place of tokens.
func (r *partReader) text(text string) string {
	if !strings.Contains(text, printedToken) {
		return text
	}
	return r.actions.ReplaceAllStringFunc(text, func(s string) string {
		action := "{{ " + r.token(r.actions.FindStringSubmatch(s)).pipe + " }}"
		if strings.HasSuffix(s, "\n") {
			action += "\n"
		}
		return action
	})
}

func (r *partReader) token(m []string) token {
	if i, err := strconv.Atoi(m[1]); err == nil && i > 0 && i <= len(r.tokens) {
		return r.tokens[i-1]
	}
	return token{}
}

// isLine reports whether an entry of a map is the token of an action that prints whole lines.
func (r *partReader) isLine(key, value *kubeyaml.Node) bool {
	return value.Text == "x" && r.actions.FindString(key.Text) == key.Text &&
		value.Offset == key.Offset+len(key.Text)+len(": ")
}

// place returns where the template prints the text at an offset.
func (r *printing) place(offset int) refconfig.Place {
	return r.out.PlaceOf(offset)
}

// lines returns the lines of the template, as file:line, that print the text between two offsets.
func (r *partReader) lines(from, to int) (all []string) {
	known := map[string]bool{"": true}
	add := func(at string) {
		if !known[at] {
			all = append(all, at)
		}
		known[at] = true
	}
	text := r.out.Buf[from:max(from, min(to, len(r.out.Buf)))]
	for line := range bytes.Lines(text) {
		if body := bytes.TrimLeft(line, " \t\r\n"); len(body) > 0 && body[0] != '#' {
			add(lineOf(r.place(from + len(line) - len(body))))
		}
		from += len(line)
	}
	for _, m := range r.actions.FindAllSubmatch(text, -1) {
		add(r.token([]string{"", string(m[1])}).at)
	}
	return all
}
