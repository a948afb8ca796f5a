package main

import (
	"cmp"
	"fmt"
	"slices"
)

// row is one measurement. expand says which names its commands may have.
type row struct {
	name      string   // -only selects rows by it
	before    []string // a command whose result the others need
	command   []string // what is measured
	yardstick []string // what it is compared with
	sized     string   // the file or folder whose size the row shows; empty for the last argument
	aside     bool     // the manual does without it
	rare      bool     // it takes minutes or much disk, so it is measured only if -only is given
	show      func(m measurement) (what string, figures []figure)
}

// line is a row of the table.
type line struct {
	what string // the input
	sample
	figures []figure
	aside   bool // the manual does without it
}

// figure is a number with its goal, an upper limit.
type figure struct {
	value, goal float64 // goal is 0 for none
	format      string  // begins with the verb of the number
}

// rows returns all rows; grown and fresh are archives to use instead of generated ones, or empty.
func rows(grown, fresh string) []row {
	all := []row{
		archive("archive G, a grown cluster", "archive of a grown cluster", cmp.Or(grown, "${grown-10.tar.gz}"), 0.60, 64),
		archive("archive R, a fresh cluster", "archive of a fresh cluster", cmp.Or(fresh, "${fresh-2.tar.gz}"), 0.45, 0),
		unpacked("xz", "archive of a fresh cluster, .tar.xz", "${fresh-1.tar.xz}", 1.15),
		unpacked("zip", "archive of a grown cluster, .zip", "${grown-10.zip}", 0.60),
		tenfold(),
		clusters(20),
		clusters(200),
		alike(200),
		folder("tree of a must-gather", "folder of a fresh cluster", "${reference}", "${fresh-2}", 0.75, 48),
		folder("tree of 10,000 objects, 10 compared", "10,000 CRs, 10 compared",
			"${objects-10000-10}/reference", "${objects-10000-10}/input", 1.0, 40),
		objects("json", 250),
		objects("text", 400),
	}
	for _, format := range []string{"text", "yaml", "html", "junit", "sarif", "markdown", "csv", "github", "diff", "fix"} {
		all = append(all, drifting(format))
	}
	all = append(all, growing()...)
	return append(all,
		reports(),
		text("text of 1 MB, all lines differ", "100", "text"),
		text("text of 1 MB, all lines differ, as json", "100", "json"),
		text("text of 1 MB, one line in a hundred differs", "1", "text"),
		small(),
		start("version", "the command version", 5, "version"),
		start("one object, one template", "one CR, a reference of one template", 8, "${one}/reference", "${one}/input"),
		author("lint", heaviest),
		author("inspect", heaviest),
		author("test", heaviest),
		author("diff", heaviest, heaviest),
		changed(),
		large("large list.yaml", "YAML List of 100 MB", "${list.yaml}/reference", "${list.yaml}/list"),
		large("large list.json", "JSON List of 100 MB", "${list.json}/reference", "${list.json}/list"),
		large("large configmap.yaml, compared", "ConfigMap of 100 MB, compared",
			"${configmap}/reference", "${configmap}/settings.yaml"),
		large("large configmap.yaml, not compared", "ConfigMap of 100 MB, not compared",
			"${reference}", "${configmap}/settings.yaml"),
	)
}

// tool returns a command: the tool with arguments.
func tool(args ...string) []string { return append([]string{"${tool}"}, args...) }

// shell returns a command: a script with the path of a file or folder.
func shell(script, path string) []string { return []string{"sh", "-c", fmt.Sprintf(script, path)} }

// peakFormat is the format of a peak. A table without goals shows peaks in a column of their own.
const peakFormat = "%.0f MB at the peak"

// peak returns the peak; goal is 0 for none.
func (m measurement) peak(goal float64) figure {
	return figure{value: m.ours[peak], goal: goal, format: peakFormat}
}

