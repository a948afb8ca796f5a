package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

const ambiguous = `
-- ref/metadata.yaml --
apiVersion: v2
parts:
- name: shop
  components:
  - name: front
    anyOf:
    - path: small.yaml
    - path: large.yaml
    - path: login.yaml
    - path: other-login.yaml
-- ref/small.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop}
data: {size: small}
-- ref/large.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop}
data: {size: large}
-- ref/login.yaml --
apiVersion: v1
kind: Secret
metadata: {namespace: shop}
data: {password: b2xk}
-- ref/other-login.yaml --
apiVersion: v1
kind: Secret
metadata: {namespace: shop}
data: {password: b3RoZXI=}
-- in/one.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: shop}
data: {size: smaller}
-- in/two.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: two, namespace: shop}
data: {size: large}
-- in/zz.yaml --
apiVersion: v1
kind: Secret
metadata: {name: login, namespace: shop}
data: {password: c2VjcmV0}
-- pairs.yaml --
# written by hand
correlationSettings:
  manualCorrelation:
    correlationPairs:
      v1_ConfigMap_shop_two: small.yaml # for now
      v1_Service_shop_gone: large.yaml
-- wrong.yaml --
correlations: {}
`

// asked runs a comparison on a terminal with answers to its questions.
func asked(answers string, args ...string) (status int, out, errs string) {
	args = append([]string{"--interactive", "--unified", "--width", "120"}, args...)
	return run(context.Background(), terminal(answers), args...)
}

// contains checks that a text contains some texts in this order.
func contains(t *testing.T, text string, wanted ...string) {
	t.Helper()
	rest := text
	for _, w := range wanted {
		at := strings.Index(rest, w)
		if at < 0 {
			t.Errorf("there is no %q, or not in its place, in:\n%s", w, text)
			return
		}
		rest = rest[at+len(w):]
	}
}

func TestChoosing(t *testing.T) {
	inFolder(t, ambiguous)
	// the second choice, with a look at it and a slip before; the closest by Enter; the closest by
	// its number; not saved
	status, out, errs := asked("d2\n3\n2\n\n1\n\n", "-o", "json", "ref", "in")
	if status != 1 {
		t.Errorf("status %d", status)
	}
	contains(t, errs,
		"Question 1 of 3: which template is ConfigMap shop/one (v1) to be compared with?", "file       in/one.yaml:1",
		"  1  small.yaml  in shop/front: 14 changed characters (1 drift, 1 extra)",
		"  2  large.yaml  in shop/front: ", "Number, Enter for 1",
		"DRIFT  ConfigMap shop/one (v1)", "template   large.yaml", "-|   size: large", "+|   size: smaller",
		`"3" is not a valid answer`, "Question 2 of 3", "  1  large.yaml", "Question 3 of 3", "Save 3 choices")
	contains(t, out, `"path": "large.yaml"`, `"by": "interactive"`, `"path": "large.yaml"`, `"path": "small.yaml"`)
	if n := strings.Count(out, `"by": "interactive"`); n != 3 {
		t.Errorf("%d choices of the user in %s", n, out)
	}
	if status, out, _ = asked("2\n", "ref", "in/one.yaml"); status != 1 {
		t.Errorf("status %d", status)
	}
	contains(t, out, "chosen by the user among 2 templates: large.yaml (", "small.yaml (")
}

func TestNoMoreQuestions(t *testing.T) {
	inFolder(t, ambiguous)
	for _, answers := range []string{"2\nq\n\n", "2\n", "2"} {
		_, out, errs := asked(answers, "-o", "json", "ref", "in")
		if by, fixed := strings.Count(out, `"by": "interactive"`), strings.Count(out, `"by": "fixed"`); by != 1 ||
			fixed != 2 {
			t.Errorf("%q: %d choices of the user and %d others", answers, by, fixed)
		}
		if n := strings.Count(errs, "Question "); n != 2 {
			t.Errorf("%q: %d questions: %s", answers, n, errs)
		}
	}
	if _, _, errs := asked("q\n", "ref", "in"); strings.Contains(errs, "Save") {
		t.Errorf("offers to save nothing: %s", errs)
	}
	if _, _, errs := asked("", "ref", "in/two.yaml", "-c", "pairs.yaml"); strings.Contains(errs, "Question") {
		t.Errorf("asks about a CR of a manual pair: %s", errs)
	}
	if _, _, errs := asked("2\n", "ref", "in"); !strings.Contains(errs, "Nothing was saved.") {
		t.Errorf("says nothing about choices that are lost: %s", errs)
	}
}

