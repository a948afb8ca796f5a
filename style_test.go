package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Limits of the style: sentences of a page with the same habit, and words of a sentence.
const (
	mostOfAHabit = 2
	mostWords    = 35
)

// habits returns regular expressions of words that made readers stop, each with better words.
func habits() map[string]string {
	return map[string]string{
		`\b(stands?|standing)\b`:                      "is, has, is listed",
		`\b(lies?|lying)\b`:                           "is in",
		`\b(is|are|was|were|be) told\b|\btells? of\b`: "is reported",
		`\bheld against\b`:                            "is compared with",
		`\bbeside\b`:                                  "next to, in addition to",
		`\bof (which|whom)\b`:                         "a sentence of its own",
		`\b(is|are) none\b`:                           "is not a",
		`\btwice\b`:                                   "duplicate",
		`\b(is|are|be) there\b`:                       "exists, is present",
		`\bmeant\b`:                                   "matches, is intended",
		`\b(whoever|whatever) (it|is|has|that)\b`:     "a noun",
		`(^|[,;:] )what (of|it|they|cannot|can|does|was|were)\b`: "a noun, and then the clause",
		`(^|[;:] )what (is|are|has|have|the)\b.*\bis\b`:          "a noun, and then the clause",
		`\b(so is it|so it is|so too|and so are)\b`:              "the same holds for",
		`\bcomes? to\b`:                       "results in, reaches",
		`\bat the begin\b`:                    "at the beginning",
		`\bin vain\b`:                         "but does not find",
		`\bhangs? on\b`:                       "depends on",
		`\bof the like\b|\bfor the sake of\b`: "for",
		`\bwhere (it|they|that|this|there) (is|are)\b`: "if",
	}
}

// TestStyle checks that README and docs/ keep to the style. It skips architecture.md, which follows
// the changes of the code.
func TestStyle(t *testing.T) {
	for name, text := range documents(t) {
		if name == "docs/architecture.md" {
			continue
		}
		for _, fault := range styleFaults(text) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// styleFaults lists the habits that are too frequent on a page, and its long sentences.
func styleFaults(page string) []string {
	var faults []string
	sentences := sentencesOf(page)
	for habit, better := range habits() {
		var found []string
		expression := regexp.MustCompile(`(?i)` + habit)
		for _, sentence := range sentences {
			if expression.MatchString(sentence) {
				found = append(found, "\n  "+sentence)
			}
		}
		if len(found) > mostOfAHabit {
			faults = append(faults, habit+" in too many sentences; write: "+better+strings.Join(found, ""))
		}
	}
	for _, sentence := range sentences {
		if len(strings.Fields(sentence)) > mostWords {
			faults = append(faults, "more words than a sentence should have: "+sentence)
		}
	}
	slices.Sort(faults)
	return faults
}

// sentencesOf splits a page into sentences. Paragraphs, list items, headings and table cells end a
// sentence, blocks of code are left out, and inline code counts as one word.
func sentencesOf(page string) []string {
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "")
	page = regexp.MustCompile("`[^`]+`").ReplaceAllString(page, "CODE")
	page = regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(page, "]")
	var sentences []string
	for _, unit := range regexp.MustCompile(`\n\s*\n|\n- |\n#+ |\n?\|`).Split("\n"+page, -1) {
		unit = strings.Join(strings.Fields(unit), " ")
		for _, sentence := range regexp.MustCompile(`[.!?]\)?( |$)`).Split(unit, -1) {
			if sentence != "" {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

func TestStyleFaults(t *testing.T) {
	long := strings.Repeat("word ", mostWords)
	for _, c := range []struct {
		page   string
		faults int
	}{
		{"A page. With short sentences.\n", 0},
		{long + "\n\nand another paragraph.\n", 0},
		{long + "and more.\n", 1},
		{"- " + long + "\n- an item\n", 0},
		{"```sh\n" + long + long + "\n```\n", 0},
		{"It stands here. It stands there.\n", 0},
		{"It stands here. It stands there.\n\n| It stands | in a cell |\n", 1},
		{"`stands` and `stands`. `stands`. `stands`.\n", 0},
	} {
		if got := styleFaults(c.page); len(got) != c.faults {
			t.Errorf("%q: %q", c.page, got)
		}
	}
}
