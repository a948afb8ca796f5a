package main

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// TestTheTableIsFresh checks that the embedded table is the one that this version of Kubernetes gives.
// Only its text counts: versions of Go may compress it in other ways.
func TestTheTableIsFresh(t *testing.T) {
	folder, err := download()
	if err != nil {
		t.Skipf("the sources of Kubernetes %s cannot be had here: %v", version, err)
	}
	want, err := tableOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open("../../compare/crdschema/kinds.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("the table of kinds is another one; make kinds renews it")
	}
}

// TestTheTableIsSmall bounds what the table adds to the binary.
func TestTheTableIsSmall(t *testing.T) {
	const most = 400_000
	info, err := os.Stat("../../compare/crdschema/kinds.gz")
	if err != nil || info.Size() > most {
		t.Errorf("%v, %v", info, err)
	}
}
