package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
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

// TestReadAllJoinsParts: content of any size is read whole, also behind what was read before.
func TestReadAllJoinsParts(t *testing.T) {
	content := make([]byte, 300_000)
	for i := range content {
		content[i] = byte(i % 251)
	}
	for _, size := range []int{0, 1, HeadSize - 1, HeadSize, HeadSize + 1, 10_000, len(content)} {
		for _, before := range [][]byte{nil, []byte("head"), make([]byte, 4, 9_000)} {
			want := append(bytes.Clone(before), content[:size]...)
			got, err := ReadAll(bytes.NewReader(content[:size]), before, int64(len(want)))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes after %d: %d bytes, %v", size, len(before), len(got), err)
			}
			_, err = ReadAll(bytes.NewReader(content[:size]), before, int64(len(want))-1)
			if !errors.Is(err, ErrTooLarge) && len(want) > 0 {
				t.Errorf("%d bytes are not too large for one less: %v", len(want), err)
			}
		}
	}
}

// TestReadAllTakesTwiceTheSize: content of unknown size allocates at most twice as much, and a part.
func TestReadAllTakesTwiceTheSize(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector, which tests use with -short, growing a slice allocates more")
	}
	const size, part = 100 << 20, 20 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	data, err := ReadAll(io.LimitReader(zeros{}, size), nil, size)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; len(data) != size || err != nil || taken > 2*size+part {
		t.Errorf("%d of %d bytes, %v, took %d", len(data), size, err, taken)
	}
}

// zeros is an endless source of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
