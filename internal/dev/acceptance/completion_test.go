package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shell runs a script in a shell, in a folder with the completion of that shell as the file
// "completion", a folder "explained", and files.
func shell(t *testing.T, name, script string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	text, err := exec.Command("validationTool", "completion", name).Output()
	must(err)
	must(os.Mkdir(filepath.Join(dir, "explained"), 0o755))
	for name, text := range map[string][]byte{"completion": text, "must-gather.tar.gz": nil, "two words.yaml": nil} {
		must(os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	run := exec.Command(path, append(args, script)...)
	run.Dir = dir
	run.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestCompletionInBash asks bash's own machinery what words become. It splits at "=", as it does on
// a terminal.
func TestCompletionInBash(t *testing.T) {
	for line, want := range map[string]string{
		"--summ":             "--summary",
		"expl":               "explain-match explain explained",
		"ref --output =":     "text json yaml diff html csv ndjson github gitlab markdown sarif junit fix overrides",
		"ref --output = js":  "json",
		"-o js":              "json",
		"--fail-on drift,mi": "drift,missing",
		"--color = a":        "auto always",
		"--limit time":       "time=",
		"completion z":       "zsh",
		"lint -o s":          "sarif",
		"explain VT100":      "VT1001 VT1002 VT1003 VT1004 VT1005 VT1006 VT1007 VT1008 VT1009",
		"ref must":           "", // which bash completes itself, as it does by default
		"-p two":             "",
	} {
		words := strings.Fields(line)
		script := `source ./completion
COMP_WORDS=(validationTool ` + strings.Join(words, " ") + `); COMP_CWORD=` + string(rune('0'+len(words))) + `
_validationTool_complete; echo "${COMPREPLY[*]}"`
		if got := shell(t, "bash", script, "--norc", "-c"); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, name := range []string{"validationTool", "validationtool"} {
		got := shell(t, "bash", "source ./completion; complete -p "+name, "--norc", "-c")
		if !strings.Contains(got, "-o default -F _validationTool_complete") {
			t.Errorf("bash has for %s: %s", name, got)
		}
	}
}

// TestCompletionInFish asks fish what words become.
func TestCompletionInFish(t *testing.T) {
	for line, want := range map[string]string{
		"--summ":             "--summary\tshow only the summary in the text report",
		"ref --output=js":    "--output=json",
		"-o js":              "json",
		"--fail-on drift,mi": "drift,missing",
		"ref must":           "must-gather.tar.gz",
		"-p two":             "two words.yaml",
		"completion z":       "zsh\tsource <(validationTool completion zsh)",
	} {
		got := shell(t, "fish", "source ./completion; complete -C 'validationTool "+line+"'", "--no-config", "-c")
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestCompletionInZsh lets the script run in zsh and prints what it hands to zsh's own functions: words with
// their descriptions, options of _describe, and whether files are completed.
func TestCompletionInZsh(t *testing.T) {
	const functions = `compdef() { }; compset() { }; _files() { print -r -- files }
_describe() { print -rl -- "${(@P)3}" "${@[4,-1]}" }
source ./completion
`
	for line, want := range map[string]string{
		"--summ":             "--summary:show only the summary in the text report",
		"ref --output=js":    "--output=json",
		"-o js":              "json",
		"--fail-on drift,mi": "drift,missing",
		"--limit time":       "time=\n-S",
		"ref must":           "files",
		"-p two":             "files",
		"completion z":       "zsh:source <(validationTool completion zsh)",
		"'two words' -o js":  "json",
	} {
		words := "words=(validationTool " + line + "); CURRENT=$#words; _validationTool_complete"
		if got := shell(t, "zsh", functions+words, "-f", "-c"); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestCompletionOfTheNameInSmallLetters: `go install` and packages name the tool so too.
func TestCompletionOfTheNameInSmallLetters(t *testing.T) {
	for name, script := range map[string]string{
		"zsh":  `cp completion _validationTool; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; print ${_comps[validationtool]}`,
		"fish": "source ./completion; complete | string match -q '*complete*validationtool*' && echo _validationTool",
	} {
		options := map[string][]string{"zsh": {"-f", "-c"}, "fish": {"--no-config", "-c"}}[name]
		t.Run(name, func(t *testing.T) {
			if got := shell(t, name, script, options...); got != "_validationTool" {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestCompletionIsSound: every shell that is there takes its script.
func TestCompletionIsSound(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			if out := shell(t, name, "completion", "-n"); out != "" {
				t.Error(out)
			}
		})
	}
}

// TestCompletionForKubectl: the script for the plugin asks the plugin.
func TestCompletionForKubectl(t *testing.T) {
	out, err := exec.Command("kubectl-compare", "completion", "kubectl").Output()
	if err != nil || !strings.Contains(string(out), `exec kubectl compare __complete "$@"`) {
		t.Errorf("%v: %s", err, out)
	}
}
