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
	Kinds string   // kinds, or KIND/NAMESPACE/NAME, separated by spaces; "" for every kind of every group
	paths []string // paths of the fields; a * at the end matches the rest of a key
}

// consoleKind is the kind of the console of OpenShift. Its operator notes there which versions of other
// CRs it has seen.
const consoleKind = "Deployment/openshift-console/console"

// allRuntimeFields returns the fields to omit in addition to the built-in list of every reference.
func allRuntimeFields() []runtimeFields {
	return []runtimeFields{
		{runtimeList, "", "", []string{
			"metadata.ownerReferences", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds",
			`metadata.annotations."deployment.kubernetes.io/revision"`, `metadata.annotations."pv.kubernetes.io/"*`,
			`metadata.annotations."volume.kubernetes.io/"*`, `metadata.annotations."volume.beta.kubernetes.io/"*`,
			`metadata.annotations."openshift.io/sa.scc."*`, `metadata.annotations."olm.providedAPIs"`,
			`metadata.labels."olm.operatorgroup.uid/"*`, `metadata.labels."operators.coreos.com/"*`,
		}},
		{"daemon-set", "apps", "DaemonSet", []string{`metadata.annotations."deprecated.daemonset.template.generation"`}},
		{"console", "apps", consoleKind, []string{
			`metadata.annotations."console.openshift.io/"*`, `spec.template.metadata.annotations."console.openshift.io/"*`,
		}},
		{"image-registry", "imageregistry.operator.openshift.io", "Config", []string{"spec.httpSecret"}},
		{"registry", "apps", "Deployment/openshift-image-registry/image-registry", []string{
			"spec.template.spec.securityContext.fsGroup",
		}},
		{"router", "apps", "Deployment/openshift-ingress/router-default", []string{
			`spec.template.metadata.labels."ingresscontroller.operator.openshift.io/hash"`,
		}},
		{"machine", "machine.openshift.io", "Machine", []string{
			"spec.providerID", `metadata.annotations."machine.openshift.io/instance-state"`,
		}},
		{"namespace", "", "Namespace", []string{"spec.finalizers"}},
		{
			"service",
			"",
			"Service",
			[]string{"spec.clusterIP", "spec.clusterIPs", "spec.healthCheckNodePort", "spec.ports.*.nodePort"},
		},
		{"service-account", "", "ServiceAccount", []string{"secrets", "imagePullSecrets"}},
		{"volume", "", "PersistentVolume", []string{"spec.claimRef"}},
		{"volume-claim", "", "PersistentVolumeClaim", []string{"spec.volumeName"}},
		{
			"job",
			"batch",
			"Job",
			[]string{`metadata.labels."batch.kubernetes.io/controller-uid"`, "metadata.labels.controller-uid",
				`spec.selector.matchLabels."batch.kubernetes.io/controller-uid"`, "spec.selector.matchLabels.controller-uid",
				`spec.template.metadata.labels."batch.kubernetes.io/controller-uid"`, "spec.template.metadata.labels.controller-uid"},
		},
		{"webhook", "admissionregistration.k8s.io", "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
			[]string{"webhooks.*.clientConfig.caBundle"}},
		{"api-service", "apiregistration.k8s.io", "APIService", []string{"spec.caBundle"}},
		{
			"definition",
			"apiextensions.k8s.io",
			"CustomResourceDefinition",
			[]string{"spec.conversion.webhook.clientConfig.caBundle"},
		},
		{"cluster-version", "config.openshift.io", "ClusterVersion", []string{"spec.clusterID"}},
	}
}

// covers reports whether the fields are for a list of kinds that has the kind of a CR.
func (r runtimeFields) covers(id manifest.ID) bool {
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
		text, prefix := strings.CutSuffix(text, "*")
		path, _ := refconfig.ParseFieldPath(text) // all paths are valid
		all = append(all, refconfig.OmitEntry{Path: path, Prefix: prefix})
	}
	return all
}

// exactFields returns entries for the lists of a CR that allow something to somebody: what they have more
// is drift.
func exactFields(id manifest.ID, values []any) (all []refconfig.FieldFunction) {
	paths := map[string][]string{
		"rbac.authorization.k8s.io/Role": {"rules"}, "rbac.authorization.k8s.io/ClusterRole": {"rules"},
		"rbac.authorization.k8s.io/RoleBinding": {"subjects"}, "rbac.authorization.k8s.io/ClusterRoleBinding": {"subjects"},
		"networking.k8s.io/NetworkPolicy": {"spec.policyTypes", "spec.ingress", "spec.egress"},
	}
	for _, text := range paths[id.Group()+"/"+id.Kind] {
		at := refconfig.PathOf(strings.Split(text, ".")...)
		isThere := func(v any) bool { _, ok := tree.At(v, at); return ok }
		if !slices.ContainsFunc(values, func(v any) bool { return !isThere(v) }) {
			all = append(all, refconfig.FieldFunction{Path: at, Key: refconfig.Exact})
		}
	}
	return all
}

// stripper removes the fields that a cluster itself writes into CRs.
type stripper struct {
	all   []refconfig.OmitEntry
	kinds []runtimeFields
}

func newStripper(more []refconfig.OmitEntry) *stripper {
	s := &stripper{all: slices.Concat(refconfig.BuiltInOmit(), more)}
	for _, r := range allRuntimeFields() {
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
		if r.covers(id) && (!r.isBundle() || asksForBundle(object)) {
			entries, list = append(entries[:len(entries):len(entries)], r.Entries()...), r.List
		}
	}
	return tree.Omit(object, entries), list
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
		for k := range asks {
			if strings.HasSuffix(k, ".openshift.io/inject-cabundle") || strings.HasPrefix(k, "cert-manager.io/inject-") ||
				k == "olm.owner" {
				return true
			}
		}
	}
	return false
}

// bundles returns the certificates of authorities that were written into an object, by their path.
func (s *stripper) bundles(id manifest.ID, object map[string]any) map[string]string {
	all := map[string]string{}
	for _, r := range s.kinds {
		if !r.covers(id) || !r.isBundle() || !asksForBundle(object) {
			continue
		}
		for _, entry := range r.Entries() {
			for _, at := range tree.Expand(object, entry.Path) {
				if v, _ := tree.At(object, at); v != nil {
					all[at.String()], _ = v.(string)
				}
			}
		}
	}
	return all
}
