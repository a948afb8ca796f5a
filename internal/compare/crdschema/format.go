package crdschema

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"time"

	"github.com/validationtool/validationtool/internal/text/quantity"
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

// expressionOf returns the regular expression of a format that an API server checks by its characters,
// "" for other formats. Check digits of ISBNs and credit cards are not checked.
func expressionOf(format string) string {
	const (
		label = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
		host  = `[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9_])?`
		octet = `\s*(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])\s*`
	)
	switch format {
	case "bsonobjectid":
		return `(?i)^[0-9a-f]{24}$`
	case "creditcard":
		return `^\D*(\d\D*){12,19}$`
	case "duration":
		return `^[-+]?(0|([0-9]+(\.[0-9]+)?\s*[a-zµ]+\s*)+)$`
	case "email":
		return `.@[^@\s]`
	case "hexcolor":
		return `(?i)^#?([0-9a-f]{3}|[0-9a-f]{6})$`
	case "hostname":
		return `^` + host + `(\.` + host + `)*\.?$`
	case "isbn":
		return `(?i)^([- ]*\d){9}([- ]*\d){3}?[- ]*[\dx]$`
	case "isbn10":
		return `(?i)^([- ]*\d){9}[- ]*[\dx]$`
	case "isbn13":
		return `^([- ]*\d){13}$`
	case "k8s-long-name":
		return `^` + label + `(\.` + label + `)*$`
	case "k8s-short-name":
		return `^` + label + `$`
	case "mac":
		return `(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$`
	case "rgbcolor":
		return `^rgb\(` + octet + `,` + octet + `,` + octet + `\)$`
	case "ssn":
		return `^\d{3}[- ]?\d{2}[- ]?\d{4}$`
	case "uuid":
		return `(?i)^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$`
	case "uuid3":
		return `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`
	case "uuid4":
		return `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`
	case "uuid5":
		return `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`
	}
	return ""
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
	case quantityFormat:
		_, err = quantity.ParseQuantity(text)
	case "uri":
		_, err = url.ParseRequestURI(text)
	case "k8s-short-name":
		return len(text) <= 63 && k.pattern(expressionOf(format)).MatchString(text)
	case "k8s-long-name":
		return len(text) <= 253 && k.pattern(expressionOf(format)).MatchString(text)
	default:
		known := expressionOf(format)
		return known == "" || k.pattern(known).MatchString(text)
	}
	return err == nil
}
