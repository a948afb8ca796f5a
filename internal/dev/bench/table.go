package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// writeTable writes the lines as a readable Markdown table, with the goals if requested.
func writeTable(w io.Writer, lines []line, goals bool) {
	cells := [][]string{{"compared", "time", "processor", "peak", "that is"}}
	if goals {
		cells[0] = append(cells[0], "goal")
	}
	for _, l := range lines {
		row := []string{l.what, seconds(l.sample[wall]), seconds(l.sample[processor]), fmt.Sprintf("%.0f MB", l.sample[peak])}
		var values, wanted []string
		for _, f := range l.figures {
			if goals || f.format != peakFormat {
				values = append(values, fmt.Sprintf(f.format, f.value))
			}
			if f.goal == 0 {
				continue
			}
			verb, _, _ := strings.Cut(f.format, " ")
			goal := fmt.Sprintf("≤ "+verb, f.goal)
			if f.value > f.goal {
				goal += " missed"
			}
			wanted = append(wanted, goal)
		}
		row = append(row, strings.Join(values, ", "))
		if goals {
			row = append(row, strings.Join(wanted, ", "))
		}
		cells = append(cells, row)
	}
	var b bytes.Buffer
	columns := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	for _, row := range cells {
		fmt.Fprintf(columns, "| %s\t|\n", strings.Join(row, "\t| "))
	}
	columns.Flush() // writing to a buffer cannot fail
	head, rest, _ := strings.Cut(b.String(), "\n")
	rule := regexp.MustCompile(`[^|]`).ReplaceAllString(head, "-")
	fmt.Fprintf(w, "%s\n%s\n%s", head, rule, rest)
}

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.0f ms", s*1e3)
	}
	return fmt.Sprintf("%.2f s", s)
}

// The comments around the table in a file.
const (
	tableBegins = "<!-- The table is written by `make bench BENCH_TABLE=docs/performance.md`. -->\n"
	tableEnds   = "<!-- The end of the table. -->\n"
)

// rewrite replaces the table in a file, without the goals and without the lines that the manual does without.
func rewrite(path string, lines []line) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := bytes.Cut(text, []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !begins || !ends {
		return fmt.Errorf(
			"%s: the lines %q and %q, between which the table is written, are missing",
			path,
			strings.TrimSpace(tableBegins),
			strings.TrimSpace(tableEnds),
		)
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString(tableBegins)
	shown := slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.aside })
	writeTable(&b, shown, false)
	fmt.Fprintf(
		&b,
		"\nMeasured with %s for %s/%s on %d processors.\n",
		runtime.Version(),
		runtime.GOOS,
		runtime.GOARCH,
		runtime.NumCPU(),
	)
	b.WriteString(tableEnds)
	b.Write(after)
	return os.WriteFile(path, b.Bytes(), 0o644)
}
