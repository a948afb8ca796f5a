package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
)

// TestDocumentsThatHaveToBeDecodedAreBounded: a file of some hundred kilobytes can unpack to millions of documents, each of which takes ten
// times as long to decode as to scan. What is behind those that are read is told of, and documents that are only scanned are not bounded so.
func TestDocumentsThatHaveToBeDecodedAreBounded(t *testing.T) {
	const cm = "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "
	for _, c := range []struct {
		document string
		want     int // objects of 1,100
		line     int // of the first that is not read
	}{
		{cm + "a%d\n  labels: &l {x: y}\n  annotations: *l\n", 250, 1752},
		{"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%d}\n", 1000, 4002},
		{cm + "a%d\n  labels:\n    x: y\n", 1100, 0},
	} {
		var text strings.Builder
		for i := range 1100 {
			fmt.Fprintf(&text, c.document, i)
		}
		got := manifest.Read("in.yaml", "", []byte(text.String()), manifest.Hints{Asked: true, Limits: kubeyaml.Limits{Values: 2000}})
		line := 0
		if len(got.Problems) == 1 && got.Problems[0].Code == code.LimitValues {
			line = got.Problems[0].Place.Line
		}
		if len(got.Objects) != c.want || line != c.line || len(got.Problems) > 1 {
			t.Errorf("%q: %d CRs, want %d; line %d, want %d; %v", c.document, len(got.Objects), c.want, line, c.line, got.Problems)
		}
	}
}

// TestValuesOnOneLineAreReadOnce: where the rest of the line were looked at behind each value, this would take minutes.
func TestValuesOnOneLineAreReadOnce(t *testing.T) {
	const count = 1_000_000
	text := strings.Repeat(`{"a":1}`, count) + " # the end\n\n#"
	got := manifest.Read("in.json", "", []byte(text), manifest.Hints{Asked: true})
	if len(got.Passed) != 1 || got.Passed[0].Count != count || len(got.Problems) > 0 {
		t.Errorf("%v %v", got.Passed, got.Problems)
	}
}
