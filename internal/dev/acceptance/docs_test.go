package acceptance

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/cli"
)

// documents returns the README and what lies in docs/, by their names in the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	must(err)
	all := map[string]string{}
	for _, name := range append(names, "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md") {
		text, err := os.ReadFile(name)
		must(err)
		all[filepath.ToSlash(name)] = string(text)
	}
	return all
}

// block is a fenced block of a document.
type block struct{ language, text string }

// blocks returns the fenced blocks of a document, whose fences stand at the beginning of a line.
func blocks(text string) []block {
	var all []block
	for i, part := range strings.Split("\n"+text, "\n```") {
		if language, content, _ := strings.Cut(part, "\n"); i%2 == 1 {
			all = append(all, block{language, content + "\n"})
		}
	}
	return all
}

// TestDocumentedCommands runs every command of the README and of docs/. A line of a console block that begins with
// `$ validationTool` or `$ go run .` is run in the root of the repository, and what it prints is held against what stands
// below it: a line "..." there stands for any lines, a last line "[exit status N]" for the exit status, 0 where there is
// none. Of a block of shell lines, each is run, see runLine.
func TestDocumentedCommands(t *testing.T) {
	for name, text := range documents(t) {
		dir := scratch(t)
		for _, b := range blocks(text) {
			switch b.language {
			case "console":
				runBlock(t, name, b.text)
			case "sh":
				for line := range strings.Lines(b.text) {
					runLine(t, dir, name, strings.TrimSpace(line))
				}
			case "yaml":
			case "lua", "toml", "json", "js", "elisp", "text": // settings of an editor, and what it shows
				if name == "docs/browse.md" {
					var screens []byte
					for _, of := range []string{"fleet", "accept"} {
						some, err := os.ReadFile("internal/report/browse/testdata/" + of + ".txtar")
						must(err)
						screens = append(screens, some...)
					}
					if !strings.Contains(string(screens), " --\n"+b.text+"-- ") {
						t.Errorf("%s shows no screen of the tests:\n%s", name, b.text)
					}
					continue
				}
				if name != "docs/editors.md" && (name != "docs/architecture.md" || b.language != "text") { // there it is a picture
					t.Errorf("%s has a block of %q, which no test looks at:\n%s", name, b.language, b.text)
				}
			default:
				t.Errorf("%s has a block of %q, which no test looks at:\n%s", name, b.language, b.text)
			}
		}
	}
}

// TestReadmeIsShort: a stranger reads it on a screen of 100 columns.
func TestReadmeIsShort(t *testing.T) {
	for _, b := range blocks(documents(t)["README.md"]) {
		if n := strings.Count(b.text, "\n"); n > 40 {
			t.Errorf("a block of %d lines:\n%s", n, b.text)
		}
		for line := range strings.Lines(b.text) {
			if n := utf8.RuneCountInString(line); n > 101 {
				t.Errorf("%d columns: %s", n-1, line)
			}
		}
	}
}

// TestDocumentedFiles holds every file that a document shows, in a block that begins with its name as a comment, against the
// file.
func TestDocumentedFiles(t *testing.T) {
	quoted := 0
	for name, text := range documents(t) {
		for _, b := range blocks(text) {
			shown, content, _ := strings.Cut(b.text, "\n")
			shown, isName := strings.CutPrefix(shown, "# ")
			if b.language != "yaml" || !isName {
				continue
			}
			file, err := os.ReadFile(filepath.FromSlash(shown))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			quoted++
			if diff := cmp.Diff(string(file), content); diff != "" {
				t.Errorf("%s shows another %s (-file +document):\n%s", name, shown, diff)
			}
		}
	}
	if quoted < 10 {
		t.Errorf("%d files are quoted", quoted)
	}
}

// TestLinksLeadSomewhere follows every link of a document to a file of the repository, and to a heading in it.
func TestLinksLeadSomewhere(t *testing.T) {
	all := documents(t)
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			file, heading, hasHeading := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if hasHeading && !slices.Contains(anchors(all[target]), heading) {
				t.Errorf("%s links to %s, and %s has no such heading", name, m[1], target)
			}
		}
	}
}

// anchors are the names that GitHub gives the headings of a document: in small letters, blanks as hyphens, no other signs.
func anchors(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// runBlock runs the commands of a console block.
func runBlock(t *testing.T, name, block string) {
	for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
		line, want, _ := strings.Cut(step, "\n")
		line, _, toFile := strings.Cut(line, " > ")
		args, ours := command(line)
		if !ours {
			t.Errorf("%s has a command that is not run: %s", name, line)
			continue
		}
		t.Run(name+": "+line, func(t *testing.T) {
			var out, errs bytes.Buffer
			none := func(string) (string, bool) { return "", false }
			isTerminal := func(any) bool { return true } // questions may be asked, and nobody answers
			status := cli.Run(
				context.Background(),
				args,
				cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: none, Terminal: isTerminal},
			)
			if toFile {
				out.Reset()
			}
			got := strings.ReplaceAll(out.String()+errs.String(), " \n", "\n")
			if status != 0 {
				got += "[exit status " + string(rune('0'+status)) + "]\n"
			}
			if !likeness(strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")) {
				t.Errorf(
					"-document +now\n%s\nnow:\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")), got,
				)
			}
		})
	}
}

