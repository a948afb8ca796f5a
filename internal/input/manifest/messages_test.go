package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// places returns the texts of two CRs with a message in each place where a program may write it, by
// the name of the place. In a file of another name than YAML, only a CR may be first.
func places(message string) map[string]string {
	const (
		a = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: z\n"
		b = "apiVersion: v1\ndata:\n  x: |\n    y\nkind: ConfigMap\nmetadata:\n  name: b\n"
		c = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"x": "z"}}` + "\n"
		d = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"x": "y\n"}}` + "\n"
	)
	message += "\n"
	return map[string]string{
		"before":                   message + a + "---\n" + b,
		"document before":          "---\n" + message + "---\n" + a + "---\n" + b,
		"between":                  a + "---\n" + message + "---\n" + b,
		"before the second":        a + "---\n" + message + b,
		"behind the first":         a + message + "---\n" + b,
		"document after":           a + "---\n" + b + "---\n" + message,
		"document after, no break": strings.TrimSuffix(a+"---\n"+b+"---\n"+message, "\n"),
		"behind":                   a + "---\n" + b + message,
		"before JSON":              message + c + d,
		"between JSON":             c + message + d,
		"document after JSON":      c + d + "---\n" + message,
		"behind JSON":              c + d + message,
	}
}

// TestMessagesAroundCRs: a message that is known to be harmless changes nothing, wherever it is. Any
// other line of a program makes the result incomplete, and loses no CR of YAML.
func TestMessagesAroundCRs(t *testing.T) {
	harmless := []string{
		"Warning: v1 ComponentStatus is deprecated in v1.19+",
		"No resources found in default namespace.",
		"Login successful.",
		"Login successful.\n\nYou have access to 66 projects, the list has been suppressed. You can list all projects " +
			"with 'oc projects'\n\nUsing project \"default\".",
		"Login successful.\n\nYou have access to the following projects and can switch between them with 'oc project " +
			"<projectname>':\n\n    a\n  * default\n\nUsing project \"default\".",
		"Login successful.\n\nYou have one project on this server: \"a\"\n\nUsing project \"a\".",
		"Login successful.\n\nYou don't have any projects. You can try to create a new project, by running\n\n" +
			"    oc new-project <projectname>\n",
		"WARNING: Using insecure TLS client config. Setting this option is not supported!\n\nLogin successful.",
		`Logged into "https://api.x:6443" as "kubeadmin" using existing credentials.`,
		`Logged into "https://api.x:6443" as "a" using the token provided.`,
		`Using project "default".`,
		`Using project "a" on server "https://api.x:6443".`,
		`Now using project "shop" on server "https://api.x:6443".`,
		`Already on project "shop" on server "https://api.x:6443".`,
		`Switched to context "x".`,
		`Context "x" modified.`,
		"deployment.apps/web configured\nconfigmap/cm created (dry run)",
		`Context "x" renamed to "y".`,
		`Property "current-context" set.`,
		`Cluster "x" set.`,
		`User "x" set.`,
		"Welcome! See 'oc help' to get started.",
		"Authentication required for https://api.x:6443 (openshift)\nUsername: admin",
		"Console URL: https://console.x",
		"Starting pod/node-1-debug-abcde ...\nTo use host binaries, run `chroot /host`",
		"Pod IP: 10.0.0.1\nIf you don't see a command prompt, try pressing enter.",
		"Removing debug pod ...",
		"Temporary namespace openshift-debug-abcde is created for debugging node...",
		"Unable to use a TTY - input is not a terminal or the right kind of file",
		"Updated context a in /root/.kube/config",
		"NOTE: use the new chart",
		"INFO: rendered 2 files",
		"+ oc get configmaps -o yaml",
		"[INFO] rendered: 2 files",
	}
	failed := []string{
		"net/http: TLS handshake timeout",
		"http2: client connection lost",
		"kex_exchange_identification: Connection closed by remote host",
		"signal: killed",
		"runtime: out of memory",
		"kubectl: Killed",
		"oc: Terminated",
		"timeout: Killed",
		"write /dev/stdout: no space left on device",
		"write tcp 10.0.0.1:1->10.0.0.2:6443: write: connection reset by peer",
		"oc get: context deadline exceeded",
		"read tcp 10.0.0.1: i/o timeout",
		"##[error]Process completed with exit code 1.",
		"error: context deadline exceeded",
		"net/http: TLS handshake timeout\nread tcp: i/o timeout",
		"parallel: This job failed:",
		"[ERROR] could not render",
		`Get "https://api.x:6443/api": EOF`,
		"2026/11/28 10:00:00 http2: server sent GOAWAY and closed the connection",
		"##[error]x\n##[error]y",
	}
	unknown := []string{
		"The chart is old: see NOTES",
		"x/y/z: some words",
		"The rest follows:",
		"Step (2): done",
		"kubectl: yes",
		"context deadline exceeded",
		"Killed",
		"exit status 1",
		"command terminated with exit code 137",
		"Something happened at 12:00:01",
		"read one: done\nread two: done",
	}
	trees := func(c Contents) (trees []map[string]any) {
		for _, o := range c.Objects {
			tree, err := o.Decode()
			if err != nil {
				t.Error(err)
			}
			trees = append(trees, tree)
		}
		return trees
	}
	for harm, messages := range [][]string{harmless, append(failed, unknown...)} {
		for _, message := range messages {
			for place, text := range places(message) {
				for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
					want := trees(Read("in.yaml", "", []byte(places("")[place]), Hints{}))
					for name, hints := range map[string]Hints{"in.yaml": {}, "stream": {Asked: true}, "dump": {}} {
						if name == "dump" && (!LooksLikeObjects([]byte(text)) || text[0] == '{') {
							continue // it is not read, or not as YAML
						}
						c := Read(name, "", []byte(text), hints)
						alarms := len(c.Problems) + len(c.Lost) + len(c.Failed) + len(c.Warnings)
						if alarms > 0 != (harm > 0) || harm > 0 && alarms == len(c.Warnings) {
							t.Errorf("%q, %s in %s: %d alarms: %v %v %v %v", message, place, name, alarms,
								c.Problems, c.Lost, c.Failed, c.Warnings)
						}
						for _, o := range c.Objects {
							if at := strings.Split(text, "\n")[o.Place.Line-1]; !strings.HasPrefix(strings.Trim(at, `{"`), "apiVersion") {
								t.Errorf("%q, %s in %s: a CR is said to be in line %d: %q", message, place, name, o.Place.Line, at)
							}
						}
						isLost := strings.Contains(place, "JSON") || name == "dump" && strings.Contains(place, "before")
						if diff := cmp.Diff(want, trees(c)); diff != "" && (harm == 0 || !isLost) {
							t.Errorf("%q, %s in %s: other CRs: %s", message, place, name, diff)
						}
					}
				}
			}
		}
	}
}

