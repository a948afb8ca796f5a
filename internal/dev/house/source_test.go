package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goFile is a parsed source file.
type goFile struct {
	path string // from the top of the repository, slash-separated
	text []byte
	set  *token.FileSet
	tree *ast.File
}

func parse(name string, text []byte) (goFile, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return goFile{path: name, text: text, set: set, tree: tree}, err
}

// at returns a message with its location in front.
func (f goFile) at(pos token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.path, f.set.Position(pos).Line, fmt.Sprintf(format, args...))
}

func (f goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// pkg returns the folder of the file, "." for the top.
func (f goFile) pkg() string { return path.Dir(f.path) }

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// uses calls visit for every use of a function or variable of an imported package, written as
// "os.Exit" under any name of the import.
func (f goFile) uses(visit func(pos token.Pos, name string)) {
	names := map[string]string{}
	for _, spec := range f.tree.Imports {
		p := importPath(spec)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
				visit(s.Pos(), names[x.Name]+"."+s.Sel.Name)
			}
		}
		return true
	})
}

// holders returns the structs of the file with a field of one of some types, which are named by package
// and name.
func (f goFile) holders(types map[string]bool) (names []string) {
	pkg := path.Base(f.pkg())
	ast.Inspect(f.tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		holds := false
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok {
				return true
			}
			ast.Inspect(field.Type, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.SelectorExpr:
					of, _ := x.X.(*ast.Ident)
					holds = holds || of != nil && types[of.Name+"."+x.Sel.Name]
					return false
				case *ast.Ident:
					holds = holds || types[pkg+"."+x.Name]
				}
				return true
			})
			return false
		})
		if holds {
			names = append(names, pkg+"."+spec.Name.Name)
		}
		return true
	})
	return names
}

// repository parses every Go file of the repository.
func repository(t *testing.T) []goFile {
	t.Helper()
	top := filepath.Join("..", "..", "..")
	var files []goFile
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != top &&
				(strings.HasPrefix(base, ".") || base == "testdata" || base == "vendor" || base == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		file, err := parse(filepath.ToSlash(rel), text)
		if err != nil {
			return err
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d Go files found: is %s the top of the repository?", len(files), top)
	}
	return files
}
