package patch_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
)

// TestFixAndOverrideOfOneDifference: of one difference, the fix towards the reference, what it leaves to the user,
// and the override towards the CR, with what it leaves.
func TestFixAndOverrideOfOneDifference(t *testing.T) {
	for _, c := range []struct{ name, reference, config, in, fix, open, override, left string }{
		{
			name:      "a set",
			reference: "{l: [a, b, c]}",
			config:    "perField: [{pathToKey: spec.l, list: set}]",
			in:        "{l: [c, d, a]}",
			fix:       `{"spec":{"l":["c","b","a"]}}`,
			override:  `[{"op":"test","path":"/spec/l/1","value":"b"},{"op":"replace","path":"/spec/l/1","value":"d"}]`,
		},
		{
			name:      "items by their keys",
			reference: "{l: [{name: a, v: 1}, {name: b, v: 2}]}",
			config:    "perField: [{pathToKey: spec.l, list: map(name)}]",
			in:        "{l: [{name: b, v: 3}, {name: c}, {name: a, v: 1}]}",
			fix:       `{"spec":{"l":[{"name":"b","v":2},{"name":"c"},{"name":"a","v":1}]}}`,
			override:  `[{"op":"test","path":"/spec/l/1/name","value":"b"},{"op":"test","path":"/spec/l/1/v","value":2},{"op":"replace","path":"/spec/l/1/v","value":3},{"op":"add","path":"/spec/l/2","value":{"name":"c"}}]`,
		},
		{name: "items that were moved", reference: "{l: [a, b, c]}", in: "{l: [c, a, b]}",
			fix:      `{"spec":{"l":["a","b","c"]}}`,
			override: `[{"op":"add","path":"/spec/l/0","value":"c"},{"op":"test","path":"/spec/l/3","value":"c"},{"op":"remove","path":"/spec/l/3"}]`,
		},
		{
			name:      "items behind another",
			reference: "{l: [{name: a, v: 1}, {name: b, v: 2}]}",
			in:        "{l: [x, {name: a, v: 1}, {name: b, v: 3}]}",
			fix:       `{"spec":{"l":["x",{"name":"a","v":1},{"name":"b","v":2}]}}`,
			override:  `[{"op":"add","path":"/spec/l/0","value":"x"},{"op":"test","path":"/spec/l/2/name","value":"b"},{"op":"test","path":"/spec/l/2/v","value":2},{"op":"replace","path":"/spec/l/2/v","value":3}]`,
		},
		{
			name:      "an item left out",
			reference: "{l: [x, a, b]}",
			config:    "fieldsToOmitRefs: [mine]",
			in:        "{l: [z, a, c, d, w]}",
			fix:       `{"spec":{"l":["z","a","b","d","w"]}}`,
			override:  `[{"op":"replace","path":"/spec/l","value":["z","a","c","d","w"]}]`,
		},
		{name: "an item that only the user knows", reference: "{l: [a, '{{ .spec.lacking }}']}", in: "{l: [b]}",
			fix:      `{"spec":{"l":["a"]}}`,
			open:     `spec.l.1: the template needs spec.lacking, which the CR lacks (a.yaml:4)`,
			override: `[{"op":"test","path":"/spec/l/0","value":"a"},{"op":"replace","path":"/spec/l/0","value":"b"},{"op":"test","path":"/spec/l/1","value":""},{"op":"remove","path":"/spec/l/1"}]`,
		},
		{
			name:      "a list with something secret",
			reference: `{l: ["a: b", c]}`,
			in:        `{l: ["kind: Secret\nstringData: {x: y}", d]}`,
			open:      `spec.l: the list has secret or masked data, and a patch would contain the whole list`,
			left:      `spec.l.0: it differs in secret data, which is never written to a file; spec.l.1: it is in a list with secret data, which is never written to a file`,
		},
		{
			name:      "status",
			reference: "{x: 1}\nstatus: {ready: true}",
			config:    "fieldsToOmitRefs: [mine]",
			in:        "{x: 2}\nstatus: {ready: false}",
			fix:       `{"spec":{"x":1}}`,
			open:      `status.ready: only the cluster writes the status`,
			override:  `[{"op":"test","path":"/spec/x","value":1},{"op":"replace","path":"/spec/x","value":2},{"op":"test","path":"/status/ready","value":true},{"op":"replace","path":"/status/ready","value":false}]`,
		},
		{name: "identity", reference: "{x: 1}", in: "{x: 1}\nmetadata: {name: b}",
			open:     `metadata.name: it identifies the CR and cannot be changed; create a new CR`,
			override: `[{"op":"test","path":"/metadata/name","value":"a"},{"op":"replace","path":"/metadata/name","value":"b"}]`,
		},
		{
			name:      "a pattern",
			reference: "{x: 'a+'}",
			config:    "perField: [{pathToKey: spec.x, inlineDiffFunc: regex}]",
			in:        "{x: b+}",
			open:      `spec.x: expression a+ does not match "b+"`,
			override:  `[{"op":"test","path":"/spec/x","value":"a+"},{"op":"replace","path":"/spec/x","value":"b\\+"}]`,
		},
		{name: "a pattern where nothing is", reference: "{m: {x: 'a+'}}",
			config: "perField: [{pathToKey: spec.m.x, inlineDiffFunc: regex}]", in: "{}",
			open:     `spec.m.x: the value must match the pattern "a+"`,
			override: `[{"op":"test","path":"/spec/m","value":{"x":"a+"}},{"op":"remove","path":"/spec/m"}]`,
		},
		{
			name:      "a pattern of something secret",
			reference: "{x: 'a+'}",
			config:    "perField: [{pathToKey: spec.x, inlineDiffFunc: regex}]",
			in:        `{x: "kind: Secret\nstringData: {x: y}"}`,
			open:      "spec.x: it is secret data, which is never written to a file",
			left:      "spec.x: it differs in secret data, which is never written to a file",
		},
		{name: "null", reference: "{x: null, z: 1}", config: "ignore-unspecified-fields: true", in: "{x: 1, z: 1}",
			fix:      `{"spec":{"x":null}}`,
			override: `[{"op":"test","path":"/spec/x","value":null},{"op":"replace","path":"/spec/x","value":1}]`,
		},
		{
			name:      "a document in a text",
			reference: `{x: '{"a": 1}'}`,
			config:    "perField: [{pathToKey: spec.x, embedded: json}]",
			in:        `{x: '{"a": 2}'}`,
			open:      `spec.x!.a: it is in a document inside a text, and the whole text must be written again`,
			override:  `[{"op":"test","path":"/spec/x!/a","value":1},{"op":"replace","path":"/spec/x!/a","value":2}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			thing := func(spec string) string {
				head := "apiVersion: v1\nkind: Thing\n"
				if !strings.Contains(spec, "metadata:") {
					head += "metadata: {name: a}\n"
				}
				return head + "spec: " + spec + "\n"
			}
			config := ""
			if c.config != "" {
				config = ", config: {" + c.config + "}"
			}
			ref, engine := given.Load(t, fstest.MapFS{
				"metadata.yaml": {Data: []byte("apiVersion: v2\nfieldsToOmit: {items: {mine: [{pathToKey: spec.l.0}, {pathToKey: spec.l.4}]}}\n" +
					"parts: [{name: p, components: [{name: c, allOf: [{path: a.yaml" + config + "}]}]}]\n")},
				"a.yaml": {Data: []byte(thing(c.reference))},
			}, "")
			in := compare.Collected{Objects: given.Objects(t, "in.yaml", thing(c.in))}
			res, err := compare.Run(context.Background(), ref, engine, in,
				compare.Options{Fix: true, Nearest: true, Accept: &patch.Request{Extra: true}})
			if err != nil || len(res.Comparisons) != 1 {
				t.Fatal(err, res)
			}
			var fix, override string
			var open, left []string
			if f := res.Comparisons[0].Fix; f != nil {
				fix = strings.Join(strings.Fields(f.Patch), "")
				for _, o := range f.Open {
					open = append(open, o.Path+": "+o.Message)
				}
			}
			if a := res.Comparisons[0].Acceptance; a != nil {
				for _, o := range a.Overrides {
					override += strings.Join(strings.Fields(o.Patch), "")
				}
				for _, l := range a.Left {
					left = append(left, l.Path.String()+": "+l.Message)
				}
			}
			for _, got := range []struct{ what, is, want string }{{"fix", fix, c.fix}, {"open", strings.Join(open, "; "), c.open},
				{"override", override, c.override}, {"left", strings.Join(left, "; "), c.left}} {
				if got.is != got.want {
					t.Errorf("%s: %s\nwant %s", got.what, got.is, got.want)
				}
			}
		})
	}
}
