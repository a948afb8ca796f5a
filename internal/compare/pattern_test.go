package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// inline replaces every pattern by the value of the input that it accepts.
func (s *sides) inline(t *refconfig.Template, object map[string]any) {
	values := map[string]string{}
	for _, f := range t.Config.PerField {
		for _, path := range tree.Expand(s.left, f.Path) {
			at := spotOf(path)
			s.patterns = append(s.patterns, at)
			left, _ := valueAt(s.left, at)
			right := partnerAt(s.left, object, at)
			pattern, ok1 := left.(string)
			text, ok2 := asPrinted(right)
			if !ok1 || !ok2 {
				continue
			}
			groups, ok := accepts(f.Function, pattern, text)
			if !ok && pattern != text {
				s.unlike = append(s.unlike, at)
				continue
			}
			s.left, _ = tree.Set(s.left, path, right)
			for name, value := range groups {
				old, known := values[name]
				s.conflict = s.conflict || known && old != value
				values[name] = value
			}
		}
	}
}

// partnerAt returns the value of the input at a spot of the reference. It goes to the first item with
// the same name, else to the item with the same index.
func partnerAt(left, right any, at spot) any {
	for _, step := range at {
		index, isIndex := step.(int)
		if items, isList := right.([]any); isIndex && isList {
			item, _ := valueAt(left, spot{index})
			name, named := valueAt(item, spot{"name"})
			for i, other := range items {
				if found, ok := valueAt(other, spot{"name"}); named && ok && alike(found, name) {
					step = i
					break
				}
			}
			left = item
		} else {
			left, _ = valueAt(left, spot{step})
		}
		right, _ = valueAt(right, spot{step})
	}
	return right
}

// asPrinted returns a scalar as text; false for null, maps and lists.
func asPrinted(v any) (string, bool) {
	switch v.(type) {
	case nil, map[string]any, []any:
		return "", false
	}
	return fmt.Sprint(v), true
}

// accepts reports whether a pattern accepts a whole text, and returns the texts of its groups.
func accepts(function, pattern, text string) (map[string]string, bool) {
	if function == "capturegroups" {
		pattern = wholePattern(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, false
	}
	found := re.FindStringSubmatch(text)
	if found == nil || found[0] != text {
		return nil, false
	}
	groups := map[string]string{}
	for i, name := range re.SubexpNames() {
		name, _, _ = strings.Cut(name, "_audit_")
		if old, known := groups[name]; known && old != found[i] {
			return groups, false
		}
		if name != "" {
			groups[name] = found[i]
		}
	}
	return groups, true
}

// wholePattern returns a regular expression for a text with named groups.
func wholePattern(text string) string {
	head := regexp.MustCompile(`\(\?P?<(\w+)>`)
	var b strings.Builder
	b.WriteString(`\A(?:`)
	for n := 0; ; n++ {
		at := head.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		b.WriteString(regexp.QuoteMeta(text[:at[0]]))
		end := closing(text, at[1])
		fmt.Fprintf(&b, "(?P<%s_audit_%d>%s)", text[at[2]:at[3]], n, text[at[1]:end])
		text = text[min(end+1, len(text)):]
	}
	b.WriteString(regexp.QuoteMeta(text) + `)\z`)
	return b.String()
}

// closing returns the offset of the parenthesis that closes a group. The content of the group
// begins at the given offset.
func closing(text string, at int) int {
	depth, class := 1, false
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\':
			at++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		function, pattern, text string
		want                    bool
	}{
		{"regex", `^a+$`, "aaa", true}, {"regex", `a+`, "aab", false}, {"regex", `(?<x>a)b`, "ab", true}, {"regex", `(`, "(", false},
		{"capturegroups", `a.(?<x>[0-9)]+)`, "a.12", true}, {"capturegroups", `a.(?<x>\d+)`, "ab12", false},
		{"capturegroups", `(?<x>\d+)-(?<x>\d+)`, "1-1", true}, {"capturegroups", `(?<x>\d+)-(?<x>\d+)`, "1-2", false},
		{"capturegroups", `(?P<x>(a|b)\))!`, "b)!", true}, {"capturegroups", `no groups`, "no groups", true},
	} {
		if _, got := accepts(c.function, c.pattern, c.text); got != c.want {
			t.Errorf("%s %q accepts %q: %v", c.function, c.pattern, c.text, got)
		}
	}
}

