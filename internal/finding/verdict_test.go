package finding

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestVerdictAndExit: the verdict and the sentence about a run with these counts, and the exit
// status.
func TestVerdictAndExit(t *testing.T) {
	for _, test := range []struct {
		name, run, failOn string
		exit              int
		want              string
	}{
		{"all agree", `{"summary":{"objects":{"read":3,"compared":2,"clean":2}}}`, "drift,missing", 0, "COMPLIANT: 2 CRs agree with the reference; nothing is missing"},
		{"nothing compared", `{"summary":{"objects":{"read":3}}}`, "drift,missing", 2, "INCOMPLETE: no CR that the reference describes was compared; check that the input is complete and of the right cluster, and that the reference is the right one"},
		{"nothing compared, whatever counts", `{"summary":{"objects":{"read":3,"unmatched":3}}}`, "none", 2, "INCOMPLETE: no CR that the reference describes was compared; check that the input is complete and of the right cluster, and that the reference is the right one"},
		{"nothing compared of what was named", `{"chosen":true,"summary":{"objects":{"read":3}}}`, "drift,missing", 0, "COMPLIANT: nothing was compared: the input has no CR of the named components, and these require none"},
		{"nothing compared of what was named, for it was refused", `{"chosen":true,"refused":[{}],"summary":{"objects":{"read":3}}}`, "drift,missing", 2, "INCOMPLETE: no CR that the reference describes was compared; check that the input is complete and of the right cluster, and that the reference is the right one"},
		{"only referenced", `{"summary":{"objects":{"read":3,"referenced":1}}}`, "drift,missing", 2, "INCOMPLETE: no CR that the reference describes was compared; check that the input is complete and of the right cluster, and that the reference is the right one"},
		{"only referenced of what was named", `{"chosen":true,"summary":{"objects":{"read":3,"referenced":1}}}`, "drift,missing", 2, "INCOMPLETE: no CR that the reference describes was compared; check that the input is complete and of the right cluster, and that the reference is the right one"},
		{"drift", `{"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "drift,missing", 1, "DRIFT: 1 of 1 CR differs from the reference"},
		{"missing field", `{"summary":{"objects":{"read":1,"compared":3,"drift":2},"differences":{"missing":1}}}`, "drift,missing", 1, "DRIFT: 2 of 3 CRs differ from the reference"},
		{"missing field, only drift counts", `{"summary":{"objects":{"read":1,"compared":3,"drift":2},"differences":{"missing":1}}}`, "drift", 0, "DRIFT: 2 of 3 CRs differ from the reference; not counted as a failure (--fail-on drift)"},
		{"extra is information", `{"summary":{"objects":{"read":1,"compared":1,"extra":1},"differences":{"extra":1}}}`, "drift,missing", 0, "COMPLIANT: 1 CR agrees with the reference, with extra content; nothing is missing"},
		{"extra on demand", `{"summary":{"objects":{"read":1,"compared":1,"extra":1},"differences":{"extra":1}}}`, "drift,extra", 1, "COMPLIANT: 1 CR agrees with the reference, with extra content; nothing is missing; counted as a failure (--fail-on drift,extra): 1 field is extra"},
		{"missing CR", `{"rules":[{"code":"VT3001"}],"summary":{"objects":{"read":1},"missingCRs":2,"brokenRules":1}}`, "drift,missing", 1, "DRIFT: 2 required CRs were not found"},
		{"other rule", `{"rules":[{"code":"VT3002"}],"summary":{"objects":{"read":1},"brokenRules":1}}`, "drift,missing", 1, "DRIFT: 1 rule is broken"},
		{"rules don't count", `{"rules":[{"code":"VT3002"}],"summary":{"objects":{"read":1},"brokenRules":1}}`, "none", 0, "DRIFT: 1 rule is broken; not counted as a failure (--fail-on none)"},
		{"unmatched is information", `{"summary":{"objects":{"read":2,"compared":1,"unmatched":1}}}`, "drift,missing", 0, "COMPLIANT: 1 CR agrees with the reference; nothing is missing"},
		{"unmatched of any kind on demand", `{"summary":{"objects":{"read":2,"compared":1,"unmatched":1}}}`, "unmatched-all", 1, "COMPLIANT: 1 CR agrees with the reference; nothing is missing; counted as a failure (--fail-on unmatched-all): 1 CR is unmatched"},
		{"unmatched on demand", `{"summary":{"objects":{"read":2,"compared":1,"unmatched":1}}}`, "unmatched", 1, "COMPLIANT: 1 CR agrees with the reference; nothing is missing; counted as a failure (--fail-on unmatched): 1 CR is unmatched"},
		{"referenced on demand", `{"summary":{"objects":{"read":2,"compared":1,"clean":1,"referenced":1}}}`, "referenced", 1, "COMPLIANT: 1 CR agrees with the reference; 1 CR is only named by others and was not compared; nothing else is missing; counted as a failure (--fail-on referenced): 1 CR is referenced but not in the input"},
		{"extra content of some", `{"summary":{"objects":{"read":3,"compared":3,"extra":2},"differences":{"extra":2}}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference, 2 of them with extra content; nothing is missing"},
		{"accepted by an override", `{"summary":{"objects":{"read":3,"compared":3,"overridden":1},"acceptedDeviations":1}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference, 1 of them by an accepted deviation; nothing is missing"},
		{"several accepted", `{"summary":{"objects":{"read":3,"compared":3,"extra":1,"overridden":2},"acceptedDeviations":5}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference, 1 of them with extra content, 2 of them by 5 accepted deviations; nothing is missing"},
		{"accepted, of an earlier version", `{"summary":{"objects":{"read":3,"compared":3,"overridden":2}}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference, 2 of them by accepted deviations; nothing is missing"},
		{"accepted beside drift", `{"acceptedCRs":[{}],"summary":{"objects":{"read":3,"compared":3,"overridden":1,"drift":1},"differences":{"drift":1},"acceptedDeviations":2,"acceptedCRs":1}}`, "drift", 1, "DRIFT: 1 of 3 CRs differs from the reference; 3 deviations are accepted (2 CRs)"},
		{"one accepted beside drift", `{"summary":{"objects":{"read":3,"compared":3,"overridden":1,"drift":1},"differences":{"drift":1},"acceptedDeviations":1}}`, "drift", 1, "DRIFT: 1 of 3 CRs differs from the reference; 1 deviation is accepted (1 CR)"},
		{"accepted CRs", `{"acceptedCRs":[{},{"present":true},{"present":true}],"summary":{"objects":{"read":3,"compared":3}}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference; nothing is missing except 1 accepted CR; 2 accepted CRs are there against a rule"},
		{"masked values", `{"summary":{"objects":{"read":3,"compared":3},"masked":1}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference; nothing is missing; 1 value was masked by the collector and not compared"},
		{"only what was given", `{"given":true,"summary":{"objects":{"read":5,"compared":2,"unmatched":1,"ignored":2}}}`, "drift", 0, "COMPLIANT: 2 CRs agree with the reference; only what was given was judged, without 3 CRs that have no template"},
		{"all of what was given", `{"given":true,"summary":{"objects":{"read":2,"compared":2,"drift":1},"differences":{"drift":1}}}`, "drift", 1, "DRIFT: 1 of 2 CRs differs from the reference; only what was given was judged"},
		{"more than the first cluster", `{"base":{},"summary":{"objects":{"read":4,"compared":3,"drift":1,"extra":2,"unmatched":1},"differences":{"drift":1}}}`, "drift", 1, "DRIFT: 1 of 3 CRs differs from the reference; 2 CRs have extra content only, 1 CR is not in the first cluster"},
		{"extra content beside the first cluster", `{"base":{},"summary":{"objects":{"read":4,"compared":3,"extra":2}}}`, "drift", 0, "COMPLIANT: 3 CRs agree with the reference, 2 of them with extra content; nothing is missing"},
		{"an impact", `{"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1},"impact":{"impacting":2,"review":1}}}`, "drift", 1, "DRIFT: 1 of 1 CR differs from the reference; impact: 2 impacting, 1 to review"},
		{"rules with no finding", `{"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1},"impact":{}}}`, "drift", 1, "DRIFT: 1 of 1 CR differs from the reference"},
		{"an earlier report", `{"baseline":{"path":"o","remarks":["another reference","x"],"changes":{}},"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "drift", 1, "DRIFT: 1 of 1 CR differs from the reference; nothing new since o (another reference, x)"},
		{"an incomplete one", `{"baseline":{"path":"o","incomplete":["a","b"],"changes":{}},"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "drift", 1, "DRIFT: 1 of 1 CR differs from the reference; nothing new since o; it is not certain which findings are new, because o is incomplete: a, b"},
		{"an earlier report, and no CR", `{"baseline":{"path":"o","changes":{"new":1}}}`, "drift", 2, "INCOMPLETE: the input holds no CR; not compared with o"},
		{"perhaps a rule", `{"rules":[{"code":"VT3003","missing":[{},{"notCollected":true}]},{"code":"VT3003","missing":[{"notCollected":true}]}],"summary":{"objects":{"read":1},"brokenRules":2,"perhapsBrokenRules":2}}`, "drift", 0, "DRIFT: 2 rules are perhaps broken (not collected); not counted as a failure (--fail-on drift)"},
		{"what is not known", `{"notKnown":[{"code":"VT3008"},{"code":"VT1058"},{"code":"VT1058"},{"code":"VT9999"}],"summary":{"objects":{"read":1,"compared":1}}}`, "drift", 2, "INCOMPLETE: 1 rule is not known, 2 lookups of templates may lack CRs, 1 collection of CRs of the reference failed: the input may not show all CRs"},
		{"nothing read", `{}`, "drift,missing", 2, "INCOMPLETE: the input holds no CR"},
		{"unreadable", `{"summary":{"objects":{"read":1},"unreadable":1}}`, "none", 2, "INCOMPLETE: 1 file could not be read"},
		{"failed beats drift", `{"summary":{"objects":{"read":1,"compared":2,"error":1,"drift":1},"differences":{"drift":1}}}`, "drift,missing", 2, "INCOMPLETE: 1 CR could not be evaluated; besides, 1 of 2 CRs differs from the reference"},
		{"perhaps not collected, only absent counts", `{"rules":[{"code":"VT3005","templates":["a"],"missing":[{"notCollected":true}]}],"summary":{"objects":{"read":1},"missingCRs":3,"notCollectedCRs":3}}`, "absent", 0, "DRIFT: 3 required CRs were perhaps not collected; not counted as a failure (--fail-on absent)"},
		{"one absent", `{"rules":[{"code":"VT3001","templates":["a"],"missing":[{}]}],"summary":{"objects":{"read":1},"missingCRs":3,"absentCRs":1,"notCollectedCRs":2}}`, "absent", 1, "DRIFT: 3 required CRs were not found (1 absent, 2 perhaps not collected); not counted as a failure (--fail-on absent): 2 required CRs were perhaps not collected"},
		{"one absent, only drift counts", `{"rules":[{"code":"VT3001","templates":["a"],"missing":[{}]}],"summary":{"objects":{"read":1},"missingCRs":3,"absentCRs":1,"notCollectedCRs":2}}`, "drift", 0, "DRIFT: 3 required CRs were not found (1 absent, 2 perhaps not collected); not counted as a failure (--fail-on drift)"},
		{"required by others", `{"rules":[{"code":"VT3001","templates":["a"],"missing":[{}]}],"summary":{"objects":{"read":1},"missingCRs":2,"wantedCRs":2}}`, "missing", 1, "DRIFT: 2 required CRs were not found (required by other CRs)"},
		{"missing in every way", `{"rules":[{"code":"VT3001","templates":["a"],"missing":[{}]}],"summary":{"objects":{"read":1},"missingCRs":36,"absentCRs":12,"notCollectedCRs":20,"wantedCRs":4}}`, "missing,absent", 1, "DRIFT: 36 required CRs were not found (12 absent, 20 perhaps not collected, 4 required by other CRs)"},
		{"an unknown rule", `{"notKnown":[{"code":"VT3008"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing", 2, ""},
		{"an unknown rule, only absent CRs count", `{"notKnown":[{"code":"VT3008"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "absent", 0, ""},
		{"an unknown lookup", `{"notKnown":[{"code":"VT1058"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing", 2, ""},
		{"an unknown lookup, absent CRs count", `{"notKnown":[{"code":"VT1058"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "absent", 2, ""},
		{"an unknown lookup, only extra counts", `{"notKnown":[{"code":"VT1058"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "extra", 0, ""},
		{"an unknown schema", `{"notKnown":[{"code":"VT4076"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "invalid", 2, ""},
		{"an unknown schema, missing counts", `{"notKnown":[{"code":"VT4076"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing", 0, ""},
		{"an unknown rule, and it fails", `{"notKnown":[{"code":"VT3008"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "drift", 1, ""},
		{"an unknown rule, only new counts", `{"notKnown":[{"code":"VT3008"}],"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing,new", 2, ""},
		{"an unknown rule that was unknown before", `{"notKnown":[{"code":"VT3008"}],"baseline":{"path":"o"},"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing,new", 0, ""},
		{"an unknown rule that was known", `{"notKnown":[{"code":"VT3008"}],"baseline":{"path":"o","notKnown":["r"]},"summary":{"objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":1}}}`, "missing,new", 2, ""},
		{"one of several, all absent", `{"rules":[{"code":"VT3003","missing":[{},{}]}],"summary":{"objects":{"read":1}}}`, "absent", 1, "DRIFT: 1 rule is broken"},
		{"one of several, one perhaps not collected", `{"rules":[{"code":"VT3003","missing":[{},{"notCollected":true}]}],"summary":{"objects":{"read":1}}}`, "absent", 0, "DRIFT: 1 rule is broken; not counted as a failure (--fail-on absent)"},
	} {
		var r Run
		if err := json.Unmarshal([]byte(test.run), &r); err != nil {
			t.Fatal(err)
		}
		failOn, err := ParseFailOn(test.failOn)
		if err != nil {
			t.Fatal(err)
		}
		r.Summary.Verdict = r.verdict()
		report := Report{Runs: []*Run{&r}, FailOn: failOn}
		report.Conclude()
		if said := r.Sentence(failOn); said != cmp.Or(test.want, said) || (r.mayFail(failOn) != strings.Contains(said, "; incomplete: ")) || report.ExitStatus != test.exit ||
			report.Summary.Verdict != r.Summary.Verdict {
			t.Errorf("%s: %q and %d, want %q and %d", test.name, said, report.ExitStatus, test.want, test.exit)
		}
	}
}

func TestParseFailOn(t *testing.T) {
	for list, want := range map[string]string{
		"drift,missing": "drift,missing", " Extra , drift": "drift,extra", "none": "none", "referenced,unmatched": "unmatched,referenced",
	} {
		f, err := ParseFailOn(list)
		if err != nil || f.String() != want {
			t.Errorf("ParseFailOn(%q) is %s, %v; want %s", list, f, err, want)
		}
		if again, err := ParseFailOn(f.String()); err != nil || !slices.Equal(again, f) {
			t.Errorf("%s does not read back: %v", f, err)
		}
	}
	for list, want := range map[string]string{"": "empty", "drft": `"drft" is unknown`, "none,drift": "cannot be combined", "drift,,extra": `"" is unknown`} {
		if _, err := ParseFailOn(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseFailOn(%q) gives the error %v, want one with %q", list, err, want)
		}
	}
}

// TestUnreadInputsAreNotClusters: inputs that an interrupted run did not come to are counted as
// inputs.
func TestUnreadInputsAreNotClusters(t *testing.T) {
	read := &Run{Cluster: Cluster{Name: "a"}, Interrupted: true, Unreadable: []refconfig.Problem{{Code: code.Interrupted}}}
	read.Summary.Objects.Read = 3
	unread := &Run{Inputs: []Input{{Path: "b.tar"}, {Path: "c.tar"}}, Interrupted: true, Unreadable: read.Unreadable}
	r := Report{Runs: []*Run{read, unread}}
	for _, run := range r.Runs {
		run.Conclude()
	}
	r.Conclude()
	if got, want := r.Sentence(), "1 cluster: 1 INCOMPLETE; 2 inputs were not read"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := unread.Heading()+unread.Name(), "Not read: b.tar, c.tar"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := unread.Sentence(nil), "INCOMPLETE: the run was interrupted before a CR was read"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := read.Heading()+read.Name(), "Cluster a"; got != want || r.ExitStatus != 2 {
		t.Errorf("%q instead of %q, exit status %d", got, want, r.ExitStatus)
	}
}
