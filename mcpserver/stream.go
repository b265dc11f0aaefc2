package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStream serves one client over a pair of streams, such as the standard input and output
// of a program, until it closes its side or ctx ends. What it has asked before it closes its
// side is answered. Needs Config.Key.
func (s *Server) ServeStream(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	if s.config.Key == "" {
		return errors.New("mcpserver: Config.Key is needed to serve a stream")
	}
	c := &clientStream{in: in, lines: bufio.NewReaderSize(in, maxBody), out: out, answered: make(chan struct{}, 1), ctx: ctx}
	err := s.mcp().Run(ctx, &mcp.IOTransport{Reader: c, Writer: c, MaxLineLength: maxBody})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// clientStream holds the end of the input back until all requests are answered: the SDK gives
// up what is under way when the input ends.
type clientStream struct {
	in    io.Closer
	lines *bufio.Reader
	out   io.WriteCloser
	ctx   context.Context // that of ServeStream

	rest     []byte // of the line that is being read
	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // has a token after an answer
}

// Read returns a part of a line, or of several.
func (c *clientStream) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		line, err := c.lines.ReadSlice('\n')
		if len(line) == 0 && err != nil {
			c.drain()
			return 0, err
		}
		c.rest = slices.Clone(line)
		c.count(requestsIn(line))
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Write writes messages, each in one call.
func (c *clientStream) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.count(-answersIn(p))
	return n, err
}

// Close closes both sides.
func (c *clientStream) Close() error { return errors.Join(c.in.Close(), c.out.Close()) }

func (c *clientStream) count(n int) {
	c.mu.Lock()
	c.open += n
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// drain waits for the answers that are owed.
func (c *clientStream) drain() {
	ctx, cancel := context.WithTimeout(c.ctx, callTimeout)
	defer cancel()
	for {
		c.mu.Lock()
		open := c.open
		c.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-c.answered:
		case <-ctx.Done():
			return
		}
	}
}

// message is what is needed of a message to know whether it asks or answers.
type message struct {
	ID     json.RawMessage
	Method string
}

// requestsIn counts the requests of a line: a message or a batch.
func requestsIn(line []byte) (n int) {
	for _, m := range messagesOf(line) {
		if len(m.ID) > 0 && m.Method != "" {
			n++
		}
	}
	return n
}

// answersIn counts the answers of a line.
func answersIn(line []byte) (n int) {
	for _, m := range messagesOf(line) {
		if len(m.ID) > 0 && m.Method == "" {
			n++
		}
	}
	return n
}

func messagesOf(line []byte) (list []message) {
	if json.Unmarshal(line, &list) == nil {
		return list
	}
	var one message
	if json.Unmarshal(line, &one) != nil {
		return nil
	}
	return []message{one}
}
