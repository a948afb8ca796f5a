package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// planted returns a text with CRs, and their kinds. Each byte of the recipe chooses a piece of the
// text.
func planted(recipe []byte) (text string, kinds []string) {
	cr := func(format string) string {
		kind := fmt.Sprintf("Planted%d", len(kinds))
		kinds = append(kinds, kind)
		return fmt.Sprintf(format, kind)
	}
	const (
		compact = `{"apiVersion":"v1","kind":"%s","metadata":{"name":"a"}}`
		spaced  = `{"apiVersion": "v1", "kind": "%s", "metadata": {"name": "a"}}`
		pretty  = "{\n  \"kind\": \"%s\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n    \"name\": \"a\"\n  }\n}"
		block   = "apiVersion: v1\nkind: %s\nmetadata:\n  name: a\n"
	)
	var b strings.Builder
	for _, c := range recipe {
		shape := []string{compact, spaced, pretty}[int(c)/32%3]
		switch c % 32 {
		case 0, 1, 2:
			b.WriteString(cr(block))
		case 3, 4, 5:
			b.WriteString(cr(shape) + "\n")
		case 6:
			b.WriteString("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" + cr(shape) + ", " + cr(shape) + "]}\n")
		case 7:
			b.WriteString(`{"a.yaml": ` + cr(shape) + "}\n")
		case 8:
			b.WriteString(`{"type": "ADDED", "object": ` + cr(shape) + "}\n")
		case 9, 10:
			b.WriteString("---\n")
		case 11:
			b.WriteString(`{"input": ` + cr(shape) + `, "expect": "deny"}` + "\n")
		case 12:
			b.WriteString("Warning: v1 ComponentStatus is deprecated in v1.19+\n")
		case 13:
			b.WriteString("Warning: x " + cr(shape) + "\n")
		case 14:
			b.WriteString("I0102 15:04:05.000000       1 main.go:10] syncing Pod a: done\n")
		case 15:
			b.WriteString("I0102 15:04:05.000000       1 main.go:10] applied " + cr(shape) + "\n")
		case 16:
			b.WriteString("[core@node ~]$ oc get cm a -o yaml\n")
		case 17:
			b.WriteString("$ oc get cm a -o json; echo '" + cr(shape) + "'\n")
		case 18:
			b.WriteString("==== START logs for container c of pod ns/p ====\nhello: [\n==== END logs for container c of pod ns/p ====\n")
		case 19:
			b.WriteString("==== START logs for container c of pod ns/p ====\n" + cr(block) + "==== END logs for container c of pod ns/p ====\n")
		case 20:
			b.WriteString("==== START logs for container c of pod ns/p ====\n")
		case 21:
			b.WriteString("var x = " + cr(shape) + ";\n")
		case 22:
			b.WriteString("cb(" + cr(shape) + ")\n")
		case 23:
			b.WriteString("// " + cr(compact) + "\n")
		case 24:
			b.WriteString("/* exported */ " + cr(shape) + "\n")
		case 25:
			b.WriteString("/*\n" + cr(shape) + "\n*/\n")
		case 26:
			b.WriteString("No resources found in default namespace.\n")
		case 27:
			b.WriteString("some text\n")
		case 28:
			b.WriteString("error: the server doesn't have a resource type \"x\"\n")
		case 29:
			b.WriteString("\n")
		case 30:
			b.WriteString("...\n")
		case 31:
			b.WriteString("Warning: " + cr(compact) + "\n")
		}
	}
	return b.String(), kinds
}

