package cli

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// limits are those of one run that --limit can change, by name; a name that is not there has its default.
type limits map[string]int

// limit is one that --limit knows.
type limit struct {
	name  string
	def   int
	most  int // the largest value, 0 for any
	bytes bool
	code  code.Code
	what  string // what there may be no more of
}

// allLimits are the limits in the order in which they are shown.
func allLimits() []limit {
	src, text, run := source.DefaultLimits(), manifest.DefaultLimits(), render.DefaultLimits()
	return []limit{
		{"file", int(src.File), 0, true, code.LimitSize, "of one file that is read"},
		{"unpacked", int(src.Unpacked), 0, true, code.LimitUnpacked, "that all archives unpack to"},
		{"entries", src.Entries, 0, false, code.LimitEntries, "entries of all archives"},
		{"archives", src.Archives, 0, false, code.LimitArchives, "archives inside one input"},
		{"depth", src.Depth, 100, false, code.LimitDepth, "archives inside each other"},
		{"held", int(src.Held), 0, true, code.LimitHeld, "of archives inside standard input"},
		{"objects", defaultObjects, 0, false, code.LimitObjects, "CRs of all inputs"},
		{"nesting", text.Nesting, manifest.MaxNesting, false, code.LimitNesting, "maps and lists inside each other"},
		{"aliases", text.Aliases, 0, false, code.LimitAliases, "values that YAML aliases repeat in a text"},
		{"values", text.Values, 0, false, code.LimitValues, "values of one document"},
		{"steps", run.Steps, math.MaxInt32, false, code.LimitSteps, "steps of a template for one CR"},
		{"output", run.Output, math.MaxInt32, true, code.LimitOutput, "of text that a template makes for one CR"},
		{"calls", run.Calls, 100_000, false, code.LimitCalls, "templates that call each other"},
		{"reference", refconfig.DefaultFileLimit, 0, true, code.LimitSize, "of one file of the reference"},
		{"memory", defaultMemory, 0, true, code.LimitMemory, "that a run holds in memory"},
		{"line", visible.DefaultLongest, 0, true, code.LimitLine, "of a line of the text report"},
		{"work", compare.DefaultWork, 0, false, code.LimitWork, "steps for all CRs, beside 1000 for each and 50 for each byte of it"},
	}
}

// defaultObjects is how many CRs the inputs may hold.
const defaultObjects = 5_000_000

// defaultMemory is how many bytes a run holds in memory.
const defaultMemory = 2 << 30

// Limits of an archive that holds a reference, where --limit does not say otherwise: all of it is kept in memory.
const (
	referenceUnpacked = 512 << 20
	referenceEntries  = 100_000
)

// limitRows are the limits as help lists them.
func limitRows() [][2]string {
	var rows [][2]string
	for _, l := range allLimits() {
		rows = append(rows, [2]string{fmt.Sprintf("%-10s %9s", l.name, l.shown()), l.said()})
	}
	return rows
}

// limitValues are the values of --limit as far as they are known.
func limitValues() []string {
	var values []string
	for _, l := range allLimits() {
		values = append(values, l.name+"=")
	}
	return values
}

// shown is the default as a user would write it.
func (l limit) shown() string {
	if !l.bytes {
		return strconv.Itoa(l.def)
	}
	for _, u := range units() {
		if l.def >= u.size && l.def%u.size == 0 {
			return strconv.Itoa(l.def/u.size) + u.name
		}
	}
	return strconv.Itoa(l.def)
}

// said says what is limited.
func (l limit) said() string {
	if l.bytes {
		return "bytes " + l.what
	}
	return l.what
}

// unit is what a size may be given in.
type unit struct {
	name string
	size int
}

func units() []unit { return []unit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} }

// set takes in a value of --limit.
func (l limits) set(value string) error {
	name, text, ok := strings.Cut(value, "=")
	if !ok {
		return fmt.Errorf("%q is not NAME=VALUE, such as file=2GiB", value)
	}
	one, known := limitOf(strings.TrimSpace(name))
	if !known {
		return fmt.Errorf("there is no limit %q; there are %s", name, limitNames())
	}
	n, err := one.parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	l[one.name] = n
	return nil
}

func limitOf(name string) (limit, bool) {
	for _, l := range allLimits() {
		if l.name == name {
			return l, true
		}
	}
	return limit{}, false
}

func limitNames() string {
	var names []string
	for _, l := range allLimits() {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

// parse reads the value of a limit: a whole number above zero, of bytes with a unit or without.
func (l limit) parse(text string) (int, error) {
	digits, size := text, 1
	for _, u := range units() {
		if rest, found := strings.CutSuffix(text, u.name); found && l.bytes {
			digits, size = strings.TrimSpace(rest), u.size
		}
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil && l.bytes:
		return 0, fmt.Errorf("%s is %q; it is a whole number of bytes, or one with KiB, MiB or GiB", l.name, text)
	case err != nil:
		return 0, fmt.Errorf("%s is %q; it is a whole number", l.name, text)
	case n < 1:
		return 0, fmt.Errorf("%s is %s; it must be above zero", l.name, text)
	case n > math.MaxInt/size || l.most > 0 && n*size > l.most:
		most := l.most
		if most == 0 {
			most = math.MaxInt
		}
		return 0, fmt.Errorf("%s is %s; it can be %d at most", l.name, text, most)
	}
	return n * size, nil
}

// source returns the limits of reading inputs.
func (l limits) source() source.Limits {
	return source.Limits{File: int64(l["file"]), Unpacked: int64(l["unpacked"]), Held: int64(l["held"]),
		Memory: l.memory() / budget.Quarter, Entries: l["entries"], Archives: l["archives"], Depth: l["depth"]}
}

// reference returns the limits of reading an archive that holds a reference.
func (l limits) reference() source.Limits {
	s := l.source()
	if s.Unpacked == 0 {
		s.Unpacked = referenceUnpacked
	}
	if s.Entries == 0 {
		s.Entries = referenceEntries
	}
	if s.File == 0 {
		s.File = referenceUnpacked
	}
	return s
}

// text returns the limits of YAML and JSON.
func (l limits) text() manifest.Limits {
	return manifest.Limits{Nesting: l["nesting"], Aliases: l["aliases"], Values: l["values"]}
}

// render returns the limits of executing templates.
func (l limits) render() render.Limits {
	return render.Limits{Steps: l["steps"], Output: l["output"], Calls: l["calls"], Text: l.text()}
}

// memory is how many bytes a run holds.
func (l limits) memory() int64 {
	if n := l["memory"]; n > 0 {
		return int64(n)
	}
	return defaultMemory
}

// part are the limits of one of several jobs, which have a part of the memory each.
func (l limits) part(jobs int) limits {
	part := maps.Clone(l)
	part["memory"] = int(max(1, l.memory()/int64(jobs)))
	return part
}

// objects is how many CRs the inputs may hold.
func (l limits) objects() int {
	if n := l["objects"]; n > 0 {
		return n
	}
	return defaultObjects
}

// comparing is how much memory the comparison of clusters takes, of whose reports so much is held already.
func (l limits) comparing(held int64) compare.Memory {
	share := l.memory() / budget.Eighth
	return compare.Memory{Room: budget.NewRoom(3 * share), Rendered: budget.NewRoom(share), Report: max(1, share-held)}
}
