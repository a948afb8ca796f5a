package probe

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
)

// Sources finds the fields that parts print as they are.
type Sources struct {
	simple   *regexp.Regexp // of a pipeline that prints a field
	readings map[line][]reading
}

// line is a line of a file.
type line struct {
	file string
	line int
}

// reading is a place where a template reads a field of the CR.
type reading struct {
	at   refconfig.Place
	path refconfig.FieldPath
}

// Sources returns the places where the template reads fields, outside of named templates.
func (p *Probed) Sources() *Sources {
	s := &Sources{
		simple:   regexp.MustCompile(`^\$?(\.[A-Za-z_]\w*)+( \| (quote|default ("[^"]*"|\S+)))*$`),
		readings: map[line][]reading{},
	}
	for _, f := range p.Fields {
		path, err := refconfig.ParseFieldPath(f.Path)
		for _, u := range f.Uses {
			if err == nil && len(u.Via) == 0 {
				at := u.Place()
				s.readings[line{at.File, at.Line}] = append(s.readings[line{at.File, at.Line}], reading{at, path})
			}
		}
	}
	return s
}

// Of returns the field that a part prints as it is, or with a default or quotes; nil for none.
func (s *Sources) Of(p *Part) (found refconfig.FieldPath) {
	if p.Item || p.Fixed || len(p.Below) > 0 || !s.simple.MatchString(p.Pipeline()) {
		return nil
	}
	for _, r := range s.readings[line{p.ValueAt.File, p.ValueAt.Line}] {
		if r.at.Column < p.ValueAt.Column {
			continue
		}
		if found != nil {
			return nil // the line reads several
		}
		found = r.path
	}
	return found
}

// Pipeline returns the pipeline of a value that is one action, also in quotes; "" for others.
func (p *Part) Pipeline() string {
	if p.Pipe != "" {
		return p.Pipe
	}
	text, _ := p.Value.(string)
	inside, begins := strings.CutPrefix(strings.Trim(text, `"`), "{{ ")
	inside, ends := strings.CutSuffix(inside, " }}")
	if !begins || !ends || strings.Contains(inside, "}}") {
		return ""
	}
	return inside
}
