package compare

import (
	"slices"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/embed"
)

// reveal looks into the texts that differ, for the report to show what they hold.
func (w *weighing) reveal(a *attempt) {
	if slices.ContainsFunc(a.differences, diff.Difference.OfTexts) {
		diff.Reveal(a.differences, &embed.Reader{Left: embed.Most(w.of.object.Text())}, w.opt.Show.Secrets)
	}
}
