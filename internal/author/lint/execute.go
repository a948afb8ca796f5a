package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// sample executes a template on CRs that are made for it.
func (s *subject) sample(ctx context.Context) {
	var sampled probe.Sampled
	if len(s.asked.Fields) > 0 { // else every CR has the same text
		sampled = probe.Sample(ctx, s.Template, s.asked)
	}
	s.faults, s.checked = sampled.Faults, diff.Check(s.Template, sampled.Renderings...)
}

// onSamples reports branches whose text is not YAML, and entries of perField that do not fit what the
// template prints.
func (s *subject) onSamples() {
	for _, f := range s.faults {
		isKnown := func(p Flaw) bool { return p.File == f.At.File && p.Line == f.At.Line }
		if slices.ContainsFunc(s.flaws, isKnown) {
			continue
		}
		with, meant := "", code.Meant{}
		switch {
		case f.Lines:
			with, meant = " with several lines in "+f.Field, indented(s.line(f.At))
		case f.Field != "":
			with = " with " + f.Field
		}
		s.warn(code.RefFails, f.At, "a CR%s cannot be evaluated: %s%s", with, f.Message, meant)
	}
	s.add(Wrong, s.checked.Errors)
	s.add(Doubtful, s.checked.Doubts)
}

// indented suggests to begin a new, indented line for the YAML that an action prints after a key.
func indented(line string) (meant code.Meant) {
	m := regexp.MustCompile(`^([ -]*)[^ {]+: *(\{\{-? *(.*?)(?: *\| *n?indent \d+)? *-?\}\})\s*$`).FindStringSubmatch(line)
	if m != nil && (strings.Contains(m[3], "toYaml") || strings.Contains(m[3], "include")) {
		meant.Word, meant.Instead = m[2], fmt.Sprintf("{{- %s | nindent %d }}", m[3], len(m[1])+2)
	}
	return meant
}

// onAlmostNothing executes a template on a CR that has only the identity, and reports if the text
// is not YAML or a function fails.
func (s *subject) onAlmostNothing() {
	text := func(m template.Matcher) string {
		exact, _ := m.Exact()
		return cmp.Or(exact, "x")
	}
	id := s.Identity
	metadata := map[string]any{"name": text(id.Name)}
	if id.Namespace.Fixed() {
		metadata["namespace"] = text(id.Namespace)
	}
	_, err := s.Execute(
		map[string]any{"apiVersion": text(id.APIVersion), "kind": text(id.Kind), "metadata": metadata},
		render.Options{},
	)
	var failed *render.Error
	isKnown := func(at refconfig.Place) bool { return at == failed.At }
	isStray := func(f Flaw) bool {
		isNext := f.Line == failed.At.Line || f.Line == failed.At.Line-1
		return f.Code == code.RefStray && f.File == failed.At.File && isNext
	}
	if !errors.As(err, &failed) || s.hasError(isKnown) || slices.ContainsFunc(s.flaws, isStray) {
		return
	}
	if failed.Code == code.EvalTemplate || failed.Code == code.EvalYAML {
		s.warn(
			code.RefFails,
			failed.At,
			"a CR with only its name cannot be evaluated: %s",
			failed.Message,
		)
	}
}

// fields reports entries of perField for fields that the template never prints, and patterns that
// no entry uses.
func (s *subject) fields() {
	for _, f := range s.Ref.Config.PerField {
		isKnown := func(at refconfig.Place) bool { return at == f.Place }
		if !diff.IsInside(f.Path) && s.printing.Has(f.Path) == probe.Never && !s.hasError(isKnown) {
			s.fail(code.RefInlinePath, f.Place, "%s is for %s, a field that %s never has", f.Said(), f.Path, s.Ref.Path)
		}
	}
	s.loopIndex()
	s.rights()
	mayUse := func(at refconfig.Place) bool { return at.File == s.ref.Metadata || at.File == s.Ref.File }
	if s.hasError(mayUse) {
		return // an entry with an error may use the patterns
	}
	fields := s.Ref.Config.Fields(refconfig.InlineDiff)
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		isUsed := func(f refconfig.FieldFunction) bool {
			return slices.EqualFunc(f.Path, path, func(entry, printed refconfig.Step) bool {
				isPrinted := strings.Contains(printed.Key, "{{") // which can be every key
				return entry.Any || isPrinted || printed.Any && entry.Index >= 0 || entry.Key == printed.Key
			})
		}
		text, _ := p.Value.(string)
		function := patternIn(probe.Frame(text))
		if function != "" && !isPatternOfCRs(path) && !slices.ContainsFunc(fields, isUsed) {
			advice := fmt.Sprintf("add one with inlineDiffFunc: %s for %s%s", function, path, s.needs())
			if s.ref.Format == refconfig.Annotations {
				advice = "the annotations format has no perField; print the field, or use a metadata.yaml"
			}
			s.warn(code.RefPatternUnread, p.ValueAt, "no entry of perField uses this pattern, so every CR must have "+
				"exactly this text; %s", advice)
			s.entry(path, refconfig.InlineDiff, function)
		}
	})
}

