//go:build e2e

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the node has for itself, so that nothing else on the machine is in its way.
const (
	nodeAddress = "10.88.78.1" // of a bridge: a kubelet takes no loopback address
	podNetwork  = "10.88.77.0/24"
	bridge      = "vte2e"
	apiPort     = "16443"
	etcdPort    = "12379"
)

// node is a Kubernetes cluster of one node.
type node struct {
	programs   programs
	folder     string // state, logs and volumes
	kubeconfig string // of an administrator
}

// startNode starts a cluster and ends it with the test.
func startNode(t *testing.T, p programs, images ...string) node {
	t.Helper()
	n := node{programs: p, folder: filepath.Join(p.folder, "run")}
	n.kubeconfig = n.configFor(t, "admin", "e2e")
	n.removeRest()
	if err := os.RemoveAll(n.folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.removeRest)
	n.configFor(t, "admin", "e2e")
	n.writeSettings(t)
	command(t, "", "ip", "link", "add", bridge, "type", "bridge")
	command(t, "", "ip", "addr", "add", nodeAddress+"/32", "dev", bridge)
	command(t, "", "ip", "link", "set", bridge, "up")

	n.start(t, "etcd", p.path("etcd"), "--data-dir", n.path("etcd"), "--unsafe-no-fsync",
		"--listen-client-urls", "http://127.0.0.1:"+etcdPort, "--advertise-client-urls", "http://127.0.0.1:"+etcdPort,
		"--listen-peer-urls", "http://127.0.0.1:12380", "--initial-advertise-peer-urls", "http://127.0.0.1:12380",
		"--initial-cluster", "default=http://127.0.0.1:12380")
	n.start(t, "kube-apiserver", p.path("kube-apiserver"), "--etcd-servers=http://127.0.0.1:"+etcdPort,
		"--secure-port="+apiPort, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--cert-dir="+n.path("certs"), "--token-auth-file="+n.path("tokens.csv"), "--authorization-mode=Node,RBAC",
		"--service-cluster-ip-range=10.96.0.0/24", "--service-account-key-file="+n.path("sa.key"),
		"--service-account-signing-key-file="+n.path("sa.key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--endpoint-reconciler-type=none",
		"--kubelet-preferred-address-types=InternalIP")
	n.start(t, "containerd", "containerd", "-c", n.path("containerd.toml"), "-a", n.socket())
	n.wait(t, 2*time.Minute, "the API server", func() bool { return n.try("get", "--raw", "/readyz") == nil })
	n.start(t, "kube-controller-manager", p.path("kube-controller-manager"), "--kubeconfig="+n.kubeconfig,
		"--service-account-private-key-file="+n.path("sa.key"), "--leader-elect=false", "--secure-port=0")
	n.start(t, "kube-scheduler", p.path("kube-scheduler"), "--kubeconfig="+n.kubeconfig, "--leader-elect=false",
		"--secure-port=0")
	n.wait(t, time.Minute, "containerd", func() bool {
		return exec.Command("ctr", "-a", n.socket(), "version").Run() == nil
	})
	for _, image := range images {
		n.importImage(t, image)
	}
	n.start(t, "kubelet", p.path("kubelet"), "--config="+n.path("kubelet.yaml"), "--kubeconfig="+n.kubeconfig,
		"--root-dir="+n.path("kubelet"), "--cert-dir="+n.path("pki"), "--hostname-override=e2e", "--node-ip="+nodeAddress)
	n.wait(t, 2*time.Minute, "the node", func() bool {
		return n.try("wait", "--for=condition=Ready", "node/e2e", "--timeout=1s") == nil
	})
	n.wait(t, time.Minute, "the service account of pods", func() bool { return n.try("get", "serviceaccount", "default") == nil })
	return n
}

func (n node) path(name ...string) string {
	return filepath.Join(append([]string{n.folder}, name...)...)
}

func (n node) socket() string { return n.path("containerd.sock") }

// importImage gives containerd the images of an archive.
func (n node) importImage(t *testing.T, archive string, options ...string) {
	t.Helper()
	args := append([]string{"-a", n.socket(), "-n", "k8s.io", "images", "import"}, options...)
	command(t, "", "ctr", append(args, archive)...)
}

// configFor writes the kubeconfig of a user with a token and returns its path.
func (n node) configFor(t *testing.T, user, token string) string {
	t.Helper()
	file := n.path("kubeconfig-" + user)
	writeFile(t, file, fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: e2e
clusters:
  - name: e2e
    cluster: {server: "https://127.0.0.1:%s", insecure-skip-tls-verify: true}
users:
  - name: %[2]s
    user: {token: %[3]s}
contexts:
  - name: e2e
    context: {cluster: e2e, user: %[2]s}
`, apiPort, user, token))
	return file
}

// writeSettings writes the files that the programs of the node read.
func (n node) writeSettings(t *testing.T) {
	t.Helper()
	command(t, "", "openssl", "genrsa", "-out", n.path("sa.key"), "2048")
	writeFile(t, n.path("tokens.csv"), "e2e,admin,admin,system:masters\nreader,reader,reader\n")
	writeFile(t, n.path("cni", "10-e2e.conflist"), fmt.Sprintf(`{"cniVersion": "0.4.0", "name": "e2e", "plugins": [{"type": "ptp",
  "ipam": {"type": "host-local", "dataDir": %q, "ranges": [[{"subnet": %q}]]}}]}
`, n.path("ipam"), podNetwork))
	writeFile(t, n.path("containerd.toml"), fmt.Sprintf(`version = 2
root = %q
state = %q
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true # a container may lack CAP_SYS_RESOURCE
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = %q
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
`, n.path("containerd", "root"), n.path("containerd", "state"), n.path("cni")))
	writeFile(t, n.path("kubelet.yaml"), fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: %s
port: 20250
healthzPort: 0
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
evictionHard: {}
imageGCHighThresholdPercent: 100
containerRuntimeEndpoint: unix://%s
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
`, nodeAddress, n.socket()))
}

