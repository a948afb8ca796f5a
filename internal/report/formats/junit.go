package formats

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/template/remark"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Properties *junitProperties `xml:"properties,omitempty"`
	Cases      []*junitCase     `xml:"testcase"`
	Out        string           `xml:"system-out,omitempty"`

	places places.Names
}

type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

type junitProperties struct {
	All []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure,omitempty"`
	Error   *junitResult `xml:"error,omitempty"`
	Skipped *junitResult `xml:"skipped,omitempty"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"` // the schema has no type for skipped cases
	Text    string `xml:",chardata"`
}

// JUnit writes a report as JUnit XML, for the test reports of CI systems. A suite is a component of
// the reference, of one cluster; a case is a CR, a missing CR or a broken rule.
//
// The format has no specification. The output follows the schema of the Jenkins xUnit plugin
// (junit-10.xsd), and fits programs that read Ant's reports: it has all counts and they are right,
// a case has at most one result, and times are numbers. Times are 0, so that the same input gives
// the same report. If a case has an error, the exit status is 2; else if one has a failure, it is
// 1.
func JUnit(w io.Writer, r *finding.Report) error {
	var all junitSuites
	for _, run := range r.Runs {
		all.Suites = append(all.Suites, suitesOf(run, r.FailOn)...)
	}
	for _, own := range r.Codes {
		e, _ := remark.Entry(r, own.Code)
		for _, text := range []string{e.Title, e.Cause, e.Do} {
			if text != "" {
				to := all.Suites[0].Properties
				to.All = append(to.All, junitProperty{e.Code, text})
			}
		}
	}
	return encodeXML(w, noTime, all.Suites...)
}

// noTime is the time of what is not measured.
const noTime = "0"

// encodeXML writes suites with their totals; took is the number of seconds.
func encodeXML(w io.Writer, took string, list ...*junitSuite) error {
	all := junitSuites{Name: finding.ToolName, junitCounts: junitCounts{Time: took}, Suites: list}
	for _, s := range list {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures,
			all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suitesOf returns the suites of a cluster: one for its input, with the verdict, and one for each
// component with findings.
func suitesOf(run *finding.Run, failOn finding.FailOn) []*junitSuite {
	name := escape.Line(run.Name())
	input := &junitSuite{
		Name: name,
		Properties: &junitProperties{
			[]junitProperty{{"verdict", string(run.Summary.Verdict)}, {"sentence", escape.Line(run.Sentence(failOn))}},
		},
		junitCounts: junitCounts{Time: noTime},
		places:      places.Of(run.Inputs),
	}
	for _, a := range run.Alarms {
		input.Properties.All = append(input.Properties.All, junitProperty{"alarm", escape.Line(a.String())})
	}
	input.add("input", "")
	list, byName := []*junitSuite{input}, map[string]*junitSuite{"": input}
	of := func(t finding.Template) *junitSuite {
		component := t.ComponentName()
		s := byName[component]
		if s == nil {
			s = &junitSuite{
				Name:        name + ": " + escape.Line(component),
				junitCounts: junitCounts{Time: noTime},
				places:      input.places,
			}
			byName[component] = s
			list = append(list, s)
		}
		return s
	}
	byTemplate := slices.Clone(run.Comparisons)
	slices.SortStableFunc(byTemplate, func(a, b *finding.Comparison) int { return a.Template.Index - b.Template.Index })
	for _, c := range byTemplate {
		of(c.Template).add(c.Object.String(), c.Template.Path, append(c.Findings(failOn), c.Noted()...)...)
	}
	for _, one := range run.Referenced {
		if !failOn.Has(finding.FailOnReferenced) { // else it is a finding
			input.Skipped++
			input.close(&junitCase{
				Name:    escape.Line(one.Template),
				Class:   escape.Line(input.Name),
				Time:    noTime,
				Skipped: &junitResult{Message: "not compared: " + escape.Line(one.By.String()+" "+one.Words())},
			}, finding.Informs, "", nil, "")
		}
	}
	for f := range run.Findings(failOn, finding.Class.IsBesideCRs) {
		name := strings.TrimSpace(f.Rule + " " + f.Object.Stated())
		of(f.Template).add(cmp.Or(name, input.places.Short(f.Source.String()), string(f.Class)), f.Template.Path, f)
	}
	return list
}

// add adds a case with its findings.
func (s *junitSuite) add(name, class string, found ...finding.Finding) {
	one := &junitCase{Name: escape.Line(name), Class: escape.Line(cmp.Or(class, s.Name)), Time: noTime}
	slices.SortStableFunc(found, func(a, b finding.Finding) int { return int(b.Effect - a.Effect) })
	var lines []string
	text := ""
	for _, f := range found {
		line := f.Words
		if f.Impact != "" {
			line += " [" + f.Rating.Words() + "]"
		}
		if f.Change != "" {
			line += " [" + string(f.Change) + "]"
		}
		if f.Source.File != "" {
			line += " at " + s.places.Short(f.Source.String())
		}
		lines = append(lines, escape.Line(string(f.Class)+": "+line))
		text += lines[len(lines)-1] + " [" + f.Fingerprint + "]\n"
	}
	worst := append(found, finding.Finding{})[0]
	isOpen := worst.Class == finding.ClassNotCollected || worst.Class == finding.ClassPerhapsBroken
	if len(found) == 1 && isOpen && worst.Effect == finding.Informs {
		s.Skipped++
		one.Skipped = &junitResult{Message: lines[0]}
		text = ""
	}
	s.close(one, worst.Effect, string(worst.Class), lines, strings.TrimSuffix(text, "\n"))
}

// close adds a case with the result that the lines describe, as does the text.
func (s *junitSuite) close(one *junitCase, worst finding.Effect, kind string, lines []string, text string) {
	switch worst {
	case finding.Breaks:
		s.Errors++
		one.Error = &junitResult{Message: firstLine(lines), Type: kind, Text: text}
	case finding.Fails:
		s.Failures++
		one.Failure = &junitResult{Message: firstLine(lines), Type: kind, Text: text}
	default:
		one.Out = text
	}
	s.Tests++
	s.Cases = append(s.Cases, one)
}

// firstLine returns the first line with the number of further lines.
func firstLine(lines []string) string {
	if more := len(lines) - 1; more > 0 {
		return fmt.Sprintf("%s (+%d)", lines[0], more)
	}
	return lines[0]
}
