package manifest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

const claimed = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"

// TestTextsBeyondALimitAreProblemsOfTheirOwn gives each limit a text that is just allowed and one
// that is not.
func TestTextsBeyondALimitAreProblemsOfTheirOwn(t *testing.T) {
	list := func(n int) string {
		return "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat(
			"- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n", n,
		)
	}
	jsonList := func(n int) string {
		item := `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`
		return `{"apiVersion": "v1", "kind": "List", "items": [` + strings.TrimSuffix(
			strings.Repeat(item+",", n), ",",
		) + "]}"
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	braces := func(data string) string {
		return "{apiVersion: v1, kind: A, metadata: {name: a}, data: " + data + "}\n"
	}
	for _, c := range []struct {
		what    string
		limits  kubeyaml.Limits
		fine    string
		tooMuch string
		want    code.Code
	}{
		{"nested YAML", kubeyaml.Limits{Nesting: 20}, claimed + "data: " + nested(20) + "\n", claimed + "data: " + nested(21) + "\n", code.LimitNesting},
		{"nested JSON", kubeyaml.Limits{Nesting: 20}, `{"apiVersion": "v1", "kind": "A", "data": ` + nested(20) + "}",
			`{"apiVersion": "v1", "kind": "A", "data": ` + nested(21) + "}", code.LimitNesting},
		{"aliases", kubeyaml.Limits{Aliases: 10}, claimed + "data: {a: &x [1, 2, 3], b: *x, c: *x}\n", claimed + "data: {a: &x [1, 2, 3], b: *x, c: *x, d: *x}\n",
			code.LimitAliases},
		{"a long text repeated", kubeyaml.Limits{Aliases: 10}, claimed + "data: {a: &x " + strings.Repeat("x", 100) + ", b: *x}\n",
			claimed + "data: {a: &x " + strings.Repeat("x", 1000) + ", b: *x}\n", code.LimitAliases},
		{"nested YAML that is simple", kubeyaml.Limits{Nesting: 20}, claimed + "data: {a: " + nested(19) + "}\n", claimed + "data: {a: [1, " + nested(19) + "]}\n", code.LimitNesting},
		{"nested YAML in braces", kubeyaml.Limits{Nesting: 20}, braces(nested(20)), braces(nested(21)), code.LimitNesting},
		{"values of YAML in braces", kubeyaml.Limits{Values: 200}, braces("[" + strings.Repeat("1,", 100) + "1]"), braces("[" + strings.Repeat("1,", 200) + "1]"), code.LimitValues},
		{"values of many small lists", kubeyaml.Limits{Values: 200}, claimed + "data:\n" + strings.Repeat("- [1, 2, 3, 4]\n", 20), claimed + "data:\n" + strings.Repeat("- [1, 2, 3, 4]\n", 60), code.LimitValues},
		{"values of YAML", kubeyaml.Limits{Values: 200}, claimed + "data: [" + strings.Repeat("1,", 100) + "]\n",
			claimed + "data: [" + strings.Repeat("1,", 300) + "]\n", code.LimitValues},
		{"items of YAML", kubeyaml.Limits{Values: 50}, list(50), list(51), code.LimitValues},
		{"items of JSON", kubeyaml.Limits{Values: 50}, jsonList(50), jsonList(51), code.LimitValues},
		{"documents", kubeyaml.Limits{Values: 50}, strings.Repeat("---\n"+claimed, 50), strings.Repeat("---\n"+claimed, 51), code.LimitValues},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := Read("f.yaml", "", []byte(c.fine), Hints{Limits: c.limits})
			if len(got.Problems) > 0 || len(got.Objects) == 0 {
				t.Errorf("what is just allowed: %d objects, problems %v", len(got.Objects), got.Problems)
			}
			for _, o := range got.Objects {
				if _, err := o.Decode(); err != nil {
					t.Errorf("what is just allowed does not decode: %v", err)
				}
			}
			got = Read("f.yaml", "", []byte(c.tooMuch), Hints{Limits: c.limits})
			problem := refconfig.Problem{}
			if len(got.Problems) == 1 {
				problem = got.Problems[0]
			} else if len(got.Objects) == 1 { // the scanner does not look so far
				_, err := got.Objects[0].Decode()
				var fault *kubeyaml.SyntaxError
				if !errors.As(err, &fault) {
					t.Fatalf("it decodes: %v", err)
				}
				problem = refconfig.Problem{Code: fault.Code, Message: fault.Message}
			}
			if problem.Code != c.want || !strings.Contains(problem.Message, "--limit ") {
				t.Errorf("%d objects, problems %v; want %s", len(got.Objects), got.Problems, c.want)
			}
		})
	}
}

