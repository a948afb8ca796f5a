package manifest

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// TestFilesThatTheUserNames: one that holds nothing but text of another sort is passed over, because that
// the input has no CR says more. What is lost of CRs is told all the same.
func TestFilesThatTheUserNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hello: [\n", "passed"},
		{"<html><body>x</body></html>\n", "passed"},
		{"apiVersion: v1\nmetadata: {name: a}\n", "LOST"},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n", "PROBLEM"},
		{"hello: [\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "ConfigMap LOST"},
	} {
		got := describe(Read("notes.txt", "", []byte(c.text), Hints{Asked: true}))
		for _, word := range []string{"ConfigMap a", "passed", "LOST", "PROBLEM"} {
			first, _, _ := strings.Cut(word, " ")
			if strings.Contains(got, word) != strings.Contains(c.want, first) {
				t.Errorf("%q: %s, want %s", c.text, got, c.want)
			}
		}
	}
}

// TestLinesOfWrappedJSON: a field of an object in another has the line of the file.
func TestLinesOfWrappedJSON(t *testing.T) {
	text := "{\"apiVersion\": \"v1\",\n\"kind\": \"Template\",\n\"metadata\": {\"name\": \"t\"},\n\"objects\": [\n" +
		"{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\",\n\"metadata\": {\"name\": \"a\"},\n\"data\": {\n\"k\": \"v\"}},\n" +
		"{\"apiVersion\": \"v1\",\n\"kind\": \"ConfigMap\",\n\"metadata\": {\"name\": \"b\"},\n\"data\": {\n\"k\": \"w\"}}]}\n"
	lines := strings.Split(text, "\n")
	objects := Read("in.json", "", []byte(text), Hints{Wrapped: true}).Objects
	if len(objects) != 3 {
		t.Fatalf("%d objects", len(objects))
	}
	for i, value := range []string{`"k": "v"`, `"k": "w"`} {
		o := objects[1+i]
		if at := o.Locator().Line(refconfig.PathOf("data", "k")); at < 1 || at > len(lines) || !strings.Contains(lines[at-1], value) {
			t.Errorf("%s: %s is said to be in line %d", o.ID, value, at)
		}
	}
}
