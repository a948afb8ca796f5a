package generate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/author/generate"
)

// TestReferencesStateWhatIsNotAssigned: a reference accepts any address and any generated name, but no headless
// Service in place of another, no Secret that a person linked, and no other APIs where they are static.
func TestReferencesStateWhatIsNotAssigned(t *testing.T) {
	service := func(spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: app, namespace: shop}\nspec: {ports: [{port: 80}]" + spec + "}\n"
	}
	account := func(items string) string {
		return "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: app, namespace: shop}\nimagePullSecrets: [" + items + "]\n"
	}
	group := func(static, apis string) string {
		return "apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: {name: app, namespace: shop, annotations: {olm.providedAPIs: " +
			apis + "}}\nspec: {targetNamespaces: [a], staticProvidedAPIs: " + static + "}\n"
	}
	const first, second = ", clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1]", ", clusterIP: 'fd00::2', clusterIPs: ['fd00::2']"
	const headless = ", clusterIP: None, clusterIPs: [None]"
	const corp, own, other = "{name: corp}", "{name: app-dockercfg-abcde}", "{name: app-dockercfg-fghij}"
	for _, c := range []struct {
		name     string
		clusters []string
		input    string
		want     []string
	}{
		{"another address", []string{service(first)}, service(second), nil},
		{"no address", []string{service(first)}, service(""), nil},
		{"headless", []string{service(first)}, service(headless), []string{"spec.clusterIP"}},
		{"headless unlike two", []string{service(first), service(second)}, service(headless), []string{"spec.clusterIP"}},
		{"headless as one of two", []string{service(first), service(headless)}, service(headless), nil},
		{"no longer headless", []string{service(headless)}, service(first), []string{"spec.clusterIP", "spec.clusterIPs.0"}},
		{"another token", []string{account(own)}, account(other), nil},
		{"a person's before it", []string{account(corp + "," + own)}, account(other + "," + corp), nil},
		{"a person's is gone", []string{account(corp + "," + own)}, account(other), []string{"imagePullSecrets.0"}},
		{"a person's more", []string{account(own)}, account(other + "," + corp), []string{"imagePullSecrets.1"}},
		{"a person's unlike two", []string{account(own), account(other)}, account(other + "," + corp), []string{"imagePullSecrets.1"}},
		{"a person's as one of two", []string{account(own), account(other + "," + corp)}, account(corp), nil},
		{"derived APIs", []string{group("false", "a.v1.b")}, group("false", "b.v1.b"), nil},
		{"static APIs", []string{group("true", "a.v1.b")}, group("true", "b.v1.b"), []string{`metadata.annotations."olm.providedAPIs"`}},
	} {
		r := made(t, generate.Options{}, c.clusters...)
		for _, text := range c.clusters {
			agrees(t, r, text)
		}
		ref, engine := load(t, r)
		got := paths(compared(t, ref, engine, c.input))
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}
