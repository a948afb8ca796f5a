package render

import (
	"fmt"
	"math"
	"reflect"
	"runtime/metrics"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// callByName calls a template function by name, as a template would.
func callByName(t *template.Template, name string, args ...any) (any, error) {
	x := Options{}.exec(t, &Output{})
	x.Limits.Output /= 8 // the test makes many calls
	x.Limits.Text.Values /= 8
	x.File = t.Body.File
	x.Vars = []Variable{{"$", Value{}}}
	n := &parse.IdentifierNode{NodeType: parse.NodeIdentifier, Ident: name}
	values := make([]Value, len(args))
	nodes := []parse.Node{}
	for i, a := range args {
		values[i] = Constant(a)
		x.Vars = append(x.Vars, Variable{fmt.Sprintf("$a%d", i), values[i]})
		nodes = append(
			nodes, &parse.VariableNode{NodeType: parse.NodeVariable, Ident: []string{fmt.Sprintf("$a%d", i)}},
		)
	}
	v, err := x.function(Value{}, n, Operands{Nodes: nodes})
	return v.V, err
}

// hostileValues returns arguments that could exhaust memory or time, or cause a panic. The map that
// contains itself is only for functions that do not descend into it.
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
	return []any{
		min(1_000_000_000_000, math.MaxInt),
		30_000,
		max(-1_000_000_000_000, math.MinInt),
		int64(1) << 62,
		strings.Repeat("a b:\n", 12_000),
		"((a*)*b){1,100}",
		"",
		"$0$0",
		circle,
		twins,
		list,
		nil,
		1.5e300,
		true,
		time.Unix(0, 0),
	}
}

// tuples returns combinations of arguments: each pair of values, with a few values for the other
// arguments.
func tuples(values []any, count int) [][]any {
	if count == 0 {
		return [][]any{{}}
	}
	var all [][]any
	for _, filling := range []int{-1, 4, 8} {
		for at := range count {
			for v := range values {
				if v == filling && at > 0 || count == 1 && filling >= 0 {
					continue // already included
				}
				tuple := make([]any, count)
				for i := range tuple {
					tuple[i] = 3
					if filling >= 0 {
						tuple[i] = values[filling]
					}
				}
				tuple[at] = values[v]
				all = append(all, tuple)
			}
		}
	}
	return all
}

// counts returns some numbers of arguments that a function takes.
func counts(f *function.Function) []int {
	most := 3
	if f.Engine {
		most = 5
	}
	var all []int
	for n := range 8 {
		if f.CheckCount(n) == nil && len(all) < most {
			all = append(all, n)
		}
	}
	return all
}

// slow names functions that take seconds by design, so that only a few calls are made.
func slow(name string) bool {
	return strings.HasPrefix(name, "gen") || name == "bcrypt" || name == "htpasswd" || name == "derivePassword"
}

// No template function may panic on hostile arguments, or take much more memory than the output
// limit. A function that never ends makes the test time out.
func TestEveryFunctionIsBounded(t *testing.T) {
	most := uint64(400 << 20)
	if raced {
		most *= 2
	}
	values := hostileValues()
	empty, _ := template.ParseText("t", "")
	table := function.Table()
	for _, name := range tree.Keys(table) {
		for _, n := range counts(table[name]) {
			all := tuples(values, n)
			if slow(name) {
				all = all[:min(len(all), 2)]
			}
			for i, args := range all {
				if testing.Short() && i%5 != 0 {
					continue
				}
				before := allocations()
				_, _ = callByName(empty, name, args...)
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

// An engine function must return the same result for the same arguments. internal/template/function tests
// the others.
func TestEngineFunctionsAreSteady(t *testing.T) {
	empty, _ := template.ParseText("t", "")
	for name, f := range function.Table() {
		if f.Engine != (nativeOf(name) != nil) {
			t.Errorf("%s: its row has a number of arguments: %v; then nativeOf must have its implementation", name, f.Engine)
		}
		if !f.Engine {
			continue
		}
		for _, args := range [][]any{{[]any{"a"}, 0}, {map[string]any{"a": 1, "b": 2, "c": 3, "d": 4}}, {"2006-01-02 15:04", 86_400}, {3}, {0, 1_000_000_000}} {
			first, err := callByName(empty, name, args...)
			for range 5 {
				if v, again := callByName(empty, name, args...); fmt.Sprint(v, again) != fmt.Sprint(first, err) {
					t.Errorf("%s %v gives %v %v, and then %v %v", name, args, first, err, v, again)
				}
			}
		}
	}
}
