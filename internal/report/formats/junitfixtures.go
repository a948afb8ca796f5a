package formats

import (
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/escape"
	"github.com/validationtool/validationtool/internal/fixture"
)

// JUnitFixtures writes the results of a reference's fixtures: a suite with a case for each fixture,
// or for each case of a fixture.
func JUnitFixtures(w io.Writer, d *fixture.Document) error {
	name := escape.Line(d.Reference.Path)
	s := &junitSuite{Name: name, junitCounts: junitCounts{Time: "0"}}
	for _, f := range d.Fixtures {
		of, _, _ := strings.Cut(f.Name, "/")
		one := &junitCase{Name: escape.Line(f.Name), Class: name + "/" + escape.Line(of), Time: "0"}
		var lines []string
		for _, line := range f.Lines() {
			lines = append(lines, escape.Line(line))
		}
		switch f.State {
		case fixture.Failed:
			s.Errors++
			one.Error = &junitResult{Message: firstLine(lines), Type: string(f.State), Text: strings.Join(lines, "\n")}
		case fixture.Differing:
			s.Failures++
			one.Failure = &junitResult{Message: firstLine(lines), Type: string(f.State), Text: strings.Join(lines, "\n")}
		}
		s.Tests++
		s.Cases = append(s.Cases, one)
	}
	return encodeXML(w, s)
}
