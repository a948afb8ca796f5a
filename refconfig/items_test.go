package refconfig_test

import (
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/refconfig"
)

// An item of a List has the values that it has in the List, whatever its scalars are.
func TestItemsKeepTheirValues(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	pieces := []string{
		"a",
		" ",
		"\n",
		"\n\n",
		"  ",
		": ",
		"- ",
		"#",
		"'",
		`"`,
		"\\",
		"yes",
		"1e3",
		"017",
		"~",
		"{",
		"}",
		"[",
		",",
		"ä",
		"\u2028",
		"\U0001F600",
		"%",
		"|",
		">",
		"&",
		"*",
		"!",
		"{{ .x }}",
		"---",
		"\t",
		"0x1",
		"2020-01-01",
		"<<",
	}
	text := func() string {
		var b strings.Builder
		for range random.Intn(6) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		return b.String()
	}
	rounds := testkit.Tries(3000)
	refused := 0 // what cannot be taken apart for sure is a fault
	for i := range rounds {
		item := map[string]any{
			"apiVersion": "v1",
			"kind":       "A",
			"x":          map[string]any{"k" + text(): text(), "l": []any{text(), true, nil, 1.5, map[string]any{}}},
		}
		list, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{item, item}})
		if err != nil {
			t.Fatal(err)
		}
		var want struct{ Items []map[string]any }
		if err := yaml.Unmarshal(list, &want); err != nil {
			continue
		}
		ref, problems := refconfig.Load(folder(map[string]string{"a.yaml": string(list)}), ".", refconfig.LoadOptions{})
		if len(problems) > 0 {
			refused++
			continue
		}
		if len(ref.Templates) != 2 {
			t.Fatalf("%d: %d templates of\n%s", i, len(ref.Templates), list)
		}
		for j, x := range ref.Templates {
			var got map[string]any
			if err := yaml.Unmarshal(x.Source, &got); err != nil || !reflect.DeepEqual(got, want.Items[j]) {
				t.Fatalf("%d: %v\n%s\nof\n%s", i, err, x.Source, list)
			}
		}
	}
	if refused > rounds/30 {
		t.Errorf("%d of %d Lists are refused", refused, rounds)
	}
}
