package manifest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Read finds the objects in the content of a file. file is the path on disk, entry the path inside
// it if it is an archive. Read does not fail: each unreadable part is a problem and does not affect
// the rest of the file. The objects keep references to data, which must not be changed.
func Read(file, entry string, data []byte, hints Hints) Contents {
	return read(file, entry, data, hints, false)
}

// read does the same as Read. If decode is set, it decodes every document in full instead of
// scanning it. The result is the same, except for documents that only the decoder finds broken.
func read(file, entry string, data []byte, hints Hints, decode bool) Contents {
	limits := hints.Limits.OrDefault()
	ofObject := limits.OfObject()
	r := &reader{
		ctx:    cmp.Or(hints.Context, context.Background()),
		name:   newName(file, entry, hints),
		file:   file,
		entry:  entry,
		hints:  hints,
		limits: &limits, ofObject: &ofObject,
		nodes:  cmp.Or(hints.Room, &kubeyaml.Room{}),
		decode: decode,
	}
	r.name.asked = hints.Asked
	r.name.manifest = r.name.manifest || hints.Asked
	if r.ended() {
		return r.out
	}
	text := kubeyaml.DecodeText(data)
	if r.name.comments {
		text = withoutComments(text)
	}
	switch {
	case len(text) == 0:
		r.passFile(PassedEmpty)
	case len(bytes.TrimLeft(text, "\x00")) == 0:
		r.loseText(refconfig.Place{File: r.file, Entry: r.entry}, PassedNUL, "has only NUL bytes; get it again")
	case !r.mayHoldObjects(text):
		r.passFile(PassedNotText)
	default:
		r.scan = !decode && kubeyaml.IsPlainText(text)
		r.hints.Chart = r.hints.Chart && bytes.Contains(text, []byte("{{"))
		switch {
		case r.ended():
		case r.hints.Chart && !r.name.holds: // even an action in a comment decides whether a CR exists
			r.passFile(PassedRaw)
		default:
			r.text(text)
		}
	}
	switch {
	case r.name.aside && !hints.Asked:
		r.leaveAside()
	case hints.Asked:
		r.leaveText()
	}
	r.out.Gathered = r.name.gathered
	r.out.Shown = r.out.Gathered && r.isShown()
	return r.out
}

// ended reports whether the run was stopped, so that the rest of the file is not read.
func (r *reader) ended() bool { return r.ctx.Err() != nil }

// reader collects the contents of one file.
type reader struct {
	ctx         context.Context
	name        name
	file, entry string
	hints       Hints
	limits      *kubeyaml.Limits
	ofObject    *kubeyaml.Limits // shared by the sources of all objects
	nodes       *kubeyaml.Room   // memory for nodes of heads
	decode      bool             // see read
	scan        bool             // the scanner can read the text
	document    int
	refused     bool              // a command says in the file that it failed
	isYAML      bool              // the current value is YAML: it may be valid although its end is missing
	inside      *wrapper          // the object around the current value, or nil
	beside      []Lost            // see loseBeside
	said        []refconfig.Place // lines of a program that are not known to be harmless
	watched     []watched         // last event of each object of a watch
	events      map[ID]int        // index in watched
	out         Contents
}

func (r *reader) passFile(reason Reason) {
	r.pass(refconfig.Place{File: r.file, Entry: r.entry}, reason)
}

// pass records a file, document or item that is passed over. The message about a file that a
// collector wrote for objects quotes no text, which may be secret.
func (r *reader) pass(place refconfig.Place, reason Reason) {
	if last := len(r.out.Passed) - 1; last >= 0 && r.out.Passed[last].Reason == reason {
		r.out.Passed[last].Count++
		return
	}
	r.out.Passed = append(r.out.Passed, Passed{Reason: reason, Count: 1})
	if r.name.holds {
		r.out.Blank = append(r.out.Blank, refconfig.Problem{Code: code.FileBlank, Place: place, Message: fmt.Sprintf(
			"a collector writes CRs to a file of this path, but this file has none (%s); the %s may be missing from the result",
			reason,
			r.name.id,
		)})
	}
}

// tooManyDocuments records that a file was not read because it has more documents than the limit.
func (r *reader) tooManyDocuments() {
	r.out.Problems = append(r.out.Problems, refconfig.Problem{
		Code: code.LimitValues, Place: refconfig.Place{File: r.file, Entry: r.entry},
		Message: fmt.Sprintf(
			"not read, because it has more than %d documents, the limit; split it, or raise the limit with --limit values=N",
			r.limits.Values,
		),
	})
}

func (r *reader) place(line, item int) refconfig.Place {
	return refconfig.Place{File: r.file, Entry: r.entry, Document: r.document + 1, Item: item + 1, Line: line}
}

// at returns the place of a line outside of Lists.
func (r *reader) at(line int) refconfig.Place { return r.place(line, -1) }

