package source

import (
	"bytes"
	"errors"
	"testing"

	"github.com/validationtool/validationtool/internal/inflate"
)

// TestAFaultOfOurDecoderIsNotCalledCorruption: what our decoder finds wrong with a file is held against the library, where the file can be
// read once more.
func TestAFaultOfOurDecoderIsNotCalledCorruption(t *testing.T) {
	w := &walker{ctx: t.Context(), limits: Limits{}.orDefault()}
	sound, cut := gz([]byte("a: 1\n")), gz([]byte("a: 1\n"))
	cut[len(cut)-6]++
	for _, c := range []struct {
		what   string
		data   []byte
		nested bool
		err    error
		want   bool
	}{
		{"sound", sound, false, inflate.ErrCorrupt, true},
		{"damaged", cut, false, inflate.ErrCorrupt, false},
		{"another error", sound, false, errors.New("no"), false},
		{"nested", sound, true, inflate.ErrCorrupt, false},
	} {
		s, _ := w.unpack(bytes.NewReader(c.data), c.nested) // the error of the damaged one is known here already
		s.halt()
		if got := s.soundForOthers(c.err); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		s.close()
	}
}
