package generate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// Reason is a reason for omitting CRs, unless users include them.
type Reason struct {
	Name string // name for --include
	Why  string
}

// Reasons returns all reasons. The first that applies to a CR counts.
func Reasons() []Reason {
	return []Reason{
		{"secrets", "of kind Secret, whose data is never written"},
		{"events", "of kind Event, which records what happened"},
		{"pods", "of kind Pod, which other CRs create"},
		{"owned", "owned by another CR"},
		{"generated", "made by the cluster or its operators"},
	}
}

// OwnValues is the name by which users include what the only cluster has of its own, see Owns.
const OwnValues = "own"

// Includes returns the names of what users can include: CRs with a Reason, and OwnValues.
func Includes() (names []string) {
	for _, r := range Reasons() {
		names = append(names, r.Name)
	}
	return append(names, OwnValues)
}

// NotSelected is the reason for omitting CRs that Options.Kinds or Options.Namespaces do not
// select.
const NotSelected = "not of the selected kinds and namespaces"

// selection decides which CRs a reference has.
type selection struct{ opt Options }

// reason returns why a CR is omitted because of its identity or owners; "" for no reason.
func (s selection) reason(o *manifest.Object) string {
	if !s.asked(o.ID) {
		return NotSelected
	}
	group, kind := o.ID.Group(), o.ID.Kind
	switch {
	case group == "" && secret.OfKind(kind).IsObject():
		return s.unless("secrets")
	case kind == "Event" && (group == "" || group == "events.k8s.io"):
		return s.unless("events")
	case group == "" && kind == "Pod":
		return s.unless("pods")
	}
	if len(o.Owners) > 0 && s.unless("owned") != "" {
		return "owned"
	}
	isOfPerson := group == "apps" && kind == "ReplicaSet" && len(o.Owners) == 0
	if isGenerated(o.ID) && !isOfPerson {
		return s.unless("generated")
	}
	return ""
}

// reasonIn returns why a CR is omitted because of its metadata; "" for no reason.
func (s selection) reasonIn(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if hasUsers(object) && !isDefaultBinding(object) {
		return ""
	}
	if saysGenerated(metadata, labels, annotations) || isDefaultBinding(object) || isDefaultAccount(object) ||
		isTrustBundle(object) || isBootstrap(object) && !isExtended(object) {
		return s.unless("generated")
	}
	return ""
}

// Omitted returns the reasons for which CRs are omitted, in the order of Reasons, and how many of the CRs
// each applies to.
func (o Options) Omitted(objects []*manifest.Object) (all []finding.Named) {
	counts := map[string]int{}
	s := selection{o}
	for _, object := range objects {
		name := s.reason(object)
		if name == "" {
			if v, err := object.Decode(); err == nil {
				name = s.reasonIn(v)
			}
		}
		counts[name]++
	}
	for _, r := range Reasons() {
		if n := counts[r.Name]; n > 0 {
			all = append(all, finding.Named{Name: r.Name, What: r.Why, Count: n})
		}
	}
	return all
}

// unless returns the name of a reason, or "" if users include CRs with that reason.
func (s selection) unless(name string) string {
	if slices.Contains(s.opt.Include, name) {
		return ""
	}
	return name
}

// asked reports whether the options select the kind and the namespace of a CR. A Namespace counts
// as a CR in the namespace of its name.
func (s selection) asked(id manifest.ID) bool {
	in := id.Namespace
	if id.Kind == "Namespace" && id.Group() == "" {
		in = id.Name
	}
	return (len(s.opt.Kinds) == 0 || isOf(s.opt.Kinds, id)) &&
		(len(s.opt.Namespaces) == 0 || in != "" && matches(s.opt.Namespaces, in)) &&
		(len(s.opt.Names) == 0 || matches(s.opt.Names, id.Name))
}

// isOptional reports whether the template of a CR is optional. lacks says that some clusters lack the CR.
func (s selection) isOptional(id manifest.ID, lacks bool) bool {
	return isOf(s.opt.Optional, id) || lacks && !isOf(s.opt.Required, id)
}

// isOf reports whether one of some kinds is that of a CR.
func isOf(kinds []finding.Selector, id manifest.ID) bool {
	return slices.ContainsFunc(kinds, func(k finding.Selector) bool { return k.Matches(finding.Object(id)) })
}

// matches reports whether one of some globs matches a name.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		met, _ := path.Match(glob, name)
		return met
	})
}

// generatedKinds are the CRs that a cluster makes by itself: globs of GROUP/KIND, or of
// GROUP/KIND/NAME.
const generatedKinds = "/Endpoints /Node /ComponentStatus /ConfigMap/kube-root-ca.crt /ConfigMap/openshift-service-ca.crt " +
	"/ConfigMap/revision-status-* /ConfigMap/openshift-install /ConfigMap/openshift-install-manifests " +
	"/ConfigMap/etcd-endpoints /ConfigMap/etcd-scripts /ConfigMap/etcd-pod /ConfigMap/restore-etcd-pod /ConfigMap/kube-apiserver-pod " +
	"/ConfigMap/kube-controller-manager-pod /ConfigMap/kube-scheduler-pod " +
	"metrics.k8s.io/* apiserver.openshift.io/APIRequestCount " +
	"packages.operators.coreos.com/* apps/ControllerRevision apps/ReplicaSet discovery.k8s.io/EndpointSlice coordination.k8s.io/Lease " +
	"certificates.k8s.io/CertificateSigningRequest storage.k8s.io/CSINode storage.k8s.io/CSIStorageCapacity storage.k8s.io/VolumeAttachment " +
	"operators.coreos.com/ClusterServiceVersion operators.coreos.com/InstallPlan operators.coreos.com/Operator operators.coreos.com/OperatorCondition " +
	"apiextensions.k8s.io/CustomResourceDefinition config.openshift.io/ClusterOperator machineconfiguration.openshift.io/ControllerConfig " +
	"network.openshift.io/HostSubnet network.openshift.io/NetNamespace nmstate.io/NodeNetworkState nmstate.io/NodeNetworkConfigurationEnactment " +
	"sriovnetwork.openshift.io/SriovNetworkNodeState topology.node.k8s.io/NodeResourceTopology"

