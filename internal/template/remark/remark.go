// Package remark explains the codes that a reference defines itself: what each means, and which
// templates use it.
package remark

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Entry returns the explanation of a code that the tool, or the reference of a report, defines;
// false for any other code.
func Entry(r *finding.Report, c code.Code) (code.Entry, bool) {
	order := func(own refconfig.OwnCode, c code.Code) int { return cmp.Compare(own.Code, c) }
	if i, known := slices.BinarySearchFunc(r.Codes, c, order); known {
		own := r.Codes[i]
		return code.Entry{Code: c, Title: escape.Line(own.Title), Cause: prose(own.Cause), Do: prose(own.Triage)}, true
	}
	return code.Lookup(c)
}

// Texts returns the texts that explain a code, without its title.
func Texts(c refconfig.OwnCode) []string {
	return slices.DeleteFunc([]string{c.Cause, c.Triage}, func(s string) bool { return s == "" })
}

// prose makes a text of several lines safe to show.
func prose(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, escape.Text(strings.TrimRight(line, " \r")))
	}
	return strings.Join(lines, "\n")
}
