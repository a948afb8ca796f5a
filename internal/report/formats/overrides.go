package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
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
	for _, run := range r.Runs {
		for _, o := range acceptedBy(run, written) {
			o.Reason, o.Expires = opt.Reason, opt.Expires
			p.entry(o)
		}
	}
	if len(written) == 0 {
		p.lines("[]")
	}
	return p.out.Flush() // Flush returns the first error of any write
}

// AcceptedBy returns the overrides of a run that are not among others: several rules or clusters may
// need the same one.
func AcceptedBy(r *finding.Run, others []refconfig.Override) []refconfig.Override {
	known := map[refconfig.Override]bool{}
	for _, o := range others {
		o.Reason, o.Expires, o.Place = "", "", refconfig.Place{}
		known[o] = true
	}
	return acceptedBy(r, known)
}

// acceptedBy is AcceptedBy for others that are known, and adds to these.
func acceptedBy(r *finding.Run, known map[refconfig.Override]bool) (all []refconfig.Override) {
	add := func(a *finding.Acceptance) {
		if a == nil {
			return
		}
		for _, o := range a.Overrides {
			if !known[o] {
				known[o] = true
				all = append(all, o)
			}
		}
	}
	for _, c := range r.Comparisons {
		add(c.Acceptance)
	}
	for _, b := range r.Rules {
		add(b.Acceptance)
	}
	return all
}

// OverrideEntries returns overrides as entries of a file.
func OverrideEntries(all []refconfig.Override) string {
	var out strings.Builder
	p := &overridePrinter{out: bufio.NewWriter(&out)}
	for _, o := range all {
		p.entry(o)
	}
	p.out.Flush()
	return out.String()
}

// AddOverrides returns a file of overrides with more entries at its end. What is there stays as it is;
// an empty file gets comments about a reference. The error says why entries cannot be added.
func AddOverrides(
	before []byte, more []refconfig.Override, ref finding.Reference, opt OverrideOptions,
) ([]byte, error) {
	old, _, faults := refconfig.ParseOverrides("", before)
	if len(faults) > 0 {
		return nil, refconfig.Faults{What: "it is no file of overrides to add to", Problems: faults}
	}
	text, indent := string(before), ""
	switch first := strings.Index("\n"+text, "\n- "); {
	case len(bytes.TrimSpace(before)) == 0:
		var head strings.Builder
		p := &overridePrinter{out: bufio.NewWriter(&head), opt: opt}
		p.about(ref)
		p.usage()
		p.out.Flush()
		text = head.String()
	case len(old) == 0: // only comments, and perhaps an empty list
		text = strings.TrimSuffix(strings.TrimRight(text, " \r\n"), "[]")
	case first < 0:
		line, _, _ := strings.Cut(text, "- ")
		indent = line[strings.LastIndexByte(line, '\n')+1:]
	}
	if !strings.HasSuffix(text, "\n") && text != "" {
		text += "\n"
	}
	for line := range strings.Lines(OverrideEntries(more)) {
		text += indent + line
	}
	// YAML has more forms than this function handles
	now, _, faults := refconfig.ParseOverrides("", []byte(text))
	if len(faults) > 0 || !slices.EqualFunc(now, slices.Concat(old, more), sameEntry) {
		return nil, errors.New("entries cannot be added to the YAML of this file; name a new file")
	}
	return []byte(text), nil
}

// sameEntry reports whether two overrides are the same, wherever they stand.
func sameEntry(a, b refconfig.Override) bool {
	a.Place, a.Patch = b.Place, strings.TrimSpace(a.Patch)
	b.Patch = strings.TrimSpace(b.Patch)
	return a == b
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

// about writes comments: what the file is, and for which reference.
func (p *overridePrinter) about(ref finding.Reference) {
	p.lines(strings.TrimSuffix(schema.Comment("overrides"), "\n"))
	p.lines("# Deviations from a reference that are accepted, each with its reason.")
	if ref != (finding.Reference{}) {
		p.lines("# Reference: " + escape.Line(
			ref.Path,
		) + " (" + strings.TrimSuffix("format "+ref.Format+", "+ref.Hash, ", ") + ")")
	}
}

// usage writes comments: how to use the file, and what an entry means.
func (p *overridePrinter) usage() {
	p.lines(
		"# Use: "+cmp.Or(p.opt.Command, finding.ToolName)+" --overrides FILE REFERENCE INPUT...",
		"#",
		"# An entry is for one CR and one template. Its patch is applied to the template's rendering before the comparison:",
		"# replace, remove and add give the state of the CR, and test has the values that the reference stated. A test for null",
		"# passes if the field is absent. If the reference has changed, the entry is stale and not applied.",
	)
}

// head writes comments: what the file is, how to use it, and what it does not accept.
func (p *overridePrinter) head(r *finding.Report) {
	p.about(r.Reference)
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
	p.usage()
	if left := NotAccepted(r); len(left) > 0 {
		p.lines("#", "# Not accepted by these overrides, and found again:")
		for _, l := range left {
			p.lines("# - " + l)
		}
	}
}

// entry writes one override.
func (p *overridePrinter) entry(o refconfig.Override) {
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
