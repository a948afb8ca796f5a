package function

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"
)

// library returns the text of sigs.k8s.io/yaml; false if it has none.
func library(v any) (string, bool) {
	text, err := yaml.Marshal(v)
	return strings.TrimSuffix(string(text), "\n"), err == nil
}

func TestToYamlIsTheLibrarys(t *testing.T) {
	texts := []string{
		"", "a", "yes", "No", "y", "N", "on", "true", "~", "null", "Null", "1e3", "1_000", "0o17", "017", "08", "0x1F", "0b1", "1.", ".5", "+1", "-0", "1:30", "190:20:30",
		"2001-01-01", "2001-01-01T00:00:00Z", "=", "<<", ".inf", ".nan", "-", "--", "---", "...", "- a", "? a", "a: b", "a:", ":a", "a #b", "#a", "&a", "*a", "!a",
		"|", ">", "%a", "@a", "`a", "'a'", `"a"`, `a\b`, "{a}", "[a]", "a, b", "0-3,8", "app=x,tier=y", " a", "a ", "a\n", "a\nb", "a\nb\n", "a\n\n", "\na", " a\nb",
		"a \nb", "a\n b", "a\tb", "\ta", "a\r\nb", "\r", "ä", "日本", "\U0001F600", "\u2028", "\ufeff", "\u00a0", "\x00", "\x1b", "\xff",
		strings.Repeat(
			"word ", 60,
		), strings.Repeat("word: ", 60), strings.Repeat("x", 300), strings.Repeat("ä b ", 60) + "\nc", "{{ .x }}", "(?<a>b)",
	}
	for _, s := range texts {
		for _, v := range []any{s, map[string]any{s: s}, []any{s, []any{s, "x"}, map[string]any{"a": s, "b": []any{}}}} {
			if want, ok := library(v); ok && toYaml(v) != want {
				t.Errorf("%q:\n%s\nwant\n%s", v, toYaml(v), want)
			}
		}
	}
	for _, v := range []any{
		nil, true, 0, -1, int64(math.MaxInt64), int64(math.MinInt64), uint64(math.MaxUint64), 1.5, 1.0, 1e6, 1e20, 1e21, 1e22, 1e-7, 123456789.125, -2.5e-10,
		9007199254740993.0, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), math.NaN(), math.Inf(1), 1i,
		[]string{"a"}, map[string]string{"a": "b"}, []any{}, map[string]any{}, []any(nil), []byte("x"), struct{ A int }{1},
	} {
		if want, ok := library(v); toYaml(v) != want {
			t.Errorf("%v: %q, want %q, %v", v, toYaml(v), want, ok)
		}
	}
}

// TestToYamlIsTheLibrarysOnRandomValues leaves out maps whose keys the library orders differently
// on every call.
func TestToYamlIsTheLibrarysOnRandomValues(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, seed))
			checked := 0
			for range 5_000 {
				v := randomValue(r, 4)
				want, ok := library(v)
				if !ok {
					continue
				}
				got := toYaml(v)
				if got != toYaml(v) {
					t.Fatalf("not the same twice: %q", v)
				}
				if got == want {
					checked++
					continue
				}
				stable := true
				for range 5 {
					again, _ := library(v)
					stable = stable && again == want
				}
				if stable {
					t.Fatalf("%#v:\n%s\nwant\n%s", v, got, want)
				}
			}
			if checked < 3_750 {
				t.Errorf("only %d values were held against the library", checked)
			}
		})
	}
}

func randomValue(r *rand.Rand, depth int) any {
	switch kind := r.IntN(9); {
	case depth > 0 && kind < 2:
		m := map[string]any{}
		for range r.IntN(5) {
			m[randomText(r)] = randomValue(r, depth-1)
		}
		return m
	case depth > 0 && kind == 2:
		l := make([]any, r.IntN(4))
		for i := range l {
			l[i] = randomValue(r, depth-1)
		}
		return l
	case kind == 3:
		return int64(r.Uint64())
	case kind == 4:
		return math.Round(r.NormFloat64()*1e6) / math.Pow(10, float64(r.IntN(8)-4))
	case kind == 5:
		return []any{nil, true, false, 0, 1e300, 1e21}[r.IntN(6)]
	}
	return randomText(r)
}

// randomText returns a text of letters and of characters with a meaning in YAML.
func randomText(r *rand.Rand) string {
	const marks = "0123456789.-+:,#'\"\\!&*?|>%@`{}[]()=~<_ /\n\n\t\r\u2028ä日\U0001F600"
	alphabet := []rune(marks + "aBeEnNoxyZ    ")
	var b strings.Builder
	n := r.IntN(12)
	if r.IntN(20) == 0 {
		n = 200
	}
	for range n {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// Values that the library loses must be printed completely.
func TestToYamlSaysWhatTheLibraryCannot(t *testing.T) {
	for _, s := range []string{"a\x7fb", "\u0080", "a\u0085b", strings.Repeat("k", 2000)} {
		v := map[string]any{s: s}
		if text, ok := library(v); ok && fromYaml(text)[s] == s {
			t.Errorf("%q: the library prints it", s)
		}
		if got := fromYaml(toYaml(v)); len(got) != 1 || got[s] != s {
			t.Errorf("%q is %q", s, got)
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	for _, c := range []string{"node9 node10", "a1 a1b", "a-b a1", "1 a", "a a1", "B a", "a1 a01", "a10 a101", "a100 a1000", "x2y x10y", "- a", "x٣ xa"} {
		a, b, _ := strings.Cut(c, " ")
		if naturalOrder(a, b) >= 0 || naturalOrder(b, a) <= 0 || naturalOrder(a, a) != 0 {
			t.Errorf("%s is not before %s", a, b)
		}
	}
	if !unicode.IsDigit('٣') {
		t.Error("a digit of another script is none")
	}
}
