package remark_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// Characters that a terminal would act on must be visible, and lines must stay lines.
func TestTheMeaningOfACodeIsSafeToShow(t *testing.T) {
	r := &finding.Report{
		Codes: []refconfig.OwnCode{{Code: "A", Title: "t\x1b", Cause: "c\u202e\nd  \r", Triage: "e\a"}},
	}
	e, ok := remark.Entry(r, "A")
	if !ok || strings.ContainsAny(e.Title+e.Cause+e.Do, "\x1b\u202e\a\r") || strings.Count(e.Cause, "\n") != 1 {
		t.Errorf("%+v", e)
	}
	if e, ok := remark.Entry(r, "VT4002"); !ok || e.Title == "" {
		t.Error("a code of the tool is not known")
	}
	if _, ok := remark.Entry(r, "B"); ok {
		t.Error("a code that nobody explains is known")
	}
}
