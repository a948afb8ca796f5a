package render

import (
	"fmt"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/tree"
)

// call calls a function of templates by its name, as a template would.
func call(name string, args ...any) (any, error) {
	e := &Engine{functions: functions(), shared: map[string]*definition{}}
	src := newSourceFile("t", nil)
	t := &Template{engine: e, own: map[string]*definition{}, body: &definition{name: "t", root: &parse.ListNode{}, file: src}}
	x := Options{}.exec(t, &output{})
	x.limits.Steps /= 8 // many calls are made
	x.file = src
	x.vars = []variable{{"$", value{}}}
	n := &parse.IdentifierNode{NodeType: parse.NodeIdentifier, Ident: name}
	values := make([]value, len(args))
	nodes := []parse.Node{}
	for i, a := range args {
		values[i] = constant(a)
		x.vars = append(x.vars, variable{fmt.Sprintf("$a%d", i), values[i]})
		nodes = append(nodes, &parse.VariableNode{NodeType: parse.NodeVariable, Ident: []string{fmt.Sprintf("$a%d", i)}})
	}
	v, err := x.function(value{}, n, operands{nodes: nodes})
	return v.v, err
}

// hostileValues are arguments that could make a function take all memory or time, or panic. The map that holds itself is only fit for
// functions that do not go down into it.
func hostileValues() []any {
	circle := map[string]any{"a": "x"}
	circle["self"] = circle
	twins := any("x")
	for range 60 {
		twins = map[string]any{"a": twins, "b": twins}
	}
	list := make([]any, 5_000)
	for i := range list {
		list[i] = map[string]any{"a": i}
	}
	return []any{1_000_000_000_000, 30_000, -1_000_000_000_000, int64(1) << 62, strings.Repeat("a b:\n", 20_000), "((a*)*b){1,100}", "", "$0$0", circle, twins, list, nil, 1.5e300, true, time.Unix(0, 0)}
}

// tuples are combinations of the values: of each argument with each, the others being one of a few.
func tuples(values []any, count int) [][]any {
	if count == 0 {
		return [][]any{{}}
	}
	var all [][]any
	for _, filling := range []any{3, values[4], values[8]} {
		for at := range count {
			for _, v := range values {
				tuple := make([]any, count)
				for i := range tuple {
					tuple[i] = filling
				}
				tuple[at] = v
				all = append(all, tuple)
			}
		}
	}
	return all
}

// slow names functions that take seconds by design, and which a handful of calls has to do for.
func slow(name string) bool {
	return strings.HasPrefix(name, "gen") || name == "bcrypt" || name == "htpasswd" || name == "derivePassword"
}

// TestEveryFunctionIsBounded calls every function that a template has with arguments that are hostile: none panics, and none takes more
// memory than the limit of what a template makes, some times over. That none takes long shows in the test ending.
func TestEveryFunctionIsBounded(t *testing.T) {
	const most = 1200 << 20
	values := hostileValues()
	for _, name := range tree.Keys(functions()) {
		f := functions()[name]
		counts := []int{0, 1, 2, 3, 4}
		if f.call.IsValid() {
			counts = []int{f.call.Type().NumIn()}
			if f.call.Type().IsVariadic() {
				counts = []int{counts[0] - 1, counts[0], counts[0] + 1}
			}
		}
		for _, n := range counts {
			all := tuples(values, n)
			if slow(name) {
				all = all[:min(len(all), 2)]
			}
			for i, args := range all {
				if testing.Short() && i%5 != 0 {
					continue
				}
				before := allocations()
				_, _ = call(name, args...)
				if used := allocations() - before; used > most {
					t.Errorf("%s took %d MiB with %s", name, used>>20, shown(args))
				}
			}
		}
	}
}

func shown(args []any) string {
	var all []string
	for _, a := range args {
		all = append(all, fmt.Sprint(reflect.TypeOf(a)))
	}
	return strings.Join(all, ", ")
}

