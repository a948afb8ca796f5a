package gather

import (
	"testing"

	"github.com/validationtool/validationtool/internal/source"
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
		got, ok := readMoment(source.File{Name: "a/timestamp"}, []byte(text))
		if got.when != want || ok != (want != "") {
			t.Errorf("%q: %q %v", text, got.when, ok)
		}
	}
	if _, ok := readMoment(source.File{Name: "a/b.yaml"}, []byte("2021-08-03 12:11:56 -0700 MST")); ok {
		t.Error("a file of another name is read")
	}
	if !(moment{file: "b/timestamp"}).before(moment{file: "a/a/timestamp"}) || (moment{file: "b/timestamp"}).before(moment{file: "a/timestamp"}) {
		t.Error("the order is another")
	}
}