// command splits a line of a console block into arguments; ours says whether it calls the tool.
func command(line string) (args []string, ours bool) {
	rest, ours := strings.CutPrefix(strings.Replace(line, "go run . ", "validationTool ", 1), "validationTool ")
	for _, field := range strings.Fields(rest) {
		args = append(args, strings.Trim(field, `'"`))
	}
	return append([]string{"validationTool"}, args...), ours
}

// scratch makes a folder that has, under the names that shell lines of documents use, the files that they are about, and
// in bin/ stand-ins for commands that are not there.
func scratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := os.Getwd()
	must(err)
	for _, folder := range []string{"bin", ".local/bin", "archives"} {
		must(os.MkdirAll(filepath.Join(dir, folder), 0o755))
	}
	tool, err := exec.LookPath("validationTool") // TestMain put it there
	must(err)
	example := filepath.Join(root, "examples", "ran-du")
	for name, target := range map[string]string{
		"REFERENCE": example + "/reference", "INPUT": example + "/cluster", "must-gather": example + "/cluster", "bin/validationTool": tool,
		"must-gather.tar.gz": example + "/must-gather.tar.gz", "more-crs.yaml": example + "/cluster/ptp-clock.yaml",
		"examples": filepath.Join(root, "examples"), "archives/north.tar.gz": filepath.Join(root, "examples", "fleet", "north.yaml"),
		"archives/south.tar.gz": filepath.Join(root, "examples", "fleet", "south.yaml"),
		"site.yaml":             filepath.Join(root, "examples", "quickstart", "impact.yaml"), "organisation.yaml": filepath.Join(root, "examples", "quickstart", "impact.yaml"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links can be made here: %v", err)
		}
	}
	for name, script := range map[string]string{
		// an image is saved as an archive or a folder, and run in this folder
		"podman": "case $1 in save) exec tar -chf \"$3\" -C '" + example + "' reference ;; esac\n" +
			"until [ \"${1#ghcr.io}\" != \"$1\" ]; do shift; done; shift; exec validationTool \"$@\"",
		"skopeo": "case $3 in oci:*) ln -s '" + example + "/reference' ${3#oci:} ;; *) tar -chf \"${3#*:}\" -C '" + example + "' reference ;; esac",
		// a release is fetched
		"curl": "tar -czf validationTool_v0.1.0_linux_amd64.tar.gz -h -C bin validationTool; touch SHA256SUMS.sigstore.json\n" +
			"sha256sum validationTool_v0.1.0_linux_amd64.tar.gz >SHA256SUMS",
		"cosign":  "[ \"$1\" = verify-blob ] && [ -e \"$3\" ] && [ -s \"$8\" ]",
		"oc":      "case $1 in adm) ;; *) cat '" + example + "/cluster/performanceprofile.yaml' ;; esac",
		"git":     "at=telco-reference/telco-core/configuration; mkdir -p $at; ln -s '" + example + "/reference' $at/reference-crs-kube-compare",
		"kubectl": `case $1 in create|apply|logs) ;; get) echo Complete ;; *) plugin=$1; shift; exec "kubectl-$plugin" "$@" ;; esac`,
	} {
		must(os.WriteFile(filepath.Join(dir, "bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	return dir
}

// runLine runs a shell line of a document in the folder that scratch made, where REFERENCE, INPUT and other names of the
// documents are there. It has to end as a comparison may end: with differences, but with a result. What builds, installs
// or tests is not run here: .ci/run does it, with the same line, or it is a test.
func runLine(t *testing.T, dir, name, line string) {
	t.Run(name+": "+line, func(t *testing.T) {
		command, _, _ := strings.Cut(line, " #")
		command = strings.TrimSpace(command)
		fields := strings.Fields(command)
		if strings.HasPrefix(command, "jq ") { // which is not everywhere; TestEveryQueryIsTried
			return
		}
		if len(fields) > 0 && slices.Contains([]string{"go", "make"}, fields[0]) {
			if err := isRunElsewhere(command); err != nil {
				t.Error(err)
			}
			return
		}
		shell, err := exec.LookPath("sh")
		if err != nil {
			t.Skip(err)
		}
		run := exec.Command(shell, "-c", command)
		run.Dir = dir
		search := []string{filepath.Join(dir, "bin"), filepath.Join(dir, ".local", "bin"), os.Getenv("PATH")}
		run.Env = append(
			os.Environ(),
			"HOME="+dir,
			"PATH="+strings.Join(search, string(os.PathListSeparator)),
			"GITHUB_STEP_SUMMARY=summary.md",
		)
		var errs bytes.Buffer
		run.Stderr = &errs
		err = run.Run()
		var exit *exec.ExitError
		needsTerminal := strings.Contains(errs.String(), "VT1024") // testdata/script/browse.txtar has one
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) && !needsTerminal {
			t.Errorf("%v: %s", err, errs.String())
		}
	})
}

// isRunElsewhere looks for a command among the lines of .ci/run, or, where it runs one test, for that test.
func isRunElsewhere(command string) error {
	if m := regexp.MustCompile(`^go test \./(\S+) -run (\w+)`).FindStringSubmatch(command); m != nil {
		return namedTest{pkg: m[1], function: m[2]}.exists()
	}
	text, err := os.ReadFile(".ci/run")
	if err == nil && !slices.Contains(strings.Split(string(text), "\n"), command) {
		err = errors.New(".ci/run has no line " + strconv.Quote(command))
	}
	return err
}

// likeness reports whether got is want, where a line "..." of want stands for any lines.
func likeness(want, got string) bool {
	chunks := [][]string{nil}
	for _, line := range strings.Split(want, "\n") {
		if line == "..." {
			chunks = append(chunks, nil)
			continue
		}
		chunks[len(chunks)-1] = append(chunks[len(chunks)-1], line)
	}
	rest := strings.Split(got, "\n")
	for i, chunk := range chunks {
		at := 0
		switch {
		case i == len(chunks)-1: // the last chunk ends the output
			at = len(rest) - len(chunk)
		case i > 0:
			at = indexLines(rest, chunk)
		}
		if at < 0 || len(rest) < at+len(chunk) || !slices.Equal(rest[at:at+len(chunk)], chunk) ||
			(len(chunks) == 1 && at > 0) {
			return false
		}
		rest = rest[at+len(chunk):]
	}
	return true
}

// indexLines returns where a run of lines begins, or -1.
func indexLines(lines, run []string) int {
	for i := 0; i+len(run) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(run)], run) {
			return i
		}
	}
	return -1
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		want, got string
		alike     bool
	}{
		{"a\nb", "a\nb", true}, {"a", "a\nb", false}, {"b", "a\nb", false}, {"...\nb", "a\nb", true}, {"a\n...", "a\nb\nc", true},
		{"a\n...\nd", "a\nb\nc\nd", true}, {"a\n...\nc", "a\nb\nc\nd", false}, {"...\nb\n...\nd", "a\nb\nc\nd", true},
		{"...\nx\n...", "a\nb", false}, {"a\n...\na", "a", false},
	} {
		if got := likeness(c.want, c.got); got != c.alike {
			t.Errorf("%q is like %q: %v", c.want, c.got, got)
		}
	}
}

