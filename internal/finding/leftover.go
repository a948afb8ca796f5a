package finding

import (
	"crypto/sha256"
	"strings"
)

// earlier are the findings of an earlier run, each of which is taken once.
type earlier struct {
	by   map[key][]*Finding
	used map[*Finding]bool
}

// key is what two findings have in common that are the same one.
type key struct {
	fingerprint string
	byIndex     bool   // the fingerprint has the index of an item, where others have its name
	contents    string // as one of contents and anything has it
}

// contents are what a finding says, as it is written: a hash of it, for that can be much.
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

// anything is for findings that may say whatever they do.
func anything(Finding) string { return "" }

// wording is what a finding says in words of a field, wherever that is.
func wording(f Finding) string { return strings.TrimPrefix(f.Words, f.Path+": ") }

// leftOver are findings of which none is taken yet. Several of one field have one fingerprint, but
// for a number behind it.
func leftOver(all []Finding) earlier {
	left := earlier{map[key][]*Finding{}, map[*Finding]bool{}}
	for i, f := range all {
		print, _, _ := strings.Cut(f.Fingerprint, "-")
		for _, how := range []func(Finding) string{contents, anything} {
			k := key{print, false, how(f)}
			left.by[k] = append(left.by[k], &all[i])
			if k.byIndex = true; f.ByIndex() == print {
				left.by[k] = append(left.by[k], &all[i])
			}
		}
	}
	return left
}

// take uses up the first of the findings that a later one is the same as; nil where there is none,
// or where the later one has one already. The fingerprints that versions before wrote have the
// index of an item where this one may have its name.
func (left earlier) take(f Finding, how func(Finding) string) *Finding {
	print, _, _ := strings.Cut(f.Fingerprint, "-")
	for _, k := range []key{{print, false, how(f)}, {f.ByIndex(), true, how(f)}} {
		for f.Change == "" && len(left.by[k]) > 0 {
			first := left.by[k][0]
			left.by[k] = left.by[k][1:]
			if !left.used[first] {
				left.used[first] = true
				return first
			}
		}
	}
	return nil
}
