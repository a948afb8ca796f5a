package kubeyaml

import (
	"math"
	"strconv"
	"strings"
)

// ResolvePlain resolves plain text to its YAML 1.1 value as go-yaml v2 does: nil, bool, int64,
// float64, string, and uint64 for integers that fit only a uint64.
func ResolvePlain(text string) any {
	if text == "" {
		return nil
	}
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-':
		return resolveNumber(text)
	case c == '.':
		return resolveDotted(text)
	}
	if value, means := meaning(text); means {
		return value
	}
	return text
}

// IsWord reports whether ResolvePlain returns text unchanged. It reports false for every text that
// begins like a number.
func IsWord(text string) bool {
	if text == "" || text[0] >= '0' && text[0] <= '9' || strings.IndexByte("+-.", text[0]) >= 0 {
		return false
	}
	_, means := meaning(text)
	return !means
}

// meaning returns the value of a word, and whether that differs from the word itself.
func meaning(word string) (value any, means bool) {
	switch word {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	case "~", "null", "Null", "NULL":
		return nil, true
	}
	return nil, false
}

func resolveDotted(text string) any {
	switch text {
	case ".inf", ".Inf", ".INF":
		return math.Inf(1)
	case ".nan", ".NaN", ".NAN":
		return math.NaN()
	}
	if len(text) == 1 || text[1] < '0' || text[1] > '9' { // as the key "." of managed fields
		return text
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return text
}

// resolveNumber resolves text that begins with a digit or a sign. strconv's base 0 reads 0x, 0b, 0o
// and a leading 0.
func resolveNumber(text string) any {
	switch text {
	case "+.inf", "+.Inf", "+.INF":
		return math.Inf(1)
	case "-.inf", "-.Inf", "-.INF":
		return math.Inf(-1)
	}
	// true of most texts, such as hashes and quantities; strconv would allocate an error for each
	further := "+-._eE"
	if strings.HasPrefix(strings.TrimLeft(text, "+-_"), "0") {
		further = "+-._abcdefABCDEFoOxX" // of another base
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && strings.IndexByte(further, c) < 0 {
			return text
		}
	}
	digits := text
	if strings.IndexByte(text, '_') >= 0 {
		digits = strings.ReplaceAll(text, "_", "")
	}
	if !strings.ContainsAny(digits[1:], "+-.") { // no integer has these; strconv allocates its errors
		if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
			return u
		}
	}
	if isDecimalFloat(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return f
		}
	}
	return text
}

// isDecimalFloat reports whether s is [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isDecimalFloat(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	d := readDecimal(s)
	return d.whole+d.fraction > 0 && (!d.exponential || d.exponent > 0) && d.length == len(s)
}

// decimal is the shape of a number without its sign: the number of digits in each part.
type decimal struct {
	whole, fraction, exponent int
	point, exponential        bool // whether it has a point, or an e
	length                    int  // length in bytes
}

// readDecimal returns the shape of the number at the beginning of a text. Any part may have no
// digits.
func readDecimal[T string | []byte](text T) (d decimal) {
	digits := func() (n int) {
		for ; d.length < len(text) && text[d.length] >= '0' && text[d.length] <= '9'; d.length++ {
			n++
		}
		return n
	}
	d.whole = digits()
	if d.point = d.length < len(text) && text[d.length] == '.'; d.point {
		d.length++
		d.fraction = digits()
	}
	if d.exponential = d.length < len(text) && text[d.length]|0x20 == 'e'; d.exponential {
		if d.length++; d.length < len(text) && (text[d.length] == '+' || text[d.length] == '-') {
			d.length++
		}
		d.exponent = digits()
	}
	return d
}
