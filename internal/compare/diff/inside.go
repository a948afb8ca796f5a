package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// Inside is the comparison of the documents in two texts that differ. It is only shown to people
// and has no effect on the result.
type Inside struct {
	encoding string // the encoding of the documents, in words; "" for none
	format   string
	pair     *Pair
	lines    *Pair // the values to show in place of the texts; nil to show the texts
}

// Revealed returns a comparison in which the documents in texts that differ are compared too. It
// opens secret texts only if secrets is set. If an encoded text cannot be decoded, a message says
// why.
func (c Compared) Revealed(reader *embed.Reader, secrets bool) Compared {
	if !slices.ContainsFunc(c.Differences, Difference.ofTexts) {
		return c
	}
	r := revealer{reader: reader, secrets: secrets, differences: slices.Clone(c.Differences)}
	c.Tree = r.pair(c.Tree)
	c.Differences = r.differences
	return c
}

// ofTexts reports whether two texts differ.
func (d Difference) ofTexts() bool {
	_, isLeft := d.Reference.Data.(string)
	_, isRight := d.Input.Data.(string)
	return d.Category == finding.Drift && isLeft && isRight
}

// revealer adds the documents in texts to copies of the pairs and differences that have them.
type revealer struct {
	reader      *embed.Reader
	secrets     bool // secret texts may be opened
	differences []Difference
	next        int // index of the difference of the next leaf
}

// pair returns a pair with the documents in its texts: the same pair if there are none.
func (r *revealer) pair(p *Pair) *Pair {
	if p.Children == nil {
		if p.Category == finding.Same {
			return p
		}
		r.next++ // Flatten lists the leaves in this order
		return r.leaf(&r.differences[r.next-1])
	}
	out := p
	for i, child := range p.Children {
		revealed := r.pair(child)
		if revealed == child {
			continue
		}
		if out == p {
			changed := *p
			changed.Children = slices.Clone(p.Children)
			out = &changed
		}
		out.Children[i] = revealed
	}
	return out
}

// leaf does the same as pair for a pair without children, and for its difference.
func (r *revealer) leaf(d *Difference) *Pair {
	if !d.ofTexts() || d.Secret.IsData() && !r.secrets {
		return d.pair
	}
	one, isOne, err := r.reader.Recognise(d.Reference.Data.(string))
	if err == nil && !isOne {
		return d.pair
	}
	revealed := *d.pair
	d.pair = &revealed
	var other embed.Document
	isOther := false
	if err == nil {
		other, isOther, err = r.reader.Recognise(d.Input.Data.(string))
	}
	switch {
	case err != nil:
		d.say("its content is not shown: " + err.Error())
	case isOther:
		d.reveal(one, other, r.secrets)
	}
	return d.pair
}

// say adds to the message of a difference.
func (d *Difference) say(message string) {
	if d.Message != "" {
		message = d.Message + "; " + message
	}
	d.Message, d.pair.Message = message, message
}

// reveal compares two documents. If their values are equal, it compares their texts; if these are
// equal too, only the encoding differs.
func (d *Difference) reveal(left, right embed.Document, secrets bool) {
	encoded := len(left.Layers)+len(right.Layers) > 0
	if !secrets && (d.Secret.Holds(d.Reference.Data) || d.Secret.Holds(d.Input.Data)) {
		if encoded {
			d.say("its content is not shown: it may hold secret data")
		}
		return
	}
	in := &Inside{encoding: encodings(left, right), format: left.Format}
	asText := left.Format == embed.Text || right.Format == embed.Text || tree.Equal(left.Value, right.Value)
	switch {
	case left.Text == right.Text:
		d.say("the content is the same, only encoded differently")
		return
	case asText:
		if left.Format != embed.Text && right.Format != embed.Text {
			d.say("the content is the same, only written differently")
		}
		if !encoded {
			return
		}
		in.format = embed.Text
		in.pair = &Pair{
			Step:     d.pair.Step,
			Category: finding.Drift,
			Left:     Present(left.Text),
			Right:    Present(right.Text),
			Secret:   d.Secret,
		}
	default:
		in.pair = Of(provenance.Plain(left.Value), right.Value, d.Secret.Reset())
		in.pair.Step = d.pair.Step
	}
	in.shape(left, right)
	if in.lines != nil && d.Message != "" {
		in.lines.Message += "; " + d.Message
	}
	d.pair.Inside = in
}

// shape decides what to show in place of the texts. It shows a document with several lines as it
// was written, except JSON.
func (in *Inside) shape(left, right embed.Document) {
	inLines := strings.Contains(left.Text, "\n") && strings.Contains(right.Text, "\n") &&
		(left.Format != embed.JSON || right.Format != embed.JSON)
	lines := *in.pair
	switch {
	case inLines && in.encoding == "":
		return
	case inLines:
		lines = Pair{
			Category: finding.Drift,
			Left:     Present(left.Text),
			Right:    Present(right.Text),
			Secret:   in.pair.Secret,
		}
	}
	lines.Message = "shown decoded: " + in.encoding
	if in.encoding == "" {
		lines.Message = "a text of " + strings.ToUpper(in.format) + ", shown by its content"
	}
	in.lines = &lines
}

// encodings describes the encodings of two documents.
func encodings(left, right embed.Document) string {
	l, r := left.Encoding(), right.Encoding()
	if l == r {
		return l
	}
	return cmp.Or(l, "none") + " in the reference, " + cmp.Or(r, "none") + " in the input"
}

// mostInside is the number of differences inside a text that are listed at most.
const mostInside = 100

// inside returns the comparison of two documents for the report.
func (show Show) inside(d Difference) *finding.Inside {
	if d.pair == nil || d.pair.Inside == nil {
		return nil
	}
	in := d.pair.Inside
	all := Flatten(in.pair)
	for i := range all {
		all[i].Path = append(d.Path.Inside(), all[i].Path...)
	}
	out := &finding.Inside{
		Encoding:    in.encoding,
		Format:      in.format,
		Differences: []finding.InnerDifference{},
		More:        max(0, len(all)-mostInside),
	}
	for _, one := range show.Differences(all[:min(mostInside, len(all))], nil) {
		out.Differences = append(
			out.Differences,
			finding.InnerDifference{Category: one.Category, Path: one.Path, Reference: one.Reference, Input: one.Input},
		)
	}
	return out
}