func allocations() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// steadyArguments are usual arguments, by the type of the parameter.
func steadyArguments(f function) []any {
	if !f.call.IsValid() {
		return []any{[]any{"a"}, 0}
	}
	var args []any
	for i := range f.call.Type().NumIn() {
		switch p := f.call.Type().In(i); p.Kind() {
		case reflect.String:
			args = append(args, "2006-01-02")
		case reflect.Int, reflect.Int64, reflect.Uint32:
			args = append(args, 7+i)
		case reflect.Map:
			args = append(args, map[string]any{"a": 1, "b": 2, "c": 3, "d": 4})
		case reflect.Slice:
			args = append(args, []any{"a", "b"})
		case reflect.Struct:
			args = append(args, time.Unix(1_000_000, 0))
		default:
			args = append(args, "x")
		}
	}
	if f.call.Type().IsVariadic() {
		args = args[:len(args)-1]
	}
	return args
}

// TestUnsteadyFunctionsAreKnown calls every function several times with the same arguments, and in two time zones: one whose result
// differs must be one that templates are warned of.
func TestUnsteadyFunctionsAreKnown(t *testing.T) {
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	all := functions()
	for _, name := range tree.Keys(all) {
		if strings.HasPrefix(name, "gen") {
			continue // these make keys, and are on the list
		}
		for _, args := range [][]any{steadyArguments(all[name]), {"2006-01-02 15:04", "2024-05-06 07:08"}, {"2006-01-02 15:04 MST", 86_400}, {86_400}, {3}, {0, 1_000_000_000}, {"a-long-text-to-shuffle"}} {
			results := map[string]bool{}
			for i := range 6 {
				time.Local = []*time.Location{time.UTC, time.FixedZone("X", 5*3600)}[i%2]
				v, err := call(name, args...)
				if d, isTime := v.(time.Time); isTime {
					v = d.UnixNano()
				}
				results[fmt.Sprint(v, err)] = true
			}
			if len(results) > 1 && unsteady(name) == "" {
				t.Errorf("%s %v gives %d results, and nothing warns of it", name, args, len(results))
			}
		}
	}
	for _, name := range tree.Keys(all) {
		if slices.Contains([]string{"now", "ago", "randAlpha", "randAlphaNum", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4", "genCA", "genPrivateKey", "bcrypt",
			"encryptAES", "date", "dateInZone", "htmlDate"}, name) != (unsteady(name) != "") && !strings.HasPrefix(name, "gen") && !slices.Contains([]string{"htpasswd", "date_in_zone",
			"htmlDateInZone", "durationRound"}, name) {
			t.Errorf("%s: unsteady because it %q", name, unsteady(name))
		}
	}
}

// TestFunctionsReadNothing: of the functions that sprig has, those that read from outside do not exist, and there are no others than
// those of sprig, of text/template and of the documentation.
func TestFunctionsReadNothing(t *testing.T) {
	all := functions()
	for _, name := range []string{"env", "expandenv", "getHostByName", "readFile", "glob", "file", "files", "exec", "httpGet", "lookup"} {
		if _, ok := all[name]; ok {
			t.Errorf("there is a function %s", name)
		}
	}
	own := strings.Fields(`and call html index js len not or print printf println slice urlquery eq ge gt le lt ne include lookupCR lookupCRs
		toYaml fromYaml fromYamlArray toJson fromJson fromJsonArray toToml fail doNotMatch cpuSetSize cpuSetsOverlap maxListLength minListLength`)
	known := sprig.TxtFuncMap()
	for name := range all {
		if _, ok := known[name]; !ok && !slices.Contains(own, name) {
			t.Errorf("%s is new: is it bounded, steady, and does it read nothing?", name)
		}
	}
	// Of sprig's, all are known here: an update that brings a function has to be looked at.
	if n := len(known); n != sprigFunctions {
		t.Errorf("sprig has %d functions, and %d were looked at", n, sprigFunctions)
	}
}

// sprigFunctions is how many functions sprig had when they were looked at.
const sprigFunctions = 211
