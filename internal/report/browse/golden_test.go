package browse

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/refconfig"
)

// TestGolden shows the saved report of each archive in testdata. The name of each other file is the
// size of the screen and the keys, such as "120x20 n ] size=80x24", and its content is the screen.
// "/" and "f" take the next word as what is typed, as a prompt does. If there are the report
// accepted.json and overrides made.yaml, these are proposed for every finding, and it is the report with
// them.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		for _, f := range a.Files[1:] {
			if strings.Contains(f.Name, ".") {
				continue
			}
			a.Want(t, f.Name, strings.Join(lined(after(t, a.Files[0].Data, f.Name, true, accepting(t, a))), "\n")+"\n")
		}
	})
}

// accepting proposes the overrides of an archive for every finding; nil without any.
func accepting(t testing.TB, a *testkit.Archive) *Accepting {
	made, there := a.Text("made.yaml")
	if !there {
		return nil
	}
	proposed, _, _ := refconfig.ParseOverrides("", []byte(made))
	return &Accepting{
		Propose: func(*finding.Run, []Part, []refconfig.Override) (Acceptance, []string) { return proposed, nil },
		Apply: func(made []refconfig.Override) (*finding.Report, error) {
			document, _ := a.Text("accepted.json")
			if len(made) == 0 {
				document, _ = a.Text("report.json")
			}
			return saved.Read([]byte(document))
		},
		Entries: formats.OverrideEntries,
		Day: func(text string) error {
			if _, err := time.Parse(time.DateOnly, text); err != nil {
				return errors.New("no date")
			}
			if text < "2020" {
				return errors.New("in the past")
			}
			return nil
		},
		Write: func(string, []refconfig.Override) error { return nil },
	}
}

// after returns the screen after keys, with colours or without.
func after(t testing.TB, document []byte, name string, color bool, to *Accepting) *screen {
	t.Helper()
	r, err := saved.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	s := newScreen(r, Options{Text: text.Options{Color: color, Command: "validationTool"}, Accepting: to})
	for i, word := range strings.Fields(name) {
		if size, isSize := strings.CutPrefix(word, "size="); isSize || i == 0 {
			var w, h int
			if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
				t.Fatal(err)
			}
			s.Update(tea.WindowSizeMsg{Width: w, Height: h})
			continue
		}
		press(s, word)
	}
	return s
}