// FuzzPlantedCRs checks that each CR in a file of CRs, noise, logs and other documents in any order is
// read, named as lost, or counted as one inside another document.
func FuzzPlantedCRs(f *testing.F) {
	for a := range 32 {
		for _, seed := range [][]byte{
			{byte(a)}, {0, byte(a)}, {byte(a), 3}, {3, byte(a), 3}, {0, byte(a), 0}, {0, byte(a), 3}, {3, byte(a), 0},
			{9, 0, 9, byte(a), 9, 35}, {20, byte(a)}, {27, byte(a), 67}, {byte(a), byte(a) + 32, byte(a) + 64},
		} {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, recipe []byte) {
		text, kinds := planted(recipe[:min(len(recipe), 30)])
		for _, name := range []string{"in.yaml", "in.json"} {
			c := Read(name, "", []byte(text), Hints{})
			if slices.ContainsFunc(c.Problems, func(p refconfig.Problem) bool { return p.Code != code.NotCollected }) {
				continue // the file counts as not read
			}
			var known []string
			for _, o := range c.Objects {
				known = append(known, o.ID.Kind)
			}
			unknown := func() []string {
				return slice.Without(kinds, func(kind string) bool { return slices.Contains(known, kind) })
			}
			unread := unknown()
			for _, l := range c.Lost {
				known = append(known, l.Kinds...)
			}
			silent := unknown() // a text that does not parse names all kinds in it, also those that were counted
			enclosed := Enclosed{}
			if c.Enclosed != nil {
				enclosed = *c.Enclosed
			}
			if enclosed.Count < len(silent) || enclosed.Count > len(unread) ||
				len(silent) > 0 && !slices.Contains(unread, enclosed.First.Kind) {
				t.Errorf("%s: %v are neither read nor lost, and %+v:\n%s", name, silent, enclosed, text)
			}
		}
	})
}

