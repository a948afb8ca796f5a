package crdschema

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"time"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

// expression is a compiled regular expression.
type expression struct {
	*regexp.Regexp     // nil for an invalid one
	instructions   int // see pattern.Instructions
}

// pattern compiles a regular expression, once for each text.
func (k *Kind) pattern(text string) expression {
	known, ok := k.patterns.Load(text)
	if !ok {
		compiled, _ := regexp.Compile(text)
		known, _ = k.patterns.LoadOrStore(text, expression{Regexp: compiled, instructions: pattern.Instructions(text)})
	}
	return known.(expression)
}

// formats returns regular expressions for the formats that an API server checks by their characters.
// Check digits of ISBNs and credit cards are not checked.
func formats() map[string]string {
	const (
		label = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
		host  = `[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9_])?`
		octet = `\s*(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])\s*`
	)
	return map[string]string{
		"bsonobjectid":   `(?i)^[0-9a-f]{24}$`,
		"creditcard":     `^\D*(\d\D*){12,19}$`,
		"duration":       `^[-+]?(0|([0-9]+(\.[0-9]+)?\s*[a-zµ]+\s*)+)$`,
		"email":          `.@[^@\s]`,
		"hexcolor":       `(?i)^#?([0-9a-f]{3}|[0-9a-f]{6})$`,
		"hostname":       `^` + host + `(\.` + host + `)*\.?$`,
		"isbn":           `(?i)^([- ]*\d){9}([- ]*\d){3}?[- ]*[\dx]$`,
		"isbn10":         `(?i)^([- ]*\d){9}[- ]*[\dx]$`,
		"isbn13":         `^([- ]*\d){13}$`,
		"k8s-long-name":  `^` + label + `(\.` + label + `)*$`,
		"k8s-short-name": `^` + label + `$`,
		"mac":            `(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$`,
		"rgbcolor":       `^rgb\(` + octet + `,` + octet + `,` + octet + `\)$`,
		"ssn":            `^\d{3}[- ]?\d{2}[- ]?\d{4}$`,
		"uuid":           `(?i)^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$`,
		"uuid3":          `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`,
		"uuid4":          `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`,
		"uuid5":          `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`,
	}
}

// hasFormat reports whether a text has a format. It returns true for formats that the API server
// ignores.
func (k *Kind) hasFormat(text, format string) bool {
	var err error
	switch format {
	case "ipv4", "ipv6":
		var ip netip.Addr
		ip, err = netip.ParseAddr(text)
		return err == nil && ip.Zone() == "" && ip.Is4() == (format == "ipv4")
	case "cidr":
		_, err = netip.ParsePrefix(text)
	case "byte":
		_, err = base64.StdEncoding.DecodeString(text)
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time", "datetime":
		_, err = time.Parse(time.RFC3339, text)
	case "uri":
		_, err = url.ParseRequestURI(text)
	case "k8s-short-name":
		return len(text) <= 63 && k.pattern(formats()[format]).MatchString(text)
	case "k8s-long-name":
		return len(text) <= 253 && k.pattern(formats()[format]).MatchString(text)
	default:
		known := formats()[format]
		return known == "" || k.pattern(known).MatchString(text)
	}
	return err == nil
}
