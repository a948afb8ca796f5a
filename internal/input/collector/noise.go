package collector

import (
	"bytes"
	"slices"
	"strings"
)

// The beginnings of messages of kubectl, oc and others that it writes to the same terminal as its output.
const (
	warning     = "Warning"
	serverError = "Error from server"
	noServer    = "Unable to connect to the server"
	refusal     = "The connection to the server"
	traceback   = "Traceback (most recent call last)"
	projects    = "You have access to " // oc login; what follows may be indented
	noProjects  = "You don't have any projects"
)

// measurements ends the API groups whose servers are often away: no cluster stores what they serve.
const measurements = "metrics.k8s.io"

// isErrorWord reports whether a text is the word before the first colon of messages of kubectl, git,
// curl and others that fetch CRs. A number in brackets may follow: FATA[0000].
func isErrorWord(text string) bool {
	word, number, _ := strings.Cut(text, "[")
	if strings.Contains(number, " ") {
		return false
	}
	switch word {
	case "error", "Error", "ERROR", "ERRO", "fatal", "Fatal", "FATAL", "FATA", "panic", "PANIC", "FAILED", "CRITICAL",
		"curl":
		return true
	}
	return false
}

// isProgram reports whether a text is the name of a program that fetches or prints CRs, or runs one
// that does. It may as well be the name of a field.
func isProgram(text string) bool {
	switch text {
	case "bash", "-bash", "sh", "zsh", "cat", "ls", "ssh", "scp", "kubectl", "oc", "helm", "kustomize", "make", "tar",
		"gzip", "zcat", "timeout", "env", "xargs", "vault", "sops", "gpg", "git", "wget", "jq", "yq", "ytt", "jsonnet",
		"docker", "podman", "aws", "gcloud", "python", "python3":
		return true
	}
	return strings.HasPrefix(text, "/") || strings.HasSuffix(text, ".sh") || strings.HasSuffix(text, ".py")
}

// IsNoise reports whether the first line of a text is a message of kubectl, or of a command that
// failed, that was written to the same file as its output.
func IsNoise(line []byte) bool {
	if beginsCR(line) {
		return false
	}
	return IsOpening(line) || IsError(line) || isLogLine(line) || isGoLine(line)
}

// IsOpening reports whether the first line of a text is what a shell or a client of a cluster prints
// before CRs, and no failure: a prompt, a command, which project it uses, a warning.
func IsOpening(line []byte) bool {
	return !beginsCR(line) && (isProgress(line) || isPrompt(line) || isWarning(line))
}

// beginsCR reports whether a text begins as nearly every CR in YAML does, so that nothing else has to
// be tried.
func beginsCR(line []byte) bool {
	return bytes.HasPrefix(line, []byte("apiVersion: ")) || bytes.HasPrefix(line, []byte("kind: "))
}

// isProgress reports whether the first line of a text says what a client of a cluster does, and no
// more.
func isProgress(line []byte) bool {
	for _, start := range []string{
		"No resources found", "Flag --", "Defaulted container ", // kubectl get, kubectl exec
		"+ ", "++ ", // the commands of a shell script with -x
		"Login successful", "Logged into ", projects, noProjects, "You have one project ",
		"Using project ", "Now using project ", "Already on project ", "Welcome! See 'oc help'", "Authentication required for ",
		"Username: ", "Console URL: ", // oc login, oc project
		"Switched to context ", "Updated context ", "Added new context ", // kubectl config, aws eks
		"Starting pod/", "To use host binaries, run ", "Pod IP: ", "If you don't see a command prompt", "Removing debug pod",
		"Temporary namespace ", "Creating debug namespace/", "Removing debug namespace/", "Unable to use a TTY - ", // oc debug
	} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	what, rest, _ := bytes.Cut(firstLine(line), []byte(" "))
	if done, _, _ := strings.Cut(string(rest), " "); bytes.Count(what, []byte("/")) == 1 { // configmap/a created
		return slices.Contains([]string{"created", "configured", "unchanged", "patched", "labeled", "annotated"}, done)
	}
	switch string(what) {
	case "Context", "Property", "Cluster", "User": // kubectl config
		return bytes.HasPrefix(rest, []byte(`"`)) && bytes.HasSuffix(rest, []byte(".")) && !saysFailure(rest)
	}
	return false
}

// isGoLine reports whether the first line of a text begins with a place in a Go program, as helm's
// remarks about a chart do: "walk.go:74: found symbolic link".
func isGoLine(line []byte) bool {
	file, rest, found := bytes.Cut(firstLine(line), []byte(".go:"))
	number, _, ended := bytes.Cut(rest, []byte(": "))
	return found && ended && len(number) > 0 &&
		!bytes.ContainsAny(file, " :\"'") && len(bytes.Trim(number, "0123456789")) == 0
}

