package crdschema

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"time"
)

// pattern returns a regular expression, which is compiled once; nil for a text that is none.
func (k *Kind) pattern(text string) *regexp.Regexp {
	known, ok := k.patterns.Load(text)
	if !ok {
		compiled, _ := regexp.Compile(text)
		known, _ = k.patterns.LoadOrStore(text, compiled)
	}
	return known.(*regexp.Regexp)
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
	case "duration":
		return k.pattern(`^[-+]?(0|([0-9]+(\.[0-9]+)?\s*[a-zµ]+\s*)+)$`).MatchString(text)
	case "uuid":
		return k.pattern(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`).MatchString(text)
	case "mac":
		return k.pattern(`(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$`).MatchString(text)
	case "hostname":
		return k.pattern(`^[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9_])?)*\.?$`).MatchString(text)
	}
	return err == nil
}
