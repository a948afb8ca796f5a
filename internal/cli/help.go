package cli

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// help is the text of --help. It is handed to urfave/cli as a template without actions.
func (p *program) help() string {
	var b strings.Builder
	b.WriteString(`Compare the configuration of a cluster with a reference configuration.

Usage:
  @TOOL@ [options] REFERENCE INPUT...    compare (also as: @TOOL@ compare ...)
  @TOOL@ explain-match REFERENCE INPUT... KIND/NAME
                                                why is this CR compared with that template?
  @TOOL@ explain CODE...                 say what a code such as VT2005 means, and what to do
  @TOOL@ version                         print the version

REFERENCE is a folder with a metadata.yaml, the metadata file itself, a folder of
annotated templates, or an archive of one. INPUT is a directory, a file, a support
archive (tar, zip; gzip, xz, zstd, bzip2), or - for standard input; several are one
input. Options may stand before or after them.

Exit status:
  0  nothing that counts as a failure was found
  1  differences: something of --fail-on was found
  2  the answer is not to be relied on: bad usage, a reference that does not load,
     a CR that could not be evaluated, an input that could not be read as a whole

Options:
`)
	for _, f := range new(options).compareFlags() {
		writeOption(&b, f)
	}
	b.WriteString("  -h, --help\n      show this text\n")
	b.WriteString(helpOnLimits())
	return strings.ReplaceAll(b.String(), "@TOOL@", p.name)
}

// writeOption writes an option's names and, below them, what it does.
func writeOption(b *strings.Builder, f cli.Flag) {
	doc, ok := f.(cli.DocGenerationFlag)
	if visible, hides := f.(cli.VisibleFlag); !ok || hides && !visible.IsVisible() {
		return
	}
	usage := doc.GetUsage()
	argument := ""
	if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
		argument = " " + parts[1]
		usage = strings.Join(parts, "")
	}
	names := f.Names()
	b.WriteString("  ")
	if len(names) > 1 {
		b.WriteString("-" + names[1] + ", ")
	}
	b.WriteString("--" + names[0] + argument + "\n")
	const width = 82
	line := "     "
	for _, word := range strings.Fields(usage) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = "     "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}
