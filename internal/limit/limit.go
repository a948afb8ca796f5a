// Package limit is the limits that protect a run against hostile input, as --limit names and sets them: what a user may change is one table
// here, and every package that keeps some of them takes them from here.
package limit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// Limits are those of one run that --limit can change, by name; a name that is not there has its default.
type Limits map[string]int64

// Limit is one that --limit knows.
type Limit struct {
	Name  string
	def   int64
	Most  int64 // the largest value, 0 for any
	bytes bool
	code  code.Code
	what  string // what there may be no more of
}

// All are the limits in the order in which they are shown.
func All() []Limit {
	src, text, run := source.DefaultLimits(), kubeyaml.DefaultLimits(), render.DefaultLimits()
	return []Limit{
		{"file", src.File, 0, true, code.LimitSize, "of one file that is read"},
		{"unpacked", src.Unpacked, 0, true, code.LimitUnpacked, "that all archives unpack to"},
		{"entries", int64(src.Entries), 0, false, code.LimitEntries, "entries of all archives"},
		{"archives", int64(src.Archives), 0, false, code.LimitArchives, "archives inside one input"},
		{"depth", int64(src.Depth), 100, false, code.LimitDepth, "archives inside each other"},
		{"held", src.Held, 0, true, code.LimitHeld, "of archives inside standard input"},
		{"objects", defaultObjects, 0, false, code.LimitObjects, "CRs of all inputs"},
		{"nesting", int64(text.Nesting), kubeyaml.MaxNesting, false, code.LimitNesting, "maps and lists inside each other"},
		{"aliases", int64(text.Aliases), 0, false, code.LimitAliases, "values that YAML aliases repeat in a text"},
		{"values", int64(text.Values), 0, false, code.LimitValues, "values of one document"},
		{"steps", int64(run.Steps), math.MaxInt32, false, code.LimitSteps, "steps of a template for one CR"},
		{"output", int64(run.Output), math.MaxInt32, true, code.LimitOutput, "of text that a template makes for one CR"},
		{"calls", int64(run.Calls), 100_000, false, code.LimitCalls, "templates that call each other"},
		{"reference", refconfig.DefaultFileLimit, 0, true, code.LimitSize, "of one file of the reference"},
		{"memory", defaultMemory, 0, true, code.LimitMemory, "that a run holds in memory"},
		{"line", visible.DefaultLongest, 0, true, code.LimitLine, "of a line of the text report"},
		{"work", budget.DefaultWork, 0, false, code.LimitWork, "steps for all CRs, beside 1000 for each and 50 for each byte of it"},
		{"clusters", defaultClusters, 0, false, code.LimitObjects, "clusters of all inputs"},
	}
}

// defaultObjects is how many CRs the inputs may hold.
const defaultObjects = 5_000_000

// defaultClusters is how many clusters the inputs may be of: each takes some 0.2 ms of a processor by itself.
const defaultClusters = 30_000

// defaultMemory is how many bytes a run holds in memory.
const defaultMemory = 2 << 30

// Limits of an archive that holds a reference, where --limit does not say otherwise: all of it is kept in memory.
const (
	referenceUnpacked = 512 << 20
	referenceEntries  = 100_000
)

// Rows are the limits as help lists them.
func Rows() [][2]string {
	var rows [][2]string
	for _, l := range All() {
		rows = append(rows, [2]string{fmt.Sprintf("%-10s %9s", l.Name, l.shown()), l.said()})
	}
	return rows
}

// Values are the values of --limit as far as they are known.
func Values() []string {
	var values []string
	for _, l := range All() {
		values = append(values, l.Name+"=")
	}
	return values
}

