package render

import (
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
)

// comparisons are eq, ne, lt, le, gt and ge. Numbers compare by value whatever their Go type. An order of nothing with
// something is not known, so it is neither true nor an error.
func comparison(name string) native {
	return func(x *exec, n parse.Node, args []value) (value, error) {
		if len(args) < 2 || (name != "eq" && len(args) != 2) {
			return value{}, x.errorf(n, code.EvalTemplate, "%s needs two values to compare and got %d", name, len(args))
		}
		result := value{}
		for _, a := range args {
			result.input = result.input || a.input
		}
		if name == "eq" || name == "ne" {
			equal := false
			for _, b := range args[1:] {
				same, err := equalValues(args[0].v, b.v)
				if err != nil {
					return value{}, x.errorf(n, code.EvalTemplate, "%s: %s", name, err)
				}
				equal = equal || same
			}
			result.v = equal == (name == "eq")
			return result, nil
		}
		if args[0].v == nil || args[1].v == nil {
			return result, nil
		}
		c, err := order(args[0].v, args[1].v)
		if err != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "%s: %s", name, err)
		}
		result.v = map[string]bool{"lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[name]
		return result, nil
	}
}

func equalValues(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b == nil, nil
	}
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	ka, kb := family(ra.Kind()), family(rb.Kind())
	if ka != "" && ka == kb {
		c, err := order(a, b)
		return c == 0, err
	}
	if ka != kb {
		return false, fmt.Errorf("%s and %s do not compare", describe(a), describe(b))
	}
	if !ra.Comparable() || !rb.Comparable() {
		return false, fmt.Errorf("%s and %s do not compare; compare their fields", describe(a), describe(b))
	}
	return a == b, nil
}

// family groups the kinds that compare with each other.
func family(k reflect.Kind) string {
	switch {
	case intLike(k) || isFloat(k):
		return "number"
	case k == reflect.String:
		return "string"
	case k == reflect.Bool:
		return "boolean"
	}
	return ""
}

// order compares two values of one family.
func order(a, b any) (int, error) {
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	if fa := family(ra.Kind()); fa != family(rb.Kind()) || fa == "" {
		return 0, fmt.Errorf("%s and %s do not compare", describe(a), describe(b))
	}
	switch {
	case ra.Kind() == reflect.String:
		return strings.Compare(ra.String(), rb.String()), nil
	case ra.Kind() == reflect.Bool:
		return compareOrdered(toInt(ra.Bool()), toInt(rb.Bool())), nil
	case ra.CanInt() && rb.CanInt():
		return compareOrdered(ra.Int(), rb.Int()), nil
	case ra.CanUint() && rb.CanUint():
		return compareOrdered(ra.Uint(), rb.Uint()), nil
	}
	return compareOrdered(toFloat(ra), toFloat(rb)), nil
}

func compareOrdered[T int | int64 | uint64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func toFloat(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}

// index is text/template's index, but what is not there is absent instead of an error.
func index(x *exec, n parse.Node, args []value) (value, error) {
	if len(args) == 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "index needs something to look into")
	}
	v := args[0]
	for _, key := range args[1:] {
		next, err := indexOne(x.lines(v), key)
		if err != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "index: %s", err)
		}
		next.input = next.input || key.input
		if x.redacts(key) {
			next.at = nil // its name would tell the key
		}
		v = next
	}
	return v, nil
}

func indexOne(v, key value) (value, error) {
	switch c := v.v.(type) {
	case nil:
		if s, ok := key.v.(string); ok {
			return missing(v.at.child(s)), nil
		}
		if i, ok := asIndex(key.v); ok {
			return missing(v.at.element(i)), nil
		}
		return missing(v.at), nil
	case map[string]any:
		s, ok := key.v.(string)
		if !ok {
			return value{}, fmt.Errorf("a map%s has no key that is %s", where(v.at), describe(key.v))
		}
		return v.key(s), nil
	case []any:
		i, ok := asIndex(key.v)
		if !ok {
			return value{}, fmt.Errorf("a list%s has no element at %s", where(v.at), describe(key.v))
		}
		return v.element(i), nil
	default:
		return indexOther(v, key, reflect.ValueOf(c))
	}
}

// indexOther looks into what functions made.
func indexOther(v, key value, rv reflect.Value) (value, error) {
	switch rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.String:
		i, ok := asIndex(key.v)
		if !ok {
			break
		}
		if i < 0 || i >= rv.Len() {
			return value{absent: true, input: v.input}, nil
		}
		return value{v: rv.Index(i).Interface(), input: v.input, scope: v.within()}, nil
	case reflect.Map:
		k, ok := convert(key.v, rv.Type().Key())
		if !ok {
			break
		}
		e := rv.MapIndex(k)
		if !e.IsValid() {
			return value{absent: true, input: v.input}, nil
		}
		return value{v: e.Interface(), input: v.input, scope: v.within()}, nil
	}
	return value{}, fmt.Errorf("can't look into %s%s with %s", describe(v.v), where(v.at), describe(key.v))
}

// asIndex reads an integer of any Go type.
func asIndex(v any) (int, bool) {
	if v == nil {
		return 0, false
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return int(rv.Int()), true
	case rv.CanUint():
		return int(rv.Uint()), true
	}
	return 0, false
}

// length is text/template's len; nothing has length 0.
func length(x *exec, n parse.Node, args []value) (value, error) {
	if len(args) != 1 {
		return value{}, x.errorf(n, code.EvalTemplate, "len needs 1 argument and got %d", len(args))
	}
	if args[0].v == nil {
		return value{v: 0, input: args[0].input}, nil
	}
	rv := reflect.ValueOf(args[0].v)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String, reflect.Chan:
		return value{v: rv.Len(), input: args[0].input}, nil
	}
	return value{}, x.errorf(n, code.EvalTemplate, "len of %s%s", describe(args[0].v), where(args[0].at))
}

// slice is text/template's slice: item[i:j].
func slice(v any, indexes ...int) (any, error) {
	if v == nil {
		return nil, nil
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.String, reflect.Slice, reflect.Array:
	default:
		return nil, fmt.Errorf("can't slice %s", describe(v))
	}
	if len(indexes) > 3 || (len(indexes) == 3 && rv.Kind() == reflect.String) {
		return nil, fmt.Errorf("too many indexes: %d", len(indexes))
	}
	bounds := []int{0, rv.Len(), rv.Len()}
	if rv.Kind() != reflect.String {
		bounds[2] = rv.Cap()
	}
	copy(bounds, indexes)
	if bounds[0] < 0 || bounds[0] > bounds[1] || bounds[1] > rv.Len() || bounds[2] < bounds[1] {
		return nil, fmt.Errorf("indexes %v are outside of a length of %d", indexes, rv.Len())
	}
	if len(indexes) == 3 {
		return rv.Slice3(bounds[0], bounds[1], bounds[2]).Interface(), nil
	}
	return rv.Slice(bounds[0], bounds[1]).Interface(), nil
}

// callValue is text/template's call: the first argument is a function.
func callValue(x *exec, n parse.Node, args []value) (value, error) {
	if len(args) == 0 || args[0].v == nil || reflect.TypeOf(args[0].v).Kind() != reflect.Func {
		return value{}, x.errorf(n, code.EvalTemplate, "call needs a function as its first argument")
	}
	return x.apply(function{name: "call", call: reflect.ValueOf(args[0].v)}, args[1:], n, args[0])
}
