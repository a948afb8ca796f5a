package refconfig_test

import (
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/refconfig"
)

// TestAttributesAreFoundHoweverTheyAreWritten: maps of a CR may be in braces, and a CR may be in JSON.
func TestAttributesAreFoundHoweverTheyAreWritten(t *testing.T) {
	const name = "reference-config.openshift.io/attributes"
	for _, metadata := range []string{
		"{name: a, annotations: {" + name + ": '{\"part-of\": \"p\", \"component-name\": \"c\"}'}}",
		"\n  name: a\n  annotations: {" + name + ": '{\"part-of\": \"p\", \"component-name\": \"c\"}'}",
		"\n  name: a\n  annotations:\n    " + name + ": |\n      {\"part-of\": \"p\", \"component-name\": \"c\"}",
		"{\"name\": \"a\", \"annotations\": {\"" + name + "\": \"{\\\"part-of\\\": \\\"p\\\", \\\"component-name\\\": \\\"c\\\"}\"}}",
	} {
		text := "apiVersion: v1\nkind: ConfigMap\nmetadata: " + metadata + "\n"
		if metadata[1] == '"' {
			text = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": ` + metadata + "}\n"
		}
		ref, faults := refconfig.Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, ".", refconfig.LoadOptions{Name: "ref"})
		if len(faults) > 0 || len(ref.Templates) != 1 || ref.Templates[0].Component.Name != "c" || ref.Parts[0].Name != "p" {
			t.Errorf("%s: %v", text, faults)
		}
	}
}
