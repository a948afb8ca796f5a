package fleetjob

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
)

// cluster is a folder that looks to the tool like the containers of the Jobs.
type cluster struct {
	manifests
	dir, tool string
}

// play makes a folder with the reference and inputs.
func play(t *testing.T, inputs map[string][]byte) cluster {
	t.Helper()
	dir := t.TempDir()
	tool := filepath.Join(t.TempDir(), "validationTool")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", tool, ".")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range inputs {
		write(t, filepath.Join(dir, "inputs", name), text)
	}
	reference := archive(t, folder(t, "../../../examples/quickstart/reference"))
	write(t, filepath.Join(dir, "reference", "reference.tar.gz"), reference)
	return cluster{read(t), dir, tool}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o755)); err != nil {
		t.Fatal(err)
	}
}

// folder is what the files of a folder hold.
func folder(t *testing.T, name string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(name)
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// archive is a .tar.gz of files.
func archive(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shops are archives of clusters: those of the example, under many names.
func shops(t *testing.T) map[string][]byte {
	inputs := map[string][]byte{}
	for i, cr := range []string{"north", "south", "west", "north", "north", "south", "west", "south", "south"} {
		text, err := os.ReadFile("../../../examples/fleet/" + cr + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		named := bytes.ReplaceAll(
			text, []byte("infrastructureName: "), fmt.Appendf(nil, "infrastructureName: site-%d-", i),
		)
		who, crs, _ := strings.Cut(string(named), "\n---\n")
		inputs[fmt.Sprintf("site %d.tar.gz", i)] = archive(t, map[string]string{"a.yaml": who, "crs.yaml": crs})
	}
	return inputs
}

// command is what the container of a Job runs: the image's entry point, which is the tool, with the
// arguments in which Kubernetes has put variables of the environment.
func (c cluster) command(t *testing.T, job batchv1.Job, env map[string]string) *exec.Cmd {
	t.Helper()
	one := container(t, job)
	if len(one.Command) > 0 {
		t.Fatalf("%s runs %q, and the image has nothing but the tool", job.Name, one.Command)
	}
	for name, value := range c.manifests.run.Data {
		env[name] = value
	}
	var args []string
	for _, arg := range one.Args {
		args = append(args, regexp.MustCompile(`\$\((\w+)\)`).ReplaceAllStringFunc(arg, func(reference string) string {
			value, there := env[strings.Trim(reference, "$()")]
			if !there {
				t.Errorf("%s: the container has no variable for %s", job.Name, reference)
			}
			return value
		}))
	}
	tool := exec.Command(c.tool, args...)
	tool.Dir = c.dir
	return tool
}

func status(t *testing.T, tool *exec.Cmd) (int, string) {
	t.Helper()
	out, err := tool.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return tool.ProcessState.ExitCode(), string(out)
}

// index returns one index of the Job that compares.
func (c cluster) index(t *testing.T, number int) *exec.Cmd {
	return c.command(t, c.compare, map[string]string{"JOB_COMPLETION_INDEX": fmt.Sprint(number)})
}

// merge runs the Job that reports.
func (c cluster) merge(t *testing.T) (int, string) {
	return status(t, c.command(t, c.report, map[string]string{}))
}

// file is what a file of the folder holds, without times of comparisons.
func (c cluster) file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^ *"startedAt": .*\n`).ReplaceAllString(string(text), "")
}

// atOnce compares everything in one run, and returns its exit status.
func (c cluster) atOnce(t *testing.T) int {
	t.Helper()
	all := exec.Command(c.tool, "-o", "json=at-once.json", "reference/reference.tar.gz", "inputs/*.tar.gz")
	all.Dir = c.dir
	got, _ := status(t, all)
	return got
}

// TestTheIndexesTellWhatOneRunTells: byte for byte, also of an archive that is cut short, as long
// as it tells its cluster.
func TestTheIndexesTellWhatOneRunTells(t *testing.T) {
	for name, want := range map[string]int{"sound": 1, "cut short": 2} {
		inputs := shops(t)
		if want == 2 {
			whole := inputs["site 4.tar.gz"]
			inputs["site 4.tar.gz"] = whole[:len(whole)-40]
		}
		t.Run(name, func(t *testing.T) {
			c := play(t, inputs)
			for i := *c.compare.Spec.Completions - 1; i >= 0; i-- {
				if got, out := status(t, c.index(t, int(i))); got != 0 {
					t.Errorf("index %d: exit status %d\n%s", i, got, out)
				}
			}
			if got, out := c.merge(t); got != want || !strings.Contains(out, "\n9 clusters: ") {
				t.Errorf("exit status %d, want %d:\n%s", got, want, out)
			}
			if got := c.atOnce(t); got != want {
				t.Errorf("at once, the exit status is %d", got)
			}
			if one, all := c.file(t, "reports/first.json"), c.file(t, "at-once.json"); one != all {
				t.Errorf("the report differs from that of one run:\n%s\n%s", one, all)
			}
			if !strings.Contains(c.file(t, "reports/first.html"), "<html") {
				t.Error("there is no page")
			}
		})
	}
}

// TestAnInputWithoutAnswerCostsNoOther: it fails its index, and is told.
func TestAnInputWithoutAnswerCostsNoOther(t *testing.T) {
	inputs := shops(t)
	inputs["site 0.tar.gz"] = archive(t, map[string]string{"readme.txt": "no CR"})
	c := play(t, inputs)
	for i, want := range []int{2, 0, 0, 0} {
		if got, out := status(t, c.index(t, i)); got != want {
			t.Errorf("index %d: exit status %d, want %d\n%s", i, got, want, out)
		}
	}
	got, out := c.merge(t)
	if got != 2 || !strings.Contains(out, "\nreports/first/site 0.tar.gz.json") ||
		!strings.Contains(out, "\n8 clusters: 8 DRIFT; INCOMPLETE: 1 input gave no CR\n") {
		t.Errorf("exit status %d:\n%s", got, out)
	}
}

// TestAnIndexThatIsTriedAgainGoesOn: with the inputs that an earlier try did not come to, and last
// with the one that it was killed at. Where it was asked to end, as when a node is drained, it leaves
// no report of a part.
func TestAnIndexThatIsTriedAgainGoesOn(t *testing.T) {
	inputs := shops(t)
	whole := inputs["site 1.tar.gz"]
	delete(inputs, "site 1.tar.gz")
	c := play(t, inputs)
	first := filepath.Join(c.dir, "inputs", "site 1.tar.gz")
	write(t, first, long(t))
	begun := filepath.Join(c.dir, "reports", "first", ".site 1.tar.gz.json.part0")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		try := c.index(t, 1)
		var log bytes.Buffer
		try.Stdout, try.Stderr = &log, &log
		if err := try.Start(); err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if _, err := os.Stat(begun); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
		if err := try.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		try.Wait()
		if _, err := os.Stat(begun); (err == nil) != (signal == syscall.SIGKILL) {
			t.Errorf("%v: %v\n%s", signal, err, &log)
		}
		if reports, _ := filepath.Glob(filepath.Join(c.dir, "reports", "first", "*.json")); len(reports) > 0 {
			t.Errorf("%v: there are reports: %q\n%s", signal, reports, &log)
		}
	}
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	write(t, first, whole)
	got, out := status(t, c.index(t, 1))
	one, five := strings.Index(out, "site 1.tar.gz.json\n"), strings.Index(out, "site 5.tar.gz.json\n")
	if got != 0 || five < 0 || one < five {
		t.Errorf("exit status %d, or not in the order 5, 1:\n%s", got, out)
	}
	if _, err := os.Stat(begun); err == nil {
		t.Error("what the earlier try had begun is still there")
	}
	if got, out := status(t, c.index(t, 1)); got != 0 || !strings.Contains(out, "0 new, 2 from earlier runs") {
		t.Errorf("once more, the exit status is %d:\n%s", got, out)
	}
	if got, _ := c.merge(t); got != 2 { // the other indexes did not run
		t.Errorf("exit status %d", got)
	}
}

// long returns an archive of a few megabytes that takes many seconds to read: a log of 25 GB.
func long(t *testing.T) []byte {
	t.Helper()
	const size, parts = 64 << 20, 400
	var head, part bytes.Buffer
	for to, data := range map[*bytes.Buffer][]byte{
		&head: tarHeader(t, "logs/a.log", size*parts),
		&part: make([]byte, size),
	} {
		w := gzip.NewWriter(to)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return append(head.Bytes(), bytes.Repeat(part.Bytes(), parts)...)
}

// tarHeader returns the header of a file in a tar archive.
func tarHeader(t *testing.T, name string, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tar.NewWriter(&b).WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
