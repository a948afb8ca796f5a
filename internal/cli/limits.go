package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// limits are the values of --limit by name; an absent name has its default.
type limits map[string]int64

// limit describes a limit of --limit.
type limit struct {
	Name string
	def  int64
	Most int64 // the largest value; 0 for no maximum
	unit unit
	code code.Code
	What string // the description of the limited quantity, for help
}

// unit is the unit of a limit's value.
type unit int

const (
	counted unit = iota
	sized        // bytes, with KiB, MiB, GiB, TiB or no unit
	timed        // a duration, such as 90s
)

// allLimits returns the limits in the order of help.
func allLimits() []limit {
	src, text, run := source.DefaultLimits(), kubeyaml.DefaultLimits(), render.DefaultLimits()
	return []limit{
		{"file", src.File, 0, sized, code.LimitSize, "bytes of one file of an input"},
		{"unpacked", src.Unpacked, 0, sized, code.LimitUnpacked, "bytes of all unpacked archives of an input"},
		{"entries", int64(src.Entries), 0, counted, code.LimitEntries, "entries of all archives of an input"},
		{"archives", int64(src.Archives), 0, counted, code.LimitArchives, "archives inside one input"},
		{"depth", int64(src.Depth), 100, counted, code.LimitDepth, "levels of archives inside archives"},
		{"held", src.Held, 0, sized, code.LimitHeld, "bytes of archives inside a compressed archive or standard input"},
		{"objects", defaultObjects, 0, counted, code.LimitObjects, "CRs of all inputs"},
		{
			"nesting",
			int64(text.Nesting),
			kubeyaml.MaxNesting,
			counted,
			code.LimitNesting,
			"levels of nested maps and lists",
		},
		{"aliases", int64(text.Aliases), 0, counted, code.LimitAliases, "values that YAML aliases repeat in a document"},
		{"values", int64(text.Values), 0, counted, code.LimitValues, "values of one document"},
		{"steps", int64(run.Steps), math.MaxInt32, counted, code.LimitSteps, "steps of a template for one CR"},
		{
			"output",
			int64(run.Output),
			math.MaxInt32,
			sized,
			code.LimitOutput,
			"bytes of text that a template makes for one CR",
		},
		{"calls", int64(run.Calls), 100_000, counted, code.LimitCalls, "levels of templates calling templates"},
		{"reference", refconfig.DefaultFileLimit, 0, sized, code.LimitSize, "bytes of one file of the reference"},
		{
			"time",
			int64(defaultTime / time.Millisecond),
			math.MaxInt32,
			timed,
			code.LimitTime,
			"time of a run, plus a second for each 10 MB of input",
		},
		{
			"memory",
			0, // half of what the machine has, see Memory
			0,
			sized,
			code.LimitMemory,
			"bytes of memory; half of what the machine or its control group has, at most 4GiB",
		},
		{"line", escape.DefaultLongest, 0, sized, code.LimitLine, "bytes of a line of the text report"},
		{"clusters", defaultClusters, 0, counted, code.LimitObjects, "clusters of all inputs"},
	}
}

// defaultObjects is the default for the number of CRs in the inputs.
const defaultObjects = 5_000_000

// defaultClusters is the default for the number of clusters in the inputs. Each cluster takes about
// 0.2 ms of processor time even if it has no CRs.
const defaultClusters = 30_000

// defaultTime is the default for the time of a run, see watch.Limits.
const defaultTime = 10 * time.Minute

// Default limits of an archive that holds a reference.
const (
	referenceUnpacked = 512 << 20
	referenceEntries  = 100_000
)

// limitRows returns the limits with their help.
func limitRows() [][2]string {
	var rows [][2]string
	for _, l := range allLimits() {
		rows = append(rows, [2]string{fmt.Sprintf("%-10s %9s", l.Name, l.shown()), l.What})
	}
	return rows
}

// limitWords returns completions for values of --limit.
func limitWords() []string {
	var values []string
	for _, l := range allLimits() {
		values = append(values, l.Name+"=")
	}
	return values
}

