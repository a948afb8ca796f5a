package lint

import (
	"fmt"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// document has flaws that are written as file:line, of a reference in a folder.
func document(folder string, flaws ...Flaw) *Document {
	d := &Document{SchemaVersion: SchemaVersion, Reference: finding.Reference{Path: folder}, Flaws: flaws}
	for i := range d.Flaws {
		d.Flaws[i].File = folder + "/" + d.Flaws[i].File
	}
	return d
}

func flawAt(file string, line int, code, message string) Flaw {
	return Flaw{Severity: Wrong, Problem: refconfig.Place{File: file, Line: line}.Problem(code, "%s", message)}
}

// TestKnownFlaws: a flaw is known wherever its line is now and however the reference is called, as
// often as the baseline has it; another severity, file, code or message is new.
func TestKnownFlaws(t *testing.T) {
	one := flawAt("a.yaml", 3, "VT2051", "see line 7, and r/b.yaml:9:2")
	for _, c := range []struct {
		name        string
		now         Flaw
		known, gone int
	}{
		{"another line", flawAt("a.yaml", 5, "VT2051", "see line 8, and s/b.yaml:10:2"), 1, 1},
		{"another file", flawAt("b.yaml", 3, "VT2051", "see line 7, and s/b.yaml:9:2"), 0, 2},
		{"another code", flawAt("a.yaml", 3, "VT2052", "see line 7, and s/b.yaml:9:2"), 0, 2},
		{"another severity", Flaw{Severity: Doubtful, Problem: flawAt("a.yaml", 3, "VT2051", "see line 7, and s/b.yaml:9:2").Problem}, 0, 2},
		{"another message", flawAt("a.yaml", 3, "VT2051", "see line 7, and s/c.yaml:9:2"), 0, 2},
	} {
		d := document("s", c.now)
		d.Mark("old.json", document("r", one, one))
		if d.Baseline.Known != c.known || d.Baseline.Gone != c.gone || len(d.New()) != 1-c.known {
			t.Errorf("%s: %+v", c.name, d.Baseline)
		}
		if d.Conclude(true); d.ExitStatus != 1-c.known {
			t.Errorf("%s: exit status %d", c.name, d.ExitStatus)
		}
	}
	twice := document("s", one, one)
	twice.Mark("old.json", document("s", one))
	if twice.Conclude(false); twice.ExitStatus != 1 || twice.Baseline.Known != 1 {
		t.Errorf("a second one of a kind is known: %+v", twice.Baseline)
	}
	unread := document("s", flawAt("a.yaml", 0, "VT2032", ""))
	unread.Mark("old.json", unread)
	if unread.Conclude(false); unread.ExitStatus != 2 {
		t.Errorf("what cannot be read is passed over: exit status %d", unread.ExitStatus)
	}
}

// TestSeveralReferences: flaws of the same file in two references are not taken for each other.
func TestSeveralReferences(t *testing.T) {
	flaw := func() Flaw { return flawAt("a.yaml", 0, "VT2051", "") }
	then := Merge([]*Document{document("r", flaw()), document("s")})
	now := Merge([]*Document{document("r"), document("s", flaw())})
	now.Mark("old.json", then)
	if now.Conclude(false); now.ExitStatus != 1 || now.Baseline.Gone != 1 {
		t.Errorf("exit status %d, %+v", now.ExitStatus, now.Baseline)
	}
	if want := "1 error, 0 warnings in 0 templates of 2 references; 0 known from old.json, 1 resolved"; now.Sentence() != want {
		t.Errorf("%q, want %q", now.Sentence(), want)
	}
	if one := document("r"); Merge([]*Document{one}) != one {
		t.Error("one document is not itself")
	}
}

// TestParse: what is no document of lint is refused.
func TestParse(t *testing.T) {
	for text, want := range map[string]bool{
		`{"schemaVersion": 1, "flaws": []}`: true, `{"schemaVersion": 2, "flaws": []}`: false, `{"schemaVersion": 1}`: false,
		`{}`: false, `[]`: false, "": false,
	} {
		if _, err := Parse([]byte(text)); (err == nil) != want {
			t.Error(text, fmt.Sprint(err))
		}
	}
}
