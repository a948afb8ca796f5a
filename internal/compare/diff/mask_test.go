package diff

import (
	"fmt"
	"testing"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWhatACollectorMayHaveMasked: the values that it hides, of kinds that it hides, and nothing of
// a user.
func TestWhatACollectorMayHaveMasked(t *testing.T) {
	const mask = "MyBieXRlcyBsb25n" // "3 bytes long"
	for _, c := range []struct {
		layout, kind string
		value        any
		want         bool
	}{
		{"", "Secret", mask, false}, {collector.MustGather, "Secret", mask, true}, {collector.MustGather, "ConfigMap", mask, false},
		{collector.MustGather, "Secret", "YQ==", false},
		{collector.MustGather, "Secret", map[string]any{"a": "YQ==", "b": mask}, true}, {collector.SOS, "Secret", mask, false},
	} {
		if got := Masked(c.layout, c.kind, refconfig.PathOf("data", "k"), c.value); got != c.want && c.value == mask {
			t.Errorf("%+v: %v", c, got)
		}
		if got := Masked(c.layout, c.kind, refconfig.PathOf("data"), c.value); got != c.want && c.value != mask {
			t.Errorf("%+v: %v", c, got)
		}
	}
	secret := map[string]any{"data": map[string]any{"a": "YQ==", "b": mask, "c": mask}, "type": mask}
	if got := fmt.Sprint(MaskedIn(collector.MustGather, "Secret", secret)); got != "[data.b data.c]" {
		t.Errorf("%s is masked", got)
	}
}
