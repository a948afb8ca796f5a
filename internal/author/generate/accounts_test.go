package generate_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/generate"
)

// TestSettingsOfDefaultAccountsAreCompared: a cluster makes three ServiceAccounts in each namespace and links Secrets
// with generated names to them. What a person links or states is a setting, in a reference too.
func TestSettingsOfDefaultAccountsAreCompared(t *testing.T) {
	account := func(name, rest string) string {
		return "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {namespace: shop, name: " + name + "}\n" + rest + "\n"
	}
	const tokens, other = "secrets: [{name: NAME-token-abcde}, {name: NAME-dockercfg-fghij}]\nimagePullSecrets: [{name: NAME-dockercfg-fghij}]",
		"secrets: [{name: NAME-dockercfg-k2345}]\nimagePullSecrets: [{name: NAME-dockercfg-k2345}]"
	const pull, first = "imagePullSecrets: [{name: NAME-dockercfg-k2345}, {name: corp}]", "imagePullSecrets: [{name: corp}, {name: NAME-dockercfg-fghij}]"
	const linked = "secrets: [{name: NAME-dockercfg-k2345}, {name: corp}]\nimagePullSecrets: [{name: NAME-dockercfg-k2345}]"
	for _, c := range []struct {
		name, base, other string
		found             bool
	}{
		{"generated ones", tokens, other, false},
		{"none yet", "", tokens, false},
		{"no longer any", tokens, "", false},
		{"a pull secret more", tokens, pull, true},
		{"a pull secret less", pull, tokens, true},
		{"a pull secret elsewhere", first, pull, false},
		{"the name of another", tokens, "imagePullSecrets: [{name: corp-dockercfg-fghij}]", true},
		{"no generated name", tokens, "imagePullSecrets: [{name: NAME-dockercfg}]", true},
		{"a secret", tokens, linked, true},
		{"another secret", linked, "secrets: [{name: corp2}]", true},
		{"no token in pods", tokens, tokens + "\nautomountServiceAccountToken: false", true},
		{"tokens in pods", tokens + "\nautomountServiceAccountToken: false", tokens, true},
	} {
		for _, name := range []string{"default", "builder", "deployer", "app"} {
			text := func(rest string) string {
				return clusterOf("a.example.com", "{}") + account("users", "automountServiceAccountToken: true") + account(name, strings.ReplaceAll(rest, "NAME", name))
			}
			base, other := text(c.base), text(c.other)
			run := between(t, base, other)
			if found := len(paths(run))+run.Summary.Objects.Unmatched+run.Summary.MissingCRs > 0; found != c.found {
				t.Errorf("%s of %s: got %t, want %t: %q", c.name, name, found, c.found, paths(run))
			}
			r := made(t, generate.Options{}, base)
			agrees(t, r, base)
			ref, engine := load(t, r)
			again := compared(t, ref, engine, other)
			found := len(paths(again)) > 0 || again.Summary.Objects.Unmatched > 0 || again.Summary.MissingCRs > 0
			if c.found && name == "app" && !found && c.name != "no longer any" {
				t.Errorf("%s of %s: a reference does not find it", c.name, name)
			}
		}
	}

}
