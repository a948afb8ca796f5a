package lint

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// names reports fields that a template reads or prints under another name than the CR has them.
func (s *subject) names() {
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		s.textKey(path, p)
		s.leadingZero(path, p)
	})
	if !s.isWhole {
		return // it is not known what the template prints
	}
	s.elsewhere()
	s.misread()
	s.loops()
	s.turned()
	for _, l := range s.asked.Lookups {
		_, why := unknownKind(l.APIVersion, l.Kind)
		if first := []rune(l.Kind); len(first) > 0 && unicode.IsLower(first[0]) && why.String() == "" {
			why = code.Meant{Word: l.Kind}.After("the name of a kind begins with a capital letter, and %s does not", l.Kind)
		}
		if why.String() != "" {
			s.warn(code.RefLookup, l.Place, "no CR can be found: %s", why)
		}
	}
}

// lookups reports fields of looked up CRs that are a letter from one that the templates of their kind write.
func (l *linter) lookups() {
	of := map[string][]*subject{}
	for _, s := range l.subjects {
		if kind, ok := s.Identity.Kind.Exact(); ok {
			of[kind] = append(of[kind], s)
		}
	}
	for _, s := range l.subjects {
		for _, looked := range s.asked.Lookups {
			if _, valid := groupOf(looked.APIVersion); !isBuiltIn(looked.APIVersion) && valid && !l.kinds[looked.Kind] {
				if meant := oneOff(looked.Kind, slices.Sorted(maps.Keys(l.kinds))); meant != "" {
					s.warn(code.RefLookup, looked.Place, "the reference has no template of the kind %s%s", looked.Kind,
						code.Suggest(looked.Kind, meant))
				}
			}
			for _, field := range looked.Reads {
				path, key := pathOf(field), ""
				isKnown := func(f Flaw) bool { return f.Place == looked.Place }
				if len(of[looked.Kind]) == 0 || len(path) == 0 || slices.ContainsFunc(l.flaws, isKnown) {
					continue
				}
				for _, t := range of[looked.Kind] {
					lacking, like := t.nearly(path)
					if key = like; like == "" {
						break
					}
					path = path[:lacking+1]
				}
				if key != "" {
					s.warn(code.RefLookup, looked.Place, "the lookup reads .%s of the %s, and the template of this kind writes %q%s",
						path, looked.Kind, key, code.Suggest(path[len(path)-1].Key, key))
				}
			}
		}
	}
}

// nearly returns the first step of a path that the template does not write, and the key that it writes
// there and that differs by a letter; "" for none.
func (s *subject) nearly(path refconfig.FieldPath) (i int, key string) {
	at := []*probe.Part{s.root}
	for i, step := range path {
		above := at
		if at = below(above, func(p *probe.Part) bool { return p.Is(step) }); len(at) > 0 {
			continue
		}
		for _, b := range below(above, func(p *probe.Part) bool { return !p.Item && !p.IsPrinted() }) {
			if strings.EqualFold(b.Key, step.Key) || differsByOne(b.Key, step.Key) {
				return i, b.Key
			}
		}
		break
	}
	return 0, ""
}

// isTexts reports whether the values below a path are texts with keys of any form: the labels and
// annotations of an object, and the data of a ConfigMap or Secret.
func (s *subject) isTexts(path refconfig.FieldPath) bool {
	switch path.String() {
	case "metadata.labels", "metadata.annotations":
		return true
	case "data":
		return s.isKind("v1", "ConfigMap") || s.isKind("v1", "Secret")
	}
	return false
}

// textKey reports a map in the place of a text, which a key with dots makes if it is divided, and a
// key that ends in a slash.
func (s *subject) textKey(path refconfig.FieldPath, p *probe.Part) {
	last := len(path) - 1
	if p.Item || !s.isTexts(path[:last]) {
		return
	}
	if len(p.Below) > 0 && !p.Below[0].IsPrinted() {
		s.warn(code.RefTextKey, p.Place, "%s is a text in every CR, and the template has keys below it; write the whole key "+
			"in one line, such as %s.%s", path, p.Key, p.Below[0].Key)
	}
	if path[0].Key == "metadata" && strings.HasSuffix(p.Key, "/") {
		s.warn(code.RefTextKey, p.Place, "no CR has a key that ends in a slash, such as %s", p.Key)
	}
}

