package source

import "testing"

func TestCandidateJudgesByName(t *testing.T) {
	read, look := Decision{Action: Read}, Decision{Action: Sniff}
	doubt := Decision{Sniff, ReasonName}
	skip := func(reason string) Decision { return Decision{Skip, reason} }
	cases := []struct {
		name string
		size int64
		want Decision
	}{
		{"a.yaml", 1, read},
		{"a.YML", 1, read},
		{"a.json", -1, read},
		{"a.yaml", 0, read},
		{"a", 0, skip(ReasonEmpty)},
		{"monitoring/rules.yaml", 1, read},
		{"overlays/logs/collector.yaml", 1, read},
		{"x/audit_logs/audit.json", 1, read},
		{"namespaces/a/pods/p/c/c/logs/current.log", 9, skip(ReasonLog)},
		{"namespaces/a/pods/p/c/c/logs/noextension", 9, skip(ReasonLog)},
		{"mg.tar!/audit_logs/x.log", 9, skip(ReasonLog)},
		{"gather-proxy.log", 9, look},
		{"version", 9, look},
		{"all.txt", 9, look},
		{"crs.jsonl", 9, read},
		{"x/audit_logs/audit.jsonl", 9, skip(ReasonLog)},
		{".git/x.yaml", 9, skip(ReasonPrivate)},
		{".git/annex/objects/x", 9, look},
		{"Kustomization", 9, read},
		{"crs.NDJSON", -1, read},
		{".hidden", 9, look},
		{"sos_commands/kubernetes/kubectl_--kubeconfig_.etc.admin.conf_get_-o_json_nodes", 9, look},
		{"event-filter.html", 9, doubt},
		{"x.stderr", 9, skip(ReasonLog)},
		{"gather.logs", 9, skip(ReasonLog)},
		{"a.yaml.orig", 9, doubt},
		{"a.yaml~", 9, doubt},
		{"chart.tpl", 9, doubt},
		{"chart.tpl", 0, skip(ReasonName)},
		{"app.jar", 9, skip(ReasonName)},
		{"a.yaml.gz", 9, skip(ReasonName)}, // unpacked, because its name says that it is packed
		{"a.yaml.gpg", 9, skip(ReasonName)},
		{"logs", 9, look},
		{"mg/timestamp", 60, read},
		{"mg/timestamp", -1, read}, // in a folder, where the size is not asked for ahead
		{"mg/timestamp", 5000, look},
	}
	for _, c := range cases {
		if got := Candidate(c.name, c.size); got != c.want {
			t.Errorf("Candidate(%q, %d) = %+v, want %+v", c.name, c.size, got, c.want)
		}
	}
}
