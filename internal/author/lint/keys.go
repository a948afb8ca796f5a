package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// keys reports keys that a template prints and no CR has, duplicates, and values of a wrong type.
func (s *subject) keys() {
	for _, p := range s.root.Below {
		s.rootKey(p)
	}
	s.misindented()
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		if p.Twice && !p.IsPrinted() {
			s.warn(code.RefTemplateKeyTwice, p.Place, "duplicate key %q; the last one counts", p.Key)
		}
		if p.Other != "" && !p.IsPrinted() {
			s.warn(code.RefNotText, p.Place, "YAML reads the key %s as %s; quote it%s",
				p.Other, p.Key, code.Meant{Word: p.Other, Instead: strconv.Quote(p.Other)})
		}
		if !p.Item && (s.inText(path) || p.Pipe == "" && isName(path)) {
			s.textField(path, p)
		}
		if s.isWhole && !p.Item && p.Bare && s.Ref.Config.IgnoreUnspecified {
			s.warn(code.RefBareKey, p.Place, "the key has no value, and with ignore-unspecified-fields this forbids %s; "+
				"write null if that is intended", path)
		}
	})
}

// metadataKeys returns the keys that the metadata of an object can have.
func metadataKeys() []string {
	return strings.Fields(
		"annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation " +
			"labels managedFields name namespace ownerReferences resourceVersion selfLink uid",
	)
}

// rootKey reports a key at the top of a template, and keys in its metadata, that no CR has.
func (l *linter) rootKey(p *probe.Part) {
	for _, right := range []string{"apiVersion", "kind", "metadata"} {
		if strings.EqualFold(p.Key, right) && p.Key != right {
			l.fail(code.RefNoSuchKey, p.Place, "no CR has the key %q; write %q%s", p.Key, right,
				code.Meant{Word: p.Key, Instead: right})
		}
	}
	if p.Key != "metadata" {
		return
	}
	for _, b := range p.Below {
		if !b.Item && !b.IsPrinted() && !slices.Contains(metadataKeys(), b.Key) {
			l.fail(code.RefNoSuchKey, b.Place, "the metadata of a CR has no key %q, so that no CR can agree%s",
				b.Key, code.DidYouMean(b.Key, metadataKeys()))
		}
	}
}

// misindented reports keys of metadata that stand beside it or below its labels, and keys without a value
// that are followed by a key which was probably meant to be below them.
func (s *subject) misindented() {
	metadata := s.root.Find(refconfig.PathOf("metadata"))
	if !s.isWhole || metadata == nil || metadata.IsOpen() {
		return
	}
	lacks := func(key string) bool { return s.printing.Has(refconfig.PathOf("metadata", key)) == probe.Never }
	group, _ := s.Identity.APIVersion.Exact()
	for _, key := range []string{"name", "namespace", "annotations", "finalizers", "ownerReferences"} {
		if !lacks(key) {
			continue
		}
		if p := s.root.Find(refconfig.PathOf(key)); p != nil && !isBuiltIn(group) { // else a schema tells
			s.warn(code.RefStray, p.Place, "%s is beside metadata, not below it; indent it by two more", key)
		}
		for _, above := range []string{"labels", "annotations"} {
			if p := s.root.Find(refconfig.PathOf("metadata", above, key)); p != nil {
				s.warn(code.RefStray, p.Place, "%s is below metadata.%s, and metadata has no %s; indent it by two less",
					key, above, key)
			}
		}
	}
	usual := strings.Fields("apiVersion kind metadata spec status operation") // the last is of Argo CD
	for _, p := range s.root.Below {
		isKnown := slices.Contains(usual, p.Key) || slices.Contains(metadataKeys(), p.Key) ||
			s.hasError(func(at refconfig.Place) bool { return at == p.Place })
		if !isKnown && !p.IsPrinted() && s.root.Find(refconfig.PathOf("spec")) != nil && !isBuiltIn(group) {
			s.warn(code.RefStray, p.Place, "%s is beside spec, where a kind with a spec has only status; indent it", p.Key)
		}
	}
	if !s.Ref.Config.IgnoreUnspecified {
		s.besideEmpty()
	}
}

// besideEmpty reports a key right below one that has no value in any branch of the template.
func (s *subject) besideEmpty() {
	given := map[string]bool{}
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		given[path.String()] = given[path.String()] || !p.Bare
	})
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		for i, b := range p.Below[:max(0, len(p.Below)-1)] {
			own, next := path.Below(refconfig.Key(b.Key)), p.Below[i+1]
			isNext := next.Place.File == b.Place.File && next.Place.Line == b.Place.Line+1 && len(next.When) == 0
			if b.Bare && !b.Item && !next.Item && isNext && !s.inText(own) && !given[own.String()] {
				s.warn(code.RefStray, next.Place, "%s is beside %s, which has no value, and not below it; indent it by two "+
					"more, or delete %s", next.Key, b.Key, b.Key)
			}
		}
	})
}

// isName reports whether a path is that of a CR's name or namespace.
func isName(path refconfig.FieldPath) bool {
	return len(path) == 2 && path[0].Key == "metadata" && (path[1].Key == "name" || path[1].Key == "namespace")
}

