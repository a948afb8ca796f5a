package cluster

import (
	"cmp"
	"fmt"
	"math/bits"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
)

// Identity is what tells one cluster from another. A value is "" where nothing says it.
type Identity [3]string

// What the values of an identity are, in the order in which people call a cluster by them.
const (
	infrastructureName = iota // status.infrastructureName of Infrastructure
	clusterID                 // spec.clusterID of ClusterVersion
	systemUID                 // the UID of the Namespace kube-system, which lives as long as its cluster
)

// kinds returns which of the values are known, a bit each.
func (a Identity) kinds() int {
	kinds := 0
	for i, value := range a {
		if value != "" {
			kinds |= 1 << i
		}
	}
	return kinds
}

// known counts the values that are known.
func (a Identity) known() int { return bits.OnesCount(uint(a.kinds())) }

// agrees reports whether a value that both have is the same, and none that both have differs.
func (a Identity) agrees(b Identity) bool {
	same := false
	for i, mine := range a {
		same = same || mine != "" && mine == b[i]
	}
	return same && !a.contradicts(b)
}

// contradicts reports whether a value that both have differs.
func (a Identity) contradicts(b Identity) bool {
	for i, mine := range a {
		if mine != "" && b[i] != "" && mine != b[i] {
			return true
		}
	}
	return false
}

// with returns the identity with what only b knows filled in.
func (a Identity) with(b Identity) Identity {
	for i := range a {
		a[i] = cmp.Or(a[i], b[i])
	}
	return a
}

// name is what people call the cluster by: the first of the values that is known, "" for none.
func (a Identity) name() string { return cmp.Or(a[:]...) }

// identityOf returns what an object says of its cluster.
func identityOf(o *manifest.Object) Identity {
	const configVersion = "config.openshift.io/v1"
	switch id := o.ID; {
	case o.Wrapper != "": // it may go to any
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

// textIn returns the scalar at a path of keys in an object as text, without blanks around it; ""
// where there is none.
func textIn(o *manifest.Object, keys ...string) string {
	m, err := o.Decode()
	if err != nil {
		return "" // told where the object is wanted
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