// processor returns the ratio of processor times. It has no goal, but hardly depends on the load of
// the machine.
func (m measurement) processor() figure {
	return figure{value: m.ratio[processor], format: "%.2f × its processor time"}
}

// archive is a row that measures a .tar.gz.
func archive(name, what, path string, goal, peakGoal float64) row {
	return row{
		name:    name,
		command: tool("${reference}", path), yardstick: shell("gzip -dc '%s' | wc -c", path),
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("%s, .tar.gz, %.0f MB in %.0f MB", what, m.yardstick[printed]/1e6, m.size),
				[]figure{{value: m.ratio[wall], goal: goal, format: "%.2f × `gzip -dc`"}, m.processor(), m.peak(peakGoal)}
		},
	}
}

// unpacked is a row that measures an archive next to unpacking it with a library.
func unpacked(format, what, path string, goal float64) row {
	return row{
		name:    "archive " + format,
		aside:   format == "zip",
		command: tool("${reference}", path), yardstick: []string{"${bench}", unpackFile, path},
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("%s, %.0f MB", what, m.yardstick[printed]/1e6),
				[]figure{{value: m.ratio[wall], goal: goal, format: "%.2f × unpacking it with a library"}, m.processor()}
		},
	}
}

// tenfold is a row that measures an archive with ten times as much content that is not compared.
func tenfold() row {
	return row{
		name:    "archive ten times as large",
		aside:   true,
		command: tool("${reference}", "${grown-10.tar.gz}"), yardstick: tool("${reference}", "${grown-1.tar.gz}"),
		show: func(m measurement) (string, []figure) {
			return "10 times as much that is not compared", []figure{
				{value: m.ratio[wall], goal: 10, format: "%.1f × the time"},
				{
					value:  m.ours[peak] - m.yardstick[peak],
					format: fmt.Sprintf("%%.0f MB more than the %.0f MB of the small one", m.yardstick[peak]),
				},
			}
		},
	}
}

// clusters is a row that measures the archives of n clusters in one run, next to the first alone.
func clusters(n int) row {
	all := []string{"${reference}"}
	for i := range n {
		all = append(all, fmt.Sprintf("${cluster-%03d.tar.gz}", i))
	}
	return row{
		name:    fmt.Sprintf("%d clusters", n),
		command: tool(all...), yardstick: tool(all[:2]...),
		aside: n < 100,
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("archives of %d clusters, 8 MB each", n), []figure{
				{value: m.ours[processor] * 1e3 / float64(n), format: "%.0f ms of a processor for each"},
				{value: m.ratio[processor] / float64(n), goal: 1.1, format: "%.2f × that of one by itself"},
				m.peak(0),
			}
		},
	}
}

// alike is a row that compares n folders with the same CRs in one run, next to the first alone.
func alike(n int) row {
	all := []string{"${alike}/reference"}
	for i := range n {
		all = append(all, fmt.Sprintf("${alike}/%03d", i))
	}
	return row{
		name:    fmt.Sprintf("%d alike folders", n),
		aside:   true,
		command: tool(all...), yardstick: tool(all[:2]...),
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("%d folders with the same 100 CRs", n), []figure{
				{value: m.ratio[processor] / float64(n), goal: 0.5, format: "%.2f × the processor time of one by itself"},
				m.peak(0),
			}
		},
	}
}

// folder is a row that measures a folder.
func folder(name, what, reference, path string, goal, peakGoal float64) row {
	return row{
		name:    name,
		command: tool(reference, path), yardstick: shell("find '%s' -name '*.yaml' | xargs cat | wc -c", path),
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("%s, %.0f MB in %d files", what, m.size, m.files),
				[]figure{{value: m.ratio[wall], goal: goal, format: "%.2f × `cat` of its YAML"}, m.processor(), m.peak(peakGoal)}
		},
	}
}

