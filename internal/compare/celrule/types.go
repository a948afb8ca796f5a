package celrule

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// provider knows the types of the objects of a kind, by names that it gives them.
type provider struct {
	types.Provider
	kind *crdschema.Kind

	mu    sync.Mutex
	names map[*crdschema.Schema]string
	all   map[string]*crdschema.Schema
	roots map[*crdschema.Schema]*crdschema.Schema
}

func newProvider(kind *crdschema.Kind, others types.Provider) *provider {
	return &provider{
		Provider: others, kind: kind, names: map[*crdschema.Schema]string{}, all: map[string]*crdschema.Schema{},
		roots: map[*crdschema.Schema]*crdschema.Schema{},
	}
}

// target returns the schema that expressions see: an object with its own apiVersion has a name too.
func (p *provider) target(s *crdschema.Schema, root bool) *crdschema.Schema {
	if s = p.kind.Target(s); !root && !s.Embedded || s.IntOrString {
		return s
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.roots[s] == nil {
		p.roots[s] = rooted(s)
	}
	return p.roots[s]
}

// typeOf returns the type of the values of a schema; nil if no expression can name them.
func (p *provider) typeOf(s *crdschema.Schema, root bool) *cel.Type { return p.typeAt(s, root, 0) }

func (p *provider) typeAt(s *crdschema.Schema, root bool, depth int) *cel.Type {
	const deepest = 100
	if s = p.target(s, root); depth > deepest {
		return nil
	}
	if s.IntOrString {
		return cel.DynType
	}
	switch s.Type {
	case "array":
		if s.Items == nil {
			return nil
		}
		if item := p.typeAt(s.Items, false, depth+1); item != nil {
			return cel.ListType(item)
		}
		return nil
	case "object":
		if more := s.Further(); more != nil && s.Properties == nil {
			if value := p.typeAt(more, false, depth+1); value != nil {
				return cel.MapType(cel.StringType, value)
			}
			return nil
		}
		return cel.ObjectType(p.name(s))
	case "string":
		switch s.Format {
		case "byte":
			return cel.BytesType
		case "duration":
			return cel.DurationType
		case "date", "date-time":
			return cel.TimestampType
		}
		return cel.StringType
	case "boolean":
		return cel.BoolType
	case "number":
		return cel.DoubleType
	case "integer":
		return cel.IntType
	}
	return nil
}

func (p *provider) name(s *crdschema.Schema) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := p.names[s]
	if name == "" {
		name = fmt.Sprintf("schema.object%d", len(p.names)+1)
		p.names[s], p.all[name] = name, s
	}
	return name
}

func (p *provider) schema(name string) (s *crdschema.Schema, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, found = p.all[name]
	return s, found
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, found := p.schema(name); found {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	s, found := p.schema(name)
	if !found {
		return p.Provider.FindStructFieldNames(name)
	}
	var names []string
	for _, key := range tree.Keys(s.Properties) {
		if escaped, ok := escape(key); ok {
			names = append(names, escaped)
		}
	}
	return names, true
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	s, found := p.schema(name)
	if !found {
		return p.Provider.FindStructFieldType(name, field)
	}
	for key, below := range s.Properties {
		if escaped, ok := escape(key); ok && escaped == field {
			if t := p.typeOf(below, false); t != nil {
				return &types.FieldType{Type: t}, true
			}
		}
	}
	return nil, false
}

// NewValue implements types.Provider.
func (p *provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if _, found := p.schema(name); found {
		return types.NewErr("no new value of %s", name)
	}
	return p.Provider.NewValue(name, fields)
}

// rooted returns the schema of an object with its own apiVersion, kind and name. Expressions know
// nothing else of its metadata.
func rooted(s *crdschema.Schema) *crdschema.Schema {
	is := func(in *crdschema.Schema, key, kind string) bool {
		below := in.Properties[key]
		return below != nil && below.Type == kind
	}
	if is(s, "kind", "string") && is(s, "apiVersion", "string") && is(s, "metadata", "object") &&
		is(s.Properties["metadata"], "name", "string") && is(s.Properties["metadata"], "generateName", "string") {
		return s
	}
	text := &crdschema.Schema{Type: "string"}
	out := *s
	out.Properties = map[string]*crdschema.Schema{}
	maps.Copy(out.Properties, s.Properties)
	out.Properties["apiVersion"], out.Properties["kind"] = text, text
	out.Properties["metadata"] = &crdschema.Schema{
		Type: "object", Properties: map[string]*crdschema.Schema{"name": text, "generateName": text},
	}
	return &out
}

// escape returns a key as expressions write it. It returns false for a key that they cannot name.
func escape(key string) (string, bool) {
	for i, c := range key {
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune("_-./", c)
		if !isLetter && (i == 0 || c < '0' || c > '9') {
			return "", false
		}
	}
	switch key {
	case "":
		return "", false
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
		"import", "let", "loop", "package", "namespace", "return", "var", "void", "while":
		return "__" + key + "__", true
	}
	return strings.NewReplacer("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__").Replace(key), true
}