// TestPipelinesOfExamples runs the steps of examples/pipelines that call the tool: with the folders that they name, they end
// as a comparison ends.
func TestPipelinesOfExamples(t *testing.T) {
	files, err := filepath.Glob("examples/pipelines/*.yaml")
	if err != nil || len(files) != 2 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		var document struct {
			Spec struct {
				Params   []struct{ Name, Default string }
				Steps    []struct{ Args []string }
				Template struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		}
		must(yaml.Unmarshal(text, &document))
		var names []string
		for _, param := range document.Spec.Params {
			names = append(names, "$(params."+param.Name+")", param.Default)
		}
		dir := scratch(t)
		must(os.Symlink("REFERENCE", filepath.Join(dir, "reference")))
		must(os.Symlink("INPUT", filepath.Join(dir, "site")))
		steps := append(document.Spec.Steps, document.Spec.Template.Spec.Containers...)
		if len(steps) != 1 {
			t.Errorf("%s has %d steps", file, len(steps))
		}
		for _, step := range steps {
			runLine(t, dir, file, "validationTool "+strings.NewReplacer(names...).Replace(strings.Join(step.Args, " ")))
		}
	}
}

// TestMakeHelp: `make help` says what each target does.
func TestMakeHelp(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	must(err)
	help, err := exec.Command("make", "--no-print-directory", "help").Output()
	if err != nil {
		t.Skip(err)
	}
	targets := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindStringSubmatch(string(text))
	for _, target := range strings.Fields(targets[1]) {
		if !regexp.MustCompile(`(?m)^  make ` + target + ` +\w+`).Match(help) {
			t.Errorf("make help does not say what %s does:\n%s", target, help)
		}
	}
}
