package crdschema_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/manifest"
)

// objects reads a file of the recording of an API server, see testdata/server/record.sh.
func objects(t *testing.T, name string) []*manifest.Object {
	t.Helper()
	text, err := os.ReadFile("testdata/server/" + name)
	if err != nil {
		t.Fatal(err)
	}
	found := manifest.Read(name, "", text, manifest.Hints{})
	if len(found.Problems) > 0 {
		t.Fatal(found.Problems)
	}
	return found.Objects
}

// recorded returns the messages of an API server by the names of CRs.
func recorded(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/server/said.txt")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, one := range strings.Split(string(text), "== ")[1:] {
		name, rest, _ := strings.Cut(one, "\n")
		said[name] = nil
		for line := range strings.Lines(rest) {
			line = strings.TrimSpace(line)
			_, message, refused := strings.Cut(line, "is invalid: ")
			unknown := regexp.MustCompile(`unknown field "[^"]*"`).FindAllString(line, -1)
			switch {
			case strings.HasPrefix(line, "applied: "): // another decoder says it in other words
			case strings.HasPrefix(line, "* "):
				said[name] = append(said[name], line[2:])
			case unknown != nil:
				said[name] = append(said[name], unknown...)
			case refused:
				said[name] = append(said[name], message)
			case strings.Contains(line, "no matches for kind"):
				said[name] = append(said[name], "apiVersion: "+line)
			}
		}
	}
	return said
}

// TestTheAPIServerRefusesTheSame compares violations with the recorded messages of an API server for
// each CR: the messages, or where the server names no field, the fields. The server checks nothing
// else of a CR that has an unknown field. Of anyOf, allOf and oneOf it also lists what is wrong with
// one of the schemas.
func TestTheAPIServerRefusesTheSame(t *testing.T) {
	set := &crdschema.Set{}
	for _, o := range objects(t, "crds.yaml") {
		if p := set.AddDefinition(o); p != nil {
			t.Fatal(p)
		}
	}
	// The server looks for unknown fields in a map where a list has to be, and stops at these.
	const elsewhere = "c09"
	said, refused := recorded(t), 0
	all := objects(t, "crs.yaml")
	for _, o := range all {
		k, others := set.Kind(o.ID.APIVersion, o.ID.Kind)
		server := said[o.ID.Name]
		if len(server) > 0 {
			refused++
		}
		if k == nil {
			if len(others) == 0 || len(server) != 1 {
				t.Errorf("%v: %v %v", o.ID, others, server)
			}
			continue
		}
		node, err := o.Node()
		if err != nil {
			t.Fatal(err)
		}
		var own []string
		for _, v := range k.Validate(t.Context(), node, crdschema.Options{NoStatus: true}) {
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
	if len(all) < 60 || refused < 55 {
		t.Errorf("of %d CRs the API server refuses %d", len(all), refused)
	}
}

// fields returns the fields of messages, without those that lie in another one.
func fields(messages []string) (all []string) {
	unnamed := regexp.MustCompile(`"(spec[^"]*)" must|in (spec\S*)$`)
	for _, m := range messages {
		path, _, _ := strings.Cut(m, ": ")
		if found := unnamed.FindStringSubmatch(m); path == "<nil>" && found != nil {
			path = found[1] + found[2]
		}
		all = append(all, path)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(path string) bool {
		return slices.ContainsFunc(all, func(above string) bool { return strings.HasPrefix(path, above+".") })
	})
}
