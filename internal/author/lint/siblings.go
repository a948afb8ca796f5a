package lint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// siblings reports names that differ by one letter from a name that other templates of the reference
// have in the same role.
func (l *linter) siblings() {
	for _, role := range []string{"namespace", "group", "ServiceAccount", "label", "annotation"} {
		named := map[string][]refconfig.Place{}
		if role == "group" {
			for _, b := range builtIns() {
				named[b.group] = make([]refconfig.Place, 2) // used by Kubernetes itself
			}
		}
		for _, s := range l.subjects {
			for _, n := range s.named(role) {
				named[n.text] = append(named[n.text], n.at)
			}
		}
		for name, at := range named {
			if l.hasError(func(p refconfig.Place) bool { return p == at[0] }) {
				continue
			}
			if usual := usualFor(name, named); usual != "" {
				l.warn(code.RefSibling, at[0], "the %s %s is used only here; did you mean %s?%s",
					role, name, usual, code.Meant{Word: name, Instead: usual})
			}
		}
	}
}

// references reports objects that a template names, such as the role of a binding, whose name is one letter
// from that of a template of their kind, or whose kind no cluster has.
func (l *linter) references() {
	names := map[string][]string{} // of the templates of a kind
	for _, s := range l.subjects {
		kind, _ := s.Identity.Kind.Exact()
		if name, ok := s.Identity.Name.Exact(); ok {
			names[kind] = append(names[kind], name)
		}
	}
	var kinds []string
	for _, b := range builtIns() {
		kinds = append(kinds, b.kinds()...)
	}
	for _, s := range l.subjects {
		s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
			if path[0].Key == "metadata" || len(p.Below) == 0 { // the owners of a CR are not of its author
				return
			}
			text := func(key string) (string, refconfig.Place) {
				if at := p.Find(refconfig.PathOf(key)); at != nil && at.Fixed {
					text, _ := at.Value.(string)
					return text, at.ValueAt
				}
				return "", refconfig.Place{}
			}
			kind, at := text("kind")
			name, nameAt := text("name")
			isSubject := len(path) == 2 && path[0].Key == "subjects" && kind == "ServiceAccount"
			if isSubject && s.isRBAC() && p.Find(refconfig.PathOf("namespace")) == nil && !p.IsOpen() {
				l.warn(code.RefFieldMissing, at, "the API server requires a namespace of a ServiceAccount in subjects")
			}
			apiVersion, _ := text("apiVersion")
			switch key, why := unknownKind(apiVersion, kind); {
			case kind == "" || l.isKnown(at) || l.isKnown(nameAt):
			case why.String() != "" && key == "kind":
				l.warn(code.RefSibling, at, "%s", why)
			case name != "" && !l.kinds[kind] && !slices.Contains(kinds, kind) && oneOff(kind, kinds) != "":
				l.warn(code.RefSibling, at, "Kubernetes has no kind %s%s", kind,
					code.Suggest(kind, oneOff(kind, kinds)))
			case name != "" && !slices.Contains(names[kind], name) && oneOff(name, names[kind]) != "":
				l.warn(code.RefSibling, nameAt, "the reference has no %s %s%s", kind, name,
					code.Suggest(name, oneOff(name, names[kind])))
			}
		})
	}
}

// isRBAC reports whether the template is for a role or a binding.
func (s *subject) isRBAC() bool {
	group, _ := s.Identity.APIVersion.Exact()
	return strings.HasPrefix(group, "rbac.authorization.k8s.io/")
}

// isKnown reports whether the line of a place has an error, or a name that is a letter from others.
func (l *linter) isKnown(at refconfig.Place) bool {
	return slices.ContainsFunc(l.flaws, func(f Flaw) bool {
		isThere := f.File == at.File && f.Line == at.Line && at.Line > 0
		return isThere && (f.Severity == Wrong || f.Code == code.RefSibling)
	})
}

