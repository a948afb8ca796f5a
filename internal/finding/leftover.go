package finding

import (
	"crypto/sha256"
	"strings"
)

// leftOver indexes the findings of an earlier run, each of which is taken at most once.
type leftOver struct {
	by   map[key][]*Finding
	used map[*Finding]bool
}

// key has what two findings share that are the same one.
type key struct {
	fingerprint string
	contents    string // a hash of their contents, or "" for any contents
}

// keyOf returns the key of a finding. Several findings on one field have one fingerprint, except
// for a number behind it.
func keyOf(f Finding, how func(Finding) string) key {
	print, _, _ := strings.Cut(f.Fingerprint, "-")
	return key{print, how(f)}
}

// contents returns a hash of the values of a finding, or of its words if it has no values.
func contents(f Finding) string {
	hash := sha256.New()
	for _, part := range [][]byte{[]byte(f.Class), f.Reference, f.Input} {
		hash.Write(part)
		hash.Write([]byte{0})
	}
	if f.Reference == nil && f.Input == nil {
		hash.Write([]byte(wording(f)))
	}
	return string(hash.Sum(nil))
}

// anything is the contents of findings that are compared by their fingerprints alone.
func anything(Finding) string { return "" }

// wording returns the words of a finding without the path of its field.
func wording(f Finding) string { return strings.TrimPrefix(f.Words, f.Path+": ") }

// newLeftOver indexes findings.
func newLeftOver(all []Finding) leftOver {
	left := leftOver{map[key][]*Finding{}, map[*Finding]bool{}}
	for i := range all {
		for _, how := range []func(Finding) string{contents, anything} {
			k := keyOf(all[i], how)
			left.by[k] = append(left.by[k], &all[i])
		}
	}
	return left
}

// take returns the first finding left that is the same as a later one and uses it up; nil if there
// is none.
func (left leftOver) take(f Finding, how func(Finding) string) *Finding {
	k := keyOf(f, how)
	for len(left.by[k]) > 0 {
		first := left.by[k][0]
		left.by[k] = left.by[k][1:]
		if !left.used[first] {
			left.used[first] = true
			return first
		}
	}
	return nil
}
