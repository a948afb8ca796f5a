package listing

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/visible"
)

// mostAnnotations is how many annotations of a level GitHub shows of a step.
const mostAnnotations = 10

// levels are the levels of annotations.
func levels() []string { return []string{"error", "warning", "notice"} }

// GitHub writes a report as workflow commands, which GitHub shows as annotations: a line for the verdict on each cluster, then the
// findings, as errors where they make the run fail, else as warnings, or notices where content is extra. Of each level there are at most
// 10 lines, as GitHub shows no more; then one says how many there are.
func GitHub(w io.Writer, r *finding.Report) error {
	out := bufio.NewWriter(w)
	told := map[string]int{}
	left := map[string]int{}
	tell := func(level string, properties string, text string) {
		if told[level]++; told[level] > mostAnnotations-1 { // one is left for what follows
			left[level]++
			return
		}
		fmt.Fprintf(out, "::%s %s::%s\n", level, properties, data(text))
	}
	for _, run := range r.Runs {
		level := []string{"notice", "error", "error"}[run.ExitStatus(r.FailOn)]
		tell(level, "title="+property(finding.ToolName), run.Name()+": "+run.Sentence(r.FailOn))
	}
	for _, run := range r.Runs {
		for _, f := range append(run.Findings(r.FailOn), remark.Notes(run)...) {
			tell(level(f), properties(f), annotation(r, f))
		}
	}
	for _, level := range levels() {
		if n := left[level]; n > 0 {
			fmt.Fprintf(out, "::%s title=%s::and %s\n", level, property(finding.ToolName), data(finding.Plural(n, "more "+level, "more "+level+"s")))
		}
	}
	return out.Flush()
}

// level is the level of the annotation for a finding.
func level(f finding.Finding) string {
	switch {
	case f.Effect != finding.Informs:
		return "error"
	case f.Class == finding.ClassExtra || f.Class == remark.Class:
		return "notice"
	}
	return "warning"
}

// properties say where a finding is.
func properties(f finding.Finding) string {
	title := "title=" + property(strings.TrimSpace(strings.ToUpper(string(f.Class))+" "+f.Object.String()))
	if f.Source.File == "" {
		return title
	}
	place := "file=" + property(f.Source.File)
	if f.Source.Entry == "" && f.Source.Line > 0 {
		place += fmt.Sprintf(",line=%d", f.Source.Line)
	}
	return place + "," + title
}

// annotation is what an annotation says. That of an entry of an archive says where that is.
func annotation(r *finding.Report, f finding.Finding) string {
	text := f.Words
	if f.Impact != "" {
		text += "\n" + f.Rating.Words()
	}
	if f.Change != "" {
		text += " [" + string(f.Change) + "]"
	}
	if f.Source.Entry != "" {
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

// data and property escape a text as the runner reads it: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
// has the same rules. What acts on a terminal is made visible before.
func data(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, visible.Line(line))
	}
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.Join(lines, "\n"))
}

func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(visible.Line(text))
}
