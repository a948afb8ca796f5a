package cli

import (
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

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// TestAdvisedCommandsExist runs every command that the texts of codes advise, with files in the
// place of the words in capitals, and looks up every option that they name.
func TestAdvisedCommandsExist(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	real := strings.NewReplacer("REFERENCE", "examples/quickstart/reference", "INPUT...", "examples/quickstart/cluster",
		"INPUT", "examples/quickstart/cluster", "KIND/NAME", "ConfigMap/storefront-settings", "CODE", "VT1001", "FILE", "none.yaml")
	quoted := regexp.MustCompile("`[^`]+`")
	commands, known := 0, knownOptions()
	for _, e := range code.All() {
		for _, text := range quoted.FindAllString(e.Cause+" "+e.Do, -1) {
			words := strings.Fields(strings.Trim(real.Replace(text), "`"))
			if words[0] == "validationTool" {
				commands++
				if status, out, errs := outcome(words[1:]...); status == 2 && !strings.Contains(errs, "no such file") {
					t.Errorf("%s advises %s, which says %s%s", e.Code, text, out, errs)
				}
			}
			optionsExist(t, known, string(e.Code), text)
		}
	}
	if commands == 0 {
		t.Error("no command is advised")
	}
}

// knownOptions returns the options of all commands, and those of other tools that texts name.
func knownOptions() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields("all-namespaces namespace ignore-not-found type patch-file show-server long ultra init") {
		known[name] = true // of oc, kubectl, zstd and git
	}
	for _, c := range new(program).commands() {
		for _, f := range c.Flags {
			known[f.Names()[0]] = true
		}
	}
	return known
}

// optionsExist checks the options and limits that a text names.
func optionsExist(t *testing.T, known map[string]bool, where, text string) {
	t.Helper()
	if !strings.Contains(text, "--") {
		return
	}
	for _, m := range regexp.MustCompile(`(?:^|[^\w-])--([a-z][a-z-]*)`).FindAllStringSubmatch(text, -1) {
		if !known[m[1]] {
			t.Errorf("%s names --%s, which is no option: %s", where, m[1], text)
		}
	}
	for _, m := range regexp.MustCompile(`--limit ([a-z]+)=N(?: or ([a-z]+)=N)?`).FindAllStringSubmatch(text, -1) {
		for _, name := range m[1:] {
			if name != "" && !slices.Contains(limitWords(), name+"=") {
				t.Errorf("%s names the limit %s, which there is not: %s", where, name, text)
			}
		}
	}
}

// ownCommands returns the calls of the tool in a text.
func ownCommands(text string) [][]string {
	if !strings.Contains(text, "validationTool ") {
		return nil
	}
	var all [][]string
	for _, m := range regexp.MustCompile(`(?:^|[\s(`+"`"+`])validationTool ([^|)`+"`"+`\n]*)`).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Fields(m[1]))
	}
	return all
}

// TestExamplesOfHelpRun runs the examples of every command in a folder that has their files.
func TestExamplesOfHelpRun(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	must(err)
	t.Chdir(t.TempDir())
	for name, target := range map[string]string{
		"reference": "ran-du/reference", "ref-4.16": "ran-du/reference", "ref-4.17": "ran-du/reference",
		"must-gather.tar.gz": "ran-du/must-gather.tar.gz", "values.yaml": "ran-du/values.yaml", "codes": "references/codes/reference",
	} {
		must(os.Symlink(filepath.Join(examples, target), name))
	}
	_, report, _ := outcome("-o", "json", "reference", "must-gather.tar.gz")
	files := map[string]string{"list.txt": "report.json\n"}
	for _, name := range []string{"report.json", "reports/a.json", "yesterday.json", "today.json"} {
		files[name] = report
	}
	pack.Files(t, ".", files)
	others := strings.NewReplacer("--output reference", "--output made", "TIME-FEW --reference reference", "TIME-FEW --reference codes")
	profile := "apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nmetadata: {name: openshift-node-performance-profile}\n"
	for _, c := range new(program).commands() {
		name := c.Name
		_, examples, _ := strings.Cut(c.Description, "Examples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for example := range strings.Lines(examples) {
			commands := ownCommands(others.Replace(example))
			if len(commands) != 1 {
				t.Errorf("%s: %s is no example of a command", name, example)
				continue
			}
			status, out, errs := fed(profile, commands[0]...)
			if status == exitUnreliable && errs != "" && !strings.Contains(errs, string(code.NoTerminal)) {
				t.Errorf("%s: %s: status %d\n%s\n%s", name, example, status, out, errs)
			}
		}
	}
}

// TestMessagesAdviseWhatExists checks the options, limits and commands that any text in the code
// names.
func TestMessagesAdviseWhatExists(t *testing.T) {
	named, word, known, commands := 0, regexp.MustCompile(`^[a-z][a-z-]+$`), knownOptions(), new(program).app(new(program).commands())
	for _, root := range []string{"..", filepath.Join("..", "..", "refconfig")} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "bench" || entry.Name() == "release"): // programs of their own
				return fs.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				named += strings.Count(text, "--limit ")
				optionsExist(t, known, path, text)
				for _, words := range ownCommands(text) {
					if len(words) > 0 && word.MatchString(words[0]) && words[0] != "reference" &&
						commands.Command(words[0]) == nil {
						t.Errorf("%s names the command %s, which there is not: %s", path, words[0], text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if named < 30 {
		t.Errorf("only %d limits are named", named)
	}
}

// TestNextCommandRuns runs the command with which a report ends.
func TestNextCommandRuns(t *testing.T) {
	inFolder(t, `
-- ref/metadata.yaml --
apiVersion: v2
parts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: sub/b.yaml}]}]}]
-- ref/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
data: {size: small}
-- ref/sub/b.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: shop}
-- drift/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
data: {size: large}
-- with spaces/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: shop}
data: {size: small}
-- broken/a.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a
-- broken/b.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: shop}
`)
	next := regexp.MustCompile(`(?m)^Next, .*?: validationTool (.*)$`)
	for input, want := range map[string]string{"drift": "--full --cr ConfigMap/shop/a ref drift", "with spaces": "explain-match ref 'with spaces' sub/b.yaml", "broken": "explain VT1005"} {
		_, out, errs := outcome("ref", input)
		m := next.FindStringSubmatch(out)
		if m == nil || m[1] != want {
			t.Errorf("%s: %q, want %s\n%s%s", input, m, want, out, errs)
			continue
		}
		var words []string
		for i, part := range strings.Split(m[1], "'") {
			if i%2 == 1 {
				words = append(words, part)
			} else {
				words = append(words, strings.Fields(part)...)
			}
		}
		if status, out, errs := outcome(words...); status > 1 || errs != "" {
			t.Errorf("%q: status %d\n%s%s", words, status, out, errs)
		}
	}
}
