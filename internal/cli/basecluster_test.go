package cli

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
)

// madeCluster is a cluster for tests: what it has of its own, and its settings.
type madeCluster struct {
	name, domain, version, id string
	address                   int // the third byte of the addresses of its nodes
	seed                      int // digests, hashes and certificates depend on it
	at                        string
	settings                  map[string]string
}

// theSettings are the settings of a made cluster, which somebody may change.
func theSettings(firstCA string) map[string]string {
	return map[string]string{
		"console-replicas": "2", "log-level": "Normal", "mtu": "1400", "route-timeout": "30s", "quota": "10Gi",
		"worker-type": "m5.xlarge", "audit": "Default", "shop-image": strings.Repeat("a", 64), "subdomain": "shop",
		"user-ca": firstCA, "mirror": "mirror.example.com", "apps": "apps", "node": "a",
		"release-image": strings.Repeat("c", 64), "fsid": "22222222-2222-3333-4444-555555555555", "monitoring": "2026-01-01T00:00:00Z",
		"port": "30080", "headless": "10.0.0.9", "pull": "corp", "range": "1000650000/10000", "checksum": strings.Repeat("e", 64),
	}
}

// hex returns a text like a hash, which depends on the seed of the cluster.
func (c madeCluster) hex(what string, n int) string {
	text := fmt.Sprintf("%x", what+fmt.Sprint(c.seed))
	return strings.Repeat(text, 1+n/len(text))[:n]
}

// certificate makes a certificate, with a key of its own.
func certificate(t *testing.T, subject, issuer pkix.Name) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: subject, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, of, &x509.Certificate{Subject: issuer}, public, private)
	must(err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// indented indents the lines of a text.
func indented(text string, by int) string {
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+pad)
}

// files returns the files of a support archive of the cluster.
func (c madeCluster) files(t *testing.T) map[string]string {
	t.Helper()
	signer := pkix.Name{CommonName: fmt.Sprintf("openshift-service-serving-signer@%d", 1700000000+c.seed)}
	ours := certificate(t, signer, signer)
	for range c.seed % 3 { // the former ones
		ours += certificate(t, signer, signer)
	}
	data := base64.StdEncoding.EncodeToString([]byte(ours))
	replace := strings.NewReplacer(
		"INFRA", c.name, "DOMAIN", c.domain, "VERSION", c.version, "CLUSTERID", c.id, "TIME", c.at,
		"DIGEST1", c.hex("one", 64), "DIGEST2", c.hex("two", 64), "HASH", c.hex("hash", 64),
		"TOKEN", c.hex("token", 5), "NODEPORT", fmt.Sprintf("%04d", c.address),
		"NODEIP", fmt.Sprintf("10.0.%d.", c.address), "B64CA", data,
		"CA4", indented(ours, 4), "SIGNER", signer.CommonName,
	)
	set := func(text string) string {
		for _, name := range slices.Sorted(maps.Keys(c.settings)) {
			text = strings.ReplaceAll(text, "$"+name, strings.ReplaceAll(c.settings[name], "\n", "\n    "))
		}
		return text
	}
	files := map[string]string{}
	for name, text := range testClusterFiles() {
		files["must-gather/quay-io/"+replace.Replace(name)] = replace.Replace(set(text))
	}
	files["must-gather/timestamp"] = "2026-01-02 03:04:05 +0000 UTC"
	return files
}