// NoiseLength returns the length of the message at the beginning of a text, which IsNoise or IsText
// reports: of its line, or of all lines of a traceback, or of a list of projects.
func NoiseLength(text []byte) (length int) {
	isTraceback := bytes.HasPrefix(text, []byte(traceback))
	isProjects := bytes.HasPrefix(text, []byte(projects)) || bytes.HasPrefix(text, []byte(noProjects))
	for line := range bytes.Lines(text) {
		isIndented := (isTraceback || isProjects) && bytes.HasPrefix(line, []byte(" "))
		isPart := length == 0 || isIndented || isProjects && len(bytes.TrimSpace(line)) == 0
		isLast := !isPart && isTraceback && IsText(line) // KeyError: 1
		if isPart || isLast {
			length += len(line)
		}
		if !isPart || !isTraceback && !isProjects {
			break
		}
	}
	return length
}

// IsMessageKey reports whether the text before the first colon of a line, which YAML reads as a key,
// may begin a message of a program.
func IsMessageKey[T string | []byte](key T) bool {
	text := string(key)
	return text == warning || isErrorWord(text) || IsStatusCode(text) || isProgram(text) || !isFieldName(text)
}

// IsText reports whether the first line of a text is a sentence of a program: YAML may read it as a
// field, but no field of an object has such a name, or two colons on its line.
func IsText(line []byte) bool {
	if len(line) == 0 || bytes.IndexByte([]byte(" \t\r\n#-?{}[]\"'%!&*|>@`,"), line[0]) >= 0 {
		return false
	}
	line = firstLine(line)
	key, _, found := bytes.Cut(line, []byte(": "))
	before, ended := bytes.CutSuffix(line, []byte(":"))
	if !found {
		key = before
	}
	return (found || ended) && (found && ended || !isFieldName(string(key)))
}

// isFieldName reports whether a field of an object may have a name, or one that a user mistyped or
// put too far to the left: app.kubernetes.io/name. It has no blanks, and not only capital letters. It
// is no path, such as net/http, and not the name of a client of a cluster.
func isFieldName(name string) bool {
	if name == "kubectl" || name == "oc" || strings.HasSuffix(name, "Error") {
		return false
	}
	if isWord(name) { // as most fields are
		return true
	}
	domain, rest, isPath := strings.Cut(name, "/")
	if strings.ContainsAny(name, " \t:=()[]") || strings.HasPrefix(name, ".") ||
		isPath && !strings.Contains(domain, ".") || strings.Contains(rest, "/") {
		return false
	}
	isLower := func(c rune) bool { return c >= 'a' && c <= 'z' }
	isUpper := func(c rune) bool { return c >= 'A' && c <= 'Z' }
	return len(name) == 1 || strings.ContainsFunc(name, isLower) || !strings.ContainsFunc(name, isUpper)
}

// isWord reports whether a text has only letters, the first one a small one.
func isWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (i == 0 || c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != ""
}

// IsField reports whether the first line of a text, which is noise, may as well be a field of YAML.
func IsField(line []byte) bool {
	key, value, found := bytes.Cut(firstLine(line), []byte(": "))
	return found && !bytes.ContainsAny(key, " ]") && !bytes.Contains(value, []byte(": "))
}

// isWarning reports whether the first line of a text says itself that it is no failure.
func isWarning(line []byte) bool {
	const longest = 200 // of what may be before the word
	start, _, _ := strings.Cut(string(line[:min(len(line), longest)]), "\n")
	level, _, _ := strings.Cut(start, ": ")
	if slices.Contains([]string{"WARN", "INFO", "Info", "NOTE", "Note", "NOTICE", "DEBUG", "HINT", "Hint"}, level) {
		return true
	}
	start = strings.ToLower(start)
	for _, level := range []string{"warning: ", "[warning] ", "[warn] ", "[info] ", "[debug] "} {
		if strings.HasPrefix(start, level) {
			return true
		}
	}
	return IsText(line) && slices.ContainsFunc(
		[]string{" warning: ", "level=warn", "level=info", "level=debug"},
		func(level string) bool { return strings.Contains(start, level) },
	)
}

