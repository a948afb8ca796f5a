package refconfig

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
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

// componentKeys returns the keys that a component can have in a format, and those of the other
// format, which are reported as such and not as unknown.
func componentKeys(format Format) (known, foreign []string) {
	v1 := []string{"type", requiredTemplates, optionalTemplates}
	known = []string{"name", "description"}
	if format == V2 {
		return append(known, ruleKeys()...), v1
	}
	return append(known, v1...), ruleKeys()
}

// component reads an entry of components: name, description, and templates with their rules.
func (m *metadata) component(n *kubeyaml.Node, p *Part) {
	known, foreign := componentKeys(m.ref.Format)
	fields, ok := m.Mapping(n, "a component", known, foreign...)
	if !ok {
		return
	}
	c := &Component{Part: p}
	c.Name, ok = m.Text(fields.Field("name"), "the name of a component")
	c.Description, _ = m.Text(fields.Field("description"), "the description of a component")
	if ok {
		m.componentName(c, n, fields)
	}
	p.Components = append(p.Components, c)
	lists := m.templateLists(fields, c)
	if m.ref.Format == V2 {
		m.rules(c, n, fields, lists)
	} else {
		m.rulesOfType(c, n, fields, lists)
	}
}

// componentName warns of a component without a name, and of a second component with the same part
// and name. Reports cannot distinguish the two, but each keeps its own rule.
func (m *metadata) componentName(c *Component, n *kubeyaml.Node, fields kubeyaml.Mapping) {
	key := [2]string{c.Part.Name, c.Name}
	switch {
	case c.Name == "":
		m.warn(code.RefNoName, m.at(n), "a component of part %q has no name; reports show it as \"\"", c.Part.Name)
	case m.names[key]:
		m.warn(
			code.RefDuplicateName,
			m.at(fields.Field("name")),
			"part %q has two components named %q; reports cannot distinguish them",
			c.Part.Name,
			c.Name,
		)
	}
	m.names[key] = true
}

// templateLists reads all lists of templates of a component in the order of the file, except that
// the required ones of v1 come before the optional ones: of templates that match equally well, the
// first is used.
func (m *metadata) templateLists(fields kubeyaml.Mapping, c *Component) map[string][]*Template {
	lists := map[string][]*Template{}
	optional := func(f kubeyaml.Field) bool { return f.Key == optionalTemplates }
	sorted := slices.DeleteFunc(slices.Clone(fields.Fields), optional)
	if i := slices.IndexFunc(fields.Fields, optional); i >= 0 {
		sorted = append(sorted, fields.Fields[i])
	}
	for _, f := range sorted {
		switch f.Key {
		case "name", "description":
			continue
		case "type", requiredTemplates, optionalTemplates:
			m.otherVersion(&f, V1)
		default:
			m.otherVersion(&f, V2)
		}
		if f.Key != "type" {
			for _, n := range m.List(f.Node, f.Key) {
				if t := m.template(n, c); t != nil {
					lists[f.Key] = append(lists[f.Key], t)
				}
			}
		}
	}
	return lists
}

// rules adds the rule of a v2 component, which has exactly one of the six keys. Keys with an empty
// list have no effect next to one that lists templates.
func (m *metadata) rules(c *Component, n *kubeyaml.Node, fields kubeyaml.Mapping, lists map[string][]*Template) {
	var full, empty []kubeyaml.Field
	for _, f := range fields.Fields {
		switch {
		case !isRule(f.Key):
		case isEmptyList(f.Node):
			empty = append(empty, f)
		default:
			full = append(full, f)
		}
	}
	given := cmp.Or(len(full), len(empty))
	if len(full) > 0 {
		for _, f := range empty {
			m.warn(
				code.RefNoEffect,
				m.at(f.Name),
				"component %q: %s lists no template and has no effect, because %s does",
				c.Name,
				f.Key,
				full[0].Key,
			)
		}
	}
	switch rules := append(full, empty...); {
	case given == 1:
		if len(full) == 0 {
			m.fault(code.RefNoRule, m.at(rules[0].Name), "component %q: %s lists no template", c.Name, rules[0].Key)
		}
		c.addRule(RuleKind(rules[0].Key), lists[rules[0].Key], rules[0].Name.Line)
	case given > 1:
		keys := among(rules[:given], func(f kubeyaml.Field) string { return f.Key })
		m.fault(
			code.RefManyRules,
			m.at(rules[1].Name),
			"component %q has %s; a component has exactly one rule",
			c.Name,
			code.Enumerate(keys, "and"),
		)
	// otherwise the reason is reported already
	case fields.Lookup(requiredTemplates) == nil && fields.Lookup(optionalTemplates) == nil &&
		!misspelt(fields.Unknown):
		m.fault(
			code.RefNoRule,
			m.at(n),
			"component %q has no rule; it needs one of %s",
			c.Name,
			code.Enumerate(ruleKeys(), "and"),
		)
	}
}

