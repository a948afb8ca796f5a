package cli

import (
	"strings"

	"github.com/validationtool/validationtool/internal/source"
)

// insightsKind returns what the path of a file of an Insights archive says of an object that has no apiVersion and kind itself: the
// operator writes many that way. "" where it says nothing, or the file lies in no such archive, which is told by its name.
func insightsKind(f source.File) (apiVersion, kind string) {
	folder, within, ok := strings.Cut(f.Name, "config/")
	if !ok || folder != "" && !strings.HasSuffix(folder, "/") || !strings.Contains(strings.ToLower(f.Path+"/"+f.Entry), "insights") {
		return "", ""
	}
	words := strings.Split(strings.TrimSuffix(within, ".json"), "/")
	switch {
	case len(words) == 3 && words[0] == "pod":
		return "v1", "Pod"
	case len(words) == 2 && words[0] == "node":
		return "v1", "Node"
	case len(words) == 2 && words[0] == "clusteroperator":
		return "config.openshift.io/v1", "ClusterOperator"
	case len(words) != 1:
		return "", ""
	}
	switch words[0] {
	case "infrastructure":
		kind = "Infrastructure"
	case "version":
		kind = "ClusterVersion"
	case "network":
		kind = "Network"
	case "ingress":
		kind = "Ingress"
	case "oauth":
		kind = "OAuth"
	case "proxy":
		kind = "Proxy"
	case "authentication":
		kind = "Authentication"
	case "featuregate":
		kind = "FeatureGate"
	default:
		return "", ""
	}
	return "config.openshift.io/v1", kind
}
