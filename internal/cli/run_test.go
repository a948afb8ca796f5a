package cli

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// outcome runs a command, and returns its exit status and what it prints.
func outcome(args ...string) (status int, out, errs string) {
	return run(context.Background(), IO{}, args...)
}

// fed runs a command with a standard input.
func fed(stdin string, args ...string) (status int, out, errs string) {
	return run(context.Background(), IO{In: strings.NewReader(stdin)}, args...)
}

// run runs a command without environment variables. A stream that is nil is empty; output to it is
// returned.
func run(ctx context.Context, with IO, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	with.In = cmp.Or[io.Reader](with.In, strings.NewReader(""))
	with.Out = cmp.Or[io.Writer](with.Out, &o)
	with.Err = cmp.Or[io.Writer](with.Err, &e)
	if with.Env == nil {
		with.Env = noEnv
	}
	status = Run(ctx, append([]string{"validationTool"}, args...), with)
	return status, o.String(), e.String()
}

func noEnv(string) (string, bool) { return "", false }

// terminal returns streams that are terminals, with a clock that never ticks.
func terminal(answers string) IO {
	return IO{In: strings.NewReader(answers), Terminal: func(any) bool { return true }, Tick: noTicks}
}

// noTicks is a clock that never ticks.
var noTicks = make(<-chan time.Time)

// inFolder unpacks a text archive into a new folder, which becomes the working folder.
func inFolder(t *testing.T, archive string) {
	t.Helper()
	t.Chdir(t.TempDir())
	must(txtar.Write(txtar.Parse([]byte(archive)), "."))
}

// besideOthers lets a test run at the same time as others, but not with the race detector, because
// the library writes a package variable of its own, cli.HelpFlag, whenever a command line is read.
// It always writes the same, and a process reads one.
func besideOthers(t *testing.T) {
	if !testing.Short() {
		t.Parallel()
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// typed runs a command line whose words are separated by blanks.
func typed(line string) (status int, out, errs string) { return outcome(strings.Fields(line)...) }

// agreeing makes a new working folder with a reference ref, an input in that agrees with it, and
// more files.
func agreeing(t *testing.T, more map[string]string) {
	t.Helper()
	inFolder(t, `
-- ref/metadata.yaml --
parts:
- name: p
  components:
  - name: c
    type: Optional
    optionalTemplates:
    - path: good.yaml
    - path: more.yaml
-- ref/good.yaml --
`+strictCR+`-- ref/more.yaml --
apiVersion: v1
kind: More
metadata: {name: more}
{{ if .spec }}{{ fromJson 3 }}{{ end }}
-- in/good.yaml --
`+strictCR)
	pack.Files(t, ".", more)
}

// strictCR is a CR that agrees with the references of these tests, and its template. goodCR drifts
// from it.
const strictCR = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: app}\ndata: {mode: strict}\n"
const goodCR = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: app}\ndata: {mode: lenient}\n"

// config returns a ConfigMap without a template.
func config(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  namespace: app\ndata:\n  mode: x\n"
}

// folderEntries returns a file, or the files of a folder, as entries of an archive.
func folderEntries(t *testing.T, root string) []pack.Entry {
	t.Helper()
	var all []pack.Entry
	must(filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			inside, _ := filepath.Rel(root, name)
			all = append(all, pack.Entry{Name: filepath.ToSlash(inside), Data: read(t, name)})
		}
		return err
	}))
	return all
}
