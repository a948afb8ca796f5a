package command

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// scripts has, for each shell, the script that asks this tool what the last word of a command line can be.
//
//go:embed completion
var scripts embed.FS

// How a shell takes the words that it is told, as numbers that kubectl knows too: they are those of the library that it is made with.
const (
	orFiles  = 0 // names of files fit as well
	noSpace  = 2 // no blank comes behind the word
	wordOnly = 4 // no names of files
)

// Shells are what the command completion can be asked for.
func Shells() [][2]string {
	return [][2]string{
		{"bash", "source <(validationTool completion bash)"},
		{"zsh", "source <(validationTool completion zsh)"},
		{"fish", "validationTool completion fish | source"},
		{"kubectl", "for the plugin: save it as kubectl_complete-NAME in a folder of PATH, NAME as in kubectl NAME, and make it executable"},
	}
}

// Script returns the script of a shell, for a program as the user calls it.
func Script(shell, program string) (string, error) {
	text, err := scripts.ReadFile("completion/" + shell)
	script := strings.ReplaceAll(string(text), "TOOL", strings.ReplaceAll(program, " ", "-"))
	return strings.ReplaceAll(script, "PLUGIN", program), err
}

// Complete says what the last of some words can be, each with its meaning behind a tab, and how a shell is to take them.
func (s Set) Complete(words []string) string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	fitting, how := s.candidates(words[:last], words[last])
	var b strings.Builder
	for _, f := range fitting {
		fmt.Fprintf(&b, "%s\t%s\n", f[0], f[1])
	}
	fmt.Fprintf(&b, ":%d\n", how)
	return b.String()
}

// candidates returns what a word can become behind others, each with its meaning.
func (s Set) candidates(before []string, word string) ([][2]string, int) {
	c, args := s.Find(before)
	name, start, assigned := strings.Cut(word, "=")
	switch {
	case slices.Contains(args, "--"):
		return nil, orFiles
	case len(args) > 0 && c.waits(args[len(args)-1]) != nil:
		return c.waits(args[len(args)-1]).fitting("", word)
	case assigned && strings.HasPrefix(name, "--") && c.waits(name) != nil:
		return c.waits(name).fitting(name+"=", start)
	case strings.HasPrefix(word, "-") && word != "-":
		return c.fittingOptions(args, word), wordOnly
	}
	how, words := orFiles, [][2]string(nil)
	switch {
	case c.Words != nil:
		how, words = wordOnly, c.Words()
	case len(before) == 0:
		words = append(s.Words(), [2]string{c.Name, c.Does})
	case len(before) == 1: // the name of a group may be a folder's too
		words = s.Members(before[0])
	}
	return beginning(words, word), how
}

// waits returns the option that a word names, where that waits for a value; else nil.
func (c *Command) waits(word string) *Option {
	for _, o := range c.listed() {
		letters := strings.TrimPrefix(word, "-") // several short ones may stand in one word
		short := o.Short != "" && letters != word && !strings.HasPrefix(letters, "-") && strings.HasSuffix(letters, o.Short)
		if o.valued() && (word == "--"+o.Name || short) {
			return &o
		}
	}
	return nil
}

// fitting returns what the value of an option can become that begins with a word. What is returned begins with lead.
func (o *Option) fitting(lead, word string) ([][2]string, int) {
	how, words := wordOnly, [][2]string(nil)
	if o.argument() == "LIST" {
		i := strings.LastIndex(word, ",") + 1
		lead, word = lead+word[:i], word[i:]
	}
	for _, v := range o.Values {
		if strings.HasPrefix(v, word) {
			words = append(words, [2]string{lead + v, ""})
		}
		if strings.HasSuffix(v, "=") {
			how = wordOnly | noSpace
		}
	}
	if slices.Contains([]string{"FILE", "DIR", "REFERENCE", "INPUT"}, o.argument()) {
		how = orFiles
	}
	return words, how
}

// fittingOptions returns the options that a word can become, but for those that were given and may stand once.
func (c *Command) fittingOptions(args []string, word string) [][2]string {
	line, _ := c.Read(args)
	var words [][2]string
	for _, o := range c.listed() {
		if !line.Given[o.Name] || o.many() {
			text, _, _ := strings.Cut(o.usage(), ";")
			words = append(words, [2]string{"--" + o.Name, text})
		}
	}
	return beginning(words, word)
}

// beginning returns the words that begin as another does.
func beginning(words [][2]string, with string) [][2]string {
	return slices.DeleteFunc(slices.Clone(words), func(w [2]string) bool { return !strings.HasPrefix(w[0], with) })
}
