package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestUnpackingEndsWithTheContext: a few bytes unpack to very much, of which no more is unpacked
// once the context has ended.
func TestUnpackingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u := NewUnpacker(ctx, testLimits())
	s, err := u.Open(bytes.NewReader(pack.GZ(make([]byte, 32<<20))), true)
	must(err)
	defer s.End()
	cancel()
	if n, err := io.Copy(io.Discard, s); !errors.Is(err, context.Canceled) || n > bufferSize {
		t.Errorf("%d bytes more, %v", n, err)
	}
}

// TestFewWindowsAreKept: what is kept of decompressors does not grow with the number of windows
// that streams leave each other.
func TestFewWindowsAreKept(t *testing.T) {
	var all kept[int]
	for i := range int64(100) {
		all.put(window{i}, 1)
		all.put(window{0}, 2)
	}
	if _, again := all.take(window{0}); len(all) > 4 || !again {
		t.Errorf("%d windows are kept, the first: %v", len(all), again)
	}
}
