package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// quickFix is the kind of the code actions.
const quickFix = "quickfix"

// fix is a change that resolves a finding; the zero value is none.
type fix struct {
	title    string
	file     string
	from, to int // offsets of the text that is replaced
	text     string
	at       textRange // the same as a range
}

// fixOf returns the change that a flaw suggests. from and to are the offsets of what is underlined.
func (p *project) fixOf(f lint.Flaw, t *text, from, to int) fix {
	switch {
	case f.Instead != "" && t.string[from:to] == f.Word:
		return fix{"Replace with " + f.Instead, f.File, from, to, f.Instead, t.span(from, to)}
	case f.PerField.Template > 0:
		return p.entryOf(f.PerField)
	}
	return fix{}
}

// entryOf returns the change that adds an entry of perField to the metadata; none if the metadata is not
// written in block style there.
func (p *project) entryOf(e lint.PerField) fix {
	file := p.ref.Metadata
	t := p.text(file)
	entry := entryAt(p.yaml(file), e.Template)
	at, _ := entry.Field("path")
	if entry == nil || entry.Flow || at == nil {
		return fix{}
	}
	pathToKey := e.PathToKey
	if regexp.MustCompile(`^["'*&!%@{\[#|>-]|: | #|:$`).MatchString(pathToKey) {
		pathToKey = "'" + strings.ReplaceAll(pathToKey, "'", "''") + "'"
	}
	blanks := func(n int) string { return strings.Repeat(" ", max(n, 0)) }
	lines := func(indent int) string {
		return fmt.Sprintf("%s- pathToKey: %s\n%s  %s: %s\n", blanks(indent), pathToKey, blanks(indent), e.Key, e.Value)
	}
	offset, text := 0, ""
	key, config := entry.Field("config")
	perField, list := config.Field("perField")
	switch column := at.Column - 1; {
	case list != nil && list.Kind == kubeyaml.List && !list.Flow && len(list.Values) > 0:
		start, _ := t.lineOf(list.Values[0].Offset)
		before := t.string[start:list.Values[0].Offset]
		if strings.Trim(before, " ") != "-" {
			return fix{}
		}
		offset, text = start, lines(strings.Index(before, "-"))
	case perField != nil, config != nil && (config.Flow || config.Kind != kubeyaml.Map):
		return fix{}
	case config != nil && len(config.Keys) > 0:
		offset, _ = t.lineOf(config.Keys[0].Offset)
		column = config.Keys[0].Column - 1
		text = blanks(column) + "perField:\n" + lines(column+2)
	case key != nil:
		return fix{}
	default:
		_, end := t.lineOf(at.Offset)
		offset = end
		text = "\n" + blanks(column) + "config:\n" + blanks(column+2) + "perField:\n" +
			strings.TrimSuffix(lines(column+4), "\n")
	}
	title := fmt.Sprintf("Add an entry with %s: %s to perField", e.Key, e.Value)
	return fix{title, file, offset, offset, text, t.span(offset, offset)}
}

// entryAt returns the entry of a template that begins in a line.
func entryAt(root *kubeyaml.Node, line int) *kubeyaml.Node {
	for _, part := range elements(root, "parts") {
		for _, component := range elements(part, "components") {
			for _, entry := range entries(component) {
				if entry.Line == line {
					return entry
				}
			}
		}
	}
	return nil
}

// codeActions returns the changes that resolve the findings in a range.
func (q *query) codeActions(file string) []codeAction {
	all := []codeAction{}
	if len(q.Context.Only) > 0 && !slices.Contains(q.Context.Only, quickFix) && !slices.Contains(q.Context.Only, "") {
		return all
	}
	for _, folder := range q.folders(q.open, file) {
		for _, d := range q.current(folder, file) {
			if d.fix == (fix{}) || isBefore(q.Range.End, d.Range.Start) || isBefore(d.Range.End, q.Range.Start) {
				continue
			}
			uri := uriOf(d.fix.file)
			if one, isOpen := q.open[d.fix.file]; isOpen {
				uri = one.uri
			}
			edits := map[string][]textEdit{uri: {{d.fix.at, d.fix.text}}}
			all = append(all, codeAction{
				Title: d.fix.title, Kind: quickFix, Diagnostics: []diagnostic{d}, IsPreferred: true,
				Edit: workspaceEdit{edits},
			})
		}
	}
	return all
}

// isBefore reports whether a position is before another one.
func isBefore(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// current returns the findings in a file, after the check that is due.
func (q *query) current(folder, file string) []diagnostic {
	for {
		q.mu.Lock()
		isDue := q.pending[folder] != nil || q.checks == folder
		all, finished := q.shown[folder][file], q.finished
		q.mu.Unlock()
		if !isDue {
			return all
		}
		select {
		case <-finished:
		case <-q.ctx.Done():
			return nil
		}
	}
}
