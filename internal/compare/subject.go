package compare

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
)

// NotFound says that neither an object of the input nor a template of the reference is what was asked for.
type NotFound struct {
	Subject string
	Reason  string   // what there is instead, if anything is known of it
	Near    []string // what was probably meant, in the notation of subjects; the most likely first
}

// Error says it with what is near.
func (n *NotFound) Error() string {
	message := "neither a CR of the input nor a template of the reference is \"" + n.Subject + "\""
	if n.Reason != "" {
		message += "; " + n.Reason
	}
	if len(n.Near) > 0 {
		message += "; did you mean " + strings.Join(n.Near, ", ") + "?"
	}
	return message
}

// wish is what a subject asks for, read as objects.
type wish struct {
	kind, group string // group, or version.group; only where grouped
	namespace   string // only where placed
	name        string // only where named
	grouped     bool
	placed      bool
	named       bool
}

// readWish reads KIND, KIND/NAME and KIND/NAMESPACE/NAME.
func readWish(subject string) (w wish, ok bool) {
	words := strings.Split(subject, "/")
	w.kind, w.group, w.grouped = strings.Cut(words[0], ".")
	switch len(words) {
	case 1:
	case 2:
		w.name, w.named = words[1], true
	case 3:
		w.namespace, w.name, w.placed, w.named = words[1], words[2], true, true
	default:
		return w, false
	}
	return w, w.kind != "" && (!w.named || w.name != "")
}

// meets reports whether an object is asked for. The kind is compared as it is written, or without its case.
func (w wish) meets(id manifest.ID, exactKind bool) bool {
	return w.ofKind(id, exactKind) && (!w.placed || w.namespace == id.Namespace) && (!w.named || w.name == id.Name)
}

func (w wish) ofKind(id manifest.ID, exactKind bool) bool {
	if w.kind != id.Kind && (exactKind || !strings.EqualFold(w.kind, id.Kind)) {
		return false
	}
	group, version, _ := strings.Cut(id.APIVersion, "/")
	return !w.grouped || w.group == id.Group() || w.group == strings.Trim(version+"."+group, ".")
}

// find returns the objects and the templates that a subject names.
func (x explainer) find(subject string) ([]*stored, []*render.Template) {
	var templates []*render.Template
	for _, t := range x.templates() {
		if sameTemplate(t.Ref, subject) {
			templates = append(templates, t)
		}
	}
	w, ok := readWish(subject)
	if !ok {
		return nil, templates
	}
	for _, exact := range []bool{true, false} {
		var objects []*stored
		for _, e := range x.store.distinct {
			if w.meets(e.object.ID, exact) {
				objects = append(objects, e)
			}
		}
		if len(objects) > 0 {
			return objects, templates
		}
	}
	return nil, templates
}

// mostNear is how many names a message suggests.
const mostNear = 4

// notFound says what is near a subject that names nothing.
func (x explainer) notFound(subject string) *NotFound {
	n := &NotFound{Subject: subject}
	var paths, files []string // of all templates, and of those of this file name
	for _, t := range x.templates() {
		paths = append(paths, t.Ref.Path)
		if path.Base(t.Ref.Path) == path.Base(subject) {
			files = append(files, t.Ref.Path)
		}
	}
	w, ok := readWish(subject)
	var ofKind, namesakes, kinds []string
	for _, e := range x.store.distinct {
		id := e.object.ID
		kinds = append(kinds, id.Kind)
		if ok && w.ofKind(id, false) {
			ofKind = append(ofKind, subjectOf(id))
		}
		if w.named && id.Name == w.name {
			namesakes = append(namesakes, subjectOf(id))
		}
	}
	n.Near = slices.Concat(files, near(subject, ofKind), namesakes, near(subject, paths))
	switch {
	case !ok && len(n.Near) == 0:
		n.Reason = "write KIND/NAME, KIND/NAMESPACE/NAME, KIND, or the path of a template of the reference"
	case !ok || len(files) > 0:
	case len(ofKind) > 0 && len(n.Near) == 0:
		n.Reason = some(ofKind)
	case len(ofKind) > 0:
	case slices.Contains(kinds, w.kind):
		n.Reason = "the input has CRs of the kind " + w.kind + ", but none in the group \"" + w.group + "\""
	default:
		if templates := x.templatesOf(w.kind); len(templates) > 0 {
			n.Reason = "the input has no CR of the kind " + w.kind
			n.Near = templates
			break
		}
		n.Near = slices.Concat(n.Near, near(w.kind, kinds))
		n.Reason = "there is no such kind in either"
	}
	n.Near = distinct(n.Near)
	n.Near = n.Near[:min(len(n.Near), mostNear)]
	return n
}

// some lists a few of many objects.
func some(things []string) string {
	text := "the input has " + strconv.Itoa(len(things)) + " of this kind: " + strings.Join(things[:min(len(things), mostNear)], ", ")
	if len(things) > mostNear {
		text += ", …"
	}
	return text
}

// templatesOf returns the paths of the templates of a kind.
func (x explainer) templatesOf(kind string) []string {
	var paths []string
	for _, t := range x.templates() {
		if t.Identity.Kind.Meets(kind) {
			paths = append(paths, t.Ref.Path)
		}
	}
	return paths
}

// subjectOf writes the identity of an object as a subject.
func subjectOf(id manifest.ID) string {
	if id.Namespace == "" {
		return id.Kind + "/" + id.Name
	}
	return id.Kind + "/" + id.Namespace + "/" + id.Name
}

// near returns the names that come near to one, the nearest first: those with no more than half of their characters changed.
func near(name string, names []string) []string {
	const longest = 200
	changed := make(map[string]int)
	var out []string
	for _, n := range names {
		if len(n) > longest || len(name) > longest {
			continue
		}
		changed[n] = align.Distance(strings.ToLower(name), strings.ToLower(n))
		if 2*changed[n] <= max(len(name), len(n)) {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return changed[a] - changed[b] })
	return out
}

// distinct drops what stands a second time.
func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
