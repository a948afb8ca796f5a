package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// endless gives what it has and then waits for ever, as a pipe does whose writer hangs. It ends the
// context first, once the reference is loaded.
type endless struct {
	data   *bytes.Reader
	cancel context.CancelFunc
}

func (e *endless) Read(p []byte) (int, error) {
	if e.data.Len() > 0 {
		return e.data.Read(p)
	}
	time.Sleep(500 * time.Millisecond)
	e.cancel()
	select {}
}

func run(ctx context.Context, in io.Reader, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Run(
		ctx,
		append([]string{"validationTool"}, args...),
		IO{In: in, Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }},
	)
	return status, out.String(), errs.String()
}

func TestInterruptReportsWhatWasFoundUntilThen(t *testing.T) {
	reference := pack.Folder(t, map[string]string{
		"metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Required\n    requiredTemplates:\n    - path: a.yaml\n    - path: b.yaml\n",
		"a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  level: info\n",
		"b.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n",
	})
	archive := unended(pack.Entry{
		Name: "a.yaml",
		Data: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  level: debug\n",
	})
	for _, format := range []string{"text", "json", "yaml"} {
		ctx, cancel := context.WithCancel(context.Background())
		status, out, errs := run(ctx, &endless{bytes.NewReader(archive), cancel}, reference, "-", "-o", format)
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
