package embed

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

func packed(level int, text string) string { return string(pack.GZBy(level, []byte(text))) }

func in64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// inLines breaks base64 into lines, as tools do.
func inLines(text string) string {
	var b strings.Builder
	for ; len(text) > 10; text = text[10:] {
		b.WriteString(text[:10] + "\n")
	}
	return b.String() + text
}

const settings = "level: info # a comment\nports: [80, 443]\n"

// A document must have the same value in every encoding.
func TestSpellingsOfOneDocument(t *testing.T) {
	want := map[string]any{"level": "info", "ports": []any{int64(80), int64(443)}}
	best, stored := packed(gzip.BestCompression, settings), packed(gzip.NoCompression, settings)
	tests := []struct{ encoding, text, layers string }{
		{"", settings, ""},
		{Auto, settings, ""},
		{Auto, "data:,level:%20info%0aports:%20%5B80,443%5D", "data URL"},
		{DataURL, "data:text/plain;charset=utf-8,level: info%0Aports: [80,443]", "data URL"},
		{Auto, "data:text/plain;charset=utf-8;base64," + in64(settings), "data URL, base64"},
		{DataURL, "DATA:;base64," + strings.TrimRight(in64(settings), "="), "data URL, base64"},
		{DataURL, "data:;base64," + strings.ReplaceAll(in64(settings), "=", "%3D"), "data URL, base64"},
		{Auto, "data:;base64," + in64(best), "data URL, base64, gzip"},
		{Gzip, "data:;base64," + in64(stored), "data URL, base64, gzip"},
		{DataURL, "data:;base64," + in64(stored), "data URL, base64, gzip"},
		{Auto, in64(settings), "base64"},
		{Base64, inLines(in64(settings)), "base64"},
		{Auto, inLines(in64(settings)) + "\n", "base64"},
		{Base64, base64.RawURLEncoding.EncodeToString([]byte(settings)), "base64"},
		{Gzip, in64(best), "base64, gzip"},
		{Auto, in64(stored), "base64, gzip"},
		{Auto, in64(in64(settings)), "base64, base64"},
		{Auto, "\ufeff" + settings, ""},
		{Auto, `{"ports":[80,443.0],"level":"info"}`, ""},
	}
	for _, test := range tests {
		r := Reader{Left: Most(len(test.text))}
		d, err := r.Decode(test.text, test.encoding, YAML)
		if err != nil || d.Encoding() != test.layers {
			t.Errorf("%s %q: %v, in %s", test.encoding, test.text, err, d.Encoding())
			continue
		}
		if diff := cmp.Diff(want["level"], d.Value.(map[string]any)["level"]); diff != "" {
			t.Errorf("%s %q -want +got:\n%s", test.encoding, test.text, diff)
		}
	}
}

// A short text must count as base64 beside its content, in every alphabet, and only there.
func TestShortBase64BesideItsContent(t *testing.T) {
	for n := range 24 {
		for _, text := range []string{"hello, and some more words"[:n], `{"a": [1,2,3,4,5]}`[:min(n, 18)], "x\n\ty: \x01\xff\xc3"[:min(n, 9)]} {
			for _, encoding := range []*base64.Encoding{
				base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
			} {
				other := encoding.EncodeToString([]byte(text))
				one, two := Settle(text, other, "")
				three, four := Settle(other, text, Auto)
				if one != text || two != text || three != text || four != text {
					t.Errorf("%q and %q: %q, %q, %q, %q", text, other, one, two, three, four)
				}
			}
		}
	}
	for _, c := range [][3]string{
		{"hello", "aGVsbG9v"}, {"hello", "hello"}, {"aGVsbG8=", "aGVsbG8"}, {"hello", "aGVsbG8=", Base64},
		{"", "===="}, {"a", "YQ=\x00"},
	} {
		if one, two := Settle(c[0], c[1], c[2]); one != c[0] || two != c[1] {
			t.Errorf("%q: %q, %q", c, one, two)
		}
	}
}

