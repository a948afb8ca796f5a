package template

import "text/template/parse"

// Lookups says which objects templates may look up, so that only those of an input are kept.
type Lookups struct {
	kinds map[[2]string]bool
	any   bool
}

// Meets reports whether objects of an apiVersion and kind may be looked up.
func (l Lookups) Meets(apiVersion, kind string) bool {
	return l.any || l.kinds[[2]string{apiVersion, kind}]
}

// Lookups returns what the templates of the set may look up, and the given template texts. If a
// template computes the kind, that is every object.
func (s *Set) Lookups(texts ...string) Lookups {
	l := Lookups{kinds: map[[2]string]bool{}}
	for _, d := range s.definitions(s.templates...) {
		s.addLookups(d, &l)
	}
	for _, text := range texts {
		defs, _ := s.parse("text", newFile("text", []byte(text), 0)) // a text that does not parse looks up nothing
		for _, d := range defs {
			s.addLookups(d, &l)
		}
	}
	return l
}

// addLookups adds the lookups of a definition.
func (s *Set) addLookups(d *Definition, l *Lookups) {
	known := map[parse.Node]bool{} // functions in calls with a literal apiVersion and kind
	s.walk(d.Root, true, func(n parse.Node, _ bool) {
		if call, ok := n.(*parse.CommandNode); ok && len(call.Args) >= 3 {
			apiVersion, ok1 := call.Args[1].(*parse.StringNode)
			kind, ok2 := call.Args[2].(*parse.StringNode)
			if f := s.called(call.Args[0]); f != nil && f.LooksUp && ok1 && ok2 {
				known[call.Args[0]] = true
				l.kinds[[2]string{apiVersion.Text, kind.Text}] = true
			}
		}
		if f := s.called(n); f != nil && f.LooksUp && !known[n] {
			l.any = true
		}
	})
}
