package explain

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
)

// NotFound is the error for a subject that names neither an object of the input nor a template.
type NotFound struct {
	Subject string
	Reason  string   // what exists instead, if known
	Near    []string // suggestions in the notation of subjects, the most likely first
}

// Error returns the message with the suggestions.
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

// find returns the indexes of the objects, and the templates, that a subject names. A subject is also
// read as overviews write it: "KIND NAMESPACE/NAME", or "KIND * (TEMPLATE)". If it names neither, but
// is the name of objects that templates state, these templates are meant.
func (x explainer) find(subject string) ([]int, []*render.Template) {
	if before, file, ok := strings.Cut(strings.TrimSuffix(subject, ")"), "("); ok && subject != before {
		subject = file
	}
	templates := x.named(subject)
	s, err := finding.ParseSelector(strings.Replace(subject, " ", "/", 1))
	if err != nil {
		return nil, templates
	}
	var objects, exact []int // kind in any case, and exactly as written
	for at, o := range x.study.Objects() {
		if !s.Matches(finding.Object(o.ID)) {
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
	if len(objects)+len(templates) == 0 {
		templates = slice.Filter(x.study.Templates(), func(t *render.Template) bool { return states(t.Identity, s) })
	}
	return objects, templates
}

// named returns the templates with a path, or the only one with a file name.
func (x explainer) named(name string) []*render.Template {
	all := x.study.Templates()
	named := slice.Filter(all, func(t *render.Template) bool { return sameTemplate(t.Ref, name) })
	if len(named) > 0 {
		return named
	}
	named = slice.Filter(all, func(t *render.Template) bool { return path.Base(t.Ref.Path) == name })
	if len(named) > 1 {
		return nil
	}
	return named
}

// states reports whether a selector names the objects of a template. One that names a single object
// does so only if the template states the name.
func states(id template.Identity, s finding.Selector) bool {
	kind, _ := id.Kind.Exact()
	version, _ := id.APIVersion.Exact()
	if !s.OfKind(finding.Object{APIVersion: version, Kind: kind}) ||
		s.HasNamespace && !mayBe(id.Namespace, s.Namespace) {
		return false
	}
	return s.Name == "" || s.Name == "*" || id.Name.Fixed() && mayBe(id.Name, s.Name)
}

// mayBe reports whether a template's field can have a text, or a text that matches a glob.
func mayBe(m template.Matcher, glob string) bool {
	stated, exact := m.Exact()
	return m.Matches(glob) || exact && finding.Globs(glob, stated)
}

// mostNear is the largest number of suggestions in a message.
const mostNear = 4

// notFound returns the suggestions for a subject that names nothing.
func (x explainer) notFound(subject string) *NotFound {
	n := &NotFound{Subject: subject}
	var paths, files []string // paths of all templates, and of those with the same file name
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
	n.Near = distinct(slices.Concat(
		files, []string{code.Nearest(subject, ofKind)}, namesakes, []string{code.Nearest(subject, paths)},
	))
	switch {
	case !ok && len(n.Near) == 0:
		n.Reason = "write KIND/NAME, KIND/NAMESPACE/NAME, KIND, or the path of a template of the reference"
	case !ok || len(files) > 0:
	case len(ofKind) > 0 && len(n.Near) == 0:
		n.Reason = fewOf(ofKind)
	case len(ofKind) > 0:
	case slices.Contains(kinds, s.Kind):
		n.Reason = "the input has CRs of the kind " + s.Kind + ", but none in the group \"" + s.Group + "\""
	default:
		if templates := x.templatesOf(s.Kind); len(templates) > 0 {
			n.Reason = "the input has no CR of the kind " + s.Kind
			n.Near = templates
			break
		}
		n.Near = distinct(append(n.Near, code.Nearest(s.Kind, kinds)))
		n.Reason = "there is no such kind in either"
	}
	n.Near = n.Near[:min(len(n.Near), mostNear)]
	return n
}

// fewOf lists the first few objects.
func fewOf(things []string) string {
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
		if t.Identity.Kind.Matches(kind) {
			paths = append(paths, t.Ref.Path)
		}
	}
	return paths
}

// distinct removes empty names and duplicates.
func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
