package scan

import (
	"math"
	"strconv"
	"strings"
)

// Plain gives text its YAML 1.1 type as go-yaml v2 does: nil, bool, int64, float64, string, and uint64 for
// integers that do not fit an int64 but would fit a uint64.
func Plain(text string) any {
	if text == "" {
		return nil
	}
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '+', c == '-':
		return resolveNumber(text)
	case c == '.':
		return resolveDotted(text)
	case strings.IndexByte("yYnNtTfFoO~", c) >= 0:
		return resolveWord(text)
	}
	return text
}

func resolveWord(text string) any {
	switch text {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false
	case "~", "null", "Null", "NULL":
		return nil
	}
	return text
}

func resolveDotted(text string) any {
	switch text {
	case ".inf", ".Inf", ".INF":
		return math.Inf(1)
	case ".nan", ".NaN", ".NAN":
		return math.NaN()
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return text
}

// resolveNumber is for text that begins with a digit or a sign. strconv's base 0 reads 0x, 0b, 0o and a leading 0.
func resolveNumber(text string) any {
	switch text {
	case "+.inf", "+.Inf", "+.INF":
		return math.Inf(1)
	case "-.inf", "-.Inf", "-.INF":
		return math.Inf(-1)
	}
	digits := text
	if strings.IndexByte(text, '_') >= 0 {
		digits = strings.ReplaceAll(text, "_", "")
	}
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return u
	}
	if isDecimalFloat(digits) {
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return f
		}
	}
	return text
}

// isDecimalFloat says whether s is [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isDecimalFloat(s string) bool {
	s = trimSign(s)
	whole := leadingDigits(s)
	s = s[whole:]
	fraction := 0
	if s != "" && s[0] == '.' {
		fraction = leadingDigits(s[1:])
		s = s[1+fraction:]
	}
	if whole == 0 && fraction == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = trimSign(s[1:])
	return s != "" && leadingDigits(s) == len(s)
}

func trimSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
