package cli

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Build says what a binary was made from. What is "" there is taken from what Go wrote into the
// binary.
type Build struct {
	Release string // such as v1.2.3
	Commit  string
	Date    string // of the commit
}

// build returns what is known of this binary. Without a release it is "(devel)".
func (p *program) build() Build {
	b := p.io.Build
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, s.Value)
		case "vcs.time":
			b.Date = cmp.Or(b.Date, s.Value)
		}
	}
	b.Release = cmp.Or(b.Release, info.Main.Version, "(devel)")
	return b
}

// tool is what documents call this program.
func (p *program) tool() finding.Tool {
	return finding.Tool{Name: finding.ToolName, Version: p.build().Release}
}

// version prints the release and, where they are known, the commit and its date.
func (p *program) version(context.Context, *options) error {
	b := p.build()
	var more []string
	if b.Commit != "" {
		more = append(more, "commit "+b.Commit)
	}
	if b.Date != "" {
		more = append(more, b.Date)
	}
	line := finding.ToolName + " " + b.Release
	if len(more) > 0 {
		line += " (" + strings.Join(more, ", ") + ")"
	}
	return p.say(line + "\n")
}
