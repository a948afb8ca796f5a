package formats

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// mostAnnotations is the maximum number of annotations of each level that GitHub shows for a step.
const mostAnnotations = 10

// githubLevels returns the levels of annotations by Finding.Level.
func githubLevels() []string { return []string{"notice", "warning", "error"} }

// GitHub writes a report as workflow commands. GitHub shows these as annotations: the verdict on
// each cluster, the alarms, then the findings. A finding that makes the run fail is an error, extra
// content is a notice, and any other finding a warning. GitHub shows at most 10 annotations of each
// level, so the last one counts the rest. Names of files are relative to folder, unless that is "".
func GitHub(w io.Writer, r *finding.Report, folder string) error {
	a := newGitHubWriter(w, folder)
	if len(r.Runs) > 1 {
		a.verdict(r.ExitStatus, r.Sentence())
	}
	for _, run := range r.Runs {
		a.verdict(run.ExitStatus(r.FailOn), run.Name()+": "+run.Sentence(r.FailOn))
	}
	for _, run := range r.Runs {
		for _, alarm := range run.Alarms {
			a.tell("warning", "", finding.ToolName, run.Name()+": "+alarm.String())
		}
	}
	for _, run := range r.Runs {
		for f := range run.Findings(r.FailOn, nil) {
			level := githubLevels()[f.Level()]
			if a.full(level) { // checked first to save time, because there may be many findings
				continue
			}
			a.tell(
				level,
				a.place(f.Source.Place()),
				strings.TrimSpace(string(f.Class.Word())+" "+f.Object.Stated()),
				githubText(r, f),
			)
		}
	}
	return a.end()
}

// GitHubLint writes the problems of a reference in the same way.
func GitHubLint(w io.Writer, d *lint.Document, folder string) error {
	a := newGitHubWriter(w, folder)
	a.verdict(d.ExitStatus, d.Name()+": "+d.Sentence())
	for _, f := range d.New() {
		text := f.Message
		if f.Entry != "" {
			text += "\n" + f.Place.String()
		}
		a.tell(string(f.Severity), a.place(f.Place), string(f.Code), text)
	}
	return a.end()
}

// githubWriter writes at most mostAnnotations annotations of each level.
type githubWriter struct {
	out        *bufio.Writer
	folder     string         // the folder to which names of files are relative
	told, left map[string]int // the numbers of annotations that were written and omitted, by level
}

func newGitHubWriter(w io.Writer, folder string) *githubWriter {
	return &githubWriter{bufio.NewWriter(w), folder, map[string]int{}, map[string]int{}}
}

// verdict writes the annotation for a verdict.
func (a *githubWriter) verdict(status int, text string) {
	a.tell([]string{"notice", "error", "error"}[status], "", finding.ToolName, text)
}

// full reports whether a level has no room for another annotation. If so, it counts the annotation
// as omitted.
func (a *githubWriter) full(level string) bool {
	if a.told[level] < mostAnnotations-1 { // one is left for the count of the rest
		return false
	}
	a.left[level]++
	return true
}

// tell writes an annotation with a title, if its level has room for it.
func (a *githubWriter) tell(level, place, title, text string) {
	if a.full(level) {
		return
	}
	a.told[level]++
	fmt.Fprintf(a.out, "::%s %stitle=%s::%s\n", level, place, commandProperty(title), commandData(text))
}

// end writes the numbers of omitted annotations. It returns the first error of any write.
func (a *githubWriter) end() error {
	for _, level := range slices.Backward(githubLevels()) {
		if n := a.left[level]; n > 0 {
			fmt.Fprintf(
				a.out,
				"::%s title=%s::and %s\n",
				level,
				commandProperty(finding.ToolName),
				commandData(finding.Plural(n, "more "+level, "more "+level+"s")),
			)
		}
	}
	return a.out.Flush()
}

// place formats a location; "" if it is unknown. It omits the line of an entry of an archive,
// because that is not a line of the archive.
func (a *githubWriter) place(p refconfig.Place) string {
	if p.File == "" {
		return ""
	}
	at := "file=" + commandProperty(places.Relative(a.folder, p.File)) + ","
	if p.Entry == "" && p.Line > 0 {
		at += fmt.Sprintf("line=%d,", p.Line)
		if p.Column > 0 {
			at += fmt.Sprintf("col=%d,", p.Column)
		}
	}
	return at
}

// githubText returns the text of an annotation. It has the location if the finding is in an archive
// or in another CR.
func githubText(r *finding.Report, f finding.Finding) string {
	text := f.Words
	if f.Impact != "" {
		text += "\n" + f.Rating.Words()
	}
	if f.Change != "" {
		text += " [" + string(f.Change) + "]"
	}
	if f.Source.Entry != "" || f.Source.Wrapper != "" {
		text += "\n" + f.Source.String()
	}
	if f.Code != "" && !strings.Contains(text, string(f.Code)) {
		text += finding.Note(f.Code)
	}
	if code.IsOwn(f.Code) {
		e, _ := remark.Entry(r, f.Code)
		for _, more := range []string{e.Title, e.Do} {
			text += strings.TrimSuffix("\n"+more, "\n")
		}
	}
	return text
}

// commandData escapes a text for the runner by the rules of
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts. Characters that act on a
// terminal are made visible first.
func commandData(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, escape.Line(line))
	}
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.Join(lines, "\n"))
}

// commandProperty escapes the value of a property by the same rules.
func commandProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(escape.Line(text))
}
