package lsp

import (
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/run/code"
)

// The parts of the Language Server Protocol 3.17 that the server speaks.

// params are the parameters of all messages of the editor.
type params struct {
	TextDocument struct {
		URI  string `json:"uri"`
		Text string `json:"text"` // of didOpen
	} `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"` // the whole text
	} `json:"contentChanges"`
	Position position `json:"position"`
}

// position is a place in a text. Characters are counted in UTF-16.
type position struct {
	Line      int `json:"line"` // from 0
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"` // 1 is an error, 2 a warning
	Code     code.Code `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

type published struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type hover struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// item is a word that completes the text before the cursor.
type item struct {
	Label    string   `json:"label"`
	Kind     itemKind `json:"kind"`
	Detail   string   `json:"detail,omitempty"`
	TextEdit textEdit `json:"textEdit"`
}

type itemKind int

const (
	functionItem itemKind = 3
	fileItem     itemKind = 17
	constantItem itemKind = 21
)

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

// pathOf returns the path of a file URI with slashes, "" for another URI.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if len(u.Path) > 2 && u.Path[2] == ':' { // /C:/folder
		return u.Path[1:]
	}
	return u.Path
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}

// lineOf returns a line of a text, without its end; "" behind the last one.
func lineOf(text string, number int) string {
	for line := range strings.Lines(text) {
		if number == 0 {
			return strings.TrimRight(line, "\r\n")
		}
		number--
	}
	return ""
}

// offset returns the byte of a line at which a character begins, or the end of the line.
func offset(line string, character int) int {
	for i, r := range line {
		if character <= 0 {
			return i
		}
		character -= utf16.RuneLen(r)
	}
	return len(line)
}

// span returns the range between two bytes of a line.
func span(number int, line string, from, to int) textRange {
	character := func(end int) (n int) {
		for _, r := range line[:end] {
			n += max(1, utf16.RuneLen(r))
		}
		return n
	}
	to = min(max(to, 0), len(line))
	from = min(max(from, 0), to)
	for from > 0 && !utf8.RuneStart(line[from-1]) {
		from--
	}
	return textRange{position{number, character(from)}, position{number, character(to)}}
}
