package patch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// edits is a patch: a merge patch (RFC 7386) or a JSON patch (RFC 6902).
type edits struct {
	merged     any
	operations []operation
	isMerge    bool
	size       int // number of bytes of its text
}

// operation is one operation of a JSON patch.
type operation struct {
	kind       string
	path, from pointer
	value      any
}

// readEdits parses a patch that refconfig.CheckPatch accepts.
func readEdits(kind refconfig.PatchType, text string) (edits, error) {
	e := edits{isMerge: kind == refconfig.MergePatch, size: len(text)}
	v, err := tree.FromJSON([]byte(text))
	if err != nil || e.isMerge {
		e.merged = v
		return e, err
	}
	list, _ := v.([]any)
	for _, one := range list {
		o := operation{kind: tree.StringAt(one, "op"), path: pointer(tree.StringAt(one, "path"))}
		o.value, _ = tree.At(one, refconfig.PathOf("value"))
		if o.kind == "move" || o.kind == "copy" {
			o.from = pointer(tree.StringAt(one, "from"))
		}
		e.operations = append(e.operations, o)
	}
	return e, nil
}

// apply returns the result of applying the patch to a map, which is not modified. A patch may copy
// at most the size of the map and the patch together. A test for null passes if a map lacks the
// key; a replace of this key then adds it, and a remove changes nothing. A negative index counts from
// the end of a list. waived, which may be nil, reports
// whether a failed test is ignored.
func (e edits) apply(v any, waived func(*failure) bool) (any, error) {
	p := patcher{root: tree.Copy(v)}
	if e.isMerge {
		p.root = tree.Copy(tree.Merge(v, e.merged))
	} else {
		p.room = tree.SizeOf(v).Printed() + e.size
	}
	lacking := map[pointer]bool{} // where the latest operation is a test for null, or one that is ignored
	for _, o := range e.operations {
		if lacking[o.path] && !p.has(o.path) {
			switch o.kind {
			case "remove":
				continue
			case "replace":
				o.kind = "add"
			}
		}
		err := p.do(o)
		if err == nil {
			lacking[o.path] = o.kind == "test" && o.value == nil
			continue
		}
		failed := &failure{operation: o, at: o.path.fieldPath(), before: p.root, err: err}
		if o.kind != "test" || waived == nil || !waived(failed) {
			return nil, failed
		}
		lacking[o.path] = true
	}
	if _, isMap := p.root.(map[string]any); !isMap {
		return nil, errors.New("the patch leaves no map")
	}
	return p.root, nil
}

// moves reports whether the patch moves or copies values.
func (e edits) moves() bool {
	return slices.ContainsFunc(e.operations, func(o operation) bool { return o.kind == "move" || o.kind == "copy" })
}

// failure is the error of an operation that cannot be applied.
type failure struct {
	operation
	at     refconfig.FieldPath // the path of the operation
	before any                 // the value after the operations before it
	err    error
}

// Error returns the message.
func (f *failure) Error() string { return f.err.Error() }

// patcher has a value that operations change in place; nothing else refers to it.
type patcher struct {
	root any
	room int // bytes that may still be copied
}

func (p *patcher) do(o operation) error {
	nothing := func(at pointer) error {
		return fmt.Errorf("%s operation does not apply: doc is missing key: %s: missing value", o.kind, at)
	}
	v, path := tree.Copy(o.value), o.path.words()
	switch o.kind {
	case "test":
		found, there := valueOf(p.root, path)
		if !there && len(path) > 0 {
			above, _ := valueOf(p.root, path[:len(path)-1])
			_, there = above.(map[string]any)
		}
		if !there || !tree.Equal(found, v) {
			return fmt.Errorf("testing value %s failed", o.path)
		}
		return nil
	case "move", "copy":
		from, there := o.from.words(), false
		if v, there = valueOf(p.root, from); !there {
			return nothing(o.from)
		}
		if o.kind == "copy" {
			if p.room -= tree.SizeOf(v).Printed(); p.room < 0 {
				return errors.New("the JSON patch copies more than the size of the patch and the value together")
			}
			v = tree.Copy(v)
		} else if root, ok := edit(p.root, from, "remove", nil); ok {
			p.root = root
		} else {
			return nothing(o.from)
		}
	}
	root, ok := edit(p.root, path, o.kind, v)
	if !ok {
		return nothing(o.path)
	}
	p.root = root
	return nil
}

