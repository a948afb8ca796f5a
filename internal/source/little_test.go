package source

import (
	"archive/tar"
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/pack"
)

// TestLittleUnpacksToLittle: what is given in few bytes may hold fewer entries than the limit.
func TestLittleUnpacksToLittle(t *testing.T) {
	plain := pack.Tar(slices.Repeat([]pack.Entry{{Name: "x", Kind: tar.TypeFifo}}, fewEntries+fewEntries/20)...)
	got := walkBytes(t, Options{}, "x", pack.GZ(pack.GZ(plain)))
	if codes := got.codes(); len(codes) != 1 || codes[0] != code.LimitEntries || !strings.Contains(got.sum.Problems[0].Error(), "bytes are given") {
		t.Error(got.sum.Problems)
	}
}

// TestLittleOfAStreamIsKnown: of a stream it is known whether it is little before anything of it is unpacked.
func TestLittleOfAStreamIsKnown(t *testing.T) {
	for _, c := range []struct{ size, want int64 }{{1000, 1000}, {budget.Small - 1, budget.Small - 1}, {budget.Small, math.MaxInt64}} {
		got := walkStdin(t, Options{}, bytes.Repeat([]byte("#"), int(c.size)))
		if f := got.files[0]; f.Given != c.want || f.Size != -1 && f.Size != c.size || int64(len(f.Data)) != c.size {
			t.Errorf("%d bytes: %d were given, %d read", c.size, f.Given, len(f.Data))
		}
	}
}

// TestLimitsGrowWithWhatIsGiven: nothing that was not built for that comes under them, and they never go beyond those of --limit.
func TestLimitsGrowWithWhatIsGiven(t *testing.T) {
	for _, c := range []struct {
		given, unpacked int64
		entries         int
		limits          Limits
	}{
		{0, 2 << 30, 100_000, Limits{}},
		{1 << 20, 2<<30 + 1000<<20, 100_000 + 1<<16, Limits{}},
		{100 << 20, 16 << 30, 2_000_000, Limits{}},
		{math.MaxInt64, 16 << 30, 2_000_000, Limits{}},
		{0, 1000, 10, Limits{Unpacked: 1000, Entries: 10}},
		{0, 8 << 40, 1_000_000, Limits{Unpacked: 64 << 40, Entries: 20_000_000}},
		{math.MaxInt64, math.MaxInt64, 2_000_000, Limits{Unpacked: math.MaxInt64}},
	} {
		w := &walker{limits: c.limits.OrDefault(), unpacker: archive.NewUnpacker(t.Context(), archive.Limits{})}
		w.give(c.given)
		w.give(0)
		if u, e := w.mostUnpacked(), w.mostEntries(); u != c.unpacked || e != c.entries {
			t.Errorf("%d bytes: %d unpacked and %d entries, want %d and %d", c.given, u, e, c.unpacked, c.entries)
		}
	}
}
