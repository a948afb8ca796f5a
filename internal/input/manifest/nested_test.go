package manifest

import "testing"

// TestNamesVersion holds what is decoded to look for objects in it: a text that is missed here hides
// them, and one too many costs the memory of decoding an API's description.
func TestNamesVersion(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "apiVersion": false, "apiVersion v1": false, "a: apiVersion": false,
		"a:\n- apiVersion: v1":                         true,
		"apiVersion: {description: x}":                 false,
		"apiVersion:\n  description: x":                false,
		"apiVersion:\r\n  type: string":                false,
		"apiVersion:\n\n  # which: one\n  v1":          true,
		"apiVersion:\n  v1":                            true,
		"apiVersion:\n  {type: string}":                false,
		"apiVersion: &version v1":                      true,
		"? apiVersion\n: v1":                           true,
		"'apiVersion' : 'v1'":                          true,
		`{"apiVersion": {"type": "string"}}`:           false,
		`{"apiVersion":` + "\n" + `"v1", "a": "b"}`:    true,
		`{"apiVersion": {}, "a": {"apiVersion":"v1"}}`: true,
	} {
		if namesVersion([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
