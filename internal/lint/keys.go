package lint

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// keys looks at the keys that the text of a template has.
func (l *linter) keys(t *render.Template) {
	o := l.outlines[t]
	for _, n := range o.Root.Children {
		l.rootKey(t, n)
	}
	o.Root.Each(func(n *template.Content) {
		l.keyTwice(t, n)
		if !n.Item && inText(t, n.Path()) {
			l.textField(t, o, n)
		}
		if t.Ref.Config.IgnoreUnspecified {
			l.bareKey(t, o, n)
		}
	})
	if blank, ok := t.Blank(); ok {
		l.inBraces(t, o.Root, nil, blank.Value, blank.Notes)
	}
}

// metadataKeys are all that the metadata of an object can have.
func metadataKeys() []string {
	return strings.Fields(
		"annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation " +
			"labels managedFields name namespace ownerReferences resourceVersion selfLink uid",
	)
}

// rootKey finds keys at the top of a template and in its metadata that no CR has.
func (l *linter) rootKey(t *render.Template, n *template.Content) {
	for _, right := range []string{"apiVersion", "kind", "metadata"} {
		if strings.EqualFold(n.Key, right) && n.Key != right {
			l.fail(code.RefNoSuchKey, t.Place(n.At), "no CR has the key %q; write %q", n.Key, right)
		}
	}
	if n.Key != "metadata" {
		return
	}
	for _, c := range n.Children {
		if !c.Item && !c.IsPrinted() && !slices.Contains(metadataKeys(), c.Key) {
			l.fail(
				code.RefNoSuchKey,
				t.Place(c.At),
				"the metadata of a CR has no key %q, so that no CR can agree%s",
				c.Key,
				code.DidYouMean(c.Key, metadataKeys()),
			)
		}
	}
}

// keyTwice finds keys that stand twice in one branch.
func (l *linter) keyTwice(t *render.Template, n *template.Content) {
	type in struct {
		key    string
		branch *parse.ListNode
	}
	seen := map[in]bool{}
	for _, c := range n.Children {
		if c.Item || c.IsPrinted() {
			continue
		}
		if k := (in{c.Key, c.Branch}); seen[k] {
			l.warn(
				code.RefTemplateKeyTwice,
				t.Place(c.At),
				"the key %q stands here for the second time; the last one counts",
				c.Key,
			)
		} else {
			seen[k] = true
		}
	}
}

// inText reports whether a path is that of a value that CRs have as text, whatever it looks like: of
// labels, annotations and selectors at any depth, and of ConfigMaps.
func inText(t *render.Template, path refconfig.FieldPath) bool {
	if len(path) < 2 {
		return false
	}
	switch above := path[len(path)-2].Key; above {
	case "labels", "annotations":
		return len(path) > 2 && path[len(path)-3].Key == "metadata"
	case "matchLabels", "nodeSelector":
		return len(path) > 2 && path[0].Key == "spec"
	case "data":
		return len(path) == 2 && isKind(t, "v1", "ConfigMap")
	case "stringData":
		return len(path) == 2 && isKind(t, "v1", "Secret")
	}
	return false
}

func isKind(t *render.Template, apiVersion, kind string) bool {
	a, _ := t.Identity.APIVersion.Exact()
	k, _ := t.Identity.Kind.Exact()
	return a == apiVersion && k == kind
}

// textField finds what YAML does not read as text where CRs have text.
func (l *linter) textField(t *render.Template, o *template.Contents, n *template.Content) {
	if n.Block || n.Value == "" || len(n.Children) > 0 || strings.IndexAny(n.Value, `"'{[!&*`) == 0 {
		return
	}
	if o.Literal(n) {
		l.notText(t, n, n.Path(), kubeyaml.ResolvePlain(n.Value))
		return
	}
	if n.Value == string(template.Printed) {
		l.unquoted(t, o, n)
	}
}

