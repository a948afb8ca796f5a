package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// kubernetes lists the built-in kinds, from the API reference of Kubernetes. A line has a group,
// its stable versions with the newest last, the kinds with a namespace, and after the slash those
// without. Kubernetes adds no kinds to a group with an asterisk.
const kubernetes = `
v1* v1: Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota
 Secret Service ServiceAccount / ComponentStatus List Namespace Node PersistentVolume
apps* v1: ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet /
batch* v1: CronJob Job /
rbac.authorization.k8s.io* v1: Role RoleBinding / ClusterRole ClusterRoleBinding
autoscaling v1 v2: HorizontalPodAutoscaler /
policy v1: PodDisruptionBudget /
networking.k8s.io v1: Ingress NetworkPolicy / IngressClass IPAddress ServiceCIDR
storage.k8s.io v1: CSIStorageCapacity / CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass
scheduling.k8s.io v1: / PriorityClass
coordination.k8s.io v1: Lease /
discovery.k8s.io v1: EndpointSlice /
events.k8s.io v1: Event /
node.k8s.io v1: / RuntimeClass
apiextensions.k8s.io v1: / CustomResourceDefinition
apiregistration.k8s.io v1: / APIService
certificates.k8s.io v1: / CertificateSigningRequest
flowcontrol.apiserver.k8s.io v1: / FlowSchema PriorityLevelConfiguration
admissionregistration.k8s.io v1: / MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration
 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration
`

// builtIn has the kinds of one group of Kubernetes.
type builtIn struct {
	group                   string   // "" for the group of v1
	versions                []string // stable versions, the newest last
	namespaced, clusterWide []string
	isComplete              bool // Kubernetes adds no kinds to the group
}

// builtIns returns the built-in kinds.
func builtIns() (all []builtIn) {
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(kubernetes, "\n ", " ")), "\n") {
		head, kinds, _ := strings.Cut(line, ":")
		namespaced, clusterWide, _ := strings.Cut(kinds, "/")
		words := strings.Fields(head)
		group, isComplete := strings.CutSuffix(words[0], "*")
		all = append(all, builtIn{
			group:       strings.TrimSuffix(group, "v1"),
			versions:    words[1:],
			namespaced:  strings.Fields(namespaced),
			clusterWide: strings.Fields(clusterWide),
			isComplete:  isComplete,
		})
	}
	return all
}

func (b builtIn) kinds() []string { return slices.Concat(b.namespaced, b.clusterWide) }

// apiVersion returns the newest apiVersion of the group.
func (b builtIn) apiVersion() string {
	return strings.TrimPrefix(b.group+"/"+b.versions[len(b.versions)-1], "/")
}

// groupOf returns the group of an apiVersion, and whether the apiVersion is valid.
func groupOf(apiVersion string) (group string, valid bool) {
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup {
		return "", apiVersion == "v1"
	}
	return group, true
}

// Scope reports whether a built-in kind has a namespace, or is cluster-wide. Both are false for other
// kinds.
func Scope(apiVersion, kind string) (isNamespaced, isClusterWide bool) {
	group, _ := groupOf(apiVersion)
	for _, b := range builtIns() {
		if b.group == group {
			return slices.Contains(b.namespaced, kind), slices.Contains(b.clusterWide, kind)
		}
	}
	return false, false
}

// unknownKind returns why no cluster has a kind in an apiVersion, and which of the two keys is
// wrong. Other groups than those of Kubernetes are unknown, but their names have a dot.
func unknownKind(apiVersion, kind string) (key string, why code.Meant) {
	if apiVersion == "" || kind == "" {
		return "", code.Meant{}
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
	elsewhere, meant := "", code.Meant{Word: apiVersion}
	if len(others) > 0 {
		elsewhere = "; it is in " + code.Enumerate(others, "and")
	}
	if len(others) == 1 {
		meant.Instead = others[0]
	}
	switch {
	case its != nil && slices.Contains(its.kinds(), kind):
		_, version, _ := strings.Cut(apiVersion, "/")
		stable := regexp.MustCompile(`^v\d+$`).MatchString(version) // clusters may still serve an old beta
		if stable && !slices.Contains(its.versions, version) {
			return "apiVersion", meant.After("Kubernetes has no %s%s", apiVersion, elsewhere)
		}
		return "", code.Meant{}
	case its != nil:
		meant = code.DidYouMean(kind, its.kinds())
		if elsewhere == "" && meant.Instead == "" && !its.isComplete {
			return "", code.Meant{}
		} else if elsewhere != "" {
			meant = code.Meant{}.After("%s", elsewhere)
		}
		return "kind", meant.After("Kubernetes has no kind %s in %s", kind, apiVersion)
	case !valid:
		return "apiVersion", meant.After("%s is not an apiVersion; write v1, or group/version%s", apiVersion, elsewhere)
	case !strings.Contains(group, ".") && group != "extensions":
		return "apiVersion", meant.After(
			"no cluster has the group %s; the group of a custom resource has a dot%s", group, elsewhere,
		)
	case strings.HasSuffix(group, ".k8s.io") && elsewhere != "" &&
		(code.Nearest(group, groups) != "" || slices.Contains(groups, strings.TrimSuffix(group, ".k8s.io"))):
		return "apiVersion", meant.After("Kubernetes has no group %s%s", group, elsewhere)
	}
	return "", code.Meant{}
}

// inNoNamespace reports a template without a namespace for CRs that have one. It is compared with
// CRs of its name in every namespace, and their namespace is extra content.
func (s *subject) inNoNamespace(kind string) {
	namespace := refconfig.FieldPath{refconfig.Key("metadata"), refconfig.Key("namespace")}
	if s.printing.Has(namespace[:1]) == probe.Never || s.printing.Has(namespace) != probe.Never ||
		s.Ref.Config.IgnoreUnspecified || s.omitsNamespace() {
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
