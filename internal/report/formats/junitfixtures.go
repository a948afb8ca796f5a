package formats

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/author/fixture"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// JUnitFixtures writes the results of a reference's fixtures: a suite with a case for each fixture,
// or for each case of a fixture. What no fixture checks is the output of the suite.
func JUnitFixtures(w io.Writer, d *fixture.Document) error {
	name := escape.Line(d.Reference.Path)
	s := &junitSuite{Name: name}
	var took time.Duration
	for _, f := range d.Fixtures {
		of, _, _ := strings.Cut(f.Name, "/")
		one := &junitCase{Name: escape.Line(f.Name), Class: name + "/" + escape.Line(of), Time: seconds(f.Took)}
		took += f.Took
		effects := map[fixture.State]finding.Effect{fixture.Failed: finding.Breaks, fixture.Differing: finding.Fails}
		lines := escapedLines(f.Lines())
		s.close(one, effects[f.State], string(f.State), lines, strings.Join(lines, "\n"))
	}
	if s.Time = seconds(took); d.Mutations != nil {
		s.Out = strings.Join(escapedLines(d.Mutations.Lines()), "\n")
	}
	return encodeXML(w, s.Time, s)
}

func escapedLines(lines []string) (all []string) {
	for _, line := range lines {
		all = append(all, escape.Line(line))
	}
	return all
}

// seconds returns a time as the format has it.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