// line returns the text of a line of the template; "" for a line of another file.
func (s *subject) line(at refconfig.Place) string {
	lines := strings.Split(string(s.Ref.Source), "\n")
	if i := at.Line - s.Ref.LinesBefore - 1; at.File == s.Ref.File && i >= 0 && i < len(lines) {
		return lines[i]
	}
	return ""
}

// leadingZero reports a number that YAML reads as octal.
func (s *subject) leadingZero(path refconfig.FieldPath, p *probe.Part) {
	isMode := strings.HasSuffix(strings.ToLower(p.Key), "mode")
	if _, isNumber := p.Value.(int64); !isNumber || isMode || s.inText(path) {
		return
	}
	line := s.line(p.ValueAt)
	if p.ValueAt.Column < 1 || p.ValueAt.Column > len(line) {
		return
	}
	if text := regexp.MustCompile(`^0\d+`).FindString(line[p.ValueAt.Column-1:]); text != "" {
		s.warn(code.RefOctal, p.ValueAt, "%s is %v, because YAML reads %s as octal; "+
			"write the number without the zero, or quote it%s",
			path, p.Value, text, code.Meant{Word: text, Instead: strconv.Quote(text)})
	}
}

// misread reports fields that no CR has where the template reads them.
func (s *subject) misread() {
	for _, f := range s.asked.Fields {
		path, err := refconfig.ParseFieldPath(f.Path)
		if err != nil {
			continue
		}
		at := f.Uses[0].Place()
		for i := 1; i+1 < len(path); i++ {
			switch {
			case s.isTexts(path[:i]) && !path[i].Any && path[i+1].Index < 0 && !path[i+1].Any:
				s.warn(code.RefTextKey, at, "%s is a text in every CR, and the template reads .%s below it; "+
					"for a key with dots, write index .%s %q", path[:i+1], path[i+1].Key, path[:i], joined(path[i:]))
			case s.isOfCR(path, i):
				s.warn(code.RefReadElsewhere, at, "in a loop the dot is the item, so .%s is a field of the item; "+
					"write .%s, or $.%s for the CR", path[i:], ofItem(path, i), path[i:])
			}
		}
		s.misplaced(path, at)
	}
}

// isOfCR reports whether a template reads spec or metadata at the item of a loop, which has none: the
// template prints the field below it at the item itself, or reads it at the CR.
func (s *subject) isOfCR(path refconfig.FieldPath, i int) bool {
	isRoot := path[i].Key == "spec" || path[i].Key == "metadata"
	if !isRoot || !path[i-1].Any || s.prints(path[:i+1]) {
		return false
	}
	items := s.partsAt(path[:i])
	isClosed := len(items) > 0 && !slices.ContainsFunc(items, (*probe.Part).IsOpen)
	return s.prints(path[:i].Below(path[i+1])) || isClosed && s.hasRead(path[i:i+2])
}

// ofItem returns the path in an item of a loop that was meant by one which begins at the CR.
func ofItem(path refconfig.FieldPath, i int) refconfig.FieldPath {
	if loop, rest := path[:i-1], path[i:]; len(rest) > len(loop) && rest[:len(loop)].String() == loop.String() {
		return rest[len(loop):]
	}
	return path[i+1:]
}

// hasRead reports whether the template reads a field of the CR, or a field below it.
func (s *subject) hasRead(path refconfig.FieldPath) bool {
	name := path.String()
	return slices.ContainsFunc(s.asked.Fields, func(f probe.Field) bool {
		return f.Path == name || strings.HasPrefix(f.Path, name+".")
	})
}

// joined returns the keys of a path with dots between them.
func joined(path refconfig.FieldPath) string {
	var keys []string
	for _, step := range path {
		keys = append(keys, step.Key)
	}
	return strings.Join(keys, ".")
}

// misplaced reports a field at the root of the CR that the template writes deeper only.
func (s *subject) misplaced(path refconfig.FieldPath, at refconfig.Place) {
	first := path[0].Key
	usual := strings.Fields("apiVersion kind metadata spec status data stringData")
	isUsual := first == "" || slices.Contains(usual, first) || slices.Contains(helmKeys(), first)
	if isUsual || s.root.Find(path[:1]) != nil {
		return
	}
	where := ""
	s.root.Each(nil, func(printed refconfig.FieldPath, p *probe.Part) {
		if p.Key == first && where == "" {
			where = printed.String()
		}
	})
	if where != "" {
		s.warn(code.RefReadElsewhere, at, "the template reads .%s, a field at the root of the CR, and writes %s; "+
			"write the whole path", first, where)
	}
}

