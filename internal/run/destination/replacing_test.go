package destination

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesAreReplacedTogether checks that all files change, or none: if one is not as it was read, if
// something is in the way of a new one, and if the last cannot get its name.
func TestFilesAreReplacedTogether(t *testing.T) {
	const before = "a=1 b=1 kept=mine"
	for _, c := range []struct {
		name    string
		disturb func(dir string)           // before the files are written
		late    func(dir string)           // before they get their names
		inUse   func(dir string, u *InUse) // what the run reads
		want    string
		says    string
	}{
		{name: "all is well", want: "a=2 b=2 kept=mine new/er/c=3"},
		{
			name: "changed before", want: "a=1 b=other kept=mine", says: "b has changed since it was read",
			disturb: func(dir string) { must(os.WriteFile(filepath.Join(dir, "b"), []byte("other"), 0o600)) },
		},
		{
			name: "changed at last", want: "a=1 b=other kept=mine", says: "b has changed since it was read",
			late: func(dir string) { must(os.WriteFile(filepath.Join(dir, "b"), []byte("other"), 0o600)) },
		},
		{
			name: "in the way", want: before + " new/er/c=mine", says: "c is in the way",
			late: func(dir string) { must(os.WriteFile(filepath.Join(dir, "new", "er", "c"), []byte("mine"), 0o600)) },
		},
		{
			name: "gone", want: "a=1 kept=mine", says: "b cannot be read",
			late: func(dir string) { must(os.Remove(filepath.Join(dir, "b"))) },
		},
		{
			name: "in use", want: before, says: "b is",
			inUse: func(dir string, u *InUse) { u.Add("the INPUT", filepath.Join(dir, "b")) },
		},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a": "1", "b": "1", "kept": "mine"} {
			must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		var inUse InUse
		if c.disturb != nil {
			c.disturb(dir)
		}
		if c.inUse != nil {
			c.inUse(dir, &inUse)
		}
		r := Replace([]Replacement{
			{Name: filepath.Join(dir, "a"), Was: []byte("1"), Text: []byte("2")},
			{Name: filepath.Join(dir, "b"), Was: []byte("1"), Text: []byte("2")},
			{Name: filepath.Join(dir, "new", "er", "c"), Text: []byte("3")},
		}, &inUse)
		err := r.Write()
		if err == nil {
			if c.late != nil {
				c.late(dir)
			}
			err = r.Commit()
			r.Drop()
		}
		if got := names(dir); got != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: there is %q and the error is %v, want %q and %q", c.name, got, err, c.want, c.says)
		}
		if err := r.Commit(); err == nil {
			t.Errorf("%s: it can end twice", c.name)
		}
		if _, err := os.Stat(filepath.Join(dir, "new")); strings.Contains(c.want, "new") == (err != nil) {
			t.Errorf("%s: the new folder: %v", c.name, err)
		}
	}
}
