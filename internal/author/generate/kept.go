package generate

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// This file decides which CRs of two clusters are compared although one has a reason for omitting them: what
// somebody changed in them, nobody resets.

// isKept reports whether the template of a CR is made although that of the base has a reason for omitting it.
// Those that users can change in part only get one if they differ, see settle.
func (t *template) isKept(s selection, base map[string]any) bool {
	if t.pairing == nil || len(t.objects) < 2 {
		return false
	}
	other, err := t.objects[1].Decode()
	if err != nil {
		return false
	}
	switch why := cmp.Or(s.reason(t.objects[1]), s.reasonIn(other)); {
	case why == "", isBootstrap(base) && isBootstrap(other) && t.pairing.grantsOther(base, other):
		t.leftOut = ""
		return true
	case why != t.leftOut:
		return false
	}
	return t.pairing.isSetting(t.id, base, other)
}

// isSetting reports whether users may have changed a CR that clusters make, without a cluster resetting it: a node,
// labels of a Namespace and roles of the same release, additions to SecurityContextConstraints, the only volume of a
// UID, what has a generated name that both clusters have, a definition of users, and what the ClusterVersion leaves
// alone.
func (p *pairing) isSetting(id manifest.ID, base, other map[string]any) bool {
	group := id.Group()
	switch {
	case group == "" && id.Kind == "Node", tree.StringAt(base, "metadata", "generateName") != "":
		return true
	case group == "" && id.Kind == "Namespace":
		return p.ofSameRelease()
	case group == "rbac.authorization.k8s.io":
		return p.ofSameRelease() && p.grantsOther(base, other)
	case group == "security.openshift.io" && id.Kind == "SecurityContextConstraints":
		return p.ofSameRelease() || p.grantsOther(base, other)
	case group == "" && id.Kind == "PersistentVolume":
		uid := tree.StringAt(base, "metadata", "uid")
		return uid != "" && uid == tree.StringAt(other, "metadata", "uid")
	}
	if isDefinition(id) {
		return isOfUsers(base) && isOfUsers(other)
	}
	id.APIVersion = group
	return slices.Contains(p.base.unmanaged, id) || slices.Contains(p.other.unmanaged, id)
}

// mayBeSetting reports whether a CR may be a setting although its identity is a reason for omitting it.
func mayBeSetting(id manifest.ID) bool {
	return id.Group() == "" && id.Kind == "Node" || isDefinition(id)
}

// isDefinition reports whether an identity is that of a CustomResourceDefinition.
func isDefinition(id manifest.ID) bool {
	return id.Group() == "apiextensions.k8s.io" && id.Kind == "CustomResourceDefinition"
}

// isOfUsers reports whether neither the release nor the operator lifecycle manager made a definition.
func isOfUsers(definition map[string]any) bool {
	group := tree.StringAt(definition, "spec", "group")
	return tree.StringAt(definition, "metadata", "labels", "olm.managed") == "" &&
		!isWithin(group, append(platformDomains(), "cni.cncf.io", "x-k8s.io", "metal3.io"))
}

// settle drops the template of a CR that is left out if it states what the other cluster has.
func (t *template) settle(stated, other any) {
	if t.leftOut == "" {
		return
	}
	if isSame(stated, other) {
		t.text = ""
	} else {
		t.leftOut = ""
	}
}

// isSame reports whether a template states exactly a value. An action prints it.
func isSame(stated, v any) bool {
	switch s := stated.(type) {
	case tree.Action:
		return true
	case map[string]any:
		of, isMap := v.(map[string]any)
		for k, one := range s {
			if x, has := of[k]; !has || !isSame(one, x) {
				return false
			}
		}
		return isMap && len(s) == len(of)
	case []any:
		of, isList := v.([]any)
		for i, one := range s {
			if i >= len(of) || !isSame(one, of[i]) {
				return false
			}
		}
		return isList && len(s) == len(of)
	}
	return tree.Equal(stated, v)
}

// readUnmanaged notes the CRs that a ClusterVersion is told to leave alone.
func (s *self) readUnmanaged(version map[string]any) {
	of, _ := tree.At(version, refconfig.PathOf("spec", "overrides"))
	overrides, _ := of.([]any)
	for _, one := range overrides {
		o, _ := one.(map[string]any)
		if o["unmanaged"] == true {
			s.unmanaged = append(s.unmanaged, manifest.ID{
				APIVersion: tree.StringAt(o, "group"), Kind: tree.StringAt(o, "kind"),
				Namespace: tree.StringAt(o, "namespace"), Name: tree.StringAt(o, "name"),
			})
		}
	}
}
