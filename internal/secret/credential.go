package secret

import (
	"slices"
	"strings"
)

// login reports whether a text has a pull secret in it, or a kubeconfig with more than names of files: what lets its owner in, as a private
// key does.
func (s *search) login(text string) bool { return s.pullSecret(text) || s.kubeconfig(text) }

// privateKey looks for the line that a private key in PEM begins with, of any sort.
func privateKey(text string) bool {
	const begin, longest = "-----BEGIN ", 40
	for {
		_, after, found := strings.Cut(text, begin)
		if !found {
			return false
		}
		if strings.Contains(after[:min(longest, len(after))], "PRIVATE KEY") {
			return true
		}
		text = after
	}
}

// pullSecret looks for logins of registries, as container tools keep them.
func (s *search) pullSecret(text string) bool {
	return strings.Contains(text, "auths") && slices.ContainsFunc([]string{"auth", "password", "identitytoken", "registrytoken"}, func(key string) bool {
		return s.hasValue(text, key)
	})
}

// kubeconfig looks for logins of clusters.
func (s *search) kubeconfig(text string) bool {
	if s.hasValue(text, "client-key-data") {
		return true
	}
	keys := []string{"token", "password", "id-token", "refresh-token", "access-token"}
	return strings.Contains(text, "users") && (strings.Contains(text, "contexts") || s.hasKey(text, "user", func(string) bool { return true })) &&
		slices.ContainsFunc(keys, func(key string) bool { return s.hasValue(text, key) })
}

// hasValue reports whether a key stands in a text of YAML or JSON, with a value behind it. What takes too much work counts as one.
func (s *search) hasValue(text, key string) bool {
	return s.hasKey(text, key, func(after string) bool {
		value := skip(after, openers)
		return value != "" && isWord(value[0]) && !strings.HasPrefix(value, "null")
	})
}

// hasKey reports whether a key stands in a text with something behind its colon that is as it should be.
func (s *search) hasKey(text, key string, is func(after string) bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], key)
		if i < 0 {
			return false
		}
		begin := at + i
		at = begin + len(key)
		if begin > 0 && (isWord(text[begin-1]) || text[begin-1] == '-') {
			continue
		}
		value := skip(text[at:], closers)
		if !s.spend(len(text) - at - len(value)) {
			return true
		}
		if value != "" && value[0] == ':' && is(value[1:]) {
			return true
		}
	}
}
