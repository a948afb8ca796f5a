package text

import (
	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/finding"
)

// palette has the styles of one report: findings that have to be corrected are red, extra content
// is cyan, and unreliable results are magenta. It uses the 16 standard colours that are readable on
// light and dark backgrounds. Each report has its own, so that global settings do not affect it.
type palette struct {
	differs, extra          *color.Color // of a row
	differsWord, extraWord  *color.Color // of the differing words in it
	heading, quiet          *color.Color
	good, bad, unsure, info *color.Color // of verdicts and results
}

func newPalette(enabled bool) *palette {
	style := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if enabled {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return &palette{
		differs:     style(color.FgRed),
		extra:       style(color.FgCyan),
		differsWord: style(color.FgRed, color.Bold, color.Underline),
		extraWord:   style(color.FgCyan, color.Bold, color.Underline),
		heading:     style(color.Bold),
		quiet:       style(color.Faint),
		good:        style(color.FgGreen, color.Bold),
		bad:         style(color.FgRed, color.Bold),
		unsure:      style(color.FgMagenta, color.Bold),
		info:        style(color.FgCyan, color.Bold),
	}
}

// mark returns the styles of a row and of the differing words in it; nil for text without a style.
func (p *palette) mark(c finding.Category) (line, word *color.Color) {
	switch c {
	case finding.Drift, finding.Missing:
		return p.differs, p.differsWord
	case finding.Extra:
		return p.extra, p.extraWord
	}
	return nil, nil
}

func (p *palette) result(r finding.Result) *color.Color {
	switch r {
	case finding.Failed:
		return p.unsure
	case finding.Drifted, finding.OnlyInvalid:
		return p.bad
	case finding.OnlyExtra:
		return p.info
	}
	return p.good
}

func (p *palette) verdict(v finding.Verdict) *color.Color {
	switch v {
	case finding.Compliant:
		return p.good
	case finding.Differs:
		return p.bad
	}
	return p.unsure
}

// paint applies a style; a nil style does not change the text.
func paint(c *color.Color, s string) string {
	if c == nil || s == "" {
		return s
	}
	return c.Sprint(s)
}

// sign returns the mark of a category in the gutter.
func sign(c finding.Category) string {
	switch c {
	case finding.Drift:
		return "|"
	case finding.Missing:
		return "<"
	case finding.Extra:
		return ">"
	case finding.Expected:
		return "~"
	}
	return " "
}
