package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// damages returns the ways in which a file is damaged. from and to are a part of its text.
func damages() []func(text []byte, from, to int, chance *rand.Rand) []byte {
	replaced := func(text []byte, from, to int, with func(byte) byte) []byte {
		text = bytes.Clone(text)
		for i := from; i < to; i++ {
			text[i] = with(text[i])
		}
		return text
	}
	lineStart := func(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }
	return []func(text []byte, from, to int, chance *rand.Rand) []byte{
		func(text []byte, from, _ int, _ *rand.Rand) []byte { return text[:from] },
		func(text []byte, from, _ int, _ *rand.Rand) []byte { return text[from:] },
		func(text []byte, from, to int, _ *rand.Rand) []byte {
			return replaced(text, from, to, func(byte) byte { return 0 })
		},
		func(text []byte, from, to int, chance *rand.Rand) []byte {
			return replaced(text, from, to, func(byte) byte { return byte(chance.Uint32()) })
		},
		func(text []byte, from, to int, chance *rand.Rand) []byte {
			return replaced(text, from, min(to, from+1), func(c byte) byte { return c ^ 1<<chance.UintN(8) })
		},
		func(text []byte, from, to int, _ *rand.Rand) []byte { // lines are lost
			return append(bytes.Clone(text[:lineStart(text, from)]), text[lineStart(text, to):]...)
		},
		func(text []byte, from, _ int, _ *rand.Rand) []byte {
			lines := "<<<<<<< HEAD\n=======\n>>>>>>> branch\n"
			start := lineStart(text, from)
			return append(append(bytes.Clone(text[:start]), lines...), text[start:]...)
		},
		func(text []byte, _, _ int, _ *rand.Rand) []byte { return append([]byte("Error: "), text...) },
		func(text []byte, _, _ int, _ *rand.Rand) []byte { return append([]byte("\x00GITCRYPT\x00"), text...) },
		func(text []byte, _, _ int, _ *rand.Rand) []byte {
			return []byte(base64.StdEncoding.EncodeToString(text))
		},
		func(text []byte, from, to int, _ *rand.Rand) []byte { return text[from:to] },
		func(text []byte, from, _ int, _ *rand.Rand) []byte { return testkit.GZ(text)[:min(from, 60)] },
	}
}

// seeds adds the seeds from 0 to a fuzz target of one seed.
func seeds(f *testing.F, n int) {
	for seed := range testkit.Tries(n) {
		f.Add(uint64(seed))
	}
}

// FuzzDamagedFile damages one file of a compliant folder. Either it still is a CR with a name, or the
// run is not compliant, or the file is named.
func FuzzDamagedFile(f *testing.F) {
	const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: app\n  labels:\n    app: b\ndata:\n  x: right\n  y: |\n    some\n    lines\n"
	object := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "b", "namespace": "app"},
		"data": map[string]any{"x": "right"}}
	compact, err := json.Marshal(object)
	if err != nil {
		f.Fatal(err)
	}
	indented, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		f.Fatal(err)
	}
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(yaml, "\n", "\n  ")
	texts := []string{yaml, string(compact), string(indented), strings.TrimRight(list, " ")}
	names := []string{"b.yaml", "b.json", "b.yml", "b-values.yaml", "b.ndjson", "b.jsonc"}
	root := testkit.Folder(f, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n",
		"ref/a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n",
		"ref/b.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: app}\ndata: {x: right}\n",
		"in/a.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n",
	})
	seeds(f, 300)
	f.Fuzz(func(t *testing.T, seed uint64) {
		chance := rand.New(rand.NewPCG(seed, 1))
		text := []byte(texts[chance.IntN(len(texts))])
		from := chance.IntN(len(text))
		to := from + chance.IntN(len(text)-from) + 1
		all := damages()
		damaged := all[chance.IntN(len(all))](text, from, to, chance)
		name := names[chance.IntN(len(names))]
		in := filepath.Join(t.TempDir(), "in")
		if err := os.CopyFS(in, os.DirFS(filepath.Join(root, "in"))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(in, name), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, _ := run(t.Context(), IO{}, "--summary", "--width", "400", filepath.Join(root, "ref"), in)
		hasName := func(o *manifest.Object) bool { return o.ID.Name != "" }
		isCR := slices.ContainsFunc(manifest.Read(name, "", damaged, manifest.Hints{}).Objects, hasName)
		if status == 0 && !isCR && !strings.Contains(out, name) {
			t.Errorf("%s is passed over in silence: %q", name, damaged)
		}
	})
}
