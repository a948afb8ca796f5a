package cli

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// withRoles makes a working folder with a file for every role that a file of a run can have.
func withRoles(t *testing.T) {
	t.Helper()
	agreeing(t, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: good.yaml}]}]}]\n" +
			"templateFunctionFiles: [functions.tmpl]\n",
		"ref/functions.tmpl": "{{ define \"f\" }}{{ end }}",
		"in/sub/other.yaml":  config("other"),
		"in/broken.yaml":     "apiVersion: v1\nkind: [",
		"in/README.md":       "# Site\n",
		"diff.yaml":          "correlationSettings: {manualCorrelation: {correlationPairs: {v1_ConfigMap_app_x: good.yaml}}}\n",
		"overrides.yaml":     "[]\n",
		"impact.yaml":        "rules: []\n",
		"crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: mores.g}\n" +
			"spec: {group: g, names: {kind: More}, versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]}\n",
		"old.yaml":    strictCR,
		"values.yaml": "good.yaml: [{}]\n",
		"plain/a.yaml": "# Rendered by validationTool, from a.yaml\n" +
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n",
	})
	pack.Files(t, ".", map[string]string{
		"in.tar":       string(pack.Tar(folderEntries(t, "in")...)),
		"ref.tar":      string(pack.Tar(folderEntries(t, "ref")...)),
		"in/inner.tar": string(pack.Tar(pack.Entry{Name: "x.yaml", Data: config("x")})),
	})
	typed("-q -o json=base.json ref in")
	typed("--report-dir saved ref in")
	pack.Files(t, ".", map[string]string{"list.txt": "base.json\n"})
}

// filesIn returns the snapshot of a folder without folders, whose times change when a file is begun.
func filesIn(t *testing.T, root string) map[string]string {
	t.Helper()
	all := snapshot(t, root)
	maps.DeleteFunc(all, func(_, state string) bool { return strings.HasPrefix(state, "d") })
	return all
}

// TestNoOutputDestroysAnInput writes every format to a file of every role, in every spelling of its
// name. No run may change a file that was there.
func TestNoOutputDestroysAnInput(t *testing.T) {
	withRoles(t)
	roles := map[string]string{ // arguments by output
		"in/good.yaml":       "ref in",
		"in/sub/other.yaml":  "ref in",
		"in/broken.yaml":     "ref in",
		"in/inner.tar":       "ref in",
		"in.tar":             "ref in.tar",
		"old.yaml":           "--old old.yaml ref in",
		"ref/metadata.yaml":  "ref in",
		"ref/good.yaml":      "ref in",
		"ref/functions.tmpl": "ref/metadata.yaml in",
		"plain/a.yaml":       "plain in",
		"ref.tar":            "ref.tar in",
		"diff.yaml":          "-c diff.yaml ref in",
		"overrides.yaml":     "-p overrides.yaml ref in",
		"impact.yaml":        "--impact impact.yaml ref in",
		"crd.yaml":           "--validate --crds crd.yaml ref in",
		"base.json":          "--baseline base.json ref in",
	}
	saved := map[string]string{
		"base.json":     "report base.json",
		"list.txt":      "report --files-from list.txt",
		"saved/in.json": "report --report-dir saved in",
		"old.yaml":      "report --baseline old.yaml base.json",
	}
	names := func(name string) []string {
		must(os.RemoveAll("links"))
		must(os.Mkdir("links", 0o777))
		must(os.Link(name, "links/hard"))
		whole, err := filepath.Abs(name)
		must(err)
		link(t, map[string]string{"links/soft": whole, "links/folder": filepath.Dir(whole)})
		return []string{
			name, whole, "./" + name, "links/../" + name, "links/hard", "links/soft",
			"links/folder/" + filepath.Base(name),
		}
	}
	refuse := func(line string) {
		t.Helper()
		before := filesIn(t, ".")
		status, out, errs := typed(line)
		if status != 2 || !strings.Contains(errs, "VT1057") {
			t.Errorf("%q: exit status %d, want 2 with VT1057: %.500s", line, status, out+errs)
		}
		if diff := cmp.Diff(before, filesIn(t, ".")); diff != "" {
			t.Errorf("%q changed something (-before +after):\n%s", line, diff)
		}
	}
	for name, args := range roles {
		for _, spelled := range names(name) {
			refuse("-o json=" + spelled + " " + args)
			refuse("-o csv+=" + spelled + " " + args)
		}
	}
	for _, f := range allFormats() {
		reason := ""
		if f.name == overridesFormat {
			reason = " --override-reason x"
		}
		if !f.folder {
			refuse("-o " + f.name + "=in/good.yaml" + reason + " ref in")
		}
		if !f.folder && !f.whole {
			refuse("-o " + f.name + "+=in/good.yaml" + reason + " ref in")
		}
	}
	for name, args := range saved {
		for _, spelled := range names(name) {
			refuse(strings.Replace(args, "report", "report -o csv="+spelled, 1))
			refuse(strings.Replace(args, "report", "report -o text+="+spelled, 1))
		}
	}
}

// TestOtherFilesAreReplaced checks that new files and earlier reports are written inside an input or a
// reference.
func TestOtherFilesAreReplaced(t *testing.T) {
	withRoles(t)
	must(os.Remove("in/broken.yaml"))
	for _, name := range []string{"in/report.json", "ref/report.html", "plain/report.json"} {
		for range 2 {
			line := "-q -o json=" + name + " ref in"
			if strings.HasPrefix(name, "plain/") {
				line = "-q -o json=" + name + " plain in"
			}
			if status, out, errs := typed(line); status > 1 || !strings.Contains(read(t, name), `"schemaVersion"`) {
				t.Errorf("%q: exit status %d: %s", line, status, out+errs)
			}
		}
	}
}

