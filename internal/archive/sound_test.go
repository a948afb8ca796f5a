package archive

import (
	"bytes"
	"errors"
	"testing"

	"github.com/validationtool/validationtool/internal/inflate"
	"github.com/validationtool/validationtool/internal/pack"
)

// TestAFaultOfOurDecoderIsNotCalledCorruption: what our decoder finds wrong with a file is held against the library, where the file can be
// read once more.
func TestAFaultOfOurDecoderIsNotCalledCorruption(t *testing.T) {
	u := NewUnpacker(t.Context(), testLimits())
	sound, cut := pack.GZ([]byte("a: 1\n")), pack.GZ([]byte("a: 1\n"))
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
		s, _ := u.Open(bytes.NewReader(c.data), c.nested) // the error of the damaged one is known here already
		s.Halt()
		if got := s.SoundForOthers(c.err); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		s.End()
	}
}
