package inline

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
)

// applyGroups is the function capturegroups.
func applyGroups(template, input string) Outcome {
	pieces, malformed := scan(template)
	groups := 0
	for _, p := range pieces {
		if p.group != nil {
			groups++
		}
	}
	if groups == 0 || input == template {
		return Outcome{Value: template, Malformed: malformed}
	}
	text := cutText(input, endsLine)
	o := outcome(pieces, agreed(pieces, solve(pieces, groups, text), text))
	o.Malformed = malformed
	return o
}

// solve finds what each group stands for in the lines of an input.
func solve(pieces []piece, groups int, input []string) []found {
	lines := units(pieces, endsLine)
	m := newMatcher(groups)
	if !m.direct(lines, input) {
		clear(m.found)
		m.place(lines, input, byLine)
	}
	return m.found
}

// outcome puts the value together from its text and what was found for its groups.
func outcome(pieces []piece, all []found) Outcome {
	var o Outcome
	var value strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			value.WriteString(p.text)
			continue
		}
		f := all[p.group.index]
		if f.placed && f.place == p.text {
			value.WriteString(p.text) // the input holds the group itself, as the CRs do that references bring along
			continue
		}
		text := p.text
		if f.ok {
			text = f.text
			o.Captures = append(o.Captures, f.captures...)
			if text != "" {
				o.Variable = append(o.Variable, align.Span{Start: value.Len(), End: value.Len() + len(text)})
			}
		}
		value.WriteString(text)
		if finding, wrong := p.finding(f); wrong {
			o.Findings = append(o.Findings, finding)
		}
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

// agreed looks for a way to match in which groups of one name match one text, where the way at hand has several: it holds
// the name to each of these texts in turn. The way at hand stays where none of them does as well.
func agreed(pieces []piece, all []found, input []string) []found {
	const most, work = 16, 1 << 20
	size := 1
	for _, p := range pieces {
		size += len(p.text)
	}
	for _, line := range input {
		size += len(line)
	}
	tries := min(most, work/size)
	for _, name := range repeated(pieces) {
		texts := textsOf(pieces, all, name)
		if len(texts) < 2 {
			continue
		}
		for _, text := range texts {
			if tries == 0 {
				return all
			}
			tries--
			held, ok := hold(pieces, name, text)
			if !ok {
				continue
			}
			if again := solve(held, len(all), input); complete(again) >= complete(all) {
				pieces, all = held, again
				break
			}
		}
	}
	return all
}

// complete counts the groups that match all of the text in their place.
func complete(all []found) int {
	n := 0
	for _, f := range all {
		if f.ok && f.text == f.place {
			n++
		}
	}
	return n
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
		if f := all[p.group.index]; f.ok && !seen[f.text] {
			seen[f.text] = true
			texts = append(texts, f.text)
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
