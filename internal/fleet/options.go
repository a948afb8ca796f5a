// Package fleet reads inputs, once, and compares each cluster of them. It tells the collector of garbage how much there is to spare.
//
// In: inputs by their names, limits, and how a cluster is compared. Out: what was found about each cluster. What is compared with what, and
// what of it is a difference, is decided elsewhere.
package fleet

import (
	"context"
	"io"

	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/limit"
	"github.com/validationtool/validationtool/internal/meter"
	"github.com/validationtool/validationtool/internal/source"
)

// Options say what is read and how.
type Options struct {
	Inputs         []string
	Stdin          io.Reader // what the input "-" stands for
	Limits         limit.Limits
	Jobs           int      // how many inputs are read at a time
	Join           bool     // all inputs are one cluster
	Each           bool     // where nothing tells a cluster, each input is one
	Clusters       []string // the clusters that are wanted, none for all
	Nested, NoScan bool     // see gather.ReadOptions
	Placeholders   bool     // the inputs are source CRs, see gather.ReadOptions.Open
	Wrapped        bool     // the inputs hold objects in others, see gather.ReadOptions
	SkipUnreadable bool     // what cannot be read is only warned of

	Given    func(bytes int64) // is told how much was read, of archives packed and unpacked; nil for nobody
	Progress *meter.Progress   // nil where none is shown
	Timings  *meter.Timings    // nil where none are wanted
}

// Comparer says how inputs are compared.
type Comparer struct {
	Trim gather.Trimmer // drops what no later step asks for of an object
	Run  func(context.Context, gather.Collected, *crew.Room) *finding.Run
}

// UnknownCluster is the error for a name in Options.Clusters that no cluster has.
type UnknownCluster struct{ error }

// reading says how inputs are read within limits.
func (opt Options) reading(l limit.Limits, seen func(objects, bytes int)) gather.ReadOptions {
	limits := l.Source()
	return gather.ReadOptions{
		Source: source.Options{Stdin: opt.Stdin, Nested: opt.Nested, Limits: limits, Progress: opt.progress(), Jobs: opt.Jobs},
		Text:   l.Text(), NoScan: opt.NoScan, Open: opt.Placeholders, Wrapped: opt.Wrapped, Objects: l.Objects(), Memory: limits.Memory,
		Seen: seen,
	}
}

// progress is what is told of inputs that are read.
func (opt Options) progress() func(inputs int, bytes int64) {
	shown := opt.Progress.Read()
	switch {
	case opt.Given == nil:
		return shown
	case shown == nil:
		return func(_ int, bytes int64) { opt.Given(bytes) }
	}
	return func(inputs int, bytes int64) {
		shown(inputs, bytes)
		opt.Given(bytes)
	}
}

// apart says how clusters are told apart.
func (opt Options) apart() gather.Options {
	return gather.Options{Join: opt.Join, Each: opt.Each, Only: opt.Clusters}
}

// afterInterrupt is the context for comparing what was read until a run was interrupted, as far as that takes no time.
func afterInterrupt(ctx context.Context, interrupted bool) (context.Context, context.CancelFunc) {
	if !interrupted {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), gather.AfterInterrupt)
}
