package render

import (
	"io"
	"math"
	"reflect"
	"regexp"
	"regexp/syntax"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/tree"
)

// What a function costs is known before it is called: how many steps it takes, and how many bytes it makes at most. Most take and
// make about as much as they are given. The others are named here; TestEveryFunctionIsBounded holds all of them to it.

// Units of work: one step is worth about so much.
const (
	bytesPerStep    = 1024 // copied
	elementsPerStep = 64   // copied
	equalsPerStep   = 16   // compared, where one side is a plain value
)

// charge counts the work of a call before it is made, and refuses one that would make too much.
func (x *exec) charge(f function, args []value, n parse.Node) error {
	total := tree.Size{}
	deep := !shallow(f.name)
	for _, a := range args {
		size, err := x.size(a.v, deep, n)
		if err != nil {
			return err
		}
		total.Nodes += size.Nodes
		total.Bytes += size.Bytes
		total.Lines += size.Lines
		total.Height = max(total.Height, size.Height)
	}
	steps := total.Bytes / bytesPerStep
	if deep {
		steps += total.Nodes - len(args)
	} else {
		steps += total.Nodes / elementsPerStep
	}
	if extra := work(f.name, args, total, x.limits.Steps-x.steps); extra > 0 {
		steps = saturated(steps, extra)
	}
	if err := x.spend(n, steps); err != nil {
		return err
	}
	if made := product(f.name, args, total); made > x.limits.Output-x.made {
		return x.grow(n, made)
	}
	return nil
}

// size measures a value: all of it, or, where the function looks at no more, its own length.
func (x *exec) size(v any, deep bool, n parse.Node) (tree.Size, error) {
	switch s := v.(type) {
	case nil, bool, int, int64, float64:
		return tree.Size{Nodes: 1}, nil
	case string:
		return tree.Size{Nodes: 1, Bytes: len(s), Lines: strings.Count(s, "\n")}, nil
	}
	if !deep {
		switch rv := reflect.ValueOf(v); rv.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
			return tree.Size{Nodes: rv.Len()}, nil
		}
		return tree.Size{Nodes: 1}, nil
	}
	deepest := x.limits.Text.Nesting + 100 // what a template wraps around a CR
	most := tree.Size{Nodes: x.limits.Steps - x.steps, Bytes: x.limits.Output - x.made, Height: deepest}
	size, ok := tree.Measure(v, most)
	switch {
	case ok:
		return size, nil
	case size.Nodes > most.Nodes:
		return size, x.spend(n, math.MaxInt)
	case size.Height > deepest:
		return size, x.stop(n, code.LimitNesting, "a value is nested deeper than %d levels; does it contain itself? "+
			"raise the limit with --limit nesting=N if the template is right", deepest)
	}
	return size, x.grow(n, math.MaxInt)
}

// account counts what a call made.
func (x *exec) account(f function, result any, n parse.Node) error {
	switch r := result.(type) {
	case nil, bool, int, int64, float64:
		return nil
	case string:
		return x.grow(n, len(r))
	}
	size, err := x.size(result, !shallow(f.name), n)
	if err != nil {
		return err
	}
	const node = 16
	return x.grow(n, saturated(size.Bytes, size.Nodes*node))
}

// weigh refuses to print what is too large, or contains itself.
func (x *exec) weigh(v any, n parse.Node) error {
	if v == nil || plain(v) {
		return nil
	}
	size, err := x.size(v, true, n)
	if err != nil {
		return err
	}
	if err := x.spend(n, size.Nodes); err != nil {
		return err
	}
	if size.Bytes > x.limits.Output-x.made {
		return x.grow(n, size.Bytes)
	}
	return nil
}

// shallow reports whether a function looks at, and makes, no more than the elements of what it is given.
func shallow(name string) bool {
	switch name {
	case "get", "set", "unset", "hasKey", "dig", "pick", "omit", "keys", "values", "pluck",
		"append", "push", "mustAppend", "mustPush", "prepend", "mustPrepend", "concat", "first", "mustFirst", "last", "mustLast",
		"rest", "mustRest", "initial", "mustInitial", "reverse", "mustReverse", "slice", "chunk", "mustChunk",
		"compact", "mustCompact", "all", "any", "empty", "not",
		"kindIs", "kindOf", "typeIs", "typeIsLike", "typeOf":
		return true
	}
	return false
}

// work is how many steps a call takes beyond those for the size of its arguments, which is total; what is more than is left need not
// be exact.
func work(name string, args []value, total tree.Size, left int) int {
	switch name {
	case "toYaml":
		const perNode, bytes = 4, 32 // go-yaml looks at each character several times
		return saturated(total.Bytes/bytes, perNode, total.Nodes)
	case "genPrivateKey":
		return 500_000
	case "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey",
		"bcrypt", "htpasswd", "derivePassword":
		return 250_000
	case "randAlphaNum", "randAlpha", "randAscii", "randNumeric":
		return saturated(0, 16, numberAt(args, 0))
	case "uniq", "mustUniq":
		return saturated(0, others(args), others(args)) / 2
	case "without", "mustWithout", "has", "mustHas":
		return comparisons(args)
	}
	return expressionWork(name, textAt(args, 0), textAt(args, 1), left)
}

// comparisons is the steps of comparing all elements of a list with the other arguments.
func comparisons(args []value) int {
	steps := 0
	for _, list := range args {
		n := elements(list.v)
		for _, a := range args {
			if plain(a.v) {
				steps += n / equalsPerStep
			} else {
				steps += n
			}
		}
	}
	return steps
}

// expressionWork is the steps of matching an expression, 0 for functions that do not: bytes read, times instructions. A search for
// all matches may read the text once for each of them.
func expressionWork(name, expression, text string, left int) int {
	const small, perStep, perMatch = 4 << 10, 100, 10 // the last is the bytes that beginning a match is worth
	switch name {
	case "regexMatch", "mustRegexMatch", "regexFind", "mustRegexFind":
		return saturated(0, len(text)+1, instructions(expression)) / perStep
	case "regexFindAll", "mustRegexFindAll", "regexSplit", "mustRegexSplit", "regexReplaceAll", "mustRegexReplaceAll",
		"regexReplaceAllLiteral", "mustRegexReplaceAllLiteral":
	default:
		return 0
	}
	size := instructions(expression)
	if len(text) < small {
		return saturated(0, perMatch*(len(text)+1), size) / perStep
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return 0
	}
	runes := countedRunes{left: saturated(0, left, perStep)/size + 1}
	for at := 0; at <= len(text); {
		runes.Reader = strings.NewReader(text[at:])
		loc := re.FindReaderIndex(&runes)
		if runes.left <= 0 {
			return math.MaxInt
		}
		if loc == nil {
			break
		}
		at += max(loc[1], loc[0]+1)
		runes.read += perMatch
		runes.left -= perMatch
	}
	return saturated(0, runes.read, size) / perStep
}

// countedRunes counts how much of a text is read, and ends where no more may be.
type countedRunes struct {
	*strings.Reader
	read, left int
}

// ReadRune reads one character.
func (c *countedRunes) ReadRune() (rune, int, error) {
	if c.left <= 0 {
		return 0, 0, io.EOF
	}
	c.read++
	c.left--
	return c.Reader.ReadRune()
}

// instructions is about how long the program of an expression is: a short one with repetitions can have a long one.
func instructions(expression string) int {
	if !strings.Contains(expression, "{") {
		return len(expression) + 1
	}
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return len(program.Inst)
}
