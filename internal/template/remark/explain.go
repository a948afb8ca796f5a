package remark

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Explain returns the meaning of a code that the reference defines, and the places where templates
// use it.
func Explain(ref *refconfig.Reference, engine *render.Engine, name code.Code) (string, error) {
	var known []code.Code
	text := ""
	for _, own := range Codes(ref, engine) {
		known = append(known, own.Code)
		if own.Code == name {
			text = name + ": " + escape.Line(own.Title) + "\n" + paragraph("", own.Cause) +
				paragraph("What to do: ", own.Triage)
		}
	}
	slices.Sort(known)
	uses := ""
	for _, s := range engine.Stated() {
		if s.Code == name {
			uses += "  " + escape.Line(s.Place.String()) + "\n"
		}
	}
	switch {
	case text == "":
		return "", fmt.Errorf("the reference %s has no code %q%s", ref.Path, name, code.DidYouMean(name, known))
	case uses == "":
		return text + "\nNo template has this code as a literal.\n", nil
	}
	return text + "\nGiven by:\n" + uses, nil
}

// Codes returns the codes that a reference defines: first those that its file of codes explains,
// in the order of that file, then the others that its templates use.
func Codes(ref *refconfig.Reference, engine *render.Engine) []refconfig.OwnCode {
	all := slices.Clone(ref.Codes)
	for _, s := range engine.Stated() {
		isKnown := func(own refconfig.OwnCode) bool { return own.Code == s.Code }
		if s.Code != "" && !slices.ContainsFunc(all, isKnown) {
			all = append(all, refconfig.OwnCode{Code: s.Code, Title: refconfig.CodesFile + " does not explain it"})
		}
	}
	return all
}

// paragraph returns a text after a blank line; "" for an empty text.
func paragraph(lead, text string) string {
	if text == "" {
		return ""
	}
	return "\n" + lead + prose(text) + "\n"
}
