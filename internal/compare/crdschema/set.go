package crdschema

import (
	"bytes"
	"encoding/json"
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
	ClusterWide bool // the CRs are cluster-scoped; false if unknown
	open        bool // unknown fields are kept everywhere
	published   bool // from OpenAPI, which has less information
	statusApart bool // users do not set the status: the API server drops it when they apply a CR
	shared      map[string]*Schema
	patterns    *sync.Map // each expression, by its text; those of the whole set
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

// definition is a CustomResourceDefinition, of v1 or v1beta1.
type definition struct {
	Spec struct {
		Group                 string
		Scope                 string
		Names                 struct{ Kind string }
		PreserveUnknownFields *bool
		Version               string
		Validation            validation
		Subresources          subresources
		Versions              []struct {
			Name         string
			Served       *bool
			Schema       validation
			Subresources subresources
		}
	}
}

type subresources struct{ Status *struct{} }

type validation struct {
	Schema *Schema `json:"openAPIV3Schema"`
}

// IsDefinition reports whether an object is a CustomResourceDefinition.
func IsDefinition(o *manifest.Object) bool {
	return o.ID.Kind == "CustomResourceDefinition" && o.ID.Group() == "apiextensions.k8s.io"
}

// AddDefinition adds the kind of a CustomResourceDefinition in each version that is served.
func (s *Set) AddDefinition(o *manifest.Object) *refconfig.Problem {
	var crd definition
	object, err := o.Decode()
	if err == nil {
		err = convert(object, &crd)
	}
	if err != nil {
		return broken(o.Place, o.ID.Name, err)
	}
	if s.defined == nil {
		s.defined = map[id]bool{}
	}
	s.defined[id{crd.Spec.Group, crd.Spec.Names.Kind}] = true
	kind := Kind{ClusterWide: crd.Spec.Scope == "Cluster", open: strings.HasSuffix(o.ID.APIVersion, "/v1beta1")}
	if keep := crd.Spec.PreserveUnknownFields; keep != nil {
		kind.open = *keep
	}
	add := func(version string, schema *Schema, sub subresources) {
		one := kind
		one.statusApart = sub.Status != nil || crd.Spec.Subresources.Status != nil
		if one.Root = schema; schema == nil {
			one.Root = crd.Spec.Validation.Schema
		}
		s.add(crd.Spec.Group+"/"+version, crd.Spec.Names.Kind, &one)
	}
	for _, v := range crd.Spec.Versions {
		if v.Served == nil || *v.Served {
			add(v.Name, v.Schema.Schema, v.Subresources)
		}
	}
	if len(crd.Spec.Versions) == 0 {
		add(crd.Spec.Version, nil, subresources{})
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
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Schema
				Kinds []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
			}
		}
	}
	read, err := kubeyaml.ParseMapping(string(text), limits)
	if err == nil {
		err = convert(read.Value(), &document)
	}
	if err != nil {
		return broken(at, "the OpenAPI document", err)
	}
	shared := map[string]*Schema{}
	for name, one := range document.Components.Schemas {
		shared[name] = &one.Schema
	}
	for _, name := range tree.Keys(shared) {
		for _, k := range document.Components.Schemas[name].Kinds {
			apiVersion := strings.TrimPrefix(k.Group+"/"+k.Version, "/")
			s.add(apiVersion, k.Kind, &Kind{Root: shared[name], published: true, statusApart: true, shared: shared})
		}
	}
	return nil
}

func broken(at refconfig.Place, name string, err error) *refconfig.Problem {
	p := at.Problem(code.SchemaBroken, "%s is not usable as a schema: %v", name, err)
	return &p
}

// convert decodes a value into a Go struct.
func convert(v, into any) error {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// orBool is a schema, or a boolean that allows anything or nothing.
type orBool struct {
	schema  *Schema
	allowed bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *orBool) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &o.allowed) == nil {
		return nil
	}
	return json.Unmarshal(text, &o.schema)
}
