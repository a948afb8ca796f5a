package inline

import (
	"regexp"
	"strings"
)

// applyGroups is the function capturegroups.
func applyGroups(template, input string) (Outcome, error) {
	pieces, err := scan(template)
	if err != nil {
		return Outcome{}, err
	}
	groups := 0
	for _, p := range pieces {
		if p.group != nil {
			groups++
		}
	}
	if groups == 0 {
		return Outcome{Value: template, Matched: true}, nil
	}
	lines, text := units(pieces, lineEnds), cutText(input, lineEnds)
	m := newMatcher(groups)
	if m.direct(lines, text) {
		return outcome(pieces, agreed(pieces, m.found, text)), nil
	}
	clear(m.found)
	m.place(lines, text, true)
	return outcome(pieces, m.found), nil
}

// outcome puts the value together from its text and what was found for its groups.
func outcome(pieces []piece, all []found) Outcome {
	o := Outcome{Matched: true}
	var value strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			value.WriteString(p.text)
			continue
		}
		f := all[p.group.index]
		text := p.text
		if f.ok {
			text = f.text
			o.Captures = append(o.Captures, f.captures...)
			if text != "" {
				o.Variable = append(o.Variable, Span{value.Len(), value.Len() + len(text)})
			}
		}
		value.WriteString(text)
		if finding, wrong := p.finding(f); wrong {
			o.Findings = append(o.Findings, finding)
		}
		o.Matched = o.Matched && f.ok
	}
	o.Value = value.String()
	return o
}

// finding says what is wrong with a group, if anything is.
func (p piece) finding(f found) (Finding, bool) {
	made := Finding{Group: p.group.names[0], Expression: p.text, Line: p.group.line, Text: f.place}
	switch {
	case !f.placed:
		made.Kind = NoPlace
	case !f.ok:
		made.Kind = NoMatch
	case f.text != f.place:
		made.Kind, made.Match = PartMatch, f.text
	default:
		return Finding{}, false
	}
	return made, true
}

// agreed looks for a match of the whole value in which groups of one name match one text, where the match at hand has
// several: it holds the name to each of these texts in turn. The match at hand stays where none of them will do.
func agreed(pieces []piece, all []found, input []string) []found {
	const most = 8 // texts tried for one name
	for _, name := range repeated(pieces) {
		texts := textsOf(pieces, all, name)
		if len(texts) < 2 {
			continue
		}
		for _, text := range texts[:min(most, len(texts))] {
			held, ok := hold(pieces, name, text)
			if !ok {
				continue
			}
			m := newMatcher(len(all))
			if m.direct(units(held, lineEnds), input) {
				pieces, all = held, m.found
				break
			}
		}
	}
	return all
}

// repeated returns the names that several groups have, in order.
func repeated(pieces []piece) []string {
	count := make(map[string]int)
	var names []string
	for _, p := range pieces {
		if p.group == nil {
			continue
		}
		name := p.group.names[0]
		if count[name]++; count[name] == 2 {
			names = append(names, name)
		}
	}
	return names
}

// textsOf returns what the groups of a name matched, each text once, in order.
func textsOf(pieces []piece, all []found, name string) []string {
	var texts []string
	seen := make(map[string]bool)
	for _, p := range pieces {
		if p.group == nil || p.group.names[0] != name {
			continue
		}
		if text := all[p.group.index].text; !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts
}

// hold returns pieces in which the groups of a name match nothing but a text; false if one of them does not accept it. A
// group with others inside it stays as it is.
func hold(pieces []piece, name, text string) ([]piece, bool) {
	m := newMatcher(0)
	held := make([]piece, len(pieces))
	for n, p := range pieces {
		held[n] = p
		if p.group == nil || p.group.names[0] != name || len(p.group.names) > 1 {
			continue
		}
		if !m.search(p.group, text, end, end).ok {
			return nil, false
		}
		g := *p.group
		g.pattern = "(" + regexp.QuoteMeta(text) + ")"
		g.size, g.spans = len(text)+4, strings.Contains(text, "\n")
		held[n].group = &g
	}
	return held, true
}
