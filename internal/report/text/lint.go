package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// Lint prints the problems of a reference, one on each line in the form that compilers use, so that
// editors find the locations. The error is the writer's.
func Lint(w io.Writer, l *lint.Document, opt Options) error {
	var b strings.Builder
	colours := newPalette(opt.Color)
	longest := cmp.Or(opt.LongestLine, escape.DefaultLongest)
	for _, f := range l.New() {
		severity := paint(colours.info, string(f.Severity))
		if f.Severity == lint.Wrong {
			severity = paint(colours.bad, string(f.Severity))
		}
		fmt.Fprintf(
			&b,
			"%s: %s: %s (%s)\n",
			escape.Short(f.Place.String()),
			severity,
			escape.Text(escape.Shortened(f.Message, longest)),
			f.Code,
		)
	}
	if fresh := l.New(); len(fresh) > 0 {
		fmt.Fprintf(
			&b, "\n%s; %s explain %s says more\n", l.Sentence(), cmp.Or(opt.Command, finding.ToolName), fresh[0].Code,
		)
	} else {
		fmt.Fprintln(&b, l.Sentence())
	}
	if unchecked := l.Schemas.Unchecked(); unchecked != "" {
		fmt.Fprintln(&b, escape.Text(escape.Shortened(unchecked, longest)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