// IsError reports whether the first line of a text is a message of a command that failed.
func IsError(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	for _, start := range []string{serverError, noServer, refusal, traceback, "[ERROR] ", "[FATAL] "} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	if isWarning(line) {
		return false
	}
	line = firstLine(line)
	key, text, found := bytes.Cut(line, []byte(": "))
	switch {
	case !found:
		return false
	case isLogLine(line):
		return (line[0] == 'E' || line[0] == 'F') && !bytes.Contains(line, []byte(measurements))
	case string(key) == "curl":
		return bytes.HasPrefix(text, []byte("(")) && isSentence(text)
	case isErrorWord(string(key)) || IsStatusCode(string(key)):
		return isSentence(text)
	case IsText(line):
		return saysFailure(line) && !bytes.Contains(line, []byte(measurements))
	}
	return isSystemError(key, text)
}

// isSentence reports whether a text is a message rather than the value of a field: it has several
// words, or is the one that Go programs print at the end of a stream.
func isSentence(text []byte) bool {
	text = bytes.TrimSpace(text)
	return bytes.ContainsAny(text, " \t") || string(text) == "EOF"
}

// saysFailure reports whether a sentence of a program has a word for a failure.
func saysFailure(sentence []byte) bool {
	text := strings.ToLower(string(sentence))
	return slices.ContainsFunc([]string{
		"error", "fail", "fatal", "exception", "denied", "not found", "no such", "refused", "unexpected", "unable", "cannot",
		"can't", "could not", "couldn't", "invalid", "unauthorized", "unauthenticated", "forbidden", "timeout", "timed out",
		"unavailable", "broken pipe", "panic", "erro[", "fata[", "killed", "terminated", "exceeded", "no space left",
		"reset by peer", "closed by", "connection lost", "out of memory",
	}, func(word string) bool { return strings.Contains(text, word) })
}

