package collector

import "bytes"

// IsNoise reports whether the first line of a text is a message of kubectl that was written to the
// same file as its output.
func IsNoise(line []byte) bool {
	for _, start := range []string{"Warning: ", "error: ", "Error from server", "No resources found", "Flag --", "Defaulted container "} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return isLogLine(line) || IsPrompt(line)
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

// LogSection returns the length of the section of logs at the beginning of a text, without the rest
// of its last line; `kubectl cluster-info dump` writes such sections between its Lists. It returns
// 0 if no section begins, and the length of the text if the section does not end.
func LogSection(text []byte) int {
	const last = "\n==== END logs for "
	if !bytes.HasPrefix(text, []byte("==== START logs for ")) {
		return 0
	}
	end := bytes.Index(text, []byte(last))
	if end < 0 {
		return len(text)
	}
	return end + len(last)
}
