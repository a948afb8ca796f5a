package patch

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// immutable lists the fields that the API server does not change, by group and kind. A field behind a
// minus may be changed although the field above it may not. Fields that some versions of Kubernetes
// or some states of a CR change are left out.
const immutable = `
v1 Service: spec.clusterIP spec.clusterIPs spec.loadBalancerClass
v1 PersistentVolumeClaim: spec -spec.resources -spec.volumeName -spec.volumeAttributesClassName
v1 PersistentVolume: spec.volumeMode spec.csi spec.nfs spec.local spec.hostPath spec.iscsi spec.fc
v1 Pod: spec -spec.containers -spec.initContainers -spec.ephemeralContainers -spec.activeDeadlineSeconds
 -spec.terminationGracePeriodSeconds -spec.tolerations -spec.schedulingGates -spec.nodeSelector -spec.affinity
v1 ResourceQuota: spec.scopes
v1 Secret: type
apps Deployment: spec.selector
apps DaemonSet: spec.selector
apps ReplicaSet: spec.selector
apps StatefulSet: spec -spec.replicas -spec.template -spec.updateStrategy -spec.ordinals -spec.minReadySeconds
 -spec.revisionHistoryLimit -spec.persistentVolumeClaimRetentionPolicy
apps ControllerRevision: data
batch Job: spec.selector spec.template spec.completionMode spec.podFailurePolicy spec.successPolicy
 spec.backoffLimitPerIndex spec.managedBy
rbac.authorization.k8s.io RoleBinding: roleRef
rbac.authorization.k8s.io ClusterRoleBinding: roleRef
storage.k8s.io StorageClass: provisioner parameters reclaimPolicy volumeBindingMode
storage.k8s.io CSIDriver: spec.attachRequired spec.volumeLifecycleModes
storage.k8s.io VolumeAttachment: spec
storage.k8s.io VolumeAttributesClass: driverName parameters
scheduling.k8s.io PriorityClass: value preemptionPolicy
node.k8s.io RuntimeClass: handler
networking.k8s.io IngressClass: spec.controller
discovery.k8s.io EndpointSlice: addressType
certificates.k8s.io CertificateSigningRequest: spec
apiextensions.k8s.io CustomResourceDefinition: spec.group spec.scope
`

// unchangeable returns the fields of a merge patch for an object that the API server refuses to
// change, in the order of the patch, and whether the patch has other fields too.
func unchangeable(o finding.Object, input map[string]any, patch any) (fields []string, others bool) {
	rules := immutableOf(o)
	if input["immutable"] == true && (o.Kind == "ConfigMap" || o.Kind == "Secret") && o.APIVersion == "v1" {
		rules = append(rules, "data", "binaryData", "stringData", "immutable")
	}
	for _, path := range namedBelow(nil, patch) {
		field := path.String()
		refused := false
		for _, rule := range rules {
			above, allows := strings.CutPrefix(rule, "-")
			if under(path, above) || !allows && strings.HasPrefix(above, field+".") {
				refused = !allows
			}
		}
		if refused {
			fields = append(fields, field)
		}
		others = others || !refused
	}
	return fields, others
}

// under reports whether a path is a field or below it.
func under(path refconfig.FieldPath, field string) bool {
	for n := range path {
		if path[:n+1].String() == field {
			return true
		}
	}
	return false
}

// immutableOf returns what the list says about the kind of an object.
func immutableOf(o finding.Object) []string {
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped && group != "v1" {
		return nil
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(immutable, "\n ", " "), "\n") {
		if fields, is := strings.CutPrefix(line, group+" "+o.Kind+": "); is {
			return strings.Fields(fields)
		}
	}
	return nil
}
