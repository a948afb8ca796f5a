package generate_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

// clusterOf returns the CRs of a cluster with a domain: its DNS, and an object with a spec.
func clusterOf(domain, spec string) string {
	return "apiVersion: config.openshift.io/v1\nkind: DNS\nmetadata: {name: cluster}\nspec: {baseDomain: " + domain + "}\n---\n" +
		"apiVersion: example.com/v1\nkind: Odd\nmetadata: {name: odd}\nspec: " + spec + "\n"
}

// between compares two clusters, and returns the run.
func between(t testing.TB, base, other string) *finding.Run {
	t.Helper()
	in := collected(t, "b", other)
	made, kept, err := generate.Against(t.Context(), collected(t, "a", base), in, generate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Objects = kept
	ref, engine := load(t, made)
	run, err := compare.Run(t.Context(), ref, engine, in, compare.Options{Show: diff.Show{Expected: true}})
	if err != nil {
		t.Fatal(err)
	}
	run.Base = made.Base(true)
	return run
}

// TestItemsWithoutNamesBelongTogether: items that moved, or before which others were inserted, have the
// domain of their own cluster, and only what was changed is a difference.
func TestItemsWithoutNamesBelongTogether(t *testing.T) {
	const a, b, c = "{host: a.D, port: 1}", "{host: b.D, port: 2}", "{host: c.D, port: 3}"
	for _, test := range []struct {
		base, other string
		want        []string
	}{
		{"[" + a + ", " + b + "]", "[" + a + ", " + b + "]", nil},
		{"[" + a + ", " + b + "]", "[" + c + ", " + a + ", " + b + "]", []string{"spec.list.0 extra"}},
		{"[" + a + ", " + b + ", " + c + "]", "[" + b + ", " + c + "]", []string{"spec.list.0 missing"}},
		{"[" + a + ", " + b + ", " + c + "]", "[" + b + ", " + c + ", {host: d.D, port: 4}]", []string{"spec.list.0 missing", "spec.list.2 extra"}},
		{"[" + a + ", " + b + "]", "[{host: a.D, port: 9}, " + b + "]", []string{"spec.list.0.port drift"}},
		{"[" + c + ", " + a + ", " + b + "]", "[" + a + ", " + b + ", " + c + "]", []string{"spec.list.0 missing", "spec.list.2 extra"}},
		{"[a.D, b.D]", "[c.D, a.D, b.D]", []string{"spec.list.0 extra"}},
		{"[[a.D], [b.D]]", "[[c.D], [a.D], [b.D]]", []string{"spec.list.0 extra"}},
	} {
		run := between(t, clusterOf("east.example.com", "{list: "+in(test.base, "east.example.com")+"}"),
			clusterOf("west.example.com", "{list: "+in(test.other, "west.example.com")+"}"))
		var got []string
		for _, c := range run.Comparisons {
			for _, d := range c.Differences {
				if d.Category != finding.Expected {
					got = append(got, d.Path+" "+string(d.Category))
				}
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s and %s: (-want +got)\n%s", test.base, test.other, diff)
		}
	}
}

// in puts a domain into a text.
func in(text, domain string) string { return strings.ReplaceAll(text, "D", domain) }

// TestBundlesThatNobodyAsksForAreSettings: whom the API server trusts is only left to a signer where the
// metadata says that one writes it.
func TestBundlesThatNobodyAsksForAreSettings(t *testing.T) {
	state := func(metadata, bundle string) string {
		return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: w" + metadata + "}\n" +
			"webhooks: [{name: a.example.com, clientConfig: {caBundle: " + bundle + "}, sideEffects: None, admissionReviewVersions: [v1]}]\n"
	}
	for metadata, noted := range map[string]int{
		"": 0, `, annotations: {other: "true"}`: 0,
		`, annotations: {service.beta.openshift.io/inject-cabundle: "true"}`:  1,
		`, annotations: {service.beta.openshift.io/inject-cabundle: "false"}`: 0,
		`, annotations: {cert-manager.io/inject-ca-from: a/b}`:                1,
		`, labels: {olm.owner: a}`:                                            1,
	} {
		run := between(t, state(metadata, bundleOf(t, "corp")), state(metadata, bundleOf(t, "corp")))
		var want []string
		if noted == 0 {
			want = []string{"webhooks.0.clientConfig.caBundle!"}
		}
		if diff := cmp.Diff(want, paths(run)); diff != "" || len(run.Base.Fields) != noted {
			t.Errorf("%q: (-want +got)\n%s%+v", metadata, diff, run.Base.Fields)
		}
		files := filesOf(made(t, generate.Options{}, state(metadata, "Zmlyc3Q=")))
		if left := failing(t, false, files, state(metadata, "c2Vjb25k")); len(left) > 0 != (noted == 0) {
			t.Errorf("%q: a reference: %v", metadata, left)
		}
		for _, other := range []string{bundleOf(t, "evil"), "c2Vjb25k", "''"} {
			if run := between(t, state(metadata, bundleOf(t, "corp")), state(metadata, other)); len(paths(run)) != 1 {
				t.Errorf("%q: the bundle %.20s agrees", metadata, other)
			}
		}
	}
}

// bundleOf returns a new certificate of an authority, as caBundle has it.
func bundleOf(t *testing.T, name string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// TestNumbersOfTwoClusters: numbers that an API server stores as the same one agree, and those that it tells apart
// differ, whatever their digits. In a text, which nobody rounds, any difference counts.
func TestNumbersOfTwoClusters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"18446744073709551617", "18446744073709551616", true}, {"18446744073709551617", "18446744073709555712", false},
		{"9223372036854775808", "-9223372036854775809", false}, {"9223372036854775807", "9223372036854775806", false},
		{"9007199254740993", "9007199254740992", false}, {"0.1234567890123456789", "0.1234567890123456788", true},
		{"0.12345678901234567", "0.12345678901234569", false}, {"1e400", "2e400", false}, {"1.0", "1", true},
	} {
		for spec, same := range map[string]bool{"{num: N}": c.same, "{list: [a, N]}": c.same, `{doc: "num: N\nbee: 1\n"}`: false} {
			text := func(number string) string { return clusterOf("a.example.com", strings.ReplaceAll(spec, "N", number)) }
			if got := paths(between(t, text(c.a), text(c.b))); len(got) == 0 != same {
				t.Errorf("%s with %s and %s: %q", spec, c.a, c.b, got)
			}
			for _, number := range []string{c.a, c.b} {
				agrees(t, made(t, generate.Options{}, text(number)), text(number))
			}
		}
	}
}

