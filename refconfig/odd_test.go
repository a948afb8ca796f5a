package refconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/refconfig"
)

// describe lists the components of a reference with their rules and templates.
func describe(ref *refconfig.Reference) []string {
	var out []string
	for _, c := range ref.Components() {
		line := c.String() + ":"
		for _, r := range c.Rules {
			line += " " + string(r.Kind)
			for _, t := range r.Templates {
				line += " " + t.Path
			}
		}
		out = append(out, line)
	}
	return out
}

func codesOf(problems []refconfig.Problem) string {
	var codes []string
	for _, p := range problems {
		codes = append(codes, fmt.Sprintf("%s:%d", p.Code, p.Place.Line))
	}
	return strings.Join(codes, " ")
}

// What others load is loaded, and what is odd about it is a warning with its line.
func TestOddComponentsAreRead(t *testing.T) {
	const v1, v2 = "parts:\n- name: p\n  components:\n", "apiVersion: v2\nparts:\n- name: p\n  components:\n"
	for name, c := range map[string]struct {
		metadata string
		want     []string
		warnings string
	}{
		"a template listed twice":        {v2 + "  - name: c\n    oneOf: [{path: a}, {path: ./a}, {path: b}]\n", []string{"p/c: oneOf a b"}, "VT2015:6"},
		"required and optional":          {v1 + "  - name: c\n    type: Required\n    requiredTemplates: [{path: a}]\n    optionalTemplates: [{path: a}]\n", []string{"p/c: allOf a anyOf a"}, "VT2015:7"},
		"two components of one name":     {v2 + "  - name: c\n    allOf: [{path: a}]\n  - name: c\n    noneOf: [{path: b}]\n", []string{"p/c: allOf a", "p/c: noneOf b"}, "VT2009:7"},
		"two parts of one name":          {v2 + "  - {name: c, allOf: [{path: a}]}\n- name: p\n  components: [{name: c, allOf: [{path: b}]}]\n", []string{"p/c: allOf a", "p/c: allOf b"}, "VT2009:6 VT2009:7"},
		"no names":                       {"apiVersion: v2\nparts:\n- components:\n  - allOf: [{path: a}]\n", []string{"/: allOf a"}, "VT2008:3 VT2008:4"},
		"numbers for names":              {"parts:\n- name: 4.14\n  components:\n  - name: true\n    type: Required\n    requiredTemplates: [{path: a}]\n", []string{"4.14/true: allOf a"}, "VT2038:2 VT2038:4"},
		"a number as it is read":         {"parts:\n- name: 4.10\n  components: [{name: 0x10, type: Required, requiredTemplates: [{path: a}]}]\n", []string{"4.1/16: allOf a"}, "VT2038:2 VT2038:3"},
		"a second rule that is empty":    {v2 + "  - name: c\n    allOf: []\n    anyOf: [{path: a}]\n", []string{"p/c: anyOf a"}, "VT2036:6"},
		"a second rule that is null":     {v2 + "  - name: c\n    allOf: [{path: a}]\n    noneOf:\n    oneOf: ~\n", []string{"p/c: allOf a"}, "VT2036:7 VT2036:8"},
		"a type in another letter case":  {v1 + "  - name: c\n    type: OPTIONAL\n    requiredTemplates: [{path: a}, {path: b}]\n", []string{"p/c: allOrNoneOf a b"}, "VT2035:5"},
		"an unknown type checks nothing": {v1 + "  - name: c\n    type: Mandatory\n    requiredTemplates: [{path: a}]\n", []string{"p/c:"}, "VT2012:5"},
		"parts without anything":         {v2 + "  - {name: c, allOf: [{path: a}]}\n- name: q\n- name: r\n  components: []\n-\n", []string{"p/c: allOf a"}, "VT2036:6 VT2036:7 VT2008:9 VT2036:9"},
		"unknown keys of an entry":       {v2 + "  - name: c\n    allOf:\n    - path: a\n      required: true\n      config: {colour: red, perField: [{pathToKey: a, inlineDiffFunc: regex, x: y}]}\n", []string{"p/c: allOf a"}, "VT2036:8 VT2036:9 VT2036:9"},
		"a second document":              {v2 + "  - {name: c, allOf: [{path: a}]}\n---\nparts: 5\n", []string{"p/c: allOf a"}, "VT2037:7"},
	} {
		t.Run(name, func(t *testing.T) {
			ref := load(t, c.metadata, "a", "b")
			if diff := cmp.Diff(c.want, describe(ref)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := codesOf(ref.Warnings); got != c.warnings {
				t.Errorf("warnings %s, want %s: %v", got, c.warnings, ref.Warnings)
			}
		})
	}
}

func TestOddListsOfFieldsToOmit(t *testing.T) {
	for name, c := range map[string]struct {
		items, config string
		want          []string
		warnings      string
	}{
		"an unknown include":         {"{defaultOmitRef: d, items: {d: [{include: gone}, {pathToKey: status}]}}", "{}", []string{"status"}, "VT2020:4"},
		"an unknown default":         {"{defaultOmitRef: gone, items: {d: [{pathToKey: status}]}}", "{}", nil, "VT2020:4"},
		"an unknown list of its own": {"{items: {d: [{pathToKey: status}]}}", "{fieldsToOmitRefs: [gone, d]}", []string{"status"}, "VT2020:3"},
		"only unknown ones":          {"{items: {}}", "{fieldsToOmitRefs: [gone]}", nil, "VT2020:3"},
		"include and path":           {"{defaultOmitRef: d, items: {d: [{include: e, pathToKey: data.k, isPrefix: true}], e: [{pathToKey: status}]}}", "{}", []string{"status", "data.k*"}, "VT2023:4"},
		"an empty include":           {"{defaultOmitRef: d, items: {d: [{include: '', pathToKey: data.k}]}}", "{}", []string{"data.k"}, ""},
		"odd paths": {"{defaultOmitRef: d, items: {d: [{pathToKey: a., isPrefix: true}, {pathToKey: ..a}, {pathToKey: 'l[0]'}, {pathToKey: a..b}, {pathToKey: 'a. b'}, {pathToKey: \"a.b\\n\"}]}}", "{}",
			[]string{`a.""*`, `"".a`, `"l[0]"`, `a."".b`, `a." b"`, "a.b"}, "VT2039:4 VT2039:4 VT2039:4 VT2039:4 VT2039:4 VT2039:4"},
		"a number for a path": {"{defaultOmitRef: d, items: {d: [{pathToKey: 12}]}}", "{}", []string{"12"}, "VT2038:4"},
		"a number for a name": {"{defaultOmitRef: 4.10, items: {4.10: [{include: '16'}], 0x10: [{pathToKey: status}]}}", "{}", []string{"status"}, "VT2038:4"},
	} {
		t.Run(name, func(t *testing.T) {
			ref := load(
				t,
				"apiVersion: v2\nparts:\n- {name: p, components: [{name: c, allOf: [{path: a, config: "+c.config+"}]}]}\nfieldsToOmit: "+c.items+"\n",
				"a",
			)
			if diff := cmp.Diff(c.want, omitted(ref.Templates[0].Config.Omit)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := codesOf(ref.Warnings); got != c.warnings {
				t.Errorf("warnings %s, want %s: %v", got, c.warnings, ref.Warnings)
			}
		})
	}
	ref := load(t, "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]\n"+
		"fieldsToOmit: {defaultOmitRef: cluster-compare-built-in, items: {cluster-compare-built-in: [{pathToKey: spec}]}}\n", "a")
	if got := omitted(ref.Templates[0].Config.Omit); len(got) != 11 || got[10] != "status" ||
		codesOf(ref.Warnings) != "VT2022:3" {
		t.Errorf("the built-in list that is redefined is %v, %v", got, ref.Warnings)
	}
}

func TestFunctionFilesMayBeGlobs(t *testing.T) {
	files := map[string]string{
		"a":          "kind: A",
		"f.tmpl":     "1",
		"g.tmpl":     "2",
		"sub/h.tmpl": "3",
		"sub/i.txt":  "4",
		"[x].tmpl":   "5",
	}
	for globs, want := range map[string]string{
		"['*.tmpl']":                  "[x].tmpl f.tmpl g.tmpl",
		"['s*/*.tmpl', f.tmpl]":       "sub/h.tmpl f.tmpl",
		"[f.tmpl, '?.tmpl']":          "f.tmpl g.tmpl",
		"['./sub/../*.tmpl', g.tmpl]": "[x].tmpl f.tmpl g.tmpl",
		"['[x].tmpl']":                "[x].tmpl", // a file of that very name comes before what the glob means
	} {
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]\ntemplateFunctionFiles: " + globs + "\n"
		var got []string
		for _, f := range loadFiles(t, files).Functions {
			got = append(got, f.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", globs, got, want)
		}
	}
	for globs, want := range map[string]string{
		"['*.none']":    `error VT2019 metadata.yaml:3:25: the template function file "*.none" does not exist`,
		"['[']":         `error VT2019 metadata.yaml:3:25: the template function file "[" does not exist`,
		"['../*.tmpl']": `error VT2031 metadata.yaml:3:25: the template function file "../*.tmpl" leads out of the reference`,
	} {
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]\ntemplateFunctionFiles: " + globs + "\n"
		_, problems := refconfig.Load(folder(files), ".", refconfig.LoadOptions{})
		if got := list("error", problems); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", globs, got, want)
		}
	}
}