// TestFaultsNeverQuoteTheText: the text may be that of a Secret.
func TestFaultsNeverQuoteTheText(t *testing.T) {
	const canary = "hunter2canary"
	for _, value := range []string{"*" + canary, "&" + canary + " *" + canary, "&x {a: *x, b: " + canary + "}", "!!int " + canary, "!!binary " + canary + "!", "[" + canary,
		"'" + canary, "\"" + canary + "\\q\"", canary + ": " + canary + ": x", "{" + canary + "}: 1", "!" + canary + "!x y", "@" + canary, "%" + canary, "|" + canary, "\t" + canary} {
		for _, text := range []string{claimed + "data:\n  password: " + value + "\n", "%" + canary + "\n---\n" + claimed + "data: " + value, "%TAG !x! " + canary + "\n" + claimed + "data: !y!" + canary + " " + value} {
			_, err := kubeyaml.Parse([]byte(text))
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("%q: %v", text, err)
			}
			for _, p := range read("namespaces/f.yaml", "", []byte(text), Hints{}, true).Problems {
				if strings.Contains(p.Message, canary) {
					t.Errorf("%q: %s", text, p.Message)
				}
			}
		}
	}
	for _, value := range []string{"1" + strings.Repeat("0", 400), `"` + canary + `\q"`, `"` + canary, "[" + canary, canary + ": " + canary, "-\n- " + canary, "0" + canary + "]"} {
		_, err := kubeyaml.Parse([]byte(`{"apiVersion": "v1", "data": ` + value + `}`))
		if err != nil && (strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "1000")) {
			t.Errorf("%s: %v", value, err)
		}
		if err == nil {
			t.Errorf("%s is accepted", value)
		}
	}
}

// TestValuesOnOneLineAreReadOnce: where the rest of the line were looked at behind each value, this
// would take minutes.
func TestValuesOnOneLineAreReadOnce(t *testing.T) {
	count := testkit.Tries(1_000_000)
	text := strings.Repeat(`{"a":1}`, count) + " # the end\n\n#"
	got := Read("in.json", "", []byte(text), Hints{Asked: true})
	if len(got.Passed) != 1 || got.Passed[0].Count != count || len(got.Problems) > 0 {
		t.Errorf("%v %v", got.Passed, got.Problems)
	}
}

// TestReadingEndsWithItsContext: what was read until then is returned.
func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for what, text := range map[string]string{"documents": strings.Repeat("---\n"+claimed, 3), "values": strings.Repeat(`{"apiVersion": "v1", "kind": "A"}`, 3)} {
		if got := Read("f.yaml", "", []byte(text), Hints{Context: ctx, Semaphore: workers.NewSemaphore(1)}); len(
			got.Objects,
		)+len(got.Problems) > 0 {
			t.Errorf("%s: %d objects, problems %v", what, len(got.Objects), got.Problems)
		}
	}
}

// TestDocumentsWaitForRoom: one that is larger than all of it is read when it is alone, and the
// semaphore is given back.
func TestDocumentsWaitForRoom(t *testing.T) {
	semaphore := workers.NewSemaphore(10)
	decoded := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: &a a}\ndata: {b: *a}\n"
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := Read("f.yaml", "", []byte(strings.Repeat("---\n"+decoded, 5)), Hints{Semaphore: semaphore}); len(
				got.Objects,
			) != 5 ||
				len(got.Problems) > 0 {
				t.Errorf("%d objects, problems %v", len(got.Objects), got.Problems)
			}
		})
	}
	group.Wait()
}
