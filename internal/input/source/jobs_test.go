package source

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// variousInputs are inputs of several sorts, some of them damaged.
func variousInputs(t *testing.T) []string {
	twice := testkit.Tar(
		testkit.Entry{Name: "a.yaml", Data: config("earlier")},
		testkit.Entry{Name: "a.yaml", Data: config("later")},
		testkit.Entry{Name: "x.log", Data: "line"},
	)
	return []string{
		testkit.Folder(t, map[string]string{
			"a.yaml":   config("a"),
			"b/c.yaml": config("c"),
			"b/x.log":  "line",
			"in.tar":   string(standardTar()),
		}),
		writeFile(
			t, "x.tar.gz", testkit.GZ(twice),
		), writeFile(t, "cut.tar.gz", testkit.GZ(twice)[:60]), writeFile(t, "x.zip", zipOf(manyFiles()...)),
		writeFile(
			t, "x.yaml", []byte(config("x")),
		), writeFile(t, "x.tar", testkit.Tar(testkit.Entry{Name: "in.tgz", Data: string(testkit.GZ(standardTar()))})),
		writeFile(t, "empty.tar.gz", nil),
	}
}

// TestJobsChangeNothing: several inputs that are read at a time come to the same summary as one
// after the other, and each to the same files.
func TestJobsChangeNothing(t *testing.T) {
	inputs := variousInputs(t)
	read := func(opt Options) (Summary, [][]File) {
		files := make([][]File, len(inputs))
		sum, err := Walk(t.Context(), inputs, opt, func(f File) error {
			files[f.Input] = append(files[f.Input], f) // of one input by one goroutine at a time
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return sum, files
	}
	for _, limits := range []Limits{{}, {Entries: 3}, {Unpacked: 3000}, {Archives: 1}} {
		sum, files := read(Options{Want: Candidate, Limits: limits})
		for _, jobs := range []int{2, 3, 20} {
			gotSum, got := read(Options{Want: Candidate, Limits: limits, Jobs: jobs})
			if diff := cmp.Diff(sum, gotSum); diff != "" {
				t.Errorf("%+v, %d jobs: %s", limits, jobs, diff)
			}
			if diff := cmp.Diff(files, got); diff != "" {
				t.Errorf("%+v, %d jobs: %s", limits, jobs, diff)
			}
		}
	}
}

// TestReadersDoNotWaitForEachOther: files that do not fit into the semaphore together, some of which do
// not say how large they are, are all read.
func TestReadersDoNotWaitForEachOther(t *testing.T) {
	large := big(1 << 20)
	var inputs []string
	for i := range 12 {
		packed := testkit.GZ([]byte(large))
		data := [][]byte{
			packed,
			testkit.Tar(testkit.Entry{Name: "a.yaml", Data: large}, testkit.Entry{Name: "b.yaml.gz", Data: string(packed)}),
			zipOf(testkit.Entry{Name: "a.yaml", Data: large}),
		}
		inputs = append(inputs, writeFile(t, fmt.Sprintf("%d", i), data[i%3]))
	}
	semaphore := workers.NewSemaphore(2 << 20)
	var group sync.WaitGroup
	var mu sync.Mutex
	read := 0
	sum, err := Walk(t.Context(), inputs, Options{Semaphore: semaphore, Jobs: 6}, func(f File) error {
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			read++
			f.Claim.Release()
		})
		return nil
	})
	group.Wait()
	if _, free := semaphore.Acquire(t.Context(), 2<<20); err != nil || read != 16 || sum.Problems != nil || !free {
		t.Errorf("%d files, problems %v, %v", read, sum.Problems, err)
	}
}

// TestInputsThatWereNotReadAreKnown: the summary of a walk that was ended says of which inputs not
// all was read.
func TestInputsThatWereNotReadAreKnown(t *testing.T) {
	inputs := variousInputs(t)
	for _, jobs := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		sum, err := Walk(ctx, inputs, Options{Want: Candidate, Jobs: jobs}, func(f File) error {
			if f.Input == 4 {
				cancel()
			}
			return nil
		})
		inOrder := jobs > 1 ||
			sum.Inputs[0].Whole && !sum.Inputs[len(inputs)-1].Whole // of several at a time any may be the first
		if !errors.Is(err, context.Canceled) || len(sum.Inputs) != len(inputs) || !inOrder {
			t.Errorf("%d jobs: %v, %+v", jobs, err, sum.Inputs)
		}
		for i, in := range sum.Inputs {
			if in.Path != inputs[i] {
				t.Errorf("%d jobs: %s stands at the place of %s", jobs, in.Path, inputs[i])
			}
		}
	}
}
