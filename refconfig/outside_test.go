package refconfig_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outsideProgram belongs to another module. It gives the types names, so that it compiles only
// where all of them are exported.
const outsideProgram = `package main

import (
	"fmt"
	"os"

	"github.com/validationtool/validationtool/refconfig"
)

func main() {
	for _, folder := range os.Args[1:] {
		ref, problems := refconfig.Load(os.DirFS(folder), ".", refconfig.LoadOptions{Name: "reference"})
		show(problems)
		for _, part := range ref.Parts {
			fmt.Printf("%s: %s\n", part.Name, part.Description)
		}
		for _, component := range ref.Components() {
			fmt.Println(component, len(component.Rules), len(ref.TemplatesOf(component)))
		}
		for _, template := range ref.Templates {
			fmt.Println(template.Path, template.File, template.Config.Omit[0])
		}
		present := func(t *refconfig.Template) bool { return t.Path != "quota.yaml" }
		var broken []refconfig.Violation = ref.Evaluate(present, nil)
		for _, v := range broken {
			fmt.Println(v.Code, v.Component, v.Rule, v.Message, v.Templates[0].Path)
		}
	}
	_, problems := refconfig.ParseDiffConfig("pairs.yaml", []byte("correlationSetting: {}\n"))
	show(problems)
	overrides, _, problems := refconfig.ParseOverrides("overrides.yaml", []byte("- kind: Pod\n  type: mergepatch\n  reason: r\n  patch: '['\n"))
	show(problems)
	fmt.Println(len(overrides), refconfig.FieldPath{{Key: "spec"}, {Key: "a.b", Index: -1}})
}

func show(problems []refconfig.Problem) {
	for _, p := range problems {
		var code string = p.Code
		var at refconfig.Place = p.Place
		fmt.Println(code, at.File, at.Line, at, p.Message)
	}
}
`

const outsideWant = `shop: The namespace every shop runs in, and what keeps it within its limits.
shop/namespace 1 3
shop/storefront 1 3
namespace.yaml reference/namespace.yaml metadata.resourceVersion
quota.yaml reference/quota.yaml metadata.resourceVersion
network-policy.yaml reference/network-policy.yaml metadata.resourceVersion
deployment.yaml reference/deployment.yaml metadata.resourceVersion
service.yaml reference/service.yaml metadata.resourceVersion
settings.yaml reference/settings.yaml metadata.resourceVersion
VT3001 shop/namespace allOf missing CRs quota.yaml
VT2014 reference/metadata.yaml 4 reference/metadata.yaml:4:14 the template "gone.yaml" does not exist; it should be reference/gone.yaml
p: 
p/c 0 0
VT1012 pairs.yaml 1 pairs.yaml:1:1 unknown key "correlationSetting" in the diff config; did you mean "correlationSettings"?
VT1013 overrides.yaml 4 overrides.yaml:4:10 the patch is not valid JSON: unexpected end of JSON input
0 spec."a.b"
`

// TestAnotherModuleUsesThePackage builds and runs a program of a module outside this repository.
func TestAnotherModuleUsesThePackage(t *testing.T) {
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	required, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	// What this module requires is required as a tidied go.mod would, so that no go.mod of a module
	// that is never built is asked for.
	_, requires, _ := strings.Cut(string(required), "\nrequire")
	own, broken := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(own, "main.go"): outsideProgram,
		filepath.Join(own, "go.sum"):  string(sums),
		filepath.Join(own, "go.mod"): "module example.com/outside\n\ngo 1.26.0\n\nrequire github.com/validationtool/validationtool v0.0.0\n\n" +
			"replace github.com/validationtool/validationtool => " + repository + "\n\nrequire" + requires,
		filepath.Join(broken, "metadata.yaml"): "apiVersion: v2\nparts:\n  - {name: p, components: [{name: c, oneOf: [\n      {path: gone.yaml}]}]}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", ".", filepath.Join(repository, "examples", "quickstart", "reference"), broken)
	run.Dir = own
	run.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(outsideWant, string(out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

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
