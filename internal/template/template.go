package template

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Set holds the templates of one reference, and the functions and definitions that they share.
type Set struct {
	functions map[string]*function.Function
	names     map[string]any         // the names of functions in the form that the parser needs
	shared    map[string]*Definition // definitions of the function files, by name
	replaced  [][2]*Definition       // shared definitions and those that replaced them
	templates []*Template
	warnings  []refconfig.Problem
}

// Template is one template. It is not modified after parsing.
type Template struct {
	Body    *Definition
	Mutates bool // the template may call a function that changes a map
	Literal bool // the template is a plain CR that is used unchanged
	Several bool // the template has a second YAML document, which is ignored
	set     *Set
	own     map[string]*Definition // define and block actions of the template's own file
}

// Definition is a named template: its nodes, and the file for positions.
type Definition struct {
	Name  string
	Root  *parse.ListNode
	File  *File
	calls []Call // the calls in the definition, in the order of the text
	set   *Set
}

// Place returns the place of the word define or block that starts the definition. If the action
// has unusual spacing, it returns the place of the definition's content.
func (d *Definition) Place() refconfig.Place {
	if at := d.start(); at >= 0 {
		return d.File.Place(parse.Pos(at))
	}
	return d.File.Place(d.Root.Position())
}

// start returns the offset of the word define or block that starts the definition; a negative
// number if that word is not found.
func (d *Definition) start() int {
	before := d.File.text[:min(int(d.Root.Position()), len(d.File.text))]
	return max(
		bytes.LastIndex(before, []byte("define "+strconv.Quote(d.Name))),
		bytes.LastIndex(before, []byte("block "+strconv.Quote(d.Name))),
	)
}

// Comment returns the comment right above the definition, "" for none.
func (d *Definition) Comment() string {
	if at := d.start(); at >= 0 {
		return d.File.above(bytes.LastIndexByte(d.File.text[:at], '{'))
	}
	return ""
}

// Above returns the comment right above the line of an offset, of YAML or of a template; "" for none.
func (f *File) Above(pos parse.Pos) string {
	return f.above(f.lines[f.Line(pos)-f.before-1])
}

