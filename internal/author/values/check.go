package values

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Checked lists the differences between a folder and the rendered CRs.
type Checked struct {
	CRs   int // number of rendered CRs
	Other []Difference
	Wrong []refconfig.Problem // CRs of the folder that cannot be decoded
}

// Difference is a CR that differs, or that only the folder or only the rendered CRs have.
type Difference struct {
	ID      manifest.ID
	At      refconfig.Place // in the folder; empty if the folder lacks the CR
	Words   string
	Details []string
}

// Check compares the CRs of a folder with the rendered ones. It compares the values of fields, not
// the format of the text or the names of files. searched caches the texts of the CRs that were
// searched for Secrets.
func Check(rendered []CR, folder []*manifest.Object, searched *secret.Searched) Checked {
	out := Checked{CRs: len(rendered)}
	byID := map[manifest.ID]*CR{}
	for i := range rendered {
		byID[rendered[i].ID] = &rendered[i]
	}
	there := map[manifest.ID]bool{}
	for _, o := range folder {
		there[o.ID] = true
		cr := byID[o.ID]
		if cr == nil {
			out.Other = append(out.Other, Difference{ID: o.ID, At: o.Place, Words: "is not rendered"})
			continue
		}
		v, err := o.Decode()
		if err != nil {
			out.Wrong = append(out.Wrong, o.Place.Problem(code.EvalDecode, "the CR cannot be decoded: %s", err))
			continue
		}
		if lines := differences(cr.Value, v, searched); len(lines) > 0 {
			out.Other = append(out.Other, Difference{o.ID, o.Place, "is rendered differently", lines})
		}
	}
	for _, cr := range rendered {
		if !there[cr.ID] {
			out.Other = append(out.Other, Difference{ID: cr.ID, Words: "is missing; its template is " + cr.Template})
		}
	}
	slices.SortStableFunc(out.Other, func(a, b Difference) int { return manifest.Compare(a.ID, b.ID) })
	return out
}

// differences describes the fields of a CR that differ from the rendered one, each on a line.
func differences(rendered, is map[string]any, searched *secret.Searched) []string {
	pair := diff.Of(provenance.Plain(rendered), is, secret.Of(rendered).Or(secret.Of(is)).With(searched))
	var lines []string
	for _, d := range (diff.Show{}).Differences(diff.Flatten(pair), nil) {
		lines = append(lines, d.Words())
	}
	return lines
}

// Text writes the differences, and a summary at the end.
func (c Checked) Text(w io.Writer, folder string) error {
	var b strings.Builder
	for _, d := range c.Other {
		at := ""
		if text := d.At.String(); text != "" {
			at = ", at " + text
		}
		fmt.Fprintln(&b, escape.Line(fmt.Sprintf("%s %s%s", d.ID, d.Words, at)))
		for _, detail := range d.Details {
			fmt.Fprintln(&b, escape.Line("  "+detail))
		}
	}
	end := fmt.Sprintf("%s matches the rendered CRs: %s", folder, finding.Plural(c.CRs, "CR", "CRs"))
	if len(c.Other) > 0 {
		differ := finding.Plural(len(c.Other), "CR differs", "CRs differ")
		end = fmt.Sprintf("%s does not match the rendered CRs: %s", folder, differ)
	}
	fmt.Fprintln(&b, escape.Line(end))
	_, err := io.WriteString(w, b.String())
	return err
}
