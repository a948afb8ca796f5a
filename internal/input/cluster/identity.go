package cluster

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
)

// Identity is the set of values that distinguish clusters. An unknown value is "".
type Identity [3]string

// Indices of the values of an Identity, in the order of preference for the cluster's name.
const (
	infrastructureName = iota // status.infrastructureName of Infrastructure
	clusterID                 // spec.clusterID of ClusterVersion
	systemUID                 // the UID of the Namespace kube-system, constant while the cluster exists
)

// kinds returns a bit set of the known values.
func (a Identity) kinds() int {
	kinds := 0
	for i, value := range a {
		if value != "" {
			kinds |= 1 << i
		}
	}
	return kinds
}

// known returns the number of known values.
func (a Identity) known() int { return bits.OnesCount(uint(a.kinds())) }

// agrees reports whether two identities share at least one known value and differ in none.
func (a Identity) agrees(b Identity) bool {
	same := false
	for i, mine := range a {
		same = same || mine != "" && mine == b[i]
	}
	return same && !a.contradicts(b)
}

// contradicts reports whether two identities differ in a value that both know.
func (a Identity) contradicts(b Identity) bool {
	for i, mine := range a {
		if mine != "" && b[i] != "" && mine != b[i] {
			return true
		}
	}
	return false
}

// with returns the identity, with unknown values filled in from b.
func (a Identity) with(b Identity) Identity {
	for i := range a {
		a[i] = cmp.Or(a[i], b[i])
	}
	return a
}

// name returns the first known value, by which users know the cluster; "" for none.
func (a Identity) name() string { return cmp.Or(a[:]...) }

// identityOf returns the identity that an object states for its cluster.
func identityOf(o *manifest.Object) Identity {
	const configVersion = "config.openshift.io/v1"
	switch id := o.ID; {
	case o.Wrapper != "": // it may be applied to any cluster
		return Identity{}
	case id.Kind == "Namespace" && id.APIVersion == "v1" && id.Name == "kube-system":
		return Identity{systemUID: o.UID}
	case id.Kind == "ClusterVersion" && id.APIVersion == configVersion:
		return Identity{clusterID: textIn(o, "spec", "clusterID")}
	case id.Kind == "Infrastructure" && id.APIVersion == configVersion:
		return Identity{infrastructureName: textIn(o, "status", "infrastructureName")}
	}
	return Identity{}
}

// textIn returns the scalar at a path of keys in an object as text without surrounding white space;
// "" if it does not exist.
func textIn(o *manifest.Object, keys ...string) string {
	m, err := o.Decode()
	if err != nil {
		return "" // reported if the object is wanted
	}
	var v any = m
	for _, key := range keys {
		fields, _ := v.(map[string]any)
		v = fields[key]
	}
	switch v.(type) {
	case nil, map[string]any, []any:
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(v))
}
