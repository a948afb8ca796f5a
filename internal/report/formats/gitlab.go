package formats

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
)

// gitlabIssue is an issue of a code quality report:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // GitLab compares it to find new issues
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// gitlabVerdict returns the severity of a verdict, by the exit status of its run.
func gitlabVerdict(status int) string { return []string{"info", "major", "blocker"}[status] }

// GitLab writes a report as a code quality report of GitLab: an issue for the verdict on each
// cluster, for each alarm and for each finding. A blocker is a reason why a run is incomplete, a
// major issue makes it fail, a minor one is any other warning, and information is extra content or
// a note. Names of files are relative to folder, unless that is "".
func GitLab(w io.Writer, r *finding.Report, folder string) error {
	issues := []gitlabIssue{}
	for _, run := range r.Runs {
		add := func(description, check, fingerprint, severity string, at finding.Source) {
			if at.Entry != "" || at.Wrapper != "" {
				description += "\n" + at.String()
			}
			if at.Entry != "" {
				at.Line = 0 // the line is one of the entry, not of the archive
			}
			if len(r.Runs) > 1 {
				description = run.Name() + ": " + description
			}
			id := fingerprint + gitlabCluster(run)
			issues = append(issues, newGitLabIssue(description, check, id, severity, folder, at.File, at.Line))
		}
		whole := located(r, run, finding.Finding{})
		status := run.ExitStatus(r.FailOn)
		add(run.Sentence(r.FailOn), "verdict", "verdict", gitlabVerdict(status), whole)
		for i, alarm := range run.Alarms {
			add(alarm.String(), string(alarm.Code), fmt.Sprintf("alarm-%s-%d", alarm.Code, i), "minor", whole)
		}
		for f := range run.Findings(r.FailOn, nil) {
			severity := []string{"info", "minor", "major"}[f.Level()]
			if f.Effect == finding.Breaks {
				severity = gitlabVerdict(2)
			}
			at := located(r, run, f)
			f.Source = finding.Source{}
			add(strings.TrimPrefix(f.Object.Stated()+": "+githubText(r, f), ": "), ruleID(f), f.Fingerprint, severity, at)
		}
	}
	return encodeGitLab(w, issues)
}

// gitlabCluster returns what follows a fingerprint, because clusters can have the same findings: a dot and
// the start of a hash of the cluster's name; "" for an unknown cluster. It does not depend on the other
// clusters of the report.
func gitlabCluster(run *finding.Run) string {
	name := cmp.Or(run.Cluster.Name, run.Cluster.ID)
	if name == "" {
		return ""
	}
	return fmt.Sprintf(".%.4x", sha256.Sum256([]byte(name)))
}

// GitLabLint writes the problems of a reference in the same way.
func GitLabLint(w io.Writer, d *lint.Document, folder string) error {
	at := path.Join(filepath.ToSlash(d.Name()), "metadata.yaml")
	issues := []gitlabIssue{
		newGitLabIssue(d.Sentence(), "verdict", "verdict", gitlabVerdict(d.ExitStatus), folder, at, 0),
	}
	severity := map[string]string{"error": "major", "warning": "minor"}
	for _, f := range d.New() {
		text := f.Message
		if f.Entry != "" {
			text += "\n" + f.Place.String()
			f.Line = 0
		}
		id := fmt.Sprintf("%x", sha256.Sum256([]byte(f.File+"\n"+f.Entry+"\n"+string(f.Code)+"\n"+f.Message)))
		severity := cmp.Or(severity[string(f.Severity)], "info")
		issues = append(issues, newGitLabIssue(text, string(f.Code), id, severity, folder, cmp.Or(f.File, at), f.Line))
	}
	return encodeGitLab(w, issues)
}

// newGitLabIssue returns an issue at a line of a file; line is 0 if it is unknown.
func newGitLabIssue(description, check, fingerprint, severity, folder, file string, line int) gitlabIssue {
	return gitlabIssue{
		Description: escape.Line(strings.ReplaceAll(description, "\n", "; ")), CheckName: check,
		Fingerprint: fingerprint, Severity: severity,
		Location: gitlabLocation{
			escape.Line(filepath.ToSlash(places.Relative(folder, file))), gitlabLines{max(line, 1)},
		},
	}
}

// encodeGitLab writes issues. A repeated fingerprint gets a number, because GitLab drops issues
// with the same fingerprint.
func encodeGitLab(w io.Writer, issues []gitlabIssue) error {
	seen := map[string]int{}
	for i := range issues {
		id := &issues[i].Fingerprint
		if seen[*id]++; seen[*id] > 1 {
			*id += fmt.Sprintf(".%d", seen[*id])
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(issues)
}
