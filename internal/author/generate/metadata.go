package generate

import (
	"slices"
	"strings"
	texttemplate "text/template"

	"github.com/validationtool/validationtool/internal/run/schema"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// metadataText is the template of the metadata file. A part, the entry of a template and a list of fields to
// omit are also added to an existing file.
const metadataText = `apiVersion: v2
fieldsToOmit:
  defaultOmitRef: ` + runtimeList + `
  items:
{{- range .Lists }}{{ template "list" . }}{{ end }}
parts:
{{- range .Parts }}{{ template "part" . }}{{ end }}
{{ define "list" }}
    {{ .List }}:
{{- if .Kinds }}
      - include: ` + runtimeList + `{{ else if builtIn }}
      - include: ` + refconfig.BuiltInOmitList + `{{ end }}
{{- range entries . }}
      - pathToKey: {{ .Path }}
{{- if .Prefix }}
        isPrefix: true
{{- end }}{{ end }}{{ end }}
{{- define "part" }}
  - name: {{ scalar .Name }}
    components:
{{- range .Components }}{{ if .Templates }}
      - name: {{ scalar .Name }}
{{- with .Type }}
        type: {{ . }}
{{- end }}
        {{ .Rule }}:
{{- range .Templates }}{{ template "entry" . }}{{ end }}{{ end }}{{ end }}{{ end }}
{{- define "entry" }}
          - path: {{ scalar .File }}
{{- if or .List .PerField }}
            config:
{{- end }}{{ with .List }}
              fieldsToOmitRefs:
                - {{ . }}
{{- end }}{{ with .PerField }}
              perField:
{{- end }}{{ range .PerField }}
                - pathToKey: {{ scalar .Path.String }}
                  {{ .Key }}: {{ or .Function "true" }}
{{- end }}{{ end }}`

// part is a part of the reference: the templates of an API group.
type part struct {
	Name       string
	Components [2]component
}

// component is a component with a rule for its templates.
type component struct {
	Name, Rule string
	Type       string // of the first format; "" for none
	Templates  []*template
}

// metadata returns the metadata file for templates that are sorted by API group.
func metadata(all []*template, omit []refconfig.OmitEntry, paired bool) (string, error) {
	lists := map[string]bool{runtimeList: true}
	var parts []*part
	for _, t := range all {
		lists[t.List] = true
		if len(parts) == 0 || parts[len(parts)-1].Name != t.folder {
			required := component{Name: t.folder, Rule: "allOf"}
			optional := component{Name: t.folder + "-optional", Rule: "anyOf"}
			parts = append(parts, &part{Name: t.folder, Components: [2]component{required, optional}})
		}
		c := &parts[len(parts)-1].Components[0]
		if t.optional {
			c = &parts[len(parts)-1].Components[1]
		}
		c.Templates = append(c.Templates, t)
	}
	used := slices.DeleteFunc(allRuntimeFields(), func(r runtimeFields) bool { return !lists[r.List] })
	text, err := metadataPart("", map[string]any{"Lists": used, "Parts": parts}, omit, paired)
	return schema.Comment("metadata") + text, err
}

// metadataPart returns a part of metadataText, by its name, or all of it. Of two clusters, which are paired, it has the
// entries of the built-in list that apply to them.
func metadataPart(name string, data any, omit []refconfig.OmitEntry, paired bool) (string, error) {
	text, err := texttemplate.New("").Funcs(texttemplate.FuncMap{
		"scalar":  tree.Scalar,
		"builtIn": func() bool { return !paired },
		"entries": func(r runtimeFields) []refconfig.OmitEntry {
			switch {
			case r.Kinds == "" && paired:
				return slices.Concat(builtIn(true), r.Entries(), omit)
			case r.Kinds == "":
				return slices.Concat(r.Entries(), omit)
			}
			return r.Entries()
		},
	}).Parse(metadataText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = text.ExecuteTemplate(&b, name, data)
	return b.String(), err
}