// prints reports whether the template prints a field.
func (s *subject) prints(path refconfig.FieldPath) bool { return len(s.partsAt(path)) > 0 }

// partsAt returns the parts that the template prints at a path.
func (s *subject) partsAt(path refconfig.FieldPath) []*probe.Part {
	at := []*probe.Part{s.root}
	for _, step := range path {
		at = below(at, func(p *probe.Part) bool { return p.Is(step) })
	}
	return at
}

// elsewhere reports a scalar that is printed from a field of another name or another parent, where
// nothing prints the field of its own name.
func (s *subject) elsewhere() {
	type printed struct {
		path refconfig.FieldPath
		part *probe.Part
		from refconfig.FieldPath
	}
	var all []printed
	count, isOwn := map[string]int{}, map[string]bool{}
	sources := s.asked.Sources()
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		from := sources.Of(p)
		if from == nil && len(p.Below) == 0 && !p.Item {
			from = p.From
		}
		if from != nil {
			all = append(all, printed{path, p, from})
			count[from.String()]++
			isOwn[path.String()] = isOwn[path.String()] || path.String() == from.String()
		}
	})
	for _, one := range all {
		own, from := one.path, one.from
		last, lastFrom := own[len(own)-1].Key, from[len(from)-1].Key
		isOther := !isOwn[own.String()] && len(own) > 1 && len(from) > 1 && own[0].Key == from[0].Key &&
			!slices.EqualFunc(own, from, isSameStep)
		isOfUser := own[0].Key == "spec" || own[0].Key == "data"
		isCopy := count[from.String()] == 2 && isOwn[from.String()] // one printed more often is meant to be shared
		isOnce := count[from.String()] == 1
		isMoved := own[0].Key == "spec" && isOnce && last == lastFrom && !strings.Contains(from.String(), "*") && s.isOnly(own)
		isLabel := isOther && isOnce && own[0].Key == "metadata" && isBeside(own, from) && s.isTexts(own[:len(own)-1]) &&
			!s.prints(from) && !strings.HasSuffix(last, "/")
		isFixed := isOnce && own[0].Key == "spec" && isBeside(own, from) && s.isFixed(from) && !s.hasRead(own)
		if list, at := s.listOf(one.part, own, from); isOther && list != nil {
			s.warn(code.RefReadElsewhere, at, "the template prints an item of %s, and reads .%s as a map; read the fields of each "+
				"item in a range", list, list)
			continue
		}
		if isOther && isOfUser && (isCopy || isMoved || isFixed) || isLabel {
			s.warn(code.RefReadElsewhere, one.part.ValueAt, "%s is printed from .%s, and not from .%s; "+
				"a CR in which the two differ has drift", own, from, own)
		}
	}
}

// isBeside reports whether two fields have the same parent, which is in no list.
func isBeside(a, b refconfig.FieldPath) bool {
	above := len(a) - 1
	return len(a) == len(b) && a[:above].String() == b[:above].String() && !strings.Contains(a.String(), "*")
}

// isFixed reports whether the template states a value for a field, the same for every CR.
func (s *subject) isFixed(path refconfig.FieldPath) bool {
	all := s.partsAt(path)
	isOpen := func(p *probe.Part) bool { return !p.Fixed || len(p.When) > 0 || p.Bare }
	return len(all) > 0 && !slices.ContainsFunc(all, isOpen)
}

// listOf returns the list of which a part is in an item, if the template reads the field of the part at the
// list itself, as with does and range does not, and the place of this condition; nil for none.
func (s *subject) listOf(p *probe.Part, own, from refconfig.FieldPath) (list refconfig.FieldPath, at refconfig.Place) {
	i := slices.IndexFunc(own, func(step refconfig.Step) bool { return step.Any })
	if i < 0 || slices.Concat(own[:i], own[i+1:]).String() != from.String() {
		return nil, at
	}
	list, at = own[:i], p.ValueAt
	for _, item := range s.partsAt(own[:i+1]) {
		for _, a := range item.When {
			if a.Text == "."+list.String() && item.Item {
				at = s.lineAt(a.At)
			}
		}
	}
	return list, at
}

