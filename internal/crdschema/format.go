package crdschema

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"time"
)

// hasFormat reports whether a text has a format. It returns true for formats that the API server
// ignores.
func hasFormat(text, format string) bool {
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
		return regexp.MustCompile(`^[-+]?(0|([0-9]+(\.[0-9]+)?\s*[a-zµ]+\s*)+)$`).MatchString(text)
	case "uuid":
		return regexp.MustCompile(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`).MatchString(text)
	case "mac":
		return regexp.MustCompile(`(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$`).MatchString(text)
	case "hostname":
		return regexp.MustCompile(`^[A-Za-z0-9_]([-A-Za-z0-9_.]*[A-Za-z0-9_])?\.?$`).MatchString(text)
	}
	return err == nil
}
