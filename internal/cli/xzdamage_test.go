package cli

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestNoDamageOfXZIsSilent cuts an archive off and changes bits of it, at places of a fixed choice:
// the command has the exit status 2.
func TestNoDamageOfXZIsSilent(t *testing.T) {
	entries := []pack.Entry{{Name: "good.yaml", Data: strictCR}}
	for i := range 40 {
		entries = append(entries, pack.Entry{Name: fmt.Sprint(i, ".yaml"), Data: config(fmt.Sprint("n", i*i*7919))})
	}
	agreeing(t, nil)
	packed := pack.XZ(pack.Tar(entries...))
	compared := func(data []byte) (int, string) {
		if err := os.WriteFile("in.tar.xz", data, 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, errs := typed("ref in.tar.xz")
		return status, out + errs
	}
	if status, out := compared(packed); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, out)
	}
	tries := 60
	if pack.Whole() {
		tries = 2000
	}
	r := rand.New(rand.NewSource(1))
	for i := range tries {
		data := bytes.Clone(packed)
		if i%4 == 0 {
			data = data[:r.Intn(len(data))]
		} else {
			data[r.Intn(len(data))] ^= 1 << r.Intn(8)
		}
		if status, out := compared(data); status != 2 {
			t.Errorf("try %d: exit status %d:\n%.500s", i, status, out)
		}
	}
}