// TestOneLineDocuments: a document of one line with a word and a value is no message in a file
// without CRs, and in one of another tool. One that is more than a line, or quoted, is none either.
func TestOneLineDocuments(t *testing.T) {
	const cr = "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for text, count := range map[string]int{
		"name: words\n":                                  0,
		"some words: and more\n":                         0,
		"name: words\n" + cr:                             1,
		"name: words\nother: words\n" + cr:               0,
		"\"name\": words\n" + cr:                         0,
		"name: [a]\n" + cr:                               0,
		"name:\n  a: b\n" + cr:                           0,
		"# The values.\nname: words # of a value\n" + cr: 1,
		"read tcp: timeout\nnet/http: timeout\n" + cr:    1,
		"Some text\n{\"a\": 1}\n":                        0,
		"Warning: old\n# {\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"name\": \"a\"}}\n" + cr: 0,
		"null\n" + cr:                      0,
		"~\n" + cr:                         0,
		"---\n---\n# text: comment\n" + cr: 0,
		"name: words\n---\napiVersion: v1\nitems: []\nkind: List\n": 1,
	} {
		c := Read("in.yaml", "", []byte(text), Hints{})
		if len(c.Problems) != count || len(c.Lost)+len(c.Failed)+len(c.Warnings) > 0 {
			t.Errorf("%q: problems %v, lost %v, failed %v, warnings %v", text, c.Problems, c.Lost, c.Failed, c.Warnings)
		}
		if count > 0 && strings.Contains(c.Problems[0].Message, "(and ") {
			t.Errorf("%q: more than one line is told: %s", text, c.Problems[0].Message)
		}
		two := Read("in.yaml", "", []byte("name: words\n---\nother: words\n"+cr), Hints{})
		if len(two.Problems) != 1 || !strings.HasSuffix(two.Problems[0].Message, "(and 1 more)") || two.Problems[0].Place.Line != 1 {
			t.Errorf("two lines: %v", two.Problems)
		}
		for _, name := range []string{"kustomization.yaml", "Chart.yaml"} {
			if c := Read(name, "", []byte("name: words\n"+cr), Hints{}); len(c.Problems)+len(c.Lost) > 0 {
				t.Errorf("%s: %v, %v", name, c.Problems, c.Lost)
			}
		}
	}
}
