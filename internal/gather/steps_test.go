package gather

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/pack"
	"github.com/validationtool/validationtool/internal/source"
)

// TestReadingIsBoundedByWhatWasGiven: what unpacks to very many documents, in one file or in many, is not read to its end. That, and where the
// steps end, does not depend on the order in which the files are read; the same documents as they are are all read.
func TestReadingIsBoundedByWhatWasGiven(t *testing.T) {
	const files, work = 100, 10_000
	tagged := func(i int) string {
		return fmt.Sprintf("apiVersion: !!str v1\nkind: ConfigMap\nmetadata:\n  name: n%03d\n", i)
	}
	var many []pack.Entry
	var one strings.Builder
	for i := range files {
		many = append(many, pack.Entry{Name: fmt.Sprintf("%03d.yaml", i), Data: tagged(i)})
		fmt.Fprintf(&one, "---\n%s", tagged(i))
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		path, beyond string
		work         int64
	}{
		{write("many.tgz", pack.GZ(pack.Tar(many...))), "064.yaml", work},
		{write("one.tgz", pack.GZ(pack.Tar(pack.Entry{Name: "one.yaml", Data: one.String()}))), "one.yaml", work},
		{write("many.tar", pack.Tar(many...)), "", work},
		{write("one.yaml", []byte(one.String())), "", work},
		{filepath.Join(dir, "many.tgz"), "", 10 * work},
	} {
		opt := ReadOptions{Work: c.work}
		var all []source.File
		summary, err := source.Walk(t.Context(), []string{c.path}, source.Options{Want: source.Candidate}, func(f source.File) error {
			all = append(all, f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		random, first := rand.New(rand.NewSource(1)), ""
		for range 40 {
			r := newReading([]string{c.path}, opt)
			r.Summary = summary
			r.want(func(*manifest.Object) int64 { return 0 })
			for _, i := range random.Perm(len(all)) {
				f := all[i]
				f.Data = []byte(string(f.Data))
				r.readInTurn(job{f, r.alone(f)})
			}
			piece := r.Piece()
			if c.beyond == "" {
				if piece.Objects != files {
					t.Fatalf("%s: %d CRs", c.path, piece.Objects)
				}
				continue
			}
			if len(piece.batches) != 1 || len(piece.batches[0].Contents.Problems) != 1 || piece.Objects != 0 {
				t.Fatalf("%s: %d files with %d CRs", c.path, len(piece.batches), piece.Objects)
			}
			p := piece.batches[0].Contents.Problems[0]
			if p.Code != code.LimitReading || p.Place.Entry != c.beyond || first != "" && p.Message != first {
				t.Fatalf("%s: %s of %s, want %s: %s", c.path, p.Code, p.Place.Entry, c.beyond, p.Message)
			}
			first = p.Message
		}
	}
}

// TestLittleIsReadBeyondTheSteps: a file is not read on where there are no steps left.
func TestLittleIsReadBeyondTheSteps(t *testing.T) {
	text := []byte(strings.Repeat("---\napiVersion: v1\nkind: &k A\n", 10_000))
	steps := int64(180_000)
	got := manifest.Read("in.yaml", "", text, manifest.Hints{Asked: true, Steps: &steps})
	if n := len(got.Objects); steps > 0 || n == 0 || n > 50 {
		t.Errorf("%d CRs were read, and %d steps are left", n, steps)
	}
	steps = 100
	if got = manifest.Read("in.yaml", "", text, manifest.Hints{Asked: true, Steps: &steps}); len(got.Objects) > 0 {
		t.Errorf("a file was begun that takes too long to scan")
	}
}
