package refconfig

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// CodesFile is the name of the file, next to the metadata file, that explains the reference's own
// codes. Other tools do not read it.
const CodesFile = "codes.yaml"

// OwnCode is a code that the reference defines, and that its templates give to findings.
type OwnCode struct {
	Code   string `json:"code"`
	Title  string `json:"title"` // one line
	Cause  string `json:"cause,omitempty"`
	Triage string `json:"triage,omitempty"`
	Place  Place  `json:"-"`
}

// loadCodes reads the file of codes, if there is one. It ignores a CR or template of that name.
func (l *loader) loadCodes() {
	if l.files[CodesFile] != nil {
		return
	}
	at := Place{File: l.shown(CodesFile)}
	data, err := l.readAnew(CodesFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && looksLikeCR(data) {
		return
	}
	if err != nil {
		l.unreadable(at, "this", err)
		return
	}
	l.files[CodesFile] = data
	d := l.document(at.File, userfile.OneCode(code.RefCodes), l.aliases)
	root, _ := d.Parse(data)
	if root == nil {
		return
	}
	top, _ := d.Mapping(root, "the file of codes", []string{"codes"})
	codes, _ := d.OpenMapping(top.Field("codes"), "codes")
	for _, f := range codes.Fields {
		if err := code.CheckOwn(f.Key); err != nil {
			d.faultAt(f.Name, code.RefCodes, "%v", err)
		}
		one, _ := d.Mapping(f.Node, "a code", []string{"title", "cause", "triage"})
		text := func(key string) string {
			s, _ := d.Text(one.Field(key), key)
			return strings.TrimSpace(s)
		}
		own := OwnCode{Code: f.Key, Title: text("title"), Cause: text("cause"), Triage: text("triage"), Place: d.at(f.Name)}
		if own.Title == "" || strings.Contains(own.Title, "\n") {
			d.fault(code.RefCodes, own.Place, "the title of %q must be one line of text", f.Key)
		}
		l.ref.Codes = append(l.ref.Codes, own)
	}
}
