package budget

import "bytes"

// OfValue is how much memory a decoded value takes, roughly: up to so many bytes were measured.
const OfValue = 400

// Decoding is how much memory a text of YAML or JSON takes while it is decoded and when it is, roughly and rather too much than too
// little. What aliases repeat is not known of a text, and comes to it.
func Decoding(text []byte) int64 {
	const ofText = 3
	return ofText*int64(len(text)) + Decoded(text)
}

// Decoded is the part of Decoding that is for the values, without their text.
func Decoded(text []byte) int64 {
	return OfValue * int64(Values(text))
}

// Steps is about how much work it takes to read a text as YAML and to compare what it holds, in steps of a template.
func Steps(text []byte) int64 {
	const bytes, ofValue = 2, 30 // measured
	return int64(len(text)/bytes + ofValue*Values(text))
}

// Values is how many keys and values a text has at most, roughly: each needs one of a few characters.
func Values(text []byte) int {
	n := 0
	for _, c := range []string{",", ":", "-", "[", "{", "?"} {
		n += bytes.Count(text, []byte(c))
	}
	return n
}
