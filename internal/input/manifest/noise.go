package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// skipNoise skips lines before the objects: in a manifest, or behind an object, messages of commands,
// in other files those of no failure. Other files may be logs, which begin with messages too. A line
// that may be a field is one where other fields than those of an object follow.
func (r *reader) skipNoise(d kubeyaml.Document) kubeyaml.Document {
	isNoise := collector.IsOpening
	if r.name.manifest || len(r.out.Objects) > 0 {
		isNoise = collector.IsNoise
	}
	rest, field, statuses, texts := d, false, 0, 0
	for isNoise(rest.Text) {
		isText := collector.IsText(rest.Text)
		if collector.IsStatus(rest.Text) {
			statuses++
		}
		if isText {
			texts++
		}
		field = field || isText || collector.IsField(rest.Text)
		next := bytes.TrimLeft(rest.Text[collector.NoiseLength(rest.Text):], "\r\n")
		rest.Base += bytes.Count(rest.Text[:len(rest.Text)-len(next)], []byte{'\n'})
		rest.Text = next
	}
	next := firstContent(rest.Text)
	isMap := field && len(next) > 0 && !beginsObject(next) && !kubeyaml.LooksLikeJSON(next)
	isTable := texts > 1 && len(next) == 0 && !r.name.asked // such as translations of messages
	if isMap || isTable || statuses > 1 {                   // a server says no more than one
		return d
	}
	r.drop(d.Text[:len(d.Text)-len(rest.Text)], d.Base)
	return rest
}

// noiseLength returns the length of the noise, or the section of logs, at the beginning of a text.
func noiseLength(text []byte) int {
	length, _ := collector.LogSection(text)
	if length == 0 && collector.IsNoise(text) {
		return collector.NoiseLength(text)
	}
	return length
}

// withoutNoise reads a YAML document without the noise in it, and reports whether it has any and is
// valid without it. The lines of the noise become comments, so that others keep their numbers. valid
// is set if the document is valid with them: then a sentence is noise that YAML reads as a field. If
// not, so are words before and behind the fields of an object.
func (r *reader) withoutNoise(d kubeyaml.Document, valid bool) bool {
	rest := d
	rest.Text = bytes.Clone(d.Text)
	var noise []kubeyaml.Document
	first, last, words := len(d.Text), len(d.Text), false
	if !valid {
		first, last = fieldsOf(d.Text)
	}
	for pos, line := 0, d.Base; pos < len(d.Text); {
		length := noiseLength(d.Text[pos:])
		switch {
		case length > 0:
		case valid && collector.IsText(d.Text[pos:]):
			length = collector.NoiseLength(d.Text[pos:])
		case !valid && (pos < first || pos >= last) && isWords(d.Text[pos:]):
			length = kubeyaml.LineLength(d.Text[pos:])
			words = true
		}
		if length > 0 {
			noise = append(noise, kubeyaml.Document{Text: d.Text[pos : pos+length], Base: line})
			comment(rest.Text[pos : pos+length])
		} else {
			length = kubeyaml.LineLength(d.Text[pos:])
		}
		line += bytes.Count(d.Text[pos:pos+length], []byte{'\n'})
		pos += length
	}
	if len(noise) == 0 {
		return false
	}
	p := r.parseYAML(rest)
	if p.Fault != nil || words && !r.objectsIn(p.Nodes) {
		return false
	}
	for _, one := range noise {
		r.dropText(one.Text, one.Base)
	}
	r.parsed(rest, p)
	return true
}

// fieldsOf returns where the fields of an object begin in a text, and where words or messages of a
// program begin behind them. If the text has no such field, it is the whole text.
func fieldsOf(text []byte) (first, last int) {
	found := false
	for pos := 0; pos < len(text); {
		line := text[pos : pos+kubeyaml.LineLength(text[pos:])]
		if !found && beginsObject(line) {
			first, found = pos, true
		}
		pos += len(line)
		if len(bytes.TrimSpace(line)) > 0 && !isWords(line) && noiseLength(line) == 0 {
			last = pos
		}
	}
	if !found {
		return 0, len(text)
	}
	return first, last
}

