package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// matches reports a template that no CR can match.
func (s *subject) matches() {
	never := func(at refconfig.Place, format string, args ...any) {
		s.never[s.Ref.Path] = true
		s.fail(code.RefNever, at, "no CR can match the template: "+format, args...)
	}
	if s.Literal {
		return
	}
	for _, c := range s.Calls() {
		if c.Always && c.Is("doNotMatch") {
			never(c.Place, "it always calls doNotMatch; move the call into a condition")
		}
	}
	id := s.Identity
	apiVersion, _ := id.APIVersion.Exact()
	kind, _ := id.Kind.Exact()
	if at, why := unknownKind(apiVersion, kind); why.String() != "" {
		never(s.at(at), "%s", why)
		return
	}
	namespace, hasNamespace := id.Namespace.Exact()
	isNamespaced, isClusterWide := Scope(apiVersion, kind)
	switch {
	case !hasNamespace && isNamespaced:
		s.inNoNamespace(kind)
	case !hasNamespace:
	case isClusterWide:
		never(s.at("metadata", "namespace"), "a %s has no namespace; delete the key", kind)
	case !isLabel(namespace):
		never(
			s.at("metadata", "namespace"),
			"%q is not a valid name of a namespace; use lower-case letters, digits and -",
			namespace,
		)
	}
	if name, ok := id.Name.Exact(); ok && !canBeName(apiVersion, name) {
		never(s.at("metadata", "name"), "%q is not a valid name of a %s", name, kind)
	}
}

// isLabel reports whether a text is a DNS label, such as the name of a namespace.
func isLabel(text string) bool {
	const longest = 63
	return len(text) <= longest && regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`).MatchString(text)
}

// canBeName reports whether a name is valid for an object. Most kinds of Kubernetes allow only
// lower-case letters; other kinds allow at most what a path allows.
func canBeName(apiVersion, name string) bool {
	if slices.Contains([]string{"v1", "apps/v1", "batch/v1"}, apiVersion) {
		return regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`).MatchString(name)
	}
	return !strings.ContainsAny(name, "/%") && name != "." && name != ".."
}

// at returns the location of a field in the template, or of its nearest parent.
func (s *subject) at(keys ...string) refconfig.Place {
	for ; len(keys) > 0; keys = keys[:len(keys)-1] {
		if p := s.root.Find(refconfig.PathOf(keys...)); p != nil {
			return p.Place
		}
	}
	return refconfig.Place{File: s.Ref.File, Line: 1 + s.Ref.LinesBefore}
}

// rules reports rules that no input can satisfy together.
func (l *linter) rules() {
	required, forbidden := map[string]*refconfig.Template{}, map[string]*refconfig.Template{}
	for _, c := range l.ref.Components() {
		for _, r := range c.Rules {
			for _, t := range r.Templates {
				switch {
				case r.Kind == refconfig.AllOf, r.Kind == refconfig.OneOf && len(r.Templates) == 1:
					required[t.Path] = t
				case r.Kind == refconfig.NoneOf:
					forbidden[t.Path] = t
				}
			}
		}
	}
	for _, c := range l.ref.Components() {
		for _, r := range c.Rules {
			l.rule(c, r, required, forbidden)
		}
	}
	l.sameObject(required)
}

// rule reports a rule that no input can satisfy, because of the templates that all rules require or
// forbid.
func (l *linter) rule(c *refconfig.Component, r refconfig.Rule, required, forbidden map[string]*refconfig.Template) {
	all := map[string]bool{}
	for _, t := range r.Templates {
		other := forbidden[t.Path]
		switch {
		case r.Kind == refconfig.AllOf && other != nil:
			l.fail(code.RefUnmeetable, l.entry(t), "no input can satisfy the rules: %s is required here, and %s forbids it (%s)",
				t.Path, other.Component, l.entry(other))
		case r.Kind == refconfig.AllOf && l.never[t.Path]:
			l.fail(code.RefUnmeetable, l.entry(t), "no input can satisfy the rule %s of %s: no CR can match %s",
				r.Kind, c, t.Path)
		}
		if required[t.Path] != nil {
			all[t.Path] = true
		}
	}
	if isExclusive := r.Kind == refconfig.OneOf || r.Kind == refconfig.AnyOneOf; isExclusive && len(all) > 1 {
		l.fail(code.RefUnmeetable, l.entry(r.Templates[0]),
			"no input can satisfy the rules: %s allows only one of its CRs, and %s are required",
			c, code.Enumerate(tree.Keys(all), "and"))
	}
}

// sameObject reports required templates that only one object can match.
func (l *linter) sameObject(required map[string]*refconfig.Template) {
	first := map[string]*render.Template{}
	for _, t := range l.engine.Templates() {
		if required[t.Ref.Path] == nil || l.never[t.Ref.Path] {
			continue
		}
		key, ok := oneObject(t.Identity)
		if other := first[key]; ok && other != nil && other.Ref.Path != t.Ref.Path {
			l.fail(
				code.RefUnmeetable,
				l.entry(t.Ref),
				"no input can satisfy the rules: %s and %s (%s) are both required, and the same CR matches only one of them",
				t.Ref.Path,
				other.Ref.Path,
				l.entry(other.Ref),
			)
		} else if ok && other == nil {
			first[key] = t
		}
	}
}

// oneObject returns the identity of the only object that a template can match, and whether there is
// only one.
func oneObject(id template.Identity) (string, bool) {
	apiVersion, ok1 := id.APIVersion.Exact()
	kind, ok2 := id.Kind.Exact()
	name, ok3 := id.Name.Exact()
	namespace, ok4 := id.Namespace.Exact()
	_, isClusterWide := Scope(apiVersion, kind)
	return strings.Join([]string{apiVersion, kind, namespace, name}, "\x00"), ok1 && ok2 && ok3 && (ok4 || isClusterWide)
}

// entry returns the location of a template's entry in the metadata; without metadata, that of its
// file.
func (l *linter) entry(t *refconfig.Template) refconfig.Place {
	if t.Line == 0 {
		return refconfig.Place{File: t.File, Line: 1 + t.LinesBefore}
	}
	return refconfig.Place{File: l.ref.Metadata, Line: t.Line}
}
