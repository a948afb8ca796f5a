package formats

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

// TestDiffsApply: a diff made of random sides, applied to the lines of the left, gives those of the
// right; it changes nothing else, and has no more lines around a change than it may.
func TestDiffsApply(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var sides []finding.Side
		var left, right []string
		line := func(n int) *finding.Line { return &finding.Line{Indent: r.IntN(3), Text: fmt.Sprint("l", n)} }
		for n := range r.IntN(30) {
			switch a, b := line(n), line(n+100); r.IntN(9) {
			case 0:
				sides, left, right = append(sides, finding.Side{Category: finding.Drift, Left: a, Right: b}), append(
					left, textOf(a),
				), append(right, textOf(b))
			case 1:
				sides, left = append(sides, finding.Side{Category: finding.Missing, Left: a}), append(left, textOf(a))
			case 2:
				sides, right = append(sides, finding.Side{Category: finding.Extra, Right: b}), append(right, textOf(b))
			case 3: // what is expected to vary is no change
				sides, left, right = append(sides, finding.Side{Category: finding.Expected, Left: a, Right: b}), append(
					left, textOf(b),
				), append(right, textOf(b))
			case 4:
				sides = append(sides, finding.Side{Category: finding.Drift, Note: a})
			default:
				sides, left, right = append(sides, finding.Side{Left: a, Right: a}), append(
					left, textOf(a),
				), append(right, textOf(a))
			}
		}
		context := r.IntN(4)
		var out, folded bytes.Buffer
		for _, h := range hunks(edits(sides), context) {
			h.write(&out)
		}
		for _, h := range hunks(edits(diff.Fold(sides, diff.Folding{Context: context, Expected: true})), context) {
			h.write(&folded)
		}
		if folded.String() != out.String() {
			t.Fatalf(
				"seed %d: with lines not kept it is\n%s\nand with all of them\n%s", seed, folded.String(), out.String(),
			)
		}
		if got, err := applyDiff(left, out.String(), context); err != nil || !slices.Equal(got, right) {
			t.Fatalf(
				"seed %d: %v\n%s\nmakes of\n%s\n\n%s\n\nwant\n%s",
				seed,
				err,
				out.String(),
				strings.Join(left, "\n"),
				strings.Join(got, "\n"),
				strings.Join(right, "\n"),
			)
		}
	}
}

// applyDiff applies the hunks of a unified diff, as POSIX describes its format.
func applyDiff(lines []string, diff string, context int) (out []string, err error) {
	at := 0
	all := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	for i := 0; i < len(all) && all[i] != ""; {
		var from, n, to, m int
		if from, n, to, m, err = diffHeader(all[i]); err != nil {
			return nil, err
		}
		if n == 0 {
			from++
		}
		if m == 0 {
			to++
		}
		if out = append(out, lines[at:from-1]...); len(out) != to-1 {
			return nil, fmt.Errorf("%s, and there are %d lines before it", all[i], len(out))
		}
		at = from - 1
		unchanged := 0
		for i++; n+m > 0; i++ {
			switch mark, text := all[i][0], all[i][1:]; mark {
			case '+':
				out, m = append(out, text), m-1
			default:
				if lines[at] != text {
					return nil, fmt.Errorf("%q is not %q", text, lines[at])
				}
				if n, at = n-1, at+1; mark == ' ' {
					out, m = append(out, text), m-1
				}
			}
			if unchanged++; all[i][0] != ' ' {
				unchanged = 0
			}
		}
		if unchanged > context {
			return nil, fmt.Errorf("%d lines behind the last change", unchanged)
		}
	}
	return append(out, lines[at:]...), nil
}

func diffHeader(line string) (from, n, to, m int, err error) {
	side := func(s string) (at, n int) {
		if n = 1; strings.Contains(s, ",") {
			_, err = fmt.Sscanf(s, "%d,%d", &at, &n)
		} else {
			_, err = fmt.Sscanf(s, "%d", &at)
		}
		return at, n
	}
	fields := strings.Fields(line)
	if len(fields) != 4 || fields[0] != "@@" || fields[3] != "@@" {
		return 0, 0, 0, 0, fmt.Errorf("%q begins no hunk", line)
	}
	from, n = side(fields[1][1:])
	to, m = side(fields[2][1:])
	return from, n, to, m, err
}
