package refconfig

import (
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// String returns the name of the component in reports and for --component: "part/component".
func (c *Component) String() string {
	if c.Part == nil {
		return c.Name
	}
	return c.Part.Name + "/" + c.Name
}

// The keys of a v1 component that list its templates.
const (
	requiredTemplates = "requiredTemplates"
	optionalTemplates = "optionalTemplates"
)

// v1Keys returns the keys of a component that only v1 has; ruleKeys returns those of v2.
func v1Keys() []string { return []string{"type", requiredTemplates, optionalTemplates} }

// component reads an entry of components: name, description, and templates with their rules.
func (m *metadata) component(n *kubeyaml.Node, p *Part) {
	known, foreign := v1Keys(), ruleKeys()
	if m.ref.Format == V2 {
		known, foreign = foreign, known
	}
	fields, ok := m.Mapping(n, "a component", append([]string{"name", "description"}, known...), foreign...)
	if !ok {
		return
	}
	c := &Component{Part: p}
	c.Name, c.Description = m.named(n, fields, p)
	p.Components = append(p.Components, c)
	lists := m.templateLists(fields, c)
	if m.ref.Format == V2 {
		m.rule(c, n, fields, lists)
	} else {
		m.rulesOfType(c, n, fields, lists)
	}
}

// templateLists reads all lists of templates of a component, by their keys. The required ones of v1
// come before the optional ones: of templates that match equally well, the first is used.
func (m *metadata) templateLists(fields userfile.Mapping, c *Component) map[string][]*Template {
	lists := map[string][]*Template{}
	for _, key := range append(v1Keys(), ruleKeys()...) {
		f := fields.Lookup(key)
		m.otherVersion(f)
		if f == nil || key == "type" {
			continue
		}
		for _, n := range m.List(f.Node, key) {
			if t := m.template(n, c); t != nil {
				lists[key] = append(lists[key], t)
			}
		}
	}
	return lists
}

// rule adds the rule of a v2 component, which has exactly one of the six keys. A key with an empty
// list has no effect if another key lists templates.
func (m *metadata) rule(c *Component, n *kubeyaml.Node, fields userfile.Mapping, lists map[string][]*Template) {
	var rules, empty []userfile.Field
	for _, f := range fields.Fields {
		switch {
		case !isRule(f.Key):
		case isEmptyList(f.Node):
			empty = append(empty, f)
		default:
			rules = append(rules, f)
		}
	}
	if len(rules) == 0 {
		rules, empty = empty, nil
	}
	for _, f := range empty {
		m.warnAt(f.Name, code.RefNoEffect, "component %q: %s lists no template and has no effect, because %s does",
			c.Name, f.Key, rules[0].Key)
	}
	misspelt := func(f userfile.Field) bool { return code.Nearest(f.Key, ruleKeys()) != "" }
	switch {
	case len(rules) > 1:
		keys := among(rules, func(f userfile.Field) string { return f.Key })
		m.faultAt(rules[1].Name, code.RefManyRules, "component %q has %s; a component has exactly one rule",
			c.Name, code.Enumerate(keys, "and"))
	case len(rules) == 1:
		f := rules[0]
		if isEmptyList(f.Node) {
			m.faultAt(f.Name, code.RefNoRule, "component %q: %s lists no template", c.Name, f.Key)
		}
		c.addRule(RuleKind(f.Key), lists[f.Key], f.Name.Line)
	case fields.Lookup(requiredTemplates) == nil && fields.Lookup(optionalTemplates) == nil &&
		!slices.ContainsFunc(fields.Unknown, misspelt): // a v1 or misspelt key is reported already
		m.faultAt(n, code.RefNoRule, "component %q has no rule; it needs one of %s",
			c.Name, code.Enumerate(ruleKeys(), "and"))
	}
}

// rulesOfType adds the rules of a v1 component. A Required component must have all its required
// templates, an Optional one all or none; optional templates are never missing.
func (m *metadata) rulesOfType(c *Component, n *kubeyaml.Node, fields userfile.Mapping, lists map[string][]*Template) {
	add := func(kind RuleKind, key string) {
		if f := fields.Lookup(key); f != nil {
			c.addRule(kind, lists[key], f.Name.Line)
		}
	}
	switch m.componentType(c, n, fields) {
	case "Required":
		add(AllOf, requiredTemplates)
	case "Optional":
		add(AllOrNoneOf, requiredTemplates)
	default:
		return
	}
	add(AnyOf, optionalTemplates)
}

// componentType returns the type of a v1 component in the spelling of the format. It warns of any
// other value: then the templates are compared, but never reported as missing.
func (m *metadata) componentType(c *Component, n *kubeyaml.Node, fields userfile.Mapping) string {
	f := fields.Field("type")
	kind, ok := m.Text(f, "the type of a component")
	if !ok {
		return ""
	}
	if kind == "" {
		if !slices.ContainsFunc(fields.Fields, func(f userfile.Field) bool { return isRule(f.Key) }) {
			m.warnAt(n, code.RefNoType, "component %q has no type, so its templates are compared but never reported as missing; "+
				"add type: Required or type: Optional", c.Name)
		}
		return ""
	}
	known := []string{"Required", "Optional"}
	for _, k := range known {
		if strings.EqualFold(k, kind) {
			if k != kind {
				m.warnAt(f, code.RefKeyCase, "component %q: the type %q is read as %q; correct its letter case%s",
					c.Name, kind, k, code.Meant{Word: kind, Instead: k})
			}
			return k
		}
	}
	m.warnAt(f, code.RefComponentType, "component %q: the type %q is neither Required nor Optional, "+
		"so its templates are compared but never reported as missing%s", c.Name, kind, code.DidYouMean(kind, known))
	return ""
}

// addRule adds a rule of a line of the metadata file, unless it has no templates. A template that
// is listed more than once counts once.
func (c *Component) addRule(kind RuleKind, templates []*Template, line int) {
	listed := map[string]bool{}
	var distinct []*Template
	for _, t := range templates {
		if name := path.Clean(t.Path); !listed[name] {
			listed[name] = true
			distinct = append(distinct, t)
		}
	}
	if len(distinct) > 0 {
		c.Rules = append(c.Rules, Rule{Kind: kind, Templates: distinct, Line: line})
	}
}

// template reads an entry of a list of templates: path, description, config. It returns nil if the
// template cannot be read.
func (m *metadata) template(n *kubeyaml.Node, c *Component) *Template {
	if n.IsText() {
		m.faultAt(n, code.RefType, "a template's entry must be a mapping, not text; write \"- path: %s\"", n.Text)
		return nil
	}
	fields, ok := m.entry(n, "a template's entry", []string{"path", "description", "config"})
	if !ok {
		return nil
	}
	t := &Template{Part: c.Part, Component: c, Line: n.Line}
	own, _ := m.Text(fields.Field("description"), "the description of a template")
	for _, description := range []string{c.Part.Description, c.Description, own} { // the nearest one counts
		if strings.TrimSpace(description) != "" {
			t.Description = description
		}
	}
	t.Config = m.config(n, fields.Field("config"))
	at := fields.Field("path")
	t.Path, ok = m.Text(at, "the path of a template")
	if ok && strings.TrimSpace(t.Path) == "" {
		m.faultAt(n, code.RefNoPath, "component %q: a template's entry has no path", c.Name)
		ok = false
	}
	if !ok {
		return nil
	}
	m.noteRepeated(t, at)
	name, data, ok := m.load.open(t.Path, m.at(at), "the template", code.RefTemplateMissing)
	if !ok {
		return nil
	}
	t.File, t.Source = m.load.shown(name), data
	m.ref.Templates = append(m.ref.Templates, t)
	return t
}

// entry reads the mapping of a template's entry, or one below it. v2 tolerates unknown keys there.
func (m *metadata) entry(n *kubeyaml.Node, what string, known []string) (userfile.Mapping, bool) {
	if m.ref.Format != V2 {
		return m.Mapping(n, what, known)
	}
	fields, ok := m.KnownFields(n, what, known)
	for _, f := range fields.Unknown {
		inConfig := []string{"ignore-unspecified-fields", "fieldsToOmitRefs", "perField"}
		if slices.Contains(known, "config") && slices.Contains(inConfig, f.Key) {
			m.warnAt(f.Name, code.RefNoEffect, "the key %q in %s has no effect here; write it under config", f.Key, what)
			continue
		}
		m.NoEffect(f, what, known)
	}
	return fields, ok
}

// noteRepeated warns of a path that is listed already. In two components it may be intended,
// because each has its own rule.
func (m *metadata) noteRepeated(t *Template, at *kubeyaml.Node) {
	name := path.Clean(t.Path)
	first := m.first[name]
	if first == nil {
		m.first[name] = t
		return
	}
	counts := "; a CR counts for both"
	if !first.Config.Same(t.Config) {
		counts = ", with another config; a CR counts for both and is compared with the config that gives fewer differences"
	} else if first.Component == t.Component {
		m.warnAt(at, code.RefTemplateTwice, "component %q lists the template %q again; the first entry is in line %d",
			t.Component.Name, t.Path, first.Line)
		return
	}
	m.warnAt(at, code.RefTemplateTwice, "the template %q is also listed by component %q in line %d%s",
		t.Path, first.Component, first.Line, counts)
}
