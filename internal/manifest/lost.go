package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Lost is a value that claims to be CRs but cannot be compared, so not all CRs of the cluster are
// known.
type Lost struct {
	refconfig.Problem
	Kinds []string // kinds of the CRs, as far as they are named
}

// lose records a lost value. kind is the kind of its CRs, "" if unknown.
func (r *reader) lose(h *head, item int, kind, message string) {
	l := Lost{Problem: refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, item), Message: message}}
	if kind != "" {
		l.Kinds = []string{kind}
	}
	r.out.Lost = append(r.out.Lost, l)
}

// isMeant reports whether a value that is not an object has kind and metadata, or metadata and a
// kind that is not a string.
func (h *head) isMeant() bool {
	return !h.isObject() && h.metadata && (h.kind != "" || h.oddKind && h.apiVersion != "")
}

// loseUnnamed records an object without apiVersion or kind.
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

// loseRest records a List whose server still has more items.
func (r *reader) loseRest(h *head, outer int) bool {
	const emptied = "null" // written by support-bundle-kit
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
	if kind == "" { // the kind is unknown
		p := refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, outer), Message: message}
		r.out.Problems = append(r.out.Problems, p)
		return true
	}
	r.lose(h, outer, kind, message)
	return true
}