// notText tells of a value at a node that is no text.
func (l *linter) notText(t *render.Template, n *template.Content, path refconfig.FieldPath, value any) {
	what := "a number"
	switch value.(type) {
	case string, nil:
		return
	case bool:
		what = "true or false"
	}
	l.fail(code.RefNotText, t.Place(n.ValueAt), "every CR has text at %s, and this is read as %s: write it in quotes",
		path, what)
}

// inBraces finds the same in maps that stand in braces, whose keys the text does not show. The node
// is the innermost one around the value.
func (l *linter) inBraces(t *render.Template, n *template.Content, path refconfig.FieldPath, value, notes any) {
	switch v := value.(type) {
	case map[string]any:
		of, _ := notes.(map[string]any)
		for _, key := range tree.Keys(v) {
			below := n
			if c := n.Child(key); c != nil {
				below = c
			}
			l.inBraces(t, below, path.Below(refconfig.Key(key)), v[key], of[key])
		}
	case []any:
		of, _ := notes.([]any)
		for i, item := range v {
			below := n
			if n.IsList() && len(n.Children) == len(v) {
				below = n.Children[i]
			}
			var note any
			if i < len(of) {
				note = of[i]
			}
			l.inBraces(t, below, path.Below(refconfig.Step{Index: i}), item, note)
		}
	default:
		note, isNote := notes.(provenance.Note)
		if strings.HasPrefix(n.Value, "{") && inText(t, path) && !(isNote && note.Varies()) {
			l.notText(t, n, path, v)
		}
	}
}

// unquoted warns of text that a function made and that is read as YAML. What is handed on unchanged
// keeps its type.
func (l *linter) unquoted(t *render.Template, o *template.Contents, n *template.Content) {
	at := n.ValueAt
	for o.Text[at] != template.Printed {
		at++
	}
	action := o.Actions[parse.Pos(at)]
	if action == nil {
		return
	}
	text := action.Pipe.String()
	mayQuote := func(word string) bool { return strings.Contains(text, word) }
	if slices.ContainsFunc(
		[]string{"quote", "Json", "toYaml", "include", "%q", `\"`, "$"}, mayQuote,
	) { // a variable may hold what has quotes
		return
	}
	makesText := strings.Fields(
		"lower upper title trim trimAll trimSuffix trimPrefix replace substr trunc toString join print printf regexReplaceAll " +
			"regexFind nospace cat snakecase camelcase kebabcase b64dec",
	)
	switch last := action.Pipe.Cmds[len(action.Pipe.Cmds)-1].Args[0].(type) {
	case *parse.IdentifierNode:
		if slices.Contains(makesText, last.Ident) {
			l.warn(code.RefUnquoted, t.Place(at), "what %s makes is read as YAML, so that text such as 10 or yes becomes something else, and a colon or # ends it; "+
				"put | quote behind it", last.Ident)
		}
	case *parse.FieldNode:
		if l.compatible {
			l.warn(code.RefIncompatible, t.Place(at), "kube-compare reads what is printed here as YAML, so that text such as 10 or yes becomes something else; "+
				"put | quote behind it")
		}
	}
}

// bareKey finds keys without a value where that asks for their absence.
func (l *linter) bareKey(t *render.Template, o *template.Contents, n *template.Content) {
	if n.Parent == nil || n.Item || n.Open || n.Block || n.Value != "" || len(n.Children) > 0 || !o.Literal(n) ||
		o.Broken {
		return
	}
	l.warn(
		code.RefBareKey,
		t.Place(n.At),
		"nothing stands behind the key, and with ignore-unspecified-fields that means that the CR must not have %s; "+
			"write null if that is meant",
		n.Path(),
	)
}

