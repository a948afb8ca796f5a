package junit

import (
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/fixture"
	"github.com/validationtool/validationtool/internal/visible"
)

// Fixtures writes what came of the fixtures of a reference: a suite, with a case for each fixture or
// case of one.
func Fixtures(w io.Writer, d *fixture.Document) error {
	name := visible.Line(d.Reference.Path)
	s := &suite{Name: name, counts: counts{Time: "0"}}
	for _, f := range d.Fixtures {
		of, _, _ := strings.Cut(f.Name, "/")
		one := &testCase{Name: visible.Line(f.Name), Class: name + "/" + visible.Line(of), Time: "0"}
		var lines []string
		for _, line := range f.Lines() {
			lines = append(lines, visible.Line(line))
		}
		switch f.State {
		case fixture.Failed:
			s.Errors++
			one.Error = &result{Message: first(lines), Type: string(f.State), Text: strings.Join(lines, "\n")}
		case fixture.Differing:
			s.Failures++
			one.Failure = &result{Message: first(lines), Type: string(f.State), Text: strings.Join(lines, "\n")}
		}
		s.Tests++
		s.Cases = append(s.Cases, one)
	}
	return encode(w, s)
}
