package cli

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// Build describes a binary. Empty fields are taken from Go's build information.
type Build struct {
	Release string // the release, such as v1.2.3
	Commit  string
	Date    string // the date of the commit
}

// build returns the description of this binary. Without a release it is "(devel)".
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

// tool returns the name and version of this program for documents.
func (p *program) tool() finding.Tool {
	return finding.Tool{Name: finding.ToolName, Version: p.build().Release}
}

// versionCommand returns the command version.
func (p *program) versionCommand() *cli.Command {
	return command(p, &base{endless: true}, p.version, &cli.Command{Usage: "print the version, commit and build date"})
}

// version prints the release, and the commit and its date if they are known.
func (p *program) version(context.Context, *base) error {
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
