package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/run/code"
)

// TestFewRequiredCRs: an alarm where less than a quarter of at least eight required CRs exist and no
// component is complete. CRs that may not have been collected do not count.
func TestFewRequiredCRs(t *testing.T) {
	for _, c := range []struct {
		components [][]string // each has its required CRs
		there      string     // the CRs of the input
		gathered   bool
		want       string
	}{
		{[][]string{{"a", "b", "c", "d"}, {"e", "f", "g", "h"}}, "a", false,
			"of 8 required CRs only 1 exists, and no component is complete: this may be the wrong reference, " +
				"or only a part of the CRs, which --given judges by themselves"},
		{[][]string{{"a", "b", "c", "d"}, {"e", "f", "g"}}, "a", false, ""},
		{[][]string{{"a", "b", "c", "d"}, {"e", "f", "g", "h"}}, "ae", false, ""},
		{[][]string{{"a", "b", "c", "d"}, {"e", "f", "g", "h", "i"}}, "ae", false,
			"of 9 required CRs only 2 exist, and no component is complete: this may be the wrong reference, " +
				"or only a part of the CRs, which --given judges by themselves"},
		{[][]string{{"a"}, {"b", "c", "d", "e", "f", "g", "h", "i"}}, "a", false, ""},
		{[][]string{{"a", "b", "c", "d", "e", "f", "g", "h"}}, "x", false,
			"none of the 8 required CRs exists: this may be the wrong reference, " +
				"or only a part of the CRs, which --given judges by themselves"},
		{[][]string{{"a", "b", "c", "d", "e", "f", "g", "h"}}, "x", true,
			"none of the 8 required CRs exists: this may be the wrong reference"},
	} {
		files := map[string]string{}
		var components []string
		for i, names := range c.components {
			var paths []string
			for _, name := range names {
				files[name+".yaml"] = configMap("ns", name, "k: v")
				paths = append(paths, "{path: "+name+".yaml}")
			}
			components = append(components, fmt.Sprintf("{name: c%d, allOf: [%s]}", i, strings.Join(paths, ", ")))
		}
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: p, components: [" + strings.Join(components, ", ") + "]}]\n"
		ref, engine := loadFiles(t, files)
		var input []string
		for _, name := range strings.Split(c.there, "") {
			input = append(input, configMap("ns", name, "k: v"))
		}
		in := Collected{Objects: given.Objects(t, "in.yaml", strings.Join(input, "---\n")), Gathered: c.gathered}
		for _, opt := range []Options{{}, {Given: true}} {
			res, err := Run(context.Background(), ref, engine, in, opt)
			if err != nil {
				t.Fatal(err)
			}
			want, got := c.want, ""
			if opt.Given {
				want = ""
			}
			for _, a := range res.Alarms {
				if a.Code == code.FewRequired {
					got += a.Message
				}
			}
			if got != want {
				t.Errorf("%v with %q, gathered %v, given %v: %q, want %q", c.components, c.there, c.gathered, opt.Given, got, want)
			}
		}
	}
}

// TestHalfAnArchive: an alarm where an archive has only CRs with a namespace, or only others, and
// required ones of the other sort were not found. A Namespace is in both halves.
func TestHalfAnArchive(t *testing.T) {
	const node, space = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n"
	inside := configMap("ns", "a", "k: v")
	ref, engine := loadFiles(t, map[string]string{
		"a.yaml": inside, "n.yaml": node,
		"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: n.yaml}]}]}]\n",
	})
	for _, c := range []struct {
		input    string
		gathered bool
		want     string
	}{
		{inside, true, "the archive has no CR without a namespace but Namespaces: a part of it may be missing"},
		{inside + "---\n" + space, true, "the archive has no CR without a namespace but Namespaces: a part of it may be missing"},
		{inside + "---\n" + space, false, ""},
		{node + "---\n" + space, true, "the archive has no CR in a namespace: a part of it may be missing"},
		{node, false, ""},
		{inside + "---\n" + node, true, ""},
		{configMap("ns", "b", "k: v") + "---\n" + strings.Replace(node, "name: n", "name: m", 1), true, ""},
	} {
		res, err := Run(context.Background(), ref, engine,
			Collected{Objects: given.Objects(t, "in.yaml", c.input), Gathered: c.gathered}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range res.Alarms {
			if a.Code == code.HalfArchive {
				got += a.Message
			}
		}
		if got != c.want {
			t.Errorf("%s, gathered %v: %q, want %q", c.input, c.gathered, got, c.want)
		}
	}
}
