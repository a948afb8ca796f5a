package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// noTicks is the clock of tests that want to see no progress.
var noTicks = make(<-chan time.Time)

// terminalStream is a terminal: what is written to it, and each write by itself for who waits for
// it.
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

// screen is what a terminal shows in the end of what was written to it: here, a carriage return and
// the code that clears the rest of a line have their meaning.
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

// slowInput is a standard input that, after some bytes, has a tick come, and goes on when the line
// of progress is there.
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

// TestProgressOfAStream is shown on a terminal, says how much was read, and is taken away before
// the end.
func TestProgressOfAStream(t *testing.T) {
	stream := &terminalStream{writes: make(chan string, 1)}
	in := &slowInput{
		parts: []string{
			strings.Repeat("# a comment\n", 20_000),
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		},
		tick:   make(chan time.Time),
		stream: stream,
	}
	var out bytes.Buffer
	status := Run(
		context.Background(),
		[]string{"validationTool", "../../examples/quickstart/reference", "-"},
		IO{In: in, Out: &out, Err: stream, Env: noEnv,
			Terminal: func(s any) bool { return s == any(stream) }, Tick: in.tick},
	)
	if status == 2 || len(in.lines) < 2 {
		t.Errorf("status %d, %d lines", status, len(in.lines))
	}
	for i, line := range in.lines {
		if !strings.HasPrefix(line, "\rreading the input: ") || !strings.HasSuffix(line, "0 CRs\x1b[K") ||
			i > 0 && !strings.Contains(line, " MB, ") {
			t.Errorf("%d: %q", i, line)
		}
	}
	if left := screen(stream.all.String()); left != "" {
		t.Errorf("%q is left", left)
	}
}

// ticking is a clock that ticks whenever somebody looks, until the test ends.
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

// lateAnswers are answers that come when the clock has ticked: what the first tick has shown is
// there when the second one is taken.
type lateAnswers struct {
	io.Reader
	tick chan time.Time
}

func (a lateAnswers) Read(p []byte) (int, error) {
	a.tick <- time.Time{}
	a.tick <- time.Time{}
	return a.Reader.Read(p)
}

// TestProgressIsTakenAway: whatever else is written to the terminal, nothing of the line of
// progress is left on it, and standard output is the same.
func TestProgressIsTakenAway(t *testing.T) {
	inFolder(t, ambiguous)
	for i := range 40 {
		folder := filepath.Join("clusters", fmt.Sprint(i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		namespace := fmt.Sprintf(
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: 00000000-0000-0000-0000-0000000000%02d}\n",
			i,
		)
		if err := os.WriteFile(filepath.Join(folder, "one.yaml"), []byte(namespace), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for what, args := range map[string][]string{
		"a question":      {"--interactive", "ref", "in"},
		"notices":         {"--output", "overrides", "--override-reason", "known", "ref", "in"},
		"a report":        {"--fail-on", "drift", "ref", "in"},
		"several inputs":  {"ref", "clusters/*"},
		"several at once": {"--join", "ref", "clusters/*", "in"},
		"an error":        {"ref/small.yaml", "ref", "in/none"},
		"a bad reference": {"pairs.yaml", "in"},
		"an explanation":  {"explain-match", "ref", "in", "ConfigMap"},
		"nothing to say":  {"explain-match", "ref", "in", "Nothing"},
	} {
		var want, got terminalStream
		var outs [2]bytes.Buffer
		run := func(i int, in io.Reader, stream *terminalStream, tick <-chan time.Time) int {
			return Run(
				context.Background(),
				append([]string{"validationTool"}, args...),
				IO{In: in, Out: &outs[i], Err: stream,
					Env: noEnv, Terminal: func(any) bool { return true }, Tick: tick},
			)
		}
		answers, tick := "d1\nx\n1\n2\n1\n", ticking(t)
		plain := run(0, strings.NewReader(answers), &want, noTicks)
		ticked := run(1, lateAnswers{strings.NewReader(answers), tick}, &got, tick)
		if plain != ticked || outs[0].String() != outs[1].String() {
			t.Errorf("%s: status %d and %d\n%s\n%s", what, plain, ticked, outs[0].String(), outs[1].String())
		}
		if screen(got.all.String()) != want.all.String() {
			t.Errorf(
				"%s: the terminal shows\n%s\nand without progress\n%s",
				what,
				screen(got.all.String()),
				want.all.String(),
			)
		}
	}
}

// TestNoProgress: without a terminal nothing of it is written, whatever the clock says, nor on one
// that knows no codes, nor where somebody types the input.
func TestNoProgress(t *testing.T) {
	inFolder(t, ambiguous)
	for what, io := range map[string]IO{
		"no terminal": {Terminal: func(any) bool { return false }, Env: noEnv},
		"dumb":        {Terminal: func(any) bool { return true }, Env: func(name string) (string, bool) { return "dumb", name == "TERM" }},
		"typed":       {Terminal: func(any) bool { return true }, Env: noEnv},
	} {
		stream, args := &terminalStream{}, []string{"validationTool", "ref", "in"}
		if what == "typed" {
			args[2] = "-"
		}
		io.In, io.Out, io.Err, io.Tick = strings.NewReader("a: b\n"), &bytes.Buffer{}, stream, ticking(t)
		Run(context.Background(), args, io)
		if text := stream.all.String(); strings.ContainsAny(text, "\r\x1b") {
			t.Errorf("%s: %q", what, text)
		}
	}
}
