package finding

import (
	"fmt"
	"strings"
)

// Base describes the cluster that another one was compared with, in place of a reference.
type Base struct {
	Version string  `json:"version,omitempty"` // its release
	CRs     int     `json:"crs"`               // its CRs that count as configuration
	Kinds   int     `json:"kinds"`             // their kinds
	LeftOut []Named `json:"leftOut,omitempty"` // its other CRs, by the reason
	// the fields that every cluster has of its own, which agree whatever their values are, by what
	// they are
	Own []Named `json:"own,omitempty"`
	// these fields with both values, if expected variations are shown; by object, then by path
	Fields []BaseField `json:"fields,omitempty"`
}

// BaseField is a field, or a line of a text, that agrees although its values differ.
type BaseField struct {
	Object Object `json:"object"` // as the other cluster has it
	Path   string `json:"path"`
	Name   string `json:"name"` // what it is, as in Own
	Base   string `json:"base"`
	Other  string `json:"other"`
}

// Named is a count with its name and what it counts.
type Named struct {
	Name  string `json:"name"`
	What  string `json:"what"`
	Count int    `json:"count"`
}

// BaseFacts returns what was made of the cluster in place of a reference, as pairs of a label and a text.
// It returns nil if there is a reference.
func (r *Run) BaseFacts() (facts [][2]string) {
	b := r.Base
	if b == nil {
		return nil
	}
	facts = append(facts, [2]string{
		"compared", Plural(b.CRs, "CR", "CRs") + " of " + Plural(b.Kinds, "kind", "kinds") + Prefixed("; left out: ", listed(b.LeftOut)),
	})
	if v := r.Cluster.Version; b.Version != "" && v != "" && b.Version != v {
		facts = append(facts, [2]string{"version", b.Version + " → " + v})
	}
	if own := listed(b.Own); own != "" {
		facts = append(facts, [2]string{"own", "not compared, because every cluster has its own: " + own})
	}
	return facts
}

// listed lists counts behind their names: "hashes 3, times 1".
func listed(all []Named) string {
	var words []string
	for _, one := range all {
		words = append(words, fmt.Sprintf("%s %d", one.Name, one.Count))
	}
	return strings.Join(words, ", ")
}
