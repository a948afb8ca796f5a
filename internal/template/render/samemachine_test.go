package render_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/template/render"
)

// TestTextsDoNotDependOnTheMachine prints values with their methods, formats and zones on machines in
// several time zones, with other variables of the environment. The texts are the same, although each
// time the values are in another place of the memory.
func TestTextsDoNotDependOnTheMachine(t *testing.T) {
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	india := time.FixedZone("IST", 5*3600+1800)
	for _, expression := range []string{
		`(now.Location)`, `now | date "MST -0700"`, `(now.Local.Location)`, `(now.Zone)`, `now | toString | trunc -20 | regexFind "UTC"`,
		`(toDate "2006-01-02" "2024-05-06").Local`, `(toDate "2006-01-02 -0700" "2024-05-06 +0530").Local`,
		`toDate "2006-01-02 -0700" "2024-05-06 +0530"`, `toDate "2006-01-02 MST" "2024-05-06 IST"`,
		`(toDate "2006-01-02 MST" "2024-05-06 IST").Unix`, `mustToDate "2006-01-02 -0700" "2024-05-06 +0530" | toJson`,
		`(toDate "2006-01-02" "2024-05-06").In (now.Location)`, `(toDate "2006-01-02 -0700" "2024-05-06 +0530").GoString`,
		`dateModify "1h" (toDate "2006-01-02 -0700" "2024-05-06 +0530")`,
		`date "MST" (toDate "2006-01-02 -0700" "2024-05-06 +0530")`, `dateInZone "15:04 MST" 86400 "Local"`,
		`date_in_zone "15:04 MST" 86400 ""`, `htmlDateInZone 86400 "Local"`, `htmlDate 86400`, `date "15:04" 86400`,
		`printf "%v %s %q" (list (toDate "2006-01-02 -0700" "2024-05-06 +0530")) (now.Location) (now.Location)`,
		`printf "%#v" (list (toDate "2006-01-02 -0700" "2024-05-06 +0530").Location)`,
		`printf "%d" (dict "a" (toDate "2006-01-02 -0700" "2024-05-06 +0530"))`,
		`printf "%+d" (toDate "2006-01-02 -0700" "2024-05-06 +0530").Location`, `printf "%#v" (semver "1.2.3")`,
		`printf "%d" (semver "1.2.3")`, `printf "%p" .`, `printf "%-10p" .data`, `printf "%[1]p" (now.Location)`, `printf "%+.3p" (list 1)`,
		`print . (semver "1.2.3") (now.Location)`, `print (urlParse "https://a.example.com/b")`, `typeOf (now.Location)`,
		`osDir "a\\b/c"`, `osBase "a\\b/c"`, `osIsAbs "C:/a"`, `osClean "a/../b"`, `osExt "a.b"`,
	} {
		results := map[string]bool{}
		for i, zone := range []*time.Location{time.UTC, india, time.FixedZone("NST", -12_600)} {
			time.Local = zone
			t.Setenv("TZ", []string{"UTC", "Asia/Kolkata", "America/St_Johns"}[i])
			t.Setenv("HOSTNAME", fmt.Sprint("host-", i))
			tmpl := compile(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: {{ "+expression+" | toString | quote }}\n")
			r, err := tmpl.Execute(map[string]any{"data": map[string]any{"x": fmt.Sprint(i)}}, render.Options{})
			text := fmt.Sprint(r.Value["data"], err)
			if strings.HasPrefix(expression, "print .") {
				text = strings.ReplaceAll(text, fmt.Sprint("x:", i), "")
			}
			results[text] = true
			if err != nil && !strings.Contains(expression, "p\"") && !strings.Contains(expression, "now.Zone") {
				t.Errorf("%s: %v", expression, err)
			}
		}
		if len(results) != 1 {
			t.Errorf("%s prints %q", expression, slices.Collect(maps.Keys(results)))
		}
	}
}
