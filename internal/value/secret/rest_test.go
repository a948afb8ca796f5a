package secret

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestRest: two values have the same rest if they differ only in credentials, and not if anything else
// differs: what is beside a credential, whose it is, and whether there is one.
func TestRest(t *testing.T) {
	type m = map[string]any
	type l = []any
	secret := func(value any) m { return m{"kind": "Secret", "metadata": m{"name": "s"}, "data": m{"k": value}} }
	user := func(key string, v any) m { return m{"user": m{"token": "a", key: v}} }
	noted := func(kind, text string) m { return m{"kind": kind, "metadata": m{"annotations": m{lastApplied: text}}} }
	key := func(data string) string {
		return "-----BEGIN PRIVATE KEY-----\n" + data + "\n-----END PRIVATE KEY-----\n"
	}
	all := Scope{}.Values()
	for what, c := range map[string]struct {
		scope Scope
		a, b  any
		same  bool
	}{
		"data":                          {a: secret("x"), b: secret("y"), same: true},
		"data of another key":           {a: secret("x"), b: m{"kind": "Secret", "metadata": m{"name": "s"}, "data": m{"l": "x"}}},
		"data in a map":                 {a: secret(m{"deep": "x"}), b: secret(m{"deep": "y"}), same: true},
		"data in a map, another key":    {a: secret(m{"deep": "x"}), b: secret(m{"deeper": "x"})},
		"data in a list":                {a: secret(l{"x"}), b: secret(l{int64(1)}), same: true},
		"a longer list of data":         {a: secret(l{"x"}), b: secret(l{"x", "x"})},
		"empty data":                    {a: secret(""), b: secret("x")},
		"no data":                       {a: secret(nil), b: secret("x")},
		"no data and empty":             {a: secret(nil), b: secret("")},
		"the name of a Secret":          {a: secret("x"), b: m{"kind": "Secret", "metadata": m{"name": "t"}, "data": m{"k": "x"}}},
		"data by the place":             {scope: OfKind("Secret"), a: m{"data": m{"k": "x"}}, b: m{"data": m{"k": "y"}}, same: true},
		"the same without a kind":       {a: m{"data": m{"k": "x"}}, b: m{"data": m{"k": "y"}}},
		"all values":                    {scope: all, a: m{"k": l{"x", int64(1)}}, b: m{"k": l{int64(2), "y"}}, same: true},
		"all values, not the keys":      {scope: all, a: m{"k": "x"}, b: m{"l": "x"}},
		"no secret":                     {a: m{"k": "x"}, b: m{"k": "y"}},
		"a copy of the object":          {a: noted("Secret", `{"kind":"Secret","data":{"k":"x"}}`), b: noted("Secret", `{"kind":"Secret","data":{"k":"y"}}`), same: true},
		"another copy":                  {a: noted("Secret", `{"kind":"Secret","data":{"k":"x"}}`), b: noted("Secret", `{"kind":"Secret","data":{"l":"x"}}`)},
		"a copy in another object":      {a: noted("Pod", `{"kind":"Secret","data":{"k":"x"}}`), b: noted("Pod", `{"kind":"Secret","data":{"k":"y"}}`), same: true},
		"a copy of another object":      {a: noted("Pod", `{"kind":"Pod","spec":"x"}`), b: noted("Pod", `{"kind":"Pod","spec":"y"}`)},
		"a patch of a Secret":           {a: m{"target": m{"kind": "Secret"}, "patch": "kind: Secret\ndata: {k: x}"}, b: m{"target": m{"kind": "Secret"}, "patch": "kind: Secret\ndata: {k: y}"}, same: true},
		"another patch":                 {a: m{"target": m{"kind": "Secret"}, "patch": "kind: Secret\ndata: {k: x}"}, b: m{"target": m{"kind": "Secret"}, "patch": "kind: Secret\ndata: {l: x}"}},
		"data named as a patch":         {a: m{"kind": "Secret", "data": m{"patch": "x"}}, b: m{"kind": "Secret", "data": m{"patch": "y"}}, same: true},
		"data that is a text":           {a: m{"kind": "Secret", "data": "x"}, b: m{"kind": "Secret", "data": "y"}, same: true},
		"a token":                       {a: user("token", "x"), b: user("token", "y"), same: true},
		"a name beside a token":         {a: user("name", "x"), b: user("name", "y")},
		"a command beside a token":      {a: user("exec", m{"args": l{"x"}}), b: user("exec", m{"args": l{"y"}})},
		"a token in a list":             {a: user("more", l{m{"client-secret": "x"}, "z"}), b: user("more", l{m{"client-secret": "y"}, "z"}), same: true},
		"beside a token in a list":      {a: user("more", l{m{"client-secret": "x"}, "z"}), b: user("more", l{m{"client-secret": "x"}, "a"})},
		"a header":                      {a: m{"HttpHeaders": m{"X": l{"x"}}}, b: m{"HttpHeaders": m{"X": l{"y"}}}},
		"the value of a header":         {a: m{"HttpHeaders": m{"X": "x"}}, b: m{"HttpHeaders": m{"X": "y"}}, same: true},
		"a header inside one":           {a: m{"HttpHeaders": m{"X": m{"Y": "x"}}}, b: m{"HttpHeaders": m{"X": m{"Y": "y"}}}, same: true},
		"the name of a header":          {a: m{"HttpHeaders": m{"X": "x"}}, b: m{"HttpHeaders": m{"Y": "x"}}},
		"a hash":                        {a: m{"passwordHash": "$6$a$b"}, b: m{"passwordHash": "$6$c$d"}, same: true},
		"a hash and a locked account":   {a: m{"passwordHash": "$6$a$b"}, b: m{"passwordHash": "*"}},
		"lines":                         {a: l{"kind: Secret", nil, "data:", "  k: x", m{"a": "b"}}, b: l{"kind: Secret", nil, "data:", "  k: y", m{"a": "b"}}, same: true},
		"a map beside lines":            {a: l{"kind: Secret", "data:", "  k: x", m{"a": "b"}}, b: l{"kind: Secret", "data:", "  k: x", m{"a": "c"}}},
		"a Secret beside lines":         {a: l{"kind: Secret", "data:", "  k: x", secret("x")}, b: l{"kind: Secret", "data:", "  k: x", secret("y")}, same: true},
		"a number beside lines":         {a: l{"kind: Secret", "data: {k: x}", "---", int64(1)}, b: l{"kind: Secret", "data: {k: x}", "---", int64(2)}},
		"another line":                  {a: l{"kind: Secret", "data:", "  k: x", "# a"}, b: l{"kind: Secret", "data:", "  k: x", "# b"}},
		"a line of two":                 {a: l{"a: b\nc: d", "kind: Secret", "data: {k: x}"}, b: l{"a: b\nc: d", "kind: Secret", "data: {k: y}"}, same: true},
		"a URL in lines":                {a: l{"a: b", "url: http://u:p@a/"}, b: l{"a: b", "url: http://u:q@a/"}, same: true},
		"another host in lines":         {a: l{"kind: map", "url: http://u:p@a/"}, b: l{"kind: map", "url: http://u:p@b/"}},
		"a host in a text in lines":     {a: l{"kind: map", `text: "url: http://u:p@a/\nb: c"`}, b: l{"kind: map", `text: "url: http://u:p@b/\nb: c"`}},
		"a credential of several lines": {a: l{"a: b", `kind: Secret`, `data: {k: "x`, `  y"}`, "z: z"}, b: l{"a: b", `kind: Secret`, `data: {k: "x`, `  z"}`, "z: z"}},
	} {
		before := tree.Copy(c.a)
		if got := tree.Equal(c.scope.Rest(c.a), c.scope.Rest(c.b)); got != c.same {
			t.Errorf("%s: the rests are equal is %v\n%#v\n%#v", what, got, c.scope.Rest(c.a), c.scope.Rest(c.b))
		}
		if !tree.Equal(before, c.a) {
			t.Errorf("%s: the value was changed", what)
		}
		if !c.scope.Holds(c.a) && !tree.Equal(c.scope.Rest(c.a), c.a) {
			t.Errorf("%s: the rest of a value without a secret is %#v", what, c.scope.Rest(c.a))
		}
	}
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	// In each text, CRED is a credential, and ELSE something else.
	for what, text := range map[string]string{
		"YAML": "kind: Secret # ELSE\ndata: {k: CRED}\n", "a key": "kind: Secret\ndata: {ELSE: CRED}\n", "JSON": `{"kind":"Secret","data":{"k":"CRED"},"type":"ELSE"}`,
		"a later document": "a: ELSE\n---\nkind: Secret\ndata: {k: CRED}\n", "two data": "kind: Secret\ndata: {k: CRED, l: 'CRED', m: \"CRED\"}\nmore: ELSE\n",
		"an alias": "a: &a {kind: Secret, data: {k: CRED}}\nb: *a\nc: ELSE\n", "a block": "kind: Secret\ndata:\n  k: |\n    CRED\n    CRED\nb: ELSE\n",
		"beside a scalar": "--- ELSE\n---\nkind: Secret\ndata: {k: CRED}\n", "a private key": "a: ELSE\n" + key("CRED"), "a key in a field": "a: ELSE\nk: |\n  " + strings.ReplaceAll(key("CRED"), "\n", "\n  "),
		"a key of age": "# ELSE\nAGE-SECRET-KEY-CRED\n", "a URL": "http://u:CRED@ELSE/", "a user": "http://ELSE:CRED@a/", "a script": "curl http://u:CRED@a/ # ELSE\n", "two URLs": "a http://u:CRED@a/ b http://u:CRED@b/ ELSE",
		"a masked one beside another": "a http://u:***@ELSE/ b http://u:CRED@b/", "htpasswd": "ELSE:$2y$05$CRED\n", "a broken pull secret": "auths:\n  ELSE:\n    password: CRED\n]", "a comment": "kind: Secret\n# http://u:CRED@ELSE/\ndata: {k: CRED}\n",
		"a comment at the end": "kind: Secret\ndata: {k: CRED}\n# http://u:CRED@ELSE/\n", "a token in a script": "users: user: contexts: token: CRED ELSE\n]", "a list of lines": "args:\n- 'kind: Secret'\n- 'data: {k: CRED}'\n- '# ELSE'\n",
	} {
		for how, spelled := range map[string]func(string) string{
			"plain": func(s string) string { return s }, "in base64": b64, "in a data URL": func(s string) string { return "data:;base64," + b64(s) },
			"in percents": func(s string) string { return "data:," + url.PathEscape(s) }, "compressed": func(s string) string { return b64(string(pack.GZ([]byte(s)))) },
			"in YAML": func(s string) string { return "a:\n- b: " + quoted(t, s) + "\n" }, "in YAML, twice": func(s string) string { return "a: " + quoted(t, "b: "+quoted(t, s)) },
		} {
			with := func(x, y string) any {
				return Scope{}.Rest(spelled(strings.NewReplacer("CRED", x, "ELSE", y).Replace(text)))
			}
			if with("abc", "one") != with("defgh", "one") {
				t.Errorf("%s %s: the credential is in the rest\n%q\n%q", what, how, with("abc", "one"), with("defgh", "one"))
			}
			if with("abc", "one") == with("abc", "two") {
				t.Errorf("%s %s: another text has the same rest: %q", what, how, with("abc", "one"))
			}
		}
	}
	// What these differ in could be no credential.
	for _, pair := range [][2]string{
		{"kind: Secret\ndata: {k: x}\ndata: {k: x}\n", "kind: Secret\ndata: {k: y}\ndata: {k: x}\n"}, {"data:a,b", "data:c,b"}, {"data:a," + b64("kind: Secret"), "data:b," + b64("kind: Secret")},
		{"data:a,kind: Secret", "data:b,kind: Secret"}, {"kind: Secret\ndata: {k: .nan}", "kind: Secret\ndata: {k: .inf}"},
	} {
		if (Scope{}).Rest(pair[0]) == (Scope{}).Rest(pair[1]) {
			t.Errorf("%q and %q have the same rest", pair[0], pair[1])
		}
	}
}

// TestTheRestOfTextsInTextsIsShort: texts inside texts are searched down to a few levels, and each adds
// only its own length to the rest.
func TestTheRestOfTextsInTextsIsShort(t *testing.T) {
	text := func(levels int, word string) string {
		text := fmt.Sprintf("kind: Secret\ndata: {a: %s}\n", word)
		for range levels {
			text = "a: |\n  " + strings.ReplaceAll(text, "\n", "\n  ")
		}
		return text
	}
	for levels := range 40 {
		one, two := (Scope{}).Rest(text(levels, "one")).(string), (Scope{}).Rest(text(levels, "two")).(string)
		if most := 20 * (100 + len(text(levels, "one"))); len(one) > most {
			t.Fatalf("%d levels: %d bytes, want at most %d", levels, len(one), most)
		}
		if same := levels < int(mostNested); (one == two) != same {
			t.Errorf("%d levels: the rests are equal is %v", levels, one == two)
		}
	}
}
