package cli

import (
	"testing"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestChangesShowActions: what an update says about a value has its actions as a template has them, however
// deep they are, and no form of the program.
func TestChangesShowActions(t *testing.T) {
	action := tree.Action{Pipe: "index .spec.x 0"}
	for want, now := range map[string]any{
		`1 → {{ index .spec.x 0 }}`:                   action,
		`1 → [["{{ index .spec.x 0 }}"],2]`:           []any{[]any{action}, int64(2)},
		`1 → {"a":"{{ index .spec.x 0 }}"}`:           map[string]any{"a": action},
		`1 → {"a":"{{ index .spec.x 0 }}","b":"b"}`:   tree.Document{Value: map[string]any{"a": action, "b": "b"}},
		`1 → {"a":{"b":"{{ index .spec.x 0 }}"}}`:     map[string]any{"a": tree.Optional{If: "x", Value: map[string]any{"b": action}}},
		`1 → [{"a":{"b":["{{ index .spec.x 0 }}"]}}]`: []any{map[string]any{"a": tree.Document{Value: map[string]any{"b": []any{action}}}}},
	} {
		if is := changeText(generate.Change{Was: int64(1), Now: now, Had: true, Has: true}); is != want {
			t.Errorf("is %s, want %s", is, want)
		}
	}
}
