package cli

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// endless gives what it has and then waits for ever, as a pipe does whose writer hangs. It ends the context first.
type endless struct {
	data   *bytes.Reader
	cancel context.CancelFunc
}

func (e *endless) Read(p []byte) (int, error) {
	if e.data.Len() > 0 {
		return e.data.Read(p)
	}
	e.cancel()
	select {}
}

func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func run(ctx context.Context, in io.Reader, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Run(ctx, append([]string{"validationTool"}, args...), IO{In: in, Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }})
	return status, out.String(), errs.String()
}

func TestInterruptReportsWhatWasFoundUntilThen(t *testing.T) {
	reference := writeTree(t, map[string]string{
		"metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Required\n    requiredTemplates:\n    - path: a.yaml\n    - path: b.yaml\n",
		"a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  level: info\n",
		"b.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n",
	})
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  level: debug\n"
	if err := w.WriteHeader(&tar.Header{Name: "a.yaml", Size: int64(len(text)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "yaml"} {
		ctx, cancel := context.WithCancel(context.Background())
		status, out, errs := run(ctx, &endless{bytes.NewReader(archive.Bytes()), cancel}, reference, "-", "-o", format)
		if status != 2 || errs != "" {
			t.Errorf("%s: status %d, %s", format, status, errs)
		}
		for _, want := range []string{"debug", "VT1021", "interrupted"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in\n%s", format, want, out)
			}
		}
		if strings.Contains(out, "VT3001") {
			t.Errorf("%s: b.yaml is called missing although the rest was not read:\n%s", format, out)
		}
		cancel()
	}
}
