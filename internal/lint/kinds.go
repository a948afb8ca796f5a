package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// builtIn are kinds of one group of Kubernetes.
type builtIn struct {
	group       string // "" for the group of v1
	versions    string // stable versions, the newest last
	namespaced  string // kinds with a namespace
	clusterWide string // kinds without a namespace
	complete    bool   // Kubernetes adds no kinds to the group
}

// builtIns returns the built-in kinds, from the API reference of Kubernetes.
func builtIns() []builtIn {
	return []builtIn{
		{
			group: "", versions: "v1", complete: true,
			namespaced: "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate " +
				"ReplicationController ResourceQuota Secret Service ServiceAccount",
			clusterWide: "ComponentStatus List Namespace Node PersistentVolume",
		},
		{
			group: "apps", versions: "v1", complete: true,
			namespaced: "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
		},
		{group: "batch", versions: "v1", complete: true, namespaced: "CronJob Job"},
		{
			group: "rbac.authorization.k8s.io", versions: "v1", complete: true,
			namespaced: "Role RoleBinding", clusterWide: "ClusterRole ClusterRoleBinding",
		},
		{group: "autoscaling", versions: "v1 v2", namespaced: "HorizontalPodAutoscaler"},
		{group: "policy", versions: "v1", namespaced: "PodDisruptionBudget"},
		{
			group: "networking.k8s.io", versions: "v1",
			namespaced: "Ingress NetworkPolicy", clusterWide: "IngressClass IPAddress ServiceCIDR",
		},
		{
			group: "storage.k8s.io", versions: "v1", namespaced: "CSIStorageCapacity",
			clusterWide: "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
		},
		{group: "scheduling.k8s.io", versions: "v1", clusterWide: "PriorityClass"},
		{group: "coordination.k8s.io", versions: "v1", namespaced: "Lease"},
		{group: "discovery.k8s.io", versions: "v1", namespaced: "EndpointSlice"},
		{group: "events.k8s.io", versions: "v1", namespaced: "Event"},
		{group: "node.k8s.io", versions: "v1", clusterWide: "RuntimeClass"},
		{group: "apiextensions.k8s.io", versions: "v1", clusterWide: "CustomResourceDefinition"},
		{group: "apiregistration.k8s.io", versions: "v1", clusterWide: "APIService"},
		{group: "certificates.k8s.io", versions: "v1", clusterWide: "CertificateSigningRequest"},
		{group: "flowcontrol.apiserver.k8s.io", versions: "v1", clusterWide: "FlowSchema PriorityLevelConfiguration"},
		{
			group: "admissionregistration.k8s.io", versions: "v1",
			clusterWide: "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
				"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
		},
	}
}

func namespaced(b builtIn) string  { return b.namespaced }
func clusterWide(b builtIn) string { return b.clusterWide }

func (b builtIn) kinds() []string { return strings.Fields(b.namespaced + " " + b.clusterWide) }

// apiVersion returns the newest apiVersion of the group.
func (b builtIn) apiVersion() string {
	versions := strings.Fields(b.versions)
	return strings.TrimPrefix(b.group+"/"+versions[len(versions)-1], "/")
}

// groupOf returns the group of an apiVersion, and whether the apiVersion is valid.
func groupOf(apiVersion string) (group string, valid bool) {
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup {
		return "", apiVersion == "v1"
	}
	return group, true
}

// isOf reports whether a kind is built in, and in the list that the function which selects.
func isOf(apiVersion, kind string, which func(builtIn) string) bool {
	group, _ := groupOf(apiVersion)
	return slices.ContainsFunc(builtIns(), func(b builtIn) bool {
		return b.group == group && slices.Contains(strings.Fields(which(b)), kind)
	})
}

// unknownKind returns why no cluster has a kind in an apiVersion, and which of the two keys is
// wrong. Other groups than those of Kubernetes are unknown, but their names have a dot.
func unknownKind(apiVersion, kind string) (key, why string) {
	if apiVersion == "" || kind == "" {
		return "", ""
	}
	group, valid := groupOf(apiVersion)
	var its *builtIn
	var groups, others []string // groups of Kubernetes; apiVersions that have the kind
	all := builtIns()
	for i, b := range all {
		groups = append(groups, b.group)
		if b.group == group && valid {
			its = &all[i]
		}
		if slices.Contains(b.kinds(), kind) {
			others = append(others, b.apiVersion())
		}
	}
	elsewhere := ""
	if len(others) > 0 {
		elsewhere = "; it is in " + code.Enumerate(others, "and")
	}
	switch {
	case its != nil && slices.Contains(its.kinds(), kind):
		_, version, _ := strings.Cut(apiVersion, "/")
		stable := regexp.MustCompile(`^v\d+$`).MatchString(version) // clusters may still serve an old beta
		if stable && !slices.Contains(strings.Fields(its.versions), version) {
			return "apiVersion", "Kubernetes has no " + apiVersion + elsewhere
		}
		return "", ""
	case its != nil:
		meant := code.DidYouMean(kind, its.kinds())
		if elsewhere == "" && meant == "" && !its.complete {
			return "", ""
		} else if elsewhere != "" {
			meant = elsewhere
		}
		return "kind", "Kubernetes has no kind " + kind + " in " + apiVersion + meant
	case !valid:
		return "apiVersion", apiVersion + " is not an apiVersion; write v1, or group/version" + elsewhere
	case !strings.Contains(group, ".") && group != "extensions":
		return "apiVersion", "no cluster has the group " + group + "; the group of a custom resource has a dot" + elsewhere
	case strings.HasSuffix(group, ".k8s.io") && elsewhere != "" &&
		(code.Nearest(group, groups) != "" || slices.Contains(groups, strings.TrimSuffix(group, ".k8s.io"))):
		return "apiVersion", "Kubernetes has no group " + group + elsewhere
	}
	return "", ""
}

// inNoNamespace reports a template without a namespace for CRs that have one. It is compared with
// CRs of its name in every namespace, and their namespace is extra content.
func (s *subject) inNoNamespace(apiVersion, kind string) {
	namespace := refconfig.FieldPath{refconfig.Key("metadata"), refconfig.Key("namespace")}
	if s.printing.Has(namespace[:1]) == render.Never || s.printing.Has(namespace) != render.Never ||
		s.Ref.Config.IgnoreUnspecified || !isOf(apiVersion, kind, namespaced) || s.omitsNamespace() {
		return
	}
	s.warn(code.RefNoNamespace, s.at("metadata"), "a %s has a namespace, and the template states none, so CRs of all "+
		"namespaces match; write the namespace, or {{ .metadata.namespace }} for any", kind)
}

// omitsNamespace reports whether the reference omits the namespace of CRs.
func (s *subject) omitsNamespace() bool {
	for _, e := range s.Ref.Config.Omit {
		if p := e.Path.String(); p == "metadata" || p == "metadata.namespace" {
			return true
		}
	}
	return false
}
