package saved

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzDense: a text is valid JSON before if and only if it is after, and it has the same values but the
// records of runs.
func FuzzDense(f *testing.F) {
	const report = `{ "a" : [ 1 , "x \" ]" ],"runs":[{"findings": [{"b":[1, 2]}, "]"],"comparisons":[{"findings":[1]}]}] }`
	for _, s := range []string{
		report, `1 2`, `tru e`, `- 1`, `1 .5`, `"a" "b"`, ` {} {} `, "[\"a\nb\"]", `"a`, `{"a":1,}`, `]`, ``, `[[[ ]]]`,
		`[[{"findings":[1 2]}]]`, `[[{"findings" [1]}]]`, `[[{"findings"::[1]}]]`, `[[{"findings":[1}}]]`, `[[{"findings":[`,
		`[[{"findings":{"a":[]}}]]`, `[[{"a":"findings"}]]`, `[[["findings"]]]`, `[[{"findings":[[1],2],"b" :3}]]`,
	} {
		f.Add(s)
	}
	for i := range len(report) {
		f.Add(report[:i])
		f.Add(report[:i] + report[i+1:])
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := dense([]byte(text))
		if json.Valid(got) != json.Valid([]byte(text)) {
			t.Fatalf("%s became %s", text, got)
		}
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal(got, &after) != nil {
			return
		}
		empty(before, 1)
		empty(after, 1)
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s became %s", text, got)
		}
		var compact bytes.Buffer
		if json.Compact(&compact, got) != nil || compact.Len() != len(got) {
			t.Errorf("%s has white space", got)
		}
	})
}

// empty empties the lists of records in a value at a depth.
func empty(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			empty(item, depth+1)
		}
	case map[string]any:
		for key, value := range v {
			if _, isList := value.([]any); isList && key == "findings" && depth == 3 {
				v[key] = []any{}
			}
			empty(value, depth+1)
		}
	}
}
