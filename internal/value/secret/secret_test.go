package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"math/rand"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

func TestTextsThatHoldSecrets(t *testing.T) {
	yaml := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  password: aHVudGVyMg==\n"
	object := `{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVyMg=="}}`
	quoted, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(string(quoted))
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.StdEncoding.EncodeToString
	for what, text := range map[string]string{
		"YAML": yaml, "JSON": object, "JSON quoted": string(quoted), "JSON quoted twice": string(twice), "spaced JSON": `{"kind" : "Secret"}`,
		"single quotes": "kind: 'Secret'", "fields of a log": "applied apiVersion=v1 kind=Secret name=a", "print of a map": "map[data:map[a:b] kind:Secret]", "a list of them": "kind: SecretList\nitems: []",
		"data URL": "data:text/plain;charset=utf-8;base64," + b64([]byte(yaml)), "data URL, plain": "data:," + url.PathEscape(yaml),
		"data URL, query escape": "data:," + url.QueryEscape(object), "data URL, gzip": "data:;base64," + b64(pack.GZ([]byte(yaml))),
		"base64": b64([]byte(yaml)), "base64 without padding": base64.RawURLEncoding.EncodeToString([]byte(yaml)),
		"base64 in lines": b64([]byte(yaml))[:40] + "\n" + b64([]byte(yaml))[40:],
		"gzip":            string(pack.GZ([]byte(yaml))), "gzip in base64": b64(pack.GZ([]byte(yaml))), "gzip that is cut off": b64(pack.GZ([]byte(yaml))[:80]),
		"escapes": `{"\u006bind":"\u0053ecret"}`, "binary": "kind: !!binary U2VjcmV0\ndata: {a: b}\n", "escapes in quotes": `"{\"\u006bind\":\"Secret\"}"`, "comments between": "kind: # a\n# b\nSecret\n]",
		"a head of gzip": "\x1f\x8b kind: Secret", "broken, a tag": "kind: !!str Secret\n]", "broken, an anchor": "kind: &a Secret\n]", "broken, a long tag": "kind: !<tag:yaml.org,2002:str> Secret\n]", "broken, a block": "kind: >2-\n  Secret\n]",
		"broken, a list of them": "kind: SecretList\n]", "capitals": "KIND: SECRET\nDATA: {a: b}\n", "capital letters": "Kind: secret\nData: {a: b}\n", "small letters": "kind: secret\ndata: {a: b}\n",
		"a document beside a broken one": "kind: \"\\x53ecret\"\n---\n]", "a reference beside a broken one": "a: {kind: Secret, name: b}\n---\n]", "an alias": "a: &k \"\\x53ecret\"\nb: [{kind: *k}]", "broken": yaml[:len(yaml)-20] + "\x00",
	} {
		if !searched(t, text) {
			t.Errorf("%s is not seen", what)
		}
	}
	for _, text := range []string{"", "kind: SecretStore", "kind: SealedSecret", "kind: ConfigMap", "a Secret of some kind: yes", "kind: secret",
		"kind: SecretStore\n]", "kind: !Secret\n]", "kind: &Secret a\n]", "kind: Secret_\n]", "KIND: SECRET", "secretName: a", "Secret", strings.Repeat("A", 1000), "data:,x", "base64,", "100%"} {
		if searched(t, text) {
			t.Errorf("%q is taken for one", text)
		}
	}
}

// searched reports whether a text holds a secret. Its search must reach the end.
func searched(t *testing.T, text string) bool {
	t.Helper()
	s := &Searched{}
	held := s.In(text)
	if s.Hides() != "" {
		t.Errorf("the search in %.80q is cut off", text)
	}
	return held
}

