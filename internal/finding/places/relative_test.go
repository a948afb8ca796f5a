package places

import (
	"path/filepath"
	"testing"
)

// TestNamesAreSeenFromAFolder: files in it are, and all others keep their names.
func TestNamesAreSeenFromAFolder(t *testing.T) {
	root, err := filepath.Abs(string(filepath.Separator))
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, c := range []struct{ folder, file, want string }{
		{at("w/repo"), at("w/repo/in/a.yaml"), filepath.FromSlash("in/a.yaml")},
		{at("w/repo"), at("w/repo/..a.yaml"), "..a.yaml"},
		{at("w/repo"), at("w/repository/a.yaml"), at("w/repository/a.yaml")},
		{at("w/repo"), at("w/a.yaml"), at("w/a.yaml")},
		{at("w/repo"), "in/a.yaml", "in/a.yaml"},
		{at("w/repo"), "-", "-"},
		{"", at("w/repo/a.yaml"), at("w/repo/a.yaml")},
	} {
		if got := Relative(c.folder, c.file); got != c.want {
			t.Errorf("%s from %s is %s, want %s", c.file, c.folder, got, c.want)
		}
	}
}
