package manifest

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestRealMustGather reads a complete support archive where one is at hand, and compares what the
// scanner and the decoder make of it.
func TestRealMustGather(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("it reads 83 MB")
	}
	file, err := os.Open("../../../../shared/real/must-gather-aws.tar.xz")
	if err != nil {
		t.Skip("no archive at hand")
	}
	defer file.Close()
	packed, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	objects, distinct := 0, map[ID]bool{}
	archive := tar.NewReader(packed)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag != tar.TypeReg || !strings.HasSuffix(header.Name, ".yaml") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		scanned := Read("aws.tar.xz", header.Name, data, Hints{})
		decoded := read("aws.tar.xz", header.Name, data, Hints{}, true)
		if len(scanned.Problems)+len(scanned.Warnings) > 0 {
			t.Errorf("%s: %v %v", header.Name, scanned.Problems, scanned.Warnings)
		}
		if diff := cmp.Diff(plainContents(decoded), plainContents(scanned), cmp.AllowUnexported(Object{}, source{})); diff != "" {
			t.Fatalf("%s: scanned and decoded differ:\n%s", header.Name, diff)
		}
		for i, o := range scanned.Objects {
			if !bytes.Equal(o.source.text, decoded.Objects[i].source.text) {
				t.Fatalf("%s: %s: the scanner and the decoder cut out different texts", header.Name, o.ID)
			}
			objects++
			distinct[o.ID] = true
		}
	}
	if objects != 8635 || len(distinct) != 8324 { // the 52 RouteLists with null items are no objects
		t.Errorf("%d objects, %d distinct; 8635 and 8324 are expected", objects, len(distinct))
	}
}

// plainContents are contents without the texts, to compare them.
func plainContents(c Contents) Contents {
	plain := c
	plain.Objects = nil
	for _, o := range c.Objects {
		bare := *o
		bare.source = nil
		plain.Objects = append(plain.Objects, &bare)
	}
	return plain
}
