package refdiff

import (
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/align"
)

// textLayout is the template of the text for people.
const textLayout = `{{line .Old.Path}} -> {{line .New.Path}}
{{- if not .Changes}}

Both versions require the same.
{{- end}}
{{- $group := ""}}{{range .Changes}}{{if ne .Group $group}}{{$group = .Group}}

{{head .Group}}
{{- end}}
  {{line (title .)}}
{{- range versions .}}
    {{line .}}
{{- end}}{{if isLong .}}
    in {{line (list .Templates)}}
{{- end}}{{with at .}}
    at {{line .}}
{{- end}}{{end}}
{{- range .Clusters}}

Cluster {{line .Name}}: {{counts .}}
{{- with .New}}
  New with the new version
{{- range .}}
    {{line (finding .)}}
{{- end}}{{end}}{{with .Gone}}
  Resolved with the new version
{{- range .}}
    {{line (finding .)}}
{{- end}}{{end}}{{end}}

{{sentence .}}
`

// markdownLayout is the template of GitHub Flavored Markdown. Text from a reference or an input is
// written as code, so that it is neither markup nor a mention.
const markdownLayout = `# Changes from {{code .Old.Path}} to {{code .New.Path}}

{{sentence .}}
{{- $group := ""}}{{range .Changes}}{{if ne .Group $group}}{{$group = .Group}}

## {{head .Group}}
{{- end}}

- {{if isLong .}}{{len .Templates}} templates, {{end}}{{codes .Templates}}: {{item .}}
{{- with versions .}}{{$fence := fence .}}
  {{$fence}}diff
{{- range .}}
  {{line .}}
{{- end}}
  {{$fence}}
{{- end}}{{end}}
{{- range .Clusters}}

## Cluster {{code .Name}}: {{counts .}}
{{- range .New}}

- new: {{code (finding .)}}
{{- end}}{{range .Gone}}

- resolved: {{code (finding .)}}
{{- end}}{{end}}
`

// Text writes the changes, grouped by what users must do.
func (d *Diff) Text(out io.Writer) error { return d.write(out, textLayout) }

// Markdown writes the changes as GitHub Flavored Markdown, for release notes.
func (d *Diff) Markdown(out io.Writer) error { return d.write(out, markdownLayout) }

func (d *Diff) write(out io.Writer, layout string) error {
	heads := map[Group]string{
		Must:    "Must change: a CR that matched the old version may differ from the new one",
		May:     "May now vary or be present",
		Dropped: "No longer required",
		Authors: "Only for authors: no CR is compared differently",
	}
	functions := template.FuncMap{
		"line":     escape.Line,
		"code":     escape.Code,
		"codes":    codes,
		"list":     list,
		"head":     func(g Group) string { return heads[g] },
		"sentence": (*Diff).sentence,
		"counts":   Cluster.sentence,
		"finding":  Finding.words,
		"title":    Change.title,
		"isLong":   Change.isLong,
		"versions": Change.versions,
		"at":       Change.at,
		"item":     Change.item,
		"fence": func(lines []string) string {
			return strings.Repeat("`", max(3, escape.Backquotes(strings.Join(lines, "\n"))+1))
		},
	}
	return template.Must(template.New("").Funcs(functions).Parse(layout)).Execute(out, d)
}

// list returns names as a text; of many names, the first ones, and how many more there are.
func list(names []string) string {
	const most, named = 8, 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

// codes returns names as code.
func codes(names []string) string { return list(each(names, escape.Code)) }

// isLong reports whether a change has more templates than its title names.
func (c Change) isLong() bool { return len(c.Templates) > 3 }

// title returns the templates, fields and words of a change.
func (c Change) title() string {
	what := list(c.Templates) + ":"
	if c.isLong() {
		what = finding.Plural(len(c.Templates), "template", "templates") + ":"
	}
	if len(c.Paths) > 0 {
		what += " " + list(c.Paths)
	}
	return what + " " + c.words()
}

// item returns the fields and words of a change as Markdown.
func (c Change) item() string {
	words := c.words()
	if strings.ContainsFunc(words, func(r rune) bool { return !strings.ContainsRune(" ,.;:()'-", r) && !isLetter(r) }) {
		words = escape.Code(words)
	}
	return strings.TrimSpace(codes(c.Paths) + " " + words)
}

func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// at returns the locations of a change in both versions.
func (c Change) at() string {
	if c.OldAt == "" || c.NewAt == "" {
		return c.OldAt + c.NewAt
	}
	return c.OldAt + " -> " + c.NewAt
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

// versions returns the text of both versions as lines of a diff; of long texts, only lines that
// differ.
func (c Change) versions() (lines []string) {
	old, new := linesOf(c.Old), linesOf(c.New)
	for _, p := range align.Lines(old, new) {
		if p.A >= 0 && p.B >= 0 && old[p.A] == new[p.B] && new[p.B] != redacted {
			continue
		}
		if p.A >= 0 {
			lines = append(lines, "- "+old[p.A])
		}
		if p.B >= 0 {
			lines = append(lines, "+ "+new[p.B])
		}
	}
	return lines
}

// linesOf splits a text into lines; none for "".
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// sentence summarizes the changes.
func (d *Diff) sentence() string {
	s := d.Summary
	return fmt.Sprintf("%s: %d must change, %d may vary, %d no longer required, %d only for authors",
		finding.Plural(len(d.Changes), "change", "changes"), s.Must, s.May, s.Dropped, s.Authors)
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
