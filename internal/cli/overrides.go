package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/overrides"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// checkOverrides checks the options that say how overrides are written.
func (p *program) checkOverrides(c *cli.Context, format string) error {
	if format != "overrides" {
		for _, name := range []string{"override-reason", "override-for", "override-expires"} {
			if c.IsSet(name) {
				return p.usageError("--%s is for --output overrides only", name)
			}
		}
		return nil
	}
	if strings.TrimSpace(c.String("override-reason")) == "" {
		return p.usageError("--output overrides needs --override-reason, because every report shows why a deviation was accepted")
	}
	if !c.IsSet("override-expires") {
		return nil
	}
	expires := c.String("override-expires")
	if _, err := time.Parse(time.DateOnly, expires); err != nil {
		return p.usageError("--override-expires is %q, which is no date; write year-month-day, like 2030-01-31", expires)
	}
	if (refconfig.Override{Expires: expires}).Expired(today()) {
		return p.usageError("--override-expires is %s, which is past: the overrides would not apply", expires)
	}
	return nil
}

// today is the date that overrides expire by.
func today() string { return time.Now().Format(time.DateOnly) }

// accept says what the comparison is to find overrides for: nil for nothing. What is extra is accepted where it counts as
// a failure.
func (p *program) accept(c *cli.Context, ref *refconfig.Reference, s settings) (*compare.Accept, error) {
	if s.format != "overrides" {
		return nil, nil
	}
	a := &compare.Accept{Extra: s.failOn.Has("extra")}
	if names := c.StringSlice("override-for"); len(names) > 0 {
		var err error
		if a.For, err = ref.SelectTemplates(names); err != nil {
			return nil, p.usageError("--override-for: %s", err)
		}
	}
	return a, nil
}

func (p *program) overridesOptions(c *cli.Context) overrides.Options {
	return overrides.Options{Reason: c.String("override-reason"), Expires: c.String("override-expires"), Command: p.name}
}

// tellUnwritten says on the error stream what the overrides do not accept, and what else a report would have told.
func (p *program) tellUnwritten(found *finding.Report) {
	for _, line := range overrides.NotAccepted(found) {
		p.notice(code.NotAccepted, "not accepted: "+line)
	}
	for _, r := range found.Runs {
		for _, u := range r.Unreadable {
			p.notice(u.Code, u.Place()+": "+u.Message)
		}
		for _, w := range slices.SortedFunc(slices.Values(slices.Concat(r.Alarms, r.Warnings)), finding.CompareWarnings) {
			p.notice(w.Code, "warning: "+strings.TrimPrefix(w.Place+": ", ": ")+w.Message)
		}
	}
}

// notice prints a line about what the user should know.
func (p *program) notice(c code.Code, text string) {
	fmt.Fprintf(p.io.Err, "%s: %s (%s)\n", strings.ReplaceAll(p.name, " ", "-"), visible.Short(text), c)
}