// shown is the default as a user would write it.
func (l Limit) shown() string {
	if !l.bytes {
		return strconv.FormatInt(l.def, 10)
	}
	for _, u := range units() {
		if l.def >= u.size && l.def%u.size == 0 {
			return strconv.FormatInt(l.def/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(l.def, 10)
}

// said says what is limited.
func (l Limit) said() string {
	if l.bytes {
		return "bytes " + l.what
	}
	return l.what
}

// unit is what a size may be given in.
type unit struct {
	name string
	size int64
}

func units() []unit { return []unit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} }

// Set takes in a value of --limit.
func (l Limits) Set(value string) error {
	name, text, ok := strings.Cut(value, "=")
	if !ok {
		return fmt.Errorf("%q is not NAME=VALUE, such as file=2GiB", value)
	}
	one, known := of(strings.TrimSpace(name))
	if !known {
		return fmt.Errorf("there is no limit %q; there are %s", name, names())
	}
	n, err := one.parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	l[one.Name] = n
	return nil
}

func of(name string) (Limit, bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Limit{}, false
}

func names() string {
	var all []string
	for _, l := range All() {
		all = append(all, l.Name)
	}
	return strings.Join(all, ", ")
}

// parse reads the value of a limit: a whole number above zero, of bytes with a unit or without.
func (l Limit) parse(text string) (int64, error) {
	digits, size := text, int64(1)
	for _, u := range units() {
		if rest, found := strings.CutSuffix(text, u.name); found && l.bytes {
			digits, size = strings.TrimSpace(rest), u.size
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil && l.bytes:
		return 0, fmt.Errorf("%s is %q; it is a whole number of bytes, or one with KiB, MiB or GiB", l.Name, text)
	case err != nil:
		return 0, fmt.Errorf("%s is %q; it is a whole number", l.Name, text)
	case n < 1:
		return 0, fmt.Errorf("%s is %s; it must be above zero", l.Name, text)
	case n > math.MaxInt64/size || l.Most > 0 && n*size > l.Most:
		most := l.Most
		if most == 0 {
			most = math.MaxInt64
		}
		return 0, fmt.Errorf("%s is %s; it can be %d at most", l.Name, text, most)
	}
	return n * size, nil
}

// Count returns a limit of what is counted in memory, as far as this machine can count; 0 where none was given.
func (l Limits) Count(name string) int { return int(min(l[name], math.MaxInt)) }

// Source returns the limits of reading inputs.
func (l Limits) Source() source.Limits {
	return source.Limits{File: l["file"], Unpacked: l["unpacked"], Held: l["held"],
		Memory: l.Memory() / budget.Quarter, Entries: l.Count("entries"), Archives: l.Count("archives"), Depth: l.Count("depth")}
}

// Reference returns the limits of reading an archive that holds a reference.
func (l Limits) Reference() source.Limits {
	s := l.Source()
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

// Text returns the limits of YAML and JSON.
func (l Limits) Text() kubeyaml.Limits {
	return kubeyaml.Limits{Nesting: l.Count("nesting"), Aliases: l.Count("aliases"), Values: l.Count("values")}
}

// Render returns the limits of executing templates.
func (l Limits) Render() render.Limits {
	return render.Limits{Steps: l.Count("steps"), Output: l.Count("output"), Calls: l.Count("calls"), Text: l.Text()}
}

// Memory is how many bytes a run holds.
func (l Limits) Memory() int64 {
	return cmp.Or(l["memory"], defaultMemory)
}

// Part are the limits of one of several jobs, which have a part of the memory each.
func (l Limits) Part(jobs int) Limits {
	part := maps.Clone(l)
	part["memory"] = max(1, l.Memory()/int64(jobs))
	return part
}

// Objects is how many CRs the inputs may hold.
func (l Limits) Objects() int {
	return cmp.Or(l.Count("objects"), defaultObjects)
}

// Clusters is how many clusters the inputs may be of.
func (l Limits) Clusters() int { return cmp.Or(l.Count("clusters"), defaultClusters) }

// Work is how many steps the comparison of all clusters takes.
func (l Limits) Work() *budget.Work {
	return budget.NewWork(cmp.Or(l["work"], budget.DefaultWork))
}

// Reading is the limit of the steps that reading takes, see budget.Reading: a comparison that is to take less work reads no less.
func (l Limits) Reading() int64 { return max(l["work"], budget.DefaultWork) }

// Comparing is what the comparison of clusters takes, of whose reports so much is held already, and which takes steps of what is left.
func (l Limits) Comparing(held int64, work *budget.Work) compare.Share {
	const ofLarge = 1 << 30 // bytes that a CR may take for which templates make much, with the garbage
	share := l.Memory() / budget.Eighth
	return compare.Share{Room: budget.NewRoom(3 * share), Rendered: budget.NewRoom(share), Large: budget.NewTurns(int(l.Memory() / ofLarge)), Report: max(1, share-held), Work: work}
}
