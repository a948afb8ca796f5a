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

// selector is what a subject asks for, read as objects.
type selector struct {
	kind, group string // group, or version.group; only where grouped
	namespace   string // only where placed
	name        string // only where named
	grouped     bool
	placed      bool
	named       bool
}

// readSelector reads KIND, KIND/NAME and KIND/NAMESPACE/NAME.
func readSelector(subject string) (s selector, ok bool) {
	words := strings.Split(subject, "/")
	s.kind, s.group, s.grouped = strings.Cut(words[0], ".")
	switch len(words) {
	case 1:
	case 2:
		s.name, s.named = words[1], true
	case 3:
		s.namespace, s.name, s.placed, s.named = words[1], words[2], true, true
	default:
		return s, false
	}
	return s, s.kind != "" && (!s.named || s.name != "")
}

// meets reports whether an object is asked for. The kind is compared as it is written, or without its case.
func (s selector) meets(id manifest.ID, exactKind bool) bool {
	return s.ofKind(id, exactKind) && (!s.placed || s.namespace == id.Namespace) && (!s.named || s.name == id.Name)
}

func (s selector) ofKind(id manifest.ID, exactKind bool) bool {
	if s.kind != id.Kind && (exactKind || !strings.EqualFold(s.kind, id.Kind)) {
		return false
	}
	group, version, _ := strings.Cut(id.APIVersion, "/")
	return !s.grouped || s.group == id.Group() || s.group == strings.Trim(version+"."+group, ".")
}

// find returns the objects and the templates that a subject names.
func (x explainer) find(subject string) ([]*stored, []*render.Template) {
	var templates []*render.Template
	for _, t := range x.templates() {
		if sameTemplate(t.Ref, subject) {
			templates = append(templates, t)
		}
	}
	s, ok := readSelector(subject)
	if !ok {
		return nil, templates
	}
	for _, exact := range []bool{true, false} {
		var objects []*stored
		for _, e := range x.store.distinct {
			if s.meets(e.object.ID, exact) {
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
	s, ok := readSelector(subject)
	var ofKind, namesakes, kinds []string
	for _, e := range x.store.distinct {
		id := e.object.ID
		kinds = append(kinds, id.Kind)
		if ok && s.ofKind(id, false) {
			ofKind = append(ofKind, subjectOf(id))
		}
		if s.named && id.Name == s.name {
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
	case slices.Contains(kinds, s.kind):
		n.Reason = "the input has CRs of the kind " + s.kind + ", but none in the group \"" + s.group + "\""
	default:
		if templates := x.templatesOf(s.kind); len(templates) > 0 {
			n.Reason = "the input has no CR of the kind " + s.kind
			n.Near = templates
			break
		}
		n.Near = slices.Concat(n.Near, near(s.kind, kinds))
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
