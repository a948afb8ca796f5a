package inspect

import (
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// schema is a JSON schema, as far as values need one.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        []string           `json:"type,omitempty"`
	Default     *any               `json:"default,omitempty"`
	Required    []string           `json:"required,omitempty"`
	MinItems    any                `json:"minItems,omitempty"`
	MaxItems    any                `json:"maxItems,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	More        any                `json:"additionalProperties,omitempty"` // a schema, or false
}

// ValuesSchema writes a JSON schema of the values files of the reference. A null stands for a value
// that is not given, so that it is valid everywhere.
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
	return visible.WriteJSON(out, root)
}

// add takes in a field.
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
	mandatory := p.Need == render.Mandatory && !stated && len(names) == 0 && !p.repeated()
	for _, step := range path {
		if mandatory && step.Index < 0 && !slices.Contains(s.Required, step.Key) {
			s.Required = append(s.Required, step.Key)
		}
		s = s.below(step)
	}
	s.Description = strings.Join(append([]string{p.words(nil)}, p.details()...), "; ")
	if p.Need != render.Mandatory {
		s.Default = p.Default
	}
	if p.Type == "list" {
		s.Type = []string{"array", "null"}
	}
	for _, c := range p.Constraints {
		if len(c.Values) == 1 && c.Through == "" && c.By == "maxListLength" {
			s.MaxItems = c.Values[0]
		}
		if len(c.Values) == 1 && c.Through == "" && c.By == "minListLength" {
			s.MinItems = c.Values[0]
		}
	}
}

// below returns the schema of what is at a step. A * may stand for an element as well as a key.
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