// objects is a row that measures ten thousand objects, half of which differ, next to a thousand, to
// see whether the cost is linear.
func objects(format string, goal float64) row {
	return row{
		name:      "objects 10,000 as " + format,
		aside:     format != "text",
		command:   tool("-o", format, "${objects-10000}/reference", "${objects-10000}/input"),
		yardstick: tool("-o", format, "${objects-1000}/reference", "${objects-1000}/input"),
		show: func(m measurement) (string, []figure) {
			return "10,000 CRs, all compared, half differ, as " + format, []figure{
				{value: m.ours[processor] * 1e6 / 10_000, goal: goal, format: "%.0f µs of a processor for each"},
				{value: m.ratio[processor], goal: 11, format: "%.1f × the processor time of 1,000"},
				m.peak(120),
			}
		},
	}
}

// drifting is a row that compares a format with JSON, for ten thousand objects that all differ.
func drifting(format string) row {
	write := func(format string) []string {
		return tool("--output="+format+"=${new}", "${drifting-10000}/reference", "${drifting-10000}/input")
	}
	goal := 0.0
	if format == "html" {
		goal = 20
	}
	return row{
		name:    "drifting 10,000 as " + format,
		aside:   format != "html",
		command: write(format), yardstick: write("json"), sized: "${data}/new/1",
		show: func(m measurement) (string, []figure) {
			return "10,000 CRs, all differ, as " + format, []figure{
				{value: m.ratio[wall], goal: 1.3, format: "%.2f × the time of JSON"},
				m.processor(),
				m.peak(200),
				{value: m.size, goal: goal, format: "%.1f MB written"},
			}
		},
	}
}

// growing returns rows that compare a large input with a small one, to see how the cost grows.
func growing() []row {
	crowd := func(n int) []string { // a million take more than the limit by default
		return tool("--limit", "memory=8GiB", "${objects-10000}/reference", fmt.Sprintf("${crowd-%d.tar.gz}", n))
	}
	levels := func(n int) []string {
		return tool(fmt.Sprintf("${levels-%d}/reference", n), fmt.Sprintf("${levels-%d}/input", n))
	}
	members := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("${member-%04d.tar.gz}", i))
		}
		return all
	}
	one := func(n int) []string { return append(tool("${reference}"), members(n)...) }
	halves := append([]string{"sh", "-c", `mkdir "$$1"
		tool=$$0 new=$$1; shift
		for half in 0/2 1/2; do "$$tool" --shard $$half --report-dir "$$new" "$$@" >/dev/null & done; wait; shift
		"$$tool" report --report-dir "$$new" --summary "$$@" >/dev/null
		echo 0`, "${tool}", "${new}", "${reference}"}, members(2_000)...)
	return []row{
		growth("100,000 CRs", "10,000", 100_000/10_000, crowd(100_000), crowd(10_000)),
		growth("1,000,000 CRs", "10,000", 1_000_000/10_000, crowd(1_000_000), crowd(10_000)),
		growth("980 templates", "98", 10, tool("${wide}/reference", "${wide}/input"), small().command),
		growth("a CR of 900 levels", "90", 10, levels(900), levels(90)),
		growth("2,000 clusters", "200", 10, one(2_000), one(200)),
		growth("2,000 clusters in two processes", "one", 1.5, halves, one(2_000)), // which write and read reports
	}
}

// growth is a row that measures an input that is a number of times as large as that of the yardstick. Its
// cost may grow a little faster: caches hold less of it.
func growth(what, small string, times float64, command, yardstick []string) row {
	return row{
		name:    "growth: " + what,
		aside:   true,
		rare:    true,
		command: command, yardstick: yardstick,
		show: func(m measurement) (string, []figure) {
			return what, []figure{
				{value: m.ratio[processor], goal: 1.2 * times, format: "%.1f × the processor time of " + small},
				{value: m.ratio[wall], format: "%.1f × the time"},
				m.peak(0),
			}
		},
	}
}

