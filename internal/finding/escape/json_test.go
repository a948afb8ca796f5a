package escape_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/validationtool/validationtool/internal/finding/escape"
)

// IndentedJSON must give the same text as encoding/json.
func FuzzIndentedJSON(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `null`, `""`, `{"a":[],"b":{},"c":[{}],"d":[1,-2.5e3,true,null,[[]]]}`, `{"a\"b":"c\\","\\\\":"{[,:]}\\\""}`,
		`"é\u200b<&>"`, ` { "a" : [ 1 , { } ] } `} {
		f.Add(s, "      ")
	}
	f.Fuzz(func(t *testing.T, text, prefix string) {
		if !json.Valid([]byte(text)) || !escape.Plain([]byte(prefix)) {
			t.Skip()
		}
		got, err := escape.IndentedJSON(json.RawMessage(text), prefix)
		var compact, want bytes.Buffer
		if err == nil {
			err = json.Compact(&compact, []byte(text))
		}
		if err == nil {
			err = json.Indent(&want, escape.JSON(compact.Bytes()), prefix, "  ")
		}
		if err != nil || string(got) != want.String() {
			t.Errorf("%v: %s\nwant: %s", err, got, want.Bytes())
		}
	})
}
