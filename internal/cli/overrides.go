package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/overrides"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// today is the date that overrides expire by.
func today() string { return time.Now().Format(time.DateOnly) }

// accept says what the comparison is to find overrides for: nil for nothing. What is extra is accepted where it counts as
// a failure.
func (p *program) accept(o *options, ref *refconfig.Reference) (*compare.Accept, error) {
	if o.output != "overrides" {
		return nil, nil
	}
	a := &compare.Accept{Extra: o.failOn.Has("extra")}
	if names := o.overrideFor.Value(); len(names) > 0 {
		var err error
		if a.For, err = ref.SelectTemplates(names); err != nil {
			return nil, p.usageError("--override-for: %s", err)
		}
	}
	return a, nil
}

func (p *program) overridesOptions(o *options) overrides.Options {
	return overrides.Options{Reason: o.overrideReason, Expires: o.overrideExpires, Command: p.name}
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