// testClusterFiles are the files of a made cluster, with words in capitals for what clusters have of their
// own, and $NAME for settings.
func testClusterFiles() map[string]string {
	const scoped, spaces = "cluster-scoped-resources/", "namespaces/"
	return map[string]string{
		scoped + "config.openshift.io/infrastructures/cluster.yaml": `apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata: {name: cluster}
spec: {platformSpec: {type: AWS}}
status: {infrastructureName: INFRA, apiServerURL: "https://api.DOMAIN:6443"}
`,
		scoped + "config.openshift.io/dnses/cluster.yaml": `apiVersion: config.openshift.io/v1
kind: DNS
metadata: {name: cluster}
spec: {baseDomain: DOMAIN}
`,
		scoped + "config.openshift.io/clusterversions/version.yaml": `apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
spec: {clusterID: CLUSTERID, channel: stable}
status: {desired: {version: VERSION}}
`,
		scoped + "config.openshift.io/ingresses/cluster.yaml": `apiVersion: config.openshift.io/v1
kind: Ingress
metadata: {name: cluster}
spec: {domain: $apps.DOMAIN}
`,
		scoped + "core/nodes/a.yaml": `apiVersion: v1
kind: Node
metadata: {name: node-a.INFRA.internal}
status: {addresses: [{type: InternalIP, address: NODEIP11}]}
`,
		scoped + "core/nodes/b.yaml": `apiVersion: v1
kind: Node
metadata: {name: node-b.INFRA.internal}
status: {addresses: [{type: InternalIP, address: NODEIP12}]}
`,
		scoped + "operator.openshift.io/networks/cluster.yaml": `apiVersion: operator.openshift.io/v1
kind: Network
metadata: {name: cluster}
spec: {logLevel: $log-level, defaultNetwork: {mtu: $mtu}}
`,
		scoped + "config.openshift.io/apiservers/cluster.yaml": `apiVersion: config.openshift.io/v1
kind: APIServer
metadata: {name: cluster, annotations: {oauth: "https://oauth.apps.DOMAIN"}}
spec: {audit: {profile: $audit}}
`,
		spaces + "openshift-machine-api/machine.openshift.io/machinesets/INFRA-worker-1.yaml": `apiVersion: machine.openshift.io/v1beta1
kind: MachineSet
metadata: {name: INFRA-worker-1, namespace: openshift-machine-api}
spec: {template: {spec: {type: $worker-type, subnet: INFRA-private, labels: {cluster: INFRA}}}}
`,
		spaces + "openshift-console/apps/deployments/console.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: console
  namespace: openshift-console
  annotations: {operator.openshift.io/spec-hash: "HASH", console.openshift.io/config-version: "NODEIP7"}
spec:
  replicas: $console-replicas
  template:
    spec:
      containers:
      - {name: console, image: "quay.io/openshift-release-dev/ocp@sha256:DIGEST1", env: [{name: V, value: VERSION}]}
      - {name: other, image: "quay.io/openshift-release-dev/ocp@sha256:DIGEST2"}
      - {name: added, image: "registry.corp.test/tool@sha256:$release-image"}
`,
		spaces + "openshift-console/core/configmaps/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: openshift-console}
data:
  console.yaml: |
    address: https://console.apps.DOMAIN
    etcd: [https://NODEIP11:2379, https://NODEIP12:2379]
    mirror: $mirror
    release: VERSION
`,
		spaces + "openshift-config/core/configmaps/ca.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: service-ca, namespace: openshift-config}
data:
  ca.crt: |
CA4
`,
		spaces + "openshift-config/core/configmaps/user-ca.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: user-ca-bundle, namespace: openshift-config}
data:
  ca.crt: |
    $user-ca
`,
		scoped + "admissionregistration.k8s.io/validatingwebhookconfigurations/hook.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks: [{name: a.example.com, clientConfig: {caBundle: B64CA}}]
`,
		spaces + "openshift-console/core/services/console.yaml": `apiVersion: v1
kind: Service
metadata:
  name: console
  namespace: openshift-console
  annotations: {service.alpha.openshift.io/serving-cert-signed-by: SIGNER, operator.openshift.io/seen: TIME}
spec: {ports: [{port: 443}]}
`,
		spaces + "shop/route.openshift.io/routes/shop.yaml": `apiVersion: route.openshift.io/v1
kind: Route
metadata: {name: shop, namespace: shop, annotations: {haproxy.router.openshift.io/timeout: $route-timeout}}
spec: {host: $subdomain.apps.DOMAIN}
`,
		scoped + "storage.k8s.io/storageclasses/ceph.yaml": `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ceph}
provisioner: ceph
parameters: {fsid: $fsid}
`,
		spaces + "openshift-monitoring/core/configmaps/cluster-monitoring-config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-monitoring-config, namespace: openshift-monitoring}
data: {config.yaml: "since: $monitoring"}
`,
		spaces + "shop/core/configmaps/nodes.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: nodes, namespace: shop}
data: {node: node-$node.INFRA.internal}
`,
		spaces + "shop/core/services/shop.yaml": `apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"ports":[{"port":80,"nodePort":$port}]}}'
