package generate

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// runtimeList is the name of the list of fields to omit for CRs of every kind.
const runtimeList = "runtime"

// runtimeFields are fields that a cluster itself writes into CRs. Generated templates do not state
// them, and the reference omits them from the comparison.
type runtimeFields struct {
	List  string   // name of their list in the metadata
	group string   // API group of the kinds
	Kinds string   // kinds, or KIND/NAMESPACE/NAME, separated by spaces; * or "" for every kind of every group
	paths []string // paths of the fields; a * at the end matches the rest of a key, or any key
	// reports whether a cluster may have assigned the value of a key in an object, so that two clusters with
	// the same settings differ in it; nil for fields that nobody sets, which two clusters do not compare
	assigned func(object map[string]any, key string, v any) bool
	items    string // how lists are compared of which a cluster assigns items; "" for other fields
	paired   bool   // only a comparison of two clusters omits the fields
	stated   bool   // templates state what is not assigned, see takeAssigned, and omit the fields only if they cannot
}

// registrySecret is the annotation of a ServiceAccount with the generated name of its Secret for the registry.
const registrySecret = "openshift.io/internal-registry-pull-secret-ref"

// consoleKind is the kind of the console of OpenShift. Its operator notes there which versions of other
// CRs it has seen.
const consoleKind = "Deployment/openshift-console/console"

// allRuntimeFields returns the fields to omit in addition to the built-in list of every reference.
func allRuntimeFields() []runtimeFields {
	return []runtimeFields{
		{List: runtimeList, paths: []string{
			"metadata.ownerReferences", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds",
			`metadata.annotations."deployment.kubernetes.io/revision"`, `metadata.annotations."pv.kubernetes.io/"*`,
			`metadata.annotations."volume.kubernetes.io/"*`, `metadata.annotations."volume.beta.kubernetes.io/storage-provisioner"`,
			`metadata.annotations."` + registrySecret + `"`,
			`metadata.labels."olm.operatorgroup.uid/"*`, `metadata.labels."operators.coreos.com/"*`,
		}},
		{List: "node", Kinds: "Node", paired: true, paths: []string{
			"metadata.annotations", "spec.podCIDR", "spec.podCIDRs", "spec.providerID",
			`metadata.labels."feature.node.kubernetes.io/"*`,
		}},
		{List: "taints", Kinds: "Node", assigned: mayBeTaint, items: refconfig.ListSet, stated: true, paths: []string{"spec.taints"}},
		{List: "daemon-set", group: "apps", Kinds: "DaemonSet", paths: []string{
			`metadata.annotations."deprecated.daemonset.template.generation"`,
		}},
		{List: "console", group: "apps", Kinds: consoleKind, paths: []string{
			`metadata.annotations."console.openshift.io/"*`, `spec.template.metadata.annotations."console.openshift.io/"*`,
		}},
		{List: "image-registry", group: "imageregistry.operator.openshift.io", Kinds: "Config", paths: []string{"spec.httpSecret"}},
		{List: "registry", group: "apps", Kinds: "Deployment/openshift-image-registry/image-registry", paths: []string{
			"spec.template.spec.securityContext.fsGroup",
		}},
		{List: "router", group: "apps", Kinds: "Deployment/openshift-ingress/router-default", paths: []string{
			`spec.template.metadata.labels."ingresscontroller.operator.openshift.io/hash"`,
		}},
		{List: "machine", group: "machine.openshift.io", Kinds: "Machine", paths: []string{
			"spec.providerID", `metadata.annotations."machine.openshift.io/instance-state"`,
		}},
		{List: "namespace", Kinds: "Namespace", assigned: mayBeRange, paths: []string{
			"spec.finalizers", `metadata.annotations."openshift.io/sa.scc."*`,
		}},
		{List: "service", Kinds: "Service", assigned: mayBePort, paths: []string{
			"spec.clusterIPs", "spec.healthCheckNodePort", "spec.ports.*.nodePort",
		}},
		{List: "address", Kinds: "Service", assigned: mayBePort, stated: true, paths: []string{"spec.clusterIP"}},
		{List: "service-account", Kinds: "ServiceAccount", assigned: mayBeToken, items: "map(name)", stated: true, paths: []string{
			"secrets", "imagePullSecrets",
		}},
		{List: "finalizers", Kinds: "*", assigned: mayBeFinalizer, items: refconfig.ListSet, stated: true, paths: []string{
			"metadata.finalizers",
		}},
		{List: "operator-group", group: "operators.coreos.com", Kinds: "OperatorGroup", paths: []string{
			`metadata.annotations."olm.providedAPIs"`,
		}},
		{List: "volume", Kinds: "PersistentVolume", assigned: mayBeBinding, paths: []string{"spec.claimRef.*"}},
		{List: "volume-claim", Kinds: "PersistentVolumeClaim", assigned: mayBeBinding, paths: []string{"spec.volumeName"}},
		{List: "job", group: "batch", Kinds: "Job", paths: []string{
			`metadata.labels."batch.kubernetes.io/controller-uid"`, "metadata.labels.controller-uid",
			`spec.selector.matchLabels."batch.kubernetes.io/controller-uid"`, "spec.selector.matchLabels.controller-uid",
			`spec.template.metadata.labels."batch.kubernetes.io/controller-uid"`, "spec.template.metadata.labels.controller-uid",
		}},
		{List: "webhook", group: "admissionregistration.k8s.io",
			Kinds: "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
			paths: []string{"webhooks.*.clientConfig.caBundle"}},
		{List: "api-service", group: "apiregistration.k8s.io", Kinds: "APIService", paths: []string{"spec.caBundle"}},
		{List: "definition", group: "apiextensions.k8s.io", Kinds: "CustomResourceDefinition",
			paths: []string{"spec.conversion.webhook.clientConfig.caBundle"}},
		{List: "cluster-version", group: "config.openshift.io", Kinds: "ClusterVersion", paths: []string{"spec.clusterID"}},
	}
}

