package generate

import (
	"os"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWhatAClusterHasOfItsOwn: a wrong yes hides what somebody changed, so that a name is a whole word and
// the rest only counts in CRs of the release.
func TestWhatAClusterHasOfItsOwn(t *testing.T) {
	s := &self{
		names: map[string]sort{
			"east-x7k2p": {ownNames, "infrastructure"}, "east.example.com": {ownNames, "domain"}, "4.15.3": {ownRelease, "release"},
			"node-1": {ownNodes, "node"}, "10.0.0.11": {ownNodes, "node"},
		},
		install: []string{"east", "example.com"},
		image:   "registry.test/mirror/release@sha256:1",
	}
	s.prepare()
	release, install, users := scope{release: true}, scope{release: true, install: true}, scope{}
	monitoring, annotation := scope{release: true, monitoring: true}, scope{release: true, annotation: true}
	versions, signing := scope{release: true, versions: true}, scope{release: true, signing: true}
	digest := strings.Repeat("0a", 32)
	for _, c := range []struct {
		in         scope
		text, want string
	}{
		{users, "https://console.apps.east.example.com/x", "https://console.apps.{domain}/x"},
		{users, "east.example.com.evil.org", "east.example.com.evil.org"},
		{users, "ends at east.example.com.", "ends at {domain}."},
		{users, "northeast.example.com", "northeast.example.com"},
		{users, "east-x7k2p-worker", "{infrastructure}-worker"},
		{users, "least-x7k2p", "least-x7k2p"},
		{users, "east", "east"},
		{install, "name: east\nbaseDomain: example.com", "name: {names}\nbaseDomain: {names}"},
		{release, "4.15.3", "{release}"},
		{users, "4.15.3", "4.15.3"},
		{release, "14.15.3", "14.15.3"},
		{release, "v4.15.3", "v{release}"},
		{release, "image:v4.15.3-rc.1", "image:v{release}-rc.1"},
		{users, "v4.15.3", "v4.15.3"},
		{release, "dev4.15.3", "dev4.15.3"},
		{release, "10.4.15.3", "10.4.15.3"},
		{release, "10.4.15.3/24", "10.4.15.3/24"},
		{release, "4.15.3.0/24", "4.15.3.0/24"},
		{release, "v1.4.15.3", "v1.4.15.3"},
		{release, "ends at 4.15.3.", "ends at {release}."},
		{release, "4.15.30", "4.15.30"},
		{users, "https://10.0.0.11:2379", "https://{node}:2379"},
		{users, "10.0.0.110", "10.0.0.110"},
		{users, "app@sha256:" + digest, "app@sha256:" + digest},
		{release, "corp.test/app@sha256:" + digest, "corp.test/app@sha256:" + digest},
		{release, "registry.test/mirror/app@sha256:" + digest, "registry.test/mirror/app@{hashes}"},
		{users, "registry.test/mirror/app@sha256:" + digest, "registry.test/mirror/app@sha256:" + digest},
		{release, digest, digest},
		{annotation, digest, "{hashes}"},
		{release, "rendered-worker-" + digest[:32], "rendered-worker-{hashes}"},
		{scope{release: true, users: true}, "rendered-worker-" + digest[:32], "rendered-worker-" + digest[:32]},
		{scope{release: true, users: true}, "4.15.3", "{release}"},
		{users, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{release, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{annotation, "2026-01-02T03:04:05Z", "{times}"},
		{annotation, "signer@1700000001", "signer{times}"},
		{annotation, "signer@17", "signer@17"},
		{monitoring, "grpc-tls-3k9dm2f8q1a7z", "grpc-tls{hashes}"},
		{release, "grpc-tls-3k9dm2f8q1a7z", "grpc-tls-3k9dm2f8q1a7z"},
		{monitoring, "operator-configuration", "operator-configuration"},
		{annotation, "8f2c7d10-5b1e-4c39-9a55-2f60c1a7e4b3", "{hashes}"},
		{monitoring, "8f2c7d10-5b1e-4c39-9a55-2f60c1a7e4b3", "8f2c7d10-5b1e-4c39-9a55-2f60c1a7e4b3"},
		{versions, "xF4pZw==", "{hashes}"},
		{release, "xF4pZw==", "xF4pZw=="},
		{release, "Debug", "Debug"},
		{release, "-----BEGIN CERTIFICATE-----\nbroken", "-----BEGIN CERTIFICATE-----\nbroken"},
		{signing, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "{PUBLIC KEY}"},
		{release, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"},
		{users, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"},
	} {
		got, found := s.plain(c.text, c.in)
		if got != c.want || len(found) > 0 != (c.text != c.want) {
			t.Errorf("%q: got %q, want %q; %v", c.text, got, c.want, found)
		}
	}
	for id, want := range map[manifest.ID]scope{
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "a"}:                                         users,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "kubernetes-shop", Name: "a"}:                              users,
		{APIVersion: "v1", Kind: "Namespace", Name: "shop"}:                                                         users,
		{APIVersion: "v1", Kind: "Namespace", Name: "openshift-dns"}:                                                release,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-monitoring", Name: "a"}:                         monitoring,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-monitoring", Name: "cluster-monitoring-config"}: {release: true, users: true},
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-storage", Name: "sa-token-signing-certs"}:       signing,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-storage", Name: "keys"}:                         release,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-controller-manager", Name: "config"}:            versions,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-config", Name: "a"}:                             {release: true, users: true},
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "openshift-config-managed", Name: "a"}:                     release,
		{APIVersion: "config.openshift.io/v1", Kind: "DNS", Name: "cluster"}:                                        release,
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "kube-system", Name: "cluster-config-v1"}:                  install,
	} {
		if got := scopeOf(id); got != want {
			t.Errorf("%v: %+v, want %+v", id, got, want)
		}
	}
}

