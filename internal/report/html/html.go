// Package html writes a report as one page for a browser. The page needs no network and no other
// file. It can be read without scripts, because its script only filters, counts and navigates.
//
// All content of the input is text on the page. html/template escapes it for its context; lines.go
// escapes the lines of CRs itself. Characters that are invisible or change the direction of writing
// are made visible. A content security policy allows only the page's own script and style.
package html

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/workers"
)

//go:embed page.html page.css page.js
var assets embed.FS

// Options say how a page is made.
type Options struct {
	Grouping finding.Grouping // which CRs are on the page, and how they are grouped
	Fold     *diff.Folding    // the lines of CRs to keep; nil for all lines that the report has
	Context  int              // if a CR has all its lines, the number of lines around a finding that are not folded
	Command  string           // the name of the tool in commands; "" for finding.ToolName
}

// page writes one report.
type page struct {
	out    io.Writer
	parts  *template.Template
	report *finding.Report
	opt    Options
	budget int // the number of bytes that are left for lines of CRs
	room   int // the same for CRs to create
	// the anchors of the missing CRs that stand on the page, by the CRs to create
	created map[string]string
}

// Write writes a report: the verdict, alarms and figures, the table of clusters if there are
// several, then the findings and other facts of each cluster. The error is the writer's.
func Write(w io.Writer, r *finding.Report, opt Options) error {
	opt.Command = cmp.Or(opt.Command, finding.ToolName)
	p := &page{out: w, report: r, opt: opt, budget: linesMost, room: creationsMost, created: map[string]string{}}
	var err error
	if p.parts, err = template.New("").Funcs(functions()).ParseFS(assets, "page.html"); err != nil {
		return err
	}
	style, script := asset("page.css"), asset("page.js")
	head := p.head()
	head.Style, head.Script = template.CSS(style), template.JS(script)
	head.Policy = "default-src 'none'; style-src " + hashed(
		style,
	) + "; script-src " + hashed(script) + "; base-uri 'none'; form-action 'none'"
	if err := p.part("head", head); err != nil {
		return err
	}
	for i, run := range r.Runs {
		if err := p.run(i, run); err != nil {
			return err
		}
	}
	return p.part("foot", head)
}

// run writes the section of one cluster.
func (p *page) run(index int, r *finding.Run) error {
	entries := p.entries(r)
	at := p.section(index, r, entries)
	if err := p.part("run", at); err != nil {
		return err
	}
	lines := p.allot(entries)
	err := workers.InOrder(len(entries), func(i int) ([]byte, error) {
		text, err := p.made("entry", at.entry(entries[i], lines[i]))
		return bundled(text, i, len(entries)), err
	}, p.write)
	if err != nil {
		return err
	}
	return p.part("rest", at)
}

// bundle is the number of entries in one element. A browser lays out an element only when it
// becomes visible; page.css estimates its height.
const bundle = 100

// bundled returns the text of entry i of n, with the start or the end tag of a bundle where one
// starts or ends. The last entries get no bundle if they would not fill it.
func bundled(text []byte, i, n int) []byte {
	switch place := i % bundle; {
	case i-place+bundle > n:
	case place == 0:
		return slices.Concat([]byte("<div class=\"g\">\n"), text)
	case place == bundle-1:
		return slices.Concat(text, []byte("</div>\n"))
	}
	return text
}

// part writes the part of the page that a template prints.
func (p *page) part(name string, data any) error {
	text, err := p.made(name, data)
	if err != nil {
		return err
	}
	return p.write(text)
}

// made returns the part of the page that a template prints.
func (p *page) made(name string, data any) ([]byte, error) {
	var text bytes.Buffer
	if err := p.parts.ExecuteTemplate(&text, name, data); err != nil {
		return nil, err
	}
	return seen(text.Bytes()), nil
}

func (p *page) write(text []byte) error {
	_, err := p.out.Write(text)
	return err
}

// seen replaces characters that a browser would hide or act on by visible ones.
func seen(text []byte) []byte {
	if escape.Plain(text) {
		return text
	}
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		lines[i] = escape.Text(l)
	}
	return []byte(strings.Join(lines, "\n"))
}

// asset returns a file of the page without indentation and comments.
func asset(name string) string {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // unreachable: the files are part of the program
	}
	var short []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "//") &&
			!(strings.HasPrefix(l, "/*") && strings.HasSuffix(l, "*/")) {
			short = append(short, l)
		}
	}
	return strings.Join(short, "\n")
}

// hashed returns the source expression of a content security policy for a script or a style.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
