package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

const verdictWords = `(?:COMPLIANT|DRIFT|INCOMPLETE): `

// overviewLines counts the lines of an overview, with the number of CRs in each line. classes are
// further classes that the overview has.
func (s *said) overviewLines(lines *regexp.Regexp, text string, classes ...string) {
	words := map[string]string{
		"FAILED":     "error",
		"DRIFT":      "CRs drift",
		"RULE":       "rule",
		"RULE?":      "perhaps broken",
		"NOT FOUND":  "absent",
		"REQUIRED":   "wanted",
		"NOT FOUND?": "not collected",
	}
	for _, class := range classes {
		words[strings.ToUpper(class)] = class
	}
	if slices.Contains(classes, "gone") {
		words["RESOLVED"] = "gone"
	}
	for _, what := range words {
		s.count(what, 0)
	}
	for _, m := range lines.FindAllStringSubmatch(text, -1) {
		if what := words[m[1]]; what != "" {
			subject := strings.Trim(m[2], "` ")
			s.count(what, max(1, number(subject, `^(\d+)(?: of \d+)? CRs`))+number(subject, ` and (\d+) more$`))
		}
	}
}

func textSays(t *testing.T, text string) said {
	out := said{status: -1}
	parts := regexp.MustCompile(`(?m)^={100,}\n`).Split(text, -1)
	if len(parts) > 1 {
		parts = parts[1 : len(parts)-1]
	}
	for _, part := range parts {
		sentences := verdicts(part, regexp.MustCompile(`(?m)^(`+verdictWords+`.*)$`))
		want := 1 // of several clusters, each has its verdict at the head of its block
		if len(parts) == 1 {
			want = 2
		}
		if len(sentences) != want || sentences[0] != sentences[want-1] {
			t.Fatalf("the text has the verdicts %q", sentences)
		}
		out.sentences = append(out.sentences, sentences[0])
		head, _, _ := strings.Cut(part, "\nreference ")
		out.count("alarms", strings.Count(head, "\n!! "))
		differences := regexp.MustCompile(`(?m)^  Differences: .*$`).FindString(part)
		for _, class := range classesOf(true) {
			out.count(class, number(differences, `(\d+) `+class))
		}
		_, gone, _ := strings.Cut(part, "\nResolved since ")
		gone, _, _ = strings.Cut(gone, "\n\n")
		title, lines, _ := strings.Cut(gone, "\n")
		listed := 0
		for _, line := range regexp.MustCompile(`(?m)^[A-Z?]+ .*$`).FindAllString(lines, -1) {
			listed += 1 + number(line, ` and (\d+) more  `)
		}
		listed += number(lines, `(?m)^… and (\d+) more; --verbose`)
		if n := number(title, `: (\d+)$`); n != listed {
			t.Errorf("%d findings are gone, and %d listed:\n%s", n, listed, gone)
		}
		out.count("gone", listed)
		if strings.Contains(text, " as before; --verbose shows them") { // in one of the clusters; not listed
			continue
		}
		_, overview, _ := strings.Cut(part, "\nOverview")
		overview, _, _ = strings.Cut(overview, "\n\n")
		out.overviewLines(regexp.MustCompile(`(?m)^([A-Z]+(?: FOUND)?\??)  +(?:\S+  +)?(.*)$`), overview)
	}
	return out
}

func diffSays(_ *testing.T, text string) said {
	out := said{status: -1, sentences: verdicts(text, regexp.MustCompile(`(?m)^# .*?: (`+verdictWords+`.*)$`))}
	out.begin(classesOf(true))
	for _, m := range regexp.MustCompile(`(?m)^# .* \(\S+\): (\d+ (?:drift|missing|invalid|extra|expected)\b.*)$`).FindAllStringSubmatch(text, -1) {
		for _, class := range classesOf(true) {
			out.count(class, number(m[1], `(\d+) `+class))
		}
	}
	out.count("alarms", strings.Count(text, "\n# !! "))
	return out
}

