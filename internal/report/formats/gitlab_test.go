package formats

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/refconfig"
)

// TestIssuesAreWhereGitLabLooks: each has a path, a line of a file and not of an entry of it, and a
// fingerprint that none other has, also where clusters have the same findings.
func TestIssuesAreWhereGitLabLooks(t *testing.T) {
	r := found(3)
	r.Runs = append(r.Runs, r.Runs[0])
	var reports [2]bytes.Buffer
	if err := GitLab(&reports[0], r, ""); err != nil {
		t.Fatal(err)
	}
	flaw := lint.Flaw{Severity: "error", Problem: refconfig.Place{File: "/w/ref/a.yaml", Line: 7}.Problem("VT2001", "m")}
	if err := GitLabLint(&reports[1], &lint.Document{Flaws: []lint.Flaw{flaw, flaw}, ExitStatus: 1}, "/w"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[string]int{
		{"in put/a#1.yaml": 4, "/tmp/x.tar.gz": 1},
		{"ref/a.yaml": 7},
	} {
		var issues []gitlabIssue
		if err := json.Unmarshal(reports[i].Bytes(), &issues); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, one := range issues {
			if line, known := want[one.Location.Path]; known && one.CheckName != "verdict" && one.Location.Lines.Begin != line {
				t.Errorf("%s, want line %d: %+v", one.Location.Path, line, one)
			}
			if one.Location.Lines.Begin < 1 || one.Location.Path == "" || seen[one.Fingerprint] {
				t.Errorf("GitLab refuses %+v", one)
			}
			seen[one.Fingerprint] = true
		}
		if len(issues) < 3 {
			t.Errorf("%d issues", len(issues))
		}
	}
}
