package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Fill returns a template's value in which each named group is replaced by the value of its name.
// It also returns the names in order, each once. It returns no names if the value has none or if
// the text around the groups is unknown. If a name has no value, the result is incomplete.
func Fill(function, template string, values map[string]string) (filled string, names []string) {
	pieces, malformed := scan(template)
	if len(malformed) > 0 {
		return "", nil
	}
	var b strings.Builder
	for i, p := range pieces {
		text := p.text
		switch {
		case p.group != nil:
			name := p.group.names[0]
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			text = values[name]
		case function == Regex:
			var known bool
			if text, known = plain(text, i == 0, i == len(pieces)-1); !known {
				return "", nil
			}
		}
		b.WriteString(text)
	}
	return b.String(), names
}

// plain returns the only text that an expression matches, and whether there is only one. It ignores
// anchors at the beginning of the first expression and at the end of the last one.
func plain(expression string, first, last bool) (text string, known bool) {
	if first {
		expression = strings.TrimPrefix(expression, "^")
	}
	if last && !strings.HasSuffix(expression, `\$`) {
		expression = strings.TrimSuffix(expression, "$")
	}
	e, err := syntax.Parse(expression, syntax.Perl)
	switch {
	case err != nil || e.Flags&syntax.FoldCase != 0:
		return "", false
	case e.Op == syntax.OpEmptyMatch:
		return "", true
	}
	return string(e.Rune), e.Op == syntax.OpLiteral
}