// TestEveryFormatReplacesItsOwnReport checks that a file inside an input which an earlier run wrote, in
// any format, is replaced by the next.
func TestEveryFormatReplacesItsOwnReport(t *testing.T) {
	withRoles(t)
	must(os.Remove("in/broken.yaml"))
	for _, f := range allFormats() {
		line := "-q --override-reason x -o " + f.name + "=in/report.txt ref in"
		if f.name != overridesFormat {
			line = strings.Replace(line, " --override-reason x", "", 1)
		}
		if f.folder {
			continue
		}
		for range 2 {
			if status, out, errs := typed(line); status > 1 {
				t.Fatalf("formats.IsReport does not know how a file of %s begins: %q: %s", f.name, line, out+errs)
			}
		}
		must(os.Remove("in/report.txt"))
	}
}

// TestAnInterruptedRunReplacesNoFileOfItsInput checks that a file which may hold CRs is kept if the
// run ended before it was known whether it does.
func TestAnInterruptedRunReplacesNoFileOfItsInput(t *testing.T) {
	withRoles(t)
	before := filesIn(t, ".")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, out, errs := run(ctx, IO{}, "-o", "json=in/README.md", "ref", "in")
	if diff := cmp.Diff(before, filesIn(t, ".")); status != 2 || diff != "" {
		t.Errorf("exit status %d: %s; changed (-before +after):\n%s", status, out+errs, diff)
	}
}

// TestNoTwoOutputsAreOneFile names one file twice, whether it exists or not.
func TestNoTwoOutputsAreOneFile(t *testing.T) {
	withRoles(t)
	must(os.Mkdir("out", 0o777))
	pack.Files(t, ".", map[string]string{"there": "x"})
	must(os.Link("there", "hard"))
	whole, err := filepath.Abs("new")
	must(err)
	link(t, map[string]string{"linked": "out", "soft": "there"})
	before := filesIn(t, ".")
	for _, pair := range [][2]string{
		{"new", whole}, {"out/new", "linked/new"}, {"there", "soft"}, {"soft", "hard"},
	} {
		status, out, errs := typed("-o json=" + pair[0] + " -o csv=" + pair[1] + " ref in.tar")
		if status != 2 || !strings.Contains(errs, "VT1057") {
			t.Errorf("%v: exit status %d, want 2 with VT1057: %s", pair, status, out+errs)
		}
	}
	if diff := cmp.Diff(before, filesIn(t, ".")); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
	for _, line := range []string{"-o fix=out -o fix=linked ref in.tar", "-o fix=out -o json=out/x ref in.tar"} {
		if status, out, errs := typed(line); status != 2 {
			t.Errorf("%q: exit status %d, want 2: %s", line, status, out+errs)
		}
	}
}

// TestAnOutputIsNotStandardInput reads CRs from a file that is standard input, and the output.
func TestAnOutputIsNotStandardInput(t *testing.T) {
	withRoles(t)
	for _, line := range []string{"-o json=old.yaml ref -", "-o csv+=old.yaml ref -", "report -o csv=base.json -"} {
		name := "old.yaml"
		if strings.HasPrefix(line, "report") {
			name = "base.json"
		}
		before, file := read(t, name), open(t, name)
		status, out, errs := run(t.Context(), IO{In: file}, strings.Fields(line)...)
		if status != 2 || !strings.Contains(errs, "VT1057") || read(t, name) != before {
			t.Errorf("%q: exit status %d, want 2 with VT1057: %s", line, status, out+errs)
		}
	}
}

func open(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(name)
	must(err)
	t.Cleanup(func() { file.Close() })
	return file
}

// TestRenderAndTestKeepWhatTheyRead checks the commands that write files of a reference: no file of
// another role is replaced or deleted.
func TestRenderAndTestKeepWhatTheyRead(t *testing.T) {
	withRoles(t)
	mark := "# Rendered by validationTool, from a.yaml\n"
	pack.Files(t, ".", map[string]string{
		"full/values.yaml":       mark + "good.yaml: [{}]\n",
		"looked/x.yaml":          mark + config("x"),
		"ref/tests/a/input.yaml": config("a"),
	})
	must(os.Link("ref/good.yaml", "ref/tests/a/expect.yaml"))
	for _, line := range []string{
		"render --force -o plain plain",
		"render --force --values full/values.yaml -o full ref",
		"render --force --values values.yaml --input looked -o looked ref",
		"render --force --values values.yaml --input looked/x.yaml -o looked ref",
		"test --update ref",
	} {
		before := filesIn(t, ".")
		status, out, errs := typed(line)
		if status != 2 {
			t.Errorf("%q: exit status %d, want 2: %s", line, status, out+errs)
		}
		if diff := cmp.Diff(before, filesIn(t, ".")); diff != "" {
			t.Errorf("%q changed something (-before +after):\n%s", line, diff)
		}
	}
}

// TestReportDirKeepsItsInputs gives inputs of which one has the name of another one's report.
func TestReportDirKeepsItsInputs(t *testing.T) {
	withRoles(t)
	pack.Files(t, ".", map[string]string{"site/a/x.yaml": strictCR, "site/a.json": `{"apiVersion":"v1","kind":"ConfigMap"}`})
	before := filesIn(t, ".")
	status, out, errs := typed("--report-dir site ref site/a site/a.json")
	if diff := cmp.Diff(before, filesIn(t, ".")); status != 2 || !strings.Contains(errs, "VT1057") || diff != "" {
		t.Errorf("exit status %d: %s; changed (-before +after):\n%s", status, out+errs, diff)
	}
}