// inText reports whether the value at a path is text in every CR: in labels, annotations, selectors
// and ConfigMaps.
func (s *subject) inText(path refconfig.FieldPath) bool {
	if len(path) < 2 {
		return false
	}
	switch above := path[len(path)-2].Key; above {
	case "labels", "annotations":
		return len(path) > 2 && path[len(path)-3].Key == "metadata"
	case "matchLabels", "nodeSelector":
		return len(path) > 2 && path[0].Key == "spec"
	case "data":
		return len(path) == 2 && s.isKind("v1", "ConfigMap")
	case "stringData":
		return len(path) == 2 && s.isKind("v1", "Secret")
	}
	return false
}

func (s *subject) isKind(apiVersion, kind string) bool {
	a, _ := s.Identity.APIVersion.Exact()
	k, _ := s.Identity.Kind.Exact()
	return a == apiVersion && k == kind
}

// textField reports a value that YAML does not read as text, although CRs have text there.
func (l *linter) textField(path refconfig.FieldPath, p *probe.Part) {
	what := "a number"
	switch p.Value.(type) {
	case string:
		if p.Pipe != "" {
			l.unquoted(p)
		}
		return
	case nil, map[string]any, []any:
		return
	case bool:
		what = "true or false"
	}
	text := fmt.Sprint(p.Value)
	l.fail(code.RefNotText, p.ValueAt, "%s is text in every CR, and YAML reads this as %s; quote it%s",
		path, what, code.Meant{Word: text, Instead: strconv.Quote(text)})
}

// unquoted reports text from a function that is read as YAML. A value that is printed unchanged
// keeps its type.
func (l *linter) unquoted(p *probe.Part) {
	mayQuote := func(word string) bool { return strings.Contains(p.Pipe, word) }
	if slices.ContainsFunc(
		[]string{"quote", "Json", "toYaml", "include", "%q", `\"`, "$"}, mayQuote,
	) { // a variable may hold what has quotes
		return
	}
	makesText := strings.Fields(
		"lower upper title trim trimAll trimSuffix trimPrefix replace substr trunc toString join print printf regexReplaceAll " +
			"regexFind nospace cat snakecase camelcase kebabcase b64dec",
	)
	quoted := code.Meant{Word: p.Pipe, Instead: p.Pipe + " | quote"}
	switch {
	case slices.Contains(makesText, p.Maker):
		l.warn(code.RefUnquoted, p.ValueAt, "the result of %s is read as YAML, where text such as 10 or yes has another type, "+
			"and a colon or # ends it; append | quote%s", p.Maker, quoted)
	case strings.HasPrefix(p.Pipe, ".") && l.compatible:
		l.warn(code.RefIncompatible, p.ValueAt,
			"kube-compare reads this as YAML, where text such as 10 or yes has another type; append | quote%s", quoted)
	}
}

// reads reports keys that a template reads and writes in different letter cases.
func (s *subject) reads() {
	s.unwritten(func(path refconfig.FieldPath, key string, above []*probe.Part, f probe.Field) {
		like := below(above, func(p *probe.Part) bool { return !p.Item && strings.EqualFold(p.Key, key) })
		if len(like) > 0 {
			s.warn(code.RefReadCase, f.Uses[0].Place(), "the template reads .%s, and writes the key %q in line %d; "+
				"keys are case-sensitive", path, like[0].Key, like[0].Place.Line)
		}
	})
}

// slips reports keys that a template reads and writes with one letter more, less or in another place, if no
// schema says which of them the kind has, as with the keys of texts.
func (s *subject) slips(ofTexts bool) {
	const shortest = 5 // bytes; shorter words differ by a letter and mean something else
	known := map[string]bool{}
	s.unwritten(func(path refconfig.FieldPath, key string, above []*probe.Part, f probe.Field) {
		at := f.Uses[0].Place()
		isKnown := func(other Flaw) bool { return other.File == at.File && other.Line == at.Line }
		like := below(above, func(p *probe.Part) bool {
			return !p.Item && !p.IsPrinted() && !strings.EqualFold(p.Key, key) && differsByOne(p.Key, key)
		})
		if ofTexts && !s.isTexts(path[:len(path)-1]) {
			return
		}
		if len(like) > 0 && len(key) >= shortest && !known[path.String()] && !slices.ContainsFunc(s.flaws, isKnown) {
			known[path.String()] = true
			s.warn(code.RefReadElsewhere, at, "the template reads .%s, and writes the key %q in line %d%s",
				path, like[0].Key, like[0].Place.Line, code.DidYouMean(key, []string{like[0].Key}))
		}
	})
}

// unwritten visits the fields that the template reads and does not write. It gives the path as far as it is
// not written, the last key of it, and the parts that could have the key.
func (s *subject) unwritten(visit func(path refconfig.FieldPath, key string, above []*probe.Part, f probe.Field)) {
	for _, f := range s.asked.Fields {
		path, err := refconfig.ParseFieldPath(f.Path)
		if err != nil || !s.isWhole {
			continue // the field is in a CR that is looked up, or is the whole CR
		}
		at := []*probe.Part{s.root}
		for i, step := range path {
			above := at
			if at = below(above, func(p *probe.Part) bool { return p.Is(step) }); len(at) > 0 {
				continue
			}
			if isSchema(path[:i]) || !slices.ContainsFunc(above, (*probe.Part).IsOpen) {
				visit(path[:i+1], step.Key, above, f)
			}
			break
		}
	}
}

