package crdschema

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Set holds the schemas of kinds. The zero value is empty. If a kind and version is added twice,
// the first one counts.
type Set struct {
	kinds    map[id]*Kind
	defined  map[id]bool // kinds with a definition, by their group instead of the version
	patterns sync.Map
}

// id is a kind in a version.
type id struct{ apiVersion, kind string }

// Kind is the schema of a kind in one version.
type Kind struct {
	Root        *Schema
	ClusterWide bool                      // the CRs are cluster-scoped; false if unknown
	open        bool                      // unknown fields are kept everywhere
	published   bool                      // from OpenAPI, which has less information
	statusApart bool                      // users do not set the status: the API server drops it when they apply a CR
	shared      func(name string) *Schema // nil if no schema refers to others
	patterns    *sync.Map                 // each expression, by its text; those of the whole set
}

// HasOwnStatus reports whether the API server drops the status when users apply a CR.
func (k *Kind) HasOwnStatus() bool { return k.statusApart }

// Len returns the number of kinds, counting each version.
func (s *Set) Len() int { return len(s.kinds) }

// Kind returns the schema of a kind, nil if unknown. others are the versions of the kind in the
// same group, if it does not have this one.
func (s *Set) Kind(apiVersion, kind string) (k *Kind, others []string) {
	if s == nil {
		return nil, nil
	}
	if k = s.kinds[id{apiVersion, kind}]; k != nil {
		return k, nil
	}
	for other := range s.kinds {
		if other.kind == kind && groupOf(other.apiVersion) == groupOf(apiVersion) {
			others = append(others, other.apiVersion)
		}
	}
	slices.Sort(others)
	return nil, others
}

// Defines reports whether a kind has a CustomResourceDefinition, even if it serves no version.
func (s *Set) Defines(apiVersion, kind string) bool {
	return s != nil && s.defined[id{groupOf(apiVersion), kind}]
}

// Named returns the correct spelling of a kind with another letter case, or "".
func (s *Set) Named(apiVersion, kind string) (name string) {
	if s == nil {
		return ""
	}
	for other := range s.kinds {
		if strings.EqualFold(other.kind, kind) && groupOf(other.apiVersion) == groupOf(apiVersion) {
			name = max(name, other.kind)
		}
	}
	return name
}

func (s *Set) add(apiVersion, kind string, k *Kind) {
	key := id{apiVersion, kind}
	if s.kinds == nil {
		s.kinds = map[id]*Kind{}
	}
	if s.kinds[key] == nil && k.Root != nil {
		k.Root, k.patterns = k.Target(k.Root), &s.patterns
		s.kinds[key] = k
	}
}

func groupOf(apiVersion string) string { return manifest.ID{APIVersion: apiVersion}.Group() }

// IsDefinition reports whether an object is a CustomResourceDefinition.
func IsDefinition(o *manifest.Object) bool {
	return o.ID.Kind == "CustomResourceDefinition" && o.ID.Group() == "apiextensions.k8s.io"
}

// AddDefinition adds the kind of a CustomResourceDefinition in each version that is served.
func (s *Set) AddDefinition(o *manifest.Object) *refconfig.Problem {
	object, err := o.Decode()
	var read decoder
	crd := read.definition(object)
	if err = cmp.Or(err, read.err()); err != nil {
		return broken(o.Place, o.ID.Name, err)
	}
	if s.defined == nil {
		s.defined = map[id]bool{}
	}
	s.defined[id{crd.group, crd.kind}] = true
	kind := Kind{ClusterWide: crd.scope == "Cluster", open: strings.HasSuffix(o.ID.APIVersion, "/v1beta1")}
	if crd.keepsUnknown != nil {
		kind.open = *crd.keepsUnknown
	}
	versions := crd.versions
	if len(versions) == 0 {
		versions = []definedVersion{{name: crd.version, served: true}}
	}
	for _, v := range versions {
		one := kind
		one.statusApart, one.Root = v.statusApart || crd.statusApart, cmp.Or(v.schema, crd.schema)
		if v.served {
			s.add(crd.group+"/"+v.name, crd.kind, &one)
		}
	}
	return nil
}

// IsOpenAPI reports whether a text may be an OpenAPI v3 document with kinds.
func IsOpenAPI(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && bytes.Contains(text, []byte(`"openapi"`)) &&
		bytes.Contains(text, []byte(`"x-kubernetes-group-version-kind"`))
}

// AddOpenAPI adds the kinds of an OpenAPI v3 document.
func (s *Set) AddOpenAPI(at refconfig.Place, text []byte, limits kubeyaml.Limits) *refconfig.Problem {
	var shared map[string]*Schema
	kinds := map[string][]definedKind{}
	read := decoder{}
	document, err := kubeyaml.ParseMapping(string(text), limits)
	if err == nil {
		components, _ := document.Value().(map[string]any)["components"].(map[string]any)
		shared = read.schemas(components["schemas"])
		read.each(components["schemas"], func(name string, v any) { kinds[name] = read.definedKinds(v) })
	}
	if err = cmp.Or(err, read.err()); err != nil {
		return broken(at, "the OpenAPI document", err)
	}
	named := func(name string) *Schema { return shared[name] }
	for _, name := range tree.Keys(shared) {
		for _, k := range kinds[name] {
			apiVersion := strings.TrimPrefix(k.group+"/"+k.version, "/")
			s.add(apiVersion, k.kind, &Kind{Root: shared[name], published: true, statusApart: true, shared: named})
		}
	}
	return nil
}

func broken(at refconfig.Place, name string, err error) *refconfig.Problem {
	p := at.Problem(code.SchemaBroken, "%s is not usable as a schema: %v", name, err)
	return &p
}

// orBool is a schema, or a boolean that allows anything or nothing.
type orBool struct {
	schema  *Schema
	allowed bool
}
