package code_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
)

var update = flag.Bool("update", false, "rewrite docs/codes.md")

// declared returns the constants of table.go, name by code.
func declared(t *testing.T) map[code.Code]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "table.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[code.Code]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			lit, ok := spec.Values[i].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s is not a literal", name.Name)
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := names[code.Code(s)]; ok {
				t.Errorf("%s and %s are both %s", other, name.Name, s)
			}
			names[code.Code(s)] = name.Name
		}
		return true
	})
	if len(names) == 0 {
		t.Fatal("table.go declares no code")
	}
	return names
}

func TestEveryConstantHasAnEntry(t *testing.T) {
	names := declared(t)
	for c, name := range names {
		if _, ok := code.Lookup(c); !ok {
			t.Errorf("%s (%s) has no entry", name, c)
		}
	}
	for _, e := range code.All() {
		if _, ok := names[e.Code]; !ok {
			t.Errorf("the entry %s (%s) belongs to no constant of table.go", e.Code, e.Title)
		}
	}
}

func TestCodesAreUniqueAndSorted(t *testing.T) {
	form := regexp.MustCompile(`^VT[1-5][0-9]{3}$`)
	var last code.Code
	for _, e := range code.All() {
		if !form.MatchString(e.Code) {
			t.Errorf("%q is not VT and four digits of a known thousand", e.Code)
		}
		if e.Code <= last {
			t.Errorf("%s stands behind %s", e.Code, last)
		}
		last = e.Code
	}
}

func TestEntriesReadAsText(t *testing.T) {
	titles := map[string]code.Code{}
	for _, e := range code.All() {
		if other, ok := titles[e.Title]; ok {
			t.Errorf("%s and %s have the same title", other, e.Code)
		}
		titles[e.Title] = e.Code
		if e.Title == "" || strings.ContainsAny(e.Title, "\n\r") || strings.HasSuffix(e.Title, ".") {
			t.Errorf("%s: the title %q is not one line without a full stop", e.Code, e.Title)
		}
		if first, _, _ := strings.Cut(e.Title, " "); first != "CRs" && first != strings.ToLower(first) {
			t.Errorf("%s: the title %q does not begin in lower case", e.Code, e.Title)
		}
		for _, s := range []string{e.Cause, e.Do} {
			if !strings.HasSuffix(s, ".") || strings.ContainsAny(s, "\n\r") || strings.Contains(s, "  ") {
				t.Errorf("%s: %q is not made of whole sentences on one line", e.Code, s)
			}
			if s != "" && !strings.HasPrefix(s, "`") && s[:1] != strings.ToUpper(s[:1]) {
				t.Errorf("%s: %q does not begin in upper case", e.Code, s)
			}
		}
	}
}

func TestLookupOfUnknownCodes(t *testing.T) {
	for _, c := range []code.Code{"", "VT", "vt1001", "VT0000", "VT9999", "VT1001 "} {
		if e, ok := code.Lookup(c); ok || e != (code.Entry{}) {
			t.Errorf("Lookup(%q) = %v, %v", c, e, ok)
		}
	}
}

func TestDocumentIsMadeFromTheTable(t *testing.T) {
	const path = "../../../docs/codes.md"
	got := markdown()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("docs/codes.md is not what the table says; run with -update (-file +table):\n%s", diff)
	}
}

// An alarm is a warning about something that is checked less than it may have been meant to be.
func TestAlarmsAreAPropertyOfTheCode(t *testing.T) {
	var alarms []code.Code
	for _, e := range code.All() {
		if code.Alarm(e.Code) {
			alarms = append(alarms, e.Code)
		}
	}
	want := []code.Code{
		code.ArchiveBroken,
		code.CopiesDisagree,
		code.GatheredApart,
		code.HalfArchive,
		code.RefComponentType,
		code.RefOmitUnknown,
		code.RefNoType,
		code.RefSecondDocument,
		code.RefDropped,
		code.RefNotRead,
		code.WrongReference,
		code.PartNotCollected,
		code.FewRequired,
		code.OverridesMovedOn,
		code.ValidateUnknown,
		code.LimitTime,
		code.LimitMemory,
	}
	if diff := cmp.Diff(want, alarms); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if code.Alarm("VT9999") {
		t.Error("a code that does not exist is an alarm")
	}
}
