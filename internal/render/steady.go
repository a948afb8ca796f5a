package render

import (
	"fmt"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// unsteady says why what a function returns may differ from one run to the next, though its arguments are the same; "" where it
// does not.
func unsteady(name string) string {
	switch name {
	case "now", "ago":
		return "asks the clock"
	case "date", "htmlDate", "durationRound":
		return "takes the time of the clock where it is given none"
	case "dateInZone", "date_in_zone", "htmlDateInZone":
		return "takes the time of the clock where it is given none, and asks the machine about time zones"
	case "randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4",
		"genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey",
		"bcrypt", "htpasswd", "encryptAES":
		return "makes up something random"
	}
	return ""
}

// Warnings lists the calls of functions whose result may differ from run to run, sorted by file and line.
func (e *Engine) Warnings() []refconfig.Problem { return e.warnings }

// warn notes the calls of unsteady functions below the definitions.
func (e *Engine) warn(definitions []*definition) {
	for _, d := range definitions {
		visit(d.root, func(n parse.Node) {
			call, ok := n.(*parse.IdentifierNode)
			if !ok || unsteady(call.Ident) == "" {
				return
			}
			line := d.file.line(call.Pos)
			p := refconfig.Problem{Code: code.RefUnsteady, Place: refconfig.Place{File: d.file.name, Line: line}, Message: fmt.Sprintf(
				"the template calls %s, which %s; the result of a comparison may differ from run to run", call.Ident, unsteady(call.Ident))}
			e.warnings = append(e.warnings, p)
		})
	}
}
