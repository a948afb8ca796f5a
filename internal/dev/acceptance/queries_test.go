package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
	"github.com/rogpeppe/go-internal/testscript"
)

// queries returns the lines of jq in docs/formats.md by the comments above them.
func queries() map[string]string {
	text, err := os.ReadFile("docs/formats.md")
	must(err)
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^# (.*)\njq -cr? '(.*)' report\.json$`).FindAllStringSubmatch(string(text), -1) {
		all[m[1]] = m[2]
	}
	return all
}

// query runs a line of jq in docs/formats.md and prints its results, a line each: query COMMENT FILE.
func query(all map[string]string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 2 || all[args[0]] == "" {
			ts.Fatalf("usage: query COMMENT FILE, with a comment of %q", all)
		}
		program, err := gojq.Parse(all[args[0]])
		ts.Check(err)
		var report any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &report))
		for results := program.Run(report); ; {
			result, more := results.Next()
			if !more {
				return
			}
			if err, failed := result.(error); failed {
				ts.Fatalf("%v", err)
			}
			line, err := gojq.Marshal(result)
			ts.Check(err)
			fmt.Fprintf(ts.Stdout(), "%s\n", line)
		}
	}
}

// TestEveryQueryIsTried: the story of queries has each of those in docs/formats.md.
func TestEveryQueryIsTried(t *testing.T) {
	story, err := os.ReadFile("testdata/script/queries.txtar")
	must(err)
	all := queries()
	for comment := range all {
		if !strings.Contains(string(story), "\nquery '"+comment+"' ") {
			t.Errorf("no story has the query %q", comment)
		}
	}
	if len(all) != 11 {
		t.Errorf("docs/formats.md has %d queries, want 11", len(all))
	}
}
