package finding

import "encoding/json"

// Inside lists the differences between the documents in two texts. It only explains: the difference
// between the texts themselves decides the result.
type Inside struct {
	Encoding    string            `json:"encoding,omitempty"` // how the documents are encoded: "data URL, base64, gzip"
	Format      string            `json:"format"`             // json, yaml or text
	Differences []InnerDifference `json:"differences"`        // at most a hundred
	More        int               `json:"more,omitempty"`     // the number of further differences
}

// InnerDifference is a field of a document that differs. Its path is the path of the text, an
// exclamation mark, and the path in the document.
type InnerDifference struct {
	Category  Category        `json:"category"`
	Path      string          `json:"path"`
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}
