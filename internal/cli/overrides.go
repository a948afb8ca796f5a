package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// today returns the date with which the expiry of overrides is compared.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

// checkDay returns an error if a text is no last day for an acceptance.
func checkDay(text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return fmt.Errorf("%q is not a date; write it like 2030-01-31", text)
	}
	if (refconfig.Override{Expires: text}).Expired(today()) {
		return fmt.Errorf("%s is in the past", text)
	}
	return nil
}

// accept returns the request for overrides that accept the findings; nil if the format overrides is
// not requested. Extra content is accepted only if it counts as a failure.
func (p *program) accept(o *compareOptions, l *plan) (*patch.Request, error) {
	if !o.writes(overridesFormat) {
		return nil, nil
	}
	targets, err := patch.ParseTargets(o.overrideFor, l.ref, l.engine.Templates())
	if err != nil {
		return nil, p.usageError("--override-for: %s", err)
	}
	return &patch.Request{Extra: o.failOn.Has(finding.FailOnExtra), Targets: targets}, nil
}

// warnUnmatched warns about names of --override-for that match nothing.
func (p *program) warnUnmatched(q *patch.Request, found *finding.Report) {
	for _, name := range q.Unmet(found) {
		p.notice(code.NotAccepted, "--override-for "+name+": it matches no compared CR and no broken rule")
	}
}

// warnUnaccepted lists on the error stream the findings that the overrides do not accept, the
// problems of reading, and the warnings.
func (p *program) warnUnaccepted(found *finding.Report) {
	for _, line := range formats.NotAccepted(found) {
		p.notice(code.NotAccepted, "not accepted: "+line)
	}
	for _, r := range found.Runs {
		for _, u := range slices.Concat(r.Unreadable, r.NotKnown) {
			p.notice(u.Code, finding.PlaceText(u.Place)+": "+u.Message)
		}
		for _, w := range slices.SortedFunc(slices.Values(slices.Concat(r.Alarms, r.Warnings)),
			finding.CompareWarnings) {
			p.notice(w.Code, "warning: "+strings.TrimPrefix(w.Place+": ", ": ")+w.Message)
		}
	}
}

// notice prints a line with a code on the error stream.
func (p *program) notice(c code.Code, text string) {
	fmt.Fprintf(p.io.Err, "%s: %s (%s)\n", strings.ReplaceAll(p.name, " ", "-"), escape.Short(text), c)
}
