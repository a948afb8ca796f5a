package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// habits reports habits of other template languages, which have no effect or another effect here.
func (s *subject) habits() {
	s.dashes()
	if s.Literal {
		return
	}
	for _, c := range s.Calls() {
		s.reversed(c)
		s.format(c)
		s.unlike(c)
		s.early(c)
		if !c.Is("default") || len(c.Args) == 0 {
			continue
		}
		// a literal in place of the value is always the result
		last := c.Args[len(c.Args)-1]
		if value, _ := template.Constant(last); !function.Empty(value) {
			s.warn(code.RefDefaultReversed, c.Place, "{{%s}} always prints %s; write the default first and the value last", c.Pipe, last)
		}
	}
	known := map[refconfig.Place]bool{}
	for _, f := range s.asked.Fields {
		path, err := refconfig.ParseFieldPath(f.Path)
		if err != nil || !slices.Contains(helmKeys(), path[0].Key) || s.root.Find(path[:1]) != nil {
			continue
		}
		for _, use := range f.Uses {
			if !known[use.Place()] {
				known[use.Place()] = true
				s.warn(code.RefHelm, use.Place(), ".%s belongs to Helm; here the dot is the CR, so read one of its fields, such as .spec.%s", path[0].Key, strings.ToLower(path[len(path)-1].Key))
			}
		}
	}
	s.singleBraces()
}

// helmKeys returns the keys of the objects that Helm passes to templates.
func helmKeys() []string {
	return []string{"Capabilities", "Chart", "Files", "Release", "Subcharts", "Template", "Values"}
}

// singleBraces reports fields of the CR in single braces, which YAML reads as a map.
func (s *subject) singleBraces() {
	field := regexp.MustCompile(`^\.[A-Za-z_][\w.]*\s*(?:\|.*)?$`)
	s.root.Each(nil, func(_ refconfig.FieldPath, p *probe.Part) {
		if p.Flow && len(p.Below) == 1 && p.Below[0].Bare && field.MatchString(p.Below[0].Key) {
			braced := "{ " + p.Below[0].Key + " }"
			s.warn(code.RefSingleBraces, p.ValueAt, "%s is a YAML map, not an action; write {%s}%s",
				braced, braced, code.Meant{Word: braced, Instead: "{" + braced + "}"})
		}
	})
}

// reversed reports calls that search in a literal for a value of the CR: the arguments are in the
// wrong order.
func (l *linter) reversed(c template.Call) {
	if !c.Is("hasPrefix", "hasSuffix", "contains", "trimPrefix", "trimSuffix", "regexMatch", "regexFind", "splitList") ||
		len(c.Args) != 2 {
		return
	}
	_, isLiteral := template.Constant(c.Args[0])
	text, _ := template.Constant(c.Args[1])
	if _, isText := text.(string); isText && !isLiteral {
		l.warn(code.RefReversed, c.Place, "%s takes the text to search in last, and this is the literal %s; exchange the arguments",
			c.Function.Name, c.Args[1])
	}
}

// format reports a call of printf with more or fewer verbs than values.
func (l *linter) format(c template.Call) {
	if !c.Is("printf") || len(c.Args) == 0 {
		return
	}
	value, _ := template.Constant(c.Args[0])
	text, isText := value.(string)
	verbs := regexp.MustCompile(`%[-+# 0]*(?:\d+|(\*))?(?:\.(?:\d+|(\*))?)?(.)`).FindAllStringSubmatch(text, -1)
	need := 0
	for _, m := range verbs {
		if m[3] == "[" {
			return // the values are numbered
		}
		if m[3] != "%" {
			need += 1 + len(m[1]) + len(m[2])
		}
	}
	if have := len(c.Args) - 1; isText && have != need {
		l.warn(code.RefArguments, c.Place, "the text of printf has %s, and the call has %s",
			finding.Plural(need, "verb", "verbs"), finding.Plural(have, "value", "values"))
	}
}

// early reports an indentation whose result another function quotes or writes as YAML.
func (l *linter) early(c template.Call) {
	if by := c.Indented(); by != "" && c.Is("quote", "toYaml", "toJson") {
		l.warn(code.RefStray, c.Place, "%s gets text that is indented already; write %s as the last function",
			c.Function.Name, by)
	}
}

// unlike reports a comparison of a number with a text, which fails for every CR.
func (l *linter) unlike(c template.Call) {
	if c.Is("eq", "ne", "lt", "le", "gt", "ge") && c.HasUnlike() {
		l.warn(code.RefArguments, c.Place, "%s compares a number with a text", c.Function.Name)
	}
}

// dashes reports a line of dashes that was probably meant to separate documents.
func (s *subject) dashes() {
	for i, line := range strings.Split(string(s.Ref.Source), "\n") {
		if line == "--" || line == "----" {
			at := refconfig.Place{File: s.Ref.File, Line: i + 1 + s.Ref.LinesBefore}
			s.warn(code.RefStray, at, "%s is text; a document begins with ---%s", line, code.Meant{Word: line, Instead: "---"})
		}
	}
}