// TestWhoNamesTheCluster: the names of a cluster are read from objects of these kinds and groups, and a
// user's object of one of the names is none of them.
func TestWhoNamesTheCluster(t *testing.T) {
	const config = "config.openshift.io/v1"
	for id, want := range map[manifest.ID]bool{
		{APIVersion: "v1", Kind: "Node", Name: "a"}:                      true,
		{APIVersion: config, Kind: "Infrastructure", Name: "cluster"}:    true,
		{APIVersion: config, Kind: "DNS", Name: "cluster"}:               true,
		{APIVersion: config, Kind: "Ingress", Name: "cluster"}:           true,
		{APIVersion: config, Kind: "ClusterVersion", Name: "version"}:    true,
		{APIVersion: config, Kind: "Proxy", Name: "cluster"}:             false,
		{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}:                 false,
		{APIVersion: "example.com/v1", Kind: "Node", Name: "a"}:          false,
		{APIVersion: "example.com/v1", Kind: "DNS", Name: "cluster"}:     false,
		{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "a"}: false,
	} {
		if got := naming(id) != nil; got != want {
			t.Errorf("%v names the cluster: %v", id, got)
		}
	}
}

// TestAnnotationsOfAddOnsAreSettings: only annotations of operators of the release hold hashes and times that
// every cluster has of its own.
func TestAnnotationsOfAddOnsAreSettings(t *testing.T) {
	for key, want := range map[string]bool{
		"operator.openshift.io/spec-hash": true, "openshift.io/hash": true, "deployment.kubernetes.io/x": true, "olmcahash": true,
		"checksum/config": false, "example.com/license": false, "notopenshift.io/hash": false, "hash": false,
	} {
		if got := (scope{release: true}).below(refconfig.PathOf("metadata", "annotations", key)).annotation; got != want {
			t.Errorf("%s: %t, want %t", key, got, want)
		}
	}
}

// TestEveryOwnIsDocumented: with its name.
func TestEveryOwnIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/two-clusters.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range Owns() {
		if !strings.Contains(string(text), "\n| `"+own.Name+"` | ") {
			t.Errorf("docs/two-clusters.md has no row for %s", own.Name)
		}
	}
}
