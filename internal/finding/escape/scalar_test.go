package escape

import (
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

func TestScalar(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{
			nil,
			"null",
		}, {true, "true"}, {int64(-3), "-3"}, {int64(9007199254740993), "9007199254740993"}, {1.5, "1.5"}, {1e21, "1e+21"},
		{
			"",
			`""`,
		}, {"text", "text"}, {"two words", "two words"}, {"2-31,34-63", "2-31,34-63"}, {"a:b", "a:b"}, {"-x", "-x"}, {"a#b", "a#b"},
		{"http://x/?y=1&z", "http://x/?y=1&z"}, {"it's", "it's"}, {"größe", "größe"}, {"設定", "設定"}, {"a{b}", "a{b}"},
		{
			"1",
			`"1"`,
		}, {"08", `"08"`}, {"1e3", `"1e3"`}, {"0x1f", `"0x1f"`}, {"1_000", `"1_000"`}, {".5", `".5"`}, {"+1", `"+1"`},
		{
			"true",
			`"true"`,
		}, {"yes", `"yes"`}, {"Off", `"Off"`}, {"n", `"n"`}, {"null", `"null"`}, {"~", `"~"`}, {".inf", `".inf"`},
		{
			"12:30",
			`"12:30"`,
		}, {"12:30:45", `"12:30:45"`}, {"80:8080", "80:8080"}, {"00:11:22:33:44:ff", "00:11:22:33:44:ff"},
		{
			"2024-05-01",
			`"2024-05-01"`,
		}, {"2024-05-01T10:00:00Z", `"2024-05-01T10:00:00Z"`}, {"2024-05", "2024-05"}, {"4.16", `"4.16"`}, {"4.16.3", "4.16.3"},
		{
			" x",
			`" x"`,
		}, {"x ", `"x "`}, {"a: b", `"a: b"`}, {"a:", `"a:"`}, {"a #b", `"a #b"`}, {"#a", `"#a"`}, {"- a", `"- a"`}, {"-", `"-"`},
		{
			"[a]",
			`"[a]"`,
		}, {"{{ x }}", `"{{ x }}"`}, {"*", `"*"`}, {"&a", `"&a"`}, {"!a", `"!a"`}, {"%a", `"%a"`}, {"@a", `"@a"`}, {"|", `"|"`},
		{"---", `"---"`}, {"=", `"="`}, {"<<", `"<<"`}, {`a"b\c`, `a"b\c`}, {`"a\b"`, `"\"a\\b\""`},
		{
			"a\tb",
			`"a\tb"`,
		}, {"a\nb", `"a\nb"`}, {"\x1b[0m", `"\x1b[0m"`}, {"\u202ea", `"\u202ea"`}, {"a\u200bb", `"a\u200bb"`},
		{
			"\xff",
			`"\xff"`,
		}, {"\u0085", `"\u0085"`}, {"\U000e0041", `"\U000e0041"`}, {"a\u2028b", `"a\u2028b"`}, {"\u00a0", `"\u00a0"`},
		{"(hidden, 3 bytes)", "(hidden, 3 bytes)"}, {"(required)", "(required)"},
	}
	for _, test := range tests {
		if got := Scalar(test.value); got != test.want {
			t.Errorf("Scalar(%#v) is %s, want %s", test.value, got, test.want)
		}
	}
}

// A printed string must read back as the same string, by the rules of Kubernetes and by another
// YAML reader.
func FuzzScalar(f *testing.F) {
	for _, s := range []string{"", "a", "1", "yes", "a: b", "'", "\"", "\\", "\t", "2-3,4", "\u202e", "é", "? a", "0o7", "1:2", "=", "!!x", "a\u0085b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		printed := String(s)
		for _, c := range printed {
			if Hidden(c) {
				t.Errorf("%q is printed with %U", s, c)
			}
		}
		if s != string([]rune(s)) {
			return // invalid UTF-8 is shown, but YAML cannot hold it
		}
		var m map[string]string
		if err := yaml.Unmarshal([]byte("key: "+printed+"\n"), &m); err != nil || m["key"] != s {
			t.Errorf("%q is printed as %s and read as %q, %v", s, printed, m["key"], err)
		}
		if v, isString := kubeyaml.Resolve(s, kubeyaml.Plain, "").(string); printed == s && (!isString || v != s) {
			t.Errorf("%q is printed plain and read as something else", s)
		}
	})
}

func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"plain": "plain", "": "", "blank ": `blank\x20`, "two  ": `two \x20`, " ": `\x20`, "\tx": `\tx`, "x\r": `x\r`, "a\x00": `a\x00`,
		"e\u0301\u0301\u0301\u0301\u0301": "e\u0301\u0301\u0301\u0301" + `\u0301`, "\u2066x\u2069": `\u2066x\u2069`, "\ufeffx": `\ufeffx`,
	} {
		if got := Line(s); got != want {
			t.Errorf("Line(%q) is %q, want %q", s, got, want)
		}
	}
}
