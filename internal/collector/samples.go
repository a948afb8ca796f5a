package collector

import (
	"slices"
	"strings"
)

// Samples reports whether the collector of a layout gathers none of a kind's objects, or only some
// of them, so that one that an archive lacks may be in the cluster even where others of the kind
// are in the archive. listed is for objects that are in a List.
func Samples(layout, group, kind string, listed bool) bool {
	for _, c := range table() {
		if c.layout == layout && c.samples != nil {
			return c.samples(group, kind, listed)
		}
	}
	return false
}

// HasAllDefinitions reports whether an archive of a layout in which there is a
// CustomResourceDefinition of this name has those of all kinds of its cluster.
func HasAllDefinitions(layout, name string) bool {
	for _, c := range table() {
		if c.layout == layout && c.definition != "" {
			return c.definition == name
		}
	}
	return false
}

// IsCustom reports whether the kinds of an API group are sure to be defined by a
// CustomResourceDefinition. Those of Kubernetes itself are not, nor those that servers of OpenShift
// add.
func IsCustom(group string) bool {
	if !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") ||
		group == "packages.operators.coreos.com" {
		return false
	}
	name, openshift := strings.CutSuffix(group, ".openshift.io")
	return !openshift || !slices.Contains([]string{
		"apps", "authorization", "build", "image", "oauth", "project", "quota", "route", "security", "template", "user"}, name)
}

// inspectDefinition is gathered with the definitions of all kinds, for OpenShift's operators ask
// for all of them.
const inspectDefinition = "clusteroperators.config.openshift.io"

// inspectSamples knows what oc adm inspect gathers one by one, where the operators of OpenShift
// name it: above all Namespaces. Of a namespace that it gathers it writes Lists.
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

// bundleSamples knows the two kinds of which support-bundle-kit leaves objects out.
func bundleSamples(group, kind string, _ bool) bool {
	return group == "" && kind == "Secret" || group == "harvesterhci.io" && kind == "Setting"
}

// samplesAll is for collectors that take a little of everything, or what somebody chose.
func samplesAll(string, string, bool) bool { return true }

// samplesSecrets is for those that take Secrets and ConfigMaps only where they are asked for one.
func samplesSecrets(group, kind string, _ bool) bool {
	return group == "" && (kind == "Secret" || kind == "ConfigMap")
}
