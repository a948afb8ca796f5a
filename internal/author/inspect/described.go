package inspect

import (
	"cmp"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/refconfig"
)

// Described has the parts of a field's schema that users see.
type Described struct {
	Type        string `json:"type,omitempty"`
	Enum        []any  `json:"enum,omitempty"` // the only allowed values
	Default     any    `json:"default,omitempty"`
	Description string `json:"description,omitempty"`
}

// Describe adds the schemas of the parameters, if the set has them, or if their kind is one of
// Kubernetes. It adds none without a set.
func (all *Interface) Describe(set *crdschema.Set) {
	if set == nil {
		return
	}
	builtIn := crdschema.NewBuiltIn()
	for t := range all.Templates() {
		kind, _ := set.Kind(t.APIVersion, t.Kind)
		if kind = cmp.Or(kind, builtIn.Kind(t.APIVersion, t.Kind)); kind == nil {
			continue
		}
		for i, p := range t.Parameters {
			path, err := refconfig.ParseFieldPath(p.Path)
			if err != nil || path[0].Key == "metadata" {
				continue
			}
			if s, _ := kind.At(path); s != nil {
				t.Parameters[i].Schema = &Described{
					Type: s.Type, Enum: s.Enum, Default: s.Default, Description: strings.TrimSpace(s.Description),
				}
			}
		}
	}
}

// details describes the schema for people: type, values and default, then if about is true the first
// sentence of the description.
func (d *Described) details(about bool) (all []string) {
	if d == nil {
		return nil
	}
	var words []string
	if d.Type != "" {
		words = append(words, "type "+d.Type)
	}
	if len(d.Enum) > 0 {
		values := make([]string, len(d.Enum))
		for i, v := range d.Enum {
			values[i] = written(v)
		}
		words = append(words, "one of "+strings.Join(values, ", "))
	}
	if d.Default != nil {
		words = append(words, "default "+written(d.Default))
	}
	if len(words) > 0 {
		all = append(all, "schema: "+strings.Join(words, "; "))
	}
	if d.Description != "" && about {
		all = append(all, firstSentence(d.Description))
	}
	return all
}

// firstSentence returns the first sentence of a description, on one line and not too long.
func firstSentence(text string) string {
	const longest = 200
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	return escape.Shortened(strings.Join(strings.Fields(text), " "), longest)
}