// misspelt reports whether an unknown key is probably a misspelt rule.
func misspelt(unknown []kubeyaml.Field) bool {
	return slices.ContainsFunc(unknown, func(f kubeyaml.Field) bool { return code.Nearest(f.Key, ruleKeys()) != "" })
}

// rulesOfType adds the rules of a v1 component. A Required component must have all its required
// templates, an Optional one all or none; optional templates are never missing.
func (m *metadata) rulesOfType(c *Component, n *kubeyaml.Node, fields kubeyaml.Mapping, lists map[string][]*Template) {
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
func (m *metadata) componentType(c *Component, n *kubeyaml.Node, fields kubeyaml.Mapping) string {
	known := []string{"Required", "Optional"}
	f := fields.Field("type")
	kind, ok := m.Text(f, "the type of a component")
	if !ok {
		return ""
	}
	if kind == "" {
		if v2 := slices.ContainsFunc(fields.Fields, func(f kubeyaml.Field) bool { return isRule(f.Key) }); !v2 {
			m.warn(
				code.RefNoType,
				m.at(n),
				"component %q has no type, so its templates are compared but never reported as missing; add type: Required or type: Optional",
				c.Name,
			)
		}
		return ""
	}
	for _, k := range known {
		if k == kind {
			return k
		}
		if strings.EqualFold(k, kind) {
			m.warn(
				code.RefKeyCase,
				m.at(f),
				"component %q: the type %q is read as %q; correct its letter case",
				c.Name,
				kind,
				k,
			)
			return k
		}
	}
	m.warn(
		code.RefComponentType,
		m.at(f),
		"component %q: the type %q is neither Required nor Optional, so its templates are compared but never reported as missing%s",
		c.Name,
		kind,
		code.DidYouMean(kind, known),
	)
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
		m.fault(code.RefType, m.at(n), "a template's entry must be a mapping, not text; write \"- path: %s\"", n.Text)
		return nil
	}
	fields, ok := m.entry(n, "a template's entry", []string{"path", "description", "config"})
	if !ok {
		return nil
	}
	t := &Template{Part: c.Part, Component: c, Line: n.Line}
	description, _ := m.Text(fields.Field("description"), "the description of a template")
	t.Description = nearestDescription(description, c)
	t.Config = m.config(n, fields.Field("config"))
	t.Path, ok = m.Text(fields.Field("path"), "the path of a template")
	if !ok {
		return nil
	}
	if strings.TrimSpace(t.Path) == "" {
		m.fault(code.RefNoPath, m.at(n), "component %q: a template's entry has no path", c.Name)
		return nil
	}
	at := m.at(fields.Field("path"))
	m.noteRepeated(t, at)
	name, data, ok := m.load.open(t.Path, at, "the template", code.RefTemplateMissing)
	if !ok {
		return nil
	}
	t.File, t.Source = m.load.shown(name), data
	m.ref.Templates = append(m.ref.Templates, t)
	return t
}

// entry reads the mapping of a template's entry, or one below it. v2 tolerates unknown keys there.
func (m *metadata) entry(n *kubeyaml.Node, what string, known []string) (kubeyaml.Mapping, bool) {
	if m.ref.Format != V2 {
		return m.Mapping(n, what, known)
	}
	fields, ok := m.KnownFields(n, what, known)
	for _, f := range fields.Unknown {
		m.NoEffect(f, what, known)
	}
	return fields, ok
}

// nearestDescription returns the description that applies to a template: its own, its component's
// or its part's.
func nearestDescription(own string, c *Component) string {
	for _, d := range []string{own, c.Description, c.Part.Description} {
		if strings.TrimSpace(d) != "" {
			return d
		}
	}
	return ""
}

// noteRepeated warns of a path that is listed already. In two components it may be intended,
// because each has its own rule.
func (m *metadata) noteRepeated(t *Template, at Place) {
	name := path.Clean(t.Path)
	first := m.first[name]
	switch {
	case first == nil:
		m.first[name] = t
	case !first.Config.Same(t.Config):
		m.warn(
			code.RefTemplateTwice,
			at,
			"the template %q is also listed by component %q in line %d, with another config; a CR counts for both and is compared with the config that gives fewer differences",
			t.Path,
			first.Component,
			first.Line,
		)
	case first.Component == t.Component:
		m.warn(
			code.RefTemplateTwice,
			at,
			"component %q lists the template %q again; the first entry is in line %d",
			t.Component.Name,
			t.Path,
			first.Line,
		)
	default:
		m.warn(
			code.RefTemplateTwice,
			at,
			"the template %q is also listed by component %q in line %d; a CR counts for both",
			t.Path,
			first.Component,
			first.Line,
		)
	}
}
