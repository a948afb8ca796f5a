package userfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/text/userfile"
)

// reader returns a reader that writes down what it tells.
func reader(limit int) (*userfile.Reader, *strings.Builder) {
	var told strings.Builder
	tell := func(how string) func(string, int, int, string, ...any) {
		return func(code string, line, column int, format string, args ...any) {
			fmt.Fprintf(&told, "%s %s %d:%d %s\n", how, code, line, column, fmt.Sprintf(format, args...))
		}
	}
	codes := userfile.Codes{Syntax: "S", WrongType: "T", UnknownKey: "U", Duplicate: "D"}
	return &userfile.Reader{Codes: codes, Limit: limit, Fault: tell("fault"), Warn: tell("warning")}, &told
}

func TestReaderTellsWhereAFaultIs(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"all well":            {"name: a\nlist: [x, y]\nflag: yes\n", "a [x y] true\n"},
		"empty":               {"# nothing\n", ""},
		"no YAML":             {"name: a\nlist: [\n", "fault S 2:0 not valid YAML: did not find expected node content\n"},
		"a tab":               {"name: a\nlist:\n\t- x\n", "fault S 3:0 not valid YAML: a tab in the indentation; YAML requires spaces\n"},
		"a list":              {"- a\n", "fault T 1:1 the file must be a mapping, not a list\n [] false\n"},
		"unknown key":         {"nam: a\n", "fault U 1:1 unknown key \"nam\" in the file; did you mean \"name\"?\n [] false\n"},
		"another case":        {"Name: a\n", "warning VT2035 1:1 the key \"Name\" in the file is read as \"name\"; correct its letter case\na [] false\n"},
		"twice":               {"name: a\nname: b\n", "warning D 2:1 duplicate key \"name\" in the file; this one counts, the one in line 1 does not\nb [] false\n"},
		"a number":            {"name: 4.10\n", "warning VT2038 1:7 the name is a number, but must be text; it is read as \"4.1\"; quote it\n4.1 [] false\n"},
		"a map as text":       {"name: {a: b}\n", "fault T 1:7 the name must be text, not a mapping\n [] false\n"},
		"text as a list":      {"list: x\n", "fault T 1:7 the list must be a list, not text; often a \"- \" is missing\n [] false\n"},
		"text as a flag":      {"flag: x\n", "fault T 1:7 flag must be true or false, not text\n [] false\n"},
		"merged and replaced": {"<<: {name: a, list: [x]}\nname: b\n", "b [x] false\n"},
		"a second document":   {"name: a\n---\nname: b\n", "warning VT2037 3:1 a second YAML document; the file must have one, so the rest is ignored\na [] false\n"},
		"too many values":     {"list: [&x [1, 2, 3], *x, *x, *x]\n", "fault VT5011 1:30 aliases repeat more than 8 values, the limit; replace them by their values, or raise the limit with --limit aliases=N\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, told := reader(8)
			if root, _ := r.Parse([]byte(c.text)); root != nil {
				m, _ := r.Mapping(root, "the file", []string{"name", "list", "flag"})
				text, _ := r.Text(m.Field("name"), "the name")
				var list []string
				for _, n := range r.List(m.Field("list"), "the list") {
					list = append(list, n.Text)
				}
				on := r.Flag(m.Field("flag"), "flag")
				fmt.Fprintln(told, text, list, on)
			}
			if diff := cmp.Diff(c.want, told.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSetTextsKeepsWhatElseIsInTheFile(t *testing.T) {
	got, err := userfile.SetTexts(
		[]byte("# mine\nTop: # why\n  b: old # this\n"), []string{"top"}, [][2]string{{"c", "x: y"}, {"b", "new"}},
	)
	if want := "# mine\nTop: # why\n  b: new # this\n  c: 'x: y'\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if got, err := userfile.SetTexts([]byte("top: [a]\n"), []string{"top"}, nil); err == nil {
		t.Errorf("a list is taken for a mapping: %q", got)
	}
}
