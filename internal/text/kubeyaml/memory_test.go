package kubeyaml

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
)

// longTexts are texts of about a number of bytes with one long scalar, in each way of writing it that
// is read without yaml.v3.
func longTexts(size int) map[string]string {
	line := strings.Repeat("a word, ", 9) + "end"
	long := strings.Repeat(line+" ", size/len(line))
	block := strings.Repeat("    "+line+"\n", size/len(line))
	return map[string]string{
		"plain": "a: 1\nb: " + long + "c\n", "quoted": "b: '" + long + "'\nc: d\n", "twice": "b: 'it''s " + long + "'\n",
		"escaped": `b: "` + long + `\n\t\"` + "\"\n", "literal": "b: |\n" + block + "\n    c\nd: e\n", "folded": "b: >-\n" + block + "d: e\n",
		"continued": "b: a\n" + block + "c: d\n", "short lines": "b: |+\n" + strings.Repeat("    é\n\n", size/8) + "c: d\n",
		"escaped JSON": `{"b": "` + strings.Repeat(line+`\n\ud83d\ude00é\"`, size/(len(line)+20)) + `"}`, "JSON": `{"b": "` + long + `"}`,
	}
}

// TestLongTextsAreCopiedOnce holds the memory of decoding by counting what is allocated.
func TestLongTextsAreCopiedOnce(t *testing.T) {
	const size = 2 << 20
	for name, text := range longTexts(size) {
		data := []byte(text)
		isJSON := strings.Contains(name, "JSON")
		if !isJSON && !checkPlain(t, data, Limits{}) {
			t.Errorf("%s: left to yaml.v3", name)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		nodes, err := Parse(data)
		runtime.ReadMemStats(&after)
		most := 1.5 // of the text
		if name == "escaped JSON" {
			most = 5 // in small parts
		}
		if taken := float64(after.TotalAlloc - before.TotalAlloc); err != nil || taken > most*float64(len(data)) {
			t.Errorf("%s: decoding allocates %.1f times the text, error %v", name, taken/float64(len(data)), err)
		}
		if isJSON {
			var want struct{ B string }
			if _, got := nodes[0].Field("b"); json.Unmarshal(data, &want) != nil || got.Text != want.B {
				t.Errorf("%s: the text differs from that of encoding/json", name)
			}
		}
	}
}

// TestOneOddElementIsDecodedAlone: an element that the reader does not support does not cost the memory
// of decoding the whole List.
func TestOneOddElementIsDecodedAlone(t *testing.T) {
	outline := func(read *[]string) Outline {
		field := func(key []byte) (string, Outline) {
			if string(key) == "kind" {
				return "kind", Outline{}
			}
			return "", Outline{}
		}
		element := func(n *Node, start, end int) {
			_, kind := n.Field("kind")
			*read = append(*read, fmt.Sprintf("%s %d:%d %d", kind.Text, kind.Line, kind.Column, kind.Offset-start))
		}
		return Outline{Field: func(key []byte) (string, Outline) { return string(key), Outline{Field: field, Element: element} }}
	}
	for _, c := range []struct{ odd, want string }{
		{"- {kind: B}\n", "A 2:9 8,B 3:10 9,C 5:9 10"},
		{"- ? long\n  : x\n  kind: B\n", "A 2:9 8,B 5:9 23,C 7:9 10"},
		{"- kind: B\n  t: {a:\n  b}\n# c\n\n", "A 2:9 8,B 3:9 8,C 9:9 10"},
		{"- kind: B\n  !x t: u\n- kind: B\n  t: [u]\n", "A 2:9 8,B 3:9 8,B 5:9 8,C 8:9 10"},
		{"- kind: B\n  t: &u v\n- kind: B\n  t: *u\n", ""},
		{"- kind: B\n  t: {a: \"b\n- kind: B\n  c\"}\n", ""},
		{"- kind: B\n  t: {a: b\n", ""},
	} {
		for _, tail := range []string{"", "kind: List\n"} {
			text := "items:\n- kind: A\n" + c.odd + "-\n  kind: C\n" + tail
			var read []string
			n := DefaultLimits().ReadOutline(&Room{}, Document{Text: []byte(text)}, outline(&read))
			if got := strings.Join(read, ","); n == nil != (c.want == "") || n != nil && got != c.want {
				t.Errorf("%q: %s, want %s", text, got, c.want)
			}
		}
	}
	list := "items:\n" + strings.Repeat("- kind: A\n  spec:\n    text: one\n", 50_000) + "- kind: B\n  t: {a: b}\n"
	var read []string
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := DefaultLimits().ReadOutline(&Room{}, Document{Text: []byte(list)}, outline(&read))
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; n == nil || len(read) != 50_001 || taken > 12*uint64(len(list)) {
		t.Errorf("%d elements, %.1f times the text", len(read), float64(taken)/float64(len(list)))
	}
}

// TestObjectsHaveLimitsOfTheirOwn: an object is refused if it has more values than any that a server
// accepts.
func TestObjectsHaveLimitsOfTheirOwn(t *testing.T) {
	large := []byte("a: " + strings.Repeat("x", 100) + "\n")
	dense := []byte(strings.Repeat("- a\n", 1+denseFrom/4))
	for _, c := range []struct {
		limits Limits
		text   []byte
		want   code.Code
	}{
		{Limits{Size: 50}, large, code.LimitMemory}, {Limits{Size: 50}.OfObject(), large, code.LimitMemory},
		{Limits{}, dense, ""}, {Limits{}.OfObject(), dense, code.LimitValues}, {Limits{}.OfObject(), dense[4:], ""},
		{Limits{Dense: 1_000_000}.OfObject(), dense, ""}, {Limits{Values: 1000, Dense: 1000}.OfObject(), dense[4:], code.LimitValues},
	} {
		_, fault := c.limits.ParseAt(c.text, 0)
		if fault != nil && fault.Code != c.want || fault == nil && c.want != "" {
			t.Errorf("%d bytes with %+v: %v", len(c.text), c.limits, fault)
		}
	}
}
