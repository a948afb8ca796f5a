package kubeyaml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainMeanings are plain scalars with the values that Kubernetes reads.
func plainMeanings() map[any][]string {
	return map[any][]string{
		true:  {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"},
		false: {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"},
		nil:   {"", "~", "null", "Null", "NULL"},

		int64(0):                      {"0", "-0", "+0", "00", "0x0", "0.0", "-0.0", "0e5", "0_0"},
		int64(1):                      {"1", "+1", "1.0", "1.", "01", "0x1", "0b1", "0o1", "1e0", "1_", "+_1", "10e-1"},
		int64(-1):                     {"-1", "-1.0", "-01", "-0x1", "-0b1", "-0o1", "-1e0"},
		int64(8):                      {"8", "08", "010", "0o10", "0O10", "0b1000", "0B1000", "0x8", "0X8", "8.0"},
		int64(15):                     {"15", "017", "0o17", "0xf", "0XF", "0b1111", "+0xf", "1_5"},
		int64(511):                    {"0777", "0o777", "511"},
		int64(420):                    {"0644", "420", "0x1a4"},
		int64(1000):                   {"1000", "1e3", "1E3", "1e+3", "1.e3", "1_000", "1__0_0_0", "1_e3"},
		int64(12000):                  {"12e03", "1.2e4"},
		int64(9223372036854775807):    {"9223372036854775807", "0x7fffffffffffffff"},
		int64(-9223372036854775808):   {"-9223372036854775808"},
		int64(1000000000000000000):    {"1e18"},
		int64(1234567890123456800):    {"1234567890123456789.0"},
		float64(9223372036854775808):  {"9223372036854775808", "9223372036854775807.0"},
		float64(18446744073709551615): {"18446744073709551615", "18446744073709551616", "0xffffffffffffffff"},
		float64(-1e19):                {"-1e19", "-10000000000000000000"},
		1e20:                          {"1e20", "100000000000000000000"},
		1e21:                          {"1e21"},
		0.5:                           {"0.5", ".5", "+.5", "5e-1", "0_.5"},
		-0.5:                          {"-0.5", "-.5"},
		1e-7:                          {"1e-7", "0.0000001"},
		685230.15:                     {"685230.15", "685_230.15"},
		0.1:                           {"0.1"},
	}
}

// plainTexts are plain scalars that stay text.
func plainTexts() []string {
	return []string{
		"abc", "yEs", "oN", "tRUE", "nULL", "nil", "none", "None", "t", "f", "T", "F", "yy", "nop", "~~",
		"2001-01-01", "2001-01-01T00:00:00Z", "2001-12-14 21:59:43.10 -5", "2001-1-1", "12:30", "1:30:00", "190:20:30.15",
		"0x", "0xg", "0b", "0b2", "0o8", "0o", "1e", "1e+", "e3", "1e3e", "1.2.3", "1.2.3.4", "10.0.0.0/24", "1Gi", "100m", "1,000",
		"+", "-", "--1", "+-1", "1-1", "._5", ".", "..", ".5.5", ".e3", "_1", "__", "0x1.8p3", "1e400", "-1e400", "infinity", "inf", "nan", "NaN", "+inf",
		".Infinity", ".iNF", "v1", "1.2e", "08:00", "0b1_2", "<<", "=", "١", "１",
	}
}

func TestPlainScalarsMeanWhatKubernetesReads(t *testing.T) {
	count := 0
	for want, spellings := range plainMeanings() {
		for _, text := range spellings {
			count++
			if got := Resolve(text, Plain, ""); got != want {
				t.Errorf("%q is %T %v, want %T %v", text, got, got, want, want)
			}
			if IsWord(text) {
				t.Errorf("%q counts as a word", text)
			}
		}
	}
	for _, text := range plainTexts() {
		count++
		if got := Resolve(text, Plain, ""); got != text {
			t.Errorf("%q is %T %v, want text", text, got, got)
		}
		if word := strings.IndexByte("0123456789+-.", text[0]) < 0; IsWord(text) != word {
			t.Errorf("%q counts as a word: %v", text, !word)
		}
	}
	if count < 120 {
		t.Errorf("only %d spellings", count)
	}
}

func TestQuotedScalarsAreText(t *testing.T) {
	for _, style := range []Style{SingleQuoted, DoubleQuoted, Literal, Folded} {
		for _, text := range []string{"", "yes", "null", "1", "1e3", "0x1", ".inf", "~"} {
			if got := Resolve(text, style, ""); got != text {
				t.Errorf("%q in style %d is %T %v", text, style, got, got)
			}
		}
	}
}

func TestTagsDecideTheType(t *testing.T) {
	tests := []struct {
		text  string
		style Style
		tag   string
		want  any
		fault string
	}{
		{"123", Plain, "!!str", "123", ""},
		{"", Plain, "!!str", "", ""},
		{"3", DoubleQuoted, "!!int", int64(3), ""},
		{"0x10", Plain, "!!int", int64(16), ""},
		{"18446744073709551615", Plain, "!!int", float64(18446744073709551615), ""},
		{"3.5", Plain, "!!int", nil, "the value does not fit its tag !!int"},
		{"08", Plain, "!!int", nil, "the value does not fit its tag !!int"},
		{"3", Plain, "!!float", int64(3), ""},
		{"3.5", SingleQuoted, "!!float", 3.5, ""},
		{"9007199254740993", Plain, "!!float", int64(9007199254740992), ""},
		{"x", Plain, "!!float", nil, "the value does not fit its tag !!float"},
		{"yes", DoubleQuoted, "!!bool", true, ""},
		{"1", Plain, "!!bool", nil, "the value does not fit its tag !!bool"},
		{"", DoubleQuoted, "!!null", nil, ""},
		{"x", Plain, "!!null", nil, "the value does not fit its tag !!null"},
		{"aGVsbG8=", Plain, "!!binary", "hello", ""},
		{"/w==", DoubleQuoted, "!!binary", "\ufffd", ""},
		{"?", Plain, "!!binary", nil, "a value with the tag !!binary must be base64"},
		{"2001-01-01", Plain, "!!timestamp", "2001-01-01", ""},
		{"12", Plain, "!custom", "12", ""},
		{"yes", Plain, "!reference", "yes", ""},
		{".inf", Plain, "", nil, `".inf" is not a value that Kubernetes can store; quote it if it is text`},
		{"-.INF", Plain, "", nil, `"-.INF" is not a value that Kubernetes can store; quote it if it is text`},
		{".NaN", Plain, "", nil, `".NaN" is not a value that Kubernetes can store; quote it if it is text`},
	}
	for _, c := range tests {
		got, fault := resolve(c.text, c.style, c.tag)
		if diff := cmp.Diff([]any{c.want, c.fault}, []any{got, fault}); diff != "" {
			t.Errorf("%s %q:\n%s", c.tag, c.text, diff)
		}
		if c.fault != "" && Resolve(c.text, c.style, c.tag) != c.text {
			t.Errorf("%s %q: Resolve must fall back to the text", c.tag, c.text)
		}
	}
}

func TestKeysAreWrittenAsInJSON(t *testing.T) {
	tests := []struct {
		key         string
		want, fault string
	}{
		{"a", "a", ""},
		{"y", "true", ""},
		{"off", "false", ""},
		{`"y"`, "y", ""},
		{"010", "8", ""},
		{"1_000", "1000", ""},
		{"1.0", "1", ""},
		{"1.5", "1.5", ""},
		{"123456789.5", "1.2345679e+08", ""},
		{"2e91", ".inf", ""},
		{".inf", ".inf", ""},
		{".nan", ".nan", ""},
		{"-.inf", "-.inf", ""},
		{"2001-01-01", "2001-01-01", ""},
		{"!!str 5", "5", ""},
		{"!!int '5'", "5", ""},
		{"!x 5", "5", ""},
		{"~", "", "a key is null; quote it"},
		{"18446744073709551615", "", "the number 18446744073709551615 is too large for a key; quote it"},
		{"!!int x", "", "the value does not fit its tag !!int"},
		{"[a]", "", "a map or a list is used as a key; quote the braces if they are text"},
		{"{a: b}", "", "a map or a list is used as a key; quote the braces if they are text"},
	}
	for _, c := range tests {
		nodes, err := Parse([]byte("? " + c.key + "\n: value\n"))
		got, fault := "", ""
		if err != nil {
			fault = err.Error()
		} else {
			got = KeyString(nodes[0].Keys[0])
		}
		if got != c.want || fault != c.fault {
			t.Errorf("%s: %q, fault %q; want %q, %q", c.key, got, fault, c.want, c.fault)
		}
	}
}
