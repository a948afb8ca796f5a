package diff

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
)

// revealed compares two texts and their documents, and returns the difference and the lines that
// show it.
func revealed(left, right string, show Show) (finding.Difference, string) {
	root := Of(provenance.Plain(map[string]any{"a": left}), map[string]any{"a": right}, secret.Scope{})
	c := Compared{Tree: root, Differences: Flatten(root)}
	c = c.Revealed(&embed.Reader{Left: embed.Most(len(left) + len(right))}, show.Secrets)
	var lines []string
	show.Full = true
	for _, s := range show.Sides(&Room{}, c.Tree, nil) {
		text := func(l *finding.Line) string {
			if l == nil {
				return ""
			}
			return strings.Repeat(" ", l.Indent) + l.Text
		}
		if s.Note != nil {
			lines = append(lines, "^ "+s.Note.Text)
			continue
		}
		mark := " "
		if s.Category != finding.Same {
			mark = "|"
		}
		lines = append(lines, text(s.Left)+" "+mark+" "+text(s.Right))
	}
	return show.Differences(c.Differences, nil)[0], strings.Join(lines, "\n")
}

func in64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// TestDifferencesOfEmbeddedDocuments checks what is shown of the documents in two texts. The difference
// remains that of the texts.
func TestDifferencesOfEmbeddedDocuments(t *testing.T) {
	const script, pem = "#!/bin/sh\necho 1\n", "-----BEGIN PRIVATE KEY-----\nMIIE\n"
	tests := []struct{ name, left, right, inside, lines string }{
		{
			"JSON",
			`{"b":1,"c":2}`,
			`{"c": 3, "b": 1}`,
			"a!.c drift 2 3",
			"a:   a:\n^ a text of JSON, shown by its content\n  b: 1     b: 1\n  c: 2 |   c: 3",
		},
		{
			"JSON that says the same",
			`{"b":1}`,
			`{"b": 1}`,
			"",
			"a: \"{\\\"b\\\":1}\" | a: \"{\\\"b\\\": 1}\"\n^ the content is the same, only written differently",
		},
		{
			"JSON of another shape",
			`[1]`,
			`{"b": 1}`,
			"a! drift [1] {\"b\":1}",
			"a: | a:\n^ a text of JSON, shown by its content\n  - 1 |   b: 1",
		},
		{
			"YAML is readable as it is",
			"b: 1\nc: 2\n",
			"b: 1\nc: 3\n",
			"a!.c drift 2 3",
			"a: |   a: |\n  b: 1     b: 1\n  c: 2 |   c: 3",
		},
		{
			"base64 of a script",
			in64(script),
			in64("#!/bin/sh\necho 2\n"),
			`a! drift "#!/bin/sh\necho 1\n" "#!/bin/sh\necho 2\n"`,
			"a: |   a: |\n^ shown decoded: base64\n  #!/bin/sh     #!/bin/sh\n  echo 1 |   echo 2",
		},
		{"another encoding", in64(script), "data:,%23!/bin/sh%0Aecho 1%0A", "",
			"a: " + in64(
				script,
			) + " | a: data:,%23!/bin/sh%0Aecho 1%0A\n^ the content is the same, only encoded differently"},
		{"one side only", in64(script), "x", "", "a: " + in64(script) + " | a: x"},
		{
			"what cannot be decoded",
			"data:,x",
			"data:,%",
			"",
			"a: data:,x | a: data:,%\n^ its content is not shown: a percent sign of its data is not followed by two hexadecimal digits",
		},
		{
			"what cannot be decoded in the reference",
			"data:,%",
			"data:,x",
			"",
			"a: data:,% | a: data:,x\n^ its content is not shown: a percent sign of its data is not followed by two hexadecimal digits",
		},
		{
			"a secret",
			in64(script),
			in64(pem),
			"",
			"a: " + in64(
				script,
			) + " | a: (hidden, 44 bytes)\n^ its content is not shown: it may hold secret data",
		},
		{
			"encoded JSON that says the same",
			`data:,{"b":1}`,
			`data:,{"b": 1}`,
			`a! drift "{\"b\":1}" "{\"b\": 1}"`,
			"a: \"{\\\"b\\\":1}\" | a: \"{\\\"b\\\": 1}\"\n^ shown decoded: data URL; the content is the same, only written differently",
		},
		{
			"encoded words, and JSON",
			"data:,one two",
			`data:,{"b": 1}`,
			`a! drift "one two" "{\"b\": 1}"`,
			"a: one two | a: \"{\\\"b\\\": 1}\"\n^ shown decoded: data URL",
		},
		{
			"JSON of several lines",
			"{\n\"b\":1}",
			"{\n\"b\":2}",
			"a!.b drift 1 2",
			"a:   a:\n^ a text of JSON, shown by its content\n  b: 1 |   b: 2",
		},
		{
			"YAML in place of JSON",
			`{"b":1}`,
			"b: 2\nc: 2\n",
			"a!.b drift 1 2; a!.c extra  2",
			"a:   a:\n^ a text of JSON, shown by its content\n  b: 1 |   b: 2\n |   c: 2",
		},
		{"words", "one two", "one three", "", "a: one two | a: one three"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, lines := revealed(test.left, test.right, Show{})
			if d.Path != "a" || d.Category != finding.Drift {
				t.Errorf("it is %s at %s", d.Category, d.Path)
			}
			var inside []string
			if d.Inside != nil {
				for _, one := range d.Inside.Differences {
					inside = append(
						inside, fmt.Sprintf("%s %s %s %s", one.Path, one.Category, one.Reference, one.Input),
					)
				}
			}
			if diff := cmp.Diff(test.inside, strings.Join(inside, "; ")); diff != "" {
				t.Errorf("inside, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("lines, -want +got:\n%s", diff)
			}
		})
	}
	if _, lines := revealed(in64(script), in64(pem), Show{Secrets: true}); !strings.Contains(lines, "MIIE") {
		t.Errorf("a secret that is asked for is not shown decoded:\n%s", lines)
	}
}

// TestManyDifferencesInside checks that a hundred differences are listed and the others counted.
func TestManyDifferencesInside(t *testing.T) {
	var left, right []string
	for i := range 130 {
		left, right = append(left, fmt.Sprintf(`"k%03d":1`, i)), append(right, fmt.Sprintf(`"k%03d":2`, i))
	}
	d, _ := revealed("{"+strings.Join(left, ",")+"}", "{"+strings.Join(right, ",")+"}", Show{})
	if d.Inside == nil || len(d.Inside.Differences) != 100 || d.Inside.More != 30 {
		t.Errorf("inside are %+v", d.Inside)
	}
}
