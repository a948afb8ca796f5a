package generate_test

import (
	"strings"
	"testing"
)

// TestWhatUsersAddToDefaultsIsCompared: the API server restores what a default role or binding lacks, and keeps what
// somebody added to it, so that this is a setting. With autoupdate "false", all of it is one.
func TestWhatUsersAddToDefaultsIsCompared(t *testing.T) {
	const label, updated = "labels: {kubernetes.io/bootstrapping: rbac-defaults}", "annotations: {rbac.authorization.kubernetes.io/autoupdate: 'true'}"
	const both, own = label + ", " + updated, label + ", annotations: {rbac.authorization.kubernetes.io/autoupdate: 'false'}"
	const nodes = "{kind: Group, name: 'system:nodes'}"
	const masters, oauth = "{kind: Group, name: 'system:masters'}", "{kind: Group, name: 'system:authenticated:oauth'}"
	rbac := func(kind, metadata, rest string) string {
		return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\nmetadata: {name: x, " + metadata + "}\n" + rest + "\n"
	}
	binding := func(metadata, subjects string) string {
		return rbac("ClusterRoleBinding", metadata, "roleRef: {kind: ClusterRole, name: cluster-admin}\nsubjects: ["+subjects+"]")
	}
	local := func(subjects string) string {
		return rbac("RoleBinding", "namespace: kube-system, "+both, "roleRef: {kind: Role, name: a}\nsubjects: ["+subjects+"]")
	}
	role := func(metadata, rest string) string { return rbac("ClusterRole", metadata, rest) }
	const rules, more = "rules: [{verbs: [get], resources: [pods], apiGroups: ['']}]",
		"rules: [{verbs: [get], resources: [pods], apiGroups: ['']}, {verbs: ['*'], resources: [secrets], apiGroups: ['']}]"
	const aggregated = "\naggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}"
	const edited = label + ", managedFields: [{manager: kubectl-edit, fieldsV1: {'f:rules': {}}}]"
	const made = label + ", managedFields: [{manager: kube-apiserver, fieldsV1: {'f:rules': {}}}]"
	const released = "annotations: {include.release.openshift.io/a: 'true'}"
	scc := func(users string) string {
		return "---\napiVersion: security.openshift.io/v1\nkind: SecurityContextConstraints\nmetadata: {name: restricted-v2, " + released +
			"}\nusers: " + users + "\nallowPrivilegedContainer: false\n"
	}
	account := func(of string) string { return "{kind: ServiceAccount, name: a, namespace: " + of + "}" }
	for _, c := range []struct {
		name, base, other string
		upgraded, found   bool
	}{
		{"a user", binding(both, masters), binding(both, masters+", {kind: User, name: eve}"), true, true},
		{"only the label", binding(label, masters), binding(label, masters+", {kind: User, name: eve}"), true, true},
		{"a group", binding(both, masters), binding(both, masters+", {kind: Group, name: 'oidc:all'}"), true, true},
		{"everybody", binding(both, masters), binding(both, masters+", {kind: Group, name: 'system:unauthenticated'}"), true, true},
		{"an account of users", binding(both, masters), binding(both, masters+", "+account("shop")), true, true},
		{"an account of an add-on", binding(both, masters), binding(both, masters+", "+account("openshift-gitops")), true, true},
		{"a user of an account", "", binding(both, "{kind: User, name: 'system:serviceaccount:shop:a'}"), true, true},
		{"the accounts of a namespace", "", binding(both, "{kind: Group, name: 'system:serviceaccounts:shop'}"), true, true},
		{"a user no longer", binding(both, masters+", {kind: User, name: eve}"), binding(both, masters), true, true},
		{"a user only there", "", binding(both, masters+", {kind: User, name: eve}"), true, true},
		{"a user only here", binding(both, masters+", {kind: User, name: eve}"), "", true, true},
		{"a user in both", binding(both, masters+", {kind: User, name: eve}"), binding(both, masters+", {kind: User, name: eve}"), true, false},
		{"nobody", binding(both, masters), binding(both, masters), true, false},
		{"another order", binding(both, masters+", "+nodes), binding(both, nodes+", "+masters), true, false},
		{"a default of the release", "", binding(both, masters+", "+account("openshift-infra")+", "+account("kube-system")), true, false},
		{"a default of the other release", binding(both, masters), "", true, false},
		{"everybody only there", "", binding(both, oauth), true, true},
		{"nobody known only there", "", binding(both, "{kind: User, name: 'system:anonymous'}"), true, true},
		{"a user in one of the release", binding(released, masters), binding(released, masters+", {kind: User, name: eve}"), true, true},
		{"a subject of another release", binding(released, masters), binding(released, masters+", "+nodes), true, false},
		{"a subject of the same release", binding(released, masters), binding(released, masters+", "+nodes), false, true},
		{"rules of a role of the release", role(released, rules), role(released, more), false, true},
		{"rules of one of another release", role(released, rules), role(released, more), true, false},
		{"a user of constraints", scc("[]"), scc("[eve]"), true, true},
		{"the same constraints", scc("[]"), scc("[]"), true, false},
		{"a role binding", local(account("kube-system")), local(account("kube-system") + ", {kind: User, name: eve}"), true, true},
		{"nobody can create projects", binding(both, oauth), binding(own, ""), true, true},
		{"nobody could", binding(own, ""), binding(both, oauth), true, true},
		{"only there", "", binding(own, oauth), true, true},
		{"rules of the same release", role(both, rules), role(both, more), false, true},
		{"rules of another release", role(both, rules), role(both, more), true, false},
		{"rules of a user", role(made, rules), role(edited, more), true, true},
		{"rules of the API server", role(made, rules), role(made, more), true, false},
		{"rules that are not restored", role(both, rules), role(own, more), true, true},
		{"rules of other roles", role(both, rules+aggregated), role(both, more+aggregated), false, false},
		{"other rules of other roles", role(both, rules+aggregated), role(both, rules+strings.Replace(aggregated, "b", "c", 1)), false, true},
		{"the same rules", role(both, rules), role(both, rules), false, false},
	} {
		version := func(of string) string {
			return "---\napiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version, annotations: " +
				"{include.release.openshift.io/a: 'true'}}\nstatus: {desired: {version: " + of + "}}\n"
		}
		others := "4.16.1"
		if c.upgraded {
			others = "4.17.2"
		}
		users := clusterOf("a.example.com", "{}")
		for _, one := range []string{binding("", masters), local(masters), role("", rules)} {
			users += strings.Replace(strings.ReplaceAll(one, both, ""), "name: x", "name: users", 1)
		}
		run := between(t, users+version("4.16.1")+c.base, users+version(others)+c.other)
		if found := len(paths(run))+run.Summary.Objects.Unmatched+run.Summary.MissingCRs > 0; found != c.found {
			t.Errorf("%s: got %t, want %t: %q", c.name, found, c.found, paths(run))
		}
	}
}
