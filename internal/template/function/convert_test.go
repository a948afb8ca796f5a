package function

import (
	"math"
	"reflect"
	"testing"
)

func TestConversionsGiveWhatHelmsGive(t *testing.T) {
	for _, text := range []string{`{"n": 5, "f": 1.5, "big": 1234567, "deep": [{"n": 0}], "exact": 9007199254740993, "most": 9223372036854775807}`} {
		want := map[string]any{"n": 5.0, "f": 1.5, "big": 1234567.0, "deep": []any{map[string]any{"n": 0.0}},
			"exact": int64(9007199254740993), "most": int64(9223372036854775807)}
		for name, got := range map[string]map[string]any{"fromJson": fromJSON(text), "fromYaml": fromYaml(text)} {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %#v, want %#v", name, got, want)
			}
		}
	}
	for name, from := range map[string]func(string) map[string]any{"fromJson": fromJSON, "fromYaml": fromYaml} {
		if got := from("null"); len(got) != 0 {
			t.Errorf("%s of null: %v, want nothing", name, got)
		}
		for _, text := range []string{"[1]", `"a"`, "12", "{"} {
			if _, isError := from(text)["Error"]; !isError {
				t.Errorf("%s of %s: %v, want an error in the map", name, text, from(text))
			}
		}
	}
	for name, from := range map[string]func(string) []any{"fromJsonArray": fromJSONArray, "fromYamlArray": fromYamlArray} {
		if got := from("null"); len(got) != 0 {
			t.Errorf("%s of null: %v, want nothing", name, got)
		}
		if got := from("[1, a]"); name == "fromYamlArray" && !reflect.DeepEqual(got, []any{1.0, "a"}) {
			t.Errorf("%s: %#v", name, got)
		}
	}
}

func TestPrintingCopesWithBothKindsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		format string
		v      any
		want   string
	}{
		{"%d", 5.0, "5"}, {"%03d", 5.0, "005"}, {"%d", int64(5), "5"}, {"%.0f", int64(1234567), "1234567"}, {"%6.1f|", int64(5), "   5.0|"},
		{"%g", int64(5), "5"}, {"%v", 1234567.0, "1.234567e+06"}, {"%v", int64(5), "5"}, {"%s", int64(5), "%!s(int64=5)"}, {"%d", 1.5, "%!d(float64=1.5)"},
		{"%x", int64(255), "ff"}, {"%q", 65.0, "'A'"}, {"%+d", int64(5), "+5"}, {"%d", "a", "%!d(string=a)"}, {"a", 1.5, "a%!(EXTRA float64=1.5)"}, {"%T", int64(5), "int64"},
	} {
		if got, _ := printf(c.format, c.v); got != c.want {
			t.Errorf("printf %q %v: %q, want %q", c.format, c.v, got, c.want)
		}
	}
	if got, _ := printf("%*d", 4, int64(5)); got != "   5" {
		t.Errorf("a width that is an argument: %q", got)
	}
	for v, want := range map[any]string{1234567.0: "1234567", 1e20: "100000000000000000000", 1e21: "1e+21", 0.5: "0.5", int64(7): "7", "a": "a", -2e6: "-2000000"} {
		if got := string(Append(nil, v)); got != want {
			t.Errorf("%v prints %q, want %q", v, got, want)
		}
	}
	if i, ok := Whole(2.0); !ok || i != 2 {
		t.Errorf("2.0 is %d, %v", i, ok)
	}
	if _, ok := Whole(1.5); ok {
		t.Error("1.5 is no integer")
	}
}

func TestAnEmptyListHasNothingToSlice(t *testing.T) {
	for _, c := range []struct {
		v       any
		indexes []any
		want    any
		fault   bool
	}{
		{[]any{}, []any{0, 2}, nil, false}, {[]any{}, nil, nil, false}, {nil, []any{1}, nil, false}, {[]any{1, 2, 3}, []any{1, 2}, []any{2}, false},
		{[]any{1}, []any{0, 2}, nil, true}, {"abc", []any{1, 2}, "b", false}, {"", []any{0, 1}, nil, true}, {5, nil, nil, true},
		{[]any{1, 2, 3}, []any{"1", int64(2)}, []any{2}, false}, {[]any{1, 2}, []any{1.0}, []any{2}, false},
		{[]any{1, 2}, []any{"x"}, nil, true}, {[]any{1, 2}, []any{nil}, nil, true}, {[]any{1, 2}, []any{0, 1, 2}, []any{1}, false},
	} {
		got, err := slice(c.v, c.indexes...)
		if !reflect.DeepEqual(got, c.want) || (err != nil) != c.fault {
			t.Errorf("slice %v %v: %v, %v", c.v, c.indexes, got, err)
		}
	}
}

// A number must not be converted to a type that it does not fit.
func TestNumbersAreNeverCutOff(t *testing.T) {
	for _, c := range []struct {
		v     any
		param reflect.Type
		want  bool
	}{
		{int64(1) << 31, reflect.TypeFor[int32](), false}, {float64(1 << 31), reflect.TypeFor[int32](), false}, {-(int64(1) << 40), reflect.TypeFor[int32](), false},
		{int64(1)<<31 - 1, reflect.TypeFor[int32](), true}, {-7, reflect.TypeFor[int32](), true}, {7.0, reflect.TypeFor[int32](), true}, {7, reflect.TypeFor[float64](), true},
		{uint64(1) << 32, reflect.TypeFor[uint32](), false}, {int64(math.MaxInt64), reflect.TypeFor[int64](), true},
	} {
		if made, ok := Convert(c.v, c.param); ok != c.want {
			t.Errorf("%v as %s: %v, %v", c.v, c.param, made, ok)
		}
	}
}
