package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLinesOfProgress checks the line of progress for inputs of known and unknown size.
func TestLinesOfProgress(t *testing.T) {
	folder := t.TempDir()
	a, b, c := filepath.Join(folder, "a.tar"), filepath.Join(folder, "b.tar"), filepath.Join(folder, "c")
	if err := errors.Join(os.WriteFile(a, make([]byte, 3_000_000), 0o600), os.WriteFile(b, make([]byte, 1_000_000), 0o600), os.Mkdir(c, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		inputs       []string
		begun, bytes int
		want         string
	}{
		{[]string{a}, 1, 0, "reading the input: 0% of 3.0 MB, 7 CRs"},
		{[]string{a}, 1, 2_000_000, "reading the input: 66% of 3.0 MB, 7 CRs"},
		{[]string{a}, 1, 4_000_000, "reading the input: 100% of 3.0 MB, 7 CRs"},
		{[]string{a, b}, 2, 3_500_000, "reading input 2 of 2: 87% of 4.0 MB, 7 CRs"},
		{[]string{filepath.Join(folder, "*.tar")}, 1, 400_000, "reading input 1 of 2: 10% of 4.0 MB, 7 CRs"},
		{[]string{a, c}, 1, 2_000_000, "reading input 1 of 2: 2.0 MB, 7 CRs"},
		{[]string{c}, 1, 0, "reading the input: 7 CRs"},
		{[]string{"-"}, 1, 100_000, "reading the input: 0.1 MB, 7 CRs"},
		{[]string{a, b}, 3, 9_000_000, "reading input 2 of 2: 100% of 4.0 MB, 7 CRs"}, // some were read again
	} {
		g := &progress{}
		g.Start(io.Discard, func() int { return 0 }, make(chan time.Time), tt.inputs, strings.NewReader(""))
		g.Reading()
		g.started.Store(int64(tt.begun))
		g.bytes.Store(int64(tt.bytes))
		g.objects.Store(7)
		if got := g.line(); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.inputs, got, tt.want)
		}
		g.Comparing(1, 1)
		g.Compared(3, 5)
		if got := g.line(); got != "comparing: 3 of 5 CRs" {
			t.Error(got)
		}
		g.Comparing(2, 3)
		if got := g.line(); got != "comparing cluster 2 of 3" {
			t.Error(got)
		}
		g.End()
	}
}
