package template

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// broken says more about a text that does not parse. It gets the line that the parser names, and the
// parser's message. The parser names the last line for a block without end, and no key or similar
// function.
func (s *Set) broken(text []byte, line int, message string) (at, column int, better code.Meant) {
	quoted := regexp.MustCompile("\"(?:\\\\.|[^\"\\\\\n])*\"|`[^`]*`")
	blank := func(b []byte) []byte { return bytes.Repeat([]byte(" "), len(b)) }
	action := regexp.MustCompile(`(?s)\{\{-?\s*(/\*.*?\*/|.*?)\s*-?\}\}`)
	text = action.ReplaceAllFunc(text, func(one []byte) []byte {
		if bytes.Contains(one, []byte("/*")) {
			return one
		}
		return quoted.ReplaceAllFunc(one, blank)
	})
	all := action.FindAllSubmatchIndex(text, -1)
	key := regexp.MustCompile(`\$?((?:\.[A-Za-z_]\w*)*)\.([A-Za-z_][\w-]*-[A-Za-z_][\w-]*)`)
	word := regexp.MustCompile(`(?:^|[\s(|])([A-Za-z]\w*)`)
	lineOf := func(offset int) int { return bytes.Count(text[:offset], []byte("\n")) + 1 }
	var open []int // offsets of the blocks that have no end yet
	for _, m := range all {
		inside, start := string(text[m[2]:m[3]]), m[2]
		switch first, _, _ := strings.Cut(inside, " "); {
		case slices.Contains([]string{"if", "range", "with", "define", "block"}, first):
			open = append(open, start)
		case first == "end" && len(open) > 0:
			open = open[:len(open)-1]
		}
		if lineOf(start) != line || strings.HasPrefix(inside, "/*") {
			continue
		}
		column = start - bytes.LastIndexByte(text[:start], '\n')
		if k := key.FindStringSubmatchIndex(inside); k != nil {
			above, name := inside[k[2]:k[3]], inside[k[4]:k[5]]
			if above == "" {
				above = "."
			}
			meant := code.Meant{Word: inside[k[0]:k[1]], Instead: fmt.Sprintf("(index %s %q)", above, name)}
			return line, column + k[0], meant.After("a key with - cannot follow a dot; write index %s %q", above, name)
		}
		for _, w := range word.FindAllStringSubmatchIndex(inside, -1) {
			name := inside[w[2]:w[3]]
			if _, known := s.names[name]; !known && !isKeyword(name) {
				meant := code.DidYouMean(name, tree.Keys(s.names))
				return line, column + w[2], meant.After("function %q not defined", name)
			}
		}
	}
	rest := 0 // offset behind the last action
	if len(all) > 0 {
		rest = all[len(all)-1][1]
	}
	// for an action without end, the parser names the end of the text, or a word behind the action
	if at := bytes.Index(text[rest:], []byte("{{")); at >= 0 && lineOf(rest+at) <= line {
		written, _, _ := bytes.Cut(text[rest+at:], []byte("\n"))
		column = rest + at - bytes.LastIndexByte(text[:rest+at], '\n')
		about := code.Meant{Word: string(bytes.TrimSpace(written))}
		return lineOf(rest + at), column, about.After("the action has no end; write }} where it ends")
	}
	if len(open) == 0 {
		return line, 0, code.Meant{}.After("%s", message)
	}
	start, last := open[len(open)-1], all[len(all)-1][0]
	if lineOf(start) < line && lineOf(last) <= line { // the text ends there
		first, _, _ := strings.Cut(string(text[start:]), " ")
		column = start - bytes.LastIndexByte(text[:start], '\n')
		return lineOf(start), column, code.Meant{Word: first}.After(
			"the %s has no end; write {{ end }} where its block ends", first,
		)
	}
	return line, 0, code.Meant{}.After("%s", message)
}

// isKeyword reports whether a word of an action is not the name of a function.
func isKeyword(word string) bool {
	return slices.Contains(strings.Fields("if else range with define block template end break continue true false nil"), word)
}
