package refconfig_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoInternalTypeIsExported looks at every exported declaration: what it names of another
// package must be the standard library's.
func TestNoInternalTypeIsExported(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		foreign := map[string]bool{}
		for _, spec := range file.Imports {
			if p := strings.Trim(spec.Path.Value, `"`); strings.Contains(p, ".") {
				foreign[strings.Split(filepath.Base(p), ".")[0]] = true
			}
		}
		ast.FileExports(file)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				n.Body = nil
				seen++
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && foreign[x.Name] {
					t.Errorf("%s: %s.%s is part of what the package exports", set.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("only %d exported functions were looked at", seen)
	}
}
