package kubeyaml

import "strings"

// IsNeverStored reports whether an API server answers or logs values with an apiVersion and kind, and stores
// none: those of discovery, audit and admission.
func IsNeverStored(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	switch group {
	case "audit.k8s.io", "admission.k8s.io", "apidiscovery.k8s.io":
		return true
	}
	switch kind {
	case "APIGroupDiscoveryList", "APIGroupDiscovery", "APIResourceList", "APIGroupList", "APIGroup", "APIVersions":
		return true
	}
	return false
}