// has reports whether the value has something at a pointer.
func (p *patcher) has(at pointer) bool {
	_, there := valueOf(p.root, at.words())
	return there
}

// index converts a word of a pointer to an index in a list of a length.
func index(word string, length int) (int, bool) {
	i, err := strconv.Atoi(word)
	if i < 0 {
		i += length
	}
	return i, err == nil && i >= 0 && i < length
}

// valueOf returns the value at a pointer.
func valueOf(v any, path []string) (any, bool) {
	for _, word := range path {
		there := false
		switch c := v.(type) {
		case map[string]any:
			v, there = c[word]
		case []any:
			var i int
			if i, there = index(word, len(c)); there {
				v = c[i]
			}
		}
		if !there {
			return nil, false
		}
	}
	return v, true
}

// edit applies an operation at a path of a value, which it changes, and returns the value. It
// returns false if the path does not exist.
func edit(v any, path []string, kind string, x any) (any, bool) {
	if len(path) == 0 {
		return x, kind != "remove"
	}
	word, last, ok := path[0], len(path) == 1, false
	switch c := v.(type) {
	case map[string]any:
		below, there := c[word]
		switch {
		case last && kind == "remove":
			delete(c, word)
			return c, there
		case last && kind != "replace":
			c[word] = x
			return c, true
		case !there:
			return v, false
		}
		c[word], ok = edit(below, path[1:], kind, x)
		return c, ok
	case []any:
		adds := last && kind != "replace" && kind != "remove"
		if adds && word == "-" {
			return append(c, x), true
		}
		length := len(c)
		if adds {
			length++
		}
		i, there := index(word, length)
		switch {
		case !there:
			return v, false
		case adds:
			return slices.Insert(c, i, x), true
		case last && kind == "remove":
			return slices.Delete(c, i, i+1), true
		}
		c[i], ok = edit(c[i], path[1:], kind, x)
		return c, ok
	}
	return v, false
}

// pointer is a JSON pointer (RFC 6901).
type pointer string

// pointerOf formats a path as a JSON pointer.
func pointerOf(path refconfig.FieldPath) pointer {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		if step.Key == "" && step.Index >= 0 {
			b.WriteString(strconv.Itoa(step.Index))
		}
		b.WriteString(escape.Replace(step.Key))
	}
	return pointer(b.String())
}

// words returns the keys and indexes of a pointer.
func (p pointer) words() []string {
	if p == "" {
		return nil
	}
	all := strings.Split(string(p[1:]), "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, word := range all {
		all[i] = unescape.Replace(word)
	}
	return all
}

// fieldPath converts a pointer to a path. The position after the last item of a list means the
// list.
func (p pointer) fieldPath() refconfig.FieldPath {
	path := PathOf(string(p))
	if i := slices.IndexFunc(path, func(s refconfig.Step) bool { return s.Key == "-" }); i >= 0 {
		return path[:i]
	}
	return path
}

// PathOf converts a JSON pointer to a path. The position after the last item of a list is the key "-".
func PathOf(text string) (path refconfig.FieldPath) {
	for _, word := range pointer(text).words() {
		step := refconfig.Key(word)
		if i, err := strconv.ParseUint(word, 10, strconv.IntSize-1); err == nil {
			step.Index = int(i)
		}
		path = append(path, step)
	}
	return path
}

// states returns the fields of a value that the patch sets or removes.
func (e edits) states(value any) (paths []refconfig.FieldPath) {
	if e.isMerge {
		return namedBelow(nil, e.merged)
	}
	for _, o := range e.operations {
		path := o.path.fieldPath()
		switch o.kind {
		case "test":
			continue
		case "remove":
			paths = appendRemoved(paths, path)
			continue
		case "move":
			paths = appendRemoved(paths, o.from.fieldPath())
		}
		if _, there := tree.At(value, path); o.kind == "add" && !there {
			paths = append(paths, namedBelow(path, o.value)...)
			continue
		}
		paths = append(paths, path)
	}
	return paths
}

// appendRemoved adds a removed field. It does not add a possible item of a list, because the next
// item takes its index.
func appendRemoved(paths []refconfig.FieldPath, path refconfig.FieldPath) []refconfig.FieldPath {
	if len(path) > 0 && path[len(path)-1].Index >= 0 {
		return paths
	}
	return append(paths, path)
}
