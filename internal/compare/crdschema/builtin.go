package crdschema

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// packed has the schemas of the kinds of Kubernetes as internal/dev/kinds writes them: compressed, a line
// for each kind and for each schema.
//
//go:embed kinds.gz
var packed string

// BuiltIn holds the schemas of the kinds that Kubernetes itself has, in stable versions. The zero value
// has none. It is safe for concurrent use.
type BuiltIn struct {
	version string
	mu      sync.Mutex
	names   map[id]string     // of their schemas
	texts   map[string]string // JSON of schemas, by name
	schemas map[string]*Schema
	kinds   Set
}

// NewBuiltIn unpacks the schemas. It decodes each only when it is asked for.
func NewBuiltIn() *BuiltIn {
	b := &BuiltIn{names: map[id]string{}, texts: map[string]string{}, schemas: map[string]*Schema{}}
	unpacked, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return b // TestBuiltInKinds would fail
	}
	text, _ := io.ReadAll(unpacked)
	version, lines, _ := strings.Cut(string(text), "\n")
	b.version = strings.TrimPrefix(version[:max(0, strings.LastIndexByte(version, '.'))], "v")
	for line := range strings.Lines(lines) {
		first, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.HasPrefix(rest, "{") {
			b.texts[first] = rest
			continue
		}
		kind, name, _ := strings.Cut(rest, " ")
		b.names[id{first, kind}] = name
	}
	return b
}

// Version returns the version of Kubernetes, such as 1.37.
func (b *BuiltIn) Version() string { return b.version }

// Kind returns the schema of a kind, nil if Kubernetes does not have it in this version.
func (b *BuiltIn) Kind(apiVersion, kind string) *Kind {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := b.names[id{apiVersion, kind}]
	known, _ := b.kinds.Kind(apiVersion, kind)
	if known != nil || name == "" {
		return known
	}
	b.kinds.add(apiVersion, kind, &Kind{Root: b.schema(name), published: true, statusApart: true, shared: b.shared})
	known, _ = b.kinds.Kind(apiVersion, kind)
	return known
}

// shared returns the schema of a name, nil for none.
func (b *BuiltIn) shared(name string) *Schema {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.schema(name)
}

// schema does the work of shared.
func (b *BuiltIn) schema(name string) *Schema {
	text, there := b.texts[name]
	if b.schemas[name] == nil && there {
		value, _ := tree.FromJSON([]byte(text)) // it is checked by TestBuiltInKinds
		b.schemas[name] = (&decoder{}).schema(value)
	}
	return b.schemas[name]
}