// below returns the children of the given parts that match.
func below(all []*probe.Part, match func(*probe.Part) bool) (found []*probe.Part) {
	for _, p := range all {
		for _, b := range p.Below {
			if match(b) {
				found = append(found, b)
			}
		}
	}
	return found
}

// isSchema reports whether the keys at a path are certainly fields of a kind, and not names that
// the author of a CR chooses. Two fields never differ only in their letter case.
func isSchema(path refconfig.FieldPath) bool {
	return len(path) == 0 || slices.Contains([]string{"metadata", "spec", "status", "template"}, path[len(path)-1].Key)
}

// places reports paths of fieldsToOmit that match no field of any template that uses them.
func (l *linter) places() {
	dead := reasons{}
	for _, s := range l.subjects {
		for _, e := range s.Ref.Config.Omit {
			why, isThere := s.follow(e)
			if why != "" {
				why = "no template of this entry has the path " + e.Path.String() + "; in " + s.Ref.Path + ", " + why
			}
			dead.add(e.Place, why, isThere)
		}
	}
	for place, why := range dead {
		if why != "" {
			l.warn(code.RefPathNowhere, place, "%s", why)
		}
	}
}

// reasons has the reason why an entry of fieldsToOmit is a mistake, by its location; "" for an entry
// that is right for a template.
type reasons map[refconfig.Place]string

// add adds the result for one template; neither a reason nor isRight is an unknown result.
func (r reasons) add(at refconfig.Place, why string, isRight bool) {
	_, isKnown := r[at]
	switch {
	case at.File == "": // built in
	case isRight:
		r[at] = ""
	case why != "" && !isKnown:
		r[at] = why
	}
}

// follow returns why an omitted path matches no field of a template, whatever the CR has, or else
// whether the template has the field.
func (s *subject) follow(e refconfig.OmitEntry) (deadEnd string, there bool) {
	if len(e.Path) > 1 && e.Path[0].Key == "metadata" {
		if key := e.Path[1]; !key.Any && !slices.Contains(metadataKeys(), key.Key) && !(e.Prefix && len(e.Path) == 2) {
			return "the metadata of a CR has no key " + key.Key + code.DidYouMean(key.Key, metadataKeys()).String(), false
		}
	}
	last := len(e.Path) - 1
	if last == 2 && !e.Prefix && s.isTexts(e.Path[:last]) && strings.HasSuffix(e.Path[last].Key, "/") {
		return "no key ends in a slash; add isPrefix: true", false
	}
	at := []*probe.Part{s.root}
	for i, step := range e.Path {
		here, last := e.Path[:i].String(), i == len(e.Path)-1
		isList := len(below(at, func(p *probe.Part) bool { return p.Item })) > 0
		switch {
		case step.Any, isList && step.Index >= 0:
			return "", true
		case isList:
			return here + " is a list; write " + here + ".*." + e.Path[i:].String(), false
		}
		above := at
		at = below(above, func(p *probe.Part) bool { return p.Is(step) })
		open := slices.ContainsFunc(above, (*probe.Part).IsOpen)
		switch {
		case len(at) > 0:
		case !s.isWhole, open, e.Prefix && last:
			return "", open && i > 1 // printed content below the top level seldom has this field
		default:
			return lacks(above, step.Key, here), false
		}
	}
	return "", true
}

// allOmitted reports a template of whose fields, but for its metadata, none is compared.
func (s *subject) allOmitted() {
	var first *probe.Part
	isCompared := !s.isWhole
	isBuiltIn := func(e refconfig.OmitEntry) bool { return e.Place.File == "" }
	omit := slice.Without(s.Ref.Config.Omit, isBuiltIn)
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		isIdentity := slices.Contains([]string{"apiVersion", "kind", "metadata"}, path[0].Key)
		if isIdentity || len(p.Below) > 0 {
			return
		}
		if isCompared = isCompared || !tree.Omits(omit, path); first == nil {
			first = s.root.Find(path[:1])
		}
	})
	if first != nil && !isCompared {
		s.warn(code.RefAllOmitted, first.Place, "fieldsToOmit has all that the template states besides its metadata, so that "+
			"every CR agrees")
	}
}

// lacks returns why no CR can have a key that the given parts lack; "" if one may have it.
func lacks(at []*probe.Part, key, here string) string {
	if like := below(at, func(p *probe.Part) bool { return strings.EqualFold(p.Key, key) }); len(like) > 0 {
		return "the key is written " + like[0].Key
	}
	mayHave := func(p *probe.Part) bool { return len(p.Below) > 0 || function.Empty(p.Value) && p.Value != "" }
	if here != "" && !slices.ContainsFunc(at, mayHave) {
		return here + " is not a map"
	}
	return ""
}