// reports is a row that merges two thousand saved reports, next to two hundred, to see whether the
// cost is linear. It reads the same file repeatedly, because the tool keeps nothing of a report that
// it has read.
func reports() row {
	const many, few, saved = 2_000, 200, "${data}/saved.json"
	merge := func(n int) []string {
		return append(tool("report", "--summary"), slices.Repeat([]string{saved}, n)...)
	}
	return row{
		name:    "report of 2,000 saved ones",
		before:  tool("-o", "json="+saved, "${objects-20}/reference", "${objects-20}/input"),
		command: merge(many), yardstick: merge(few),
		show: func(m measurement) (string, []figure) {
			perReport := (m.ours[peak] - m.yardstick[peak]) / (many - few)
			return fmt.Sprintf("2,000 saved reports of %.0f kB, as one", m.size*1e3), []figure{
				{value: m.ours[processor] * 1e3 / many, format: "%.2f ms of a processor for each"},
				{value: m.ratio[processor], goal: 11, format: "%.1f × the processor time of 200"},
				{value: perReport / m.size, goal: 3, format: "%.1f × its size at the peak for each"},
			}
		},
	}
}

// text is a row that measures one object with a megabyte of text.
func text(name, differing, format string) row {
	path := "${text-" + differing + "}"
	return row{
		name:    name,
		aside:   true,
		command: tool("-o", format, path+"/reference", path+"/settings.yaml"),
		show: func(m measurement) (string, []figure) {
			return fmt.Sprintf("a text of 1 MB, %s %% of its lines differ, as %s", differing, format),
				[]figure{{value: m.ours[wall], goal: 0.1, format: "%.2f s"}}
		},
	}
}

// small is a row that measures one small object with a large reference: the least that a run costs.
func small() row {
	return row{
		name:    "small: one object, 98 templates",
		aside:   true,
		command: tool("${small}/reference", "${small}/input"),
		show: func(m measurement) (string, []figure) {
			return "one CR, a reference of 98 templates",
				[]figure{{value: m.ours[processor] * 1e3, goal: 20, format: "%.1f ms of a processor"}}
		},
	}
}

// start is a row that measures a run with hardly any work: what each run costs.
func start(name, what string, goal float64, args ...string) row {
	return row{
		name:    "start: " + name,
		command: tool(args...), sized: "${small}/input",
		show: func(m measurement) (string, []figure) {
			return what, []figure{{value: m.ours[processor] * 1e3, goal: goal, format: "%.1f ms of a processor"}}
		},
	}
}

// heaviest is the example whose templates read the most fields.
const heaviest = "examples/config-connector/reference"

// author is a row that measures a command for authors of references.
func author(command string, references ...string) row {
	return row{
		name:    "author: " + command,
		command: tool(append([]string{command}, references...)...),
		aside:   command == "inspect" || command == "test",
		show: func(m measurement) (string, []figure) {
			return "`" + command + "` of " + heaviest, []figure{{value: m.ours[wall], goal: 0.25, format: "%.2f s"}}
		},
	}
}

// changed is a row that measures diff with a copy of the reference in which all templates differ, because
// they call a template that does.
func changed() row {
	const copied = "${data}/changed"
	r := author("diff", heaviest, copied)
	r.name += " of a changed copy"
	r.before = shell("rm -rf '%[1]s' && cp -r "+heaviest+" '%[1]s' && "+
		"sed 's/KCC-STALE/KCC-OLD/' "+heaviest+"/functions/ready.tmpl >'%[1]s/functions/ready.tmpl' && echo 0", copied)
	r.aside = true
	show := r.show
	r.show = func(m measurement) (string, []figure) {
		what, figures := show(m)
		return what + " and a changed copy", figures
	}
	return r
}

// large is a row that measures one large file, which is compared or only read.
func large(name, what, reference, path string) row {
	return row{
		name:    name,
		aside:   reference == "${reference}", // it is only read
		command: tool(reference, path),
		show: func(m measurement) (string, []figure) {
			return what, []figure{
				{value: m.ours[peak] / m.size, goal: 3, format: "%.1f × the file at the peak"},
			}
		},
	}
}