// TestNoiseBetweenCRsIsNoProblem: noise without CRs is no problem, wherever it is between CRs.
func TestNoiseBetweenCRsIsNoProblem(t *testing.T) {
	const (
		yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
		json = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}` + "\n"
	)
	for _, noise := range []string{
		"Warning: v1 ComponentStatus is deprecated in v1.19+\n",
		"Warning: resource x/v1 Y is deprecated: use kind: Z of apiVersion: v2\n",
		"No resources found in default namespace.\n",
		"error: the server doesn't have a resource type \"widgets\"\n",
		"Error from server (NotFound): configmaps \"b\" not found\n",
		"W0102 15:04:05.000000       1 warnings.go:70] policy/v1beta1 PodDisruptionBudget is deprecated: use kind: X\n",
		"E0102 15:04:05.000000       1 memcache.go:287] couldn't get resource list for metrics.k8s.io/v1beta1: Got empty response\n",
		"WARNING: Kubernetes configuration file is group-readable. This is insecure. Location: /x\n",
		"I0102 15:04:05.000000       1 request.go:1] failed: not found\n",
		"walk.go:74: found symbolic link in path: /x resolves to /y. Contents of linked file included\n",
		"coalesce.go:289: warning: destination for x.y is a table. Ignoring non-table value ()\n",
		`time="2024-01-01T00:00:00Z" level=warning msg="x: not found"` + "\n",
		"[core@node ~]$ oc get cm a\n",
		"[root@bastion ~]# \n", "[root@bastion ~]#\n", "[root@bastion ~]# exit\n", "user@host:~/a b$ \n", "sh-4.4# logout\n", "bash-5.1$\n",
		"➜  ~ oc get cm a\n",
		"==== START logs for container c of pod ns/p ====\nI0102 15:04:05.000000 1 x.go:1] apiVersion: v1, kind: Pod\n" +
			`{"level": "info", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}}` + "\n" +
			"==== END logs for container c of pod ns/p ====\n",
	} {
		for _, text := range []string{
			noise + yaml, yaml + noise, yaml + "---\n" + noise + "---\n" + yaml, yaml + "---\n" + noise,
			noise + json, json + noise, json + noise + json, json + "---\n" + noise,
		} {
			c := Read("in.yaml", "", []byte(text), Hints{})
			if len(c.Problems)+len(c.Lost)+len(c.Warnings)+len(c.Failed) > 0 || len(c.Objects) == 0 {
				t.Errorf("%d CRs, problems %v, lost %v, warnings %v, failed %v:\n%s",
					len(c.Objects), c.Problems, c.Lost, c.Warnings, c.Failed, text)
			}
		}
	}
}

// TestMessagesOfFailure: a message of kubectl in place of CRs says which could not be collected,
// wherever it is.
func TestMessagesOfFailure(t *testing.T) {
	const cr = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for message, want := range map[string]string{
		"Error from server (Forbidden): roles is forbidden":                                                                  "roles",
		`Error from server (Forbidden): roles.rbac.authorization.k8s.io is forbidden: User "x" cannot list resource "roles"`: "roles.rbac.authorization.k8s.io",
		`Error from server (Forbidden): configmaps "b" is forbidden: User "x" cannot get resource "configmaps"`:              "configmaps/b",
		"Error from server (ServiceUnavailable): the server is unable to handle the request (get widgets.example.com)":       "widgets.example.com",
		"Error from server (Timeout): the request timed out":                                                                 "?",
		"Error from server: etcdserver: request timed out":                                                                   "?",
		"Unable to connect to the server: dial tcp: lookup api: no such host":                                                "?",
		"The connection to the server localhost:8080 was refused - did you specify the right host or port?":                  "?",
		"error: You must be logged in to the server (Unauthorized)":                                                          "?",
		`error: context "prod" does not exist`:                                                                               "?",
		"error: context deadline exceeded":                                                                                   "?",
		"Error: Kubernetes cluster unreachable":                                                                              "?",
		"fatal: path 'a.yaml' does not exist in 'HEAD'":                                                                      "?",
		"curl: (22) The requested URL returned error: 404":                                                                   "?",
		"panic: runtime error: index out of range":                                                                           "?",
		"bash: line 1: kubectl: command not found":                                                                           "?",
		"sh: 1: oc: not found":                                                     "?",
		"cat: b.yaml: No such file or directory":                                   "?",
		"404: Not Found":                                                           "?",
		"FATAL: could not render site b":                                           "?",
		"FAILED: site b":                                                           "?",
		"Failed to render chart: exit code 1":                                      "?",
		"Unable to render the chart b: timeout":                                    "?",
		"download failed: s3://x to ./y":                                           "?",
		"make: helm: No such file or directory":                                    "?",
		"env: 'helm': No such file or directory":                                   "?",
		"/bin/sh: 1: helm: not found":                                              "?",
		"./render.sh: 3: helm: not found":                                          "?",
		"helm: command not found":                                                  "?",
		"vault: permission denied":                                                 "?",
		"tar: Unexpected EOF in archive":                                           "?",
		"ytt: Error: x":                                                            "?",
		"gzip: stdin: unexpected end of file":                                      "?",
		"zcat: x.gz: unexpected end of file":                                       "?",
		"timeout: sending signal TERM to command 'kubectl'":                        "?",
		"render.sh: line 3: helm: command not found":                               "?",
		"An error occurred (ExpiredToken) when calling the GetObject operation: x": "?",
		"couldn't get resource list for x.io/v1: the server could not find the requested resource":                        "?",
		"FATA[0000] rpc error: code = Unavailable":                                                                        "?",
		"ERRO[0001] no kustomization found: b":                                                                            "?",
		`time="2024-01-01T00:00:00Z" level=fatal msg="rpc error: code = Unauthenticated"`:                                 "?",
		`Exception in thread "main" java.lang.NullPointerException: x`:                                                    "?",
		"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 1":                                  "?",
		"E1128 11:25:00.123456   12345 reflector.go:1] watch of *v1.Pod ended with: an error":                             "?",
		"F1128 11:25:00.123456   12345 main.go:1] no site: b":                                                             "?",
		`E1128 07:07:07.123456   12345 memcache.go:265] couldn't get current server API group list: Get "https://a": EOF`: "?",
		"Error from server (NotFound): configmaps \"b\" not found":                                                        "",
		"Error from server (BadRequest): previous terminated container \"c\" in pod \"p\" not found":                      "",
	} {
		for _, text := range []string{
			message + "\n", cr + "---\n" + message + "\n", cr + message + "\n", message + "\n" + cr,
			`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}` + "\n" + message + "\n",
		} {
			var got []string
			c := Read("in.yaml", "", []byte(text), Hints{})
			for _, f := range c.Failed {
				got = append(got, f.String())
			}
			for range c.Problems {
				got = append(got, "?")
			}
			for _, at := range placesOf(c) {
				if want == "" { // the file as a whole has nothing
					break
				}
				if first, _, _ := strings.Cut(message, "\n"); strings.Split("(no line)\n"+text, "\n")[at.Line] != first {
					t.Errorf("%s: it is said to be in line %d", text, at.Line)
				}
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s: %s", text, diff)
			}
		}
	}
}

// placesOf returns the places of what is wrong with a file.
func placesOf(c Contents) (all []refconfig.Place) {
	for _, f := range c.Failed {
		all = append(all, f.Place)
	}
	for _, p := range c.Problems {
		all = append(all, p.Place)
	}
	for _, l := range c.Lost {
		all = append(all, l.Place)
	}
	return all
}

