package source

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// config is a small object with a name and, to be told apart from others, that name as its value.
func config(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  value: " + name + "\n"
}

// farDown is a config that the first bytes of its file do not show.
func farDown(name string) string { return strings.Repeat("# a comment\n", 99) + config(name) }

// tarBlock is how many bytes the header of an entry of a tar archive takes; its content is filled
// up to as many.
const tarBlock = 512

// entrySlack is how many entries more than the limit the list of a zip archive may have before it
// is left unread altogether.
const entrySlack = 4096

// setChecksum gives the header of an entry of a tar archive its checksum, for which that itself
// counts as blanks.
func setChecksum(header []byte) {
	copy(header[148:156], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:156], octalField(sum))
}

func zipOf(entries ...testkit.Entry) []byte { return testkit.Zip(zip.Deflate, entries...) }

// bz2Tar is a tar archive with a.yaml and sub/b.yaml, as standardTar builds it, made with bzip2,
// which Go cannot write.
func bz2Tar() []byte {
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(bz2TarText, "\n", ""))
	must(err)
	return data
}

func standardEntries() []testkit.Entry {
	return []testkit.Entry{{Name: "a.yaml", Data: config("a")}, {Name: "sub/b.yaml", Data: config("b")}}
}

func standardTar() []byte { return testkit.Tar(standardEntries()...) }

func standardFiles() []string { return []string{"a.yaml=a", "sub/b.yaml=b"} }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// writeFile puts a file into a new folder and returns its path.
func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// walked is what came out of a walk.
type walked struct {
	files []File
	sum   Summary
}

func walk(t testing.TB, opt Options, inputs ...string) walked {
	t.Helper()
	var out walked
	var err error
	var mu sync.Mutex
	out.sum, err = Walk(context.Background(), inputs, opt, func(f File) error {
		mu.Lock()
		defer mu.Unlock()
		out.files = append(out.files, f)
		return nil
	})
	if opt.Unordered {
		slices.SortFunc(out.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.sum.Problems {
		if p.Code == code.Internal {
			t.Errorf("a fault, or a ledger that does not add up: %s", p)
		}
	}
	return out
}

// walkBytes reads data as a file of this name, with Candidate as Want unless opt has another.
func walkBytes(t testing.TB, opt Options, name string, data []byte) walked {
	t.Helper()
	if opt.Want == nil {
		opt.Want = Candidate
	}
	return walk(t, opt, writeFile(t, name, data))
}

// walkWritten is walkBytes for a file that is there already, and is written anew: tests that read
// many archives need no folder for each.
func walkWritten(t testing.TB, path string, data []byte) walked {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return walk(t, Options{Want: Candidate}, path)
}

func walkStdin(t testing.TB, opt Options, data []byte) walked {
	t.Helper()
	opt.Want = Candidate
	opt.Stdin = bytes.NewReader(data)
	return walk(t, opt, "-")
}

// names lists the files as name=value, the value being that of config.
func (w walked) names() []string {
	var out []string
	for _, f := range w.files {
		_, value, _ := strings.Cut(string(f.Data), "  value: ")
		out = append(out, f.Name+"="+strings.TrimSpace(value))
	}
	return out
}

func (w walked) codes() []code.Code { return codes(w.sum.Problems) }

func codes(problems []Problem) []code.Code {
	var out []code.Code
	for _, p := range problems {
		out = append(out, p.Code)
	}
	return out
}

// messages are problems by entry and text; the path is the test's own.
func messages(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Code+" "+p.Place.Entry+": "+p.Message)
	}
	return out
}

func (w walked) skipped() map[string]int { return w.sum.Skipped }

var errStop = errors.New("stop")

// bz2TarText is bz2Tar in base64.
const bz2TarText = `
QlpoOTFBWSZTWYolFbMAAHjfmMyQQAHtlAgCARB3r98gBAAAIgAIMAC7bBKQhMCbUwjTEwmAAlEgJgJoYABGEwKqnqmJkaAA0NAAYlLmhKvUQRODLm8sKVBD
GpYQgkr4awYzyakQPDokwoo68r40KIjgoIldbRSKIRe1JseKRi0aKJyp8Z5C0/BkOjTAXiKRh1sI1QteFydkKXi6lnWJf0RxQnaHR9flzEoYzAhcysTAhamS
VvjOvmJlUlq9UXrEj+LuSKcKEhFEorZg
`
