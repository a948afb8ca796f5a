package kubeyaml

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseValues(t *testing.T) {
	tests := []struct {
		name, text string
		want       []any
	}{
		{"empty", "", nil},
		{"only a comment", "# x\n", nil},
		{"an empty document", "---\n", []any{nil}},
		{"several documents", "a: 1\n---\nb\n---\n- c\n", []any{map[string]any{"a": int64(1)}, "b", []any{"c"}}},
		{
			"empty collections",
			"a: {}\nb: []\nc:\n",
			[]any{map[string]any{"a": map[string]any{}, "b": []any{}, "c": nil}},
		},
		{"styles", "a: |\n  x\n  y\nb: >-\n  x\n  y\nc: 'it''s'\nd: \"\\u00e9\\n\"\n",
			[]any{map[string]any{"a": "x\ny\n", "b": "x y", "c": "it's", "d": "é\n"}}},
		{"alias", "a: &x [1, {b: 2}]\nc: *x\n",
			[]any{
				map[string]any{
					"a": []any{int64(1), map[string]any{"b": int64(2)}},
					"c": []any{int64(1), map[string]any{"b": int64(2)}},
				},
			}},
		{"a merge after a key", "base: &b {a: 1, b: 2}\nx:\n  a: 0\n  <<: *b\n", []any{map[string]any{
			"base": map[string]any{"a": int64(1), "b": int64(2)}, "x": map[string]any{"a": int64(1), "b": int64(2)}}}},
		{"a merge after a merge", "x:\n  <<: {a: 1, b: 2}\n  <<: [{a: 3}, {a: 4, c: 5}]\n", []any{map[string]any{
			"x": map[string]any{"a": int64(3), "b": int64(2), "c": int64(5)}}}},
		{
			"explicit key after a merge",
			"x:\n  <<: {a: 1, b: 2}\n  a: 0\n",
			[]any{map[string]any{"x": map[string]any{"a": int64(0), "b": int64(2)}}},
		},
		{
			"the first of several merged maps wins",
			"x:\n  <<: [{a: 1}, {a: 2, b: 2}]\n",
			[]any{map[string]any{"x": map[string]any{"a": int64(1), "b": int64(2)}}},
		},
		{"a quoted << is a key", "'<<': {a: 1}\n", []any{map[string]any{"<<": map[string]any{"a": int64(1)}}}},
		{"the last duplicate wins", "a: 1\nb: 2\na: 3\n", []any{map[string]any{"a": int64(3), "b": int64(2)}}},
		{"duplicates by meaning", "y: 1\n\"true\": 2\n", []any{map[string]any{"true": int64(2)}}},
		{"JSON", `{"a": [1, 2.0, -3.5e0, "x", true, false, null], "b": {}}`,
			[]any{map[string]any{"a": []any{int64(1), int64(2), -3.5, "x", true, false, nil}, "b": map[string]any{}}}},
		{"JSON escapes", `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d"`, []any{"\"\\/\b\f\n\r\té😀\ufffd"}},
		{"JSON that YAML refuses", "{\t\"a\":\t\"\x7f \\ud83d\\ude00\"}", []any{map[string]any{"a": "\x7f 😀"}}},
		{"several JSON values", "{}\n[]{\"a\":1}", []any{map[string]any{}, []any{}, map[string]any{"a": int64(1)}}},
		{"JSON bytes that are no UTF-8", "{\"a\":\"\xff\"}", []any{map[string]any{"a": "\ufffd"}}},
		{"YAML in braces", "{a: b, c: [d, e,],}", []any{map[string]any{"a": "b", "c": []any{"d", "e"}}}},
		{"byte order mark", BOM + "a: 1\n", []any{map[string]any{"a": int64(1)}}},
		{"byte order mark and JSON", BOM + `{"a": 1}`, []any{map[string]any{"a": int64(1)}}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "JSON escapes" {
				c.text = "[" + c.text + "]"
				c.want = []any{c.want}
			}
			nodes, err := Parse([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []any
			for _, n := range nodes {
				got = append(got, n.Value())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParsePlacesAndStyles(t *testing.T) {
	text := "é: &x !!str  'ü'\nlist:\n- |\n  a\n- >-\n  b\n- [1, {k: \"v\"}]\n- ! c\nnone:\nalias: *x\n"
	nodes, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var show func(n *Node)
	show = func(n *Node) {
		got = append(got, fmt.Sprintf("%d:%d %q kind=%d style=%d flow=%v tag=%s %q",
			n.Line, n.Column, text[n.Offset:min(len(text), n.Offset+2)], n.Kind, n.Style, n.Flow, n.Tag(), n.Text))
		for i, v := range n.Values {
			if n.Kind == Map {
				show(n.Keys[i])
			}
			show(v)
		}
	}
	show(nodes[0])
	want := []string{
		`1:1 "é" kind=2 style=0 flow=false tag= ""`,
		`1:1 "é" kind=0 style=0 flow=false tag= "é"`,
		`1:15 "'\xc3" kind=0 style=1 flow=false tag=!!str "ü"`,
		`2:1 "li" kind=0 style=0 flow=false tag= "list"`,
		`3:1 "- " kind=1 style=0 flow=false tag= ""`,
		`3:3 "|\n" kind=0 style=3 flow=false tag= "a\n"`,
		`5:3 ">-" kind=0 style=4 flow=false tag= "b"`,
		`7:3 "[1" kind=1 style=0 flow=true tag= ""`,
		`7:4 "1," kind=0 style=0 flow=false tag= "1"`,
		`7:7 "{k" kind=2 style=0 flow=true tag= ""`,
		`7:8 "k:" kind=0 style=0 flow=false tag= "k"`,
		`7:11 "\"v" kind=0 style=2 flow=false tag= "v"`,
		`8:5 "c\n" kind=0 style=0 flow=false tag= "c"`,
		`9:1 "no" kind=0 style=0 flow=false tag= "none"`,
		`9:6 "\na" kind=0 style=0 flow=false tag= ""`,
		`10:1 "al" kind=0 style=0 flow=false tag= "alias"`,
		`1:15 "'\xc3" kind=0 style=1 flow=false tag=!!str "ü"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseFaultsHaveTheirPlace(t *testing.T) {
	deep := strings.Repeat("[", DefaultLimits().Nesting+2)
	tests := []struct {
		name, text string
		want       SyntaxError
	}{
		{
			"infinity",
			"a: 1\nb: .inf\n",
			SyntaxError{
				Line:    2,
				Column:  4,
				Message: `".inf" is not a value that Kubernetes can store; quote it if it is text`,
			},
		},
		{"tag", "a:\n- !!int x\n", SyntaxError{Line: 2, Column: 9, Message: "the value does not fit its tag !!int"}},
		{"null key", "a: 1\n~: 2\n", SyntaxError{Line: 2, Column: 1, Message: "a key is null; quote it"}},
		{
			"braces of a template",
			"a: {{ .b }}\n",
			SyntaxError{
				Line:    1,
				Column:  5,
				Message: "a map or a list is used as a key; quote the braces if they are text",
			},
		},
		{
			"merge of a scalar",
			"<<: x\n",
			SyntaxError{Line: 1, Column: 5, Message: "a merge key (<<) needs a map or a list of maps"},
		},
		{"anchor in itself", "a: &x\n  b: *x\n", SyntaxError{Line: 2, Column: 6, Message: "an anchor contains itself"}},
		{"no UTF-8", "a: 1\nbc: \xff\n", SyntaxError{Line: 2, Column: 5, Message: "a byte is not valid UTF-8"}},
		{"NUL", "a: 1\n\x00\x00", SyntaxError{Line: 2, Column: 1, Message: "a NUL byte, as in a damaged file"}},
		{
			"control character",
			"a: \x01",
			SyntaxError{Line: 1, Column: 4, Message: "a control character is not allowed"},
		},
		{"UTF-16", "\xff\xfea\x00", SyntaxError{Line: 1, Column: 1, Message: "a byte is not valid UTF-8"}},
		{"too deep", deep, SyntaxError{Line: 1, Column: DefaultLimits().Nesting + 2, Message: ""}},
		{
			"JSON breaks off",
			"{\n\"a\": {\"b\": 1,\n",
			SyntaxError{Line: 3, Column: 1, Message: "unexpected end of the JSON text", IsJSON: true},
		},
		{
			"JSON breaks off in a string",
			"{\"a\": \"b",
			SyntaxError{Line: 1, Column: 9, Message: "unexpected end of the JSON text", IsJSON: true},
		},
		{
			"JSON breaks off in an escape",
			"{\"a\": \"\\u00",
			SyntaxError{Line: 1, Column: 12, Message: "unexpected end of the JSON text", IsJSON: true},
		},
		{
			"JSON without a comma",
			"{\"a\": 1\n \"b\": 2}",
			SyntaxError{Line: 2, Column: 2, Message: "expected a comma or }"},
		},
		{"JSON without a colon", "{\"a\" 1}", SyntaxError{Line: 1, Column: 6, Message: "expected a colon"}},
		{"JSON escape", `{"a": "\x"}`, SyntaxError{Line: 1, Column: 8, Message: "an invalid escape in a string"}},
		{
			"JSON number too large",
			"{\"a\": 1e999}",
			SyntaxError{Line: 1, Column: 7, Message: "a number is too large", IsJSON: true},
		},
		{
			"JSON breaks off in a word",
			"{\"a\": tru\n",
			SyntaxError{Line: 1, Column: 11, Message: "unexpected end of the JSON text", IsJSON: true},
		},
		{"JSON breaks off in a number", "{\"a\": 1.", SyntaxError{Line: 1, Column: 7, Message: "expected a number"}},
		{
			"JSON breaks off behind a comment",
			"{\"a\": 1, # c\n \"b\": ",
			SyntaxError{Line: 1, Column: 10, Message: "expected a key in double quotes"},
		},
		{
			"JSON breaks off in the second value",
			"{\"a\": 1}\n{\"a\": ",
			SyntaxError{Line: 2, Column: 7, Message: "unexpected end of the JSON text", IsJSON: true},
		},
		{
			"JSON with text behind it",
			"{\"a\": 1}\nb: 2\n",
			SyntaxError{Line: 2, Column: 1, Message: "expected a value"},
		},
		{
			"JSON string over the end of a list",
			`{"a": ["x'], "b": 1}`,
			SyntaxError{Line: 1, Column: 15, Message: "expected a comma or ]"},
		},
		{"JSON list", `[{"a": 1} {}]`, SyntaxError{Line: 1, Column: 11, Message: "expected a comma or ]"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Fatalf("no *SyntaxError: %v", err)
			}
			if c.want.Message == "" {
				return
			}
			if diff := cmp.Diff(c.want, *got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What begins like JSON and is none is YAML in braces.
func TestBracesThatAreNoJSON(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a comma too many", `{"a": 1,}`, `{"a": 1}`},
		{"single quotes", "{\"a\": 'x',\n 'b': \"y\"}", `{"a": "x", "b": "y"}`},
		{"no quotes", `{"a": x y, b: [nil]}`, `{"a": "x y", "b": ["nil"]}`},
		{"a comment", "{\"a\": 1, # c\n \"b\": 2}\n", `{"a": 1, "b": 2}`},
		{"a comment behind it", "{\"a\": 1}\n# c\n", `{"a": 1}`},
		{"tabs", "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t1,\n\t],\n}\n", `{"a": 1, "b": [1]}`},
		{"a number with a leading zero", `{"a": 010}`, `{"a": 8}`},
		{"a string over lines", "{\"a\": \"x\n  y\"}", `{"a": "x y"}`},
		{"a list", "[{\"a\": 1,},]", `[{"a": 1}]`},
		{"an alias", `{"a": &x {"b": 1}, "c": *x}`, `{"a": {"b": 1}, "c": {"b": 1}}`},
	} {
		got, err := Parse([]byte(c.text))
		want, _ := Parse([]byte(c.want))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d documents, %v", c.name, len(got), err)
			continue
		}
		if diff := cmp.Diff(want[0].Value(), got[0].Value()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestParseTellsTheLineOfABrokenDocument(t *testing.T) {
	tests := []struct {
		text string
		line int
	}{
		{"a: 1\nb: c: d\n", 2},
		{"a: 1\n  b: 2\n", 2},
		{"a: 1\nb: 'x\n", 2},
		{"a: 1\nb: [1, 2\nc: 3\n", 2}, // where the bracket was opened
		{"a:\n\tb: 1\n", 2},
		{"a: 1\nb: *x\n", 2},
		{"a: 1\n- b\n", 2},
		{"a: 1\nb: @x\n", 2},
		{"x\ny: 1\n", 2},
		{"a:\n - b\n c: 1\n", 3},
		{"a: 1\n# x\nb:\n  c: 1\n  d: 2\n  e: [1\n  f: 1\ng: 2\n", 6},
		{"a: 1\nb:\n  c: 1\n  d: 2\n- e\nf: 1\n", 5},
	}
	for _, c := range tests {
		_, err := Parse([]byte(c.text))
		var got *SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("%q: no *SyntaxError: %v", c.text, err)
			continue
		}
		if got.Line != c.line {
			t.Errorf("%q: line %d, want %d (%s)", c.text, got.Line, c.line, got.Message)
		}
	}
}

func TestAliasesAreBounded(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(
			&laughs, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "),
		)
	}
	if _, err := Parse([]byte(laughs.String())); err == nil {
		t.Error("a billion laughs were accepted")
	}
	var chain strings.Builder
	chain.WriteString("a0: &a0 [x]\n")
	for i := 1; i < 2*DefaultLimits().Nesting; i++ {
		fmt.Fprintf(&chain, "a%d: &a%d [*a%d]\n", i, i, i-1)
	}
	if _, err := Parse([]byte(chain.String())); err == nil {
		t.Error("a chain of aliases deeper than the limit was accepted")
	}
}

func TestDuplicateKeysAreKept(t *testing.T) {
	nodes, err := Parse([]byte("a: 1\nb:\n- x: 1\n  x: 2\n  x: 3\na: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, key := range DuplicateKeys(nodes[0]) {
		got = append(got, fmt.Sprintf("%d:%s", key.Line, key.Text))
	}
	if diff := cmp.Diff([]string{"1:a", "3:x", "4:x"}, got); diff != "" {
		t.Error(diff)
	}
	if key, value := nodes[0].Field("a"); key.Line != 6 || value.Text != "2" {
		t.Errorf("the last one must win: %d %s", key.Line, value.Text)
	}
}

func TestValueMakesAFreshTree(t *testing.T) {
	nodes, err := Parse([]byte("a: &x {b: [1]}\nc: *x\n"))
	if err != nil {
		t.Fatal(err)
	}
	first := nodes[0].Value().(map[string]any)
	first["a"].(map[string]any)["b"].([]any)[0] = "changed"
	if reflect.DeepEqual(first["a"], first["c"]) {
		t.Error("an alias shares its value with its anchor")
	}
	if diff := cmp.Diff(map[string]any{"b": []any{int64(1)}}, nodes[0].Value().(map[string]any)["a"]); diff != "" {
		t.Error(diff)
	}
}
