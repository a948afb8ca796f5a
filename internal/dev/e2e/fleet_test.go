//go:build e2e

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const jobs = "../../../examples/fleet/job/"

// testFleet does what docs/fleet.md says: it compares five inputs by an Indexed Job, of which one is
// truncated and one has no CR, and merges their reports by a second Job.
func testFleet(t *testing.T, n node, image string) {
	inputs, reports := n.path("volumes", "inputs"), n.path("volumes", "reports")
	for _, name := range []string{"north", "south", "west"} {
		writeFile(t, filepath.Join(inputs, name+".tar.gz"), "")
		command(t, "../../../examples/fleet", "tar", "-czf", filepath.Join(inputs, name+".tar.gz"), name+".yaml")
	}
	whole, err := os.ReadFile("../../../examples/ran-du/must-gather.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(inputs, "truncated.tar.gz"), string(whole[:3000]))
	writeFile(t, filepath.Join(inputs, "empty.tar.gz"), gzipped(t, "no CR"))
	writeFile(t, filepath.Join(reports, "keep"), "")
	if err := os.Chmod(reports, 0o777); err != nil {
		t.Fatal(err)
	}
	n.volume(t, "inputs", inputs)
	n.volume(t, "reports", reports)
	command(t, "", "tar", "-czf", n.path("reference.tar.gz"), "-C", "../../../examples/quickstart/reference", ".")
	n.kubectl(t, "", "create", "configmap", "validation-reference", "--from-file="+n.path("reference.tar.gz"))
	n.kubectl(t, "", "apply", "--filename", jobs+"1-prepare.yaml")

	n.runJob(t, "2-compare.yaml", image)
	if got := n.jobField(t, "validation-compare", "{.status.completedIndexes}; {.status.failedIndexes}"); got != "1-3; 0" {
		t.Errorf("the indexes that completed and failed are %q\n%s", got, n.describe("validation-compare"))
	}
	log := n.kubectl(t, "", "logs", "--selector", "batch.kubernetes.io/job-completion-index=0", "--tail=-1")
	if !strings.Contains(log, "empty.tar.gz") {
		t.Errorf("the log of the index that failed does not name the input:\n%s", log)
	}
	if got := strings.Join(saved(t, filepath.Join(reports, "first")), " "); got !=
		"north.tar.gz.json south.tar.gz.json truncated.tar.gz.json west.tar.gz.json" {
		t.Errorf("there are reports %s", got)
	}
	n.testMerged(t, image, filepath.Join(reports, "first"))
	n.testAgain(t, image, filepath.Join(reports, "first"))
}

// testMerged makes the report of all inputs. The exit status of the tool is in the condition of the Job.
func (n node) testMerged(t *testing.T, image, run string) {
	t.Helper()
	n.runJob(t, "3-report.yaml", image)
	log := n.kubectl(t, "", "logs", "job/validation-report", "--tail=-1")
	for _, said := range []string{"empty.tar.gz", "truncated.tar.gz", "INCOMPLETE: "} {
		if !strings.Contains(log, said) {
			t.Errorf("the report does not say %q:\n%s", said, log)
		}
	}
	why := n.jobField(t, "validation-report", `{.status.conditions[?(@.type=="Failed")].message}`)
	if !strings.Contains(why, "exit code 2") {
		t.Errorf("the Job of the report says %q", why)
	}
	for _, extension := range []string{".html", ".json"} {
		if info, err := os.Stat(run + extension); err != nil || info.Size() == 0 {
			t.Errorf("no report %s: %v", run+extension, err)
		}
	}
}

// testAgain runs the Job again: only the input without a report is compared, which now has a CR.
func (n node) testAgain(t *testing.T, image, run string) {
	t.Helper()
	before := map[string]time.Time{}
	for _, name := range saved(t, run) {
		before[name] = modified(t, filepath.Join(run, name))
	}
	command(t, "../../../examples/fleet", "tar", "-czf", n.path("volumes", "inputs", "empty.tar.gz"), "north.yaml")
	n.kubectl(t, "", "delete", "job", "validation-compare", "--wait")
	n.runJob(t, "2-compare.yaml", image)
	if got := n.jobField(t, "validation-compare", "{.status.completedIndexes}; {.status.failedIndexes}"); got != "0-3; " {
		t.Errorf("again, the indexes that completed and failed are %q\n%s", got, n.describe("validation-compare"))
	}
	after := saved(t, run)
	if len(after) != len(before)+1 {
		t.Errorf("again, there are reports %v", after)
	}
	for name, time := range before {
		if !modified(t, filepath.Join(run, name)).Equal(time) {
			t.Errorf("%s was written again", name)
		}
	}
}

// testMemory compares an input that takes more memory than its container may have: the kernel kills
// the tool, Kubernetes tries the index twice more, and it has failed.
func testMemory(t *testing.T, n node, image string) {
	var list bytes.Buffer
	list.WriteString("{apiVersion: v1, kind: List, items: [\n")
	for i := range 60_000 {
		fmt.Fprintf(&list, `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q%d","namespace":"shop"},"spec":{"hard":{"pods":"%d"}}},`+"\n", i, i)
	}
	list.WriteString("]}\n")
	writeFile(t, n.path("volumes", "inputs", "large.yaml.gz"), gzipped(t, list.String()))
	job := n.job(t, "2-compare.yaml", image)
	for _, change := range [][2]string{
		{"name: validation-compare", "name: validation-memory"},
		{"inputs/$(INPUTS)", "inputs/large.yaml.gz"},
		{"--limit=memory=1024MiB", "--limit=memory=8192MiB"},
		{"--report-dir=reports/$(RUN)", "--report-dir=reports/memory"},
		{"completions: 4", "completions: 1"},
		{"--shard=$(JOB_COMPLETION_INDEX)/$(SHARES)", "--shard=0/1"},
		{"memory: 2Gi", "memory: 48Mi"},
		{"memory: 512Mi", "memory: 48Mi"},
	} {
		if !strings.Contains(job, change[0]) {
			t.Fatalf("the Job does not have %q", change[0])
		}
		job = strings.ReplaceAll(job, change[0], change[1])
	}
	n.kubectl(t, job, "create", "--filename", "-")
	n.waitForJob(t, "validation-memory")
	if got := n.jobField(t, "validation-memory", "{.status.completedIndexes}; {.status.failedIndexes}"); got != "; 0" {
		t.Errorf("the indexes that completed and failed are %q\n%s", got, n.describe("validation-memory"))
	}
	ends := n.kubectl(t, "", "get", "pods", "--selector", "batch.kubernetes.io/job-name=validation-memory", "--output",
		`jsonpath={range .items[*]}{.status.containerStatuses[0].state.terminated.exitCode} {end}`)
	if strings.TrimSpace(ends) != "137 137 137" {
		t.Errorf("the pods ended with %q\n%s", ends, n.describe("validation-memory"))
	}
}

// volume makes a folder of this machine the volume of one of the claims of 1-prepare.yaml.
func (n node) volume(t *testing.T, name, folder string) {
	t.Helper()
	n.kubectl(t, fmt.Sprintf(`apiVersion: v1
kind: PersistentVolume
metadata: {name: %[1]s}
spec:
  capacity: {storage: 100Gi}
  accessModes: [ReadWriteMany]
  hostPath: {path: %[2]s}
  claimRef: {namespace: default, name: validation-%[1]s}
`, name, folder), "apply", "--filename", "-")
}

// job returns a manifest of the example with the image that was imported.
func (n node) job(t *testing.T, file, image string) string {
	t.Helper()
	text, err := os.ReadFile(jobs + file)
	if err != nil {
		t.Fatal(err)
	}
	const placeholder = "registry.example.com/validationtool:v1.0.0"
	if !strings.Contains(string(text), placeholder) {
		t.Fatalf("%s has no image %s", file, placeholder)
	}
	return strings.ReplaceAll(string(text), placeholder, image)
}

// runJob creates a Job of the example and waits for its end.
func (n node) runJob(t *testing.T, file, image string) {
	t.Helper()
	n.kubectl(t, n.job(t, file, image), "create", "--filename", "-")
	n.waitForJob(t, map[string]string{"2-compare.yaml": "validation-compare", "3-report.yaml": "validation-report"}[file])
}

func (n node) waitForJob(t *testing.T, name string) {
	t.Helper()
	start := time.Now()
	n.wait(t, 5*time.Minute, "the Job "+name, func() bool {
		conditions, _ := n.kubectlAs(n.kubeconfig, "", "get", "job", name, "--output",
			`jsonpath={.status.conditions[?(@.status=="True")].type}`)
		return strings.Contains(conditions+" ", "Complete ") || strings.Contains(conditions+" ", "Failed ")
	})
	t.Logf("the Job %s took %v", name, time.Since(start).Round(time.Second))
}

func (n node) jobField(t *testing.T, name, path string) string {
	t.Helper()
	return n.kubectl(t, "", "get", "job", name, "--output", "jsonpath="+path)
}

// describe returns what Kubernetes says of a Job and its pods.
func (n node) describe(job string) string {
	selector := "batch.kubernetes.io/job-name=" + job
	pods, _ := n.kubectlAs(n.kubeconfig, "", "describe", "pods", "--selector", selector)
	logs, _ := n.kubectlAs(n.kubeconfig, "", "logs", "--selector", selector, "--prefix", "--tail=20")
	return pods + logs
}

// saved returns the names of the reports of a run, sorted.
func saved(t *testing.T, run string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(run, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	return names
}

func modified(t *testing.T, file string) time.Time {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
