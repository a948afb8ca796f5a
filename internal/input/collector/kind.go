package collector

import "strings"

// KindOf returns the apiVersion and kind that the name of a file in an Insights archive shows, for
// objects without these fields; the operator writes many of them. It returns "" if the name shows
// nothing, or if archive, the path of the archive, is not that of an Insights archive.
func KindOf(name, archive string) (apiVersion, kind string) {
	folder, within, ok := strings.Cut(name, "config/")
	if !ok || folder != "" && !strings.HasSuffix(folder, "/") || !strings.Contains(strings.ToLower(archive), Insights) {
		return "", ""
	}
	return insightsKind(strings.Split(strings.TrimSuffix(within, ".json"), "/"))
}

// insightsKind returns the apiVersion and kind of an object by the path below the folder config.
func insightsKind(words []string) (apiVersion, kind string) {
	const configVersion = "config.openshift.io/v1"
	switch {
	case len(words) == 3 && words[0] == "pod":
		return "v1", "Pod"
	case len(words) == 2 && words[0] == "node":
		return "v1", "Node"
	case len(words) == 2 && words[0] == "clusteroperator":
		return configVersion, "ClusterOperator"
	case len(words) != 1:
		return "", ""
	}
	for _, known := range [][2]string{
		{"infrastructure", "Infrastructure"}, {"version", "ClusterVersion"}, {"network", "Network"}, {"ingress", "Ingress"},
		{"oauth", "OAuth"}, {"proxy", "Proxy"}, {"authentication", "Authentication"}, {"featuregate", "FeatureGate"},
	} {
		if words[0] == known[0] {
			return configVersion, known[1]
		}
	}
	return "", ""
}
