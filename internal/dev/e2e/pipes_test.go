//go:build e2e

package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The kinds of NodePool, which the reference of lookups compares, have no schema: any field is kept.
const nodePools = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nodepools.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: NodePool, listKind: NodePoolList, plural: nodepools, singular: nodepool}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

// mayRead gives the user reader what a rule of RBAC says.
const mayRead = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules:
  - {apiGroups: [""], resources: [configmaps, namespaces, resourcequotas, services], verbs: [list]}
  - {apiGroups: [apps], resources: [deployments], verbs: [list]}
  - {apiGroups: [example.com], resources: [nodepools], verbs: [list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
`

// testPipes compares the live cluster by the line that `needs` prints, and by its script, as a user who may
// list all kinds and as one who may not list some.
func testPipes(t *testing.T, n node, tool string) {
	for _, file := range []string{"namespace", "deployment", "old-settings", "quota", "service", "settings"} {
		n.kubectl(t, "", "apply", "--filename", "../../../examples/quickstart/cluster/"+file+".yaml")
	}
	n.kubectl(t, nodePools, "apply", "--filename", "-")
	n.kubectl(t, mayRead, "apply", "--filename", "-")
	n.wait(t, time.Minute, "the kind NodePool", func() bool { return n.try("get", "nodepools") == nil })
	n.kubectl(t, "", "label", "--overwrite", "node", "e2e", "node-role.kubernetes.io/worker=")
	n.kubectl(t, "", "apply", "--filename", "../../../examples/references/lookups/cluster/pools.yaml")

	reader := n.configFor(t, "reader", "reader")
	for _, test := range []struct {
		name, reference, kubeconfig string
		status                      int
		says                        []string
	}{
		{
			"all kinds", "../../../examples/quickstart/reference", n.kubeconfig, 1,
			[]string{
				`(?m)^DRIFT +storefront +Deployment shop/storefront  spec\.template\.spec\.securityContext\.runAsNonRoot: expected true, found false`,
				`(?m)^NOT FOUND +namespace +NetworkPolicy shop/storefront-only`,
				`(?m)^DRIFT: 2 of 5 CRs differ from the reference, 1 required CR was not found$`,
			},
		},
		{
			"a user who may not list NetworkPolicies", "../../../examples/quickstart/reference", reader, 1,
			[]string{
				`networkpolicies\.networking\.k8s\.io is forbidden: User "reader" cannot list`,
				`(?m)^NOT FOUND\? +namespace +NetworkPolicy shop/storefront-only`,
			},
		},
		{
			"lookups", "../../../examples/references/lookups/reference", n.kubeconfig, 1,
			[]string{`(?m)spec\.members: expected e2e, found node-1`},
		},
		{
			"a user who may not list what is looked up", "../../../examples/references/lookups/reference", reader, 2,
			[]string{`(?m)^INCOMPLETE: `, `Node.*VT1045`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			script := filepath.Join(t.TempDir(), "gather")
			if err := os.WriteFile(script, []byte(command(t, "", tool, "needs", "-o", "script", test.reference)), 0o600); err != nil {
				t.Fatal(err)
			}
			later := "sh " + script + " " + script + ".d && " + tool + " " + test.reference + " " + script + ".d"
			for _, line := range []string{pipe(t, tool, test.reference), later} {
				out, status := n.run(t, tool, test.kubeconfig, "sh", "-c", line)
				if status != test.status {
					t.Errorf("exit status %d, not %d", status, test.status)
				}
				for _, said := range test.says {
					if !regexp.MustCompile(said).MatchString(out) {
						t.Errorf("nothing says %s", said)
					}
				}
				if t.Failed() {
					t.Log(out)
				}
			}
		})
	}
}

// testPlugin runs the tool by kubectl, which finds it in PATH.
func testPlugin(t *testing.T, n node, tool string) {
	plugins := t.TempDir()
	if err := os.Symlink(tool, filepath.Join(plugins, "kubectl-compare")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", plugins+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, status := n.run(t, tool, n.kubeconfig,
		"kubectl", "compare", "../../../examples/quickstart/reference", "../../../examples/quickstart/cluster")
	if status != 1 || !strings.Contains(out, "DRIFT: 2 of 5 CRs differ") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	if !strings.Contains(out, "Next, to see the whole CR: kubectl compare --full --cr ") {
		t.Errorf("the next step is not a command of the plugin\n%s", out)
	}
}

// pipe returns the line that compares a running cluster with a reference.
func pipe(t *testing.T, tool, reference string) string {
	t.Helper()
	out := command(t, "", tool, "needs", reference)
	_, line, found := strings.Cut(out, "To compare a running cluster:\n")
	line, _, _ = strings.Cut(line, "\n")
	if !found || !strings.Contains(line, "kubectl get") {
		t.Fatalf("no line for a running cluster in\n%s", out)
	}
	return line
}

// run runs a command that finds kubectl and the tool in PATH and returns all that it prints, and its
// exit status.
func (n node) run(t *testing.T, tool, kubeconfig, name string, args ...string) (string, int) {
	t.Helper()
	t.Setenv("KUBECONFIG", kubeconfig)
	t.Setenv("COLUMNS", "400")
	t.Setenv("PATH", strings.Join([]string{n.programs.path(""), filepath.Dir(tool), os.Getenv("PATH")}, ":"))
	out, err := exec.Command(name, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}
