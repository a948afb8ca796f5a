package refdiff

import (
	"fmt"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

// writer writes indented lines.
type writer struct{ strings.Builder }

// line writes a line, however deep. What stands in it may come from anybody.
func (w *writer) line(depth int, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", depth) + visible.Line(fmt.Sprintf(format, args...)) + "\n")
}

// Text writes what changed, grouped by what users must do.
func (d *Diff) Text(out io.Writer) error {
	w := &writer{}
	w.line(0, "%s -> %s", d.Old.Path, d.New.Path)
	if len(d.Changes) == 0 {
		w.line(0, "")
		w.line(0, "Both versions ask for the same.")
	}
	for _, g := range []struct {
		group Group
		head  string
	}{
		{Must, "Must change: a CR that met the old version may not meet the new one"},
		{May, "May now vary, or be there"},
		{Dropped, "No longer asked"},
		{Authors, "Only for authors: no CR is compared otherwise"},
	} {
		headed := false
		for _, c := range d.Changes {
			if c.Group != g.group {
				continue
			}
			if !headed {
				w.line(0, "")
				w.line(0, "%s", g.head)
				headed = true
			}
			w.change(c)
		}
	}
	for _, c := range d.Clusters {
		w.cluster(c)
	}
	w.line(0, "")
	w.line(0, "%s", d.sentence())
	_, err := io.WriteString(out, w.String())
	return err
}

// sentence sums the changes up.
func (d *Diff) sentence() string {
	s := d.Summary
	return fmt.Sprintf("%s: %d must change, %d may vary, %d no longer asked, %d only for authors",
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
	if len(c.Paths) > 1 {
		for one, several := range map[string]string{"is ": "are ", "has ": "have "} {
			if rest, ok := strings.CutPrefix(c.Words, one); ok {
				c.Words = several + rest
			}
		}
	}
	if len(c.Paths) > 0 {
		w.line(1, "%s %s", what, c.Words)
	} else {
		w.line(1, "%s: %s", what, c.Words)
	}
	w.versions(c)
	if len(c.Templates) > most {
		w.line(2, "in %s", strings.Join(c.Templates, ", "))
	}
	if at := strings.Trim(c.OldAt+" -> "+c.NewAt, " ->"); at != "" {
		if c.OldAt != "" && c.NewAt != "" {
			at = c.OldAt + " -> " + c.NewAt
		}
		w.line(2, "at %s", at)
	}
}

// versions writes what the old version has, and what the new one has: of long texts the lines that
// differ.
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
			w.line(2, "+ %s", new[p.B])
		case p.B < 0:
			w.line(2, "- %s", old[p.A])
		case old[p.A] != new[p.B], new[p.B] == redacted:
			w.line(2, "- %s", old[p.A])
			w.line(2, "+ %s", new[p.B])
		}
	}
}

// cluster writes what becomes of an input.
func (w *writer) cluster(c Cluster) {
	w.line(0, "")
	w.line(0, "Cluster %s: %s", c.Name, c.sentence())
	for _, part := range []struct {
		head string
		all  []Finding
	}{{"New with the new version", c.New}, {"Gone with the new version", c.Gone}} {
		if len(part.all) > 0 {
			w.line(1, "%s", part.head)
		}
		for _, f := range part.all {
			w.line(2, "%s", f.words())
		}
	}
}

// sentence sums up what becomes of a cluster.
func (c Cluster) sentence() string {
	text := fmt.Sprintf(
		"%s, %d gone, %d as before", finding.Plural(len(c.New), "new finding", "new findings"), len(c.Gone), c.Both,
	)
	if c.Incomplete {
		text += "; INCOMPLETE: not all of the input could be compared"
	}
	return text
}

// words are a finding on a line.
func (f Finding) words() string {
	words := []string{string(f.Class)}
	if f.Object != (finding.Object{}) {
		words = append(words, f.Object.String())
	} else if f.Template != "" {
		words = append(words, f.Template)
	}
	return strings.Join(append(words, f.Message), "  ")
}
