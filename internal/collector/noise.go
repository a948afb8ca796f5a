package collector

import (
	"bytes"
	"slices"
	"strings"
)

// The beginnings of messages of kubectl that it writes to the same terminal as its output.
const (
	warning     = "Warning"
	lowerError  = "error"
	serverError = "Error from server"
	noServer    = "Unable to connect to the server"
	refusal     = "The connection to the server"
)

// IsNoise reports whether the first line of a text is a message of kubectl that was written to the
// same file as its output.
func IsNoise(line []byte) bool {
	for _, start := range []string{
		warning + ": ", lowerError + ": ", serverError, noServer, refusal, "No resources found", "Flag --", "Defaulted container ",
	} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return isLogLine(line) || IsPrompt(line)
}

// IsMessageKey reports whether the text before the first colon of a line, which YAML reads as a key,
// begins a message of kubectl.
func IsMessageKey[T string | []byte](key T) bool {
	if len(key) < len(lowerError) {
		return false
	}
	switch key[0] {
	case 'E', 'F', 'I', 'T', 'U', 'W', 'e': // of most keys no more is read
		text := string(key)
		return text == warning || text == lowerError || strings.HasPrefix(text, serverError) ||
			strings.HasPrefix(text, noServer) || isLogLine([]byte(text))
	}
	return false
}

// FailureIn reports whether a message of kubectl says that objects could not be collected, and which;
// the plural is "" if it does not say which. It is no failure if the cluster does not have the
// objects, or if the request was for something else.
func FailureIn(message string) (id PathID, failed bool) {
	if strings.HasPrefix(message, noServer) || strings.HasPrefix(message, refusal) ||
		strings.HasPrefix(message, lowerError+": You must be logged in") {
		return id, true
	}
	rest, found := strings.CutPrefix(message, serverError)
	reason, detail, _ := strings.Cut(rest, ": ")
	if !found || slices.Contains([]string{" (NotFound)", " (BadRequest)", " (MethodNotAllowed)"}, reason) {
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

// IsPrompt reports whether the first line of a text is a shell prompt with a command that prints
// CRs: "[core@node ~]$ oc get", "sh-5.1# sudo kubectl get", "$ cat cr.yaml".
func IsPrompt(line []byte) bool {
	const longest = 400
	line, _, _ = bytes.Cut(line[:min(len(line), longest)], []byte("\n"))
	end := bytes.IndexAny(line, "$#>")
	if end < 0 || end == 0 && line[0] == '#' || !bytes.HasPrefix(line[end+1:], []byte(" ")) {
		return false
	}
	before := line[:end]
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