// TestPatternsMatchScalars checks that numbers and booleans are matched as they are printed, and
// that null, maps and lists are not text.
func TestPatternsMatchScalars(t *testing.T) {
	for _, c := range []struct {
		function, pattern string
		value             any
		want              string
	}{
		{"regex", "[0-9]+", int64(12), "expected 12 12"},
		{"regex", "[0-9]+", "12", `expected "12" "12"`},
		{"regex", "-?[0-9.]+", -1.5, "expected -1.5 -1.5"},
		{"regex", "true|false", true, "expected true true"},
		{"regex", "[a-z]+", int64(12), `drift "[a-z]+" 12`},
		{"regex", "[0-9]", int64(12), `drift "[0-9]" 12`},
		{"regex", ".*", nil, `drift ".*" null`},
		{"regex", ".*", []any{int64(1)}, `drift ".*" [1]`},
		{"regex", ".*", map[string]any{"a": int64(1)}, `drift ".*" {"a":1}`},
		{"capturegroups", "(?<n>[0-9]+)", int64(12), "expected 12 12"},
		{"capturegroups", "1(?<n>[0-9]+)", int64(12), "expected 12 12"},
		{"capturegroups", "(?<b>true|false)", false, "expected false false"},
		{"capturegroups", "(?<b>yes|no)", false, `drift "(?<b>yes|no)" false`},
	} {
		object := func(x any) map[string]any {
			return map[string]any{
				"apiVersion": "v1",
				"kind":       "Thing",
				"metadata":   map[string]any{"name": "x"},
				"spec":       map[string]any{"x": x},
			}
		}
		got := compareBy(
			t, "\n- {pathToKey: spec.x, inlineDiffFunc: "+c.function+"}\n", object(c.pattern), object(c.value),
		)
		var told []string
		for _, d := range got.Differences {
			told = append(told, fmt.Sprintf("%s %s %s", d.Category, d.Reference, d.Input))
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%s %q and %v: %s, want %s", c.function, c.pattern, c.value, got, c.want)
		}
	}
}

// TestPatternsFollowTheirItems inserts an unrelated item at each place of a list, and expects that the
// items with patterns and with documents still agree.
func TestPatternsFollowTheirItems(t *testing.T) {
	for _, entry := range []string{"inlineDiffFunc: regex", "inlineDiffFunc: capturegroups", "embedded: json"} {
		for _, items := range [][3]string{ // of the reference, of the input, and an unrelated one
			{`{name: a, v: %s}, {name: b, v: %s}`, `{name: a, v: %s}, {name: b, v: %s}`, `{name: c, v: other}`},
			{`{v: %s, w: a}, {v: %s, w: b}`, `{v: %s, w: a}, {v: %s, w: b}`, `{v: other, w: c}`},
			{`%s, %s`, `%s, %s`, `other`},
		} {
			expected, found := `"[0-9]+"`, `"57"`
			field := "data.l.*.v"
			if items[2] == "other" {
				field = "data.l.*"
			}
			switch entry {
			case "inlineDiffFunc: capturegroups":
				expected, found = `"<(?<n>[0-9]+)>"`, `"<57>"`
			case "embedded: json":
				if expected, found = `'{"k": 1}'`, `'{ "k":1 }'`; items[2] == "other" {
					continue // a text without a key is found by its value
				}
			}
			input := strings.Split(fmt.Sprintf(items[1], found, found), ", ")
			if strings.Contains(items[1], "{") {
				input = []string{fmt.Sprintf(strings.SplitAfter(items[1], "}")[0], found),
					strings.TrimPrefix(fmt.Sprintf(strings.SplitAfter(items[1], "}")[1], found), ", ")}
			}
			for at := range len(input) + 1 {
				for _, path := range []string{field, strings.Replace(field, "*", "0", 1)} {
					files := map[string]string{
						"a.yaml": configMap("ns", "a", "l: ["+fmt.Sprintf(items[0], expected, expected)+"]"),
						"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml, config: " +
							"{perField: [{pathToKey: " + path + ", " + entry + "}, {pathToKey: " + strings.Replace(field, "*", "1", 1) +
							", " + entry + "}]}}]}]}]\n",
					}
					if path == field {
						files["metadata.yaml"] = strings.Replace(
							files["metadata.yaml"], ", {pathToKey: "+strings.Replace(field, "*", "1", 1)+", "+entry+"}", "", 1,
						)
					}
					with := slices.Insert(slices.Clone(input), at, items[2])
					run := runFiles(t, files, configMap("ns", "a", "l: ["+strings.Join(with, ", ")+"]"), Options{})
					counts := run.Comparisons[0].Counts
					if counts.Drift+counts.Missing > 0 || counts.Extra != 1 {
						t.Errorf("%s at %s of %s: %s", entry, path, with, counts)
					}
				}
			}
		}
	}
}
