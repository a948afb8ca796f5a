package lsp

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// The parts of the Language Server Protocol 3.17 that the server speaks.

// params are the parameters of all messages of the editor.
type params struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Text    string `json:"text"` // of didOpen
		Version *int   `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"` // the whole text
	} `json:"contentChanges"`
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
	Position position        `json:"position"`
	Range    textRange       `json:"range"`
	Query    string          `json:"query"`
	NewName  string          `json:"newName"`
	ID       json.RawMessage `json:"id"` // of a request to be cancelled
	Context  struct {
		IncludeDeclaration bool     `json:"includeDeclaration"`
		Only               []string `json:"only"` // kinds of code actions; none for all
	} `json:"context"`
	setup
}

// setup has the parameters of initialize.
type setup struct {
	RootURI          string   `json:"rootUri"`
	WorkspaceFolders []folder `json:"workspaceFolders"`
	Event            struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
	Capabilities struct {
		General struct {
			PositionEncodings []encoding `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type folder struct {
	URI string `json:"uri"`
}

// position is a place in a text.
type position struct {
	Line      int `json:"line"` // from 0
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"` // 1 is an error, 2 a warning
	Code     code.Code `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`

	fix fix // what the message suggests
}

type published struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"` // of the text that the findings are about
	Diagnostics []diagnostic `json:"diagnostics"`
}

type hover struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// item is a word that completes the text before the cursor.
type item struct {
	Label         string   `json:"label"`
	Kind          itemKind `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	TextEdit      textEdit `json:"textEdit"`
}

type itemKind int

const (
	functionItem itemKind = 3
	fieldItem    itemKind = 5
	variableItem itemKind = 6
	moduleItem   itemKind = 9
	propertyItem itemKind = 10
	keywordItem  itemKind = 14
	fileItem     itemKind = 17
	valueItem    itemKind = 20
	constantItem itemKind = 21
)

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

// workspaceEdit has the changes of files, by their URIs.
type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred"`
	Edit        workspaceEdit `json:"edit"`
}

type symbolKind int

const (
	fileSymbol      symbolKind = 1
	moduleSymbol    symbolKind = 2
	namespaceSymbol symbolKind = 3
	classSymbol     symbolKind = 5
	functionSymbol  symbolKind = 12
	arraySymbol     symbolKind = 18
	eventSymbol     symbolKind = 24
)

// symbol is a name in the outline of a document.
type symbol struct {
	Name           string     `json:"name"`
	Detail         string     `json:"detail,omitempty"`
	Kind           symbolKind `json:"kind"`
	Range          textRange  `json:"range"`
	SelectionRange textRange  `json:"selectionRange"`
	Children       []symbol   `json:"children,omitempty"`
}

// workspaceSymbol is a name in the outline of all documents.
type workspaceSymbol struct {
	Name          string     `json:"name"`
	Kind          symbolKind `json:"kind"`
	Location      location   `json:"location"`
	ContainerName string     `json:"containerName,omitempty"`
}

type documentLink struct {
	Range  textRange `json:"range"`
	Target string    `json:"target"`
}

// pathOf returns the path of a file URI with slashes, "" for another URI.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if len(u.Path) > 2 && u.Path[2] == ':' { // /C:/folder
		return u.Path[1:]
	}
	return u.Path
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}
