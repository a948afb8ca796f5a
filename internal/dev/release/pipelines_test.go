package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"sigs.k8s.io/yaml"
)

// step is a step of an action or a workflow.
type step struct {
	Name, Uses, Run string
	With, Env       map[string]string
}

// decode reads a file of the repository, or a text, strictly enough for what a test needs.
func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	must(yaml.Unmarshal(text, into))
}

func fileOf(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", name))
	must(err)
	return text
}

// snippets are the blocks of YAML of the chapter, in its order.
func snippets(t *testing.T) [][]byte {
	t.Helper()
	var all [][]byte
	for _, m := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n").FindAllSubmatch(fileOf(t, "docs/pipelines.md"), -1) {
		all = append(all, m[1])
	}
	if len(all) != 4 {
		t.Fatalf("%d snippets", len(all))
	}
	return all
}

// TestWorkflowsAreSound: actionlint finds nothing in those of this repository and of the documents.
func TestWorkflowsAreSound(t *testing.T) {
	texts := map[string][]byte{"first snippet": snippets(t)[0], "second snippet": snippets(t)[1]}
	files, err := filepath.Glob("../../../.github/workflows/*.yml")
	if err != nil || len(files) != 2 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		texts[file] = fileOf(t, strings.TrimPrefix(file, "../../../"))
	}
	for name, text := range texts {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		must(err)
		faults, err := linter.Lint(filepath.Base(name)+".yml", text, nil)
		must(err)
		for _, fault := range faults {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// workplace is a machine of a pipeline: a folder with a reference and a site, releases that curl and wget fetch
// from a folder, and no network.
type workplace struct {
	dir, bin, tool string
}

func newWorkplace(t *testing.T) workplace {
	t.Helper()
	w := workplace{dir: t.TempDir(), bin: t.TempDir()}
	all := filepath.Join(t.TempDir(), "bin")
	w.tool = filepath.Join(all, runtime.GOOS+"_"+runtime.GOARCH, tool)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", w.tool, ".")
	build.Dir = "../../.."
	output(t, build)
	releases := filepath.Join(w.bin, "releases", "v0.1.0")
	r := release{version: "v0.1.0", out: releases, sources: "../../.."}
	must(os.MkdirAll(releases, 0o755))
	binary, err := os.ReadFile(w.tool)
	must(err)
	if _, err := r.pack(target{path: w.tool, system: runtime.GOOS, processor: runtime.GOARCH, binary: binary}); err != nil {
		t.Fatal(err)
	}
	must(r.sums())
	fetch := "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" != -o ] && [ \"$1\" != -O ] || to=$2; shift; done\n" +
		"cp '" + filepath.Join(w.bin, "releases") + "'/\"${1#https://github.com/validationtool/validationtool/releases/download/}\" \"$to\"\n"
	for _, name := range []string{"curl", "wget"} {
		must(os.WriteFile(filepath.Join(w.bin, name), []byte(fetch), 0o755))
	}
	err = errors.Join(
		os.CopyFS(filepath.Join(w.dir, "reference"), os.DirFS("../../../examples/quickstart/reference")),
		os.CopyFS(filepath.Join(w.dir, "site"), os.DirFS("../../../examples/quickstart/cluster")),
	)
	must(err)
	return w
}

// run runs a script of a pipeline and returns its exit status and what it prints.
func (w workplace) run(t *testing.T, shell []string, script string, env ...string) (int, string) {
	t.Helper()
	command := exec.Command(shell[0], append(shell[1:], script)...)
	command.Dir = w.dir
	command.Env = append(os.Environ(), "PATH="+w.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	command.Env = append(command.Env, env...)
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// actionFile is what a test needs of action.yml.
type actionFile struct {
	Inputs, Outputs map[string]any
	Runs            struct{ Steps []step }
}

func actionOf(t *testing.T) (action actionFile) {
	t.Helper()
	decode(t, fileOf(t, "action.yml"), &action)
	return action
}

// TestTheActionComparesAsDocumented: what the chapter's workflow gives to the action, its steps do, with a release
// from a folder.
func TestTheActionComparesAsDocumented(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the runner that is played is one of Linux")
	}
	action := actionOf(t)
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	decode(t, snippets(t)[0], &workflow)
	used := workflow.Jobs["compare"].Steps[1]
	for name := range used.With {
		if action.Inputs[name] == nil {
			t.Errorf("the action has no input %s", name)
		}
	}
	w := newWorkplace(t)
	at := func(name string) string { return filepath.Join(w.dir, name) }
	version, _ := action.Inputs["version"].(map[string]any)["default"].(string)
	if !strings.HasSuffix(used.Uses, "@"+version) {
		t.Errorf("the chapter uses %s, and the action runs %s", used.Uses, version)
	}
	env := []string{
		"RUNNER_OS=Linux", "RUNNER_TEMP=" + w.bin, "GITHUB_PATH=" + at("path"), "GITHUB_OUTPUT=" + at("output"),
		"GITHUB_STEP_SUMMARY=" + at("summary.md"), "VERSION=" + version,
		"RUNNER_ARCH=" + map[string]string{"arm64": "ARM64", "amd64": "X64"}[runtime.GOARCH],
		"REFERENCE=" + used.With["reference"], "INPUT=" + used.With["input"], "ARGS=" + used.With["args"],
	}
	for i, want := range []int{0, 1} {
		one := action.Runs.Steps[i]
		for name, value := range one.Env {
			if !strings.Contains(value, "${{") {
				env = append(env, name+"="+value)
			}
		}
		got, out := w.run(t, []string{"bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"}, one.Run, env...)
		if got != want {
			t.Fatalf("%s: exit status %d\n%s", one.Name, got, out)
		}
		if i == 0 {
			path, err := os.ReadFile(at("path"))
			must(err)
			env = append(env, "PATH="+strings.TrimSpace(string(path))+string(os.PathListSeparator)+os.Getenv("PATH"))
		} else if !strings.Contains(out, "\n::error file=site/") {
			t.Errorf("there is no annotation:\n%s", out)
		}
	}
	results, err := os.ReadFile(at("output"))
	if want := "sarif=" + filepath.Join(w.bin, "validationTool.sarif") + "\nexit-status=1\n"; err != nil || string(results) != want {
		t.Errorf("the outputs are %q %v", results, err)
	}
	for _, name := range []string{at("summary.md"), filepath.Join(w.bin, "validationTool.sarif")} {
		if text, err := os.ReadFile(name); err != nil || !bytes.Contains(text, []byte("DRIFT")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// It runs the same release by whatever it is named, and refuses what is none.
	if text := fmt.Sprint(action.Runs.Steps[0].Env["VERSION"]); text != "${{ inputs.version }}" {
		t.Errorf("the version is %s", text)
	}
	for _, wrong := range []string{"", "main", "0f3c2a9d", "v9.9.9"} {
		got, out := w.run(t, []string{"bash", "-eo", "pipefail", "-c"}, action.Runs.Steps[0].Run, append(env, "VERSION="+wrong)...)
		if got != 2 || !strings.Contains(out, "::error::") {
			t.Errorf("version %q: exit status %d\n%s", wrong, got, out)
		}
	}
	// An archive that is not what was released is not run.
	if err := os.WriteFile(filepath.Join(w.bin, "releases", version, "SHA256SUMS"), []byte(strings.Repeat("0", 64)+
		"  validationTool_v0.1.0_linux_"+runtime.GOARCH+".tar.gz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, out := w.run(t, []string{"bash", "-eo", "pipefail", "-c"}, action.Runs.Steps[0].Run, env[:len(env)-1]...); got != 2 {
		t.Errorf("another archive was taken:\n%s", out)
	}
}

// TestReferencesAreCheckedAsDocumented: by the steps of the second workflow, and by the hooks of pre-commit.
func TestReferencesAreCheckedAsDocumented(t *testing.T) {
	w := newWorkplace(t)
	path := "PATH=" + filepath.Dir(w.tool) + string(os.PathListSeparator) + os.Getenv("PATH")
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	decode(t, snippets(t)[1], &workflow)
	var hooks []struct{ ID, Entry, Language string }
	decode(t, fileOf(t, ".pre-commit-hooks.yaml"), &hooks)
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID   string
				Args []string
			}
		}
	}
	decode(t, snippets(t)[3], &config)
	var scripts []string
	for _, one := range workflow.Jobs["reference"].Steps[2:] {
		scripts = append(scripts, one.Run)
	}
	for _, used := range config.Repos[0].Hooks {
		for _, hook := range hooks {
			if hook.ID == used.ID && hook.Language == "golang" {
				entry := strings.Replace(hook.Entry, "validationtool ", tool+" ", 1) // go install calls it by its module
				scripts = append(scripts, entry+" "+strings.Join(used.Args, " "))
			}
		}
	}
	fixture := filepath.Join(w.dir, "reference", "tests", "site")
	err := errors.Join(
		os.CopyFS(filepath.Join(fixture, "input"), os.DirFS("../../../examples/quickstart/cluster")),
		os.WriteFile(filepath.Join(fixture, "expect.yaml"), nil, 0o600),
	)
	must(err)
	if got, out := w.run(t, []string{"sh", "-c"}, tool+" test --update reference", path); got == 2 {
		t.Fatal(out)
	}
	if len(scripts) != 4 {
		t.Errorf("%q are run", scripts)
	}
	for _, script := range scripts {
		if got, out := w.run(t, []string{"bash", "-ec"}, script, path); got != 0 {
			t.Errorf("%s: exit status %d\n%s", script, got, out)
		}
	}
}

// gitLabJob is what a test needs of the job of the GitLab template.
type gitLabJob struct {
	Variables map[string]string
	Script    []string
	Artifacts struct{ Reports map[string]string }
}

// gitLabTemplate reads the two documents of the GitLab template.
func gitLabTemplate(t *testing.T) (head struct {
	Spec struct{ Inputs map[string]map[string]any }
}, job gitLabJob) {
	t.Helper()
	about, body, _ := bytes.Cut(fileOf(t, ".gitlab/validationtool.yml"), []byte("\n---\n"))
	decode(t, about, &head)
	var jobs map[string]gitLabJob
	decode(t, body, &jobs)
	return head, jobs["validationtool"]
}

// TestPipelinesPassArgumentsOn: lines, blanks, quotes and dashes in the inputs of the action and of the
// GitLab template arrive as arguments, each whole and none as an option that is not meant.
func TestPipelinesPassArgumentsOn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the machines that are played are those of Linux")
	}
	w := workplace{dir: t.TempDir(), bin: t.TempDir()}
	const fake = "#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done\nexit 3\n"
	must(os.WriteFile(filepath.Join(w.bin, tool), []byte(fake), 0o755))
	must(os.WriteFile(filepath.Join(w.dir, "a.yaml"), nil, 0o600)) // no glob may become its name
	_, job := gitLabTemplate(t)
	scripts := map[string]struct {
		shell  []string
		script string
		own    string // the options that the pipeline adds
	}{
		"action": {[]string{"bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"}, actionOf(t).Runs.Steps[1].Run,
			"[-o][github][-o][sarif=" + w.bin + "/validationTool.sarif][-o][markdown+=summary.md]"},
		"GitLab": {[]string{"sh", "-ec"}, strings.ReplaceAll(job.Script[len(job.Script)-1], "/tmp", w.bin),
			"[-o][text][-o][gitlab=gl-code-quality-report.json][-o][junit=validationtool.xml]"},
	}
	for pipeline, p := range scripts {
		for _, c := range []struct{ args, input, options, inputs string }{
			{"", "site", "", "[site]"},
			{"--summary", "site", "[--summary]", "[site]"},
			{"--summary\n--fail-on drift,extra\n", "site\n", "[--summary][--fail-on][drift,extra]", "[site]"},
			{"  -v \t --full\n\n", "", "[-v][--full]", ""},
			{"--cr 'Pod/*' --cr */*", "*.yaml", "[--cr][Pod/*][--cr][*/*]", "[*.yaml]"},
			{`--override-reason "it's so" -p 'two words.yaml'`, "in", "[--override-reason][it's so][-p][two words.yaml]", "[in]"},
			{"--cr $HOME --component `id` -p $(id)", "$(id)\n`id`", "[--cr][$HOME][--component][`id`][-p][$(id)]", "[$(id)][`id`]"},
			{"", "in/cm.yaml\n--version\n-h", "", "[in/cm.yaml][--version][-h]"},
			{"", "two words/a b.yaml\n\nit's \"so\".yaml\nback\\slash", "", "[two words/a b.yaml][it's \"so\".yaml][back\\slash]"},
			{"", "clusters/**/*.yaml\n[prod].yaml", "", "[clusters/**/*.yaml][[prod].yaml]"},
		} {
			status, out := w.run(t, p.shell, p.script, "ARGS="+c.args, "INPUT="+c.input, "REFERENCE=-ref *",
				"RUNNER_TEMP="+w.bin, "GITHUB_OUTPUT=output", "GITHUB_STEP_SUMMARY=summary.md")
			if want := c.options + p.own + "[--][-ref *]" + c.inputs; status != 3 || out != want {
				t.Errorf("%s, %q, %q: exit status %d\n%s\nwant\n%s", pipeline, c.args, c.input, status, out, want)
			}
		}
		status, out := w.run(t, p.shell, p.script, "ARGS=--cr 'Pod", "INPUT=site", "REFERENCE=ref", "RUNNER_TEMP="+w.bin,
			"GITHUB_OUTPUT=output", "GITHUB_STEP_SUMMARY=summary.md")
		if status != 2 || !strings.Contains(out, "unmatched single quote") {
			t.Errorf("%s: an open quote: exit status %d\n%s", pipeline, status, out)
		}
	}
}

// TestTheGitLabJobComparesAsDocumented: with the inputs of the chapter, which are all that the template needs.
func TestTheGitLabJobComparesAsDocumented(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the job runs on Linux")
	}
	template, one := gitLabTemplate(t)
	var pipeline struct {
		Include []struct{ Inputs map[string]string }
	}
	decode(t, snippets(t)[2], &pipeline)
	given, inputs := pipeline.Include[0].Inputs, map[string]string{}
	for name, input := range template.Spec.Inputs {
		value, has := input["default"].(string)
		if given[name] == "" && !has {
			t.Errorf("the chapter gives no %s", name)
		}
		if given[name] != "" {
			value = given[name]
		}
		inputs["$[[ inputs."+name+" ]]"] = value
	}
	var env []string
	for name, value := range one.Variables {
		if input, ok := inputs[value]; ok {
			value = input
		}
		if strings.Contains(value, "$[[") {
			t.Errorf("the template uses an input that it does not have: %s", value)
		}
		env = append(env, name+"="+value)
	}
	w := newWorkplace(t)
	script := strings.ReplaceAll(strings.Join(one.Script, "\n"), "/tmp", w.bin) // of the container
	got, out := w.run(t, []string{"sh", "-ec"}, script, env...)
	if got != 1 || !strings.Contains(out, "DRIFT") {
		t.Fatalf("exit status %d\n%s", got, out)
	}
	for kind, want := range map[string]string{"codequality": `"check_name": "verdict"`, "junit": "<testsuites"} {
		text, err := os.ReadFile(filepath.Join(w.dir, one.Artifacts.Reports[kind]))
		if err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v\n%s", kind, err, text)
		}
	}
}