// isGenerated reports whether a cluster makes the CR of an identity by itself. Users can give ConfigMaps of their own
// the names of those that operators make in namespaces of the release.
func isGenerated(id manifest.ID) bool {
	kind := id.Group() + "/" + id.Kind
	for glob := range strings.FieldsSeq(generatedKinds) {
		ofKind, _ := path.Match(glob, kind)
		itself, _ := path.Match(glob, kind+"/"+id.Name)
		if ofKind || itself && (strings.HasSuffix(glob, "-ca.crt") || isOfRelease(id.Namespace)) {
			return true
		}
	}
	return false
}

// saysGenerated reports whether the metadata of a CR says that the cluster made the CR and resets
// changes to it.
func saysGenerated(metadata, labels, annotations map[string]any) bool {
	in := tree.StringAt(metadata, "namespace")
	mayBeOfRelease := in == "" || in == "default" || isOfRelease(in) // users can copy its CRs into their own namespaces
	for key := range annotations {
		if mayBeOfRelease && strings.HasPrefix(key, "include.release.openshift.io/") &&
			annotations["release.openshift.io/create-only"] != "true" {
			return true
		}
	}
	has := func(m map[string]any, keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return ok })
	}
	return has(metadata, "generateName") || annotations["apf.kubernetes.io/autoupdate-spec"] == "true" ||
		labels["samples.operator.openshift.io/managed"] == "true" ||
		has(labels, "olm.copiedFrom", "kube-aggregator.kubernetes.io/automanaged") ||
		has(
			annotations,
			"control-plane.alpha.kubernetes.io/leader",
			"pv.kubernetes.io/provisioned-by",
			"machineconfiguration.openshift.io/generated-by-controller-version",
		)
}

// defaultBindings returns the bindings that OpenShift makes in each namespace: the name of the role, and the kind
// and the name of the only subject. The name of a group ends in the namespace.
func defaultBindings() map[string][3]string {
	return map[string][3]string{
		"system:deployers":      {"system:deployer", "ServiceAccount", "deployer"},
		"system:image-builders": {"system:image-builder", "ServiceAccount", "builder"},
		"system:image-pullers":  {"system:image-puller", "Group", "system:serviceaccounts:"},
	}
}

// isDefaultBinding reports whether an object is a binding as OpenShift makes it in each namespace. A user may have
// added subjects to it.
func isDefaultBinding(object map[string]any) bool {
	name, in := tree.StringAt(object, "metadata", "name"), tree.StringAt(object, "metadata", "namespace")
	subjects, _ := object["subjects"].([]any)
	want, is := defaultBindings()[name]
	if !is || len(subjects) != 1 || object["kind"] != "RoleBinding" {
		return false
	}
	of := subjects[0]
	if want[1] == "Group" {
		want[2] += in
	} else if tree.StringAt(of, "namespace") != in {
		return false
	}
	got := [3]string{tree.StringAt(object, "roleRef", "name"), tree.StringAt(of, "kind"), tree.StringAt(of, "name")}
	return got == want && tree.StringAt(object, "roleRef", "kind") != "Role"
}

// isDefaultAccount reports whether an object is a ServiceAccount as it is made in each namespace, with Secrets of
// generated names.
func isDefaultAccount(object map[string]any) bool {
	name := tree.StringAt(object, "metadata", "name")
	if object["kind"] != "ServiceAccount" || !slices.Contains([]string{"default", "builder", "deployer"}, name) {
		return false
	}
	for at, v := range tree.Leaves(object) {
		switch at[0].Key {
		case "apiVersion", "kind":
		case "metadata":
			isSetting := len(at) > 2 && (at[1].Key == "labels" || at[1].Key == "finalizers" || at[1].Key == "annotations" &&
				!slices.Contains([]string{registrySecret, "kubectl.kubernetes.io/last-applied-configuration"}, at[2].Key))
			if isSetting {
				return false
			}
		case "secrets", "imagePullSecrets":
			if at[len(at)-1].Key != "name" || !mayBeToken(object, "", map[string]any{"name": v}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isTrustBundle reports whether an object has nothing but the certificates that the cluster writes into it.
func isTrustBundle(object map[string]any) bool {
	data, _ := object["data"].(map[string]any)
	return tree.StringAt(object, "metadata", "labels", "config.openshift.io/inject-trusted-cabundle") == "true" &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(data)), func(key string) bool { return key != "ca-bundle.crt" })
}
