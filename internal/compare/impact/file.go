// Package impact rates findings by rules of the user's organisation. It reads files of rules, and
// adds ratings to the findings of a run. The rules are separate from the reference and do not
// change the verdict. The package compares nothing.
package impact

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
	"github.com/validationtool/validationtool/refconfig"
)

// Rules are impact rules in order: the first one that matches a finding is used.
type Rules struct {
	rules    []rule
	fallback finding.Impact // the rating of findings that no rule matches; "" for Review
}

// rule gives a rating to the findings that its conditions match. A zero condition matches
// everything.
type rule struct {
	finding.Rating
	template  string // path of the template, or glob
	component string // COMPONENT or PART/COMPONENT, or glob
	cr        *finding.Selector
	path      refconfig.FieldPath // path of the field, or of a parent of it
	category  string
	code      code.Code
	versions  *versions // versions of the cluster
}

// Limits of a file, far above what a person writes. Texts have a limit because every finding
// repeats those of its rule.
const (
	mostRules   = 1_000
	longestText = 4_000 // bytes of a comment or a link
)

// Parse reads a file of impact rules: a mapping with default and rules. name is the name of the
// file in messages, and aliases limits the values that YAML aliases repeat. Errors and warnings are
// sorted by location.
func Parse(name string, text []byte, aliases int) (rules Rules, warnings, faults []refconfig.Problem) {
	f := file{name: name}
	f.Reader = userfile.Reader{Limit: aliases, Fault: f.note(&faults), Warn: f.note(&warnings),
		Codes: userfile.OneCode(code.ImpactBroken)}
	rules = f.read(text)
	for _, list := range [][]refconfig.Problem{warnings, faults} {
		slices.SortStableFunc(list, func(a, b refconfig.Problem) int { return a.Place.Compare(b.Place) })
	}
	return rules, warnings, faults
}

// And returns these rules followed by others. If both have a default, the first one is used.
func (r Rules) And(more Rules) Rules {
	return Rules{slices.Concat(r.rules, more.rules), cmp.Or(r.fallback, more.fallback)}
}

// file is a file of impact rules while it is read.
type file struct {
	userfile.Reader
	name string
}

// note returns a function that appends problems to a list.
func (f *file) note(list *[]refconfig.Problem) func(string, int, int, string, ...any) {
	return func(c string, line, column int, format string, args ...any) {
		*list = append(*list, refconfig.Place{File: f.name, Line: line, Column: column}.Problem(c, format, args...))
	}
}

// fault adds an error at a node.
func (f *file) fault(n *kubeyaml.Node, format string, args ...any) {
	f.Fault(code.ImpactBroken, n.Line, n.Column, format, args...)
}

func (f *file) read(text []byte) Rules {
	var all Rules
	root, ok := f.Parse(text)
	if !ok {
		return all
	}
	if root == nil {
		f.Fault(code.ImpactBroken, 0, 0, "the file is empty; it needs rules")
		return all
	}
	m, ok := f.Mapping(root, "a file of impact rules", []string{"default", "rules"})
	if !ok {
		return all
	}
	if n := m.Field("default"); n != nil {
		all.fallback = f.impact(n, "default")
	}
	list := f.List(m.Field("rules"), "rules")
	if len(list) == 0 && m.Field("default") == nil && len(m.Unknown) == 0 {
		f.fault(root, "the file has neither rules nor a default")
	}
	if len(list) > mostRules {
		f.fault(list[mostRules], "there are more than %d rules, the limit", mostRules)
		return all
	}
	for _, n := range list {
		all.rules = append(all.rules, f.rule(n))
	}
	return all
}

// conditions returns the keys that say which findings a rule matches.
func conditions() []string {
	return []string{"template", "component", "cr", "path", "category", "code", "clusterVersion"}
}

// rule reads one rule.
func (f *file) rule(n *kubeyaml.Node) (r rule) {
	m, ok := f.Mapping(
		n, "an impact rule", slices.Concat([]string{"impact"}, conditions(), []string{"comment", "link"}),
	)
	if !ok {
		return r
	}
	whole := len(m.Unknown) == 0 // an unknown key may be a misspelt one that seems to be missing
	if impact := m.Field("impact"); impact != nil {
		r.Impact = f.impact(impact, "impact")
	} else if whole {
		f.fault(m.Node, "the rule has no impact; it can be %s", code.Enumerate(impacts(), "or"))
	}
	if !slices.ContainsFunc(
		m.Fields, func(field userfile.Field) bool { return slices.Contains(conditions(), field.Key) },
	) &&
		whole {
		f.fault(
			m.Node,
			"the rule has no condition; add any of %s, or set default next to rules for all other findings",
			code.Enumerate(conditions(), "and"),
		)
	}
	for _, read := range []func(userfile.Mapping, *rule){f.places, f.path, f.category, f.code, f.versions, f.texts} {
		read(m, &r)
	}
	return r
}

