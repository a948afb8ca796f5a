package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Lost is a value that claims to be CRs but cannot be compared, so the cluster's CRs are unknown.
type Lost struct {
	refconfig.Problem
	Kinds []string // of the CRs, as far as it names them
}

// lose records a value that is lost. kind is that of its CRs, "" where it does not say it.
func (r *reader) lose(h *head, item int, kind, message string) {
	l := Lost{Problem: refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, item), Message: message}}
	if kind != "" {
		l.Kinds = []string{kind}
	}
	r.out.Lost = append(r.out.Lost, l)
}

// isMeant reports whether a value that is no object has the kind and the metadata of one, or
// metadata and a kind that is no text.
func (h *head) isMeant() bool {
	return !h.isObject() && h.metadata && (h.kind != "" || h.oddKind && h.apiVersion != "")
}

// loseUnnamed records an object that does not say its apiVersion or its kind.
func (r *reader) loseUnnamed(h *head, item int) {
	what, lacks := "this", "apiVersion and kind"
	if h.kind != "" {
		what, lacks = "this "+h.kind, "apiVersion"
	} else if h.apiVersion != "" {
		lacks = "kind"
	}
	r.lose(
		h, item, h.kind, fmt.Sprintf("%s has no valid %s, so it was not compared; add what is missing", what, lacks),
	)
}

// loseRest records a List of which its server still has items.
func (r *reader) loseRest(h *head, outer int) bool {
	const emptied = "null" // by support-bundle-kit
	nothing := []string{"", "0", emptied}
	if slices.Contains(nothing, h.rest) && slices.Contains(nothing, h.remaining) {
		return false
	}
	kind := strings.TrimSuffix(h.kind, "List")
	what := "CRs"
	if kind != "" {
		what = "items of kind " + kind
	}
	message := fmt.Sprintf("this List is incomplete: more %s are on the server "+
		"(its metadata has continue or remainingItemCount); get the whole List, as oc get does", what)
	if kind == "" { // it can be any
		p := refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, outer), Message: message}
		r.out.Problems = append(r.out.Problems, p)
		return true
	}
	r.lose(h, outer, kind, message)
	return true
}
