package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
)

// writeTable writes the lines as a readable Markdown table, with the goals if requested.
func writeTable(w io.Writer, lines []line, goals bool) {
	cells := [][]string{{"compared", "time", "processor", "peak", "that is"}}
	if goals {
		cells[0] = append(cells[0], "goal")
	}
	for _, l := range lines {
		row := []string{
			l.what,
			seconds(l.cost.wall),
			seconds(l.cost.processor),
			fmt.Sprintf("%.0f MB", megabytes(l.cost.peak)),
		}
		var values, wanted []string
		for _, f := range l.figures {
			if goals || f.unit != peakUnit {
				values = append(values, f.text(f.value))
			}
			switch {
			case f.goal > 0 && f.value > f.goal:
				wanted = append(wanted, "≤ "+f.number(f.goal)+" missed")
			case f.goal > 0:
				wanted = append(wanted, "≤ "+f.number(f.goal))
			}
		}
		row = append(row, strings.Join(values, ", "))
		if goals {
			row = append(row, strings.Join(wanted, ", "))
		}
		cells = append(cells, row)
	}
	writeCells(w, cells)
}

func writeCells(w io.Writer, cells [][]string) {
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range cells {
		for j, cell := range row {
			fmt.Fprintf(w, "| %s%s ", cell, strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)))
		}
		fmt.Fprintln(w, "|")
		if i > 0 {
			continue
		}
		for _, width := range widths {
			fmt.Fprintf(w, "|%s", strings.Repeat("-", width+2))
		}
		fmt.Fprintln(w, "|")
	}
}

func (f figure) text(value float64) string { return f.number(value) + " " + f.unit }

func (f figure) number(value float64) string { return fmt.Sprintf("%.*f", f.digits, value) }

func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// The comments around the table in a file.
const (
	tableBegins = "<!-- The table is written by `make bench BENCH_TABLE=docs/performance.md`. -->\n"
	tableEnds   = "<!-- The end of the table. -->\n"
)

// rewrite replaces the table in a file, without the goals.
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
	writeTable(&b, lines, false)
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
