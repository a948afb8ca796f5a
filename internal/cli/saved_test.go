package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"context"

	"github.com/google/go-cmp/cmp"
)

// TestNames checks that globs are expanded in arguments only, and that missing files stay in the
// list.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"b.json": "", "a.json": "", "[x].json": "", "list": "one.json\r\n\n*.json\n two words.json"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{io: IO{In: strings.NewReader("from.json\n")}}
	for _, c := range []struct {
		args []string
		list string
		want string
	}{
		{[]string{"b.json", "[ab].json"}, "", "b.json|a.json|b.json"},
		{[]string{"[x].json", "gone.json", "*.yaml", "-"}, "", "[x].json|gone.json|*.yaml|-"},
		{[]string{"a.json"}, "list", "a.json|one.json|*.json| two words.json"},
		{nil, "-", "from.json"},
	} {
		got, err := p.reportNames(t.Context(), c.args, c.list)
		if diff := cmp.Diff(strings.Split(c.want, "|"), got); diff != "" || err != nil {
			t.Errorf("%q, %q: %v %s", c.args, c.list, err, diff)
		}
	}
	if _, err := p.reportNames(t.Context(), nil, filepath.Join("none", "list")); err == nil {
		t.Error("a list that is not there is no error")
	}
}

// TestReportsMayHaveSoManyBytes checks that a saved report with too many bytes is an error.
func TestReportsMayHaveSoManyBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(name, make([]byte, 60), 0o644); err != nil {
		t.Fatal(err)
	}
	for most, much := range map[int64]bool{100: false, 0: false, 50: true} {
		p := &program{limits: limits{"file": most}}
		if _, err := p.savedReport(t.Context(), name); err == nil || strings.Contains(err.Error(), "--limit file=N") != much {
			t.Errorf("of 60 bytes where %d are allowed: %v", most, err)
		}
	}
}

// TestReadingEndsWithTheContext checks that reading a saved report ends with its context.
func TestReadingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &program{io: IO{In: strings.NewReader("{}")}}
	if _, err := p.savedReport(ctx, "-"); err == nil || !strings.Contains(err.Error(), "VT1021") {
		t.Error(err)
	}
}
