package manifest

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// FuzzScanAgrees checks the guarantee of scanYAML.
func FuzzScanAgrees(f *testing.F) {
	for _, c := range testkit.Traps() {
		f.Add([]byte(c.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) == 0 || !kubeyaml.IsPlainText(text) || text[len(text)-1] != '\n' {
			return
		}
		d := kubeyaml.Document{Text: text}.Body()
		if len(d.Text) == 0 || len(kubeyaml.Split(d.Text)) != 1 {
			return
		}
		scanned := newTestReader().scanYAML(d)
		if scanned == nil {
			return
		}
		p := kubeyaml.DefaultLimits().ReadYAML(d.Text, 0)
		if p.Fault != nil {
			return
		}
		if len(p.Nodes) != 1 {
			t.Fatalf("scanned as one document, and there are %d", len(p.Nodes))
		}
		whole := source{text: d.Text, base: d.Base, apart: !p.Anchored}
		if diff := cmp.Diff(summary(headOf(p.Nodes[0], whole, nil)), summary(scanned)); diff != "" {
			t.Errorf("decoded and scanned differ:\n%s", diff)
		}
	})
}

// summary is what must agree between two heads.
func summary(h *head) string {
	var b strings.Builder
	writeSummary(&b, h, "")
	return b.String()
}

func writeSummary(b *strings.Builder, h *head, indent string) {
	line := func(parts ...string) { b.WriteString(indent + strings.Join(parts, "|") + "\n") }
	line("object", h.apiVersion, h.kind, h.namespace, h.name, h.uid, h.resourceVersion)
	for _, o := range h.owners {
		line("owner", o.APIVersion, o.Kind, o.Name, o.UID)
	}
	for _, s := range h.subjects {
		line("subject", s.Kind, s.Namespace, s.Name)
	}
	if h.list {
		line("list")
	}
	if h.metadata {
		line("metadata")
	}
	if h.again > 0 {
		line("again")
	}
	for _, item := range h.items {
		item.source.limits = &kubeyaml.Limits{}
		writeSummary(b, item, indent+"  ")
		if n, fault := item.source.parse(&kubeyaml.Room{}); fault == nil {
			writeSummary(b, headOf(n, source{text: item.source.text, base: item.source.base}, nil), indent+"  again ")
		} else {
			line("broken", fault.Message)
		}
	}
}

// FuzzReadTwice checks that Read never panics, and that scanning and decoding give the same objects
// with the same values.
func FuzzReadTwice(f *testing.F) {
	for _, c := range testkit.Traps() {
		f.Add([]byte(c.Text))
	}
	f.Add(
		[]byte(
			`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"A","metadata":{"name":"\ud83d\ude00"}}]}`,
		),
	)
	f.Add([]byte(
		"{\"kind\":\"A\",\"apiVersion\":\"v1\"}\n{\"kind\":\"B\",\"apiVersion\":\"v1\",\"kind\":\"C\"}\n---\n[{\"kind\":\"D\",\"apiVersion\":\"v1\"}]",
	))
	f.Add([]byte("- items:\n  - 0:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		scanned := Read("a.yaml", "", data, Hints{})
		decoded := read("a.yaml", "", data, Hints{}, true)
		if brokenDocuments(decoded) > brokenDocuments(scanned) {
			return // a fault in a part that the scanner skips
		}
		if len(scanned.Objects) != len(decoded.Objects) {
			t.Fatalf("%d objects scanned, %d decoded", len(scanned.Objects), len(decoded.Objects))
		}
		for i, o := range scanned.Objects {
			sameObject(t, o, decoded.Objects[i])
		}
	})
}

func brokenDocuments(c Contents) int {
	n := 0
	for _, p := range c.Problems {
		if strings.HasPrefix(p.Message, "not valid") {
			n++
		}
	}
	for _, l := range c.Lost {
		if strings.HasPrefix(l.Message, "not valid") {
			n++
		}
	}
	for _, p := range c.Passed {
		if p.Reason == PassedBroken {
			n++
		}
	}
	return n
}

func sameObject(t *testing.T, scanned, decoded *Object) {
	t.Helper()
	a, b := *scanned, *decoded
	a.source, b.source = nil, nil
	if diff := cmp.Diff(b, a, cmp.AllowUnexported(Object{}, source{})); diff != "" {
		t.Errorf("decoded and scanned differ:\n%s", diff)
	}
	treeA, err := scanned.Decode()
	if err != nil {
		t.Errorf("scanned %s does not decode: %v", scanned.ID, err)
	}
	treeB, err := decoded.Decode()
	if err != nil {
		t.Errorf("decoded %s does not decode again: %v", decoded.ID, err)
	}
	if !reflect.DeepEqual(treeA, treeB) {
		t.Errorf("values of %s differ: %v and %v", scanned.ID, treeA, treeB)
	}
}

func FuzzJSONAgreesWithScan(f *testing.F) {
	for _, seed := range []string{
		`{"apiVersion":"v1","kind":"A","metadata":{"name":"a","uid":"u"}}`, `{"kind":"0","apiVersion":"","apiVersion":"0","kind":"0"}`, `[1,2.5e3,"\u00e4",true,null]`, `{"items":[{"items":[]}],"items":null}`,
		`{"metadata":{"name":"a"},"metadata":{"ownerReferences":[{"kind":"K"}]}}`, `{"a":01}`, `{"a":"\x"}`, `{"a":1e999}`, "[[[]]]]", `[{"items":[{"items":[{}]}]}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := newTestReader()
		scanned, scanFault := r.scanJSON(r.limits.NewJSON(r.nodes, text, 0), text)
		r.decode = true
		decoded, fault := r.scanJSON(r.limits.NewJSON(&kubeyaml.Room{}, text, 0), text)
		if diff := cmp.Diff(fault, scanFault); diff != "" {
			t.Fatalf("faults differ:\n%s", diff)
		}
		if fault != nil {
			return
		}
		if diff := cmp.Diff(summary(decoded), summary(scanned)); diff != "" {
			t.Errorf("decoded and scanned differ:\n%s", diff)
		}
	})
}