func TestFormats(t *testing.T) {
	tests := []struct {
		format, text string
		want         any
	}{
		{JSON, ` {"a": [1, null, "x"]}`, map[string]any{"a": []any{int64(1), nil, "x"}}},
		{JSON, "17", int64(17)},
		{YAML, "", nil},
		{YAML, "a: yes", map[string]any{"a": true}},
		{YAML, "a: 1\n---\nb: 2\n", []any{map[string]any{"a": int64(1)}, map[string]any{"b": int64(2)}}},
		{Text, "a: 1", "a: 1"},
		{INI, "", map[string]any{}},
		{
			INI,
			"# of no section\nnet.core = 1\n; more\n[Service]\r\nExec=a=b\nExec = c \\\n  d\nflag\n[Peer]\nK=1\n[Peer]\nK=2\n",
			map[string]any{
				"net.core": "1", "Service": map[string]any{"Exec": []any{"a=b", "c d"}, "flag": nil},
				"Peer": []any{map[string]any{"K": "1"}, map[string]any{"K": "2"}}},
		},
		{INI, "a=1\n[a]\nb=2\n", map[string]any{"a": []any{"1", map[string]any{"b": "2"}}}},
	}
	for _, test := range tests {
		r := Reader{Left: 1 << 20}
		d, err := r.Decode(test.text, "", test.format)
		if err != nil {
			t.Errorf("%s %q: %v", test.format, test.text, err)
		} else if diff := cmp.Diff(test.want, d.Value); diff != "" {
			t.Errorf("%s %q -want +got:\n%s", test.format, test.text, diff)
		}
	}
}

// Each text must give an error that does not quote the text.
func TestWhatCannotBeDecoded(t *testing.T) {
	bomb := packed(gzip.BestCompression, strings.Repeat("\x00", 64<<20))
	sound := packed(gzip.BestCompression, settings)
	lying := []byte(sound)
	lying[len(lying)-1] ^= 1 // the length after the data
	wrongSum := []byte(sound)
	wrongSum[len(wrongSum)-5] ^= 1
	reserved := []byte(sound)
	reserved[3] = 0xe0
	deep := in64(settings)
	for range maxLayers {
		deep = in64(deep)
	}
	tests := []struct{ name, encoding, format, text, why string }{
		{"a bomb", "", Text, in64(bomb), "more than"},
		{"a bomb in a data URL", DataURL, JSON, "data:;base64," + in64(bomb), "more than"},
		{"a bomb in a bomb", "", Text, in64(packed(9, bomb)), "more than"},
		{"gzip that is cut off", Gzip, Text, in64(sound[:len(sound)-9]), "damaged or cut off"},
		{"gzip that lies about its length", Gzip, Text, in64(string(lying)), "damaged or cut off"},
		{"gzip that lies about its sum", "", Text, in64(string(wrongSum)), "damaged or cut off"},
		{"gzip with a header that there is not", "", Text, in64("\x1f\x8b\x01 secret"), "starts like gzip"},
		{"gzip with text behind it", "", Text, in64(sound + "secret words that nobody reads"), "damaged or cut off"},
		{"no gzip", Gzip, Text, in64(settings), "not compressed"},
		{"no base64", Base64, Text, "secret%%%", "not valid base64"},
		{"base64 that is cut off", Base64, Text, in64("secret")[:5], "not valid base64"},
		{"base64 with wrong padding", Base64, Text, in64("secret!")[:9] + "=", "not valid base64"},
		{"base64 in a data URL that is none", "", Text, "data:;base64,?secret?", "not valid base64"},
		{"no data URL", DataURL, Text, "secret", "not a data URL"},
		{"percents that are cut off", "", Text, "data:,secret%2", "hexadecimal"},
		{"percents that are none", "", Text, "data:,secret%zz", "hexadecimal"},
		{"encodings in each other", "", Text, deep, "nested encodings"},
		{"no text", Base64, Text, in64("\xff\xfe\x00secret"), "not valid UTF-8"},
		{"no JSON", "", JSON, "secret: 1", "not valid JSON"},
		{"JSON with more behind it", "", JSON, `{"secret":1} {"b":2}`, "not valid JSON"},
		{"no YAML", "", YAML, "a: [secret", "not valid YAML"},
		{"nested maps", "", JSON, strings.Repeat(`{"a":`, nesting+1) + "1" + strings.Repeat("}", nesting+1), "limits"},
		{"nested lists", "", YAML, strings.Repeat("[", 5000), "limits"},
		{
			"aliases",
			"",
			YAML,
			"a: &a [" + strings.Repeat("x,", 300) + "]\nb: &b [" + strings.Repeat(
				"*a,", 300,
			) + "]\nc: [" + strings.Repeat("*b,", 300) + "]\n",
			"limits",
		},
		{"an integer beyond 64 bits", "", JSON, `{"a": [1, 12345678901234567891]}`, "more digits"},
		{"a float of many digits", "", YAML, "secret: 1\na: 0.12345678901234567891\n", "line 2"},
		{"a float that is read as an integer", "", JSON, `{"a": 9007199254740993.0}`, "more digits"},
		{"a float that is read as 0", "", JSON, `{"a": 1e-400}`, "more digits"},
		{"an integer in hexadecimal", "", YAML, "a: 0xFFFFFFFFFFFFFFFF\n", "more digits"},
		{"a key of many digits", "", YAML, "1.000000001: x\n", "more digits"},
		{"a tag", "", YAML, "a: !secret x\n", "a tag"},
		{"a tag of a key", "", YAML, "!secret a: 1\n", "a tag"},
		{"a tag of a map", "", YAML, "a:\n- !secret\n  b: 1\n", "a tag"},
		{"no INI", "", INI, "[secret\na=1", "not valid INI"},
		{"a key without a name", "", INI, "=secret", "not valid INI"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := Reader{Left: Most(len(test.text))}
			d, err := r.Decode(test.text, test.encoding, test.format)
			if err == nil || !strings.Contains(err.Error(), test.why) || strings.Contains(err.Error(), "secret") {
				t.Errorf("the reason is %v, want %q; it is %.100q", err, test.why, d.Text)
			}
		})
	}
}