// isSystemError reports whether a program says what it failed in, or what the system refused it:
// "bash: line 1: kubectl: command not found", "cat: a.yaml: No such file or directory". A sentence
// for people in a field, such as a description, is none.
func isSystemError(key, text []byte) bool {
	program := string(key)
	if bytes.ContainsAny(key, " ") || slices.Contains([]string{
		"message", "reason", "description", "title", "summary", "rationale", "instructions", "note", "warning", "status",
		"name",
	}, program) {
		return false
	}
	text = bytes.TrimSpace(text)
	for _, end := range []string{
		"command not found", "o such file or directory", "ermission denied", "onnection refused", "onnection timed out",
		"nexpected end of file", "nexpected EOF in archive", "nexpected EOF", "roken pipe", "o secret key",
		"onnection lost", "onnection reset by peer", "losed by remote host", "handshake timeout", "i/o timeout",
		"deadline exceeded", "ut of memory", "o space left on device", "annot allocate memory",
	} {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	for _, start := range []string{
		"error: ", "Error: ", "error (", "Error response ", "server returned error", "can't open ", "sending signal ",
		"command not found: ", "*** [",
	} {
		if bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return bytes.HasSuffix(text, []byte(": not found")) || isProgram(program) && saysFailure(text) && isSentence(text) ||
		(program == "signal" || isProgram(program)) && isSignal(string(text))
}

// isSignal reports whether a text is the system's name of a signal that ends a program.
func isSignal(text string) bool {
	switch strings.ToLower(text) {
	case "killed", "terminated", "interrupt", "hangup", "aborted", "segmentation fault", "broken pipe":
		return true
	}
	return false
}

// IsStatus reports whether the first line of a text is the number and the name of an error of HTTP.
func IsStatus(line []byte) bool {
	key, _, found := bytes.Cut(firstLine(line), []byte(": "))
	return found && IsStatusCode(string(key))
}

// IsStatusCode reports whether a text is the number of an error of HTTP.
func IsStatusCode(text string) bool {
	return len(text) == len("404") && (text[0] == '4' || text[0] == '5') && strings.Trim(text[1:], "0123456789") == ""
}

// firstLine returns the first line of a text without its end, and nothing of a line that is too long
// for a message.
func firstLine(text []byte) []byte {
	const longest = 1000
	line, _, ended := bytes.Cut(text[:min(len(text), longest)], []byte("\n"))
	if !ended && len(text) > longest {
		return nil
	}
	return bytes.TrimRight(line, " \r")
}

// FailureIn reports whether a message of a command says that objects could not be collected, and
// which; the plural is "" if it does not say which. It is no failure if the cluster does not have the
// objects, or if the request was for something else.
func FailureIn(message string) (id PathID, failed bool) {
	rest, ofServer := strings.CutPrefix(message, serverError)
	if !ofServer {
		return id, IsError([]byte(message)) && !isHarmless(message)
	}
	reason, detail, _ := strings.Cut(rest, ": ")
	if slices.Contains([]string{" (NotFound)", " (BadRequest)", " (MethodNotAllowed)"}, reason) {
		return id, false
	}
	if resource, _, ok := strings.Cut(detail, " is forbidden"); ok { // configmaps "a" is forbidden: User …
		return resourceIn(resource), true
	}
	if _, request, ok := strings.Cut(detail, "(get "); ok { // … unable to handle the request (get widgets.example.com)
		request, _, _ = strings.Cut(request, ")")
		return resourceIn(request), true
	}
	return id, true
}

// isHarmless reports whether an error says that the cluster has none of the objects.
func isHarmless(message string) bool {
	for _, text := range []string{
		"the server doesn't have a resource type", "the server could not find the requested resource",
		"no matching resources found",
	} {
		if strings.Contains(message, text) && !strings.Contains(message, "get resource list") {
			return true
		}
	}
	return false
}

// resourceIn reads a resource in a message of kubectl: roles.rbac.authorization.k8s.io, or with the
// name of an object: configmaps "a".
func resourceIn(text string) (id PathID) {
	resource, name, _ := strings.Cut(text, " ")
	plural, group, known := strings.Cut(resource, ".")
	if id.Plural, id.Group = plural, group; !known {
		id.Group = "*"
	}
	id.Name = strings.Trim(name, `"`)
	return id
}

// isPrompt reports whether the first line of a text is a shell prompt with a command that prints
// CRs, or with none, as behind the last one: "[core@node ~]$ oc get", "sh-5.1# sudo kubectl get",
// "$ cat cr.yaml", "[root@bastion ~]#", "sh-4.4# exit".
func isPrompt(line []byte) bool {
	const longest = 400
	line, _, _ = bytes.Cut(line[:min(len(line), longest)], []byte("\n"))
	end := bytes.IndexAny(line, "$#>")
	if arrow := []byte("➜ "); bytes.HasPrefix(line, arrow) { // of zsh
		end = len(arrow) - 2
	}
	if end < 0 || end == 0 && line[0] == '#' {
		return false
	}
	before := line[:end]
	if command := string(bytes.TrimSpace(line[end+1:])); command == "" || command == "exit" || command == "logout" {
		return isBarePrompt(before)
	}
	if !bytes.HasPrefix(line[end+1:], []byte(" ")) {
		return false
	}
	if bytes.Contains(before, []byte(": ")) || bytes.HasPrefix(before, []byte("- ")) ||
		bytes.ContainsAny(before, `"'{`) {
		return false // it is YAML or JSON
	}
	for _, client := range []string{" oc ", " kubectl ", " cat "} {
		if bytes.Contains(line[end+1:], []byte(client)) {
			return true
		}
	}
	return false
}

// isBarePrompt reports whether a text is a shell prompt without its last character: "[root@bastion ~]",
// "user@host:~", "sh-5.1".
func isBarePrompt(text []byte) bool {
	user, host, named := bytes.Cut(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("[")), []byte("]")), []byte("@"))
	if named {
		inBrackets := text[0] == '[' && bytes.HasSuffix(text, []byte("]"))
		return len(user) > 0 && !bytes.ContainsAny(user, " :") && (inBrackets || bytes.Contains(host, []byte(":")))
	}
	shell, version, _ := bytes.Cut(text, []byte("-"))
	return (string(shell) == "sh" || string(shell) == "bash") && len(version) > 0 &&
		len(bytes.Trim(version, "0123456789.")) == 0
}

// isLogLine reports whether a line has klog's format: a letter, month and day, the time.
func isLogLine(line []byte) bool {
	const shape = "I0102 15:04:05."
	if len(line) < len(shape) || bytes.IndexByte([]byte("IWEF"), line[0]) < 0 {
		return false
	}
	for i := 1; i < len(shape); i++ {
		digit := line[i] >= '0' && line[i] <= '9'
		if wantDigit := shape[i] >= '0' && shape[i] <= '9'; digit != wantDigit || !wantDigit && line[i] != shape[i] {
			return false
		}
	}
	return true
}

// LogSection returns the length of the section of logs at the beginning of a text; `kubectl
// cluster-info dump` writes such sections between its Lists. It returns 0 if no section begins. A
// section that does not end lasts until the next one, or the end of the text.
func LogSection(text []byte) (length int, ended bool) {
	const first, last = "==== START logs for ", "==== END logs for "
	if !bytes.HasPrefix(text, []byte(first)) {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		switch {
		case length > 0 && bytes.HasPrefix(line, []byte(first)):
			return length, false
		case bytes.HasPrefix(line, []byte(last)):
			return length + len(line), true
		}
		length += len(line)
	}
	return length, false
}
