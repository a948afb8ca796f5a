package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/budget"
)

// TestHowMuchTextsDifferIsWork: telling which of several templates comes nearest takes long where texts differ much, and little where they
// hardly do.
func TestHowMuchTextsDifferIsWork(t *testing.T) {
	const limit = 10_000_000
	for name, differ := range map[string]bool{"texts that differ": true, "texts that hardly do": false} {
		random := rand.New(rand.NewPCG(1, 2))
		text := func(i int) string {
			if !differ {
				return strings.Repeat("some words ", 300) + fmt.Sprint(i)
			}
			var b strings.Builder
			for range 3000 {
				b.WriteByte("abc "[random.IntN(4)])
			}
			return b.String()
		}
		files, paths := map[string]string{}, ""
		for i := range 10 {
			files[fmt.Sprintf("t%d.yaml", i)] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: \"{{ .metadata.namespace }}\"}\ndata: {k: \"" + text(i) + "\"}\n"
			paths += fmt.Sprintf("{path: t%d.yaml}, ", i)
		}
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [" + paths + "]}]}]\n"
		work := budget.NewWork(limit)
		runFiles(t, files, configMap("ns", "a", "k: \""+text(10)+"\""), Options{Share: Share{Work: work}})
		if took := limit - work.Left(); took > 20_000 != differ {
			t.Errorf("%s: %d steps beside those that are free", name, took)
		}
	}
}
