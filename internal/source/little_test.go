package source

import (
	"archive/tar"
	"bytes"
	"math"
	"math/rand/v2"
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

// TestLittleOfAStreamIsKnown: of a packed stream it is known whether it is little before anything of it is unpacked, and of what is not packed as much
// is given as was read.
func TestLittleOfAStreamIsKnown(t *testing.T) {
	entries := []pack.Entry{{Name: "a.yaml", Data: config("a")}, {Name: "b.yaml", Data: config("b")}}
	large := make([]byte, 2*budget.Small)
	must(binaryRead(large))
	packed := pack.GZ(pack.Tar(entries...))
	for _, c := range []struct {
		what string
		data []byte
		want []int64
	}{
		{"text", []byte(config("a")), []int64{int64(len(config("a")))}},
		{"long text", bytes.Repeat([]byte("# x\n"), budget.Small), []int64{4 * budget.Small}},
		{"tar", pack.Tar(entries...), []int64{512 + int64(len(entries[0].Data)), 3*512 + int64(len(entries[1].Data))}},
		{"tar.gz", packed, []int64{int64(len(packed)), int64(len(packed))}},
		{"large tar.gz", pack.GZ(pack.Tar(append(entries, pack.Entry{Name: "c.log", Data: string(large)})...)), []int64{math.MaxInt64, math.MaxInt64}},
	} {
		var given []int64
		for _, f := range walkStdin(t, Options{Want: Candidate}, c.data).files {
			given = append(given, f.Given)
		}
		if !slices.Equal(given, c.want) {
			t.Errorf("%s: %d were given, want %d", c.what, given, c.want)
		}
	}
}

// binaryRead fills a slice with what cannot be packed.
func binaryRead(p []byte) error {
	_, err := rand.NewChaCha8([32]byte{}).Read(p)
	return err
}

// TestLimitsGrowWithWhatIsGiven: nothing that was not built for that comes under them, and they never go beyond those of --limit.
func TestLimitsGrowWithWhatIsGiven(t *testing.T) {
	for _, c := range []struct {
		given, unpacked int64
		entries         int
		limits          Limits
	}{
		{0, 512 << 20, 100_000, Limits{}},
		{1 << 20, 512<<20 + 1000<<20, 100_000 + 1<<16, Limits{}},
		{100 << 20, 16 << 30, 2_000_000, Limits{}},
		{math.MaxInt64, 16 << 30, 2_000_000, Limits{}},
		{0, 1000, 10, Limits{Unpacked: 1000, Entries: 10}},
		{0, 2 << 40, 1_000_000, Limits{Unpacked: 64 << 40, Entries: 20_000_000}},
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
