package formats

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// FuzzOverrides: what is written reads back as the same overrides, with the reason and the date.
func FuzzOverrides(f *testing.F) {
	f.Add(
		"v1", "Secret", "app", "a: b # c", "templates/it's.yaml", `{"a": "b\n"}`, "because\nof\u2028this", "2030-01-31",
	)
	f.Add("apps/v1", "yes", "2024-05-01", "0x1F", "- {x}", "{}", "null", "")
	f.Fuzz(func(t *testing.T, apiVersion, kind, namespace, name, path, patch, reason, expires string) {
		made := refconfig.Override{
			APIVersion:   apiVersion,
			Kind:         kind,
			Namespace:    namespace,
			Name:         name,
			TemplatePath: path,
			Type:         refconfig.MergePatch,
			Patch:        patch + "\n",
			Reason:       reason,
			Expires:      expires,
		}
		if !readable(made) {
			return
		}
		exact := made
		exact.APIVersion, exact.Kind, exact.Namespace, exact.Name, exact.ExactMatch = "", "", "", "", "v1_Kind_"+name
		missing, present := made, made
		missing.Type, missing.Patch, missing.Missing = "", "", true
		present.Type, present.Patch, present.Present = "", "", true
		want := []refconfig.Override{made, exact, missing, present}
		r := alone(&finding.Run{Comparisons: []*finding.Comparison{{Acceptance: &finding.Acceptance{Overrides: want[:2],
			Left: []finding.NotAccepted{
				{Message: reason},
			}}}}, Rules: []finding.Rule{{Acceptance: &finding.Acceptance{Overrides: want[2:]}}}})
		var out bytes.Buffer
		if err := Overrides(&out, r, OverrideOptions{Reason: reason, Expires: expires}); err != nil {
			t.Fatal(err)
		}
		got, _, problems := refconfig.ParseOverrides("made.yaml", out.Bytes())
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(refconfig.Override{}, "Place")); d != "" || len(problems) > 0 {
			t.Errorf("%v\n%s\n%s", problems, d, out.String())
		}
	})
}

// readable reports whether an override is one that a run could make, with a reason and a date that
// a user could give.
func readable(o refconfig.Override) bool {
	for _, s := range []string{o.APIVersion, o.Kind, o.Namespace, o.Name, o.TemplatePath} {
		if strings.TrimSpace(s) == "" || strings.ToValidUTF8(s, "") != s {
			return false
		}
	}
	if o.Expires != "" && o.Expires != "2030-01-31" || strings.TrimSpace(o.Reason) == "" ||
		strings.ToValidUTF8(o.Reason, "") != o.Reason {
		return false
	}
	_, _, problems := refconfig.ParseOverrides(
		"x", []byte("[{kind: K, type: mergepatch, reason: r, patch: '"+strings.ReplaceAll(o.Patch, "'", "''")+"'}]"),
	)
	plain := !strings.ContainsFunc(o.Patch, func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') })
	return len(problems) == 0 && plain && strings.HasPrefix(o.Patch, "{") && !strings.Contains(o.Patch, "\n\n")
}

func TestOverridesSayWhatTheyDoNotAccept(t *testing.T) {
	r := alone(&finding.Run{
		Comparisons: []*finding.Comparison{
			{
				Object: finding.Object{APIVersion: "v1", Kind: "Secret", Namespace: "app", Name: "login"},
				Acceptance: &finding.Acceptance{
					Left: []finding.NotAccepted{
						{
							Path:    refconfig.FieldPath{{Key: "data", Index: -1}, {Key: "a.b", Index: -1}},
							Message: "secret\n\x1b[31m",
						},
					}},
			},
			{
				Object: finding.Object{APIVersion: "v1", Kind: "Pod", Name: "p"},
				Error:  &finding.Error{Message: "a.yaml:1:2: no"},
			},
		},
		Rules: []finding.Rule{
			{
				Component: "c",
				Message:   "missing CRs",
				Templates: []string{"a.yaml", "b.yaml"},
				Acceptance: &finding.Acceptance{
					Left: []finding.NotAccepted{{Message: "a.yaml: who knows"}}},
			},
		},
	})
	want := []string{
		`Secret app/login (v1): data."a.b": secret\n\x1b[31m`,
		"Pod p (v1): it could not be evaluated: a.yaml:1:2: no",
		"c: missing CRs: a.yaml: who knows",
	}
	if d := cmp.Diff(want, NotAccepted(r)); d != "" {
		t.Error(d)
	}
	var out bytes.Buffer
	if err := Overrides(&out, r, OverrideOptions{Reason: "x", Command: "oc compare"}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasSuffix(text, "\n[]\n") || !strings.Contains(text, "# - "+want[0]+"\n") ||
		!strings.Contains(text, "# Use: oc compare -") {
		t.Error(text)
	}
	if err := Overrides(brokenWriter{}, r, OverrideOptions{Reason: "x"}); !errors.Is(err, errBroken) {
		t.Errorf("a writer's error is lost: %v", err)
	}
}

// alone is the report on one cluster.
func alone(r *finding.Run) *finding.Report { return &finding.Report{Runs: []*finding.Run{r}} }

var errBroken = errors.New("broken")

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
