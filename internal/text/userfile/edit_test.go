package userfile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestManyTextsAreEscapedAtOnce: setting many texts that have characters which cannot be seen takes
// memory as their number, not as its square.
func TestManyTextsAreEscapedAtOnce(t *testing.T) {
	var texts [][2]string
	for i := range 2000 {
		texts = append(texts, [2]string{fmt.Sprintf("a\u2800%d\u2800", i), "b"})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := SetTexts(nil, nil, texts)
	runtime.ReadMemStats(&after)
	if err != nil || strings.Contains(string(out), "\u2800") || strings.Count(string(out), `\U00002800`) != 4000 {
		t.Errorf("%v: %.200s", err, out)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 80 {
		t.Errorf("it takes %d MiB", mib)
	}
}
