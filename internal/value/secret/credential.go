package secret

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// isCredentials reports whether the value of a key consists of credentials: the user of a
// kubeconfig, the registries of a pull secret, a password hash.
func isCredentials(key string, v any) bool {
	text, _ := v.(string)
	switch key {
	case "client-key-data":
		return text != ""
	case "passwordHash", "password_hash":
		return isHash(text)
	case "auth":
		return isBasic(text)
	case "user":
		exec, _ := field(v, "exec").(map[string]any)
		config, _ := field(field(v, "auth-provider"), "config").(map[string]any)
		args, _ := exec["args"].([]any)
		env, _ := exec["env"].([]any)
		return hasField(v, "token", "password") || len(args)+len(env)+len(config) > 0
	case "HttpHeaders":
		headers, _ := v.(map[string]any)
		return len(headers) > 0
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

// hasField reports whether a map has one of the keys with a scalar that is neither null nor empty.
func hasField(v any, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		switch x := field(v, key).(type) {
		case nil, map[string]any, []any:
			return false
		default:
			return x != ""
		}
	})
}

// isHash reports whether a text stands for a password, and is neither a mark of a locked account nor
// a variable to be replaced.
func isHash(text string) bool {
	variable, _ := regexp.MatchString(`^\$(\{\w+\}|\(\w+\))$`, text)
	return strings.Trim(text, "*!x") != "" && !variable
}

// isBasic reports whether a text is user:password in base64, as registries expect it. The password
// may have any encoding.
func isBasic(text string) bool {
	plain := fromBase64(text)
	user, _, found := strings.Cut(plain, ":")
	control := func(r rune) bool { return r < ' ' }
	return found && user != "" && utf8.ValidString(user) && !strings.ContainsFunc(plain, control)
}

// registryKeys returns the keys of a registry's credentials in a pull secret.
func registryKeys() []string { return []string{"auth", "password", "identitytoken", "registrytoken"} }

// mayHaveCredentials reports whether a text has words of credentials, so that its structure decides.
func mayHaveCredentials(text string) bool {
	has := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc([]string{"client-key-data", "passwordHash", "password_hash", "auth", "HttpHeaders", clientKind}, has) ||
		has("user") && slices.ContainsFunc([]string{"token", "password", "exec"}, has)
}

// hasCredentials reports whether a text that has no structure contains credentials, such as a
// script: a pull secret, a kubeconfig with more than file names, an OAuthClient, or a password hash.
func hasCredentials(text string) bool {
	hash := func(after string) bool {
		value := skip(after, openers)
		if end := strings.IndexAny(value, " \t\r\n\"',}"); end >= 0 {
			value = value[:end]
		}
		return isHash(value)
	}
	any := func(string) bool { return true }
	return pullSecret(text) || kubeconfig(text) || hasKey(text, "passwordHash", ":", hash) ||
		hasKey(text, "password_hash", ":", hash) || strings.Contains(text, clientKind) && hasKey(text, "secret", ":", any)
}

// hasLogin reports whether a text has a URL with a password that is not masked, or a line of a file
// with users and their hashed passwords, such as htpasswd.
func hasLogin(text string) bool {
	const login = `://[^\s/?#@:"'<>]*:([^\s/?#@"'<>]+)@[^\s/]` +
		`|(?m:(?:^|\\[nr]|["'])[ \t-]*[^\s:"'$\\]+:` +
		`(?:\$(?:2[abxy]?|apr1|y|gy|sha1|argon2\w*|scrypt)\$\S|\$[1567]\$[^\s$]+\$[^\s$]` +
		`|\{S?(?:SHA|MD5)\d*\}\S))`
	has := func(part string) bool { return strings.Contains(text, part) }
	if !(has("://") && has("@")) && !has(":$") && !has(":{S") && !has(":{MD5") {
		return false
	}
	return slices.ContainsFunc(regexp.MustCompile(login).FindAllStringSubmatch(text, -1), func(m []string) bool {
		const mask = "*xX"
		return m[1] == "" || strings.Trim(m[1], mask) != ""
	})
}

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
	return hasKey(text, "auths", ":", func(string) bool { return true }) &&
		(hasValue(text, "HttpHeaders") || slices.ContainsFunc(registryKeys(), func(key string) bool { return hasValue(text, key) }))
}

// kubeconfig searches for cluster credentials.
func kubeconfig(text string) bool {
	if hasValue(text, "client-key-data") {
		return true
	}
	has := func(key string) bool { return hasKey(text, key, ":", func(string) bool { return true }) }
	keys := []string{"token", "password", "id-token", "refresh-token", "access-token", "client-secret"}
	if has("exec") {
		keys = append(keys, "value", "args")
	}
	return has("users") && (has("contexts") || has("user")) &&
		slices.ContainsFunc(keys, func(key string) bool { return hasValue(text, key) })
}

// hasValue reports whether a text of YAML or JSON has a key with a value other than null and an
// empty map or list.
func hasValue(text, key string) bool {
	return hasKey(text, key, ":", func(after string) bool {
		value := skip(after, openers)
		rest, null := strings.CutPrefix(value, "null")
		return value != "" && !strings.ContainsRune("]},~", rune(value[0])) && (!null || rest != "" && isWord(rest[0])) &&
			!strings.HasPrefix(value, "[]") && !strings.HasPrefix(value, "{}")
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
