package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/validationtool/validationtool/docs"
)

// onScreen returns what a command line prints on a terminal of a width.
func onScreen(t *testing.T, width string, words ...string) string {
	t.Helper()
	env := func(name string) (string, bool) { return width, name == "COLUMNS" }
	with := IO{Env: env, Terminal: func(any) bool { return true }}
	status, out, errs := run(t.Context(), with, words...)
	if status != exitOK || errs != "" {
		t.Fatalf("%s: %d, %s", words, status, errs)
	}
	return out
}

// TestChaptersFitTheTerminal checks that a terminal shows every word of every chapter, in lines that
// are no wider than it, but for code and for words that are wider. A pipe gets the chapter as it is.
func TestChaptersFitTheTerminal(t *testing.T) {
	isWord := regexp.MustCompile(`[\pL\pN]+`)
	for _, c := range docs.Chapters() {
		if _, piped, _ := outcome("docs", c.Name); piped != c.Text {
			t.Errorf("a pipe gets another chapter %s", c.Name)
		}
		// where a link leads, and the language of a block, need not be shown
		shown := regexp.MustCompile("\\]\\([^)]*\\)|(?m:^```.*$)|(?m:^<!--.*-->$)").ReplaceAllString(c.Text, "")
		code := regexp.MustCompile("(?m)^    .*$").FindAllString(c.Text, -1)
		for i, part := range strings.Split("\n"+c.Text, "```") {
			if i%2 == 1 {
				code = append(code, strings.Split(part, "\n")...)
			}
		}
		code = slices.DeleteFunc(code, func(line string) bool { return strings.TrimSpace(line) == "" })
		for _, width := range []int{80, 100} {
			page := onScreen(t, strconv.Itoa(width), "docs", c.Name)
			words := isWord.FindAllString(page, -1)
			for _, word := range isWord.FindAllString(shown, -1) {
				if !slices.Contains(words, word) {
					t.Errorf("the page of %s at %d columns lacks %q", c.Name, width, word)
				}
			}
			for line := range strings.Lines(page) {
				line = strings.TrimRight(line, "\n")
				isWide := slices.ContainsFunc(code, func(c string) bool { return strings.HasSuffix(line, strings.TrimSpace(c)) })
				if utf8.RuneCountInString(line) > width && !isWide {
					t.Errorf("%s at %d columns: %s", c.Name, width, line)
				}
			}
		}
	}
}

// TestDocs checks the list of chapters and the search, and what is said about words that are not
// there.
func TestDocs(t *testing.T) {
	_, list, _ := outcome("docs")
	for _, c := range docs.Chapters() {
		if c.Title == "" || !strings.Contains(list, "  "+c.Name+" ") || !strings.Contains(list, c.Title) {
			t.Errorf("the list lacks %s, %q:\n%s", c.Name, c.Title, list)
		}
	}
	if _, found, _ := outcome("docs", "--search", "A FIRST REFERENCE"); !strings.Contains(found, "generate:1: # A first reference\n") {
		t.Errorf("found %q", found)
	}
	if _, found, _ := outcome("docs", "lint", "--search", "reference"); strings.Count(found, "lint:") != strings.Count(found, "\n") {
		t.Errorf("found in other chapters: %q", found)
	}
	for line, want := range map[string]string{
		"docs lnit":          `did you mean "lint"?`,
		"docs a b":           "one chapter at a time",
		"docs --search qqqq": `no line of the manual contains "qqqq"`,
	} {
		if status, _, errs := outcome(strings.Fields(line)...); status != exitUnreliable || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s", line, status, errs)
		}
	}
}

// TestEveryDocumentHasItsSchema checks that schema lists the schema of each document, that each has
// an address of its own, and that no name is that of two schemas.
func TestEveryDocumentHasItsSchema(t *testing.T) {
	_, list, _ := outcome("schema")
	for _, row := range slices.Concat(schemaRows(), documentRows()) {
		name := row[0]
		if row[1] == "" || strings.Count(list, "\n  "+name+" ") != 1 {
			t.Errorf("the list of schemas has %s with %q:\n%s", name, row[1], list)
		}
	}
	for _, row := range documentRows() {
		_, text, errs := outcome("schema", row[0])
		if !strings.Contains(text, `"$id": "https://`) || !strings.Contains(text, "/docs/"+row[0]+`.schema.json",`) || errs != "" {
			t.Errorf("the schema %s has no address: %s", row[0], errs)
		}
	}
}
