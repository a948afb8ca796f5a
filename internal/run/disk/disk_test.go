package disk

import (
	"context"
	"io"
	"strings"
	"testing"
)

func TestUnblockedGivesTheSameBytes(t *testing.T) {
	want := strings.Repeat("some bytes ", 100_000)
	got, err := io.ReadAll(Reader(context.Background(), strings.NewReader(want)))
	if err != nil || string(got) != want {
		t.Errorf("%d bytes of %d: %v", len(got), len(want), err)
	}
}