// above returns the comment right above an offset, without a line in between; "" for none.
func (f *File) above(offset int) string {
	text := bytes.TrimRight(f.text[:max(offset, 0)], "{ \t")
	text = bytes.TrimRight(bytes.TrimSuffix(text, []byte("\n")), " \t\r")
	if inside, isAction := bytes.CutSuffix(text, []byte("}}")); isAction {
		inside, ends := bytes.CutSuffix(bytes.TrimRight(inside, "- "), []byte("*/"))
		at := bytes.LastIndex(inside, []byte("/*"))
		if !ends || at < 0 {
			return ""
		}
		return string(bytes.TrimSpace(inside[at+len("/*"):]))
	}
	var lines []string
	for len(text) > 0 {
		at := bytes.LastIndexByte(text, '\n')
		words, isComment := bytes.CutPrefix(bytes.TrimSpace(text[at+1:]), []byte("#"))
		if !isComment || bytes.Contains(words, []byte("{{")) {
			break
		}
		lines = append(lines, string(bytes.TrimSpace(words)))
		text = text[:max(at, 0)]
	}
	slices.Reverse(lines)
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// File is a file with templates. It converts offsets to places.
type File struct {
	Name   string
	text   []byte
	lines  []int // offset of the first byte of each line
	before int   // number of lines of the file before the text
}

func newFile(name string, text []byte, before int) *File {
	f := &File{Name: name, text: bytes.TrimPrefix(text, []byte("\ufeff")), lines: []int{0}, before: before}
	for i, c := range f.text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Line returns the 1-based line of an offset.
func (f *File) Line(pos parse.Pos) int { return f.before + sort.SearchInts(f.lines, int(pos)+1) }

// Text returns the text of the line of an offset.
func (f *File) Text(pos parse.Pos) string {
	start := f.lines[f.Line(pos)-f.before-1]
	text, _, _ := bytes.Cut(f.text[start:], []byte("\n"))
	return string(text)
}

// Place returns the file and the line of an offset.
func (f *File) Place(pos parse.Pos) refconfig.Place {
	return refconfig.Place{File: f.Name, Line: f.Line(pos)}
}

// At returns the file, line and column of an offset.
func (f *File) At(pos parse.Pos) refconfig.Place {
	at := f.Place(pos)
	at.Column = int(pos) - f.lines[at.Line-f.before-1] + 1
	return at
}

// NewSet returns a set with the definitions of the function files, and the problems of these files.
func NewSet(files []*refconfig.FunctionFile) (*Set, []refconfig.Problem) {
	s := &Set{functions: function.Table(), names: map[string]any{}, shared: map[string]*Definition{}}
	for name := range s.functions {
		s.names[name] = true
	}
	var problems []refconfig.Problem
	for _, f := range files {
		defs, p := s.parse(
			path.Base(f.Path), newFile(f.File, f.Source, 0),
		) // templates call a file by its base name
		if p != nil {
			p.Code = code.RefFunctionFile
			problems = append(problems, *p)
			continue
		}
		problems = append(problems, checkStatements(defs)...)
		s.warnOfUnsteady(defs)
		for _, d := range defs {
			// an empty redefinition replaces nothing, as in text/template
			if before := s.shared[d.Name]; before == nil || !parse.IsEmptyTree(d.Root) {
				if before != nil && !parse.IsEmptyTree(before.Root) {
					s.replaced = append(s.replaced, [2]*Definition{before, d})
				}
				s.shared[d.Name] = d
			}
		}
	}
	return s, problems
}

// Functions returns a set with the same function files and no template.
func (s *Set) Functions() *Set {
	return &Set{functions: s.functions, names: s.names, shared: s.shared, replaced: s.replaced}
}

// Warnings returns the warnings about the templates of the set, sorted by file and line.
func (s *Set) Warnings() []refconfig.Problem {
	return sorted(slices.Clone(s.warnings))
}

// Parse adds a template of the reference to the set, or returns its problems. If it could be parsed,
// it is returned with the problems. A plain CR that is not a valid template is used unchanged.
func (s *Set) Parse(ref *refconfig.Template) (*Template, []refconfig.Problem) {
	file := newFile(ref.File, ref.Source, ref.LinesBefore)
	t, faults := s.parseTemplate(ref.Path, file)
	switch {
	case len(faults) > 0 && ref.Plain && isCR(ref.Source):
		t = s.literal(ref, file, faults[0])
	case len(faults) > 0:
		return t, faults
	default:
		s.warnOfUnsteady(t.definitions())
		t.Several = s.warnOfDocuments(t.Body)
		t.Mutates = t.callsMutator()
	}
	s.templates = append(s.templates, t)
	return t, nil
}

// ParseText parses a text that does not belong to a reference, such as the patch of an override.
func ParseText(file, text string) (*Template, []refconfig.Problem) {
	s, _ := NewSet(nil)
	defs, p := s.parse(file, newFile(file, []byte(text), 0))
	if p != nil {
		return nil, []refconfig.Problem{*p}
	}
	return s.template(file, defs), nil
}

// parseTemplate parses one template and checks its calls.
func (s *Set) parseTemplate(name string, file *File) (*Template, []refconfig.Problem) {
	defs, p := s.parse(name, file)
	if p != nil {
		return nil, []refconfig.Problem{*p}
	}
	t := s.template(name, defs)
	return t, append(t.checkCalls(), checkStatements(t.definitions())...)
}

// template combines the definitions of a file to a template. The definition with the name of the
// file is the body.
func (s *Set) template(name string, defs []*Definition) *Template {
	t := &Template{set: s, own: map[string]*Definition{}}
	for _, d := range defs {
		if d.Name == name {
			t.Body = d
			continue
		}
		t.own[d.Name] = d
	}
	return t
}

// literal returns a template without actions for a plain CR, and adds a warning. A plain CR may
// contain braces of another template language, as alert rules do.
func (s *Set) literal(ref *refconfig.Template, file *File, fault refconfig.Problem) *Template {
	s.warnings = append(
		s.warnings,
		refconfig.Problem{Code: code.RefLiteral, Place: refconfig.Place{File: ref.File, Line: fault.Place.Line},
			Message: "the CR is not a valid template and is used unchanged: " + fault.Message},
	)
	root := &parse.ListNode{
		NodeType: parse.NodeList,
		Nodes:    []parse.Node{&parse.TextNode{NodeType: parse.NodeText, Text: file.text}},
	}
	return &Template{set: s, Literal: true, Body: &Definition{Name: ref.Path, Root: root, File: file, set: s}}
}

// isCR reports whether a text is one YAML mapping.
func isCR(text []byte) bool {
	docs, err := kubeyaml.Parse(text)
	docs = slices.DeleteFunc(docs, func(d *kubeyaml.Node) bool { return d.Kind == kubeyaml.Scalar && d.Value() == nil })
	return err == nil && len(docs) == 1 && docs[0].Kind == kubeyaml.Map
}

// Function returns the function of that name, or nil.
func (t *Template) Function(name string) *function.Function { return t.set.functions[name] }

// Find returns the definition that a name refers to in this template, or nil. Definitions of
// function files come before the template's own, because the similar tools read them after the
// template. An empty definition replaces nothing, as in text/template.
func (t *Template) Find(name string) *Definition {
	own := t.own[name]
	if name == t.Body.Name {
		own = t.Body
	}
	shared := t.set.shared[name]
	if shared == nil || own != nil && parse.IsEmptyTree(shared.Root) {
		return own
	}
	return shared
}

// definitions returns the body and the template's own definitions.
func (t *Template) definitions() []*Definition {
	return slices.AppendSeq([]*Definition{t.Body}, maps.Values(t.own))
}

// Own returns the definitions in the template's own file, sorted by name.
func (t *Template) Own() []*Definition {
	own := t.definitions()[1:]
	slices.SortFunc(own, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	return own
}

// Replaced returns pairs of definitions of function files that have the same name: the unused one,
// and the one used instead.
func (s *Set) Replaced() [][2]*Definition { return s.replaced }

// definitions returns the definitions of the function files and of the given templates.
func (s *Set) definitions(templates ...*Template) []*Definition {
	all := slices.Collect(maps.Values(s.shared))
	for _, t := range templates {
		all = append(all, t.definitions()...)
	}
	return all
}

// maxActions limits the actions of a file. The parser recurses for each nested action, and a stack
// overflow would end the program.
const maxActions = 100_000

// parse parses one file of templates. The returned definitions are sorted by name.
func (s *Set) parse(name string, file *File) ([]*Definition, *refconfig.Problem) {
	fault := func(line, column int, about code.Meant) *refconfig.Problem {
		at := refconfig.Place{File: file.Name, Line: line + file.before, Column: column}
		p := at.Problem(code.RefTemplateParse, "%s", about)
		return &p
	}
	if n := bytes.Count(file.text, []byte("{{")); n > maxActions {
		return nil, fault(1, 0, code.Meant{}.After("the template has %d actions, and no more than %d are read", n, maxActions))
	}
	trees, err := parse.Parse(name, string(file.text), "", "", s.names)
	if err != nil {
		line, message := splitParseError(name, err.Error())
		return nil, fault(s.broken(file.text, line, message))
	}
	var defs []*Definition
	for n, tree := range trees {
		defs = append(defs, &Definition{
			Name: n, Root: tree.Root, File: file, calls: s.callsIn(tree.Root, file), set: s,
		})
	}
	if trees[name] == nil { // the file consists of definitions only
		defs = append(defs, &Definition{
			Name: name, Root: &parse.ListNode{NodeType: parse.NodeList}, File: file, set: s,
		})
	}
	slices.SortFunc(defs, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	return defs, nil
}

// splitParseError extracts the line from an error text of text/template/parse, which offers no
// other way to get it.
func splitParseError(name, text string) (int, string) {
	rest, ok := strings.CutPrefix(text, "template: "+name+":")
	if !ok {
		return 1, text
	}
	number, message, ok := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 1, rest
	}
	return line, strings.TrimSpace(message)
}