// alike reports keys of one template that are a letter from a key which several other templates of the kind
// have in the same place.
func (l *linter) alike() {
	type field struct{ kind, above string }
	all := map[field]map[string][]*subject{} // the templates that have a key
	at := map[*subject]map[string]*probe.Part{}
	for _, s := range l.subjects {
		kind, _ := s.Identity.Kind.Exact()
		at[s] = map[string]*probe.Part{}
		s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
			name := path.String()
			if of := (field{kind, path[:len(path)-1].String()}); !p.Item && !p.IsPrinted() && at[s][name] == nil {
				at[s][name] = p
				if all[of] == nil {
					all[of] = map[string][]*subject{}
				}
				all[of][p.Key] = append(all[of][p.Key], s)
			}
		})
	}
	var found []refconfig.Problem
	for of, keys := range all {
		for key, in := range keys {
			var usual []string
			for other, have := range keys {
				if len(have) > 1 && !slices.Contains(have, in[0]) {
					usual = append(usual, other)
				}
			}
			slices.Sort(usual)
			meant := oneOff(key, usual)
			if len(in) > 1 || meant == "" {
				continue
			}
			path, err := refconfig.ParseFieldPath(of.above)
			if of.above == "" {
				path, err = nil, nil
			}
			if p := at[in[0]][path.Below(refconfig.Key(key)).String()]; err == nil && p != nil {
				found = append(found, p.Place.Problem(
					code.RefSibling, "the key %s is used only here, and other templates of %s have %s%s",
					key, of.kind, meant, code.Suggest(key, meant),
				))
			}
		}
	}
	slices.SortFunc(found, func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Message, b.Message))
	})
	for _, p := range found {
		if !l.isKnown(p.Place) {
			l.add(Doubtful, []refconfig.Problem{p})
		}
	}
}

// operators reports an operator that no selector of labels has.
func (s *subject) operators() {
	known := strings.Fields("In NotIn Exists DoesNotExist Gt Lt")
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		text, isText := p.Value.(string)
		isOperator := len(path) > 2 && p.Key == "operator" && path[len(path)-3].Key == "matchExpressions"
		if isOperator && isText && p.Fixed && !slices.Contains(known, text) && !s.isKnown(p.ValueAt) {
			s.warn(code.RefFieldRefused, p.ValueAt, "a selector has no operator %s; it can be %s%s", text, code.Enumerate(known, "or"),
				code.Meant{Word: text, Instead: code.Nearest(text, known)})
		}
	})
}

// shapes reports a scalar in the place where several other templates of the kind have a list or a map.
func (l *linter) shapes() {
	type field struct{ kind, path string }
	scalars, others := map[field][]*probe.Part{}, map[field]map[string]bool{}
	for _, s := range l.subjects {
		kind, _ := s.Identity.Kind.Exact()
		s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
			switch of := (field{kind, path.String()}); {
			case p.Item || p.Bare || path[0].Key == "metadata":
			case len(p.Below) > 0:
				if others[of] == nil {
					others[of] = map[string]bool{}
				}
				others[of][s.Ref.Path] = true
			case p.Fixed && p.Value != nil && !function.Empty(p.Value):
				scalars[of] = append(scalars[of], p)
			}
		})
	}
	for of, all := range scalars {
		const several = 2
		if len(all) == 1 && len(others[of]) >= several {
			if _, isList := all[0].Value.([]any); !isList {
				l.warn(code.RefSibling, all[0].ValueAt, "%s is one value here, and a list or a map in %d other templates of %s",
					of.path, len(others[of]), of.kind)
			}
		}
	}
}

// oneOff returns the first name that a letter turns another one into; "" for none. Numbers that differ are
// intended.
func oneOff(name string, names []string) string {
	const shortest = 5
	bare := func(text string) string { return strings.ReplaceAll(withoutDigits(text), "#", "") }
	for _, other := range names {
		if len(name) >= shortest && bare(other) != bare(name) && differsByOne(name, other) {
			return other
		}
	}
	return ""
}

