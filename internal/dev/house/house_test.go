package house

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHouse applies every rule to every file of the repository.
func TestHouse(t *testing.T) {
	files := repository(t)
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range files {
				if f.isTest() {
					continue
				}
				for _, violation := range c.run(f) {
					t.Error(violation)
				}
			}
		})
	}
	t.Run("package comments", func(t *testing.T) {
		for _, violation := range checkPackageDocs(files) {
			t.Error(violation)
		}
	})
}

// TestRulesFindWhatTheyForbid checks that each rule finds the violation in a small file, at its
// line, and accepts what is allowed.
func TestRulesFindWhatTheyForbid(t *testing.T) {
	const own = `import _ "` + module
	for _, c := range []struct {
		rule, path, source string
		want               []string // violations without the path; none if the file is good
	}{
		{"rooms", "internal/value/tree/a.go", own + `/refconfig"`, nil},
		{"rooms", "refconfig/a.go", own + `/internal/value/tree"`, []string{"3: refconfig may not import internal/value/tree, which stands below it"}},
		{"rooms", "internal/value/tree/a.go", own + `/internal/value/tree"`, []string{"3: internal/value/tree may not import internal/value/tree, which stands below it"}},
		{"rooms", "internal/cli/a.go", own + `"`, []string{"3: internal/cli may not import ., which stands below it"}},
		{"rooms", "main.go", own + `/internal/cli"`, nil},
		{"rooms", "internal/cli/a.go", own + `/internal/dev/house"`, []string{"3: internal/cli imports internal/dev/house, which is no room"}},
		{"rooms", "internal/util/a.go", "", []string{"1: package internal/util is not in the table of rooms; give it a place there"}},
		{"rooms", "internal/dev/bench/a.go", own + `/refconfig"`,
			[]string{"3: internal/dev/bench stands beside the rooms and may not import refconfig"}},

		{"final", "internal/compare/a.go", own + "/internal/compare/diff\"\n\ntype t struct { tree *diff.Pair }\n\n" +
			"func f(d []diff.Difference, p *diff.Pair, x t, all []int) {\n\tp, x.tree, all[0] = nil, nil, 1\n" +
			"\td[0].Path = nil\n\tp.Children[1] = nil\n\tx.tree.Code = \"\"\n\t*p = diff.Pair{}\n}", []string{
			"9: what internal/compare/diff returns is final; let it write that itself",
			"10: what internal/compare/diff returns is final; let it write that itself",
			"11: what internal/compare/diff returns is final; let it write that itself",
			"12: what internal/compare/diff returns is final; let it write that itself"}},
		{"final", "internal/compare/diff/a.go", "func f(p *Pair) { p.Children = nil }", nil},

		{"twins", "internal/compare/a.go", "func f(v any, note provenance.Note) {}\n\nfunc g() (map[string]any, *provenance.Note) { return nil, nil }\n\n" +
			"type t struct{ value, notes any }\n\nfunc h(left, right, note any) {}", []string{
			"3: a value and its note stand apart; let a provenance.Node have both",
			"5: a value and its note stand apart; let a provenance.Node have both",
			"7: a value and its note stand apart; let a provenance.Node have both",
			"9: a value and its note stand apart; let a provenance.Node have both"}},
		{"twins", "internal/compare/a.go", "func f(n provenance.Note, depth int) (v any, n *provenance.Node) { return nil, nil }", nil},
		{"twins", "internal/value/provenance/a.go", "func Leaf(v any, note provenance.Note) {}", nil},

		{"homes", "internal/text/kubeyaml/a.go", `import "gopkg.in/yaml.v3"`, nil},
		{"homes", "internal/value/tree/a.go", `import "gopkg.in/yaml.v3"`,
			[]string{"3: gopkg.in/yaml.v3 is at home in internal/text/kubeyaml and internal/text/userfile and internal/dev/bench, not in internal/value/tree"}},
		{"homes", "internal/input/archive/a.go", "import (\n\t\"github.com/klauspost/compress/zstd\"\n\t\"strings\"\n)", nil},
		{"homes", "internal/cli/a.go", "import (\n\t\"strings\"\n\n\tz \"github.com/klauspost/compress/zstd\"\n)",
			[]string{"6: github.com/klauspost/compress/zstd is at home in internal/input/archive and internal/dev/testkit, not in internal/cli"}},
		{"homes", "internal/cli/a.go", `import "github.com/google/go-cmp/cmp"`,
			[]string{"3: github.com/google/go-cmp/cmp is at home in internal/dev/testkit, not in internal/cli"}},
		{"homes", "internal/input/source/a.go", `import "github.com/klauspost/compressor"`,
			[]string{"3: github.com/klauspost/compressor has no home in the table; only tests may import it"}},

		{"bans", "internal/dev/bench/a.go", `import "os/exec"`, nil},
		{"bans", "internal/cli/a.go", `import "os/exec"`, []string{"3: internal/cli may not import os/exec: no other program is needed"}},
		{"bans", "internal/template/render/a.go", `import "text/template/parse"`, nil},
		{"bans", "internal/compare/a.go", `import t "text/template"`,
			[]string{"3: internal/compare may not import text/template: templates of references are executed by internal/template/render itself; three escaping functions and three layouts use it"}},
		{"bans", "internal/cli/a.go", "import (\n\t\"net/http\"\n\t\"net/url\"\n)",
			[]string{"4: internal/cli may not import net/http: the tool talks to nobody"}},
		{"bans", "main.go", `import "C"`, []string{"3: . may not import C: the binary is static and builds without a C compiler"}},

		{"pure", "internal/input/source/a.go", `import "os"`, nil},
		{"pure", "internal/compare/a.go", "import \"io\"\n\nvar _ io.Reader", nil},
		{"pure", "internal/compare/a.go", `import "os"`, []string{"3: internal/compare is a function of values and may not import os"}},
		{"pure", "refconfig/a.go", `import "os"`, []string{"3: refconfig is a function of values and may not import os"}},
		{"pure", "internal/report/text/a.go", "import \"time\"\n\nfunc f() time.Time { return time.Now() }",
			[]string{"5: internal/report/text is a function of values and may not use time.Now"}},
		{"pure", "internal/template/render/a.go", "import clock \"time\"\n\nvar _ = clock.Now",
			[]string{"5: internal/template/render is a function of values and may not use time.Now"}},
		{"pure", "internal/cli/a.go", "import \"time\"\n\nvar _ = time.Now", nil},

		{"doors", "internal/input/source/a.go", "import \"os\"\n\nvar _, _ = os.Stat(\"x\")", nil},
		{"doors", "internal/input/source/a.go", "import \"os\"\n\nvar _, _ = os.Open(\"x\")", []string{"5: internal/input/source/a.go may not use os.Open; the table of doors says who may"}},
		{"doors", "internal/input/source/a.go", "import \"os\"\n\nvar _, _ = os.Create(\"x\")", []string{"5: internal/input/source/a.go may not use os.Create; the table of doors says who may"}},
		{"doors", "internal/run/destination/file.go", "import \"os\"\n\nvar _ = os.Rename", nil},
		{"doors", "internal/cli/a.go", "import s \"syscall\"\n\nvar _ = s.Exec", []string{"5: internal/cli/a.go may not use syscall.Exec; the table of doors says who may"}},
		{"doors", "internal/cli/a.go", "import \"path/filepath\"\n\nvar _ = filepath.Join(\"a\", \"b\")",
			[]string{"5: internal/cli/a.go may not use path/filepath.Join; paths have slashes on every system, see path.Join"}},
		{"doors", "internal/dev/bench/a.go", "import \"os\"\n\nvar _ = os.Create", nil},

		{"variables", "refconfig/a.go", "var Table = map[string]int{}",
			[]string{"3: package variable Table; make it local, a constant or a function"}},
		{"variables", "refconfig/a.go", "var (\n\ta int\n\tb, c = 1, 2\n)", []string{
			"4: package variable a; make it local, a constant or a function",
			"5: package variable b; make it local, a constant or a function",
			"5: package variable c; make it local, a constant or a function",
		}},
		{"variables", "refconfig/a.go", "import \"regexp\"\n\nvar word = regexp.MustCompile(`a`)",
			[]string{"5: package variable word; make it local, a constant or a function"}},
		{"variables", "refconfig/a.go", "import \"errors\"\n\n// ErrX is one.\nvar ErrX = errors.New(\"x\")", nil},
		{"variables", "refconfig/a.go", "import \"errors\"\n\nvar ErrX, n = errors.New(\"x\"), 1",
			[]string{"5: package variable n; make it local, a constant or a function"}},
		{"variables", "refconfig/a.go", "var _ error = nil", nil},
		{"variables", "refconfig/a.go", "//go:embed a.txt\nvar text string", nil},
		{"variables", "refconfig/a.go", "//go:embed a.txt\nvar (\n\ta string\n\tb string\n)", []string{
			"5: package variable a; make it local, a constant or a function",
			"6: package variable b; make it local, a constant or a function",
		}},
		{"variables", "refconfig/a.go", "func f() { var n int; _ = n }", nil},

		{"exit", "refconfig/a.go", "import \"os\"\n\nfunc f() { os.Exit(1) }", []string{"5: os.Exit stands outside main.go; return an error"}},
		{"exit", "refconfig/main.go", "import \"os\"\n\nfunc f() { os.Exit(1) }", []string{"5: os.Exit stands outside main.go; return an error"}},
		{"exit", "internal/cli/a.go", "import l \"log\"\n\nfunc f() { l.Fatalf(\"\") }", []string{"5: log.Fatalf stands outside main.go; return an error"}},
		{"exit", "refconfig/a.go", "type door struct{ Exit int }\n\nfunc f(os door) int { return os.Exit }", nil},

		{"documented", "refconfig/a.go", "func F() {}\n\nfunc g() {}\n\n// H does.\nfunc H() {}", []string{"3: exported func F has no comment"}},
		{"documented", "refconfig/a.go", "type T struct{}\n\nfunc (*T) M() {}\n\ntype u[V any] struct{}\n\nfunc (u[V]) M() {}", []string{
			"3: exported type T has no comment", "5: exported func M has no comment",
		}},
		{"documented", "refconfig/a.go", "// Two types.\ntype (\n\t// A is one.\n\tA int\n\tB int\n)", []string{"7: exported type B has no comment"}},
		{"documented", "refconfig/a.go", "// Some.\nconst (\n\tA = 1\n\tB = 2\n)\n\nconst (\n\t// C is one.\n\tC = 1\n\tD = 2 // is one\n\tE = 3\n)",
			[]string{"13: exported const E has no comment"}},

		{"lines", "refconfig/a.go", "// " + strings.Repeat("a", widest-3) + "\n", nil},
		{"lines", "refconfig/a.go", "// " + strings.Repeat("a", widest-2) + "\n", []string{"3: 121 columns, more than 120"}},
		{"lines", "refconfig/a.go", "const a = \"" + strings.Repeat("a", widest) + "\"\n", nil},
	} {
		t.Run(c.rule+" "+c.path, func(t *testing.T) {
			i := slices.IndexFunc(checks(), func(k check) bool { return k.name == c.rule })
			if i < 0 {
				t.Fatalf("there is no rule %q", c.rule)
			}
			f, err := parse(c.path, []byte("package p\n\n"+c.source))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, w := range c.want {
				want = append(want, c.path+":"+w)
			}
			if got := checks()[i].run(f); !slices.Equal(got, want) {
				t.Errorf("in\n%s\ngot:\n%s\nwant:\n%s", c.source, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestExitIsFreeInTheMainFileOfAProgram checks the rule for files of package main, which the table
// above lacks.
func TestExitIsFreeInTheMainFileOfAProgram(t *testing.T) {
	const source = "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(0) }\n"
	for name, want := range map[string]int{"main.go": 0, "other.go": 1, "examples/x/main.go": 0} {
		f, err := parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if got := checkExit(f); len(got) != want {
			t.Errorf("%s: %d violations, want %d: %v", name, len(got), want, got)
		}
	}
}

func TestPackageCommentsAreMissed(t *testing.T) {
	var files []goFile
	for name, source := range map[string]string{
		"a/doc.go":    "// Package a has one.\npackage a\n",
		"a/a.go":      "package a\n",
		"b/b.go":      "package b\n",
		"b/b_test.go": "// Package b has one in a test only.\npackage b\n",
	} {
		f, err := parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	want := []string{"b/b.go:1: package b has no package comment"}
	if got := checkPackageDocs(files); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTablesAgree finds mistakes in the tables.
func TestTablesAgree(t *testing.T) {
	known := slices.Concat(rooms(), outbuildings())
	var named []string
	for _, h := range homes() {
		named = append(named, h.packages...)
	}
	for _, b := range bans() {
		named = append(named, b.except...)
	}
	for _, p := range named {
		if !slices.Contains(known, p) {
			t.Errorf("%s is given something, but is no room", p)
		}
	}
	seen := map[string]bool{}
	for _, p := range known {
		if seen[p] {
			t.Errorf("%s stands in the tables twice", p)
		}
		seen[p] = true
	}
	for p, want := range map[string]bool{"refconfig": true, "internal/compare": true, "internal/report/text": true, "internal/input/source": false, "internal/cli": false, ".": false} {
		if pure(p) != want {
			t.Errorf("pure(%q) is not %v", p, want)
		}
	}
}

// TestManualHasTheRooms checks that the tables of docs/architecture.md name the groups, and the
// packages of each, in their order.
func TestManualHasTheRooms(t *testing.T) {
	text, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named := func(chapter string) (rows []string) {
		_, table, _ := strings.Cut(string(text), "\n## "+chapter+"\n")
		table, _, _ = strings.Cut(table, "\n## ")
		for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
			rows = append(rows, row[1])
		}
		return rows
	}
	var folders []string
	for _, g := range groups() {
		folders = append(folders, g.name)
	}
	for chapter, want := range map[string][]string{"Groups": folders, "Rooms": rooms()} {
		got := named(chapter)
		for i := range max(len(got), len(want)) {
			has, wanted := "nothing more", "nothing more"
			if i < len(got) {
				has = got[i]
			}
			if i < len(want) {
				wanted = want[i]
			}
			if has != wanted {
				t.Errorf("row %d below %s in docs/architecture.md is %s; rules_test.go has %s there", i+1, chapter, has, wanted)
				break
			}
		}
	}
}

// TestRoomsAreInTheirGroups checks that the folder of each package is below that of its group.
func TestRoomsAreInTheirGroups(t *testing.T) {
	for _, g := range groups() {
		for _, p := range g.packages {
			if p != g.name && !strings.HasPrefix(p, g.name+"/") {
				t.Errorf("%s is not below %s", p, g.name)
			}
		}
	}
}

// TestManualHasTheForms checks that docs/architecture.md lists at most twelve types that carry a CR,
// each with its file, and that no other type of the packages that compare holds one of them.
func TestManualHasTheForms(t *testing.T) {
	const most = 12
	text, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| \\d+\\. .* \\| `(\\w+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) == 0 || len(rows) > most {
		t.Errorf("%d forms", len(rows))
	}
	forms := map[string]bool{} // packages and names
	for _, row := range rows {
		source, err := os.ReadFile("../../../" + row[2])
		if err != nil || !strings.Contains(string(source), "\ntype "+row[1]+" struct") {
			t.Errorf("%s has no type %s: %v", row[2], row[1], err)
		}
		forms[path.Base(path.Dir(row[2]))+"."+row[1]] = true
	}
	var holders []string
	for _, f := range repository(t) {
		if !f.isTest() && (f.pkg() == "internal/compare" || f.pkg() == "internal/compare/patch") {
			holders = append(holders, f.holders(forms)...)
		}
	}
	for _, name := range holders {
		if !forms[name] && !slices.Contains(besidesForms(), name) {
			t.Errorf("%s holds a type that carries a CR, and docs/architecture.md does not list it", name)
		}
	}
	for _, name := range besidesForms() {
		if !slices.Contains(holders, name) {
			t.Errorf("%s holds no type that carries a CR", name)
		}
	}
}