// loopIndex reports entries of perField for one item of a list, if the template repeats the item for
// each item of a CR, or never has so many.
func (s *subject) loopIndex() {
	for _, f := range s.Ref.Config.PerField {
		at := []*probe.Part{s.root}
		for i, step := range f.Path {
			items := below(at, func(p *probe.Part) bool { return p.Item })
			isRepeated := func(p *probe.Part) bool { return p.Loop }
			all := slices.Clone(f.Path)
			switch all[i] = refconfig.AnyStep(); {
			case step.Index < 0 || len(items) == 0:
			case slices.ContainsFunc(items, isRepeated):
				s.warn(code.RefLoopIndex, f.Place, "%s is for item %d of %s only, and %s prints an item for each of the CR; write %s",
					f.Path, step.Index, f.Path[:i], s.Ref.Path, all)
			case step.Index >= len(items) && s.isWhole && !slices.ContainsFunc(at, (*probe.Part).IsOpen):
				s.fail(code.RefInlinePath, f.Place, "%s is for item %d of %s, and %s has %d; the first item is 0",
					f.Path, step.Index, f.Path[:i], s.Ref.Path, len(items))
			}
			at = below(at, func(p *probe.Part) bool { return p.Is(step) })
		}
	}
}

// isPatternOfCRs reports whether a field holds a regular expression in CRs, such as pattern of a schema and
// regex of a rule for metrics.
func isPatternOfCRs(path refconfig.FieldPath) bool {
	key := strings.ToLower(path[len(path)-1].Key)
	return strings.Contains(key, "pattern") || strings.Contains(key, "regex")
}

// patternIn returns the function of perField for a text that is surely a pattern; "" for other
// texts.
func patternIn(text string) string {
	_, err := regexp.Compile(text)
	switch {
	case strings.Contains(text, "(?<"), strings.Contains(text, "(?P<"):
		return "capturegroups"
	case err == nil && strings.HasPrefix(text, "^") && strings.HasSuffix(text, "$") && len(text) > len("^$"):
		return "regex"
	}
	return ""
}

// rights suggests exact: true for a role with lists that are compared as sets. Without it, further
// rights in a CR are extra content, not drift.
func (s *subject) rights() {
	if !s.isRBAC() {
		return
	}
	exact := s.Ref.Config.Fields(refconfig.Exact)
	for _, f := range s.Ref.Config.Fields(refconfig.List) {
		covers := func(e refconfig.FieldFunction) bool {
			return len(e.Path) <= len(f.Path) && e.Path.String() == f.Path[:len(e.Path)].String()
		}
		if f.Function == refconfig.ListSet && !slices.ContainsFunc(exact, covers) {
			s.warn(code.RefExact, f.Place, "further items of a CR at %s are extra content, not drift; add an entry with exact: true "+
				"for %s if %s lists all that are allowed", f.Path, f.Path[:1], s.Ref.Path)
			return // one entry covers them all
		}
	}
}

// compatibility reports the parts of a template that kube-compare rejects or reads differently.
func (s *subject) compatibility() {
	for _, c := range s.Calls() {
		if slices.Contains(strings.Fields("cpuSetSize cpuSetsEqual cpuSetsOverlap inputFiles maxListLength minListLength oldCR quantityCompare quantityEqual violation note"), c.Function.Name) {
			s.warn(code.RefIncompatible, c.Place, "kube-compare has no function %s and rejects the reference", c.Function.Name)
		}
		if !c.Function.LooksUp || len(c.Args) < 2 {
			continue
		}
		value, _ := template.Constant(c.Args[1])
		if kind, ok := value.(string); ok && !s.kinds[kind] {
			s.warn(code.RefIncompatible, c.Place, "kube-compare looks up only kinds that the reference has templates for, so it finds no %s", kind)
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