// press presses a key, or the keys of what is typed after / and f.
func press(s *screen, word string) {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "down": tea.KeyDown, "up": tea.KeyUp,
		"backspace": tea.KeyBackspace, "space": tea.KeySpace, "pgdown": tea.KeyPgDown,
	}
	if code, is := special[word]; is {
		s.Update(tea.KeyPressMsg{Code: code})
		return
	}
	for _, r := range strings.ReplaceAll(word, "_", " ") {
		s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// lined returns the lines of a screen without styles.
func lined(s *screen) []string {
	all := strings.Split(ansi.Strip(s.View().Content), "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " ")
	}
	return all
}

// TestEveryScreenIsSafe goes to every node of a report in hostile words, in several sizes and with
// and without colours. Each line of the screen is as wide as the screen, and has nothing that acts on
// a terminal but styles.
func TestEveryScreenIsSafe(t *testing.T) {
	document := hostile(t)
	for _, size := range []string{"1x1", "20x5", "41x10", "80x24", "100x30", "200x60"} {
		for _, color := range []bool{true, false} {
			s := after(t, document, size, color, nil)
			for _, n := range s.tree.all { // characters of two columns, and of none
				n.label = "网络e\u0301🙂 " + n.label
				if n.cr != nil {
					n.cr.Template.Description = "网络e\u0301🙂网络网络网络网络网络网络网络网络网络网络网络网络"
				}
			}
			check := func(what string) { isSafe(t, s, color, what) }
			for i, n := range s.tree.all {
				s.tree.goTo(n)
				for _, key := range []string{"l", "e", "y", "q", "e", "a", "q", "h"} {
					press(s, key)
					if i%3 == 0 || key == "l" {
						check(fmt.Sprint(size, " ", n.label, " ", key))
					}
				}
			}
			press(s, "/x\x1b")
			check("search")
		}
	}
}

// isSafe checks the screen.
func isSafe(t *testing.T, s *screen, color bool, what string) {
	t.Helper()
	all := strings.Split(s.View().Content, "\n")
	if len(all) > s.height {
		t.Errorf("%s: %d lines", what, len(all))
	}
	for _, line := range all {
		if n := ansi.StringWidthWc(line); n != s.width {
			t.Errorf("%s: %d columns, want %d: %q", what, n, s.width, line)
		}
		plain := ansi.Strip(line)
		if strings.ContainsFunc(plain, escape.Hidden) || escape.Text(plain) != plain {
			t.Errorf("%s: not safe: %q", what, line)
		}
		if !color && strings.Contains(line, "\x1b[3") {
			t.Errorf("%s: a colour: %q", what, line)
		}
	}
}

// TestEveryQuestionIsSafe accepts a finding whose overrides, messages and reason have hostile words.
func TestEveryQuestionIsSafe(t *testing.T) {
	const words = "\x1b]0;x\a\u202e网络e\u0301🙂 "
	document := hostile(t)
	to := &Accepting{
		Propose: func(*finding.Run, []Part, []refconfig.Override) (Acceptance, []string) {
			return Acceptance{{
				Kind: "Kind" + words, Name: words, Type: refconfig.MergePatch, Patch: `{"a": "` + words[5:] + `"}`,
			}}, []string{words}
		},
		Apply: func(made []refconfig.Override) (*finding.Report, error) {
			if len(made) > 1 {
				return nil, errors.New(words + strings.Repeat("long ", 30))
			}
			return saved.Read(document)
		},
		Entries: formats.OverrideEntries,
		Day:     func(string) error { return errors.New(words) },
		Write:   func(string, []refconfig.Override) error { return errors.New(words + strings.Repeat("long ", 30)) },
	}
	for _, size := range []string{"1x1", "20x5", "41x10", "80x24", "200x60"} {
		for _, color := range []bool{true, false} {
			s := after(t, document, size, color, to)
			for _, key := range []string{
				"n", "a", words, "enter", "x", "enter", "backspace", "enter", "down", "enter", "q", "a", "enter", "enter", "enter",
				"w", words, "enter", "esc", "u", "q",
			} {
				if key == words {
					s.Update(tea.PasteMsg{Content: words + "\n" + words})
				} else {
					press(s, key)
				}
				isSafe(t, s, color, size+" "+key)
			}
			if len(s.made) != 0 {
				t.Errorf("%s: %d acceptances are left", size, len(s.made))
			}
		}
	}
}

// TestAlarmsStandAtTheBeginning: the first screen has the first alarm and their number, whatever its size.
func TestAlarmsStandAtTheBeginning(t *testing.T) {
	all := lined(after(t, hostile(t), "80x24", false, nil))
	if !strings.HasPrefix(all[0], " !! 1 alarm ") || !strings.HasPrefix(all[23], " !! a: ") {
		t.Errorf("%s\n%s", all[0], all[23])
	}
}

// TestKeysBeforeTheSize: keys that come before the size of the screen do what they do after it.
func TestKeysBeforeTheSize(t *testing.T) {
	for _, size := range []string{"120x14", "80x12"} {
		for _, keys := range []string{"n", "e j", "l l space", "G J J", "f NetworkPolicy enter"} {
			want := lined(after(t, hostile(t), size+" "+keys, false, nil))
			got := lined(after(t, hostile(t), "0x0 "+keys+" size="+size, false, nil))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s at %s: %s", keys, size, diff)
			}
		}
	}
}

// hostile returns the report in hostile words that the other formats are tested with.
func hostile(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("../formats/testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, report, _ := strings.Cut(string(text), "-- report.json --\n")
	report, _, _ = strings.Cut(report, "\n-- ")
	return []byte(report)
}