// TestBindingsOfUsersAreCompared: only what the metadata calls a default of the release is left out, and the
// bindings of each namespace in the form that OpenShift makes.
func TestBindingsOfUsersAreCompared(t *testing.T) {
	const rbac = "apiVersion: rbac.authorization.k8s.io/v1\nkind: "
	binding := func(name, role, subjects string) string {
		return rbac + "RoleBinding\nmetadata: {namespace: shop, name: '" + name + "'}\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: '" + role + "'}\nsubjects: [" + subjects + "]\n"
	}
	account := func(name, namespace string) string {
		return "{kind: ServiceAccount, name: " + name + ", namespace: " + namespace + "}"
	}
	global := func(metadata, subject string) string {
		return rbac + "ClusterRoleBinding\nmetadata: {name: 'system:x'" + metadata + "}\nroleRef: {kind: ClusterRole, name: a}\nsubjects: [" +
			account(subject, "shop") + "]\n"
	}
	const scc, pullers, builders = "system:openshift:scc:privileged", "system:image-pullers", "system:image-builders"
	const bootstrapping = ", labels: {kubernetes.io/bootstrapping: rbac-defaults}"
	const updated = ", annotations: {rbac.authorization.kubernetes.io/autoupdate: "
	group := func(of string) string { return "{kind: Group, name: 'system:serviceaccounts:" + of + "'}" }
	made := binding(pullers, "system:image-puller", group("shop"))
	builder := binding(builders, "system:image-builder", account("builder", "shop"))
	for _, c := range []struct {
		base, other string
		found       bool
	}{
		{"", binding(scc, scc, account("a", "shop")), true},
		{binding(scc, scc, account("a", "shop")), binding(scc, scc, account("a", "shop")+", "+account("b", "shop")), true},
		{"", made, false},
		{made, "", false},
		{"", builder, false},
		{"", binding("system:deployers", "system:deployer", account("deployer", "shop")), false},
		{made, binding(pullers, "system:image-puller", group("shop")+", "+group("store")), true},
		{binding(pullers, "system:image-puller", group("shop")+", "+group("store")), made, true},
		{made, binding(pullers, "system:image-puller", group("store")), true},
		{made, binding(pullers, "cluster-admin", group("shop")), true},
		{builder, binding(builders, "system:image-builder", account("builder", "store")), true},
		{builder, binding(builders, "system:image-builder", account("default", "shop")), true},
		{global("", "a"), global("", "b"), true},
		{global(bootstrapping, "a"), global(bootstrapping, "b"), true},
		{global(updated+"'true'}", "a"), global(updated+"'true'}", "b"), true},
		{global(updated+"'false'}", "a"), global(updated+"'false'}", "b"), true},
	} {
		both := clusterOf("a.example.com", "{}") + "---\n" + binding("users", "edit", account("a", "shop")) + "---\n"
		run := between(t, both+c.base, both+c.other)
		if found := len(paths(run))+run.Summary.Objects.Unmatched+run.Summary.MissingCRs > 0; found != c.found {
			t.Errorf("got %t, want %t: %q\n%s---\n%s", found, c.found, paths(run), c.base, c.other)
		}
	}
}

// TestAnyNumberOfPublicKeysAgrees: a cluster keeps the former ones, and something else beside them is a setting.
func TestAnyNumberOfPublicKeysAgrees(t *testing.T) {
	keys := func(data string) string {
		key := `"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"`
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: openshift-kube-apiserver, name: sa-token-signing-certs}\ndata: {" +
			strings.ReplaceAll(data, "KEY", key) + "}\n"
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a: KEY", "a: KEY, b: KEY", true}, {"a: KEY, b: KEY", "b: KEY", true}, {"a: KEY", "b: KEY", true},
		{"a: KEY, b: x", "a: KEY", false}, {"a: KEY", "b: x", false}, {"a: KEY", "a: ''", false},
	} {
		if got := paths(between(t, keys(c.a), keys(c.b))); len(got) == 0 != c.same {
			t.Errorf("%s and %s: %q", c.a, c.b, got)
		}
	}
}