func (r *reader) text(text []byte) {
	documents, ok := kubeyaml.SplitAtMost(text, r.limits.Values)
	if !ok {
		r.tooManyDocuments()
		return
	}
	blank := true
	for _, d := range documents {
		r.failedComments(d)
		body := d.Body()
		if kubeyaml.LooksLikeJSON(body.Text) { // JSON has no comments
			r.drop(d.Text[:len(d.Text)-len(body.Text)], d.Base)
		}
		body = r.skipNoise(body)
		if len(body.Text) > 0 {
			if blank = false; r.ended() {
				return
			}
			r.body(body)
		}
		r.document++
	}
	r.endWatch()
	switch {
	case !blank:
	case r.refused && len(r.out.Lost)+len(r.out.Failed)+len(r.out.Problems) == 0:
		r.loseText(refconfig.Place{File: r.file, Entry: r.entry}, PassedNoObject,
			"is the message of a command that failed; get it again")
	default:
		r.passFile(PassedEmpty)
	}
	r.warnOfLastLine(text)
	if len(r.out.Objects) > 0 {
		r.out.Lost = append(r.out.Lost, r.beside...)
	}
	r.endMessages()
}

// warnOfLastLine warns if a gathered file ends without a line break, which every YAML printer
// writes: half of a document is often valid YAML.
func (r *reader) warnOfLastLine(text []byte) {
	last := text[len(text)-1]
	if last == '\n' || last == '\r' || !r.name.gathered || len(r.out.Objects) == 0 || kubeyaml.LooksLikeJSON(text) {
		return
	}
	place := r.at(1 + bytes.Count(text, []byte{'\n'}))
	place.Document = r.document
	r.out.Warnings = append(r.out.Warnings, refconfig.Problem{
		Code: code.DocumentBroken, Place: place,
		Message: "the last line is incomplete; the file may be truncated here",
	})
}

// body reads a document that is not empty.
func (r *reader) body(d kubeyaml.Document) {
	switch {
	case r.hints.Placeholders && r.open(d):
	case kubeyaml.LooksLikeJSON(d.Text) && r.json(d):
	case r.name.manifest || beginsObject(d.Text):
		r.yaml(d)
	case !r.textThenJSON(d):
		r.pass(r.at(d.Base+1), PassedNotText)
		if what := kubeyaml.WhatItIs(d.Text); what != "" || bytes.Contains(d.Text, []byte("\napiVersion:")) {
			r.loseBeside(r.at(d.Base+1), cmp.Or(what, "is no YAML or JSON; repair it"))
		} else if isSaid(d) {
			r.said = append(r.said, r.at(d.Body().Base+1))
		}
	}
}

func (r *reader) yaml(d kubeyaml.Document) {
	r.isYAML = true
	if r.scan && d.Text[len(d.Text)-1] == '\n' {
		if h := r.scanYAML(d); h != nil && !h.isNoisy() && !endsInMessage(d.Text) {
			r.value(h)
			return
		}
	}
	p := r.parseYAML(d)
	noisy := func(n *kubeyaml.Node) bool {
		h := headOf(n, source{form: kept, node: n}, nil)
		return h.isNoisy() || (h.isObject() || h.isList()) && endsInMessage(d.Text)
	}
	switch {
	case (p.Fault != nil || slices.ContainsFunc(p.Nodes, noisy)) && r.withoutNoise(d, p.Fault == nil):
	case p.Fault == nil:
		r.parsed(d, p)
	case !r.textThenJSON(d):
		r.broken(d, "YAML", p.Fault)
	}
}

// parseYAML decodes a document when memory is available.
func (r *reader) parseYAML(d kubeyaml.Document) kubeyaml.Parsed {
	defer r.room(d.Text)()
	return r.limits.ReadYAML(d.Text, d.Base)
}

// room waits until there is memory to decode a text, or the run has ended. The caller must call
// release.
func (r *reader) room(text []byte) (release func()) {
	if r.hints.Semaphore == nil {
		return func() {}
	}
	claim, _ := r.hints.Semaphore.Acquire(r.ctx, kubeyaml.Decoding(text))
	return claim.Release
}

// parsed processes the documents of a parsed YAML text.
func (r *reader) parsed(d kubeyaml.Document, p kubeyaml.Parsed) {
	for i, n := range p.Nodes {
		whole := source{text: d.Text, base: d.Base, apart: !p.Anchored && r.scanFits(d)}
		if len(p.Nodes) > 1 {
			whole = source{form: kept, node: n}
		}
		if i > 0 {
			r.document++
		}
		h := headOf(n, whole, nil)
		h.decoded = n
		r.value(h)
	}
}

