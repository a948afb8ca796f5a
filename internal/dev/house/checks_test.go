package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// check is a rule for a file that is no test. It returns the violations, each with its location.
type check struct {
	name string
	run  func(goFile) []string
}

func checks() []check {
	return []check{
		{name: "rooms", run: checkRooms},
		{name: "homes", run: checkHomes},
		{name: "bans", run: checkBans},
		{name: "pure", run: checkPure},
		{name: "doors", run: checkDoors},
		{name: "variables", run: checkVariables},
		{name: "final", run: checkFinal},
		{name: "twins", run: checkTwins},
		{name: "exit", run: checkExit},
		{name: "documented", run: checkDocumented},
		{name: "lines", run: checkLines},
	}
}

// checkRooms checks that a package imports only packages of the repository above it in the table.
func checkRooms(f goFile) []string {
	room := slices.Index(rooms(), f.pkg())
	if room < 0 && !slices.Contains(outbuildings(), f.pkg()) {
		return []string{
			f.at(f.tree.Name.Pos(), "package %s is not in the table of rooms; give it a place there", f.pkg()),
		}
	}
	var found []string
	for _, spec := range f.tree.Imports {
		p := importPath(spec)
		if !isOwn(p) {
			continue
		}
		other := slices.Index(rooms(), packageOf(p))
		switch {
		case room < 0:
			found = append(
				found, f.at(spec.Pos(), "%s stands beside the rooms and may not import %s", f.pkg(), packageOf(p)),
			)
		case other < 0:
			found = append(found, f.at(spec.Pos(), "%s imports %s, which is no room", f.pkg(), packageOf(p)))
		case other >= room:
			found = append(
				found, f.at(spec.Pos(), "%s may not import %s, which stands below it", f.pkg(), packageOf(p)),
			)
		}
	}
	return found
}

// checkHomes checks that a third-party package is imported only in its packages of the table.
func checkHomes(f goFile) []string {
	var found []string
	for _, spec := range f.tree.Imports {
		p := importPath(spec)
		if !isThirdParty(p) {
			continue
		}
		i := slices.IndexFunc(
			homes(), func(h home) bool { return p == h.importPath || strings.HasPrefix(p, h.importPath+"/") },
		)
		if i < 0 {
			found = append(found, f.at(spec.Pos(), "%s has no home in the table; only tests may import it", p))
		} else if h := homes()[i]; !slices.Contains(h.packages, f.pkg()) {
			found = append(found, f.at(spec.Pos(), "%s is at home in %s, not in %s", p, strings.Join(h.packages, " and "), f.pkg()))
		}
	}
	return found
}

// checkBans checks that banned packages of the standard library are imported only where the table
// allows it.
func checkBans(f goFile) []string {
	var found []string
	for _, spec := range f.tree.Imports {
		for _, b := range bans() {
			if importPath(spec) == b.importPath && !slices.Contains(b.except, f.pkg()) {
				found = append(found, f.at(spec.Pos(), "%s may not import %s: %s", f.pkg(), b.importPath, b.reason))
			}
		}
	}
	return found
}

// checkPure checks that the packages from the object to the result use nothing from outside.
func checkPure(f goFile) []string {
	if !pure(f.pkg()) {
		return nil
	}
	var found []string
	for _, spec := range f.tree.Imports {
		if p := importPath(spec); slices.Contains(impureImports(), p) {
			found = append(found, f.at(spec.Pos(), "%s is a function of values and may not import %s", f.pkg(), p))
		}
	}
	f.uses(func(pos token.Pos, name string) {
		if slices.Contains(impureCalls(), name) {
			found = append(found, f.at(pos, "%s is a function of values and may not use %s", f.pkg(), name))
		}
	})
	return found
}