// start starts a program whose output goes to a log, and kills it when the test ends: an API server
// that is asked to stop takes more than a minute.
func (n node) start(t *testing.T, name, program string, args ...string) {
	t.Helper()
	log, err := os.Create(n.path(name + ".log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if name == "containerd" {
			n.endContainers()
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		time.AfterFunc(3*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		_ = log.Close()
	})
}

// endContainers kills what runs in containers.
func (n node) endContainers() {
	out, _ := exec.Command("ctr", "-a", n.socket(), "-n", "k8s.io", "tasks", "ls", "-q").Output()
	for _, task := range strings.Fields(string(out)) {
		_ = exec.Command("ctr", "-a", n.socket(), "-n", "k8s.io", "tasks", "rm", "-f", task).Run()
	}
}

// removeRest removes the mounts and the bridge of a cluster that has ended.
func (n node) removeRest() {
	mounts, err := os.Open("/proc/mounts")
	if err != nil {
		return
	}
	defer mounts.Close()
	var points []string
	for lines := bufio.NewScanner(mounts); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && strings.HasPrefix(fields[1], n.folder+"/") {
			points = append(points, fields[1])
		}
	}
	slices.Sort(points)
	for _, point := range slices.Backward(points) {
		_ = syscall.Unmount(point, syscall.MNT_DETACH)
	}
	_ = exec.Command("ip", "link", "del", bridge).Run()
}

// try runs kubectl as the administrator.
func (n node) try(args ...string) error {
	_, err := n.kubectlAs(n.kubeconfig, "", args...)
	return err
}

// kubectl runs kubectl as the administrator and returns its standard output; its failure ends the test.
func (n node) kubectl(t *testing.T, input string, args ...string) string {
	t.Helper()
	out, err := n.kubectlAs(n.kubeconfig, input, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (n node) kubectlAs(kubeconfig, input string, args ...string) (string, error) {
	cmd := exec.Command(n.programs.path("kubectl"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	cmd.Stdin = strings.NewReader(input)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, problems.String())
	}
	return string(out), err
}

// wait waits until something is true; the test ends where it does not become so in time.
func (n node) wait(t *testing.T, atMost time.Duration, what string, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(atMost); !ready(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			t.Fatalf("%s is not ready after %v; the logs are in %s", what, atMost, n.folder)
		}
	}
}