// covers reports whether the fields are for a list of kinds that has the kind of a CR.
func (r runtimeFields) covers(id manifest.ID) bool {
	if r.Kinds == "*" {
		return true
	}
	if r.Kinds == "" || id.Group() != r.group {
		return false
	}
	for kind := range strings.FieldsSeq(r.Kinds) {
		if kind == id.Kind || kind == id.Kind+"/"+id.Namespace+"/"+id.Name {
			return true
		}
	}
	return false
}

// Entries returns the fields as entries of a list in the metadata.
func (r runtimeFields) Entries() []refconfig.OmitEntry {
	var all []refconfig.OmitEntry
	for _, text := range r.paths {
		entry, _ := parseOmit(text) // all paths are valid
		all = append(all, entry)
	}
	return all
}

// exactFields returns entries for the lists of a CR that allow something to somebody: what they have more
// is drift.
func exactFields(id manifest.ID, values []any) (all []refconfig.FieldFunction) {
	for _, at := range exactPaths(id) {
		isThere := func(v any) bool { _, ok := tree.At(v, at); return ok }
		if !slices.ContainsFunc(values, func(v any) bool { return !isThere(v) }) {
			all = append(all, refconfig.FieldFunction{Path: at, Key: refconfig.Exact})
		}
	}
	return all
}

// exactPaths returns the paths of these lists, or of a map around them.
func exactPaths(id manifest.ID) (all []refconfig.FieldPath) {
	paths := map[string][]string{
		"rbac.authorization.k8s.io/Role":                      {"rules"},
		"rbac.authorization.k8s.io/ClusterRole":               {"rules", "aggregationRule.clusterRoleSelectors"},
		"rbac.authorization.k8s.io/RoleBinding":               {"subjects"},
		"rbac.authorization.k8s.io/ClusterRoleBinding":        {"subjects"},
		"networking.k8s.io/NetworkPolicy":                     {"spec"},
		"policy.networking.k8s.io/AdminNetworkPolicy":         {"spec"},
		"policy.networking.k8s.io/BaselineAdminNetworkPolicy": {"spec"},
		"k8s.ovn.org/EgressFirewall":                          {"spec"},
		"user.openshift.io/Group":                             {"users"},
		"oauth.openshift.io/OAuthClient":                      {"redirectURIs"},
		"config.openshift.io/OAuth":                           {"spec.identityProviders"},
		"security.openshift.io/SecurityContextConstraints": {"users", "groups", "volumes", "allowedCapabilities",
			"defaultAddCapabilities", "allowedUnsafeSysctls", "allowedFlexVolumes", "seccompProfiles"},
	}
	for _, text := range paths[id.Group()+"/"+id.Kind] {
		all = append(all, refconfig.PathOf(strings.Split(text, ".")...))
	}
	return all
}

