package acceptance

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/cli"
	"github.com/validationtool/validationtool/internal/run/code"
)

// mostWords is the number of words that a sentence may have.
const mostWords = 35

// TestTheManualIsShort counts the words of all documents, and of the READMEs of the examples, but for
// the list of codes, which is made from a table. Who adds much has to find what is said twice.
func TestTheManualIsShort(t *testing.T) {
	const most = 34_000
	examples, err := filepath.Glob("examples/*/README.md")
	must(err)
	words := 0
	for name, text := range documents(t) {
		if name != "docs/codes.md" {
			words += len(strings.Fields(text))
		}
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		must(err)
		words += len(strings.Fields(string(text)))
	}
	if words > most {
		t.Errorf("the documents have %d words, and may have %d", words, most)
	}
}

// TestSentences checks that no sentence of README, docs/, the help of all commands and the
// explanations of codes is too long.
func TestSentences(t *testing.T) {
	for name, text := range documents(t) {
		for _, sentence := range longSentences(text) {
			t.Errorf("%s: more than %d words: %s", name, mostWords, sentence)
		}
	}
	for _, command := range []string{
		"", "explain", "explain-match", "diff", "functions", "schema", "completion", "reference",
		"lint", "test", "diff", "inspect", "needs",
		"generate", "render",
	} {
		for _, sentence := range longSentences(helpOf(t, command)) {
			t.Errorf("help of %q: more than %d words: %s", command, mostWords, sentence)
		}
	}
	for _, e := range code.All() {
		for _, sentence := range longSentences(e.Title + ".\n\n" + e.Cause + "\n\n" + e.Do) {
			t.Errorf("%s: more than %d words: %s", e.Code, mostWords, sentence)
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

// TestSentencesOfMessages checks the texts in the sources: messages, and parts of them.
func TestSentencesOfMessages(t *testing.T) {
	for _, root := range []string{"internal", "refconfig"} {
		must(fs.WalkDir(os.DirFS("."), root, func(name string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !saysNothing(name) {
				for _, sentence := range longSentences(textsOf(t, name)) {
					t.Errorf("%s: more than %d words: %s", name, mostWords, sentence)
				}
			}
			return err
		}))
	}
}

// saysNothing reports whether no user reads the texts of a file.
func saysNothing(name string) bool {
	return slices.ContainsFunc([]string{"bench", "house", "release"}, func(room string) bool {
		return strings.HasPrefix(name, "internal/"+room+"/")
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

// longSentences returns the sentences of a page that have too many words.
func longSentences(page string) []string {
	return slices.DeleteFunc(sentencesOf(page), func(sentence string) bool {
		return len(strings.Fields(sentence)) <= mostWords
	})
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

func TestLongSentences(t *testing.T) {
	long := strings.Repeat("word ", mostWords)
	for _, c := range []struct {
		page string
		long int
	}{
		{"A page. With short sentences.\n", 0},
		{long + "\n\nand another paragraph.\n", 0},
		{long + "and more.\n", 1},
		{"- " + long + "\n- an item\n", 0},
		{"```sh\n" + long + long + "\n```\n", 0},
	} {
		if got := longSentences(c.page); len(got) != c.long {
			t.Errorf("%q: %q", c.page, got)
		}
	}
}