// groups reports two capture groups of a template whose names differ by a letter. Groups of one name have to
// match the same text.
func (l *linter) groups() {
	group := regexp.MustCompile(`\(\?P?<([A-Za-z_]\w*)>`)
	for _, s := range l.subjects {
		var names []string
		s.root.Each(nil, func(_ refconfig.FieldPath, p *probe.Part) {
			text, _ := p.Value.(string)
			if len(p.Below) > 0 {
				return
			}
			for i, line := range strings.Split(text, "\n") {
				for _, m := range group.FindAllStringSubmatch(line, -1) {
					if other := oneOff(m[1], names); other != "" && !slices.Contains(names, m[1]) {
						l.warn(code.RefSibling, s.lineOf(p, i, m[0]), "the group %s differs from %s by a letter, so that the two may match "+
							"different texts%s", m[1], other, code.Suggest(m[1], other))
					}
					names = append(names, m[1])
				}
			}
		})
	}
}

// lineOf returns the place of a line of the value of a part, which has a text; that of the value if the
// template has it elsewhere.
func (s *subject) lineOf(p *probe.Part, line int, text string) refconfig.Place {
	at := p.ValueAt
	for i := range 2 { // a block begins in the line below its key
		below := refconfig.Place{File: at.File, Line: at.Line + line + i}
		if strings.Contains(s.line(below), text) {
			return below
		}
	}
	return at
}

// named is a name in a template.
type named struct {
	text string
	at   refconfig.Place
}

// named returns the names of a role in a template.
func (s *subject) named(role string) (all []named) {
	add := func(text string, at refconfig.Place) {
		if text != "" && !strings.Contains(text, "{{") {
			all = append(all, named{text, at})
		}
	}
	id := s.Identity
	apiVersion, _ := id.APIVersion.Exact()
	kind, _ := id.Kind.Exact()
	switch role {
	case "namespace":
		namespace, _ := id.Namespace.Exact()
		add(namespace, s.at("metadata", "namespace"))
		if name, _ := id.Name.Exact(); kind == "Namespace" {
			add(name, s.at("metadata", "name"))
		}
	case "group":
		group, _ := groupOf(apiVersion)
		add(group, s.at("apiVersion"))
	case "ServiceAccount":
		if name, _ := id.Name.Exact(); kind == role {
			add(name, s.at("metadata", "name"))
		}
	}
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		text, _ := p.Value.(string)
		above := ""
		if len(path) > 1 {
			above = path[len(path)-2].Key
		}
		isKey := len(path) == 3 && path[0].Key == "metadata" && above == role+"s" && !p.IsPrinted()
		switch {
		case isKey:
			add(p.Key, p.Place)
		case role == "group" && p.Key == "apiGroup", role == "ServiceAccount" && p.Key == "serviceAccountName",
			role == "ServiceAccount" && p.Key == "name" && above == "serviceAccount":
			add(text, p.ValueAt)
		case role == "namespace" && p.Item && above == "targetNamespaces":
			add(text, p.ValueAt)
		case role == "ServiceAccount" && p.Item && above == "subjects":
			if name := p.Find(refconfig.PathOf("name")); name != nil && isServiceAccount(p) {
				text, _ := name.Value.(string)
				add(text, name.ValueAt)
			}
		case role == "namespace" && p.Item && above == "subjects":
			if name := p.Find(refconfig.PathOf("namespace")); name != nil {
				text, _ := name.Value.(string)
				add(text, name.ValueAt)
			}
		}
	})
	return all
}

// isServiceAccount reports whether a subject of a binding is a ServiceAccount.
func isServiceAccount(p *probe.Part) bool {
	kind := p.Find(refconfig.PathOf("kind"))
	return kind != nil && kind.Value == "ServiceAccount"
}

// usualFor returns the name that is used more often than a name which is used once, and differs from
// it by a letter; "" for none. Numbers that differ are intended.
func usualFor(name string, named map[string][]refconfig.Place) string {
	const shortest = 6
	if len(named[name]) != 1 || len(name) < shortest {
		return ""
	}
	var others []string
	for other, at := range named {
		if len(at) > 1 && withoutDigits(other) != withoutDigits(name) && differsByOne(name, other) {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	if len(others) == 0 {
		return ""
	}
	return others[0]
}

// withoutDigits returns a text with one sign in place of each digit.
func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, text)
}

// differsByOne reports whether one letter that is changed, added or lost, or two that are swapped, make a
// text another one.
func differsByOne(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		isSwapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return i < len(a) && (isSwapped || a[i+1:] == b[i+1:])
	}
	return len(a)+1 == len(b) && a[i:] == b[i+1:]
}
