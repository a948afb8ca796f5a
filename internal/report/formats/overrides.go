package formats

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/schema"
	"github.com/validationtool/validationtool/refconfig"
)

// OverrideOptions say what Overrides writes besides the patches.
type OverrideOptions struct {
	Reason  string // why the deviations are accepted
	Expires string // the last day of the acceptance, as 2006-01-02; "" for no end
	Command string // the name of the tool in comments; "" for ToolName
}

// Overrides writes overrides that accept the findings, in the format of refconfig.ParseOverrides.
// Comments list the findings of NotAccepted. The error is the writer's.
func Overrides(w io.Writer, r *finding.Report, opt OverrideOptions) error {
	p := &overridePrinter{out: bufio.NewWriter(w), opt: opt}
	p.head(r)
	written := map[refconfig.Override]bool{}
	write := func(a *finding.Acceptance) {
		if a == nil {
			return
		}
		for _, o := range a.Overrides {
			if !written[o] { // several rules or clusters may need the same override
				p.entry(o)
				written[o] = true
			}
		}
	}
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			write(c.Acceptance)
		}
		for _, b := range run.Rules {
			write(b.Acceptance)
		}
	}
	if len(written) == 0 {
		p.lines("[]")
	}
	return p.out.Flush() // Flush returns the first error of any write
}

type overridePrinter struct {
	out *bufio.Writer
	opt OverrideOptions
}

func (p *overridePrinter) lines(lines ...string) {
	for _, l := range lines {
		p.out.WriteString(l)
		p.out.WriteByte('\n')
	}
}

// head writes comments: what the file is, how to use it, and what it does not accept.
func (p *overridePrinter) head(r *finding.Report) {
	command := cmp.Or(p.opt.Command, finding.ToolName)
	p.lines(strings.TrimSuffix(schema.Comment("overrides"), "\n"))
	p.lines("# Deviations from a reference that are accepted, each with its reason.")
	if ref := r.Reference; ref != (finding.Reference{}) {
		p.lines("# Reference: " + escape.Line(
			ref.Path,
		) + " (" + strings.TrimSuffix("format "+ref.Format+", "+ref.Hash, ", ") + ")")
	}
	found := r.Sentence()
	if len(r.Runs) == 1 {
		found = r.Runs[0].Sentence(r.FailOn)
	}
	p.lines("# Found: " + escape.Line(found))
	for _, run := range r.Runs {
		for _, a := range run.Alarms {
			p.lines("# !! " + escape.Line(run.Name()+": "+a.String()))
		}
	}
	p.lines(
		"# Use: "+command+" --overrides FILE REFERENCE INPUT...",
		"#",
		"# An entry is for one CR and one template. Its patch is applied to the template's rendering before the comparison:",
		"# replace, remove and add give the state of the CR, and test has the values that the reference stated. A test for null",
		"# passes if the field is absent. If the reference has changed, the entry is stale and not applied.",
	)
	if left := NotAccepted(r); len(left) > 0 {
		p.lines("#", "# Not accepted by these overrides, and found again:")
		for _, l := range left {
			p.lines("# - " + l)
		}
	}
}

// entry writes one override.
func (p *overridePrinter) entry(o refconfig.Override) {
	o.Reason, o.Expires = p.opt.Reason, p.opt.Expires
	mark := "- "
	for _, f := range []struct{ key, text string }{
		{"missing", trueIf(o.Missing)}, {"present", trueIf(o.Present)}, {"exactMatch", o.ExactMatch},
		{"apiVersion", o.APIVersion}, {"kind", o.Kind}, {"namespace", o.Namespace}, {"name", o.Name},
		{"templatePath", o.TemplatePath}, {"type", string(o.Type)}, {"patch", o.Patch}, {"reason", o.Reason}, {"expires", o.Expires},
	} {
		switch {
		case f.text == "":
			continue
		case f.key == "patch":
			p.lines("  patch: |")
			// the patch is indented, so that people can read what is accepted
			for l := range strings.Lines(string(escape.JSON([]byte(f.text)))) {
				p.lines("    " + strings.TrimSuffix(l, "\n"))
			}
			continue
		case f.key == "missing", f.key == "present":
			p.lines(mark + f.key + ": " + f.text)
		default:
			p.lines(mark + f.key + ": " + escape.String(f.text))
		}
		mark = "  "
	}
}

// trueIf returns "true" or "".
func trueIf(is bool) string {
	if is {
		return "true"
	}
	return ""
}

// NotAccepted describes the findings that the overrides of a report do not accept, each on one
// line.
func NotAccepted(r *finding.Report) []string {
	var out []string
	for _, run := range r.Runs {
		of := ""
		if len(r.Runs) > 1 {
			of = " of " + run.Name()
		}
		out = append(out, notAccepted(run, of)...)
	}
	return out
}

// notAccepted is NotAccepted for one cluster; of is " of " and the name of the cluster if there are
// several, else "".
func notAccepted(r *finding.Run, of string) []string {
	var out []string
	for _, c := range r.Comparisons {
		object := c.Object.String() + of
		if c.Error != nil {
			out = append(out, escape.Line(object+": it could not be evaluated: "+c.Error.Message))
		}
		if c.Acceptance == nil {
			continue
		}
		for _, l := range c.Acceptance.Left {
			at := ""
			if len(l.Path) > 0 {
				at = l.Path.String() + ": "
			}
			out = append(out, escape.Line(object+": "+at+l.Message))
		}
	}
	for _, b := range r.Rules {
		if b.Acceptance == nil {
			continue
		}
		for _, l := range b.Acceptance.Left {
			out = append(out, escape.Line(b.ComponentName()+of+": "+b.Message+": "+l.Message))
		}
	}
	return out
}