// checkDoors checks that only the listed files do more with the system than reading named files.
func checkDoors(f goFile) []string {
	if !slices.Contains(rooms(), f.pkg()) {
		return nil
	}
	var found []string
	f.uses(func(pos token.Pos, name string) {
		outside := strings.HasPrefix(name, "os.") && !slices.Contains(readers(), name) ||
			strings.HasPrefix(name, "syscall.") ||
			strings.HasPrefix(name, "os/exec.")
		backslashes := name == "path/filepath.Join" || name == "path/filepath.FromSlash"
		switch {
		case slices.Contains(doors(), door{f.path, name}):
		case outside:
			found = append(found, f.at(pos, "%s may not use %s; the table of doors says who may", f.path, name))
		case backslashes:
			found = append(
				found, f.at(pos, "%s may not use %s; paths have slashes on every system, see path.Join", f.path, name),
			)
		}
	})
	return found
}

// checkVariables checks that no package variable can be changed. Error sentinels, embedded files,
// assertions about types (var _ I = T{}) and values that the linker sets are allowed.
func checkVariables(f goFile) []string {
	var found []string
	for _, decl := range f.tree.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			embedded := hasEmbed(spec.Doc) || len(g.Specs) == 1 && hasEmbed(g.Doc)
			for i, name := range spec.Names {
				stamp := f.path == "main.go" && slices.Contains(stamps(), name.Name)
				if name.Name == "_" || embedded || stamp || isSentinel(spec, i) {
					continue
				}
				found = append(
					found, f.at(name.Pos(), "package variable %s; make it local, a constant or a function", name.Name),
				)
			}
		}
	}
	return found
}

func hasEmbed(doc *ast.CommentGroup) bool {
	return doc != nil &&
		slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// isSentinel reports whether errors.New makes the i-th name of a declaration.
func isSentinel(spec *ast.ValueSpec, i int) bool {
	if len(spec.Values) != len(spec.Names) {
		return false
	}
	call, ok := spec.Values[i].(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "errors" && s.Sel.Name == "New"
}

// checkFinal checks that no other package writes to fields of the results of package diff: to those
// of a variable with one of its types, or of a field that keeps its tree or differences.
func checkFinal(f goFile) []string {
	const final = "internal/compare/diff"
	imports := func(spec *ast.ImportSpec) bool { return importPath(spec) == module+"/"+final }
	if f.pkg() == final || !slices.ContainsFunc(f.tree.Imports, imports) {
		return nil
	}
	isType := func(x ast.Node) (is bool) {
		ast.Inspect(x, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			of, _ := n.(*ast.FuncType) // which is no such value
			if ok {
				name, _ := s.X.(*ast.Ident)
				is = is || name != nil && name.Name == path.Base(final) &&
					slices.Contains([]string{"Pair", "Difference", "Compared", "Value"}, s.Sel.Name)
			}
			return of == nil
		})
		return is
	}
	declared := map[string]bool{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Type != nil && isType(field.Type) {
			for _, name := range field.Names {
				declared[name.Name] = true
			}
		}
		return true
	})
	var writes func(x ast.Expr, below bool) bool
	writes = func(x ast.Expr, below bool) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			return below && declared[x.Sel.Name] || writes(x.X, true)
		case *ast.IndexExpr:
			return writes(x.X, below)
		case *ast.StarExpr:
			return writes(x.X, true)
		case *ast.Ident:
			return below && declared[x.Name]
		}
		return false
	}
	var found []string
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
			for _, x := range a.Lhs {
				if writes(x, false) {
					found = append(found, f.at(x.Pos(), "what %s returns is final; let it write that itself", final))
				}
			}
		}
		return true
	})
	return found
}

