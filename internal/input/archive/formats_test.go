package archive

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"strconv"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestEveryFormatIsUnpacked walks the formats of format.go: each has a sample, which is recognised
// by its first bytes, by its name, and unpacked.
func TestEveryFormatIsUnpacked(t *testing.T) {
	samples := map[format]struct{ packed, content string }{
		formatTar:   {packed: string(testkit.Tar(testkit.Entry{Name: "a", Data: "x"}))},
		formatZip:   {packed: string(testkit.Zip(0, testkit.Entry{Name: "a", Data: "x"}))},
		formatGzip:  {string(testkit.GZ([]byte("x"))), "x"},
		formatXZ:    {string(testkit.XZ([]byte("x"))), "x"},
		formatZstd:  {string(testkit.ZST([]byte("x"))), "x"},
		formatBzip2: {packed: "BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00"},
	}
	for _, f := range declaredFormats(t) {
		sample, ok := samples[f]
		if !ok {
			t.Errorf("there is no sample of %s", f)
			continue
		}
		head := []byte(sample.packed)
		if got := sniff(head[:min(len(head), HeadSize)]); got != f {
			t.Errorf("the first bytes of %s show %q", f, got)
		}
		if inner, archive, packed := SplitName("a." + string(f)); inner != "a" || !packed || archive != f.archive() {
			t.Errorf("the name of %s: %s, archive %v, packed %v", f, inner, archive, packed)
		}
		s, err := NewUnpacker(t.Context(), testLimits()).Open(bytes.NewReader(head), false)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if f.archive() != s.IsArchive() || f.archive() == s.Compressed() {
			t.Errorf("%s: archive %v, compressed %v", f, s.IsArchive(), s.Compressed())
		}
		if content, err := io.ReadAll(s); !f.archive() && (err != nil || string(content) != sample.content) {
			t.Errorf("%s contains %q, %v", f, content, err)
		}
		s.End()
	}
}

// declaredFormats returns the constants of type format, without the one for plain files.
func declaredFormats(t *testing.T) (all []format) {
	file, err := parser.ParseFile(token.NewFileSet(), "format.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if kind, named := specType(spec); !ok || !named || kind != "format" {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(formatPlain) {
			all = append(all, format(text))
		}
		return true
	})
	if len(all) == 0 {
		t.Fatal("format.go declares no format")
	}
	return all
}

// specType returns the name of the type of a declaration.
func specType(spec *ast.ValueSpec) (string, bool) {
	if spec == nil {
		return "", false
	}
	name, ok := spec.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}
