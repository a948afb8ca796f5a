package cli

import (
	"bytes"
	"context"
	"flag"
	"io"
	"strings"
	"testing"
)

// given are arguments for BenchmarkGiven, separated by blanks. With them a profile shows where the
// time of any run goes:
//
//	go test ./internal/cli -run '^$' -bench Given -cpuprofile cpu.out -args -given 'REFERENCE INPUT'
var arguments = flag.String("given", "", "what BenchmarkGiven runs: the arguments of a comparison")

func BenchmarkGiven(b *testing.B) {
	if *arguments == "" {
		b.Skip("nothing is given")
	}
	benchmarkCompare(b, strings.Fields(*arguments)...)
}

// BenchmarkCompare runs the examples, in each format.
func BenchmarkCompare(b *testing.B) {
	for _, format := range []string{"text", "json", "yaml"} {
		b.Run(format, func(b *testing.B) {
			benchmarkCompare(
				b, "-o", format, "../../examples/ran-du/reference", "../../examples/ran-du/must-gather.tar.gz",
			)
		})
	}
}

func benchmarkCompare(b *testing.B, args ...string) {
	b.ReportAllocs()
	none := func(string) (string, bool) { return "", false }
	for b.Loop() {
		var errs bytes.Buffer
		if Run(
			context.Background(),
			append([]string{"validationTool"}, args...),
			IO{Out: io.Discard, Err: &errs, Env: none},
		) > exitDiffers {
			b.Fatal(errs.String())
		}
	}
}
