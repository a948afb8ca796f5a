// Package html writes a report as one page for a browser, which needs nothing beside it: no
// network, no other file, and no scripts to be read. Scripts only filter it, count what is shown,
// and go from finding to finding.
//
// Everything of the input is text on the page. The templates are html/template's, which escapes by
// the place where a value stands; the lines of CRs are the one thing written by hand (lines.go).
// What nobody would see, or would turn the writing, is made visible in all that is written. The
// page allows no script and no style but its own.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/internal/workers"
)

//go:embed page.html page.css page.js
var assets embed.FS

// Options say how a page is made.
type Options struct {
	Grouping finding.Grouping // which CRs are on the page, and which share an entry
	Fold     *diff.Folding    // keep only these of the lines of CRs; nil for all that there are
	Context  int              // lines around a finding that are not folded, of CRs that are there as a whole
}

// page writes one report.
type page struct {
	out    io.Writer
	parts  *template.Template
	report *finding.Report
	opt    Options
	budget int // bytes that lines of CRs may still take
}

// Write writes a report: the verdict, alarms and figures, the clusters where there are several,
// then of each cluster what was found, an entry each, and what else there is to say about it. The
// error is the writer's.
func Write(w io.Writer, r *finding.Report, opt Options) error {
	p := &page{out: w, report: r, opt: opt, budget: linesMost}
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

// run writes what was found about one cluster.
func (p *page) run(index int, r *finding.Run) error {
	at := p.section(index, r)
	entries := p.entries(r)
	if r.IsBlank() {
		entries, at.Unlisted = finding.WithoutMissing(entries)
	}
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

// bundle is how many entries stand in an element of their own, of which a browser does without the
// layout until it is to be seen: page.css has their height.
const bundle = 100

// bundled puts an entry of so many into its bundle, unless it would not be full.
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

// part writes a part of the page.
func (p *page) part(name string, data any) error {
	text, err := p.made(name, data)
	if err != nil {
		return err
	}
	return p.write(text)
}

// made is a part of the page.
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

// seen makes visible what a browser would not show, or would act on, in a part of the page. The
// page itself has nothing of that.
func seen(text []byte) []byte {
	if visible.Plain(text) {
		return text
	}
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		lines[i] = visible.Text(l)
	}
	return []byte(strings.Join(lines, "\n"))
}

// asset is a file of the page without the blanks and comments that only its authors need.
func asset(name string) string {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // it is part of the program
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

// hashed is what a content security policy calls a script or a style by.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
