package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// terminalStream is a terminal. It keeps what is written, and sends each write to a channel.
type terminalStream struct {
	mu     sync.Mutex
	all    bytes.Buffer
	writes chan string // nil where nobody waits
}

func (s *terminalStream) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.all.Write(p)
	s.mu.Unlock()
	if s.writes != nil && !bytes.HasPrefix(p, []byte("\r\x1b[K")) {
		s.writes <- string(p)
	}
	return len(p), nil
}

// screen returns what a terminal shows after some text was written to it. It knows the carriage
// return and the code that clears the rest of a line.
func screen(written string) string {
	var lines []string
	for line := range strings.SplitSeq(written, "\n") {
		var shown []byte
		at := 0
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '\r':
				at = 0
			case strings.HasPrefix(line[i:], "\x1b[K"):
				shown = shown[:at]
				i += 2
			default:
				if at == len(shown) {
					shown = append(shown, 0)
				}
				shown[at] = line[i]
				at++
			}
		}
		lines = append(lines, string(shown))
	}
	return strings.Join(lines, "\n")
}

// slowInput is a standard input that makes the clock tick after some bytes, and continues when the
// line of progress was written.
type slowInput struct {
	parts  []string
	tick   chan time.Time
	stream *terminalStream
	lines  []string // of progress
}

func (s *slowInput) Read(p []byte) (int, error) {
	if len(s.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.parts[0])
	if s.parts[0] = s.parts[0][n:]; s.parts[0] == "" {
		s.parts = s.parts[1:]
	}
	s.tick <- time.Time{}
	s.lines = append(s.lines, <-s.stream.writes)
	return n, nil
}

// TestProgressOfAStream checks that the line of progress has the number of bytes, and that it is
// removed before the end.
func TestProgressOfAStream(t *testing.T) {
	stream := &terminalStream{writes: make(chan string, 1)}
	in := &slowInput{
		// what was read is counted in another goroutine, so there are many parts
		parts: append(
			slices.Repeat([]string{strings.Repeat("# a comment\n", 20_000)}, 20),
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		),
		tick:   make(chan time.Time),
		stream: stream,
	}
	status, _, _ := run(
		t.Context(), IO{In: in, Err: stream, Terminal: func(s any) bool { return s == any(stream) }, Tick: in.tick},
		"../../examples/quickstart/reference", "-",
	)
	if status == 2 || len(in.lines) < 2 {
		t.Errorf("status %d, %d lines", status, len(in.lines))
	}
	counts := false
	for i, line := range in.lines {
		if !strings.HasPrefix(line, "\rreading the input: ") || !strings.HasSuffix(line, "0 CRs\x1b[K") {
			t.Errorf("%d: %q", i, line)
		}
		counts = counts || strings.Contains(line, " MB, ")
	}
	if !counts {
		t.Errorf("no line has the number of bytes: %q", in.lines)
	}
	if left := screen(stream.all.String()); left != "" {
		t.Errorf("%q is left", left)
	}
}

// ticking returns a clock that ticks whenever it is read, until the test ends.
func ticking(t *testing.T) chan time.Time {
	tick, ended := make(chan time.Time), make(chan struct{})
	t.Cleanup(func() { close(ended) })
	go func() {
		for {
			select {
			case tick <- time.Time{}:
			case <-ended:
				return
			}
		}
	}()
	return tick
}

// lateAnswers is a reader of answers that waits for two ticks of the clock: at the second one, the
// line of the first is visible.
type lateAnswers struct {
	io.Reader
	tick chan time.Time
}

func (a lateAnswers) Read(p []byte) (int, error) {
	a.tick <- time.Time{}
	a.tick <- time.Time{}
	return a.Reader.Read(p)
}

// TestProgressIsTakenAway checks that no part of the line of progress stays on the terminal,
// whatever else is written to it, and that standard output does not change.
func TestProgressIsTakenAway(t *testing.T) {
	inFolder(t, ambiguous)
	for i := range 40 {
		pack.Files(t, ".", map[string]string{fmt.Sprintf("clusters/%d/one.yaml", i): fmt.Sprintf(
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: 00000000-0000-0000-0000-0000000000%02d}\n", i,
		)})
	}
	for what, line := range map[string]string{
		"a question":      "--interactive ref in",
		"notices":         "--output overrides --override-reason known ref in",
		"a report":        "--fail-on drift ref in",
		"several inputs":  "ref clusters/*",
		"several at once": "--join ref clusters/* in",
		"an error":        "ref/small.yaml ref in/none",
		"a bad reference": "pairs.yaml in",
		"an explanation":  "explain-match ref in ConfigMap",
		"nothing to say":  "explain-match ref in Nothing",
	} {
		const answers = "d1\nx\n1\n2\n1\n"
		status, want, errs := run(t.Context(), terminal(answers), strings.Fields(line)...)
		stream, tick := &terminalStream{}, ticking(t)
		with := IO{In: lateAnswers{strings.NewReader(answers), tick}, Err: stream, Terminal: func(any) bool { return true }, Tick: tick}
		ticked, got, _ := run(t.Context(), with, strings.Fields(line)...)
		if status != ticked || got != want {
			t.Errorf("%s: status %d and %d\n%s\n%s", what, status, ticked, want, got)
		}
		if shown := screen(stream.all.String()); shown != errs {
			t.Errorf("%s: the terminal shows\n%s\nand without progress\n%s", what, shown, errs)
		}
	}
}

// TestNoProgress checks that there is no line of progress without a terminal, on a terminal without
// codes, and while the user types the input.
func TestNoProgress(t *testing.T) {
	inFolder(t, ambiguous)
	dumb := func(name string) (string, bool) { return "dumb", name == "TERM" }
	for what, with := range map[string]IO{
		"in": {Terminal: func(any) bool { return false }}, "in/one.yaml": {Terminal: func(any) bool { return true }, Env: dumb},
		"-": {Terminal: func(any) bool { return true }},
	} {
		with.Tick = ticking(t)
		if _, _, errs := run(t.Context(), with, "ref", what); strings.ContainsAny(errs, "\r\x1b") {
			t.Errorf("%s: %q", what, errs)
		}
	}
}