// reads finds keys that a template reads in another letter case than it writes them.
func (l *linter) reads(t *render.Template) {
	o := l.outlines[t]
	visit := func(n parse.Node, keys []string) {
		at := o.Root
		for i, key := range keys {
			below := at.Child(key)
			if below == nil {
				if c := at.ChildLike(key); c != nil && (!at.Open || isSchema(at)) {
					l.warn(
						code.RefReadCase,
						t.Body.File.At(n.Position()),
						"the template reads .%s, and writes the key %q at line %d; the letter case counts",
						strings.Join(keys[:i+1], "."),
						c.Key,
						t.Place(c.At).Line,
					)
				}
				return
			}
			at = below
		}
	}
	if !o.Broken {
		rootReads(t.Body.Root, true, visit)
	}
}

// isSchema reports whether the keys of a node are surely those of a kind, of which no two differ in
// the letter case alone, and not names that the author of a CR is free to choose.
func isSchema(n *template.Content) bool {
	return n.Parent == nil || slices.Contains([]string{"metadata", "spec", "status", "template"}, n.Key)
}

// rootReads calls visit for what is read of the CR by its path from the root. Whole says whether
// the dot is the CR.
func rootReads(n parse.Node, whole bool, visit func(n parse.Node, keys []string)) {
	switch n := n.(type) {
	case *parse.ChainNode: // a key of what is in parentheses
		return
	case *parse.FieldNode:
		if whole {
			visit(n, n.Ident)
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			visit(n, n.Ident[1:])
		}
	}
	word, b := template.BranchOf(n)
	template.EachBelow(n, func(c parse.Node) {
		moved := (word == "with" || word == "range") && c == b.List
		rootReads(c, whole && !moved, visit)
	})
}

// places finds paths of fieldsToOmit that lead nowhere in a template that they are for, and that no
// other such template states.
func (l *linter) places() {
	stated, dead := map[refconfig.Place]bool{}, map[refconfig.Place]string{}
	for _, t := range l.engine.Templates() {
		for _, e := range t.Ref.Config.Omit {
			if e.Place.File == "" {
				continue
			}
			why, there := follow(l.outlines[t], e)
			stated[e.Place] = stated[e.Place] || there
			if why != "" && dead[e.Place] == "" {
				dead[e.Place] = "the path " + e.Path.String() + " leads nowhere in " + t.Ref.Path + ", and no other template that it is for states it: " + why
			}
		}
	}
	for place, why := range dead {
		if !stated[place] {
			l.warn(code.RefPathNowhere, place, "%s", why)
		}
	}
}

// follow says why a path that is left out leads nowhere in a template, whatever a CR has there, or
// whether the template has it.
func follow(o *template.Contents, e refconfig.OmitEntry) (deadEnd string, there bool) {
	if len(e.Path) > 1 && e.Path[0].Key == "metadata" {
		if key := e.Path[1]; !key.Any && !slices.Contains(metadataKeys(), key.Key) && !(e.Prefix && len(e.Path) == 2) {
			return "the metadata of a CR has no key " + key.Key + code.DidYouMean(key.Key, metadataKeys()), false
		}
	}
	at := o.Root
	for i, step := range e.Path {
		here, last := e.Path[:i].String(), i == len(e.Path)-1
		switch {
		case step.Any, at.IsList() && step.Index >= 0:
			return "", true
		case at.IsList():
			return here + " is a list; write " + here + ".*." + e.Path[i:].String(), false
		}
		below := at.Child(step.Key)
		switch {
		case below != nil:
			at = below
		case o.Broken, at.Open, e.Prefix && last:
			return "", at.Open && i > 1 // what is printed in the spec is seldom this
		default:
			return lacks(o, at, step.Key, here), false
		}
	}
	return "", true
}

// lacks says why nothing can be at a key of a node that does not state it, "" if a CR may have
// something there.
func lacks(o *template.Contents, at *template.Content, key, here string) string {
	for _, c := range at.Children {
		if !c.Item && strings.EqualFold(c.Key, key) {
			return "the key is written " + c.Key
		}
	}
	empty := []string{"", "{}", "null", "~"}
	if at != o.Root && len(at.Children) == 0 && !slices.Contains(empty, at.Value) && o.Literal(at) {
		return here + " is no mapping"
	}
	return ""
}
