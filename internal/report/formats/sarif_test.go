package formats

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestURIs: names of files are references that are seen from the folder, or URIs of files with
// three slashes, on Windows too.
func TestURIs(t *testing.T) {
	for _, c := range []struct {
		name     string
		absolute bool
		want     string
	}{
		{"in/a b.yaml", false, "in/a%20b.yaml"},
		{"a:b.yaml", false, "./a:b.yaml"},
		{"../in/a.yaml", false, "../in/a.yaml"},
		{"/tmp/a#1.yaml", true, "file:///tmp/a%231.yaml"},
		{"C:/Users/me/a.yaml", true, "file:///C:/Users/me/a.yaml"},
		{"//server/share/a.yaml", true, "file:////server/share/a.yaml"},
	} {
		if got := uri(c.name, c.absolute); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

// TestResultsAreCapped: of many findings 5,000 are results, and all are counted.
func TestResultsAreCapped(t *testing.T) {
	var out bytes.Buffer
	c := &finding.Comparison{Differences: make([]finding.Difference, 6000)}
	for i := range c.Differences {
		c.Differences[i].Category = finding.Drift
	}
	c.Result = finding.Drifted
	r := &finding.Report{Runs: []*finding.Run{{Comparisons: []*finding.Comparison{c}, Inputs: []finding.Input{{Path: "in"}}}}}
	if err := SARIF(&out, r, ""); err != nil {
		t.Fatal(err)
	}
	var got sarifLog
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if r := got.Runs[0]; len(r.Results) != 5000 || r.Properties.Findings != 6000 {
		t.Errorf("%d results of %d findings, want 5000 of 6000", len(r.Results), r.Properties.Findings)
	}
}
