package main

import "hash/fnv"

// random is a sequence of numbers that depends only on a seed and a name. It is SplitMix64 (Steele,
// Lea, Flood: Fast splittable pseudorandom number generators, 2014), implemented here so that no
// version of Go changes the sequence.
type random struct{ state uint64 }

func newRandom(seed uint64, name string) *random {
	h := fnv.New64a()
	h.Write([]byte(name))
	return &random{state: h.Sum64() ^ seed*0x9e3779b97f4a7c15}
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n returns a number from 0 to limit-1.
func (r *random) n(limit int) int { return int(r.next() % uint64(limit)) }

// percent returns true with a probability of p percent.
func (r *random) percent(p int) bool { return r.n(100) < p }

func (r *random) word() string {
	all := words()
	return all[r.n(len(all))]
}

// appendFrom appends count characters of an alphabet of at most 64.
func (r *random) appendFrom(b []byte, alphabet string, count int) []byte {
	var bits uint64
	for i := range count {
		if i%8 == 0 {
			bits = r.next()
		}
		b = append(b, alphabet[int(bits&0xff)%len(alphabet)])
		bits >>= 8
	}
	return b
}

// The alphabets of generated names, of hashes, and of base64.
const (
	nameLetters = "bcdfghjklmnpqrstvwxz2456789"
	hexDigits   = "0123456789abcdef"
	base64Chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)

func (r *random) suffix(count int) string { return string(r.appendFrom(nil, nameLetters, count)) }

func (r *random) hex(count int) string { return string(r.appendFrom(nil, hexDigits, count)) }

// uid returns an identifier in the form of an API server's.
func (r *random) uid() string {
	h := r.appendFrom(nil, hexDigits, 32)
	h[12], h[16] = '4', "89ab"[r.n(4)]
	return string(h[:8]) + "-" + string(
		h[8:12],
	) + "-" + string(h[12:16]) + "-" + string(h[16:20]) + "-" + string(h[20:])
}

// certificate returns a text of 21 lines that looks like a certificate.
func (r *random) certificate() string {
	b := []byte("-----BEGIN CERTIFICATE-----\n")
	for range 19 {
		b = append(r.appendFrom(b, base64Chars, 64), '\n')
	}
	return string(append(b, "-----END CERTIFICATE-----\n"...))
}

// words returns the words of names, messages and descriptions.
func words() []string {
	return []string{
		"router", "console", "ingress", "monitor", "scheduler", "registry", "network", "storage", "machine", "cluster", "catalog", "webhook",
		"operator", "controller", "manager", "agent", "daemon", "proxy", "driver", "plugin", "resolver", "collector", "exporter", "gateway",
		"synced", "started", "stopped", "observed", "updated", "skipped", "retried", "expired", "renewed", "elected", "evicted", "mounted",
		"cache", "lease", "handler", "queue", "volume", "certificate", "endpoint", "condition", "revision", "generation", "condition", "status",
	}
}