// text reads a key whose value is text; ok is false if it is absent or invalid.
func (f *file) text(m userfile.Mapping, key string) (n *kubeyaml.Node, text string, ok bool) {
	field := m.Lookup(key)
	if field == nil {
		return nil, "", false
	}
	text, ok = f.Text(field.Node, key)
	if ok && strings.TrimSpace(text) == "" {
		f.fault(field.Node, "%s is empty; delete the key to match everything", key)
		return field.Node, "", false
	}
	return field.Node, text, ok
}

// places reads the conditions on the subject of a finding: template, component and cr.
func (f *file) places(m userfile.Mapping, r *rule) {
	for key, into := range map[string]*string{"template": &r.template, "component": &r.component} {
		n, text, ok := f.text(m, key)
		if _, err := path.Match(text, ""); ok && err != nil {
			f.fault(n, "%s is %q, which is not a valid glob: close the [, or put a backslash before it", key, text)
		}
		*into = text
	}
	if r.template != "" {
		r.template = path.Clean(r.template)
	}
	n, text, ok := f.text(m, "cr")
	if !ok {
		return
	}
	cr, err := finding.ParseSelector(text)
	if err != nil {
		f.fault(n, "cr is %q, which is not a selector: %s", text, err)
	}
	r.cr = &cr
}

func (f *file) path(m userfile.Mapping, r *rule) {
	n, text, ok := f.text(m, "path")
	if !ok {
		return
	}
	var err error
	if r.path, err = refconfig.ParseFieldPath(text); err != nil {
		f.fault(n, "path is %q, which is not a pathToKey: %s", text, err)
	}
}

// anyRule is the category of broken rules other than missing CRs.
const anyRule = "rule"

func (f *file) category(m userfile.Mapping, r *rule) {
	known := []string{
		string(finding.Drift), string(finding.Missing), string(finding.Invalid), string(finding.Extra), anyRule,
	}
	n, text, ok := f.text(m, "category")
	if ok && !slices.Contains(known, text) {
		f.fault(n, "category is %q; it can be %s%s", text, code.Enumerate(known, "or"), code.DidYouMean(text, known))
	}
	r.category = text
}

// code reads the code of a difference: one of the tool or of the reference.
func (f *file) code(m userfile.Mapping, r *rule) {
	n, text, ok := f.text(m, "code")
	if _, known := code.Lookup(text); ok && !known {
		if err := code.CheckOwn(text); err != nil {
			f.fault(n, "code: %s", err)
		}
	}
	r.code = text
}

func (f *file) versions(m userfile.Mapping, r *rule) {
	if field := m.Lookup("clusterVersion"); field != nil && field.Node.TypeName() == "a number" {
		f.fault(field.Node, "clusterVersion is a number, and YAML reads 4.10 as 4.1; quote it")
		return
	}
	n, text, ok := f.text(m, "clusterVersion")
	if !ok {
		return
	}
	var err error
	if r.versions, err = parseVersions(text); err != nil {
		f.fault(
			n,
			"clusterVersion is %q, which is not a version range; write for example \">=4.14 <4.16\", \"4.14.x\" or \"~4.14.3 || >=4.16\"",
			text,
		)
	}
}

// texts reads the texts of a rule that reports show: comment and link.
func (f *file) texts(m userfile.Mapping, r *rule) {
	for key, into := range map[string]*string{"comment": &r.Comment, "link": &r.Link} {
		n, text, ok := f.text(m, key)
		if ok && len(text) > longestText {
			f.fault(
				n, "%s has %d bytes, but may have %d, because every finding repeats it", key, len(text), longestText,
			)
		}
		*into = strings.TrimSpace(text)
	}
	scheme, rest, _ := strings.Cut(r.Link, "://")
	if r.Link != "" &&
		(scheme != "http" && scheme != "https" || rest == "" || strings.ContainsAny(rest, " \t\r\n\"'<>\\")) {
		f.fault(
			m.Field("link"),
			"link is %q; it must start with https:// or http:// and have no spaces or quotes",
			r.Link,
		)
	}
}

func impacts() []string {
	return []string{string(finding.Impacting), string(finding.NotImpacting), string(finding.Review)}
}

// impact reads the value of a key that is an impact.
func (f *file) impact(n *kubeyaml.Node, key string) finding.Impact {
	text, ok := f.Text(n, key)
	if ok && !slices.Contains(impacts(), text) {
		f.fault(
			n, "%s is %q; it can be %s%s", key, text, code.Enumerate(impacts(), "or"), code.DidYouMean(text, impacts()),
		)
	}
	return finding.Impact(text)
}
