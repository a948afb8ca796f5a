package align

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// lookedAt is the number of bytes, from the first difference of two texts, in which LookAlikes looks.
const lookedAt = 4 << 10

// LookAlikes returns the characters that are not ASCII and stand in one text where the other has
// different characters that look the same, by Unicode Technical Standard 39: a Cyrillic letter for a
// Latin one, a wide digit, another dash, or a letter and its accent for one character. Each is named once. It
// returns "" if there are none.
func LookAlikes(a, b string) string {
	if isASCII(a) && isASCII(b) {
		return ""
	}
	a, b = differing(a, b)
	inA, inB := letters(a), letters(b)
	looksA, looksB := looks(inA), looks(inB)
	var found, left, right strings.Builder // left and right are stretches without a counterpart
	compare := func() {
		if left.String() != right.String() && look(left.String()) == look(right.String()) {
			found.WriteString(left.String() + right.String())
		}
		left.Reset()
		right.Reset()
	}
	for _, p := range Lines(looksA, looksB) {
		isPair := p.A >= 0 && p.B >= 0 && looksA[p.A] == looksB[p.B]
		if isPair {
			compare()
		}
		if p.A >= 0 {
			left.WriteString(inA[p.A])
		}
		if p.B >= 0 {
			right.WriteString(inB[p.B])
		}
		if isPair {
			compare()
		}
	}
	compare()
	seen := map[rune]bool{utf8.RuneError: true}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || seen[r] {
			return -1
		}
		seen[r] = true
		return r
	}, found.String())
}

// isASCII reports whether a text has only ASCII characters.
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// differing returns two texts from the last letter that is equal on, as far as LookAlikes looks.
func differing(a, b string) (restA, restB string) {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for start > 0 && (!startsAt(a, start) || !startsAt(b, start)) {
		start--
	}
	for isMark := true; start > 0 && isMark; {
		r, size := utf8.DecodeLastRuneInString(a[:start])
		start, isMark = start-size, unicode.Is(unicode.M, r)
	}
	return cutAt(a[start:], lookedAt), cutAt(b[start:], lookedAt)
}

// cutAt returns the first characters of a text, in at most n bytes.
func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !startsAt(s, n) {
		n--
	}
	return s[:n]
}

// letters splits a text into its characters, each with the combining marks that follow it.
func letters(s string) (all []string) {
	start := 0
	for at, r := range s {
		if at > 0 && !unicode.Is(unicode.M, r) {
			all = append(all, s[start:at])
			start = at
		}
	}
	return append(all, s[start:])
}

// looks returns the look of each text.
func looks(texts []string) []string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = look(s)
	}
	return all
}

// look returns a text that is the same for texts that look the same. All dashes look alike.
func look(s string) string {
	return confusable.Skeleton(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Pd, r) {
			return '-'
		}
		return r
	}, norm.NFKD.String(s)))
}