// checkTwins checks that no function takes or returns a value and the note on it apart, and that
// nothing is a tree of notes beside a value: a provenance.Node has both.
func checkTwins(f goFile) []string {
	const room = "internal/value/provenance"
	if f.pkg() == room || f.pkg() == "internal/dev/given" { // tests write values beside notes
		return nil
	}
	var found []string
	isAny := func(x ast.Expr) bool {
		name, _ := x.(*ast.Ident)
		return name != nil && name.Name == "any"
	}
	check := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		values, note := false, token.NoPos
		for _, field := range list.List {
			named := slices.ContainsFunc(field.Names, func(n *ast.Ident) bool {
				return slices.Contains([]string{"note", "notes", "Notes"}, n.Name)
			})
			x := field.Type
			if star, ok := x.(*ast.StarExpr); ok {
				x = star.X
			}
			s, _ := x.(*ast.SelectorExpr)
			m, _ := x.(*ast.MapType)
			value := isAny(x) || m != nil && isAny(m.Value)
			switch {
			case value && named || s != nil && s.Sel.Name == "Note" && fmt.Sprint(s.X) == path.Base(room):
				note = field.Pos()
				values = values || value
			case value:
				values = true
			}
		}
		if values && note.IsValid() {
			found = append(found, f.at(note, "a value and its note stand apart; let a provenance.Node have both"))
		}
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			check(n.Params)
			check(n.Results)
		case *ast.StructType:
			check(n.Fields)
		}
		return true
	})
	return found
}

// checkExit checks that only the main.go of a program ends the process.
func checkExit(f goFile) []string {
	if f.tree.Name.Name == "main" && path.Base(f.path) == "main.go" {
		return nil
	}
	var found []string
	f.uses(func(pos token.Pos, name string) {
		if name == "os.Exit" || name == "syscall.Exit" || strings.HasPrefix(name, "log.Fatal") {
			found = append(found, f.at(pos, "%s stands outside main.go; return an error", name))
		}
	})
	return found
}

// checkDocumented checks that every exported name has a comment.
func checkDocumented(f goFile) []string {
	var found []string
	for _, decl := range f.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && receiverIsExported(d) {
				found = append(found, f.at(d.Pos(), "exported func %s has no comment", d.Name.Name))
			}
		case *ast.GenDecl:
			found = append(found, undocumented(f, d)...)
		}
	}
	return found
}

// receiverIsExported is true for a function and for a method of an exported type.
func receiverIsExported(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// undocumented returns the exported types, constants and variables of a declaration without a
// comment: their own, one at the end of the line, or for constants and variables that of the group.
func undocumented(f goFile, d *ast.GenDecl) []string {
	var found []string
	for _, s := range d.Specs {
		switch spec := s.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil && (d.Doc == nil || len(d.Specs) > 1) {
				found = append(found, f.at(spec.Pos(), "exported type %s has no comment", spec.Name.Name))
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					found = append(found, f.at(name.Pos(), "exported %s %s has no comment", d.Tok, name.Name))
				}
			}
		}
	}
	return found
}

// widest is the maximum number of columns of a line; a tab counts as four.
const widest = 120

// checkLines checks that no line is wider than widest, unless a string literal makes it so.
func checkLines(f goFile) []string {
	literals := map[int]int{} // the columns of string literals, by line
	ast.Inspect(f.tree, func(n ast.Node) bool {
		lit, is := n.(*ast.BasicLit)
		if !is || lit.Kind != token.STRING {
			return true
		}
		first := f.set.Position(lit.Pos()).Line
		for i, part := range strings.Split(lit.Value, "\n") {
			literals[first+i] += utf8.RuneCountInString(part)
		}
		return true
	})
	var found []string
	for i, line := range strings.Split(string(f.text), "\n") {
		columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
		if columns-literals[i+1] <= widest && literals[i+1] > 0 || columns <= widest {
			continue
		}
		found = append(found, fmt.Sprintf("%s:%d: %d columns, more than %d", f.path, i+1, columns, widest))
	}
	return found
}

// checkPackageDocs checks that every package has a package comment.
func checkPackageDocs(files []goFile) []string {
	first := map[string]goFile{}
	documented := map[string]bool{}
	for _, f := range files {
		if f.isTest() {
			continue
		}
		if _, ok := first[f.pkg()]; !ok {
			first[f.pkg()] = f
		}
		if f.tree.Doc != nil {
			documented[f.pkg()] = true
		}
	}
	var found []string
	for pkg, f := range first {
		if !documented[pkg] {
			found = append(found, f.at(f.tree.Package, "package %s has no package comment", f.tree.Name.Name))
		}
	}
	slices.Sort(found)
	return found
}
