package inflate_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// othersText is what the files in testdata/streams hold: lines, the same as far back as a copy can
// reach, every byte, and runs.
func othersText() []byte {
	var lines bytes.Buffer
	for i := range uint32(24) {
		fmt.Fprintf(&lines, "- name: pod-%d\n  hash: %08x\n", i*i%17, i*2654435761)
	}
	text := append(lines.Bytes(), make([]byte, 32<<10-lines.Len())...)
	text = append(text, lines.Bytes()...)
	for c := range 256 {
		text = append(text, byte(c))
	}
	text = append(text, strings.Repeat("ab", 300)...)
	return append(text, lines.Bytes()[:200]...)
}

// TestStreamsOfOthers unpacks what other programs made of a text: each file is named after the
// program and its level. They were gzip 1.12, pigz 2.6, libdeflate-gzip 1.14, igzip 2.30, 7z 16.02,
// zopfli 1.0.3, and zlib 1.2.13 with strategies of its own, as packed by Debian 12.
func TestStreamsOfOthers(t *testing.T) {
	files, err := filepath.Glob("testdata/streams/*.gz")
	if err != nil || len(files) < 14 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packed = packed[10:] // a header without a name
		got, rest, err := unpacked(packed, func(r io.Reader) io.Reader { return r }, 1<<20)
		if err != nil || !bytes.Equal(got, othersText()) || len(rest) != 8 {
			t.Errorf("%s: %d bytes, %d behind them, %v", file, len(got), len(rest), err)
		}
		agree(t, packed)
	}
}
