package manifest

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// kustomizeGroup is the API group of the files that kustomize reads.
const kustomizeGroup = "kustomize.config.k8s.io"

// kustomization records what a file of kustomize does to the CRs that it names: their form in the
// input is not the one that is applied.
func (r *reader) kustomization(h *head) {
	n, _, _ := r.decoded(h)
	if n == nil || n.Kind != kubeyaml.Map {
		return
	}
	for i, key := range n.Keys {
		name := kubeyaml.KeyString(key)
		switch value := n.Values[i]; {
		case value.IsNull(), value.Kind == kubeyaml.List && len(value.Values) == 0:
		case name == "resources", name == "bases":
			if slices.ContainsFunc(value.Values, isRemote) {
				r.out.Kustomized = append(r.out.Kustomized, "remote "+name)
			}
		case !slices.Contains(neutralKeys(), name):
			r.out.Kustomized = append(r.out.Kustomized, name)
		}
	}
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
