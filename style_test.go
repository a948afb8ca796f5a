package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/cli"
	"github.com/validationtool/validationtool/internal/code"
)

// Limits of the style: sentences of a page with the same habit, and words of a sentence.
const (
	mostOfAHabit = 1
	mostWords    = 35
)

// habits returns regular expressions of words that made readers stop, each with better words.
func habits() map[string]string {
	return map[string]string{
		`\b(stands?|standing)\b`:                      "is, has, is listed",
		`\b(lies?|lying)\b`:                           "is in",
		`\b(is|are|was|were|be) told\b|\btells? of\b`: "is reported",
		`\b(held|holds|hold) against\b`:               "is compared with",
		`\bbesides?\b`:                                "next to, in addition to",
		`\bof (which|whom|those)\b`:                   "a sentence of its own",
		`\b(is|are) none\b`:                           "is not a",
		`\btwice\b`:                                   "duplicate",
		`\b(is|are|be) there\b`:                       "exists, is present",
		`\b(is|are|was|were) meant\b`:                 "matches, is intended",
		`\b(whoever|whatever) (it|is|has|that)\b`:     "a noun",
		`(^|[,;:] )(?-i:what) (of|it|they|cannot|can|does|was|were)\b`: "a noun, and then the clause",
		`(^|[;:] )(?-i:what) (is|are|has|have|the)\b.*\bis\b`:          "a noun, and then the clause",
		`\b(so is it|so too|and so are)\b|\bso it is$`:                 "the same holds for",
		`\bcomes? to\b`:                                "results in, reaches",
		`\bat the begin\b`:                             "at the beginning",
		`\bin vain\b`:                                  "but does not find",
		`\bhangs? on\b`:                                "depends on",
		`\b(otherwise|else) than\b`:                    "differently from",
		`\b(lets?|letting) go\b`:                       "drops",
		`\bof the like\b|\bfor the sake of\b`:          "for",
		`\bwhere (it|they|that|this|there) (is|are)\b`: "if",
		`\b(is|are) no (JSON|YAML|template|format|code|reference)\b`: "is not a",
	}
}

// TestStyle checks that README, docs/, the help of all commands and the explanations of codes keep
// to the style.
func TestStyle(t *testing.T) {
	for name, text := range documents(t) {
		for _, fault := range styleFaults(text) {
			t.Errorf("%s: %s", name, fault)
		}
	}
	for _, command := range []string{
		"", "explain", "explain-match", "report", "report diff", "functions", "schema", "completion", "reference",
		"reference lint", "reference test", "reference diff", "reference inspect", "reference needs",
		"reference generate", "reference render",
	} {
		for _, fault := range styleFaults(helpOf(t, command)) {
			t.Errorf("help of %q: %s", command, fault)
		}
	}
	for _, e := range code.All() {
		for _, fault := range styleFaults(e.Title + ".\n\n" + e.Cause + "\n\n" + e.Do) {
			t.Errorf("%s: %s", e.Code, fault)
		}
	}
}

// helpOf returns the help of a command, with each option, row and clause as a paragraph.
func helpOf(t *testing.T, command string) string {
	var out bytes.Buffer
	args := append([]string{"validationTool"}, strings.Fields(command)...)
	help := "--help"
	if command == "" {
		help = "--help-all"
	}
	none := func(string) (string, bool) { return "", false }
	if status := cli.Run(context.Background(), append(args, help), cli.IO{Out: &out, Err: &out, Env: none}); status != 0 {
		t.Fatalf("the help of %q has the exit status %d", command, status)
	}
	return paragraphs(regexp.MustCompile(`\n( +-|  \S)`).ReplaceAllString(out.String(), "\n\n$1"))
}

// paragraphs ends a paragraph at each semicolon.
func paragraphs(text string) string { return strings.ReplaceAll(text, "; ", "\n\n") }

// TestStyleOfMessages checks the texts in the sources of each package: messages, and parts of them.
func TestStyleOfMessages(t *testing.T) {
	for _, root := range []string{"internal", "refconfig"} {
		pages := map[string]string{}
		err := fs.WalkDir(os.DirFS("."), root, func(name string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !saysNothing(path.Dir(name)) {
				pages[path.Dir(name)] += textsOf(t, name)
			}
			return err
		})
		must(err)
		for name, page := range pages {
			for _, fault := range styleFaults(page) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
}

// saysNothing reports whether no user reads the texts of a package.
func saysNothing(folder string) bool {
	return slices.ContainsFunc([]string{"bench", "golden", "house", "pack", "release", "traps"}, func(name string) bool {
		return strings.HasPrefix(folder+"/", "internal/"+name+"/")
	})
}

// textsOf returns the texts of a source file with at least four words, each as a paragraph.
func textsOf(t *testing.T, name string) string {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	must(err)
	var texts strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && len(strings.Fields(text)) >= 4 {
			texts.WriteString(paragraphs(strings.ReplaceAll(text, "\n", "\n\n")) + "\n\n")
		}
		return true
	})
	return texts.String()
}

// styleFaults lists the habits that are too frequent on a page, and its long sentences.
func styleFaults(page string) []string {
	var faults []string
	sentences := sentencesOf(page)
	for habit, better := range habits() {
		var found []string
		expression := regexp.MustCompile(`(?i)` + habit)
		for _, sentence := range sentences {
			if expression.MatchString(sentence) {
				found = append(found, "\n  "+sentence)
			}
		}
		if len(found) > mostOfAHabit {
			faults = append(faults, habit+" in too many sentences; write: "+better+strings.Join(found, ""))
		}
	}
	for _, sentence := range sentences {
		if len(strings.Fields(sentence)) > mostWords {
			faults = append(faults, "more words than a sentence should have: "+sentence)
		}
	}
	slices.Sort(faults)
	return faults
}

// sentencesOf splits a page into sentences. Paragraphs, list items, headings and table cells end a
// sentence, blocks of code are left out, and inline code counts as one word.
func sentencesOf(page string) []string {
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "")
	page = regexp.MustCompile("`[^`]+`").ReplaceAllString(page, "CODE")
	page = regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(page, "]")
	var sentences []string
	for _, unit := range regexp.MustCompile(`\n\s*\n|\n- |\n#+ |\n?\|`).Split("\n"+page, -1) {
		unit = strings.Join(strings.Fields(unit), " ")
		for _, sentence := range regexp.MustCompile(`[.!?]\)?( |$)`).Split(unit, -1) {
			if sentence != "" {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

func TestStyleFaults(t *testing.T) {
	long := strings.Repeat("word ", mostWords)
	for _, c := range []struct {
		page   string
		faults int
	}{
		{"A page. With short sentences.\n", 0},
		{long + "\n\nand another paragraph.\n", 0},
		{long + "and more.\n", 1},
		{"- " + long + "\n- an item\n", 0},
		{"```sh\n" + long + long + "\n```\n", 0},
		{"It stands here. It is there.\n", 0},
		{"It stands here.\n\n| It stands | in a cell |\n", 1},
		{"`stands` and `stands`. `stands`. `stands`.\n", 0},
	} {
		if got := styleFaults(c.page); len(got) != c.faults {
			t.Errorf("%q: %q", c.page, got)
		}
	}
}
