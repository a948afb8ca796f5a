package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// value processes the value of a document.
func (r *reader) value(h *head) {
	switch {
	case h.sequence:
		r.sequence(h)
	case r.twoInOne(h, -1):
	case h.isList():
		r.list(h, -1)
	case h.isObject():
		r.object(h, -1)
	default:
		r.noObject(h)
	}
}

// twoInOne reports a document or item with the fields of two objects: a decoder would keep only the
// last one.
func (r *reader) twoInOne(h *head, item int) bool {
	if h.again == 0 || h.apiVersion == "" && h.kind == "" {
		return false
	}
	where, how := "document", "put a line with --- between them, or remove what a merge left"
	if item >= 0 {
		where, how = "item", "make each an item of its own"
	}
	r.problem(h.again, item, fmt.Sprintf(
		"another CR starts here in the same %s, so the CRs cannot be separated; %s", where, how))
	return true
}

// problem records that CRs of the file cannot be read.
func (r *reader) problem(line, item int, message string) {
	r.out.Problems = append(r.out.Problems, refconfig.Problem{
		Code: code.DocumentBroken, Place: r.place(line, item), Message: message,
	})
}

// replaced reports CRs that a later field of the same name replaces in a decoder. line is that of
// the later field, 0 for none.
func (r *reader) replaced(name string, line, item int) bool {
	if line > 0 {
		r.problem(line, item, fmt.Sprintf(
			"%s occurs again in the same mapping, so the CRs in the earlier %s were not read; merge them", name, name))
	}
	return line > 0
}

// isList reports whether the value is a List. Null items make an empty List.
func (h *head) isList() bool { return h.list && strings.HasSuffix(h.kind, "List") }

func (h *head) isObject() bool { return h.apiVersion != "" && h.kind != "" }

func (h *head) id() ID {
	return ID{APIVersion: h.apiVersion, Kind: h.kind, Namespace: h.namespace, Name: h.name}
}

// fill sets missing apiVersion and kind to those of the surroundings. A value that is no map gets
// only the kind, for messages.
func (h *head) fill(apiVersion, kind string) {
	if h.apiVersion == "" && h.fields {
		h.apiVersion, h.source.apiVersion = apiVersion, apiVersion
	}
	if h.kind == "" {
		h.kind, h.source.kind = kind, kind
	}
}

// list processes the items of a List. Items of a typed List may omit apiVersion and kind. outer is
// the index of the item that contains the List, or -1; items of inner Lists count as that item.
func (r *reader) list(h *head, outer int) {
	if reason := notStored(h.apiVersion, h.kind); reason != "" {
		r.pass(r.place(h.line, outer), reason)
		return
	}
	listed := Listed{Place: r.place(h.line, outer), ResourceVersion: h.resourceVersion}
	if kind := strings.TrimSuffix(h.kind, "List"); kind != "" {
		listed.APIVersion, listed.Kind = h.apiVersion, kind
	}
	partial := r.replaced("items", h.itemsAgain, outer)
	partial = r.loseRest(h, outer) || partial
	if !partial && r.inside == nil { // a partial or nested List does not show what the cluster has
		r.out.Lists = append(r.out.Lists, listed)
	}
	for i, item := range h.items {
		if outer >= 0 {
			i = outer
		}
		item.fill(listed.APIVersion, listed.Kind)
		r.item(item, i)
	}
}

func (r *reader) item(h *head, index int) {
	switch {
	case r.twoInOne(h, index):
	case h.isList():
		r.list(h, index)
	case h.isObject():
		r.object(h, index)
	case r.inside != nil:
		r.inside.unknown = append(r.inside.unknown, h.line)
	case !h.isMeant() && r.nested(h, index):
	default:
		r.loseUnnamed(h, index)
	}
}

// sequence processes the elements of a document that is a list, or of items outside of a List.
func (r *reader) sequence(h *head) {
	any := false
	for _, item := range h.items {
		any = any || item.isObject() || item.isList() || item.isMeant()
	}
	r.replaced("items", h.itemsAgain, -1)
	if !any {
		if !r.nested(h, -1) {
			r.pass(r.at(h.line), r.noObjectReason(h))
		}
		return
	}
	for i, item := range h.items {
		r.item(item, i)
	}
}