// scanFits reports whether lines of the document can be decoded separately.
func (r *reader) scanFits(d kubeyaml.Document) bool {
	return !kubeyaml.HasOddBreaks(d.Text) && d.Text[0] != '%' &&
		!bytes.Contains(d.Text, []byte("\n%"))
}

// json reads a document that is a sequence of JSON values. It declines YAML in braces, whose first
// key is not in double quotes.
func (r *reader) json(d kubeyaml.Document) bool {
	r.isYAML = false
	j := r.limits.NewJSON(r.nodes, d.Text, d.Base)
	for first := true; ; first = false {
		j.SkipSpace()
		j.SkipLines(func(text []byte, line int) int {
			length := noiseLength(text)
			r.drop(text[:length], line-1)
			return length
		})
		if rest := j.Rest(); len(rest) == 0 || r.ended() || !first && onlyComments(rest) {
			r.drop(rest, j.Line()-1)
			return true
		}
		j.Begin()
		h, fault := r.scanJSON(j, d.Text)
		switch {
		case fault == nil:
		case first && !kubeyaml.IsJSON(d.Text):
			return false
		case first && fault.MayBeYAML() && r.braces(d):
			return true
		default:
			r.broken(d, "JSON", fault)
			return true
		}
		if !first {
			r.document++
		}
		r.value(h)
	}
}

// braces reads a document that is not JSON as YAML in braces, and reports whether it is YAML.
func (r *reader) braces(d kubeyaml.Document) bool {
	p := r.parseYAML(d)
	if p.Fault != nil {
		return false
	}
	r.isYAML = true
	r.parsed(d, p)
	return true
}

// onlyComments reports whether the rest of a YAML document in braces has only comments.
func onlyComments(rest []byte) bool {
	for { // called after each value, so it searches only comment lines to their end
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if len(rest) == 0 || rest[0] != '#' {
			return len(rest) == 0
		}
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
}

// textThenJSON reads the output of a command that prints text before its JSON. It declines if no
// JSON follows.
func (r *reader) textThenJSON(d kubeyaml.Document) bool {
	const most = 10 // lines of text
	rest := d
	for range most {
		length := kubeyaml.LineLength(rest.Text)
		rest.Text, rest.Base = rest.Text[length:], rest.Base+1
		if len(rest.Text) > 0 && rest.Text[0] == '{' && kubeyaml.IsJSON(rest.Text) {
			r.dropText(d.Text[:len(d.Text)-len(rest.Text)], d.Base)
			return r.json(rest)
		}
	}
	return false
}

// broken records that a document does not parse. This is a problem only if the name or the text
// shows that it contains objects.
func (r *reader) broken(d kubeyaml.Document, language string, fault *kubeyaml.SyntaxError) {
	place := r.at(fault.Line)
	meant := !r.hints.Placeholders && r.objectsIn(r.readings(d))
	means, kinds, reason := r.meaningOfText(d.Text)
	what := kubeyaml.WhatItIs(d.Text)
	if means == meansOther || means == meansMaybe && len(kinds) == 0 && !meant {
		switch {
		case reason == PassedKustomize && what == "":
			r.brokenKustomization(d.Text, place, fault.Message)
		case means == meansOther && what == "":
			r.pass(place, reason)
		case what == "" && r.isCommented(d):
			r.pass(place, PassedNoObject)
		default:
			what = cmp.Or(what, "is not valid "+language+": "+fault.Message+"; repair it or get it again")
			r.loseText(place, reason, what)
			r.loseBeside(place, what)
		}
		return
	}
	if r.name.other && !r.name.manifest {
		r.loseTemplate(place, language, fault)
		return
	}
	p := refconfig.Problem{
		Code:    code.DocumentBroken,
		Place:   place,
		Message: "not valid " + language + ": " + fault.Message,
	}
	switch {
	case fault.Code != "":
		p.Code, p.Message = fault.Code, fault.Message
	case meant:
		p.Message += "; it has placeholders: compare with --placeholders"
	case kubeyaml.HasConflict(d.Text):
		p.Message += "; the file " + what
	case language == "YAML" && endsInLine(d, fault.Line):
		p.Message += "; the file may be truncated here"
	}
	if len(kinds) > 0 && !meant && fault.Code == "" {
		p.Message += fmt.Sprintf(
			"; it names CRs (%s), which were not compared", strings.Join(kinds[:min(len(kinds), mostNamed)], ", "),
		)
		r.out.Lost = append(r.out.Lost, Lost{Problem: p, Kinds: kinds, Any: true})
		return
	}
	r.out.Problems = append(r.out.Problems, p)
}

// mostNamed is the maximum number of kinds in a message.
const mostNamed = 3

// endsInLine reports whether the document ends in the middle of that line of the file.
func endsInLine(d kubeyaml.Document, line int) bool {
	return d.Text[len(d.Text)-1] != '\n' && line > d.Base+bytes.Count(d.Text, []byte{'\n'})
}