// A number that is read with all its digits must be compared, however it is written.
func TestNumbersOfFewDigits(t *testing.T) {
	for _, number := range []string{"0", "-0.0", "1", "100", "1e2", "1.5e-7", "0.1", "9007199254740993", "-9223372036854775808", "1.7976931348623157e308",
		"0x1F", "0x1E", "0o17", "1_000", "1.50", "123456789012345680000"} {
		r := Reader{Left: 1 << 20}
		if _, err := r.Decode("{a: "+number+", 12: "+number+", 1.5: x}", "", YAML); err != nil {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// The limit must apply to all texts of an object together.
func TestMuchIsNotDecoded(t *testing.T) {
	text := `{"a":[` + strings.Repeat("1,", 1000) + "1]}"
	r := Reader{Left: int64(10*len(text) + 1)}
	for n := range 11 {
		if _, err := r.Decode(text, "", JSON); (err == nil) != (n < 10) {
			t.Errorf("document %d: %v", n, err)
		}
	}
	if Most(1000) < 1<<20 {
		t.Errorf("of a small object %d bytes are decoded at most", Most(1000))
	}
}

// The encoding and format of these texts must be found without being given.
func TestWhatIsSurelyADocument(t *testing.T) {
	script := "#!/bin/bash\nset -e\necho hello\n"
	tests := []struct {
		text, want string // format and encoding; "" for no document
		fault      bool
	}{
		{text: ""},
		{text: "info"},
		{text: "error: no space left"},
		{text: "openshift-kube-apiserver-operator"},
		{text: "0123456789abcdef0123456789abcdef"},
		{text: "2-31,34-63"},
		{text: "{}"},
		{text: "[]"},
		{text: "{{ .name }}"},
		{text: "[agent]\nlevel=1\n"},
		{text: script},
		{text: "data"},
		{text: `{"a": 1}`, want: "json"},
		{text: `[1]`, want: "json"},
		{text: "{a: 1}", want: "yaml"},
		{text: "a: 1\nb: 2\n", want: "yaml"},
		{text: "- a: 1\n- b\n", want: "yaml"},
		{text: in64(script), want: "text base64"},
		{text: in64("a: 1\nb: 2\n"), want: "yaml base64"},
		{text: "data:," + strings.ReplaceAll(script, "\n", "%0A"), want: "text data URL"},
		{text: "data:;base64," + in64(packed(9, script)), want: "text data URL, base64, gzip"},
		{text: "data:,%zz", fault: true},
		{text: in64("\x1f\x8b\x08 no gzip at all"), fault: true},
		{text: in64("\x00\x01\x02\x03 binary \x00\x01\x02\x03")},
	}
	for _, test := range tests {
		r := Reader{Left: 1 << 20}
		d, ok, err := r.Recognise(test.text)
		got := ""
		if ok {
			got = strings.TrimSpace(d.Format + " " + d.Encoding())
		}
		if got != test.want || (err != nil) != test.fault {
			t.Errorf("%q is taken for %q (%v), want %q", test.text, got, err, test.want)
		}
	}
}

// said describes what was read, without the addresses of nodes.
func said(d Document) string {
	keys := []string{}
	for _, n := range d.Twice {
		keys = append(keys, fmt.Sprint(n.Value(), " in line ", n.Line))
	}
	d.Twice = nil
	return fmt.Sprint(d, keys)
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{settings, in64(settings), "data:;base64," + in64(packed(9, settings)), "[a]\nb=1\\\n", `{"a":[1]}`, "0: 0\n0: 00", "data:,%", in64(in64("abc"))} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []string{JSON, YAML, INI, Text} {
			r := Reader{Left: Most(len(text))}
			one, err := r.Decode(text, "", format)
			again := Reader{Left: Most(len(text))}
			other, errAgain := again.Decode(text, Auto, format)
			if (err == nil) != (errAgain == nil) || said(one) != said(other) {
				t.Errorf("%q is read as %v, and as %v", text, one, other)
			}
			if r.Left < 0 {
				t.Errorf("%q takes more than there is", text)
			}
		}
	})
}
