package generate_test

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"
)

// TestOnlyCredentialsAreAClustersOwn: a text that holds a credential is compared like any other. Only the
// credential itself may differ, and a credential on one side only is a difference.
func TestOnlyCredentialsAreAClustersOwn(t *testing.T) {
	const (
		key     = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"
		config  = "apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: \"https://a\"}\nusers:\n- name: u\n  user: {token: abc}\n"
		both    = "kind: Secret\nmetadata: {name: s}\ndata: {x: YWJj}\n---\nkind: ConfigMap\ndata: {mode: a}\n"
		script  = "#!/bin/sh\ncurl https://u:pw@a.example.org/x\nreplicas=1\n"
		auths   = `{"auths":{"quay.io":{"auth":"dTpwdw=="}}}`
		login   = "https://u:pw@a.example.org/x"
		users   = "kind: map\nu:$2y$05$abcdefgh\n"
		applied = "set -e\ncat <<EOF\n" + `{"auths":{"quay.io":{"auth":"dTpwdw=="}}}` + "\nEOF\n"
	)
	encoded := func(text string) string {
		return "data:text/plain;base64," + base64.StdEncoding.EncodeToString([]byte(text))
	}
	in := strings.ReplaceAll
	for name, c := range map[string]struct{ a, b string }{
		"another host":             {login, in(login, "a.ex", "evil.ex")},
		"another user":             {login, in(login, "u:", "root:")},
		"another host and secret":  {login, in(in(login, "a.ex", "evil.ex"), "pw", "xy")},
		"the credential is off":    {login, "off"},
		"the credential is gone":   {login, ""},
		"the password is gone":     {login, in(login, "u:pw@", "")},
		"the password is masked":   {login, in(login, "pw", "***")},
		"it reads as hidden":       {login, "(hidden)"},
		"another line":             {script, in(script, "=1", "=9")},
		"one more line":            {script, script + "reboot\n"},
		"another comment":          {config, "# b\n" + config},
		"an encoded line":          {encoded(script), encoded(in(script, "=1", "=9"))},
		"another server":           {config, in(config, "https://a", "https://evil")},
		"less checks":              {config, in(config, `"https://a"`, `"https://a", insecure-skip-tls-verify: true`)},
		"another registry":         {auths, in(auths, "quay", "evil")},
		"one more registry":        {auths, in(auths, "}}}", `},"b.io":{"auth":"dTpwdw=="}}}`)},
		"a registry in a script":   {applied, in(applied, "quay", "evil")},
		"beside a Secret":          {both, in(both, "mode: a", "mode: b")},
		"the name of a Secret":     {both, in(both, "name: s", "name: s2")},
		"a key of a Secret":        {both, in(both, "{x:", "{y:")},
		"beside a private key":     {"mode: a\n" + key, "mode: b\n" + key},
		"a key inside YAML":        {"mode: a\nkey: |\n  " + in(key, "\n", "\n  "), "mode: b\nkey: |\n  " + in(key, "\n", "\n  ")},
		"another user of htpasswd": {users, in(users, "u:", "root:")},
	} {
		for spec, at := range map[string]string{"{text: T}": "spec.text", "{args: [run, T, --last]}": "spec.args.1"} {
			state := func(text string) string {
				return clusterOf("a.example.com", in(spec, "T", strconv.Quote(text)))
			}
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				run := between(t, state(pair[0]), state(pair[1]))
				got := strings.Join(paths(run), " ")
				if !strings.Contains(got, at) && !strings.HasPrefix(got, "spec.args") || len(run.Base.Own) > 0 {
					t.Errorf("%s: %s: %q to %q: %q differ; %v", name, spec, pair[0], pair[1], got, run.Base.Own)
				}
			}
		}
	}
	for name, c := range map[string]struct{ a, b string }{
		"a password":            {login, in(login, "pw", "xyz")},
		"a domain and password": {in(login, "a.example.org", "x.east.example.com"), in(in(login, "pw", "xyz"), "a.example.org", "x.west.example.com")},
		"in a script":           {script, in(script, "pw", "xyz")},
		"encoded":               {encoded(script), encoded(in(script, "pw", "xyz"))},
		"a token":               {config, in(config, "abc", "xyz")},
		"of a registry":         {auths, in(auths, "dTpwdw", "dTp4eXo")},
		"registry in a script":  {applied, in(applied, "dTpwdw", "dTp4eXo")},
		"data of a Secret":      {both, in(both, "YWJj", "eHl6enp6")},
		"a private key":         {key, in(key, "MIIB", "MIIC\nMIID")},
		"a key inside YAML":     {"key: |\n  " + in(key, "\n", "\n  "), "key: |\n  " + in(in(key, "MIIB", "MIIC"), "\n", "\n  ")},
		"a hash of htpasswd":    {users, in(users, "abcdefgh", "hgfedcba")},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}, {c.a, c.a}} {
			domains := []string{"east.example.com", "west.example.com"}
			if strings.Contains(pair[0], domains[1]) {
				domains[0], domains[1] = domains[1], domains[0]
			}
			if pair[0] == pair[1] {
				domains[1] = domains[0]
			}
			run := between(t, clusterOf(domains[0], "{text: "+strconv.Quote(pair[0])+"}"), clusterOf(domains[1], "{text: "+strconv.Quote(pair[1])+"}"))
			secrets := 0
			for _, own := range run.Base.Own {
				if own.Name == "secrets" {
					secrets = own.Count
				}
			}
			listed := 0
			for _, f := range run.Base.Fields {
				if f.Name == "secrets" && f.Base == "(hidden)" && f.Other == "(hidden)" {
					listed++
				}
			}
			want := 1
			if pair[0] == pair[1] {
				want = 0
			}
			if got := paths(run); len(got) > 0 || secrets != want || listed != want {
				t.Errorf("%s: %q to %q: %q differ, %d of %d secrets listed, want %d", name, pair[0], pair[1], got, listed, secrets, want)
			}
		}
	}
}

// TestWhatIsHiddenIsSaidToDiffer: where nobody knows which part of a text is the credential, all of it is hidden, and
// the expected text says that it is another one.
func TestWhatIsHiddenIsSaidToDiffer(t *testing.T) {
	key := func(line string) string {
		return clusterOf("a.example.com", "{text: "+strconv.Quote("PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\n"+line+"\n")+"}")
	}
	run := between(t, key("AAAAB3NzaC1yc2E"), key("BBBBB3NzaC1yc2E"))
	for _, c := range run.Comparisons {
		for _, d := range c.Differences {
			if string(d.Reference) != `"(another hidden text, 64 bytes)"` || strings.Contains(string(d.Input), "B3Nz") {
				t.Errorf("expected %s, found %s", d.Reference, d.Input)
			}
		}
	}
	if len(paths(run)) != 1 {
		t.Error("another key agrees")
	}
}