// TestTextInACR: a line that no field of an object can be is left out, and a problem if it is not known
// to be harmless. A field that a user mistyped, or a sentence in a field, remains.
func TestTextInACR(t *testing.T) {
	const cr = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for line, isText := range map[string]bool{
		"The chart is old: see NOTES":  true,
		`msg="rendered" site: b`:       true,
		"Mode: safe":                   false,
		"app.kubernetes.io/name: web":  false,
		"description: cannot be found": false,
		"rationale: permission denied": false,
		"type: Opaque":                 false,
		"helm: three":                  false,
		"immutable: true":              false,
		"runtime: container and more":  false,
		"reason: out of memory":        false,
		"example.com/note: two words":  false,
		`"a b": c`:                     false,
	} {
		c := Read("in.yaml", "", []byte(cr+line+"\n"), Hints{})
		if len(c.Problems) > 0 != isText || len(c.Objects) != 1 || len(c.Warnings)+len(c.Lost)+len(c.Failed) > 0 {
			t.Fatalf("%q: %d CRs, warnings %v, problems %v, lost %v", line, len(c.Objects), c.Warnings, c.Problems, c.Lost)
		}
		tree, err := c.Objects[0].Decode()
		if err != nil || len(tree) > 3 == isText {
			t.Errorf("%q: %v, %v", line, tree, err)
		}
	}
}

// TestFilesOfOneMessage: a file that is nothing but the message of a command that failed is lost, and
// one that says that there is nothing is empty. A field of a file of another sort is no message.
func TestFilesOfOneMessage(t *testing.T) {
	for text, failed := range map[string]bool{
		"error: context deadline exceeded\n":                         true,
		"Error from server (NotFound): configmaps \"b\" not found\n": true,
		"404: Not Found": true,
		"---\nfatal: path \"pod.yaml\" does not exist\n":                                                true,
		"Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'x'\n":                          true,
		"curl: (22) The requested URL returned error: 404\n":                                            true,
		"bash: line 1: kubectl: command not found\n":                                                    true,
		"No resources found in default namespace.\n":                                                    false,
		"Warning: v1 ComponentStatus is deprecated in v1.19+\n":                                         false,
		"{\"message\":\"Not Found\"}":                                                                   true,
		"message: 404 Project Not Found\n":                                                              true,
		"{\"message\": \"Bad credentials\", \"documentation_url\": \"https://x\", \"status\": \"401\"}": true,
		"{\"errors\": [{\"code\": \"UNAUTHORIZED\", \"message\": \"x\"}]}":                              true,
		"{\"timestamp\": 1, \"status\": 404, \"error\": \"Not Found\", \"path\": \"/a\"}":               true,
		"{\"error\": {\"code\": 500, \"message\": \"x\"}}":                                              true,
		"{\"code\": 404, \"message\": \"Not Found\", \"details\": {}}":                                  true,
		"{\"message\": \"Not Found\", \"errors\": [{}], \"detail\": null}":                              true,
		"{\"errors\": [{}], \"details\": {}}":                                                           false,
		"{\"message\": \"Not Found\", \"errors\": [{\"site\": \"b\"}]}":                                 false,
		"{}":                                    false,
		"message: Willkommen\n":                 false,
		"error: Not found\nok: Found\n":         false,
		"{\"message\": \"x\", \"status\": 200}": false,
		"{\"errors\": [\"Not Found\"]}":         false,
		"title: 404 Not Found\nlayout: page\n":  false,
		"fatal: 3\n":                            false,
		"error: true\n":                         false,
		"404: not-found\n500: oops\n":           false,
		"404: Not Found\n500: Server Error\n":   false,
		"Page not found: Seite fehlt\nAccess denied: Kein Zugriff\n": false,
		"404: error.html\n":                   false,
		"real/netpol.yaml":                    true,
		"error: EOF\n":                        true,
		"replicas: 3\n":                       false,
		"name: x\n":                           false,
		"bash: true\n":                        false,
		"error: Fehler\nback: zurück\n":       false,
		"error:\n  text: Fehler\n":            false,
		"# words\nfatal: schwer\n\nok: gut\n": false,
	} {
		c := Read("in.yaml", "", []byte(text), Hints{})
		if got := len(c.Lost)+len(c.Problems)+len(c.Failed) > 0; got != failed || len(c.Objects) > 0 {
			t.Errorf("%q: lost %v, problems %v, failed %v, %d CRs", text, c.Lost, c.Problems, c.Failed, len(c.Objects))
		}
		for _, at := range placesOf(c) {
			if at.Line > 0 && strings.Split(text, "\n")[at.Line-1] == "---" {
				t.Errorf("%q: it is said to be in line %d", text, at.Line)
			}
		}
	}
}
