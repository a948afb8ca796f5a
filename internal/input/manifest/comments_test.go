package manifest

import "testing"

// TestCommentedJSON: comments in the style of JavaScript make no text one that is lost, wherever they
// are, and hide no CR.
func TestCommentedJSON(t *testing.T) {
	for text, want := range map[string]bool{
		"/* x */\n{\"a\": 1}": true,
		"// x\n[1]":           true,
		"// x\n/* y\nz */\n":  true,
		"\n\n// x\n{ \"a\": \"http://x\" // y\n}\n":   true,
		"{ // x\n\"a\": [1,],\n}":                     true,
		"/* {\"a\": */ {\"a\": \"/*\"} /**/":          true,
		"{\"a\": \"x\"// y\n}":                        true,
		"/* x":                                        false,
		"/*/ [1]":                                     false,
		"// x\n{\"a\": 1":                             false,
		"/annex/objects/SHA":                          false,
		"some // words":                               false,
		"http://x":                                    false,
		"// x\n{\"kind\": \"A\", \"metadata\": {}}":   false,
		"{ // x\n\"kind\": \"A\", \"metadata\": {}}":  false,
		"// x\n[{\"kind\": \"A\", \"metadata\": {}}]": false,
		"// x\n{\"metadata\": {\"name\": \"a\"}}":     false,
		"// x\n{\"apiVersion\": \"v1\",\n \"kind\": \"A\", \"metadata\": {}}": false,
	} {
		if got := silent(Read("a.json", "", []byte(text), Hints{})); got != want {
			t.Errorf("%q is passed over: %v", text, got)
		}
	}
}

// TestCRsInCommentsBehindJSON: a CR in comments behind values in JSON is reported, with its line.
func TestCRsInCommentsBehindJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\": 1}\n# {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {}}\n":      "a.json:2",
		"{\"a\": 1}\n\n# x\n# {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {}}": "a.json:4",
	} {
		lost := Read("a.json", "", []byte(text), Hints{}).Lost
		if len(lost) != 1 || lost[0].Problem.Place.String() != want || lost[0].Kinds[0] != "Pod" {
			t.Errorf("%q: %v", text, lost)
		}
	}
}

// TestOtherFormatsWithMetadata: a value with metadata that states the format of another tool is no CR
// that lost its kind.
func TestOtherFormatsWithMetadata(t *testing.T) {
	for text, want := range map[string]bool{
		"variant: openshift\nversion: 4.16.0\nmetadata: {name: a}\n":    true,
		"schemaVersion: 2.2.0\nmetadata: {name: a}\n":                   true,
		"variant: openshift\nmetadata: {name: a}\n":                     false,
		"version: 4.16.0\nmetadata: {name: a}\n":                        false,
		"apiVersion: v1\nvariant: a\nversion: b\nmetadata: {name: a}\n": false,
		"kind: A\nvariant: a\nversion: b\nmetadata: {name: a}\n":        false,
	} {
		if got := silent(Read("a.yaml", "", []byte(text), Hints{})); got != want {
			t.Errorf("%q is passed over: %v", text, got)
		}
	}
}
