package lint

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// onAlmostNothing executes a template on a CR that has only the identity, and reports if the text
// is not YAML or a function fails.
func (l *linter) onAlmostNothing(t *render.Template) {
	text := func(m template.Matcher) string {
		exact, _ := m.Exact()
		return cmp.Or(exact, "x")
	}
	id := t.Identity
	metadata := map[string]any{"name": text(id.Name)}
	if id.Namespace.Fixed() {
		metadata["namespace"] = text(id.Namespace)
	}
	_, err := t.Execute(
		map[string]any{"apiVersion": text(id.APIVersion), "kind": text(id.Kind), "metadata": metadata},
		render.Options{},
	)
	var failed *render.Error
	known := func(p refconfig.Problem) bool { return p.Place == failed.At }
	if !errors.As(err, &failed) || slices.ContainsFunc(l.wrong, known) {
		return
	}
	if failed.Code == code.EvalTemplate || failed.Code == code.EvalYAML {
		l.warn(
			code.RefFailsWithout,
			failed.At,
			"a CR with only its name cannot be evaluated: %s",
			failed.Message,
		)
	}
}

// fields reports entries of perField for fields that the template never prints, and patterns that
// no entry uses.
func (l *linter) fields(t *render.Template) {
	printing := l.printings[t]
	for _, f := range t.Ref.Config.PerField {
		known := func(p refconfig.Problem) bool { return p.Place == f.Place }
		if !diff.IsInside(f.Path) && printing.Has(f.Path) == render.Never && !slices.ContainsFunc(l.wrong, known) {
			l.fail(code.RefInlinePath, f.Place, "%s is for %s, a field that %s never has",
				f.Said(), f.Path, t.Ref.Path)
		}
	}
	l.rights(t)
	if slices.ContainsFunc(l.wrong, func(p refconfig.Problem) bool {
		return p.Place.File == l.ref.Metadata || p.Place.File == t.Ref.File
	}) {
		return // an entry with an error may use them
	}
	fields := t.Ref.Config.Fields(refconfig.InlineDiff)
	root, _ := printing.Parts()
	root.Each(nil, func(path refconfig.FieldPath, p *render.Part) {
		read := func(f refconfig.FieldFunction) bool {
			return slices.EqualFunc(f.Path, path, func(a, b refconfig.Step) bool {
				return a.Key == b.Key || b.Any && (a.Any || a.Index >= 0)
			})
		}
		text, _ := p.Value.(string)
		if function := patternIn(render.Frame(text)); function != "" && !slices.ContainsFunc(fields, read) {
			l.warn(code.RefPatternUnread, p.ValueAt, "no entry of perField uses this pattern, so every CR must have "+
				"exactly this text; add one with inlineDiffFunc: %s for %s", function, path)
		}
	})
}

// patternIn returns the function of perField for a text that is surely a pattern; "" for other
// texts.
func patternIn(text string) string {
	_, err := regexp.Compile(text)
	switch {
	case strings.Contains(text, "(?<"), strings.Contains(text, "(?P<"):
		return "capturegroups"
	case err == nil && strings.HasPrefix(text, "^") && strings.HasSuffix(text, "$") && strings.ContainsAny(text, `[*+\`):
		return "regex"
	}
	return ""
}

// rights suggests exact: true for a role with lists that are compared as sets. Without it, further
// rights in a CR are extra content, not drift.
func (l *linter) rights(t *render.Template) {
	if group, _ := t.Identity.APIVersion.Exact(); !strings.HasPrefix(group, "rbac.authorization.k8s.io/") {
		return
	}
	exact := t.Ref.Config.Fields(refconfig.Exact)
	for _, f := range t.Ref.Config.Fields(refconfig.List) {
		covers := func(e refconfig.FieldFunction) bool {
			return len(e.Path) <= len(f.Path) && e.Path.String() == f.Path[:len(e.Path)].String()
		}
		if f.Function == refconfig.ListSet && !slices.ContainsFunc(exact, covers) {
			l.warn(code.RefExact, f.Place, "further items of a CR at %s are extra content, not drift; add an entry with exact: true "+
				"for %s if %s lists all that are allowed", f.Path, f.Path[:1], t.Ref.Path)
			return // one entry covers them all
		}
	}
}

// compatibility reports the parts of a template that kube-compare rejects or reads differently.
func (l *linter) compatibility(t *render.Template) {
	for _, c := range t.Calls() {
		if slices.Contains(strings.Fields("cpuSetSize cpuSetsEqual cpuSetsOverlap inputFiles maxListLength minListLength oldCR quantityCompare quantityEqual violation note"), c.Name) {
			l.warn(code.RefIncompatible, c.Place, "kube-compare has no function %s and rejects the reference", c.Name)
		}
		if c.Name != "lookupCRs" && c.Name != "lookupCR" || len(c.Args) < 2 {
			continue
		}
		if kind, ok := c.Args[1].Value.(string); ok && !l.kinds[kind] {
			l.warn(code.RefIncompatible, c.Place, "kube-compare looks up only kinds that the reference has templates for, so it finds no %s", kind)
		}
	}
}

// compatiblePaths reports paths that kube-compare reads differently, and a format that it does not
// know.
func (l *linter) compatiblePaths() {
	if l.ref.Format == refconfig.Annotations {
		l.warn(
			code.RefIncompatible,
			refconfig.Place{File: l.ref.Path},
			"kube-compare needs a metadata.yaml and rejects a reference without one",
		)
	}
	star := func(path refconfig.FieldPath, at refconfig.Place) {
		for _, step := range path {
			if step.Any {
				l.warn(
					code.RefIncompatible,
					at,
					"kube-compare does not support * in paths, so %s matches nothing there",
					path,
				)
				return
			}
		}
	}
	for _, t := range l.engine.Templates() {
		for _, e := range t.Ref.Config.Omit {
			star(e.Path, e.Place)
		}
		for _, f := range t.Ref.Config.PerField {
			star(f.Path, f.Place)
			if f.Key != refconfig.InlineDiff {
				l.warn(
					code.RefIncompatible,
					f.Place,
					"kube-compare does not know %s in perField, and rejects an entry without inlineDiffFunc",
					f.Key,
				)
			}
		}
	}
}
