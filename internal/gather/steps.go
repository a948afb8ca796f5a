package gather

import (
	"fmt"
	"math"
	"sync"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// steps bounds the work that reading files takes by what was given: a small archive may unpack to millions of documents. Files are read in any
// order, but count in that of their turns, so it does not depend on the scheduling whether there are enough steps, and behind which file
// there are none. Files of folders that are read ahead take none: they are given as they are.
type steps struct {
	limit int64 // see budget.Reading; zero for none

	mu     sync.Mutex
	next   int          // the first turn whose file was not read to its end
	taken  int64        // by the files before it
	ended  map[int]turn // those behind it
	beyond *source.File // the first file for which there are not enough steps; nil while there is none
}

// turn is a file that was read, and how many steps that took.
type turn struct {
	file  source.File
	steps int64
}

func newSteps(limit int64) steps { return steps{limit: limit, ended: map[int]turn{}} }

// left is how many steps there are at most to read a file. Zero says that there are none left.
func (s *steps) left(f source.File) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.limit <= 0:
		return math.MaxInt64
	case s.beyond != nil:
		return 0
	}
	return max(1, budget.Reading(s.limit, f.Given)-s.taken)
}

// end takes down how many steps reading a file took. It is called once for each turn.
func (s *steps) end(f source.File, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Data, f.Looked = nil, nil
	s.ended[f.Turn] = turn{f, n}
	for {
		now, ok := s.ended[s.next]
		if !ok || s.beyond != nil {
			return
		}
		delete(s.ended, s.next)
		s.next++
		if s.taken += now.steps; s.limit > 0 && now.steps > 0 && s.taken > budget.Reading(s.limit, now.file.Given) {
			s.beyond = &now.file
			clear(s.ended)
		}
	}
}

// refusal tells that there were not enough steps.
func (s *steps) refusal() *Batch {
	f := *s.beyond
	return &Batch{File: f, Contents: manifest.Contents{Problems: []refconfig.Problem{{
		Code: code.LimitReading, Place: refconfig.Place{File: f.Path, Entry: f.Entry},
		Message: fmt.Sprintf("reading the input up to the end of this file takes more than %d steps, which is what there is for the %d bytes that were given until then, before they are unpacked; "+
			"nothing that was read with it is compared; unpack it, name a part of it, or raise the limit with --limit work=N", budget.Reading(s.limit, f.Given), f.Given),
	}}}}
}
