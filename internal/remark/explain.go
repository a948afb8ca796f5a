package remark

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/escape"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Explain says what a code of a reference's own means, and where templates give it.
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
		return text + "\nNo template gives it by its name.\n", nil
	}
	return text + "\nGiven by:\n" + uses, nil
}

// Codes returns the codes of a reference's own: first those that its file explains, in the order of
// the file, then the others that its templates give.
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

// paragraph returns a text behind a blank line; "" for none.
func paragraph(lead, text string) string {
	if text == "" {
		return ""
	}
	return "\n" + lead + prose(text) + "\n"
}
