package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Fill returns a template's value with values in the place of its named groups, by their names. It
// also returns the names in their order, each once; none where the text around the groups is not
// known, or where there are none. A name without a value leaves the result incomplete.
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

// plain is the only text that an expression matches, but for anchors where a value begins and ends.
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
