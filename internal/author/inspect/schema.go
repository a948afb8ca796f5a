package inspect

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/refconfig"
)

// schema is a JSON schema with the keywords that values files need.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        []string           `json:"type,omitempty"`
	Default     *any               `json:"default,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Required    []string           `json:"required,omitempty"`
	MinItems    any                `json:"minItems,omitempty"`
	MaxItems    any                `json:"maxItems,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	More        any                `json:"additionalProperties,omitempty"` // a schema, or false
}

// ValuesSchema writes a JSON schema of the values files of the reference. A null is valid for every
// field, because it means that the value is not given.
func (all *Interface) ValuesSchema(out io.Writer) error {
	root := &schema{
		Schema:     "https://json-schema.org/draft/2020-12/schema",
		Title:      "Values for " + all.Reference,
		Type:       []string{"object"},
		Properties: map[string]*schema{},
		More:       false,
	}
	for t := range all.Templates() {
		item := &schema{Type: []string{"object", "null"}, Description: t.Identity()}
		for _, p := range t.Parameters {
			item.add(*t, p)
		}
		root.Properties[t.Path] = &schema{Type: []string{"array"}, Description: t.Description, Items: item}
	}
	return escape.WriteJSON(out, root)
}

// add adds a field.
func (s *schema) add(t Template, p Parameter) {
	path, err := refconfig.ParseFieldPath(p.Path)
	if err != nil {
		return
	}
	stated := p.Path == "metadata.name" && exact(t.Name) || p.Path == "metadata.namespace" && exact(t.Namespace)
	names := p.Groups()
	for _, name := range names {
		group := s.below(refconfig.Key(CaptureGroup)).below(refconfig.Key(name))
		group.Description = strings.TrimPrefix(group.Description+", of "+p.Path, ", ")
	}
	// a key at the top may stand below values instead, see the key of that name
	mandatory := p.Need == probe.Mandatory && !stated && len(names) == 0 && !p.repeated() && len(path) > 1
	for _, step := range path {
		if mandatory && step.Index < 0 && !slices.Contains(s.Required, step.Key) {
			s.Required = append(s.Required, step.Key)
		}
		s = s.below(step)
	}
	s.Description = strings.Join(append([]string{p.words(nil)}, p.details()...), "; ")
	if p.Need != probe.Mandatory {
		s.Default = p.Default
	}
	s.Type = jsonTypes(p.Type)
	if d := p.Schema; d != nil {
		s.describe(d)
	}
	for _, c := range p.Constraints {
		if c.Through == "" && len(c.Values) > 0 {
			s.constrain(c)
		}
	}
}

// describe adds the type and the allowed values of a field from the schema of its kind.
func (s *schema) describe(d *Described) {
	if d.Type != "" && s.Type == nil {
		s.Type = []string{d.Type, "null"}
	}
	if len(d.Enum) > 0 {
		s.Enum = append(slices.Clone(d.Enum), nil)
	}
}

// jsonTypes converts a type that a template takes to JSON types; nil if they are unknown. They
// include null, which means that the value is not given.
func jsonTypes(text string) (all []string) {
	for word := range strings.SplitSeq(text, " or ") {
		switch word, _, _ := strings.Cut(word, " of "); word {
		case "list":
			all = append(all, "array")
		case "map":
			all = append(all, "object")
		case "number":
			all = append(all, "number", "string") // functions read numbers in texts
		case "string":
			all = append(all, "string")
		default:
			return nil
		}
	}
	slices.Sort(all)
	return slices.Compact(append(all, "null"))
}

// constrain adds a constraint of the value itself.
func (s *schema) constrain(c probe.Constraint) {
	text, _ := c.Values[0].(string)
	switch c.By {
	case "maxListLength":
		s.MaxItems = c.Values[0]
	case "minListLength":
		s.MinItems = c.Values[0]
	case "has", "eq", "ne":
		if c.Always {
			s.Enum = append(slices.Clone(c.Values), nil)
		}
	case pattern.Regex, "regexMatch", "mustRegexMatch":
		if (c.Always || c.By == pattern.Regex) && !onlyGo().MatchString(text) {
			s.Pattern = text
		}
	}
}

// onlyGo returns an expression for the syntax of Go's regular expressions that JSON schemas lack.
func onlyGo() *regexp.Regexp { return regexp.MustCompile(`\(\?[^:<]|\\[AzQpPC]|\\x\{|\[:`) }

// below returns the schema of the child at a step. A * matches list items and map keys.
func (s *schema) below(step refconfig.Step) *schema {
	if step.Any || step.Index >= 0 {
		if s.Items == nil {
			s.Items = &schema{}
		}
		if step.Any {
			s.More = s.Items
		}
		return s.Items
	}
	if s.Properties == nil {
		s.Properties = map[string]*schema{}
	}
	if s.Properties[step.Key] == nil {
		s.Properties[step.Key] = &schema{}
	}
	return s.Properties[step.Key]
}
