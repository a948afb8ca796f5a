package manifest

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// kustomizeGroup is the API group of the files that kustomize reads.
const kustomizeGroup = "kustomize.config.k8s.io"

// Kustomization is what a file of kustomize says about CRs. Paths are relative to its folder.
type Kustomization struct {
	Component bool     // it cannot be built alone: other kustomizations use it
	Changes   []string // the keys by which it changes or makes CRs; none if it only lists files
	Resources []string // the files and folders that it applies, without those that it downloads
	Used      []string // files that it uses in another way, such as patches: they are no CRs of their own
}

// kustomization records what a file of kustomize does to the CRs that it names: their form in the
// input is not the one that is applied.
func (r *reader) kustomization(h *head) {
	n, _, _ := r.decoded(h)
	if n == nil || n.Kind != kubeyaml.Map {
		return
	}
	k := &Kustomization{Component: h.kind == "Component"}
	for i, key := range n.Keys {
		name := kubeyaml.KeyString(key)
		switch value := n.Values[i]; {
		case value.IsNull(), value.Kind == kubeyaml.List && len(value.Values) == 0:
			continue
		case name == "resources", name == "bases", name == "components":
			if slices.ContainsFunc(value.Values, isRemote) {
				k.Changes = append(k.Changes, "remote "+name)
			} else if name == "components" {
				k.Changes = append(k.Changes, name)
			}
			local := slice.Without(value.Values, isRemote)
			k.Resources = append(k.Resources, textsIn(local)...)
		default:
			k.Used = append(k.Used, pathsIn(value)...)
			if !slices.Contains(neutralKeys(), name) {
				k.Changes = append(k.Changes, name)
			}
		}
	}
	r.out.Kustomization = k
}

// neutralKeys are the keys of a kustomization that change and make no CR by themselves.
func neutralKeys() []string {
	return []string{
		"apiVersion", "kind", "metadata", "configurations", "crds", "generatorOptions", "openapi", "sortOptions",
	}
}

// isRemote reports whether a resource of a kustomization is downloaded.
func isRemote(n *kubeyaml.Node) bool {
	at := textOf(n)
	return strings.Contains(at, "://") || strings.Contains(at, "?ref=") || strings.HasPrefix(at, "git@") ||
		strings.HasPrefix(at, "github.com/")
}

// pathsIn returns the paths of files in a field of a kustomization: in a list of paths, in entries
// with a path, or in entries of generators.
func pathsIn(n *kubeyaml.Node) (paths []string) {
	entries := n.Values
	if n.Kind == kubeyaml.Map { // openapi
		entries = []*kubeyaml.Node{n}
	}
	paths = textsIn(entries)
	for _, entry := range entries {
		_, at := entry.Field("path")
		paths = append(paths, textsIn([]*kubeyaml.Node{at})...)
		for _, list := range []string{"files", "envs"} {
			if _, of := entry.Field(list); of != nil {
				paths = append(paths, textsIn(of.Values)...)
			}
		}
	}
	for i, at := range paths { // of a generator: KEY=PATH
		paths[i] = at[strings.IndexByte(at, '=')+1:]
	}
	return paths
}

// textsIn returns the values that are texts of one line, rather than patches themselves.
func textsIn(values []*kubeyaml.Node) (texts []string) {
	for _, v := range values {
		if text := strings.TrimSpace(textOf(v)); text != "" && !strings.Contains(text, "\n") {
			texts = append(texts, text)
		}
	}
	return texts
}

// brokenKustomization records a file of kustomize that does not parse: which files are patches is not
// known. One with actions is a template, as of a repository for several clusters, and only told.
func (r *reader) brokenKustomization(text []byte, place refconfig.Place, message string) {
	p := place.Problem(code.NotKustomized,
		"this kustomization is not valid YAML (%s), so it is not known which files are patches; repair or render it", message)
	isTemplate := bytes.Contains(text, []byte("{{"))
	r.out.Lost = append(r.out.Lost, Lost{Problem: p, Any: !isTemplate, ByName: PassedKustomize})
}

// chart counts the dependencies of a Helm chart.
func (r *reader) chart(h *head) {
	base := strings.ToLower(path.Base(pathOf(r.file, r.entry)))
	if base != "chart.yaml" && base != "requirements.yaml" {
		return
	}
	n, _, _ := r.decoded(h)
	_, dependencies := n.Field("dependencies")
	if dependencies != nil {
		r.out.Dependencies = len(dependencies.Values)
	}
}

// reference records the templates that a value lists if it is the metadata of a reference: parts with
// components. Paths are relative to its folder.
func (r *reader) reference(h *head) {
	has := func(key string) bool { return bytes.Contains(h.source.text, []byte(key)) }
	if h.kind != "" || !has("parts") || !has("components") {
		return
	}
	n, _, _ := r.decoded(h)
	_, parts := n.Field("parts")
	if parts == nil || parts.Kind != kubeyaml.List {
		return
	}
	for _, part := range parts.Values {
		_, components := part.Field("components")
		if components == nil {
			continue
		}
		for _, component := range components.Values {
			for _, rule := range component.Values { // allOf and the like, or requiredTemplates
				r.out.Templates = append(r.out.Templates, pathsIn(rule)...)
			}
		}
	}
}
