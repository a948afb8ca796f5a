package diff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/given"
	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// TestGolden compares two values and holds all that is found and shown: an archive of testdata has
// the values, the notes of the left one, the policy in its first lines, and what is found and the
// lines of both sides for each choice of what is shown, and the values that are scored.
func TestGolden(t *testing.T) {
	pack.Each(t, "testdata/*.txtar", func(t *testing.T, a *pack.Archive) {
		read := func(name string) any {
			text, _ := a.Text(name)
			docs, fault := kubeyaml.Parse([]byte(text))
			switch {
			case fault != nil:
				t.Fatalf("%s: %v", name, fault)
			case len(docs) == 0:
				return nil
			}
			return docs[0].Value()
		}
		left, right := given.Noted(read("left"), noted(read("notes"))), read("right")
		policy := policyOf(t, string(a.Comment))
		policy.Listing = &Listing{Printed: left.Value(), Input: right}
		if policy.Unspecified {
			left = Unspecified(right, left, policy.Fields, nil)
		}
		compared := Compare(left, right, secret.OfKind(policy.Kind), policy)
		if before := read("before"); before != nil { // overrides changed it into the left value
			compared = compared.Against(Compare(provenance.Plain(before), right, secret.OfKind(policy.Kind), policy))
		}
		for _, f := range a.Files {
			what, words, _ := strings.Cut(f.Name, " ")
			show, once := showOf(t, words), compared
			if strings.Contains(words, "reveal") {
				once = compared.Revealed(&embed.Reader{Left: 1 << 20}, show.Secrets)
			}
			switch what {
			case "found":
				a.Want(t, f.Name, found(once, show)+fmt.Sprintf("suppressed: %v\n", policy.Listing.All))
			case "scored":
				l, r := once.Tree.Scored(!show.Secrets)
				text := fmt.Sprintf("%v\n%v\n", l.Data, r.Data)
				for _, child := range once.Tree.Children {
					if child.HoldsSecret() {
						text += fmt.Sprintf("%s is secret: %v\n", child.Step.Key, child.HidesMore())
					}
				}
				a.Want(t, f.Name, text)
			case "lines":
				a.Want(t, f.Name, linesOf(show.Sides(&Room{}, once.Tree, once.Differences)))
			}
		}
	})
}

// policyOf returns a policy by its lines.
func policyOf(t *testing.T, lines string) (p Policy) {
	var entries []string
	var apart []provenance.Finding
	p.Apart = func(any, any) []provenance.Finding { return apart }
	for line := range strings.Lines(lines) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "field":
			entries = append(entries, rest)
		case "omit":
			prefix := strings.HasSuffix(rest, "*")
			path, err := refconfig.ParseFieldPath(strings.TrimSuffix(rest, "*"))
			if err != nil {
				t.Fatal(err)
			}
			p.Omit = append(p.Omit, refconfig.OmitEntry{Path: path, Prefix: prefix})
		case "unspecified":
			p.Unspecified = true
		case "moved":
			p.Moved = true
		case "placeholders":
			p.Placeholders = true
		case "kind":
			p.Kind = rest
		case "layout":
			p.Layout = rest
		case "conflict":
			p.Conflicts = append(p.Conflicts, provenance.Finding{Code: "VT4013", Path: refconfig.PathOf("same"), Message: rest})
		case "own", "needs", "invalid":
			path, err := refconfig.ParseFieldPath(rest)
			if err != nil {
				t.Fatal(err)
			}
			of := map[string]code.Code{"own": "A-B", "needs": code.EvalMissingKey, "invalid": code.InvalidValue}[word]
			apart = append(apart, provenance.Finding{Code: of, Message: "m", Path: path})
		default:
			t.Fatalf("no policy %q", word)
		}
	}
	p.Fields = fields(t, entries...)
	return p
}

// showOf returns what is shown, by its words.
func showOf(t *testing.T, words string) (s Show) {
	for _, word := range strings.Fields(words) {
		switch word {
		case "full":
			s.Full = true
		case "near":
			s.Context = 1
		case "expected":
			s.Expected = true
		case "secrets":
			s.Secrets = true
		case "novalues":
			s.NoValues = true
		case "brief":
			s.Brief, s.Longest = true, 30
		case "reveal":
		default:
			t.Fatalf("no way to show %q", word)
		}
	}
	return s
}

