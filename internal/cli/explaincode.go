package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// explainCommand is the command explain.
func (p *program) explainCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: "explain", Args: "CODE...", Does: "say what a code such as VT2005 means, and what to do", Words: codeWords,
		About:    []string{"A code that is not the tool's own is one of a reference, which --reference names: its codes.yaml says what the code means."},
		Examples: []string{"validationTool explain VT2005", "validationTool explain TIME-FEW --reference reference"},
		Options:  func() []command.Option { return o.shared("reference", "limit") },
		Takes: func(l command.Line) bool {
			return l.Given["reference"] || !slices.ContainsFunc(l.Args, func(w string) bool { return !isCode(w) })
		},
		Run: func(ctx context.Context, l command.Line) error { return p.explain(ctx, l, o) },
	}
}

// isCode reports whether a word is written like a code: like one of the tool's, or of several words in capitals.
func isCode(word string) bool {
	return regexp.MustCompile(`^(?i:vt)\d+$`).MatchString(word) || strings.Contains(word, "-") && code.CheckOwn(word) == nil
}

// codeWords are all codes, with their titles.
func codeWords() [][2]string {
	var words [][2]string
	for _, e := range code.All() {
		words = append(words, [2]string{string(e.Code), e.Title})
	}
	return words
}

// explain prints what codes mean.
func (p *program) explain(ctx context.Context, l command.Line, o *options) error {
	if len(l.Args) == 0 {
		return p.usageError("explain needs a code, such as VT2005")
	}
	var ref *refconfig.Reference
	var engine *render.Engine
	if len(o.references) > 0 {
		o.reference = o.references[len(o.references)-1]
		var err error
		if ref, engine, err = p.loadReference(ctx, o); err != nil {
			return err
		}
	}
	var about []string
	for _, arg := range l.Args {
		name := strings.ToUpper(arg)
		e, known := code.Lookup(name)
		switch {
		case known:
			about = append(about, fmt.Sprintf("%s: %s\n\n%s\n\nWhat to do: %s\n", e.Code, e.Title, e.Cause, e.Do))
		case ref != nil:
			text, err := remark.Explain(ref, engine, name)
			if err != nil {
				return p.usageError("%s", err)
			}
			about = append(about, text)
		case code.CheckOwn(name) == nil:
			return p.usageError("%s is no code of the tool; if it is one of a reference's own, name that with --reference", arg)
		case strings.Contains(arg, "/"):
			return p.usageError("%q is no code; explain-match says why a CR is compared with which template", arg)
		default:
			return p.usageError("there is no code %q", arg)
		}
	}
	return p.print(strings.Join(about, "\n"))
}
