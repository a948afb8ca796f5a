package cluster

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
)

// TestTheOrderOfArrivalDecidesNothing reads the files of an archive, of which some stand in it
// twice, in orders that a scheduler could choose. What is collected is the same, and of the files
// that stand twice it is the later.
func TestTheOrderOfArrivalDecidesNothing(t *testing.T) {
	config := func(name, value string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {v: %s}\n", name, value)
	}
	var entries []testkit.Entry
	for i := range 6 {
		for _, value := range []string{"earlier", "later"} {
			entries = append(
				entries, testkit.Entry{Name: fmt.Sprintf("%d.yaml", i), Data: config(fmt.Sprint("twice-", i), value)},
			)
		}
		entries = append(
			entries,
			testkit.Entry{
				Name: fmt.Sprintf("copy%d.yaml", i),
				Data: config("copy", "v") + "---\n" + config(fmt.Sprint("once-", i), "v"),
			},
			testkit.Entry{Name: fmt.Sprintf("bad%d.yaml", i), Data: "apiVersion: v1\nkind: [\n"},
		)
	}
	entries = append(
		entries,
		testkit.Entry{Name: "timestamp", Data: "2024-09-17 11:02:08 +0000 UTC m=+0.2\n"},
		testkit.Entry{Name: "timestamp", Data: "2024-09-18 11:02:08 +0000 UTC m=+0.2\n"},
	)
	path := filepath.Join(t.TempDir(), "x.tar")
	if err := os.WriteFile(path, testkit.Tar(entries...), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []source.File
	summary, err := source.Walk(
		t.Context(),
		[]string{path},
		source.Options{Want: source.Candidate},
		func(f source.File) error {
			files = append(files, f)
			return nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewSource(1))
	first := ""
	for range 40 {
		r := newReading(t.Context(), Options{Inputs: []string{path}})
		r.Summary = summary
		r.want(func(*manifest.Object) {})
		for _, i := range random.Perm(len(files)) {
			f := files[i]
			f.Data = []byte(string(f.Data))
			r.read(job{f, r.hints(f)})
		}
		clusters, err := r.split()
		if err != nil || len(clusters) != 1 {
			t.Fatalf("%d clusters, %v", len(clusters), err)
		}
		got := told(t, clusters[0]) + fmt.Sprint(r.Passed())
		if first == "" {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Fatal(diff)
		}
	}
	if strings.Contains(first, "earlier") || strings.Count(first, "v:later") != 6 ||
		!strings.Contains(first, "2024-09-18") {
		t.Error(first)
	}
}

// told is all that was collected.
func told(t *testing.T, in Collected) string {
	var b strings.Builder
	for _, o := range in.Objects {
		v, err := o.Decode()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, o.Place, v)
	}
	fmt.Fprintln(&b, in.Unreadable, in.Warnings, in.When, in.Listed)
	return b.String()
}