func (r *reader) object(h *head, item int) {
	place := r.place(h.line, item)
	if h.kind == "Status" && h.apiVersion == "v1" {
		r.failed(h, place)
	}
	if reason := notStored(h.apiVersion, h.kind); reason != "" {
		if !holdsRequest(h.apiVersion) || !r.nested(h, item) {
			r.pass(place, reason)
		}
		return
	}
	if h.fingerprint && !h.metadata { // a finding about a CR, as --output ndjson writes it
		r.pass(place, PassedNoObject)
		return
	}
	if r.loseOdd(h, item) {
		return
	}
	if at := r.name.id; r.name.holds && h.namespace == "" && r.inside == nil && at.OfKind(h.kind) {
		h.namespace, r.out.Placed = at.Namespace, r.out.Placed || at.Namespace != ""
	}
	from := h.source
	from.origin, from.limits = 0, r.ofObject
	o := &Object{
		ID: h.id(), Place: place, UID: h.uid, ResourceVersion: h.resourceVersion, Owners: h.owners,
		source: &from, Unnamed: h.name == "" && !h.generated,
	}
	if groupOf(h.apiVersion) == kustomizeGroup { // its files need no name
		o.Unnamed = false
		r.kustomization(h)
	}
	if h.kind == "RoleBinding" || h.kind == "ClusterRoleBinding" {
		o.Subjects = h.subjects
	}
	if in := r.inside; in != nil {
		o.Wrapper, o.Compliance, o.UID, o.ResourceVersion = in.names, in.compliance, "", ""
	}
	if h.patch {
		o.Compliance = patched
	}
	r.out.Objects = append(r.out.Objects, o)
	r.loseRestOf(o, h)
	r.carry(o)
	if h.name == "" && r.name.gathered && r.inside == nil {
		r.out.Warnings = append(r.out.Warnings, refconfig.Problem{
			Code: code.ObjectWithoutName, Place: place, Message: "a CR has no name, although the cluster gave it one; the file may be truncated",
		})
	}
}

// noObject handles a value without apiVersion or kind.
func (r *reader) noObject(h *head) {
	unnamed := h.apiVersion == "" && h.kind == ""
	means := r.meaning(h)
	switch {
	case unnamed && h.metadata && !h.list && r.hints.Kind != "" && r.hints.APIVersion != "":
		h.fill(r.hints.APIVersion, r.hints.Kind)
		r.object(h, -1)
	case r.isBareList(h):
		r.cutOff(h)
		r.sequence(h)
	case r.cutOff(h):
	case means == meansCRs:
		r.loseUnnamed(h, -1)
	case r.nested(h, -1):
	case r.hints.Chart:
		r.pass(r.at(h.line), PassedRaw)
	case !h.fields:
		r.dropScalar(h)
	case means == meansMaybe:
		r.loseByName(r.at(h.line), PassedNoObject, code.ObjectLost, h.lacking())
	case h.sops && r.isSealed(h):
		r.loseText(r.at(h.line), PassedNoObject, "is encrypted as a whole with SOPS; decrypt it first")
	case r.name.excuse == "" && r.isReply(h):
		r.loseText(r.at(h.line), PassedNoObject, "is the reply of a web server that failed; get it again")
	default:
		if r.isMessage(h) {
			r.said = append(r.said, r.at(h.line))
		}
		switch r.name.excuse {
		case PassedKustomize:
			r.kustomization(h)
		case PassedTemplate:
			r.chart(h)
		case "":
			r.reference(h)
		}
		r.pass(r.at(h.line), r.noObjectReason(h))
	}
}

// cutOff reports a gathered YAML value with an apiVersion but no kind. Printers write kind after
// data and items, so a file that is cut off there may still be valid YAML.
func (r *reader) cutOff(h *head) bool {
	excused := r.name.excuse != "" && !slices.ContainsFunc(h.items, (*head).isObject)
	if !r.isYAML || h.apiVersion == "" || h.kind != "" || excused || !r.name.gathered && !h.list {
		return false
	}
	r.out.Problems = append(r.out.Problems, refconfig.Problem{
		Code: code.DocumentBroken, Place: r.at(h.line),
		Message: "apiVersion " + h.apiVersion + " without a kind; the file may be truncated",
	})
	return true
}

// isSealed reports whether a value is a file of any sort that SOPS encrypted as one text.
func (r *reader) isSealed(h *head) bool {
	n, _, _ := r.decoded(h)
	_, data := n.Field("data")
	return strings.HasPrefix(textOf(data), "ENC[")
}

// noObjectReason returns why a value without an object is passed over.
func (r *reader) noObjectReason(h *head) Reason {
	switch {
	case r.hints.Chart:
		return PassedRaw
	case !h.fields && !h.sequence: // null
		return PassedEmpty
	case r.name.excuse != "":
		return r.name.excuse
	}
	return PassedNoObject
}
