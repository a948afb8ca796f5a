package formats

import (
	"bytes"
	"regexp"

	"github.com/validationtool/validationtool/internal/finding"
)

// HeadSize is the number of bytes of a file that IsReport needs.
const HeadSize = 8 << 10

// IsReport reports whether a file that begins with these bytes is empty or a report of this tool, in
// any format that is one file. Then a newer report may replace it.
func IsReport(head []byte) bool {
	head = bytes.TrimSpace(head)
	has := func(text string) bool { return bytes.Contains(head, []byte(text)) }
	begins := func(text string) bool { return bytes.HasPrefix(head, []byte(text)) }
	matches := func(pattern string) bool { return regexp.MustCompile(pattern).Match(head) }
	switch {
	case len(head) == 0:
		return true
	case begins("{"): // JSON, SARIF and NDJSON
		return has(`"name": "`+finding.ToolName+`"`) || matches(`^{"cluster":"[^\n]*","class":"verdict",`)
	case begins("schemaVersion: "): // YAML
		return has("\n  name: " + finding.ToolName + "\n")
	case begins("["): // GitLab
		return has(`"check_name": "verdict"`)
	case begins("<?xml"): // JUnit
		return has(`<testsuites name="` + finding.ToolName + `"`)
	case begins("<!doctype html>"):
		return has("default-src &#39;none&#39;; style-src &#39;sha256-")
	case begins("::"): // GitHub
		return has("title=" + finding.ToolName + "::")
	case begins("### "): // Markdown
		return matches(`^### [^\n]*\n\n\*\*[A-Z]+: `)
	case begins("# yaml-language-server: "): // overrides
		return has("\n# Deviations from a reference that are accepted")
	case begins("# "): // diff
		return matches(`^# [^\n]*: [A-Z]+: `)
	}
	return begins("cluster,class,fails,") || matches(`^[A-Z]+: `) && has("\nreference ") // CSV and text
}
