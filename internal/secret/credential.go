package secret

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

// hasCredentials reports whether a text contains credentials: a pull secret, a kubeconfig with more
// than file names, or a password hash as Ignition expects it.
func hasCredentials(text string) bool {
	return pullSecret(text) || kubeconfig(text) || hasKey(text, passwordHash, ":", func(after string) bool {
		const method = 5 // longest method name in $6$salt$hash
		value := skip(after, openers)
		return strings.HasPrefix(value, "$") && strings.Contains(value[1:min(1+method, len(value))], "$")
	})
}

const passwordHash = "passwordHash"

// isCredentials reports whether the value of a key consists of credentials: the user of a
// kubeconfig, the registries of a pull secret, a password hash.
func isCredentials(key string, v any) bool {
	text, _ := v.(string)
	switch key {
	case "client-key-data", passwordHash:
		return text != ""
	case "auth":
		return isBasic(text)
	case "user":
		env, _ := field(field(v, "exec"), "env").([]any)
		config, _ := field(field(v, "auth-provider"), "config").(map[string]any)
		return hasField(v, "token", "password") || len(env)+len(config) > 0
	case "auths":
		registries, _ := v.(map[string]any)
		for _, r := range registries {
			if hasField(r, registryKeys()...) {
				return true
			}
		}
	}
	return false
}

func field(v any, key string) any {
	m, _ := v.(map[string]any)
	return m[key]
}

func hasField(v any, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		text, _ := field(v, key).(string)
		return text != ""
	})
}

// isBasic reports whether a text is user:password in base64, as registries expect it.
func isBasic(text string) bool {
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && strings.Contains(string(plain), ":") &&
		!strings.ContainsFunc(string(plain), func(r rune) bool { return r < ' ' || r > '~' })
}

// registryKeys returns the keys of a registry's credentials in a pull secret.
func registryKeys() []string { return []string{"auth", "password", "identitytoken", "registrytoken"} }

// privateKey searches for the first words of a private key in PEM, PGP, SSH2, PuTTY or age format.
func privateKey(text string) bool {
	if strings.Contains(text, "PuTTY-User-Key-File-") || strings.Contains(text, "AGE-SECRET-KEY-") {
		return true
	}
	if !strings.Contains(text, "PRIVATE KEY") {
		return false
	}
	begins, _ := regexp.MatchString(`(?s)---- ?BEGIN .{0,29}PRIVATE KEY`, text)
	return begins
}

// pullSecret searches for registry credentials in the current format of container tools, and in the
// old one that has no "auths" key.
func pullSecret(text string) bool {
	if hasKey(text, "auth", ":", func(after string) bool {
		value := skip(after, openers)
		if end := strings.IndexFunc(value, func(c rune) bool { return !isBase64(c) }); end >= 0 {
			value = value[:end]
		}
		return isBasic(value)
	}) {
		return true
	}
	return strings.Contains(text, "auths") &&
		slices.ContainsFunc(registryKeys(), func(key string) bool { return hasValue(text, key) })
}

// kubeconfig searches for cluster credentials.
func kubeconfig(text string) bool {
	if hasValue(text, "client-key-data") {
		return true
	}
	keys := []string{"token", "password", "id-token", "refresh-token", "access-token", "client-secret"}
	if strings.Contains(
		text, "client.authentication.k8s.io",
	) { // the environment of an exec plugin
		keys = append(keys, "value")
	}
	return strings.Contains(text, "users") &&
		(strings.Contains(text, "contexts") || hasKey(text, "user", ":", func(string) bool { return true })) &&
		slices.ContainsFunc(keys, func(key string) bool { return hasValue(text, key) })
}

// hasValue reports whether a text of YAML or JSON has a key with a value.
func hasValue(text, key string) bool {
	return hasKey(text, key, ":", func(after string) bool {
		value := skip(after, openers)
		return value != "" && isWord(value[0]) && !strings.HasPrefix(value, "null")
	})
}

// hasKey reports whether a text has the key, then one of the characters in colons, then text
// that the function is accepts.
func hasKey(text, key, colons string, is func(after string) bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], key)
		if i < 0 {
			return false
		}
		begin := at + i
		at = begin + len(key)
		escaped := begin > 1 && text[begin-2] == '\\' // as in "\nkey" in JSON
		if begin > 0 && !escaped && (isWord(text[begin-1]) || text[begin-1] == '-') {
			continue
		}
		value := skip(text[at:], closers)
		if value != "" && strings.IndexByte(colons, value[0]) >= 0 && is(value[1:]) {
			return true
		}
	}
}
