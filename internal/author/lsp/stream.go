package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

// Limits of messages.
const (
	mostHeader = 8 << 10  // bytes of the header of a message
	mostBody   = 64 << 20 // bytes of a message; a file of a reference has at most 16 MB
)

var errHeader = errors.New("the editor sent something other than messages of the protocol")

// stream frames the messages of an editor. A message that is no JSON is answered with an error, and
// the next one is read; only a header that cannot be read ends the stream.
type stream struct {
	io.Closer
	in     *bufio.Reader
	broken atomic.Bool // a header could not be read

	mu  sync.Mutex // guards out
	out *bufio.Writer
}

func newStream(s io.ReadWriteCloser) *stream {
	return &stream{Closer: s, in: bufio.NewReaderSize(s, mostHeader), out: bufio.NewWriter(s)}
}

// WriteObject writes a message.
func (s *stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n", len(body)) // Flush returns its error
	_, _ = s.out.Write(body)
	return s.out.Flush()
}

// ReadObject reads the next message.
func (s *stream) ReadObject(message any) error {
	for {
		size, err := s.header()
		if err != nil {
			s.broken.Store(errors.Is(err, errHeader))
			return err
		}
		fault := &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest,
			Message: fmt.Sprintf("the message has %d bytes; the limit is %d", size, mostBody)}
		if size > mostBody {
			_, err = io.CopyN(io.Discard, s.in, size)
		} else {
			var body []byte
			if body, err = io.ReadAll(io.LimitReader(s.in, size)); err == nil && int64(len(body)) < size {
				err = io.ErrUnexpectedEOF
			}
			if err == nil {
				if fault = decode(body, message); fault == nil {
					return nil
				}
			}
		}
		if err == nil {
			err = s.WriteObject(map[string]any{"jsonrpc": "2.0", "id": nil, "error": fault})
		}
		if err != nil {
			return err
		}
	}
}

// decode reads a message from its bytes.
func decode(body []byte, message any) *jsonrpc2.Error {
	err := json.Unmarshal(body, message)
	switch {
	case err == nil:
		return nil
	case json.Valid(body):
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: err.Error()}
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: err.Error()}
}

// header reads the header of a message and returns the size of its body.
func (s *stream) header() (size int64, err error) {
	size = -1
	for read := 0; ; {
		line, err := s.in.ReadSlice('\n')
		if errors.Is(err, io.EOF) && read+len(line) == 0 {
			return 0, io.EOF
		}
		if read += len(line); err != nil || read > mostHeader {
			return 0, errHeader
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		if !ok {
			return 0, errHeader
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || size < 0 {
				return 0, errHeader
			}
		}
	}
	if size < 0 {
		return 0, errHeader
	}
	return size, nil
}
