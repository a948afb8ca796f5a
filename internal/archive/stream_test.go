package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/validationtool/validationtool/internal/testkit"
)

// TestUnpackingEndsWithTheContext: a few bytes unpack to very much, of which no more is unpacked
// once the context has ended.
func TestUnpackingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u := NewUnpacker(ctx, testLimits())
	s, err := u.Open(bytes.NewReader(testkit.GZ(make([]byte, 32<<20))), true)
	must(err)
	defer s.End()
	cancel()
	if n, err := io.Copy(io.Discard, s); !errors.Is(err, context.Canceled) || n > bufferSize {
		t.Errorf("%d bytes more, %v", n, err)
	}
}