// isWords reports whether the first line of a text is one that a program wrote for people: it begins
// with a letter or a digit, and with no field.
func isWords(text []byte) bool {
	line := bytes.TrimRight(text[:kubeyaml.LineLength(text)], " \t\r\n")
	begin, _ := utf8.DecodeRune(line)
	return (unicode.IsLetter(begin) && begin != utf8.RuneError || unicode.IsDigit(begin)) &&
		!bytes.Contains(line, []byte(": ")) && !bytes.HasSuffix(line, []byte(":"))
}

// comment makes the lines of a text comments of the same length.
func comment(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = '#'
		}
	}
}

// isNoisy reports whether a message of kubectl looks like a field of the object or List.
func (h *head) isNoisy() bool { return h.message && (h.isObject() || h.isList()) }

// drop looks at text that is no part of a value and is skipped: the CRs in it are lost, and messages
// say which CRs could not be collected. base is the number of lines before it in the file.
func (r *reader) drop(text []byte, base int) {
	if len(text) == 0 {
		return
	}
	section, ended := collector.LogSection(text)
	for _, o := range objectsInText(text, ended) {
		r.out.Lost = append(r.out.Lost, Lost{
			Kinds: []string{o.kind},
			Problem: r.at(base+o.first).Problem(code.DocumentBroken,
				"this %s is inside text that is neither YAML nor JSON, so it was not compared; remove the text around it", o.kind),
		})
	}
	if section > 0 && !ended {
		r.out.Warnings = append(r.out.Warnings, refconfig.Problem{
			Code: code.DocumentBroken, Place: r.at(base + 1),
			Message: "a section of logs begins here and does not end; the file may be truncated",
		})
	}
	if section == 0 {
		for len(text) > 0 {
			line := text[:collector.NoiseLength(text)]
			place := r.at(base + 1)
			r.refused = r.refused || collector.IsError(line)
			r.failedMessage(line, place)
			text, base = text[len(line):], base+bytes.Count(line, []byte{'\n'})
		}
	}
}

// dropText does the same as drop for text in which a program may say anything: if the file has CRs,
// others may be missing unless the text is known to be harmless.
func (r *reader) dropText(text []byte, base int) {
	before := len(r.out.Lost)
	r.drop(text, base)
	if section, _ := collector.LogSection(text); section > 0 || len(r.out.Lost) > before {
		return
	}
	for len(text) > 0 {
		line := text[:collector.NoiseLength(text)]
		if (collector.IsText(line) || isWords(line)) && !collector.IsNoise(line) {
			r.said = append(r.said, r.at(base+1))
		}
		text, base = text[len(line):], base+bytes.Count(line, []byte{'\n'})
	}
}

// endMessages records that CRs may be missing for what a program says in a file with CRs: once, at the
// first line.
func (r *reader) endMessages() {
	if len(r.said) == 0 || len(r.out.Objects)+len(r.out.Lists) == 0 {
		return
	}
	first := slices.MinFunc(r.said, func(a, b refconfig.Place) int { return cmp.Compare(a.Line, b.Line) })
	message := "this line is no part of a CR, and nothing says that it is harmless, so CRs may be missing; collect them " +
		"again, or remove the line"
	if more := len(r.said) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	r.notCollected(collector.PathID{}, first, message)
}

// isSaid reports whether a document that is no object may be text of a program, by its lines: it has
// one, besides comments and its marker, or one that can be no field.
func isSaid(d kubeyaml.Document) bool {
	const longest = 4 << 10
	rest := d.Body()
	if len(rest.Text) > longest {
		return false
	}
	said := func(line []byte) bool { return collector.IsText(line) || collector.IsError(line) }
	if slices.ContainsFunc(bytes.SplitAfter(rest.Text, []byte{'\n'}), said) {
		return true
	}
	rest.Text = rest.Text[kubeyaml.LineLength(rest.Text):]
	return len(rest.Body().Text) == 0
}

