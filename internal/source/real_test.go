package source

import (
	"archive/tar"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/collector"
)

// realArchive is a must-gather of a cluster, which is not part of the repository.
const realArchive = "../../../shared/real/must-gather-aws.tar.xz"

func TestRealMustGatherPackedAndUnpackedAreTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("unpacks a large archive")
	}
	if _, err := os.Stat(realArchive); err != nil {
		t.Skip("there is no real archive here")
	}
	root := t.TempDir()
	unpackReal(t, root)
	packed, unpacked := digests(t, realArchive), digests(t, root)
	if diff := cmp.Diff(packed, unpacked); diff != "" {
		t.Errorf("(-packed +unpacked):\n%s", diff)
	}
	if len(packed) < 2000 {
		t.Errorf("only %d files", len(packed))
	}
}

// digests are the checksums of the files that are read, by name. There must be no problem, and the
// layout must be known.
func digests(t *testing.T, path string) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	sum, err := Walk(t.Context(), []string{path}, Options{Want: Candidate}, func(f File) error {
		out[f.Name] = sha256.Sum256(f.Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	in := sum.Inputs[0]
	if sum.Problems != nil || sum.NotRead != nil || in.Layout != collector.MustGather || len(in.Roots) != 1 {
		t.Errorf("problems %v, not read %v, %+v", sum.Problems, sum.NotRead, in)
	}
	return out
}

func unpackReal(t *testing.T, root string) {
	t.Helper()
	f, err := os.Open(realArchive)
	must(err)
	defer f.Close()
	unpacker := archive.NewUnpacker(t.Context(), archive.Limits{Unpacked: 1 << 40, Memory: 1 << 30, Depth: 1})
	s, err := unpacker.Open(f, false)
	must(err)
	defer s.End()
	for tr := tar.NewReader(s); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		must(err)
		at := filepath.Join(root, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			must(os.MkdirAll(at, 0o755))
			continue
		}
		must(os.MkdirAll(filepath.Dir(at), 0o755))
		data, err := io.ReadAll(tr)
		must(err)
		must(os.WriteFile(at, data, 0o600))
	}
}
