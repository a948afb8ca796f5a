package finding

import "encoding/json"

// Inside is what differs inside of two texts that hold documents. It decides nothing: the texts
// differ, whatever they hold.
type Inside struct {
	Encoding    string            `json:"encoding,omitempty"` // around the documents: "data URL, base64, gzip"
	Format      string            `json:"format"`             // json, yaml or text
	Differences []InnerDifference `json:"differences"`        // the first hundred
	More        int               `json:"more,omitempty"`     // how many there are besides
}

// InnerDifference is a field of a document that differs. Its path goes on behind that of the text
// and an exclamation mark.
type InnerDifference struct {
	Category  Category        `json:"category"`
	Path      string          `json:"path"`
	Reference json.RawMessage `json:"reference,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}
