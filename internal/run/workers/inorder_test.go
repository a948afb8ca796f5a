package workers

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestPartsAreWrittenInTheirOrder(t *testing.T) {
	var want, got strings.Builder
	for i := range 500 {
		want.WriteString(strconv.Itoa(i) + " ")
	}
	err := InOrder(500, func(i int) ([]byte, error) {
		if i%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		return []byte(strconv.Itoa(i) + " "), nil
	}, func(text []byte) error {
		got.Write(text)
		return nil
	})
	if err != nil || got.String() != want.String() {
		t.Errorf("%v: %s", err, got.String())
	}
}

func TestTheFirstErrorEndsIt(t *testing.T) {
	broken := errors.New("broken")
	for _, inWrite := range []bool{false, true} {
		written := 0
		err := InOrder(100_000, func(i int) ([]byte, error) {
			if i == 10 && !inWrite {
				return nil, broken
			}
			return nil, nil
		}, func([]byte) error {
			if written++; inWrite && written == 11 {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) || written > 11 {
			t.Errorf("%v after %d parts", err, written)
		}
	}
}

// TestAPanicIsAnError: it says where it is, and quotes nothing.
func TestAPanicIsAnError(t *testing.T) {
	err := InOrder(3, func(int) ([]byte, error) { panic("hunter2") }, func([]byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "VT5005") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}
