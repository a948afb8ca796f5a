package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChapter(t *testing.T) {
	const markdown = "# A title\n\nSome words with `code of two` words,\nand a [link](other.md#x) and [this](https://example.com).\n\n" +
		"- first item, which is long enough for two lines\n- second:\n\n    more words\n\n1. one\n2. two\n\n" +
		"| a | meaning |\n|---|---|\n| `x` | a meaning that needs several lines |\n\n```sh\na line of code that is never broken, however long\n```\n"
	const want = `# A title

Some words with code of two
words, and a link (docs other)
and this (https://example.com).

- first item, which is long
  enough for two lines
- second:

  more words

1. one
2. two

a  meaning
x  a meaning that needs several
   lines

    a line of code that is never broken, however long
`
	var b strings.Builder
	if err := Chapter(&b, markdown, Options{Width: 31}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	b.Reset()
	if err := Chapter(&b, "# A `b`\n\nof `c d`.\n", Options{Width: 31, Color: true}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "\x1b[1m# A b\x1b[22m\n\nof \x1b[36mc d\x1b[0m.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
