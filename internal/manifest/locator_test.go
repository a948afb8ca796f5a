package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// TestLinesOfManyKeys: the lines of a map with many keys are those that a search of its keys finds,
// and it is searched once.
func TestLinesOfManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "k%d: v\n", i)
	}
	nodes, err := kubeyaml.Parse([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLocator(nodes[0])
	for i := range 50 {
		if got := l.Line(refconfig.FieldPath{{Key: fmt.Sprintf("k%d", i), Index: -1}}); got != i+1 {
			t.Errorf("k%d stands in line %d", i, got)
		}
	}
	if got := l.Line(refconfig.FieldPath{{Key: "none", Index: -1}}); got != 1 {
		t.Errorf("a key that is not there has the line %d", got)
	}
	if len(l.large) != 1 {
		t.Errorf("%d maps are remembered", len(l.large))
	}
}
