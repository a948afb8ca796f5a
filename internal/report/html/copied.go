package html

import (
	"encoding/json"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// copiedMost is the maximum number of bytes of a value that a button copies. Longer values are only
// among the lines of their CRs.
const copiedMost = 2 << 10

// copied returns a value as a button copies it: a string as it is, another value as JSON. It
// returns "" for null, and for a value that is too long, hidden, or has characters that the page
// shows otherwise.
func copied(raw json.RawMessage) string {
	text := string(raw)
	if strings.HasPrefix(text, `"`) && json.Unmarshal(raw, &text) != nil {
		return ""
	}
	if string(raw) == "null" || len(raw) > copiedMost || strings.Contains(text, "(hidden, ") || !escape.Plain([]byte(text)) {
		return ""
	}
	return text
}

// creationsMost is the maximum number of bytes of a page for CRs to create.
const creationsMost = 1 << 20

// creation is a missing CR that the reference tells how to create, as far as it says it. Only a run
// knows it; a saved report does not.
type creation struct {
	Before []string // what to know before it is created; nil if Alike is set
	CR     string   // as YAML; "" if the page does not have it
	Alike  string   // the anchor of the finding on the same CR in an earlier cluster; "" for none
}

// creations returns the CRs to create for the missing ones of entries, as far as the page has room.
func (p *page) creations(s *section, all []finding.Entry) map[*finding.Missed]*creation {
	out := map[*finding.Missed]*creation{}
	for _, e := range all {
		for _, f := range e.Missing {
			if f.Missed.Fix == nil {
				continue
			}
			cr := f.Missed.Fix.CR
			if at, known := p.created[cr]; known { // what is to be done before stands there too
				out[f.Missed] = &creation{Alike: at}
				continue
			}
			one := &creation{Before: f.BeforeCreating(s.Alarms)}
			if out[f.Missed] = one; cr != "" && len(cr) <= p.room && escape.Plain([]byte(cr)) {
				p.room -= len(cr)
				p.created[cr], one.CR = s.id(f.Fingerprint), cr
			}
		}
	}
	return out
}

// again returns a command that reads the cluster's input again, or "".
func (s *section) again(words ...string) string {
	command := escape.Again(s.Report, s.Run, s.Report.Reference.Path, words...)
	return finding.Prefixed(s.opt.Command+" ", command)
}
