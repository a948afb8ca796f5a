package formats

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
)

// read is what readers of JUnit XML take from it.
type read struct {
	Counts
	Suites []struct {
		Name string `xml:"name,attr"`
		Counts
		Cases []struct {
			Name      string   `xml:"name,attr"`
			ClassName string   `xml:"classname,attr"`
			Failure   []string `xml:"failure"`
			Error     []string `xml:"error"`
			Skipped   []string `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// Counts are the numbers of a suite, or of all.
type Counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// TestCountsAndResults: every count is that of the cases, a case has one result at most, names are
// never empty, and the worst result is the exit status.
func TestCountsAndResults(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r, err := saved.Read(archive.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, failOn := range []finding.FailOn{{"drift", "missing"}, {"extra"}, {"none"}, {"absent"}} {
		for _, runs := range [][]*finding.Run{r.Runs, r.Runs[1:2]} {
			one := finding.Report{FailOn: failOn, Runs: runs}
			one.Conclude()
			var out bytes.Buffer
			if err := JUnit(&out, &one); err != nil {
				t.Fatal(err)
			}
			for _, raw := range []string{"\x1b", "\u202e", "]]>", "\x00"} {
				if strings.Contains(out.String(), raw) {
					t.Errorf("%q is in it", raw)
				}
			}
			var got read
			if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("%s in\n%s", err, out.String())
			}
			var sum Counts
			for _, s := range got.Suites {
				var n Counts
				for _, c := range s.Cases {
					n.Tests++
					n.Failures += len(c.Failure)
					n.Errors += len(c.Error)
					n.Skipped += len(c.Skipped)
					if len(c.Failure)+len(c.Error)+len(c.Skipped) > 1 || c.Name == "" || c.ClassName == "" ||
						s.Name == "" {
						t.Errorf("a case of %q is %+v", s.Name, c)
					}
				}
				if n != s.Counts {
					t.Errorf("%s says %+v and has %+v", s.Name, s.Counts, n)
				}
				sum = Counts{
					sum.Tests + n.Tests,
					sum.Failures + n.Failures,
					sum.Errors + n.Errors,
					sum.Skipped + n.Skipped,
				}
			}
			if sum != got.Counts {
				t.Errorf("all say %+v and are %+v", got.Counts, sum)
			}
			status := min(sum.Failures, 1)
			if sum.Errors > 0 {
				status = 2
			}
			if status != one.ExitStatus {
				t.Errorf(
					"%v: the cases come to %d, and the exit status is %d:\n%s",
					failOn,
					status,
					one.ExitStatus,
					fmt.Sprintf("%+v", got),
				)
			}
		}
	}
}
