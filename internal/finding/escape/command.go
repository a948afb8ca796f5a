package escape

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// ExplainMatch is the command that explains why a template or a CR has no counterpart.
const ExplainMatch = "explain-match"

// Again returns a command, without the name of the tool, that compares a cluster of a report with a
// reference again. It begins with words, and ends with the inputs; another operand can follow. It
// returns "" if the inputs cannot be read again.
func Again(report *finding.Report, r *finding.Run, reference string, words ...string) string {
	isStdin := func(in finding.Input) bool { return in.Path == "-" }
	if reference == "" || slices.ContainsFunc(r.Inputs, isStdin) {
		return ""
	}
	if len(report.Runs) > 1 && r.Cluster.Name != "" {
		words = append(words, "--cluster", r.Cluster.Name)
	}
	if r.Given {
		words = append(words, "--given")
	}
	var files []string
	for _, o := range r.Overrides {
		if o.File != "" && !slices.Contains(files, o.File) { // an override may be in no file yet
			files = append(files, o.File)
			words = append(words, "--overrides", Operand(o.File))
		}
	}
	if b := r.Baseline; b != nil && !slices.Contains(words, ExplainMatch) {
		words = append(words, "--baseline", Operand(b.Path))
	}
	if r.Summary.Differences.Placeholders > 0 {
		words = append(words, "--placeholders")
	}
	if slices.ContainsFunc(r.Comparisons, func(c *finding.Comparison) bool { return c.Source.Wrapper != "" }) {
		words = append(words, "--wrapped")
	}
	words = append(words, Operand(reference))
	for _, in := range r.Inputs {
		words = append(words, Operand(in.Path))
	}
	for i, word := range words {
		words[i] = ShellWord(word)
	}
	return strings.Join(words, " ")
}
