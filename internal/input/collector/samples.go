package collector

import (
	"slices"
	"strings"
)

// Samples reports whether the collector of a layout gathers no objects of a kind, or only some, so
// that the cluster may have an object that the archive lacks even if the archive has others of the
// kind. listed is for objects in a List.
func Samples(layout, group, kind string, listed bool) bool {
	for _, c := range table() {
		if c.layout == layout {
			return c.samples(group, kind, listed)
		}
	}
	return false
}

// HasAllDefinitions reports whether an archive of a layout has the CustomResourceDefinitions of all
// kinds of its cluster if it has the one with this name: OpenShift's operators request all of them.
func HasAllDefinitions(layout, name string) bool {
	return (layout == MustGather || layout == Inspect) && name == "clusteroperators.config.openshift.io"
}

// IsCustom reports whether all kinds of an API group are defined by CustomResourceDefinitions. The
// kinds of Kubernetes itself, and of OpenShift's API servers, are not.
func IsCustom(group string) bool {
	if !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") ||
		group == "packages.operators.coreos.com" {
		return false
	}
	name, openshift := strings.CutSuffix(group, ".openshift.io")
	return !openshift || !slices.Contains([]string{
		"apps", "authorization", "build", "image", "oauth", "project", "quota", "route", "security", "template", "user"}, name)
}

// AlsoServedAs returns another API group in which an API server serves the objects of a kind, so
// that collectors gather them in only one of the two; false for most kinds.
func AlsoServedAs(group, kind string) (string, bool) {
	const events = "events.k8s.io"
	switch {
	case kind == "Event" && group == "":
		return events, true
	case kind == "Event" && group == events:
		return "", true
	}
	return "", false
}

// inspectSamples reports whether oc adm inspect gathers the objects of a kind one by one, and only
// those that an operator of OpenShift names: above all Namespaces. It writes Lists for the
// namespaces that it gathers.
func inspectSamples(group, kind string, listed bool) bool {
	if listed {
		return false
	}
	switch group {
	case "":
		return kind != "Node" && kind != "PersistentVolume"
	case "operator.openshift.io":
		return kind != "IngressController"
	}
	return slices.Contains(
		[]string{
			"apiregistration.k8s.io",
			"apps",
			"cloudcredential.openshift.io",
			"flowcontrol.apiserver.k8s.io",
			"oauth.openshift.io",
			"rbac.authorization.k8s.io",
			"route.openshift.io",
		},
		group,
	)
}

// bundleSamples reports the two kinds for which support-bundle-kit omits objects.
func bundleSamples(group, kind string, _ bool) bool {
	return group == "" && kind == "Secret" || group == "harvesterhci.io" && kind == "Setting"
}

// samplesAll is for collectors that gather some objects of every kind, or those that a user chose.
func samplesAll(string, string, bool) bool { return true }

// samplesSecrets is for collectors that gather Secrets and ConfigMaps only on request.
func samplesSecrets(group, kind string, _ bool) bool {
	return group == "" && (kind == "Secret" || kind == "ConfigMap")
}