func pageSays(t *testing.T, text string) said {
	out := said{status: number(text, `exit status (\d)`)}
	for _, s := range verdicts(text, regexp.MustCompile(`<(?:p|h1) class="v \w+">([A-Z]+: [^<]*)`)) {
		out.sentences = append(out.sentences, strings.TrimSpace(html.UnescapeString(s)))
	}
	out.count("alarms", strings.Count(text, `<p class="alarm"><b>!!</b>`))
	above := said{}
	for _, m := range regexp.MustCompile(`data-class="([^"]+)"[^>]*><b>(\d+)</b>`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[2])
		above.count(strings.ReplaceAll(m[1], "-", " "), n)
	}
	out.begin(classesOf(true), classesOf(false))
	out.count("gone", 0)
	for _, n := range verdicts(text, regexp.MustCompile(`<summary><h3>Resolved since [^<]*</h3> <span class="q">(\d+)</span>`)) {
		out.count("gone", number(n, `(.*)`))
	}
	for _, m := range regexp.MustCompile(`data-n="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		for i := 0; i+1 < len(words); i += 2 {
			n, _ := strconv.Atoi(words[i+1])
			out.count(strings.ReplaceAll(words[i], "-", " "), n)
		}
	}
	compareCounts(t, nil, "the figures above the entries", above.counts, out.counts)
	return out
}

// counted counts a finding of a format that lists findings one by one.
func (s *said) counted(class, level, impact, change string) {
	s.count(class, 1)
	s.count(level, 1)
	if impact != "" {
		s.count(impact, 1)
	}
	if change != "" {
		s.count("marked "+change, 1)
	}
}

func csvSays(t *testing.T, text string) said {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]string
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, column := range rows[0] {
			one[column] = row[i]
		}
		records = append(records, one)
	}
	return recordsSay(t, records)
}

func ndjsonSays(t *testing.T, text string) said {
	var records []map[string]any
	for line := range strings.Lines(text) {
		one := map[string]any{}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		records = append(records, one)
	}
	return recordsSay(t, columns(records))
}

// annotations returns the annotations of a text: their levels, properties and texts.
func annotations(t *testing.T, text string) (all [][3]string) {
	t.Helper()
	unescape := strings.NewReplacer("%25", "%", "%0A", "\n", "%0D", "\r", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(text) {
		m := regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)\n$`).FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("a line is %q", line)
		}
		all = append(all, [3]string{m[1], m[2], unescape.Replace(m[3])})
	}
	return all
}

func githubSays(t *testing.T, text string) said {
	out, count := said{status: -1}, map[string]int{}
	for _, m := range annotations(t, text) {
		level, properties, said := m[0], m[1], m[2]
		sentence := regexp.MustCompile(`^.*?: (` + verdictWords + `.*)$`).FindStringSubmatch(said)
		switch more := number(said, `^and (\d+) more `); {
		case properties != "title=validationTool":
			count[level]++
		case more > 0:
			count[level] += more
		case sentence != nil:
			out.sentences = append(out.sentences, sentence[1])
		case level == "warning": // an alarm
			count[level]++
		}
	}
	out.count("spoils or fails", count["error"])
	out.count("others that inform, and alarms", count["warning"])
	out.count("extra that informs, and notes", count["notice"])
	return out
}

// gitlabIssues reads a code quality report, and checks the requirements of GitLab.
func gitlabIssues(t *testing.T, text string) (issues []struct {
	Description string
	CheckName   string `json:"check_name"`
	Fingerprint string
	Severity    string
	Location    struct {
		Path  string
		Lines struct{ Begin int }
	}
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range issues {
		if one.Description == "" || one.CheckName == "" || one.Location.Path == "" || one.Location.Lines.Begin < 1 ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, one.Severity) {
			t.Errorf("an issue lacks something: %+v", one)
		}
		if one.Fingerprint == "" || seen[one.Fingerprint] {
			t.Errorf("an issue has no fingerprint of its own: %+v", one)
		}
		seen[one.Fingerprint] = true
	}
	return issues
}

func gitlabSays(t *testing.T, text string) said {
	out, count := said{prints: []string{}}, map[string]int{}
	out.begin([]string{"spoils", "fails", "others that inform, and alarms", "extra that informs, and notes"})
	for _, one := range gitlabIssues(t, text) {
		if one.CheckName == "verdict" {
			sentence := regexp.MustCompile(verdictWords + `.*$`).FindString(one.Description)
			out.sentences = append(out.sentences, sentence)
			out.status = max(out.status, map[string]int{"major": 1, "blocker": 2}[one.Severity])
			continue
		}
		count[one.Severity]++
		if !strings.HasPrefix(one.Fingerprint, "alarm-") {
			numbered := regexp.MustCompile(`^([0-9a-f]{32}(?:-\d+)?)(?:\.[0-9a-f]{8})?(?:\.\d+)?$`).FindStringSubmatch(one.Fingerprint)
			if numbered == nil {
				t.Fatalf("a fingerprint is %s", one.Fingerprint)
			}
			out.prints = append(out.prints, numbered[1])
		}
	}
	slices.Sort(out.prints)
	out.count("spoils", count["blocker"])
	out.count("fails", count["major"])
	out.count("others that inform, and alarms", count["minor"])
	out.count("extra that informs, and notes", count["info"])
	return out
}