// Texts with similar words, escapes and encodings, but without a Secret, must be shown unchanged.
func TestOrdinaryTextsAreNotSecret(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	noise := rand.New(rand.NewSource(1))
	random := make([]byte, 1<<16)
	noise.Read(random)
	script := "#!/bin/bash\nset -euo pipefail\nif [[ ! -f \"/etc/x\" ]] && [ \"$1\" != 'a' ]; then printf '\\x1b[0m%s\\n' \"${2:-none}\"; fi # a Secret of this kind\n"
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  secretName: Secret\n  b: &x !!str kind\n  c: *x\n"
	prose := strings.Repeat(
		"Every kind of workload may mount a Secret, and the kind: it states, A/B or C-D, is up to the reader; see docs/Security_Model-2. ",
		50,
	)
	for what, text := range map[string]string{
		"a script": script, "one in base64": b64([]byte(script)), "one as a data URL": "data:;base64," + b64([]byte(script)), "one in percents": "data:," + url.PathEscape(script),
		"a ConfigMap": config, "one in base64 twice": b64([]byte(b64([]byte(config)))), "one in JSON": quoted(t, quoted(t, config)), "many compressed": b64(pack.GZ([]byte(strings.Repeat(config, 40)))),
		"prose": prose, "noise": string(random), "noise in base64": b64(random), "noise in hexadecimal": hex.EncodeToString(random), "HTML": html.EscapeString(script + config),
		"a certificate": "-----BEGIN CERTIFICATE-----\n" + b64(random[:900]) + "\n-----END CERTIFICATE-----\n", "blanks": strings.Repeat(" \n", 1000), "backslashes": strings.Repeat(`\`, 1000),
		"JSON of references": `{"kind":"Pod","spec":{"volumes":[{"secret":{"secretName":"a"}}],"type":"Secret"}}`,
	} {
		if searched(t, text) {
			t.Errorf("%s is taken for a Secret", what)
		}
	}
}

// Credentials must be hidden like the manifest of a Secret, in the same encodings.
func TestCredentialsAreSecret(t *testing.T) {
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	const users = "apiVersion: v1\nkind: Config\ncontexts: []\ncurrent-context: a\nusers:\n- name: a\n  user:\n    "
	for what, text := range map[string]string{
		"a private key": "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", "an RSA key": "x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE",
		"an SSH key": "-----BEGIN OPENSSH PRIVATE KEY-----", "a key behind its certificate": "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\n",
		"a pull secret": `{"auths":{"quay.io":{"auth":"dTpw","email":"a@b"}}}`, "one in YAML": "auths:\n  quay.io:\n    auth: dTpw\n",
		"one with a password": `{"auths": {"quay.io": {"username": "u", "password" : "p"}}}`, "a kubeconfig with a token": users + "token: sha256~abc\n",
		"one with a key": users + "client-key-data: LS0t\n", "one with a password in JSON": `{"contexts":[],"users":[{"user":{"password":"x"}}]}`,
		"an SSH2 key": "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAA\n", "a key of PuTTY": "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n", "a key of age": "# a comment\nAGE-SECRET-KEY-1QQPZRY\n",
		"a key of PGP": "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ==\n", "an old pull secret": `{"quay.io":{"auth":"dTpw"}}`, "an old one in YAML": "quay.io:\n  auth: dXNlcjpwYXNz\n",
		"a kubeconfig with variables":       users + "exec:\n      apiVersion: client.authentication.k8s.io/v1\n      env:\n      - name: A\n        value: abc\n",
		"a kubeconfig with a client's word": users + "auth-provider: {config: {client-secret: abc}}\n", "a user of Ignition": `{"passwd":{"users":[{"name":"core","passwordHash":"$6$salt$hash"}]}}`,
		"a password of a symbol": users + "password: '#abc'\n", "one of a hyphen": users + "token: -abc\n", "one of null": users + "password: nullabc\n", "a number": users + "password: 123456\n",
		"a program with arguments": users + "exec:\n      command: aws\n      args: [--token, abc]\n", "the headers of a registry": `{"HttpHeaders":{"X-Auth":"a"},"auths":{}}`,
		"a client of OpenShift": "kind: OAuthClient\nmetadata: {name: a}\nsecret: abc\n", "a URL": "proxy: http://user:abc@proxy.example.com:3128/\n", "a file of htpasswd": "# users\nadmin:$2y$05$abcdef\n",
		"another": "admin:$apr1$abc$def\n", "one with SHA": "admin:{SHA}abcdef=\n", "a line of shadow": "root:$6$salt$hash:19000:0:99999:7:::\n", "a hash of DES": `{"passwordHash": "abCANARY9/q1."}`, "one of Butane": "password_hash: $y$j9T$a$b\n",
		"a user alone":        "user: {token: abc}\n",
		"a broken kubeconfig": users + "token: abc\n]", "a broken one with a program": users + "exec:\n      env:\n      - name: A\n        value: abc\n]", "a broken pull secret": "auths:\n  quay.io:\n    auth: dTpw\n]",
		"one with a password of null": users + "token: nullable\n]", "a broken one with headers": "auths: {}\nHttpHeaders: a\n]",
		"users of one alone": "users:\n- name: a\n  user: {token: abc}\n", "such users in JSON": `{"kind":"Config","users":[{"user":{"username":"a","password":"x"}}]}`,
	} {
		for how, spelled := range map[string]string{"plain": text, "in base64": b64(text), "in a data URL": "data:;base64," + b64(text), "in percents": "data:," + url.PathEscape(text),
			"in JSON": quoted(t, "file:\n"+text), "compressed": b64(string(pack.GZ([]byte(text))))} {
			if !searched(t, spelled) {
				t.Errorf("%s %s is not taken for a secret: %s", what, how, spelled)
			}
		}
	}
	for what, text := range map[string]string{
		"a kubeconfig with files": users + "tokenFile: /var/run/token\n    client-certificate: /a/b.crt\n    client-key: /a/b.key\n", "prose": "Put your PRIVATE KEY here; the token: is not shown",
		"a public key of SSH2": "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n", "prose about keys": "# BEGIN PRIVATE KEY handling", "another auth": "auth: none\nmore: {auth: oidc, 'auth': 'dXNlcg=='}\n",
		"a kubeconfig with a program": users + "exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: aws\n      env: null\n",
		"a user who cannot log in":    "passwd:\n  users:\n  - name: core\n    passwordHash: '*'\n", "the schema of a hash": "passwordHash:\n  type: string\n", "a hash to come": "passwordHash: ${HASH}\n",
		"prose about registries": "auths are listed; auth: none\npassword: kept elsewhere\n", "prose about users": "users: see contexts. The token: ask the administrator\n",
		"a reference that aliases repeat": "a: &a {kind: Secret, name: values}\nb: *a\nc: *a\n",
		"a reference to a Secret":         "valuesFrom:\n- kind: Secret\n  name: values\n  valuesKey: a\n", "URLs without a password": "a: https://user@example.com/x:y@z\nb: http://example.com:8080/@scope\n", "a masked password": "a: http://joe:****@proxy.example.com:3128", "a line of a script": "x:$1 $2\ny: $6$\n",
		"broken registries": "auths: none of them\n]", "broken contexts": "contexts: []\ntoken: abc\n]", "broken users": "users: []\ntoken: abc\n]", "broken users without a program": users + "value: abc\n    args: [a]\n]",
		"broken users without a token": users + "token: null\n    password: {}\n    id-token: []\n    client-secret: ~\n    access-token:\n]", "a password outside of a registry": "password: abc\n]",
		"a pull secret that is empty": `{"auths":{}}`, "one without logins": `{"auths":{"quay.io":{"auth":""}}}`, "users without logins": "users:\n- user: a\n  role: admin\n", "a path to a key": "tls-private-key-file: /etc/key.pem\npassword: x\n",
	} {
		if searched(t, text) || searched(t, b64(text)) {
			t.Errorf("%s is taken for a secret", what)
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// No text may make the search panic or take long, and its encoding in base64 must give the same
// result.
func FuzzInText(f *testing.F) {
	for _, s := range []string{"kind: Secret", `"\u0053ecret"`, "a: &k Secret\nkind: *k", "data:,%53", "\x1f\x8b\x08", "H4sIAAAAAAAA", `\`, "%", "\\\n", "? kind\n: !<tag", "!!binary"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = "# a comment that is long enough\n" + text // not an encoding of anything
		if InText(text) && !InText(base64.StdEncoding.EncodeToString([]byte(text))) {
			t.Errorf("%q is not seen in base64", text)
		}
	})
}

// What the reader takes for a Secret must be known as one, in whatever spelling: the search asks the
// same reader.
func FuzzSpellings(f *testing.F) {
	for _, s := range []string{
		"kind: Secret", "kind:\u0085 Secret", "kind:\u2028 Secret", "kind: \"Sec\\\u0085ret\"", "kind: !<tag:yaml.org,2002:%62inary> U2VjcmV0", "%TAG !a! tag:yaml.org,2002:\n---\n!a!str kind: !a!str Secret",
		"? kind\n: Secret", "{\"kind\" : \"Secret\"}", "a: &k Secret\nkind: *k", "<<: {kind: Secret}", "\ufeffkind: Secret", "- - kind: Secret", "kind: 'Secret'\r\ndata: {}", `{"\u006bind": "\x53ecret"}`, "kind: # a\n  Secret",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		nodes, fault := (kubeyaml.Limits{Nesting: 100, Aliases: 1000, Values: 1000}).ParseAt([]byte(text), 0)
		if fault != nil {
			return
		}
		for _, n := range nodes {
			if m, _ := n.Value().(map[string]any); m != nil && m["kind"] == "Secret" && m["name"] == nil && !InText(text) {
				t.Errorf("%q is not seen", text)
			}
		}
	})
}

// Only the top-level keys of a Secret's data may be shown, wherever the Secret is nested.
func TestRedact(t *testing.T) {
	secret := func() map[string]any {
		return map[string]any{
			"kind":     "Secret",
			"metadata": map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "x", "other": "y"}},
			"data": map[string]any{
				"k":    "v",
				"deep": map[string]any{"key": "v"},
				"list": []any{"v"},
			},
			"stringData": "v",
			"type":       "Opaque",
		}
	}
	hidden := func() map[string]any {
		return map[string]any{
			"kind":       "Secret",
			"metadata":   map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "-", "other": "y"}},
			"data":       map[string]any{"k": "-", "deep": "-", "list": "-"},
			"stringData": "-",
			"type":       "Opaque",
		}
	}
	with := func(any) any { return "-" }
	nameless := secret()
	delete(nameless, "kind")
	namelessHidden := hidden()
	delete(namelessHidden, "kind")
	for what, c := range map[string]struct {
		v, want any
		scope   Scope
	}{
		"a Secret":               {secret(), hidden(), Scope{}},
		"one known by its place": {nameless, namelessHidden, OfKind("Secret")},
		"in another object":      {map[string]any{"kind": "ManifestWork", "spec": []any{secret(), "x"}}, map[string]any{"kind": "ManifestWork", "spec": []any{hidden(), "x"}}, Scope{}},
		"a List of them":         {map[string]any{"kind": "SecretList", "items": []any{nameless}}, map[string]any{"kind": "SecretList", "items": []any{namelessHidden}}, Scope{}},
		"a text":                 {[]any{"kind: Secret\ndata: {}\n", "x"}, []any{"-", "x"}, Scope{}},
		"the lines of one":       {[]any{"kind: Secret", "data:", "  a: x"}, []any{"-", "-", "-"}, Scope{}},
		"lines of JSON":          {[]any{"{", `"kind": "Secret",`, `"data": {"a": "x"}`, "}"}, []any{"-", "-", "-", "-"}, Scope{}},
		"lines from a brace on":  {[]any{`{"kind": "Secret",`, `"data": {"a": "x"}`, "}"}, []any{"-", "-", "-"}, Scope{}},
		"lines beside a map":     {[]any{map[string]any{"a": "b"}, "kind: Secret", "data:", "  a: x"}, []any{"-", "-", "-", "-"}, Scope{}},
		"a line beside a map":    {[]any{"kind: Secret", map[string]any{"a": "b"}}, []any{"-", map[string]any{"a": "b"}}, Scope{}},
		"lines beside a whole":   {[]any{`{"kind": "Secret"}`, "kind: Secret", "data:", "  a: x"}, []any{"-", "-", "-", "-"}, Scope{}},
		"lines with breaks":      {[]any{"-----BEGIN RSA PRIVATE KEY-----\n", "x\n", nil, int64(7)}, []any{"-", "-", "-", "-"}, Scope{}},
		"a whole one and others": {[]any{`{"kind": "Secret"}`, "x", "y"}, []any{"-", "x", "y"}, Scope{}},
		"metadata":               {secret()["metadata"], hidden()["metadata"], OfKind("Secret").Below("metadata", nil)},
		"data":                   {map[string]any{"k": map[string]any{"deep": "v"}}, map[string]any{"k": "-"}, OfKind("Secret").Below("data", nil)},
		"all values":             {map[string]any{"k": []any{"v", true}}, map[string]any{"k": []any{"-", "-"}}, Scope{}.Values()},
		"a number":               {map[string]any{"k": int64(7)}, map[string]any{"k": "-"}, Scope{}.Values()},
		"a number in data":       {map[string]any{"data": map[string]any{"k": int64(7)}}, map[string]any{"data": map[string]any{"k": "-"}}, OfKind("Secret")},
		"either of two":          {map[string]any{"items": []any{nameless}}, map[string]any{"items": []any{namelessHidden}}, Scope{}.Or(OfKind("SecretList"))},
	} {
		before := tree.Copy(c.v)
		got, found := c.scope.Redact(c.v, with)
		if diff := cmp.Diff(c.want, got); diff != "" || !found || !c.scope.Holds(c.v) {
			t.Errorf("%s: %s", what, diff)
		}
		if diff := cmp.Diff(before, c.v); diff != "" {
			t.Errorf("%s: the value was changed: %s", what, diff)
		}
	}
	type m = map[string]any
	for what, c := range map[string]struct{ v, want any }{
		"a patch of one":          {m{"patches": []any{m{"kind": "Secret", "name": "a", "patch": "v"}}}, m{"patches": []any{m{"kind": "Secret", "name": "a", "patch": "-"}}}},
		"a patch with its target": {m{"target": m{"kind": "Secret"}, "patch": "v"}, m{"target": m{"kind": "Secret"}, "patch": "-"}},
		"a patch of all of them":  {m{"target": m{"kind": "secrets"}, "patch": "v"}, m{"target": m{"kind": "secrets"}, "patch": "-"}},
		"a patch of no kind":      {m{"target": m{"kind": "Secret("}, "patch": "v"}, m{"target": m{"kind": "Secret("}, "patch": "-"}},
		"a patch of some kinds":   {m{"target": m{"kind": "^Secret$|ConfigMap"}, "patch": "v"}, m{"target": m{"kind": "^Secret$|ConfigMap"}, "patch": "-"}},
		"a client of OpenShift":   {m{"kind": "OAuthClient", "secret": "v", "redirectURIs": []any{"a"}}, m{"kind": "OAuthClient", "secret": "-", "redirectURIs": []any{"a"}}},
		"a user of a kubeconfig":  {m{"users": []any{m{"name": "a", "user": m{"token": "v"}}}}, m{"users": []any{m{"name": "a", "user": "-"}}}},
		"a program that logs in":  {m{"user": m{"exec": m{"env": []any{m{"value": "v"}}}}}, m{"user": "-"}},
		"another that does":       {m{"user": m{"auth-provider": m{"config": m{"id-token": "v"}}}}, m{"user": "-"}},
		"a key of one":            {m{"client-key-data": "v"}, m{"client-key-data": "-"}},
		"a pull secret":           {m{"auths": m{"quay.io": m{"identitytoken": "v"}}}, m{"auths": "-"}},
		"a pull secret of old":    {m{"quay.io": m{"auth": "dTpw"}}, m{"quay.io": m{"auth": "-"}}},
		"a user of Ignition":      {m{"users": []any{m{"passwordHash": "$6$a$b"}}}, m{"users": []any{m{"passwordHash": "-"}}}},
		"a client's annotations":  {m{"kind": "OAuthClient", "metadata": m{"annotations": m{lastApplied: "v", tokenSecret: "v"}}}, m{"kind": "OAuthClient", "metadata": m{"annotations": m{lastApplied: "-", tokenSecret: "-"}}}},
		"items that are no list":  {m{"kind": "SecretList", "items": m{"data": m{"a": "v"}}}, m{"kind": "SecretList", "items": "-"}},
		"items of other layouts":  {m{"kind": "SecretList", "items": []any{"v", m{"kind": "SecretList"}, nil}}, m{"kind": "SecretList", "items": []any{"-", "-", nil}}},
		"a login beside the data": {m{"kind": "Secret", "auths": m{"a": m{"auth": "v"}}, "data": m{}}, m{"kind": "Secret", "auths": "-", "data": m{}}},
		"one of several users":    {m{"spec": []any{m{"user": "a"}, m{"user": m{"password": "v"}}}}, m{"spec": []any{m{"user": "a"}, m{"user": "-"}}}},
	} {
		if got, found := (Scope{}).Redact(c.v, with); !found || !cmp.Equal(c.want, got) || !(Scope{}).Holds(c.v) {
			t.Errorf("%s: %v", what, got)
		}
	}
	for _, v := range []any{m{"user": "a"}, m{"user": m{"name": "a", "token": m{"type": "string"}, "exec": m{"command": "a"}}}, m{"auths": m{"a": m{"email": "b"}}}, m{"auth": "none"}, m{"passwordHash": m{"type": "string"}}, m{"HttpHeaders": m{}},
		m{"target": m{"kind": "ConfigMap"}, "patch": "v"}, m{"target": m{"kind": "SecretStore"}, "patch": "v"}, m{"target": m{}, "patch": "v"}, m{"ignoreDifferences": []any{m{"kind": "Secret", "jsonPointers": []any{"/data"}}}}} {
		if got, found := (Scope{}).Redact(v, with); found || !cmp.Equal(v, got) || (Scope{}).Holds(v) {
			t.Errorf("%v: %v", v, got)
		}
	}
	for _, v := range []any{nil, "x", 1, map[string]any{"kind": "ConfigMap", "data": map[string]any{"k": "v"}}, []any{"a", "b"}} {
		if got, found := (Scope{}).Redact(v, with); found || !cmp.Equal(v, got) || (Scope{}).Holds(v) {
			t.Errorf("%v: %v", v, got)
		}
	}
}

// What a scope says about itself decides what is shown of a pair and where.
func TestScopes(t *testing.T) {
	type is struct{ own, object, data, whole bool }
	for what, c := range map[string]struct {
		scope Scope
		want  is
	}{
		"unknown":        {Scope{}, is{own: true}},
		"all values":     {Scope{}.Values(), is{}},
		"a Secret":       {OfKind("Secret"), is{object: true}},
		"a list of them": {OfKind("SecretList"), is{}},
		"data":           {OfKind("Secret").Below("data", nil), is{data: true}},
		"in data":        {OfKind("Secret").Below("data", nil).Below("a", nil), is{data: true, whole: true}},
		"reset":          {Whole().Reset(), is{own: true}},
		"one of two":     {Whole().Or(OfKind("Secret")), is{data: true, whole: true}},
		"twice the same": {OfKind("Secret").Or(OfKind("Secret")), is{object: true}},
	} {
		if got := (is{c.scope.IsOwn(), c.scope.IsObject(), c.scope.IsData(), c.scope.IsWhole()}); got != c.want {
			t.Errorf("%s: %+v, want %+v", what, got, c.want)
		}
	}
}

// TestScopesOfItems checks the scopes of items of lists, which may be lines of a text, and which scope two have
// together.
func TestScopesOfItems(t *testing.T) {
	list := []any{map[string]any{"kind": "Secret", "data": map[string]any{"a": "x"}}, map[string]any{"data": map[string]any{"a": "x"}}}
	lines := []any{"users: [{name: a, user:", "{token: abc}}]", map[string]any{"a": "b"}}
	for _, c := range []struct {
		value any
		path  refconfig.FieldPath
		want  bool
	}{
		{list, refconfig.FieldPath{{Index: 0}, refconfig.Key("data"), refconfig.Key("a")}, true}, {list, refconfig.FieldPath{{Index: 1}, refconfig.Key("data"), refconfig.Key("a")}, false},
		{lines, refconfig.FieldPath{{Index: 0}}, true}, {lines, refconfig.FieldPath{{Index: 1}}, true}, {lines[:1], refconfig.FieldPath{{Index: 0}}, false},
	} {
		if _, at := (Scope{}).At(c.value, c.path); at.IsWhole() != c.want {
			t.Errorf("%s: secret as a whole is %v", c.path, at.IsWhole())
		}
	}
	var open Scope
	secret, data := OfKind("Secret"), OfKind("Secret").Below("data", nil)
	if !open.Or(secret).IsObject() || !secret.Or(open).IsObject() || !secret.Or(secret).IsObject() || !secret.Or(data).IsWhole() || !open.Or(open).IsOwn() {
		t.Error("two scopes together are another")
	}
	if all := open.Values(); all.IsOwn() || all.Or(open).IsOwn() || open.Or(all).IsOwn() {
		t.Error("values that are secret are so only alone")
	}
}

// A value that takes too long to look at counts as secret.
func TestHugeValuesAreSecret(t *testing.T) {
	nested := func(n int) (v any) {
		for i := range n {
			if v = []any{v}; i%2 == 0 {
				v = map[string]any{"a": v.([]any)[0]}
			}
		}
		return v
	}
	values := func(n int) any { return slices.Repeat([]any{map[string]any(nil)}, n-1) }
	for what, c := range map[string]struct {
		v    any
		want bool
	}{
		"deep": {nested(20_000 - 1), false}, "too deep": {nested(20_000), true},
		"large": {values(2_000_000), false}, "too large": {values(2_000_001), true},
	} {
		if got := (Scope{}).Holds(c.v); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// Nodes that aliases repeat must be searched once, and a short text must be cheap even if it
// unpacks to much, because an object may have ten thousand.
func TestShortTextsCostLittle(t *testing.T) {
	document := "[&a [1,1,1,1,1,1,1,1,1],&b [*a,*a,*a,*a,*a,*a,*a,*a,*a],&c [*b,*b,*b,*b,*b,*b,*b,*b],[*c,*c,*c,*c,*c,*c,*c,*c,*c]]"
	for what, text := range map[string]string{
		"aliases":    document + " # kind Secret",
		"merge keys": "kindSecret: &a {" + strings.Repeat("a: 1, ", 1) + "}\nb: {" + strings.Repeat("<<: *a, ", 200) + "}",
	} {
		if n := testing.AllocsPerRun(1, func() { InText(text) }); n > 6000 {
			t.Errorf("%s: looking into a text of %d bytes takes %v allocations", what, len(text), n)
		}
	}
}

// These cases show which fields make a value count as credentials.
func TestLogins(t *testing.T) {
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	registries := func(n int) map[string]any {
		all := map[string]any{}
		for i := range n {
			all[strconv.Itoa(i)] = map[string]any{"email": "a"}
		}
		return all
	}
	for _, c := range []struct {
		key  string
		v    any
		want bool
	}{
		{"auth", b64("user:word"), true}, {"auth", b64("user"), false}, {"auth", b64("user:w\x01rd"), false}, {"auth", b64("user:wörd"), true}, {"auth", b64("user:w\xf6rd"), true}, {"auth", b64(":word"), false}, {"auth", "user:word", false},
		{"auth", base64.RawURLEncoding.EncodeToString([]byte("user:ÿÿÿ???>>>")), true}, {"auth", "none", false}, {"auth", "kubernetes.io/oidc", false},
		{"passwordHash", "*", false}, {"passwordHash", "${HASH}", false}, {"passwordHash", "abCANARY9/q1.", true}, {"password_hash", "$y$j9T$a$b", true},
		{"user", map[string]any{"exec": map[string]any{"command": "a", "args": []any{"--token", "b"}}}, true}, {"user", map[string]any{"password": int64(123456)}, true},
		{"auths", registries(1000), false}, {"auths", map[string]any{"a": map[string]any{"auth": "x"}}, true},
	} {
		if got := isCredentials(c.key, c.v); got != c.want {
			t.Errorf("%s: %.60v: %v", c.key, c.v, got)
		}
	}
	for text, want := range map[string]bool{
		"auth: " + b64("user:word"): true, "x-auth: " + b64("user:word"): false, "unauth: " + b64("user:word"): false, "- auth: " + b64("user:word"): true,
		"]users: user: token: null": false, "]users: user: token: ~": false, "]users: user: token: ,": false, "]users: user: token: }": false, "]users: user: token:": false, "]users: user: token: nul": true,
		"passwordHash: $6$salt$hash": true, "no-passwordHash: $6$salt$hash": false,
		"xpasswordHash: $6$salt$hash": false, "-passwordHash: $6$salt$hash": false, `\npasswordHash: $6$salt$hash`: true, "passwordHash: }": false, "passwordHash: *, more": false,
		"]client-key-data: LS0t": true, "]client-key-data: null": false, "]OAuthClient secret: a": true, "]secret: a": false, "]OAuthClient": false,
	} {
		if got := hasCredentials(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Of the keys that a CR has twice, those in the data of a Secret must be hidden, and no other.
func TestKeys(t *testing.T) {
	nodes, fault := kubeyaml.Limits{}.OrDefault().ParseAt([]byte("kind: Secret\ndata: {key: {nested: v}}\n"), 0)
	if fault != nil {
		t.Fatal(fault)
	}
	for _, c := range []struct{ keys, want []string }{
		{nil, nil}, {[]string{"nested"}, []string{"(hidden key)"}}, {[]string{"key", "nested"}, []string{"key", "(hidden key)"}},
	} {
		var keys []*kubeyaml.Node
		for _, k := range c.keys {
			keys = append(keys, &kubeyaml.Node{Text: k})
		}
		var got []string
		for _, k := range Keys(keys, nodes[0].Value().(map[string]any)) {
			got = append(got, k.Text)
		}
		if !cmp.Equal(c.want, got) {
			t.Errorf("%v: %v", c.keys, got)
		}
	}
}

// A letter, digit or underscore next to a word makes it another word.
func TestWordCharacters(t *testing.T) {
	for c := range rune(256) {
		if isWord(byte(c)) != regexp.MustCompile(`^[[:word:]]$`).MatchString(string(c)) {
			t.Errorf("%q: %v", c, isWord(byte(c)))
		}
	}
}

// TestSearchingTakesLittleMemory: a long text that is no base64 is not copied, and one that is takes no
// more than what it means.
func TestSearchingTakesLittleMemory(t *testing.T) {
	const size = 4 << 20
	for text, most := range map[string]uint64{
		strings.Repeat("a longer text, ", size/15): 1000, strings.Repeat("abcd-_ \n", size/8): size,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := fromBase64(text)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > most || len(got) != 0 && len(got) != size*6/8*3/4 {
			t.Errorf("%.10q: %d bytes allocated for %d", text, taken, len(got))
		}
	}
}

// Of a Secret, its own fields and those of its metadata and annotations stand apart.
func TestOpened(t *testing.T) {
	for path, want := range map[string]bool{
		"metadata": true, "metadata.annotations": true, "metadata.labels": false, "metadata.annotations.a": false, "data": false,
		"data.annotations": false, "spec.metadata.annotations": false,
	} {
		p, err := refconfig.ParseFieldPath(path)
		if err != nil || Opened(p) != want {
			t.Errorf("%s: %v, want %v, %v", path, Opened(p), want, err)
		}
	}
	if !Opened(nil) {
		t.Error("the object itself is no map of its fields")
	}
}