spec: {type: NodePort, clusterIP: NODEIP99, ports: [{port: 80, nodePort: $port}, {port: 81, nodePort: 3NODEPORT}]}
`,
		spaces + "shop/core/services/members.yaml": `apiVersion: v1
kind: Service
metadata: {name: members, namespace: shop}
spec: {clusterIP: $headless}
`,
		spaces + "shop/core/serviceaccounts/shop.yaml": `apiVersion: v1
kind: ServiceAccount
metadata: {name: shop, namespace: shop}
imagePullSecrets: [{name: shop-dockercfg-TOKEN}, {name: $pull}]
`,
		scoped + "core/namespaces/shop.yaml": `apiVersion: v1
kind: Namespace
metadata: {name: shop, annotations: {openshift.io/sa.scc.uid-range: $range}}
`,
		spaces + "openshift-storage/apps/deployments/store.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: store, namespace: openshift-storage, annotations: {checksum/config: $checksum}}
`,
		spaces + "shop/core/resourcequotas/quota.yaml": `apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, namespace: shop}
spec: {hard: {limits.memory: $quota}}
`,
		spaces + "shop/apps/deployments/shop.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: shop}
spec: {template: {spec: {containers: [{name: shop, image: "quay.io/shop@sha256:$shop-image"}]}}}
`,
	}
}

// comparedWith compares two made clusters, and returns the CRs with findings and their paths.
func comparedWith(t *testing.T, base, other map[string]string) (status int, found []string, run *finding.Run) {
	t.Helper()
	must(os.RemoveAll("base"))
	must(os.RemoveAll("other"))
	testkit.Files(t, "base", base)
	testkit.Files(t, "other", other)
	status, out, errs := typed("-o json base other")
	var report finding.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Runs) != 1 {
		t.Fatalf("exit status %d, %v: %s%s", status, err, out, errs)
	}
	run = report.Runs[0]
	for _, c := range run.Comparisons {
		for _, d := range c.Differences {
			if d.Category != finding.Expected {
				found = append(found, c.Object.Kind+" "+c.Object.Name+" "+d.Path)
			}
		}
	}
	return status, found, run
}

// oneCluster is a made cluster, whose user trusts a certificate.
func oneCluster(userCA string) madeCluster {
	return madeCluster{
		name: "east-x7k2p", domain: "east.example.com", version: "4.15.3", id: "11111111-2222-3333-4444-555555555555",
		address: 1, seed: 1, at: "2026-01-02T03:04:05Z", settings: theSettings(userCA),
	}
}

// TestTwoClustersDifferInTheirSettingsOnly: what somebody changed is found, and nothing that clusters have
// of their own, whether the other cluster is another one or the same after an upgrade.
func TestTwoClustersDifferInTheirSettingsOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	root := pkix.Name{CommonName: "Corporate Root"}
	userCA, renewed := certificate(t, root, root), certificate(t, root, root)
	changed := map[string][2]string{ // the value, and where it is found
		"console-replicas": {"3", "Deployment console spec.replicas"},
		"log-level":        {"Debug", "Network cluster spec.logLevel"},
		"mtu":              {"1300", "Network cluster spec.defaultNetwork.mtu"},
		"route-timeout":    {"60s", `Route shop metadata.annotations."haproxy.router.openshift.io/timeout"`},
		"quota":            {"20Gi", `ResourceQuota quota spec.hard."limits.memory"`},
		"worker-type":      {"m5.large", "MachineSet OTHER-worker-1 spec.template.spec.type"},
		"audit":            {"WriteRequestBodies", "APIServer cluster spec.audit.profile"},
		"release-image":    {strings.Repeat("d", 64), "Deployment console spec.template.spec.containers.2.image"},
		"fsid":             {"33333333-2222-3333-4444-555555555555", "StorageClass ceph parameters.fsid"},
		"monitoring":       {"2026-03-03T03:03:03Z", `ConfigMap cluster-monitoring-config data."config.yaml"`},
		"shop-image":       {strings.Repeat("b", 64), "Deployment shop spec.template.spec.containers.0.image"},
		"subdomain":        {"store", "Route shop spec.host"},
		"user-ca":          {renewed, `ConfigMap user-ca-bundle data."ca.crt"`},
		"apps":             {"web", "Ingress cluster spec.domain"},
		"node":             {"b", "ConfigMap nodes data.node"},
		"port":             {"30081", "Service shop spec.ports.0.nodePort"},
		"headless":         {"None", "Service members spec.clusterIP"},
		"pull":             {"other", "ServiceAccount shop imagePullSecrets.1.name"},
		"range":            {"5000/10", `Namespace shop metadata.annotations."openshift.io/sa.scc.uid-range"`},
		"checksum":         {strings.Repeat("f", 64), `Deployment store metadata.annotations.checksum/config`},
		"mirror":           {"other.example.com", `ConfigMap config data."console.yaml"!.mirror`},
	}
	base := oneCluster(userCA)
	upgraded, another := base, base
	upgraded.version, upgraded.seed, upgraded.at = "4.16.8", 2, "2026-02-02T03:04:05Z"
	another.name, another.domain, another.id = "lab-b4q9z", "lab.corp.test", "99999999-2222-3333-4444-555555555555"
	another.address, another.seed, another.at, another.version = 7, 5, "2025-12-24T00:00:00Z", "4.15.9"
	files := base.files(t)
	for name, other := range map[string]madeCluster{"itself": base, "upgraded": upgraded, "another": another} {
		if status, found, run := comparedWith(t, files, other.files(t)); status != 0 || len(found) > 0 || run.Summary.MissingCRs > 0 {
			t.Errorf("%s: exit status %d: %q, %d missing", name, status, found, run.Summary.MissingCRs)
		}
		var all, want []string
		for _, setting := range slices.Sorted(maps.Keys(changed)) {
			if name == "another" && setting == "node" { // nobody knows which nodes of two clusters belong together
				continue
			}
			by := changed[setting]
			where := strings.ReplaceAll(by[1], "OTHER", other.name)
			one := other
			one.settings = theSettings(userCA)
			one.settings[setting] = by[0]
			all, want = append(all, setting), append(want, where)
			if name != "another" && !testkit.Whole() {
				continue // all of them are found at once below
			}
			if status, found, _ := comparedWith(t, files, one.files(t)); status != 1 || len(found) != 1 || !strings.HasPrefix(found[0], where) {
				t.Errorf("%s, with another %s: exit status %d, want 1: %q, want %q", name, setting, status, found, where)
			}
		}
		other.settings = theSettings(userCA)
		for _, setting := range all {
			other.settings[setting] = changed[setting][0]
		}
		_, found, run := comparedWith(t, files, other.files(t))
		slices.Sort(found)
		slices.Sort(want)
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%s, with all other settings: -want +got:\n%s", name, diff)
		}
		if name == "upgraded" && (run.Base.Version != "4.15.3" || run.Cluster.Version != "4.16.8") {
			t.Errorf("the versions are %q and %q", run.Base.Version, run.Cluster.Version)
		}
	}
}
