package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"
)

//go:embed objects.tmpl
var objectTemplates string

// printer prints objects by the templates of objects.tmpl.
type printer struct{ templates *template.Template }

func newPrinter() printer { return printer{template.Must(template.New("").Parse(objectTemplates))} }

// object is the data of a template: an object, whose texts come from a sequence that other objects
// may share.
type object struct {
	random
	printer
	APIVersion, Kind, Name, Namespace, PartOf string
	Time, Version, UID                        string // what an API server adds
	Owner                                     string // of a Profile
	Size, Change                              int
}

// newObject returns an object with a name, and what an API server adds, from a sequence.
func newObject(r random, p printer, apiVersion, kind string) object {
	return object{
		random: r, printer: p, APIVersion: apiVersion, Kind: kind, PartOf: "benchmark",
		Name:    r.Word() + "-" + r.Word() + "-" + r.Hex(10),
		Time:    gathered().Add(-time.Duration(r.IntN(86400)) * time.Second).Format(time.RFC3339),
		Version: fmt.Sprint(10_000 + r.IntN(9_000_000)),
		UID:     fmt.Sprintf("%x-%x-%x-%x-%x", r.bytes(4), r.bytes(2), r.bytes(2), r.bytes(2), r.bytes(6)),
	}
}

// gathered returns the time of all inputs. Nothing reads the clock.
func gathered() time.Time { return time.Date(2025, 3, 4, 9, 30, 0, 0, time.UTC) }

// print executes a template; only a mistake in it is an error.
func (o object) print(name string) []byte {
	var b bytes.Buffer
	if err := o.templates.ExecuteTemplate(&b, name, o); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Include returns the text of a template, indented below its first line.
func (o object) Include(indent int, name string) string {
	return strings.ReplaceAll(string(o.print(name)), "\n", "\n"+strings.Repeat(" ", indent))
}

// asItem returns a document as an item of a List.
func asItem(document []byte) []byte {
	text := bytes.ReplaceAll(bytes.TrimSuffix(document, []byte("\n")), []byte("\n"), []byte("\n  "))
	return fmt.Appendf(nil, "- %s\n", text)
}