// isOnly reports whether each list above a field has one item only, or one for each round of a loop.
func (s *subject) isOnly(path refconfig.FieldPath) bool {
	for i, step := range path {
		items := below(s.partsAt(path[:i]), func(p *probe.Part) bool { return p.Item })
		if step.Any && len(items) > 1 {
			return false
		}
	}
	return true
}

// isSameStep reports whether two steps of paths are the same, where an index is any item.
func isSameStep(a, b refconfig.Step) bool {
	isItem := func(s refconfig.Step) bool { return s.Any || s.Index >= 0 }
	return a.Key == b.Key || isItem(a) && isItem(b)
}

// loops reports a list whose items are printed in a loop over another list, while the items of the other one
// lack fields that the loop prints here.
func (s *subject) loops() {
	over := regexp.MustCompile(`^range (?:\$\w+(?:, \$\w+)? := )?\$?\.([\w.]+)$`)
	type loop struct {
		own, from refconfig.FieldPath
		at        string
	}
	var all []loop
	count, isOwn := map[string]int{}, map[string]bool{}
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		if !p.Item || strings.Count(path.String(), "*") != 1 || len(p.When) == 0 {
			return
		}
		m := over.FindStringSubmatch(p.When[len(p.When)-1].Text)
		if m == nil {
			return
		}
		from, err := refconfig.ParseFieldPath(m[1])
		if own := path[:len(path)-1]; err == nil {
			all = append(all, loop{own, from, p.When[len(p.When)-1].At})
			count[m[1]]++
			isOwn[m[1]] = isOwn[m[1]] || own.String() == m[1]
		}
	})
	for _, l := range all {
		from := l.from.String()
		isOfOther := count[from] == 2 && isOwn[from] && l.own.String() != from && l.own[0].Key == l.from[0].Key
		if !isOfOther || s.hasRead(l.own) {
			continue
		}
		items := below(s.partsAt(l.own), func(p *probe.Part) bool { return p.Item })
		isMoved := func(f probe.Field) bool {
			path, err := refconfig.ParseFieldPath(f.Path)
			if err != nil || len(path) != len(l.from)+2 || path[:len(l.from)].String() != from {
				return false
			}
			step := path[len(path)-1]
			return !s.prints(path) && len(below(items, func(p *probe.Part) bool { return p.Is(step) })) > 0
		}
		if slices.ContainsFunc(s.asked.Fields, isMoved) {
			s.warn(code.RefReadElsewhere, s.lineAt(l.at), "the items of %s are printed for each of .%s, and nothing reads .%s",
				l.own, from, l.own)
		}
	}
}

// lineAt returns the place of a line of the template's file, given as file:line.
func (s *subject) lineAt(at string) refconfig.Place {
	line, _ := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
	return refconfig.Place{File: s.Ref.File, Line: line}
}

// turned reports a field that the template prints only for a CR without it.
func (s *subject) turned() {
	isTurned, isOpen := map[string]*probe.Part{}, map[string]bool{}
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		name, last := path.String(), len(path)-1
		without := []string{"not ." + name, "not (." + name + ")"}
		if has := "hasKey ." + path[:last].String() + " " + strconv.Quote(path[last].Key); last > 0 {
			without = append(without, "not ("+has+")")
		}
		isWithout := func(a probe.Around) bool { return slices.Contains(without, a.Text) }
		text, _ := p.Value.(string)
		isSaying := p.Fixed && strings.Contains(text, " ") // a text that asks for a value
		if p.Item || !slices.ContainsFunc(p.When, isWithout) || isSaying {
			isOpen[name] = true
		} else {
			isTurned[name] = p
		}
	})
	for name, p := range isTurned {
		path, err := refconfig.ParseFieldPath(name)
		if err != nil || isOpen[name] || s.Ref.Config.IgnoreUnspecified ||
			slices.ContainsFunc(s.partsAt(path[:len(path)-1]), (*probe.Part).IsOpen) {
			continue
		}
		s.warn(code.RefConstant, p.Place, "%s is printed only for a CR without it, so that no CR can agree", name)
	}
}