// withEmpty returns an object of the base with an empty list in place of each list that it lacks, that the other
// cluster has, and that allows something: what is in it is drift, and not extra content.
func withEmpty(id manifest.ID, base, other any) any {
	for _, at := range exactPaths(id) {
		_, has := tree.At(base, at)
		v, _ := tree.At(other, at)
		if list, isList := v.([]any); !has && isList && len(list) > 0 {
			base = tree.Copy(base)
			set(base, at, []any{})
		}
	}
	return base
}

// stripper removes the fields that a cluster itself writes into CRs.
type stripper struct {
	all   []refconfig.OmitEntry
	kinds []runtimeFields
}

// newStripper returns the stripper of a reference with more fields to omit. Of two clusters, which are paired,
// it keeps what they assigned, and certificates of authorities, whose subjects are compared.
func newStripper(more []refconfig.OmitEntry, paired bool) *stripper {
	s := &stripper{all: slices.Concat(builtIn(paired), more)}
	for _, r := range allRuntimeFields() {
		if r.stated || r.paired && !paired || paired && (r.assigned != nil || r.isBundle()) {
			continue
		}
		if r.Kinds == "" {
			s.all = append(s.all, r.Entries()...)
		} else {
			s.kinds = append(s.kinds, r)
		}
	}
	return s
}

// strip returns an object without these fields, and the name of the list for its kind; "" for none.
func (s *stripper) strip(id manifest.ID, object map[string]any) (any, string) {
	entries, list := s.all, ""
	for _, r := range s.kinds {
		if r.covers(id) && !r.isSet(object) && (!r.isBundle() || asksForBundle(object)) {
			entries, list = append(entries[:len(entries):len(entries)], r.Entries()...), r.List
		}
	}
	return tree.Omit(object, entries), list
}

// isSet reports whether an object says that the fields are settings: those of a headless Service, and the APIs of an
// OperatorGroup to which no operator adds any.
func (r runtimeFields) isSet(object map[string]any) bool {
	static, _ := tree.At(object, refconfig.PathOf("spec", "staticProvidedAPIs"))
	return r.List == "service" && tree.StringAt(object, "spec", "clusterIP") == "None" ||
		r.List == "operator-group" && static == true
}

// builtIn returns the built-in list of every reference. Of two clusters, finalizers are compared.
func builtIn(paired bool) []refconfig.OmitEntry {
	return slices.DeleteFunc(refconfig.BuiltInOmit(), func(e refconfig.OmitEntry) bool {
		return paired && e.String() == "metadata.finalizers"
	})
}

// isBundle reports whether the fields are certificates of authorities, which are only written into
// objects that ask for it. Elsewhere they are a setting: whom the API server trusts.
func (r runtimeFields) isBundle() bool { return strings.HasSuffix(r.paths[0], "caBundle") }

// asksForBundle reports whether the metadata of an object asks the service signer, cert-manager or the
// operator lifecycle manager to write certificates of their authority into it.
func asksForBundle(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	for _, key := range []string{"annotations", "labels"} {
		asks, _ := metadata[key].(map[string]any)
		for k, v := range asks {
			if v == "false" || v == "" {
				continue
			}
			if strings.HasSuffix(k, ".openshift.io/inject-cabundle") || strings.HasPrefix(k, "cert-manager.io/inject-") ||
				k == "olm.owner" {
				return true
			}
		}
	}
	return false
}
