package finding

import (
	"encoding/json"
	"testing"
)

// TestWhatIsToldHangsOnNoFormat: what only some formats need, or the whole of an object, changes nothing of what counts as work, which decides which
// objects are compared.
func TestWhatIsToldHangsOnNoFormat(t *testing.T) {
	c := Comparison{Differences: []Difference{{Path: "a", Reference: json.RawMessage(`"1"`), Input: json.RawMessage(`"2"`)}}}
	told, held := c.Told(), c.Held()
	c.Sides, c.Fix = "some lines", &Fix{CR: "kind: A\n", Patch: "{}"}
	c.Acceptance = &Acceptance{Left: []NotAccepted{{Message: "x"}}}
	if c.Told() != told || c.Held() <= held || told != held {
		t.Errorf("told are %d bytes, then %d; held are %d, then %d", told, c.Told(), held, c.Held())
	}
	c.Differences[0].Message = "more"
	if c.Told() <= told {
		t.Error("what is told of a difference does not count")
	}
}
