package manifest

import (
	"bytes"
	"cmp"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// skipNoise skips lines before the objects: in a manifest messages of commands, in other files shell
// prompts. Other files may be logs, which begin with such messages too. A line that may be a field is
// one where other fields than those of an object follow.
func (r *reader) skipNoise(d kubeyaml.Document) kubeyaml.Document {
	isNoise := collector.IsPrompt
	if r.name.manifest {
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
		length := collector.NoiseLength(rest.Text)
		rest.Base += bytes.Count(rest.Text[:length], []byte{'\n'})
		rest.Text = rest.Text[length:]
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
// is set if the document is valid with them: then a sentence is noise that YAML reads as a field.
func (r *reader) withoutNoise(d kubeyaml.Document, valid bool) bool {
	rest := d
	rest.Text = bytes.Clone(d.Text)
	var noise []kubeyaml.Document
	for pos, line := 0, d.Base; pos < len(d.Text); {
		length := noiseLength(d.Text[pos:])
		if length == 0 && valid && collector.IsText(d.Text[pos:]) {
			length = collector.NoiseLength(d.Text[pos:])
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
	if p.Fault != nil {
		return false
	}
	for _, one := range noise {
		r.drop(one.Text, one.Base)
	}
	r.parsed(rest, p)
	return true
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
			Problem: r.place(base+o.first, -1).Problem(code.DocumentBroken,
				"this %s is inside text that is neither YAML nor JSON, so it was not compared; remove the text around it", o.kind),
		})
	}
	if section > 0 && !ended {
		r.out.Warnings = append(r.out.Warnings, refconfig.Problem{
			Code: code.DocumentBroken, Place: r.place(base+1, -1),
			Message: "a section of logs begins here and does not end; the file may be truncated",
		})
	}
	if section == 0 {
		for len(text) > 0 {
			line := text[:collector.NoiseLength(text)]
			place := r.place(base+1, -1)
			r.refused = r.refused || collector.IsError(line)
			r.failedMessage(line, place)
			text, base = text[len(line):], base+bytes.Count(line, []byte{'\n'})
			if collector.IsText(line) && !collector.IsNoise(line) {
				r.out.Warnings = append(r.out.Warnings, place.Problem(code.DocumentBroken,
					"this line is the text of a program rather than a field of a CR, so it was left out"))
			}
		}
	}
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
		r.pass(r.place(h.line, -1), r.noObjectReason(h))
		return
	}
	if r.isCommented(kubeyaml.Document{Text: h.source.text, Base: h.source.base}) {
		r.pass(r.place(h.line, -1), PassedNoObject)
		return
	}
	single := "is a single value, such as a message; get it again"
	if text := bytes.TrimSpace(h.source.text); collector.IsObjectName(string(text)) && !bytes.ContainsAny(text, " \t\n") {
		single = "is only the path of a file: it may be a link that Git wrote as text; get the file itself"
	}
	what := cmp.Or(kubeyaml.WhatItIs(h.source.text), single)
	r.loseText(r.place(h.line, -1), PassedNoObject, what)
}

// failedMessage records what could not be collected according to a message of kubectl.
func (r *reader) failedMessage(line []byte, place refconfig.Place) {
	id, failed := collector.FailureIn(string(line))
	switch {
	case !failed:
	case id.Plural != "":
		r.out.Failed = append(r.out.Failed, Failed{PathID: id, Place: place})
	case r.name.holds:
		r.out.Failed = append(r.out.Failed, Failed{PathID: r.name.id, Place: place})
	default:
		r.out.Problems = append(r.out.Problems, place.Problem(code.NotCollected,
			"CRs could not be collected, according to the message here; collect them again"))
	}
}