// shown returns the default in the form that users write.
func (l limit) shown() string {
	switch {
	case l.Name == "memory":
		return "half" // or 4GiB, whichever is less
	case l.unit == timed:
		return strings.TrimSuffix((time.Duration(l.def) * time.Millisecond).String(), "0s")
	case l.unit == counted:
		return strconv.FormatInt(l.def, 10)
	}
	for _, u := range sizes() {
		if l.def >= u.bytes && l.def%u.bytes == 0 {
			return strconv.FormatInt(l.def/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(l.def, 10)
}

// size is a unit of bytes.
type size struct {
	name  string
	bytes int64
}

func sizes() []size {
	return []size{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}
}

// Set reads a value of --limit.
func (l limits) Set(value string) error {
	name, text, ok := strings.Cut(value, "=")
	if !ok {
		return fmt.Errorf("%q is not NAME=VALUE, such as file=2GiB", value)
	}
	all := allLimits()
	i := slices.IndexFunc(all, func(one limit) bool { return one.Name == strings.TrimSpace(name) })
	if i < 0 {
		return fmt.Errorf("unknown limit %q; the limits are %s", name, strings.ReplaceAll(strings.Join(limitWords(), ", "), "=", ""))
	}
	n, err := all[i].parse(strings.TrimSpace(text))
	if err == nil {
		l[all[i].Name] = n
	}
	return err
}

// parse reads the value of a limit: a duration, or a positive whole number, with a unit for bytes.
func (l limit) parse(text string) (int64, error) {
	if l.unit == timed {
		return l.parseDuration(text)
	}
	digits, size, kind := text, int64(1), "a whole number"
	if l.unit == sized {
		kind = "a whole number of bytes, or have the unit KiB, MiB, GiB or TiB"
	}
	for _, u := range sizes() {
		if rest, found := strings.CutSuffix(text, u.name); found && l.unit == sized {
			digits, size = strings.TrimSpace(rest), u.bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s is %q; it must be %s", l.Name, text, kind)
	case n < 1:
		return 0, fmt.Errorf("%s is %s; it must be above zero", l.Name, text)
	case n > math.MaxInt64/size || l.Most > 0 && n*size > l.Most:
		return 0, fmt.Errorf("%s is %s; it can be %d at most", l.Name, text, cmp.Or(l.Most, math.MaxInt64))
	case l.Name == "memory" && n*size < watch.LeastMemory:
		return 0, fmt.Errorf("%s is %s; it must be 128MiB or more", l.Name, text)
	}
	return n * size, nil
}

func (l limit) parseDuration(text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond || d.Milliseconds() > l.Most {
		return 0, fmt.Errorf("%s is %q; it must be a duration above zero, such as 90s, 10m or 1h30m", l.Name, text)
	}
	return d.Milliseconds(), nil
}

// Count returns the value of a limit as an int, at most the largest int; 0 if the limit was not
// given.
func (l limits) Count(name string) int { return int(min(l[name], math.MaxInt)) }

// Aliases returns the maximum number of values that aliases can repeat in a file that users write.
func (l limits) Aliases() int { return cmp.Or(l.Count("aliases"), refconfig.DefaultAliasLimit) }

// Source returns the limits of reading inputs.
func (l limits) Source() source.Limits {
	return source.Limits{File: l["file"], Unpacked: l["unpacked"], Held: l["held"],
		Memory: l.Memory() / ofMemory, Entries: l.Count("entries"), Archives: l.Count("archives"), Depth: l.Count("depth")}
}

// Reference returns the limits of reading an archive that holds a reference, which is kept in memory.
func (l limits) Reference() source.Limits {
	s := l.Source()
	s.Unpacked = cmp.Or(s.Unpacked, min(referenceUnpacked, s.Memory))
	s.Entries = cmp.Or(s.Entries, referenceEntries)
	s.File = cmp.Or(s.File, referenceUnpacked)
	return s
}

// Text returns the limits of YAML and JSON.
func (l limits) Text() kubeyaml.Limits {
	return kubeyaml.Limits{
		Nesting: l.Count("nesting"), Aliases: l.Count("aliases"), Values: l.Count("values"), Dense: l.Count("values"),
		Size: l.decoded(ofDecoded),
	}
}

// Render returns the limits of executing templates.
func (l limits) Render() render.Limits {
	return render.Limits{Steps: l.Count("steps"), Output: l.Count("output"), Calls: l.Count("calls"), Text: l.Text()}
}

// Memory returns the maximum number of bytes that a run can use. It asks the machine once, because
// that reads several files.
func (l limits) Memory() int64 {
	if l["memory"] == 0 {
		l["memory"] = watch.DefaultMemory()
	}
	return l["memory"]
}

// Watch returns the limits of a run.
func (l limits) Watch() watch.Limits {
	given := time.Duration(l["time"]) * time.Millisecond // the default would end a pager that is left open
	return watch.Limits{Time: cmp.Or(given, defaultTime), Writing: given, Memory: l.Memory()}
}

// Objects returns the maximum number of CRs in the inputs.
func (l limits) Objects() int {
	return cmp.Or(l.Count("objects"), defaultObjects)
}

// Clusters returns the maximum number of clusters in the inputs.
func (l limits) Clusters() int { return cmp.Or(l.Count("clusters"), defaultClusters) }

// ofMemory is the divisor for the share of memory of each kind of temporary data: files, documents,
// CRs being compared, archives in archives.
const ofMemory = 4

// ofTemplates is the divisor for the share of memory of the files of a reference, which take several
// times their size as templates.
const ofTemplates = 8

// ofDecoded is the divisor for the share of memory of the text of one document or CR that is decoded,
// ofShown for that of a CR whose differences are shown, which takes up to 15 times as much.
// leastDecoded is more than any CR has, because a server accepts about 3 MB.
const (
	ofDecoded    = 32
	ofShown      = 512
	leastDecoded = 8 << 20
)

// decoded returns the maximum number of bytes of a text that is decoded, which is a share of memory.
func (l limits) decoded(share int64) int {
	return int(min(max(leastDecoded, l.Memory()/share), math.MaxInt))
}

// Semaphore returns a semaphore for the memory of CRs that are compared at the same time.
func (l limits) Semaphore() *workers.Semaphore { return workers.NewSemaphore(l.Memory() / ofMemory) }
