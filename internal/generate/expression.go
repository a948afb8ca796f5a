package generate

import (
	"cmp"
	"regexp"
	"strconv"
)

// field is a field of a CR: the keys (string) and elements (int) on the way to it. The zero value is the CR itself.
type field []any

// below is what lies at a key or an element of a field.
func (f field) below(step any) field { return append(f[:len(f):len(f)], step) }

// expression is what a template calls a field.
type expression struct {
	text string
	call bool // a call of index, which stands in parentheses where more follows
}

func (f field) expression() expression {
	var e expression
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	for _, step := range f {
		switch key, isKey := step.(string); {
		case isKey && name.MatchString(key) && e.call:
			e = expression{text: e.operand() + "." + key}
		case isKey && name.MatchString(key):
			e.text += "." + key
		case isKey:
			e = e.index(strconv.Quote(key))
		default:
			e = e.index(strconv.Itoa(step.(int)))
		}
	}
	return e
}

func (e expression) index(by string) expression {
	if e.call {
		return expression{e.text + " " + by, true}
	}
	return expression{"index " + e.operand() + " " + by, true}
}

// operand is the expression as an argument of a function.
func (e expression) operand() string {
	if e.call {
		return "(" + e.text + ")"
	}
	return cmp.Or(e.text, ".")
}

// has is the condition that there is a key in a field.
func (f field) has(key string) string {
	return "hasKey " + f.expression().operand() + " " + strconv.Quote(key)
}
