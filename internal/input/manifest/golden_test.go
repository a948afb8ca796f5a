package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/refconfig"
)

// TestReadGolden reads the files of each testdata/*.txtar and compares what was found with its last
// file, "want". The words of the archive's comment behind "hints:" are hints. -update writes what
// was found.
func TestReadGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		var got strings.Builder
		for _, file := range a.Files[:len(a.Files)-1] {
			hints := hintsOf(string(a.Comment))
			found := describe(Read("input", file.Name, file.Data, hints))
			if diff := cmp.Diff(describe(read("input", file.Name, file.Data, hints, true)), found); diff != "" {
				t.Errorf("%s: decoded and scanned differ:\n%s", file.Name, diff)
			}
			fmt.Fprintf(&got, "%s\n%s", file.Name, found)
		}
		a.Want(t, "want", got.String())
	})
}

func hintsOf(comment string) Hints {
	_, words, _ := strings.Cut(comment, "hints:")
	var hints Hints
	for _, word := range strings.Fields(words) {
		switch word {
		case "chart":
			hints.Chart = true
		case "wrapped":
			hints.Wrapped = true
		case "pod":
			hints.APIVersion, hints.Kind = "v1", "Pod"
		}
	}
	return hints
}

func describe(c Contents) string {
	var b strings.Builder
	for _, o := range c.Objects {
		fmt.Fprintf(&b, "  %s %s", at(o.Place), o.ID)
		if o.UID != "" {
			fmt.Fprintf(&b, " uid=%s", o.UID)
		}
		for _, owner := range o.Owners {
			fmt.Fprintf(&b, " owner=%v", owner)
		}
		for _, subject := range o.Subjects {
			fmt.Fprintf(&b, " subject=%v", subject)
		}
		if o.Carries != CarriesNone {
			b.WriteString(" wraps")
		}
		if o.Wrapper != "" {
			fmt.Fprintf(&b, " in %s", o.Wrapper)
		}
		if o.Compliance != "" {
			fmt.Fprintf(&b, " (%s)", o.Compliance)
		}
		if tree, err := o.Decode(); err != nil {
			fmt.Fprintf(&b, " broken: %v", err)
		} else if tree["apiVersion"] != o.ID.APIVersion || tree["kind"] != o.ID.Kind {
			fmt.Fprintf(&b, " decoded as %v %v", tree["apiVersion"], tree["kind"])
		}
		b.WriteString("\n")
	}
	for _, l := range c.Lists {
		fmt.Fprintf(&b, "  list %s of %q %q\n", at(l.Place), l.Kind, l.APIVersion)
	}
	for _, p := range c.Passed {
		fmt.Fprintf(&b, "  passed %d: %s\n", p.Count, p.Reason)
	}
	for _, p := range c.Problems {
		fmt.Fprintf(&b, "  PROBLEM %s %s %s\n", p.Code, at(p.Place), p.Message)
	}
	for _, p := range c.Lost {
		fmt.Fprintf(&b, "  LOST %s %s %v%s %s\n", p.Code, at(p.Place), p.Kinds, lostAs(p), p.Message)
	}
	for _, p := range c.Warnings {
		fmt.Fprintf(&b, "  WARNING %s %s %s\n", p.Code, at(p.Place), p.Message)
	}
	if c.Enclosed != nil {
		p := c.Enclosed.Problem()
		fmt.Fprintf(&b, "  ENCLOSED %s %s %s\n", p.Code, at(p.Place), p.Message)
	}
	if k := c.Kustomization; k != nil {
		fmt.Fprintf(&b, "  KUSTOMIZATION changes %q, applies %q, uses %q\n", k.Changes, k.Resources, k.Used)
	}
	if len(c.Templates)+c.Dependencies > 0 {
		fmt.Fprintf(&b, "  NAMED templates %q, %d dependencies\n", c.Templates, c.Dependencies)
	}
	for _, f := range c.Failed {
		fmt.Fprintf(&b, "  FAILED %s %s\n", at(f.Place), f)
	}
	if c.Gathered || c.Placed {
		fmt.Fprintf(&b, "  GATHERED shown %v, placed %v, only objects %v\n", c.Shown, c.Placed, c.OnlyObjects())
	}
	for _, p := range c.Blank {
		fmt.Fprintf(&b, "  BLANK %s %s %s\n", p.Code, at(p.Place), p.Message)
	}
	return b.String()
}

// lostAs says what is known of lost text besides its kinds.
func lostAs(l Lost) (text string) {
	if l.Any {
		text = " any"
	}
	if l.ByName != "" {
		text += " (" + string(l.ByName) + ")"
	}
	return text
}

// at is a place as line/document/item.
func at(p refconfig.Place) string {
	return fmt.Sprintf("%d/%d/%d", p.Line, max(p.Document-1, 0), p.Item-1)
}

// TestCopiesAreYieldedByIdentity, the newest first, as long as they are wanted.
func TestCopiesAreYieldedByIdentity(t *testing.T) {
	object := func(name, version string) *Object {
		return &Object{ID: ID{Kind: "Kind", Name: name}, ResourceVersion: version}
	}
	objects := []*Object{object("b", "9"), object("a", ""), object("$open", ""), object("b", "10"), object("$open", ""), object("a", "x")}
	for placeholders, want := range map[bool]string{false: "$open$open aa b10b9", true: "$open $open aa b10b9"} {
		var got []string
		for same := range Copies(objects, placeholders) {
			text := ""
			for _, o := range same {
				text += o.ID.Name + strings.Trim(o.ResourceVersion, "x")
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with placeholders %v: %q, want %s", placeholders, got, want)
		}
	}
	at := func(file, wrapper string) *Object {
		return &Object{ID: ID{Kind: "Kind", Name: "a"}, Wrapper: wrapper, Place: refconfig.Place{File: file}}
	}
	for same := range Copies([]*Object{at("d", "x"), at("a", "z"), at("c", ""), at("b", "y"), at("b", "")}, false) { // by place, those in others last
		text := ""
		for _, o := range same {
			text += o.Place.File + o.Wrapper + " "
		}
		if text != "b c az by dx " {
			t.Errorf("copies in other objects: %s", text)
		}
	}
	for range Copies(objects, false) {
		break
	}
}
