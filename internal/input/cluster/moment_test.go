package cluster

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/input/source"
)

func TestMoment(t *testing.T) {
	for text, want := range map[string]string{
		"2024-09-17 11:02:08.415522318 +0000 UTC m=+0.213854410\n2024-09-17 11:03:41 +0000 UTC m=+93\n": "2024-09-17T11:02:08Z",
		"2021-08-03 12:11:56.9 +0200 CEST m=+1.65\n":                                                    "2021-08-03T12:11:56+02:00",
		"2021-08-03 12:11:56 -0700 MST":                                                                 "2021-08-03T12:11:56-07:00",
		"yesterday\n":                                                                                   "",
		"":                                                                                              "",
		"2021-13-03 12:11:56 +0200":                                                                     "",
		"apiVersion: v1\nkind: A\n":                                                                     "",
	} {
		got := readMoment(source.File{Name: "a/timestamp"}, []byte(text))
		if (got == nil) != (want == "") || got != nil && got.first.Format(time.RFC3339) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if readMoment(source.File{Name: "a/b.yaml"}, []byte("2021-08-03 12:11:56 -0700 MST")) != nil {
		t.Error("a file of another name is read")
	}
	if !(moment{file: "b/timestamp"}).before(moment{file: "a/a/timestamp"}) ||
		(moment{file: "b/timestamp"}).before(moment{file: "a/timestamp"}) || (moment{file: "a/timestamp"}).before(moment{file: "a/timestamp"}) ||
		(moment{file: "a/timestamp", first: time.Unix(2, 0)}).before(moment{file: "a/timestamp", first: time.Unix(1, 0)}) {
		t.Error("the order is another")
	}
}

// TestGatheredDaysApart: only what was gathered a day or more apart is told, in whatever order it was read;
// clocks of one must-gather may differ.
func TestGatheredDaysApart(t *testing.T) {
	at := func(input int, file, when string) *moment {
		return readMoment(
			source.File{Input: input, Path: "in", Entry: file, Name: file}, []byte("2024-09-"+when+" +0000 UTC m=+0.1"),
		)
	}
	for name, c := range map[string]struct {
		moments []*moment
		want    string
	}{
		"none":                 {},
		"one":                  {moments: []*moment{at(0, "timestamp", "14 11:02:08")}},
		"twice":                {[]*moment{at(0, "timestamp", "14 11:02:08 +0000 UTC m=+0.1\n2024-09-14 11:09:08 +0000 UTC m=+420\n2024-09-17 11:10:00")}, "3 days after"},
		"a run of hours":       {moments: []*moment{at(0, "timestamp", "14 11:02:08 +0000 UTC m=+0.1\n2024-09-15 02:09:08")}},
		"hours":                {moments: []*moment{at(0, "timestamp", "14 11:02:08"), at(1, "timestamp", "15 11:02:07")}},
		"a day":                {[]*moment{at(0, "timestamp", "14 11:02:08"), at(1, "timestamp", "15 11:02:08")}, "1 day after"},
		"another clock inside": {moments: []*moment{at(0, "mg/timestamp", "14 11:02:08"), at(0, "mg/a/timestamp", "24 11:02:08"), at(0, "mg/b/timestamp", "24 11:03:00")}},
		"side by side":         {[]*moment{at(0, "mg1/timestamp", "14 11:02:08"), at(0, "mg1/a/timestamp", "01 11:02:08"), at(0, "mg11/timestamp", "17 11:02:08")}, "3 days after"},
		"archives in a folder": {[]*moment{at(0, "timestamp", "14 11:02:08"), at(0, "a.tar!/mg/timestamp", "16 11:02:07"), at(0, "b/timestamp", "20 11:02:08")}, "1 day after"},
		"the first and last":   {[]*moment{at(2, "timestamp", "16 11:02:08"), at(0, "timestamp", "14 11:02:08"), at(1, "timestamp", "24 11:02:08")}, "10 days after"},
	} {
		for range 2 {
			p, told := apart(c.moments)
			if told != (c.want != "") || !strings.Contains(p.Message, c.want) {
				t.Errorf("%s: %v %q", name, told, p.Message)
			}
			slices.Reverse(c.moments)
		}
	}
}
