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
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
)

// cluster is a folder that looks to the scripts like the containers of the Jobs.
type cluster struct {
	manifests
	dir   string
	shell []string
}

// shells are those that the scripts have to work in: the one of this system, and that of the image,
// where it is there.
func shells() [][]string { return [][]string{{"sh"}, {"busybox", "sh"}} }

// play runs a test with each shell, in a folder with the reference and inputs.
func play(t *testing.T, inputs map[string][]byte, test func(*testing.T, cluster)) {
	all := read(t)
	bin := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "validationTool"), ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, shell := range shells() {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			path, err := exec.LookPath(shell[0])
			if err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			for name, text := range inputs {
				write(t, filepath.Join(dir, "inputs", name), text)
			}
			write(
				t,
				filepath.Join(dir, "reference", "reference.tar.gz"),
				archive(t, folder(t, "../../examples/quickstart/reference")),
			)
			test(t, cluster{all, dir, append([]string{path}, shell[1:]...)})
		})
	}
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
		text, err := os.ReadFile("../../examples/fleet/" + cr + ".yaml")
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

// run runs the script of a Job as its container does, and returns the exit status and what it
// prints.
func (c cluster) run(t *testing.T, job batchv1.Job, env ...string) (int, string) {
	t.Helper()
	one := container(t, job)
	if one.Command[0] != "/bin/sh" {
		t.Fatalf("%s runs %q", job.Name, one.Command)
	}
	args := append(append(c.shell[1:], one.Command[1:]...), one.Args...)
	script := exec.Command(c.shell[0], args...)
	script.Dir = c.dir
	script.Env = append(os.Environ(), env...)
	for name, value := range c.manifests.run.Data {
		script.Env = append(script.Env, name+"="+value)
	}
	return status(t, script)
}

func status(t *testing.T, script *exec.Cmd) (int, string) {
	t.Helper()
	out, err := script.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return script.ProcessState.ExitCode(), string(out)
}

// index runs one index of the Job that compares.
func (c cluster) index(t *testing.T, number int, env ...string) int {
	t.Helper()
	got, out := c.run(t, c.compare, append(env, fmt.Sprint("JOB_COMPLETION_INDEX=", number))...)
	t.Logf("index %d: exit status %d\n%s", number, got, out)
	return got
}

// file is what a file of the folder holds.
func (c cluster) file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// atOnce compares everything in one run, and returns its exit status.
func (c cluster) atOnce(t *testing.T) int {
	t.Helper()
	all := exec.Command("sh", "-c", `validationTool -o json=at-once.json reference/reference.tar.gz inputs/*.tar.gz`)
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
			play(t, inputs, func(t *testing.T, c cluster) {
				for i := *c.compare.Spec.Completions - 1; i >= 0; i-- {
					if got := c.index(t, int(i)); got != 0 {
						t.Errorf("index %d: exit status %d", i, got)
					}
				}
				if got, out := c.run(t, c.report); got != want || !strings.Contains(out, "\n9 clusters: ") {
					t.Errorf("exit status %d, want %d:\n%s", got, want, out)
				}
				if got := c.atOnce(t); got != want {
					t.Errorf("at once, the exit status is %d", got)
				}
				if c.file(t, "reports/first.json") != c.file(t, "at-once.json") {
					t.Errorf(
						"the report differs from that of one run:\n%s\n%s",
						c.file(t, "reports/first.json"),
						c.file(t, "at-once.json"),
					)
				}
				if !strings.Contains(c.file(t, "reports/first.html"), "<html") {
					t.Error("there is no page")
				}
			})
		})
	}
}

// TestAnInputWithoutAnswerCostsNoOther: it fails its index, and is told.
func TestAnInputWithoutAnswerCostsNoOther(t *testing.T) {
	inputs := shops(t)
	inputs["site 0.tar.gz"] = archive(t, map[string]string{"readme.txt": "no CR"})
	play(t, inputs, func(t *testing.T, c cluster) {
		for i, want := range []int{2, 0, 0, 0} {
			if got := c.index(t, i); got != want {
				t.Errorf("index %d: exit status %d, want %d", i, got, want)
			}
		}
		got, out := c.run(t, c.report)
		if got != 2 || !strings.Contains(out, "\nof reports/first/site 0.tar.gz.json") ||
			!strings.Contains(out, "\n9 clusters: 8 DRIFT, 1 INCOMPLETE\n") {
			t.Errorf("exit status %d:\n%s", got, out)
		}
	})
}

// TestAnIndexThatIsTriedAgainGoesOn: with the inputs that the one before did not come to, and last
// with the one that ended it.
func TestAnIndexThatIsTriedAgainGoesOn(t *testing.T) {
	play(t, shops(t), func(t *testing.T, c cluster) {
		tool, err := exec.LookPath("validationTool")
		if err != nil {
			t.Fatal(err)
		}
		// The whole container is killed at this input, as where it takes too much memory.
		write(t, filepath.Join(c.dir, "bin", "validationTool"), []byte(
			"#!/bin/sh\necho \"$*\" >>calls\ncase $* in *\"site 1\"*) kill -9 $PPID; exit ;; esac\nexec '"+tool+"' \"$@\"\n",
		))
		killed := "PATH=" + filepath.Join(c.dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
		for range 2 { // at the first input, then behind the others
			if got := c.index(t, 1, killed); got != -1 {
				t.Fatalf("exit status %d", got)
			}
		}
		if calls := c.file(t, "calls"); strings.Count(calls, "\n") != 3 || strings.Count(calls, "inputs/site 1") != 2 ||
			strings.Count(calls, "inputs/site 5") != 1 {
			t.Errorf("the calls are\n%s", calls)
		}
		c.file(t, "reports/first/site 5.tar.gz.json")
		if got := c.index(t, 1); got != 0 {
			t.Errorf("when it can be compared, the exit status is %d", got)
		}
		c.file(t, "reports/first/site 1.tar.gz.json")
		left, err := filepath.Glob(filepath.Join(c.dir, "reports", "first", "*.begun"))
		if err != nil || len(left) > 0 {
			t.Errorf("%q is left", left)
		}
		if got, _ := c.run(t, c.report); got != 2 { // the other indexes did not run
			t.Errorf("exit status %d", got)
		}
	})
}
