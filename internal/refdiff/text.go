package refdiff

import (
	"fmt"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/escape"
	"github.com/validationtool/validationtool/internal/finding"
)

// writer writes indented lines.
type writer struct{ escape.Writer }

// heads returns the heading of each group.
func heads() map[Group]string {
	return map[Group]string{
		Must:    "Must change: a CR that matched the old version may differ from the new one",
		May:     "May now vary or be present",
		Dropped: "No longer required",
		Authors: "Only for authors: no CR is compared differently",
	}
}

// Text writes the changes, grouped by what users must do.
func (d *Diff) Text(out io.Writer) error {
	w := &writer{}
	w.Line(0, "%s -> %s", d.Old.Path, d.New.Path)
	if len(d.Changes) == 0 {
		w.Line(0, "")
		w.Line(0, "Both versions require the same.")
	}
	for i, c := range d.Changes {
		if i == 0 || c.Group != d.Changes[i-1].Group {
			w.Line(0, "")
			w.Line(0, "%s", heads()[c.Group])
		}
		w.change(c)
	}
	for _, c := range d.Clusters {
		w.cluster(c)
	}
	w.Line(0, "")
	w.Line(0, "%s", d.sentence())
	_, err := io.WriteString(out, w.String())
	return err
}

// Markdown writes the changes as GitHub Flavored Markdown, for release notes. Text from a reference
// or an input is written as code, so that it is neither markup nor a mention.
func (d *Diff) Markdown(out io.Writer) error {
	w := &writer{}
	w.Line(0, "# Changes from %s to %s", escape.Code(d.Old.Path), escape.Code(d.New.Path))
	w.Line(0, "")
	w.Line(0, "%s", d.sentence())
	for i, c := range d.Changes {
		if i == 0 || c.Group != d.Changes[i-1].Group {
			w.Line(0, "")
			w.Line(0, "## %s", heads()[c.Group])
		}
		w.Line(0, "")
		w.item(c)
	}
	for _, c := range d.Clusters {
		w.Line(0, "")
		w.Line(0, "## Cluster %s: %s", escape.Code(c.Name), c.sentence())
		for _, f := range c.New {
			w.Line(0, "")
			w.Line(0, "- new: %s", escape.Code(f.words()))
		}
		for _, f := range c.Gone {
			w.Line(0, "")
			w.Line(0, "- resolved: %s", escape.Code(f.words()))
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// item writes a change as a list item, with the text of both versions in a block.
func (w *writer) item(c Change) {
	var all []string
	for _, path := range c.Paths {
		all = append(all, escape.Code(path))
	}
	words := c.words()
	if strings.ContainsFunc(words, func(r rune) bool { return !strings.ContainsRune(" ,.;:()'-", r) && !isLetter(r) }) {
		words = escape.Code(words)
	}
	what := strings.TrimSpace(strings.Join(all, ", ") + " " + words)
	all = nil
	for _, t := range c.Templates {
		all = append(all, escape.Code(t))
	}
	w.Line(0, "- %s: %s", strings.Join(all, ", "), what)
	lines := &writer{}
	if lines.versions(c); lines.Len() > 0 {
		fence := strings.Repeat("`", max(3, escape.Backquotes(lines.String())+1))
		w.Line(1, "%sdiff", fence)
		for line := range strings.Lines(lines.String()) {
			w.Line(1, "%s", strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "    "))
		}
		w.Line(1, "%s", fence)
	}
}

func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// sentence summarizes the changes.
func (d *Diff) sentence() string {
	s := d.Summary
	return fmt.Sprintf("%s: %d must change, %d may vary, %d no longer required, %d only for authors",
		finding.Plural(len(d.Changes), "change", "changes"), s.Must, s.May, s.Dropped, s.Authors)
}

// change writes one change.
func (w *writer) change(c Change) {
	const most = 3
	what := strings.Join(c.Templates, ", ")
	if len(c.Templates) > most {
		what = finding.Plural(len(c.Templates), "template", "templates")
	}
	if len(c.Paths) > 0 {
		what += ": " + strings.Join(c.Paths, ", ")
	}
	if len(c.Paths) == 0 {
		what += ":"
	}
	w.Line(1, "%s %s", what, c.words())
	w.versions(c)
	if len(c.Templates) > most {
		w.Line(2, "in %s", strings.Join(c.Templates, ", "))
	}
	if at := strings.Trim(c.OldAt+" -> "+c.NewAt, " ->"); at != "" {
		if c.OldAt != "" && c.NewAt != "" {
			at = c.OldAt + " -> " + c.NewAt
		}
		w.Line(2, "at %s", at)
	}
}

// words returns the words of a change, in the plural for several fields.
func (c Change) words() string {
	for one, several := range map[string]string{"is ": "are ", "has ": "have "} {
		if rest, ok := strings.CutPrefix(c.Words, one); ok && len(c.Paths) > 1 {
			return several + rest
		}
	}
	return c.Words
}

// versions writes the text of both versions; of long texts, only lines that differ.
func (w *writer) versions(c Change) {
	old, new := strings.Split(c.Old, "\n"), strings.Split(c.New, "\n")
	if c.Old == "" {
		old = nil
	}
	if c.New == "" {
		new = nil
	}
	for _, p := range align.Lines(old, new) {
		switch {
		case p.A < 0:
			w.Line(2, "+ %s", new[p.B])
		case p.B < 0:
			w.Line(2, "- %s", old[p.A])
		case old[p.A] != new[p.B], new[p.B] == redacted:
			w.Line(2, "- %s", old[p.A])
			w.Line(2, "+ %s", new[p.B])
		}
	}
}

// cluster writes the changes of the findings on a cluster.
func (w *writer) cluster(c Cluster) {
	w.Line(0, "")
	w.Line(0, "Cluster %s: %s", c.Name, c.sentence())
	for _, part := range []struct {
		head string
		all  []Finding
	}{{"New with the new version", c.New}, {"Resolved with the new version", c.Gone}} {
		if len(part.all) > 0 {
			w.Line(1, "%s", part.head)
		}
		for _, f := range part.all {
			w.Line(2, "%s", f.words())
		}
	}
}

// sentence summarizes the changes of a cluster.
func (c Cluster) sentence() string {
	text := fmt.Sprintf(
		"%s, %d resolved, %d as before", finding.Plural(len(c.New), "new finding", "new findings"), len(c.Gone), c.Both,
	)
	if c.Incomplete {
		text += "; INCOMPLETE: not all of the input could be compared"
	}
	return text
}

// words returns a finding as one line.
func (f Finding) words() string {
	words := []string{string(f.Class)}
	if f.Object != (finding.Object{}) {
		words = append(words, f.Object.String())
	} else if f.Template != "" {
		words = append(words, f.Template)
	}
	return strings.Join(append(words, f.Message), "  ")
}
