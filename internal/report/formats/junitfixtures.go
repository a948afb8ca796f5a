package formats

import (
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/author/fixture"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
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
		effects := map[fixture.State]finding.Effect{fixture.Failed: finding.Breaks, fixture.Differing: finding.Fails}
		s.close(one, effects[f.State], string(f.State), lines, strings.Join(lines, "\n"))
	}
	return encodeXML(w, s)
}