// noted returns the notes that a value with words in the place of each note stands for.
func noted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = noted(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = noted(x)
		}
		return out
	case string:
		var n provenance.Note
		for _, word := range strings.Fields(v) {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "variable":
				n.Variable = true
			case "printed":
				fmt.Sscanf(value, "%d,%d", &n.Print, &n.Root)
			case "open":
				n.Open = true
			case "input":
				n.Input = true
			case "unsure":
				n.Unsure = true
			case "secret":
				n.Secret = true
			case "empty":
				n.Empty = true
			default: // a finding: its code and message
				n.Finding = &provenance.Finding{Code: key, Message: value}
			}
		}
		return n
	}
	return nil
}

// found returns the differences, and what else is found.
func found(c Compared, show Show) string {
	var b strings.Builder
	for _, d := range show.Kept(show.Differences(c.Differences, nil)) {
		fmt.Fprintf(&b, "%s %s %q %s -> %s", d.Category, d.Path, d.Named, d.Reference, d.Input)
		if d.Code+d.Message != "" {
			fmt.Fprintf(&b, " %s %q", d.Code, d.Message)
		}
		if d.Accepted != nil {
			fmt.Fprintf(&b, " accepted %s", d.Accepted)
		}
		if d.Inside != nil {
			fmt.Fprintf(&b, " inside %s of %q:", d.Inside.Format, d.Inside.Encoding)
			for _, in := range d.Inside.Differences {
				fmt.Fprintf(&b, " %s %s %s -> %s", in.Category, in.Path, in.Reference, in.Input)
			}
		}
		b.WriteString("\n")
	}
	for _, one := range c.AsIs {
		fmt.Fprintf(&b, "as it is: %s %s\n", one.Path, one.Why)
	}
	for _, path := range c.Masked {
		fmt.Fprintf(&b, "masked: %s\n", path)
	}
	return b.String()
}

// linesOf returns the lines of two sides, each with the spans of its words that differ.
func linesOf(sides []finding.Side) string {
	var b strings.Builder
	line := func(l *finding.Line) string {
		if l == nil {
			return "-"
		}
		text := l.Text
		if l.Words != nil {
			text += fmt.Sprint(*l.Words)
		}
		return strings.Repeat(" ", l.Indent) + text
	}
	for _, s := range sides {
		switch {
		case s.Hidden > 0:
			fmt.Fprintf(&b, "%s... %d\n", strings.Repeat(" ", s.Indent), s.Hidden)
		case s.Note != nil:
			fmt.Fprintf(&b, "  %s note %s\n", s.Category, line(s.Note))
		case s.Category == finding.Same && s.Left == s.Right && s.Path == "":
			fmt.Fprintf(&b, "  %s\n", line(s.Left))
		default:
			fmt.Fprintf(&b, "%s %s: %s | %s\n", s.Category, s.Path, line(s.Left), line(s.Right))
		}
	}
	return b.String()
}

// TestLongValuesAreCut: with Brief, a value of more than a kilobyte shows half of it and a hash.
func TestLongValuesAreCut(t *testing.T) {
	value := func(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", n-2) + `"`) }
	show := Show{Brief: true}
	for n, want := range map[int]int{longestBrief: longestBrief, longestBrief + 1: longestBrief / 2} {
		in := finding.InnerDifference{Reference: value(n)}
		one := show.Kept([]finding.Difference{{Reference: value(n), Inside: &finding.Inside{Differences: []finding.InnerDifference{in}}}})[0]
		got, hash, _ := strings.Cut(string(one.Reference), "… (SHA-256 ")
		if len(got) != want || want < n && len(hash) != len("x)\"")-1+64 || !cmp.Equal(one.Reference, one.Inside.Differences[0].Reference) {
			t.Errorf("%d bytes: %d, %s", n, len(got), hash)
		}
	}
}