// isMessage reports whether a value that is no object is, as a document beside CRs, text of a program,
// which YAML reads as fields without quotes.
func (r *reader) isMessage(h *head) bool {
	if !r.isYAML || r.name.excuse != "" || len(h.source.text) == 0 || !isSaid(kubeyaml.Document{Text: h.source.text}) {
		return false
	}
	n, _, _ := r.decoded(h)
	if n == nil || n.Kind != kubeyaml.Map || n.Flow {
		return false
	}
	isOdd := func(n *kubeyaml.Node) bool { return n.Kind != kubeyaml.Scalar || n.Style != kubeyaml.Plain }
	for i, value := range n.Values {
		isPart := value.Kind == kubeyaml.Map && !value.Flow && value.Line == n.Keys[i].Line // make: it failed:
		if isOdd(n.Keys[i]) || isOdd(value) && !isPart {
			return false
		}
	}
	return true
}

// dropScalar processes a document that is one scalar, such as a message, or a call with a CR in its
// parentheses.
func (r *reader) dropScalar(h *head) {
	before := len(r.out.Lost) + len(r.out.Failed) + len(r.out.Problems)
	if n, _, fault := r.decoded(h); fault == nil {
		r.drop([]byte(n.Text), h.line-1)
	}
	known := len(r.out.Lost)+len(r.out.Failed)+len(r.out.Problems) > before
	if !h.scalar || known {
		r.pass(r.at(h.line), r.noObjectReason(h))
		return
	}
	if r.isCommented(kubeyaml.Document{Text: h.source.text, Base: h.source.base}) {
		r.pass(r.at(h.line), PassedNoObject)
		return
	}
	single := "is a single value, such as a message; get it again"
	if text := bytes.TrimSpace(h.source.text); collector.IsObjectName(string(text)) && !bytes.ContainsAny(text, " \t\n") {
		single = "is only the path of a file: it may be a link that Git wrote as text; get the file itself"
	}
	what := cmp.Or(kubeyaml.WhatItIs(h.source.text), single)
	r.loseText(r.at(h.line), PassedNoObject, what)
}

// accordingTo is what is said about a message of a command that failed.
const accordingTo = "CRs could not be collected, according to the message here; collect them again"

// failedMessage records what could not be collected according to a message of kubectl.
func (r *reader) failedMessage(line []byte, place refconfig.Place) {
	if id, failed := collector.FailureIn(string(line)); failed {
		r.notCollected(id, place, accordingTo)
	}
}

// failedComments records the lines in which a pipeline says that it failed, which YAML reads as
// comments.
func (r *reader) failedComments(d kubeyaml.Document) {
	const failure = "##[error]"
	if !bytes.Contains(d.Text, []byte(failure)) {
		return
	}
	for line := range bytes.Lines(d.Text) {
		if d.Base++; bytes.HasPrefix(line, []byte(failure)) {
			r.notCollected(collector.PathID{}, r.at(d.Base), accordingTo)
		}
	}
}

// notCollected records that objects could not be collected: those that a message names, or those of
// the path, or any.
func (r *reader) notCollected(id collector.PathID, place refconfig.Place, message string) {
	switch {
	case id.Plural != "":
		r.out.Failed = append(r.out.Failed, Failed{PathID: id, Place: place})
	case r.name.holds:
		r.out.Failed = append(r.out.Failed, Failed{PathID: r.name.id, Place: place})
	default:
		r.out.Problems = append(r.out.Problems, place.Problem(code.NotCollected, "%s", message))
	}
}

// endsInMessage reports whether the last line of a text is a message, which YAML may read as a field.
func endsInMessage(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	return len(line) > 0 && line[0] != ' ' && line[0] != '-' && (collector.IsNoise(line) || collector.IsText(line))
}