// TestSavedChoices checks that a saved diff config gives the same result without questions.
func TestSavedChoices(t *testing.T) {
	inFolder(t, ambiguous)
	same := func(answers, saved string, args ...string) string {
		t.Helper()
		args = append(args, "-o", "json", "ref", "in")
		_, out, errs := asked(answers, args...)
		if !strings.Contains(errs, "Saved. Next time: --diff-config "+saved) {
			t.Fatalf("not saved: %s", errs)
		}
		_, again, errs := asked("", "-c", saved, "-o", "json", "ref", "in")
		if strings.Contains(errs, "Question") {
			t.Errorf("asks again: %s", errs)
		}
		if got, want := templates(again), templates(out); got != want {
			t.Errorf("%s: %s with the saved choices, not %s", saved, got, want)
		}
		return read(t, saved)
	}
	text := same("2\n2\n2\nnew.yaml\ny\n", "new.yaml")
	contains(
		t,
		text,
		"# Manual pairs",
		"v1_ConfigMap_shop_one: large.yaml",
		"v1_ConfigMap_shop_two: small.yaml",
		"v1_Secret_shop_login: ",
	)

	// an existing file is asked about; a wrong one is not written to
	text = same("1\n2\n1\nwrong.yaml\npairs.yaml\nn\npairs.yaml\ny\n", "pairs.yaml")
	contains(
		t,
		text,
		"# written by hand",
		"v1_ConfigMap_shop_two: small.yaml # for now",
		"v1_Service_shop_gone: large.yaml",
		"v1_ConfigMap_shop_one: small.yaml",
		"v1_Secret_shop_login",
	)
	if read(t, "wrong.yaml") != "correlations: {}\n" {
		t.Error("a file that is no diff config was changed")
	}

	// a new file has the pairs of the diff config in use too
	if err := os.WriteFile("two.yaml", []byte("correlationSettings: {manualCorrelation: {correlationPairs: {v1_ConfigMap_shop_two: small.yaml}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text = same("2\n2\nmore.yaml\ny\n", "more.yaml", "-c", "two.yaml")
	contains(t, text, "v1_ConfigMap_shop_two: small.yaml", "v1_ConfigMap_shop_one: large.yaml")

	// a place that cannot be written to is asked for again
	_, _, errs := asked("2\nno/such/folder.yaml\ny\n\n", "ref", "in/one.yaml")
	contains(t, errs, "VT1020: ", "Save 1 choice")
}

// TestNearestTemplatesAreAskedFor: an object that matches no template is compared with the nearest
// one, or with that which the user chooses among those that nothing else is compared with.
func TestNearestTemplatesAreAskedFor(t *testing.T) {
	inFolder(t, `
-- ref/metadata.yaml --
apiVersion: v2
parts: [{name: p, components: [{name: c, allOf: [{path: north.yaml}, {path: south.yaml}, {path: west.yaml}]}]}]
-- ref/north.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: north, namespace: shop}
data: {size: small, side: north}
-- ref/south.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: south, namespace: shop}
data: {size: large, side: south}
-- ref/west.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: west, namespace: shop}
data: {size: large}
-- in/one.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: north-or-south, namespace: shop}
data: {size: small, side: north}
-- in/two.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: west, namespace: shop}
data: {size: large}
`)
	for answers, c := range map[string]struct{ template, how string }{
		"1\n\n": {"north.yaml", "interactive"}, "2\n\n": {"south.yaml", "interactive"}, "": {"north.yaml", "nearest"},
	} {
		_, out, errs := asked(answers, "--correlation", "nearest", "-o", "json", "ref", "in")
		contains(t, errs, "1 of 1", "north-or-south", "north.yaml", "south.yaml")
		if strings.Contains(errs, "west.yaml") {
			t.Errorf("%q: a template that has an object is asked for: %s", answers, errs)
		}
		contains(t, out, `"name": "north-or-south"`, `"path": "`+c.template, `"by": "`+c.how, `"name": "west"`, `"by": "fixed"`)
	}
	if _, out, _ := outcome("--correlation", "nearest", "ref", "in"); !strings.Contains(out, "template   north.yaml") {
		t.Errorf("without questions: %s", out)
	}
}

// TestYesAndNoAreNoFileNames checks that the answers yes and no to the question for a file name
// write no file, and that the tool asks before it writes.
func TestYesAndNoAreNoFileNames(t *testing.T) {
	inFolder(t, ambiguous)
	for answers, said := range map[string]string{
		"2\nn\n":              "Nothing was saved.",
		"2\nNo\n":             "Nothing was saved.",
		"2\ny\n\n":            "Nothing was saved.",
		"2\nyes\nno\n":        "Nothing was saved.",
		"2\nno.yaml\n\n\n":    "Write the new file no.yaml?",
		"2\ny\ny.yaml\nn\n\n": "Write the new file y.yaml?",
	} {
		before, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		_, _, errs := asked(answers, "ref", "in/one.yaml")
		contains(t, errs, said)
		if after, _ := os.ReadDir("."); len(after) != len(before) {
			t.Errorf("%q wrote a file: %v", answers, after)
		}
	}
	if _, _, errs := asked("2\ny\nmine.yaml\ny\n", "ref", "in/one.yaml"); !strings.Contains(
		errs, "--diff-config mine.yaml",
	) {
		t.Error(errs)
	}
}

// templates lists the templates of a document's comparisons.
func templates(document string) string {
	var all []string
	for _, line := range strings.Split(document, "\n") {
		if strings.Contains(line, `"name": `) || strings.HasPrefix(line, `            "path": `) {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return strings.Join(all, " ")
}

func TestSecretsOfCandidates(t *testing.T) {
	inFolder(t, ambiguous)
	_, _, errs := asked("d\nd 2\n\n", "ref", "in/zz.yaml")
	if strings.Contains(errs, "b2xk") || strings.Contains(errs, "c2Vj") ||
		!strings.Contains(errs, "(hidden, 8 bytes)") {
		t.Errorf("a candidate's differences show a secret: %s", errs)
	}
	_, _, errs = asked("d 1\n\n", "--show-secrets", "ref", "in/zz.yaml")
	contains(t, errs, "c2VjcmV0")
}

func TestNoTerminal(t *testing.T) {
	inFolder(t, ambiguous)
	for name, terminal := range map[string]func(any) bool{
		"standard input":   func(s any) bool { _, isOut := s.(*bytes.Buffer); return isOut },
		"the error stream": func(s any) bool { _, isOut := s.(*bytes.Buffer); return !isOut },
		"nothing":          nil,
	} {
		status, out, errs := run(t.Context(), IO{Terminal: terminal}, "--interactive", "ref", "in")
		if status != 2 || !strings.Contains(errs, "VT1024: ") || terminal != nil && !strings.Contains(errs, name) || out != "" {
			t.Errorf("without %s: %d %s", name, status, errs)
		}
	}
	if status, _, errs := asked("", "ref", "-"); status != 2 ||
		!strings.Contains(errs, "VT1001: --interactive reads answers from standard input") {
		t.Errorf("input from standard input: %d %s", status, errs)
	}
}

// interrupter is an error stream that ends the run at a prompt.
type interrupter struct {
	bytes.Buffer
	at   string
	stop func()
}

func (w *interrupter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.at)) {
		w.stop()
	}
	return w.Buffer.Write(p)
}

// TestInterruptedQuestion ends the run while the tool waits for an answer. The report must have the
// findings until then.
func TestInterruptedQuestion(t *testing.T) {
	inFolder(t, ambiguous)
	for _, c := range []struct {
		at, answers, want string
		status            int
	}{
		{"Number, Enter", "", "INCOMPLETE: ", 2},
		{"Save ", "2\n", "DRIFT: 1 of 1 CR differs", 1},
	} {
		ctx, stop := context.WithCancel(context.Background())
		silent, _ := io.Pipe() // nobody ever answers
		errs := &interrupter{at: c.at, stop: stop}
		with := terminal("")
		with.In, with.Err = io.MultiReader(strings.NewReader(c.answers), silent), errs
		status, out, _ := run(ctx, with, "--interactive", "ref", "in/one.yaml")
		if status != c.status || !strings.HasPrefix(out, c.want) {
			t.Errorf("at %q: %d %q %q", c.at, status, out, errs.String())
		}
		if interrupted := strings.Contains(out, "VT1021"); interrupted != (c.status == 2) {
			t.Errorf("at %q: %q", c.at, out)
		}
	}
}
