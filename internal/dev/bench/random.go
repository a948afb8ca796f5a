package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
)

// random is a sequence of numbers and texts that depends only on what it is made of.
type random struct {
	*rand.Rand
	source *rand.ChaCha8
	words  []string
}

func newRandom(of ...any) random {
	source := rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, of...)))
	return random{Rand: rand.New(source), source: source, words: strings.Fields(`
		router console ingress monitor scheduler registry network storage machine cluster catalog webhook operator
		controller manager agent daemon proxy driver plugin resolver collector exporter gateway synced started stopped
		observed updated skipped retried expired renewed elected evicted mounted cache lease handler queue volume
		certificate endpoint condition revision generation status`)}
}

// bytes returns a number of bytes; reading them never fails.
func (r random) bytes(n int) []byte {
	b := make([]byte, n)
	_, _ = r.source.Read(b)
	return b
}

// Hex returns an even number of hexadecimal digits.
func (r random) Hex(digits int) string { return hex.EncodeToString(r.bytes(digits / 2)) }

// Base64 returns a number of bytes as text.
func (r random) Base64(n int) string { return base64.StdEncoding.EncodeToString(r.bytes(n)) }

// Word returns a word of a name or message.
func (r random) Word() string { return r.words[r.IntN(len(r.words))] }

// Words returns words with a space between them.
func (r random) Words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = r.Word()
	}
	return strings.Join(words, " ")
}