func markdownSays(_ *testing.T, text string) said {
	out := said{status: -1, sentences: verdicts(text, regexp.MustCompile(`(?m)^\*\*(`+verdictWords+`.*)\*\*$`))}
	out.count("alarms", strings.Count(text, "\n> `!!"))
	if strings.Contains(text, " as before |") { // which are not listed
		return out
	}
	out.overviewLines(
		regexp.MustCompile(`(?m)^\| ([A-Z]+(?: FOUND)?\??) \| .*? ?\| (.*?) \| `),
		text,
		"unreadable",
		"incomplete",
		"referenced",
		"unmatched",
		"gone",
	)
	return out
}

func sarifSays(t *testing.T, text string) said {
	type words struct{ Text string }
	var doc struct {
		Runs []struct {
			Invocations []struct {
				ExitCode                   int
				ToolExecutionNotifications []struct{ Message words }
			}
			Results []struct {
				Level, Kind, BaselineState string
				Fingerprints               map[string]string `json:"partialFingerprints"`
				Properties                 struct{ Class, Impact string }
			}
			Properties struct {
				Verdict  string
				Findings int
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	out := said{prints: []string{}}
	out.begin(classesOf(true), classesOf(false), impacts(), []string{
		"gone",
		"spoils or fails",
		"extra that informs",
		"others that inform",
		"marked new",
		"marked same",
	})
	for _, run := range doc.Runs {
		out.count(run.Properties.Verdict+" clusters", 1)
		for _, i := range run.Invocations {
			out.status = max(out.status, i.ExitCode)
			out.sentences = append(out.sentences, i.ToolExecutionNotifications[0].Message.Text)
			out.count("alarms", len(i.ToolExecutionNotifications)-1)
		}
		gone := 0
		for _, r := range run.Results {
			if r.BaselineState == "absent" {
				gone++
				if r.Kind != "pass" || r.Level != "none" {
					t.Errorf("what is gone is %s, %s", r.Kind, r.Level)
				}
				continue
			}
			out.prints = append(out.prints, r.Fingerprints["validationTool/v1"])
			if r.Properties.Class == "note" {
				out.count("note", 1)
				continue
			}
			level := map[string]string{"error": "spoils or fails", "note": "extra that informs", "warning": "others that inform"}[r.Level]
			out.counted(
				r.Properties.Class,
				level,
				r.Properties.Impact,
				map[string]string{"new": "new", "updated": "updated", "unchanged": "same"}[r.BaselineState],
			)
		}
		out.count("gone", gone)
		if n := len(run.Results) - gone; n != run.Properties.Findings {
			t.Errorf("SARIF has %d results, and says %d", n, run.Properties.Findings)
		}
	}
	slices.Sort(out.prints)
	delete(out.counts, "marked updated") // changed or unclear
	return out
}

func junitSays(t *testing.T, text string) said {
	type result struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var doc struct {
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Properties []struct {
				Name  string `xml:"name,attr"`
				Value string `xml:"value,attr"`
			} `xml:"properties>property"`
			Cases []struct {
				Failure []result `xml:"failure"`
				Error   []result `xml:"error"`
				Skipped []result `xml:"skipped"`
				Out     []result `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	out := said{status: min(doc.Failures, 1)}
	if doc.Errors > 0 {
		out.status = 2
	}
	out.begin(classesOf(true), classesOf(false), []string{"alarms", "note", "not compared"})
	for _, suite := range doc.Suites {
		for _, p := range suite.Properties {
			switch p.Name {
			case "sentence":
				out.sentences = append(out.sentences, p.Value)
			case "alarm":
				out.count("alarms", 1)
			}
		}
		for _, c := range suite.Cases {
			for _, r := range slices.Concat(c.Failure, c.Error, c.Skipped, c.Out) {
				for line := range strings.SplitSeq(cmp.Or(strings.TrimSpace(r.Text), r.Message), "\n") {
					if class, _, ok := strings.Cut(line, ": "); ok {
						out.count(class, 1)
					}
				}
			}
		}
	}
	return out
}

func fixSays(_ *testing.T, text string) said {
	out := said{status: -1, sentences: verdicts(text, regexp.MustCompile(`(?m)^# verdict    (.*)$`))}
	out.count("alarms", strings.Count(text, "\n# !! "))
	for word, what := range map[string]string{"DRIFT": "CRs drift", "FAILED": "error"} {
		out.count(what, strings.Count(text, "\n# "+word+"  "))
	}
	return out
}

func overridesSay(t *testing.T, text string) said {
	if _, _, problems := refconfig.ParseOverrides("overrides", []byte(text)); len(problems) > 0 {
		t.Fatal(problems)
	}
	out := said{status: -1}
	if !strings.Contains(text, "\n# Found: ") {
		t.Errorf("the overrides do not say what was found: %.300s", text)
	}
	if found := regexp.MustCompile(`(?m)^# Found: (` + verdictWords + `.*)$`).FindStringSubmatch(text); found != nil {
		out.sentences = found[1:]
	}
	out.count("alarms", strings.Count(text, "\n# !! "))
	return out
}
