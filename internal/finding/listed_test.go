package finding

import "testing"

// TestComponentsOfOneNameAreListedWithTheirParts: a line about CRs of several components names each of them.
func TestComponentsOfOneNameAreListedWithTheirParts(t *testing.T) {
	for want, all := range map[string][][2]string{
		" of a, b": {{"p", "a"}, {"p", "b"}}, " of p/a, q/a": {{"q", "a"}, {"p", "a"}, {"p", "a"}},
		" of b, p/a, q/a": {{"p", "a"}, {"q", "a"}, {"q", "b"}}, " of a, q": {{"p", "a"}, {"q", ""}}, ": Pod": {{"p", "a"}},
	} {
		var e Entry
		for _, one := range all {
			missing := Finding{Object: Object{Kind: "Pod", Name: "x"}}
			missing.Template.Part, missing.Template.Component = one[0], one[1]
			e.Missing = append(e.Missing, missing)
		}
		if got := e.listed(func(name string) string { return name }); got != want {
			t.Errorf("%v: %q, want %q", all, got, want)
		}
	}
}
