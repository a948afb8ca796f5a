package generate

import (
	"cmp"
	"regexp"
	"strconv"

	"github.com/validationtool/validationtool/refconfig"
)

// expression is the expression by which a template reads a field.
type expression struct {
	text string
	call bool // a call, which needs parentheses if more follows
	last bool // a call of index, which takes further keys
}

// expressionOf returns the expression for the field at a path.
func expressionOf(path refconfig.FieldPath) expression {
	var e expression
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	for _, step := range path {
		around, inside := step.Around()
		if inside {
			step = around
		}
		switch {
		case step.Index >= 0:
			e = e.index(strconv.Itoa(step.Index))
		case !name.MatchString(step.Key):
			e = e.index(strconv.Quote(step.Key))
		case e.call:
			e = expression{text: e.operand() + "." + step.Key}
		default:
			e.text += "." + step.Key
		}
		if inside {
			e = expression{text: "fromYaml " + e.operand(), call: true}
		}
	}
	return e
}

func (e expression) index(by string) expression {
	if e.last {
		return expression{e.text + " " + by, true, true}
	}
	return expression{"index " + e.operand() + " " + by, true, true}
}

// operand returns the expression as an argument of a function.
func (e expression) operand() string {
	if e.call {
		return "(" + e.text + ")"
	}
	return cmp.Or(e.text, ".")
}

// has returns a condition that is true if the map at a path has a key.
func has(path refconfig.FieldPath, key string) string {
	return "hasKey " + expressionOf(path).operand() + " " + strconv.Quote(key)
}
