package crdschema_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// recorded returns the messages of an API server by the names of CRs: those of `kubectl create`, and
// the one of `kubectl apply --server-side`.
func recorded(t *testing.T) (created, applied map[string][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/server/said.txt")
	if err != nil {
		t.Fatal(err)
	}
	created, applied = map[string][]string{}, map[string][]string{}
	for _, one := range strings.Split(string(text), "== ")[1:] {
		name, rest, _ := strings.Cut(one, "\n")
		for line := range strings.Lines(rest) {
			said := created
			line, byApply := strings.CutPrefix(strings.TrimSpace(line), "applied: ")
			if byApply {
				said = applied
			}
			said[name] = append(said[name], messagesIn(line)...)
		}
	}
	return created, applied
}

// messagesIn returns the messages in a line of the recording.
func messagesIn(line string) []string {
	_, message, refused := strings.Cut(line, "is invalid: ")
	unknown := regexp.MustCompile(`unknown field "[^"]*"`).FindAllString(line, -1)
	typed := regexp.MustCompile(`(?:typed patch object \(.*\): |^ +)\.(\S+: .*)`).FindStringSubmatch(line)
	switch {
	case strings.HasPrefix(line, "* "):
		return []string{line[2:]}
	case unknown != nil:
		return unknown
	case typed != nil:
		return typed[1:]
	case refused && message != "":
		return []string{message}
	case strings.Contains(line, "no matches for kind"):
		return []string{"apiVersion: " + line}
	}
	return nil
}

// definitions returns the definitions of the recording, see testdata/server/record.sh.
func definitions(t *testing.T) *crdschema.Set {
	t.Helper()
	set := &crdschema.Set{}
	for _, o := range given.Folders(t, "testdata/server/crds.yaml") {
		if p := set.AddDefinition(o); p != nil {
			t.Fatal(p)
		}
	}
	return set
}

// violations returns the violations of an object.
func violations(t *testing.T, k *crdschema.Kind, o *manifest.Object) []crdschema.Violation {
	t.Helper()
	node, err := o.Node()
	if err != nil {
		t.Fatal(err)
	}
	return k.Validate(t.Context(), node, crdschema.Options{NoStatus: true})
}

// TestTheAPIServerRefusesTheSame compares violations with the recorded messages of `kubectl create`
// for each CR: the messages, or where the server names no field, the fields. The server checks nothing
// else of a CR that has an unknown field. Of anyOf, allOf and oneOf it also lists what is wrong with
// one of the schemas.
func TestTheAPIServerRefusesTheSame(t *testing.T) {
	// The server looks for unknown fields in a map where a list has to be, and stops at these.
	const elsewhere = "c09"
	set := definitions(t)
	said, _ := recorded(t)
	for _, o := range given.Folders(t, "testdata/server/crs.yaml") {
		k, others := set.Kind(o.ID.APIVersion, o.ID.Kind)
		server := said[o.ID.Name]
		if k == nil {
			if len(others) == 0 || len(server) != 1 {
				t.Errorf("%v: %v %v", o.ID, others, server)
			}
			continue
		}
		var own []string
		for _, v := range violations(t, k, o) {
			strict := len(server) > 0 && strings.HasPrefix(server[0], "unknown field")
			if !strict || v.Reason == crdschema.Unknown {
				own = append(own, v.Error())
			}
		}
		slices.Sort(own)
		slices.Sort(server)
		if slices.Equal(own, server) || o.ID.Name == elsewhere {
			continue
		}
		if a, b := fields(own), fields(server); !slices.Equal(a, b) {
			t.Errorf("%v is refused at %q, by the API server at %q:\n%s\n%s", o.ID, a, b,
				strings.Join(own, "\n"), strings.Join(server, "\n"))
		}
	}
	maps.DeleteFunc(said, func(_ string, messages []string) bool { return len(messages) == 0 })
	if len(said) < 70 {
		t.Errorf("the API server refuses only %d CRs", len(said))
	}
}

// TestServerSideApplyRefusesTheSame compares violations with the recorded messages of `kubectl apply
// --server-side`, which stops at the first problem of some sorts. Every field that it names has a
// violation, or is in one that has. It differs from `kubectl create` for some CRs, which a comparison
// of recorded objects does not have, or cannot know.
func TestServerSideApplyRefusesTheSame(t *testing.T) {
	differs := map[string]string{
		"c13": "it keeps a null, which create drops, and which no recorded object has",
		"c40": "it keeps a null",
		"c45": "it looks for no unknown field below x-kubernetes-preserve-unknown-fields",
		"c70": "it checks the type of status, which create drops",
	}
	set := definitions(t)
	_, said := recorded(t)
	for _, o := range given.Folders(t, "testdata/server/crs.yaml") {
		k, _ := set.Kind(o.ID.APIVersion, o.ID.Kind)
		server := fields(said[o.ID.Name])
		if k == nil {
			continue
		}
		var own []string
		for _, v := range violations(t, k, o) {
			own = append(own, v.Error())
		}
		agree := (len(own) == 0) == (len(server) == 0)
		for _, path := range server {
			agree = agree && slices.ContainsFunc(fields(own), func(f string) bool {
				return f == path || strings.HasPrefix(f, path+".") || strings.HasPrefix(f, path+"[")
			})
		}
		if _, known := differs[o.ID.Name]; agree == known {
			t.Errorf("%v is refused at %q, by server-side apply at %q", o.ID, fields(own), server)
		}
	}
}

// fields returns the fields of messages, without those that lie in another one.
func fields(messages []string) (all []string) {
	unnamed := regexp.MustCompile(`"(spec[^"]*)" must|in (spec\S*)$`)
	for _, m := range messages {
		path, _, _ := strings.Cut(m, ": ")
		if quoted := strings.TrimPrefix(path, "unknown field "); quoted != path {
			path = strings.Trim(quoted, `"`)
		}
		if found := unnamed.FindStringSubmatch(m); path == "<nil>" && found != nil {
			path = found[1] + found[2]
		}
		all = append(all, path)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slice.Without(all, func(path string) bool {
		return slices.ContainsFunc(all, func(above string) bool { return strings.HasPrefix(path, above+".") })
	})
}
