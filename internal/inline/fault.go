package inline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
)

// faultWork bounds the length of all expressions and texts tried for one stretch.
const faultWork = 1 << 18

// token is a part of a stretch that may be at fault: a group or a word.
type token struct {
	piece
	at int // in the text of the stretch
}

// oneFault places the groups of a stretch under the assumption that all of it but one token is right: it leaves each in turn
// open to any text. Of those with which the stretch accepts the text, the one that explains it with the fewest bytes counts;
// on a tie a group goes first, then the order. It reports whether there is one.
func (m *matcher) oneFault(s *stretch, text string) bool {
	tokens := s.tokens()
	candidates := suspects(s, tokens, text)
	work := align.Product(len(candidates), len(s.text)+len(text))
	if work > min(faultWork, m.faults) {
		return false
	}
	m.faults -= work
	best, cost := []found(nil), 0
	for _, k := range candidates {
		all, c, ok := m.without(s, tokens, k, text)
		if ok && (best == nil || c < cost || c == cost && tokens[k].group != nil) {
			best, cost = all, c
		}
	}
	if best == nil {
		return false
	}
	m.set(s, best)
	return true
}

// suspects returns the tokens that can be the only one at fault, going by the text at either end of the stretch.
func suspects(s *stretch, tokens []token, text string) []int {
	before, behind := commonPrefix(s.prefix, text), commonSuffix(s.suffix, text)
	var candidates []int
	for k, t := range tokens {
		rest := len(s.text) - t.at - len(t.text)
		if min(t.at, len(s.prefix)) <= before && min(rest, len(s.suffix)) <= behind {
			candidates = append(candidates, k)
		}
	}
	return candidates
}

// tokens cuts a stretch into its groups and the words between them.
func (s *stretch) tokens() []token {
	var all []token
	at := 0
	for _, p := range s.pieces {
		if p.group != nil {
			all = append(all, token{p, at})
			at += len(p.text)
			continue
		}
		for _, word := range align.SplitWords(p.text) {
			all = append(all, token{piece{text: word}, at})
			at += len(word)
		}
	}
	return all
}

// without matches a stretch with token k left open, and returns its groups and how many bytes are wrong then. An open token
// takes something if it can, rather than leave it to a group beside it.
func (m *matcher) without(s *stretch, tokens []token, k int, text string) (all []found, cost int, ok bool) {
	for _, open := range []string{`((?s:.+?))`, `()`} {
		pieces := make([]piece, 0, len(tokens))
		for _, t := range tokens {
			pieces = append(pieces, t.piece)
		}
		hole := &group{names: []string{""}, pattern: open, size: 4, spans: true}
		pieces[k] = piece{text: tokens[k].text, group: hole}
		pieced := join(pieces)
		inner, fits := pieced.inner(text)
		if !fits || !m.afford(pieced, len(inner)) {
			continue
		}
		expression := wholeOf(pieced.middle())
		re, err := regexp.Compile(expression) // it is hardly wanted again, so that it is not kept
		if err != nil {
			continue
		}
		locations := re.FindStringSubmatchIndex(inner)
		if locations == nil {
			continue
		}
		matched := collect(pieced.pieces, inner, locations[2:])
		if tokens[k].group == nil && blamesGroup(pieced, hole, tokens[k].text, matched) {
			continue
		}
		all, cost = m.filled(s, pieced, hole, tokens[k], matched)
		return all, cost, true
	}
	return nil, 0, false
}

// blamesGroup reports whether an open text is not at fault, but a group beside it: the text is there, with more between it
// and the group; or it is gone, and the group took it.
func blamesGroup(pieced *stretch, hole *group, text string, matched []found) bool {
	n := slices.IndexFunc(pieced.pieces, func(p piece) bool { return p.group == hole })
	k := 0 // of the hole in matched
	for _, p := range pieced.pieces[:n] {
		if p.group != nil {
			k++
		}
	}
	stands := matched[k].text
	if n > 0 && pieced.pieces[n-1].group != nil {
		if stands == "" && strings.HasSuffix(matched[k-1].text, text) || stands != "" && strings.HasSuffix(stands, text) {
			return true
		}
	}
	if n < len(pieced.pieces)-1 && pieced.pieces[n+1].group != nil {
		return stands == "" && strings.HasPrefix(matched[k+1].text, text) || stands != "" && strings.HasPrefix(stands, text)
	}
	return false
}

// filled returns the groups of a stretch, given those of the one with a hole for a token, and how many bytes of the token
// and of what stands for it are wrong.
func (m *matcher) filled(s, pieced *stretch, hole *group, t token, matched []found) (all []found, cost int) {
	next := 0
	for _, p := range pieced.pieces {
		if p.group == nil {
			continue
		}
		f := matched[next]
		next++
		if p.group == hole && t.group == nil {
			before := commonPrefix(t.text, f.text)
			behind := commonSuffix(t.text[before:], f.text[before:])
			cost = len(t.text) + len(f.text) - 2*(before+behind)
			continue
		}
		if p.group == hole {
			left, right := s.edges(t.group)
			f = m.search(t.group, f.text, left, right)
			cost = len(f.place) - len(f.text)
			if !f.ok {
				cost++
			}
		}
		all = append(all, f)
	}
	return all, cost
}
