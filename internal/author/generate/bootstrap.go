package generate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// This file tells the roles and bindings that API servers make from what users make of them.

// isBootstrap reports whether an API server makes a role or binding when it starts. It adds what somebody removed
// from it, unless it is told to leave the object alone, and keeps what somebody added.
func isBootstrap(object map[string]any) bool {
	updated := tree.StringAt(object, "metadata", "annotations", "rbac.authorization.kubernetes.io/autoupdate")
	return updated == "true" || updated != "false" &&
		tree.StringAt(object, "metadata", "labels", "kubernetes.io/bootstrapping") == "rbac-defaults"
}

// isExtended reports whether a role or binding that an API server makes says that another program manages a part of it.
func isExtended(object map[string]any) bool {
	return slices.ContainsFunc([]string{"rules", "subjects"}, func(key string) bool {
		return isManaged(object, refconfig.PathOf(key), nil,
			"kube-apiserver", "hyperkube", "openshift-apiserver", "kube-controller-manager", "openshift-controller-manager",
			"clusterrole-aggregation-controller", "cluster-version-operator", "cluster-bootstrap")
	})
}

// hasUsers reports whether an object is a binding with a subject that is none of the platform, or that gives a role for
// administrators to everybody. Clusters make no such binding.
func hasUsers(object map[string]any) bool {
	isBinding := object["kind"] == "ClusterRoleBinding" || object["kind"] == "RoleBinding"
	subjects, _ := object["subjects"].([]any)
	ofAdministrators := slices.Contains(
		[]string{"cluster-admin", "admin", "edit", "cluster-reader", "sudoer"}, tree.StringAt(object, "roleRef", "name"),
	)
	return isBinding && slices.ContainsFunc(subjects, func(subject any) bool {
		name := tree.StringAt(subject, "name")
		isEverybody := strings.HasSuffix(name, "authenticated") || name == "system:anonymous" || name == "system:serviceaccounts" ||
			name == "system:authenticated:oauth"
		return !isOfPlatform(subject) || ofAdministrators && isEverybody
	})
}

// isOfPlatform reports whether a subject of a binding can be one of Kubernetes or OpenShift.
func isOfPlatform(subject any) bool {
	name, isSystem := strings.CutPrefix(tree.StringAt(subject, "name"), "system:")
	if tree.StringAt(subject, "kind") == "ServiceAccount" {
		return isOfRelease(tree.StringAt(subject, "namespace"))
	}
	account, isAccount := strings.CutPrefix(name, "serviceaccount:")
	of, isNamespace := strings.CutPrefix(name, "serviceaccounts:")
	if isAccount {
		of, _, _ = strings.Cut(account, ":")
	}
	return isSystem && (!isAccount && !isNamespace || isOfRelease(of))
}

// isOfRelease reports whether a namespace is one of Kubernetes or OpenShift.
func isOfRelease(namespace string) bool {
	return strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-") || namespace == "openshift"
}

// ofSameRelease reports whether two clusters have the same release, or none is known.
func (p *pairing) ofSameRelease() bool {
	return cmp.Or(p.base.version, p.base.kubelet) == cmp.Or(p.other.version, p.other.kubelet)
}

// grantsOther reports whether two clusters differ in what a role or binding grants that their API servers make.
// Rules also differ between two releases, and those of a role that has the rules of others are none of its own.
func (p *pairing) grantsOther(base, other map[string]any) bool {
	keys := []string{"subjects", "users", "groups"}
	if p.ofSameRelease() {
		keys = append(keys, "rules", "aggregationRule")
	}
	if base["aggregationRule"] != nil && other["aggregationRule"] != nil {
		keys = slices.DeleteFunc(keys, func(key string) bool { return key == "rules" })
	}
	items := func(v any) []string {
		all, isList := v.([]any)
		if !isList && v != nil {
			all = []any{v}
		}
		texts := align.Texts(all)
		slices.Sort(texts)
		return texts
	}
	return !tree.Equal(base["roleRef"], other["roleRef"]) || slices.ContainsFunc(keys, func(key string) bool {
		return !slices.Equal(items(base[key]), items(other[key]))
	})
}
