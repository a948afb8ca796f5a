package explain

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
)

// NotFound says that neither an object of the input nor a template of the reference is what was
// asked for.
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

// find returns the objects, by their indexes, and the templates that a subject names.
func (x explainer) find(subject string) ([]int, []*render.Template) {
	var templates []*render.Template
	for _, t := range x.study.Templates() {
		if sameTemplate(t.Ref, subject) {
			templates = append(templates, t)
		}
	}
	s, err := finding.ParseSelector(subject)
	if err != nil {
		return nil, templates
	}
	var objects, exact []int // of the kind in any case, and as it is written
	for at, o := range x.study.Objects() {
		if !s.Meets(finding.Object(o.ID)) {
			continue
		}
		objects = append(objects, at)
		if o.ID.Kind == s.Kind {
			exact = append(exact, at)
		}
	}
	if len(exact) > 0 {
		return exact, templates
	}
	return objects, templates
}

// mostNear is how many names a message suggests.
const mostNear = 4

// notFound says what is near a subject that names nothing.
func (x explainer) notFound(subject string) *NotFound {
	n := &NotFound{Subject: subject}
	var paths, files []string // of all templates, and of those of this file name
	for _, t := range x.study.Templates() {
		paths = append(paths, t.Ref.Path)
		if path.Base(t.Ref.Path) == path.Base(subject) {
			files = append(files, t.Ref.Path)
		}
	}
	s, err := finding.ParseSelector(subject)
	ok := err == nil
	var ofKind, namesakes, kinds []string
	for _, o := range x.study.Objects() {
		id := finding.Object(o.ID)
		kinds = append(kinds, id.Kind)
		if ok && s.OfKind(id) {
			ofKind = append(ofKind, id.Selector())
		}
		if s.Name != "" && id.Name == s.Name {
			namesakes = append(namesakes, id.Selector())
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
	case slices.Contains(kinds, s.Kind):
		n.Reason = "the input has CRs of the kind " + s.Kind + ", but none in the group \"" + s.Group + "\""
	default:
		if templates := x.templatesOf(s.Kind); len(templates) > 0 {
			n.Reason = "the input has no CR of the kind " + s.Kind
			n.Near = templates
			break
		}
		n.Near = slices.Concat(n.Near, near(s.Kind, kinds))
		n.Reason = "there is no such kind in either"
	}
	n.Near = distinct(n.Near)
	n.Near = n.Near[:min(len(n.Near), mostNear)]
	return n
}

// some lists a few of many objects.
func some(things []string) string {
	text := "the input has " + strconv.Itoa(
		len(things),
	) + " of this kind: " + strings.Join(things[:min(len(things), mostNear)], ", ")
	if len(things) > mostNear {
		text += ", …"
	}
	return text
}

// templatesOf returns the paths of the templates of a kind.
func (x explainer) templatesOf(kind string) []string {
	var paths []string
	for _, t := range x.study.Templates() {
		if t.Identity.Kind.Meets(kind) {
			paths = append(paths, t.Ref.Path)
		}
	}
	return paths
}

// near returns the names that come near to one, the nearest first: those with no more than half of
// their characters changed.
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
