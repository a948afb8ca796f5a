package source

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/crew"
)

// given counts the bytes that an input turns out to have.
type given struct {
	io.Reader
	bytes *int64
}

func (r *given) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	*r.bytes += int64(n)
	return n, err
}

// readStream reads standard input or a pipe. Of what is not packed as much is given as was read. How much is given of what is has to be
// known before it is unpacked, as far as it is little.
func (w *walker) readStream(c *container, in *Input, g *gauge, stream io.Reader) error {
	src := &given{g.reader(crew.Reader(w.ctx, stream)), &in.Given}
	head := make([]byte, budget.Small)
	n, err := archive.Fill(src, head[:archive.HeadSize])
	w.streamed = true
	defer func() { w.streamed, w.plain = false, nil }()
	if err == nil && n == archive.HeadSize && archive.IsUnpacked(head[:n]) {
		return w.readArgument(c, in, io.MultiReader(bytes.NewReader(head[:n]), src), nil)
	}
	if err == nil && n == archive.HeadSize {
		var more int
		more, err = archive.Fill(src, head[n:])
		n += more
	}
	rest := io.Reader(onlyError{err})
	switch {
	case err != nil:
	case n < len(head):
		rest = onlyError{io.EOF}
		w.give(int64(n))
	default:
		rest = src
		w.give(math.MaxInt64)
	}
	w.streamed = false
	return w.readArgument(c, in, io.MultiReader(bytes.NewReader(head[:n]), rest), nil)
}

// giveRead takes down what was read of a stream that is not packed.
func (w *walker) giveRead() {
	if w.plain != nil {
		now := w.plain.Consumed()
		w.give(now - w.consumed)
		w.consumed = now
	}
}

// onlyError is a reader that has nothing but an error.
type onlyError struct{ err error }

func (r onlyError) Read([]byte) (int, error) { return 0, r.err }

// give takes down that so many bytes more were given, before they are unpacked: it is little for which there are few entries, and little to unpack.
func (w *walker) give(n int64) {
	w.given += min(n, math.MaxInt64-w.given)
	w.unpacker.Allow(w.mostUnpacked(), grown(max(littleInner, w.limits.Unpacked/256), w.given, innerOfBytes, math.MaxInt64))
}

// What archives may hold that are given in few bytes, and for each byte of them: more than any have that were not built to hold so much.
const (
	fewEntries      = 100_000
	bytesOfEntry    = 16
	littleUnpacked  = 512 << 20
	unpackedOfBytes = 1000
	littleInner     = 64 << 20
	innerOfBytes    = 16
)

// mostUnpacked and mostEntries are the limits for what is given.
func (w *walker) mostUnpacked() int64 {
	return grown(max(littleUnpacked, w.limits.Unpacked/32), w.given, unpackedOfBytes, w.limits.Unpacked)
}

func (w *walker) mostEntries() int {
	return int(grown(max(fewEntries, int64(w.limits.Entries)/20), w.given/bytesOfEntry, 1, int64(w.limits.Entries)))
}

// grown is little, and so much for each of some, but no more than most.
func grown(little, some, each, most int64) int64 {
	little = min(little, most)
	if some > (most-little)/each {
		return most
	}
	return little + some*each
}

// ofFew tells why a limit is less than that of --limit, if it is.
func (w *walker) ofFew(less bool) string {
	if !less {
		return ""
	}
	return fmt.Sprintf(" where only %d bytes are given", w.given)
}
