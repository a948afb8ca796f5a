package gather

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
)

// Identity is what tells one cluster from another. A field is "" where nothing says it.
type Identity struct {
	ID             string // spec.clusterID of ClusterVersion
	System         string // the UID of the Namespace kube-system, which lives as long as its cluster
	Infrastructure string // status.infrastructureName of Infrastructure
}

// fields are the values of an identity in a fixed order.
func (a Identity) fields() []string { return []string{a.Infrastructure, a.ID, a.System} }

// known counts the fields that have a value.
func (a Identity) known() int {
	n := 0
	for _, f := range a.fields() {
		if f != "" {
			n++
		}
	}
	return n
}

// agrees reports whether a field that both have is the same, and none that both have differs.
func (a Identity) agrees(b Identity) bool {
	same := false
	for i, mine := range a.fields() {
		if mine != "" && mine == b.fields()[i] {
			same = true
		}
	}
	return same && !a.contradicts(b)
}

// contradicts reports whether a field that both have differs.
func (a Identity) contradicts(b Identity) bool {
	for i, mine := range a.fields() {
		if other := b.fields()[i]; mine != "" && other != "" && mine != other {
			return true
		}
	}
	return false
}

// with returns the identity with what only b knows filled in.
func (a Identity) with(b Identity) Identity {
	fill := func(mine *string, other string) {
		if *mine == "" {
			*mine = other
		}
	}
	fill(&a.ID, b.ID)
	fill(&a.System, b.System)
	fill(&a.Infrastructure, b.Infrastructure)
	return a
}

// name is what people call the cluster by: the first of the fields that is known, "" for none.
func (a Identity) name() string {
	for _, f := range a.fields() {
		if f != "" {
			return f
		}
	}
	return ""
}

// identityOf returns what an object says of its cluster.
func identityOf(o *manifest.Object) Identity {
	const configVersion = "config.openshift.io/v1"
	switch id := o.ID; {
	case id.Kind == "Namespace" && id.APIVersion == "v1" && id.Name == "kube-system":
		return Identity{System: o.UID}
	case id.Kind == "ClusterVersion" && id.APIVersion == configVersion:
		return Identity{ID: textIn(o, "spec", "clusterID")}
	case id.Kind == "Infrastructure" && id.APIVersion == configVersion:
		return Identity{Infrastructure: textIn(o, "status", "infrastructureName")}
	}
	return Identity{}
}

// textIn returns the scalar at a path of keys in an object as text, without blanks around it; "" where there is none.
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
