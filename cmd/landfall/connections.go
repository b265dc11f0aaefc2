package main

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/internal/netblock"
)

// connectionSettings bound the connections that are open at one time.
type connectionSettings struct {
	// all is the number of connections, and ofAddress that of one address. 0 means
	// the default.
	all, ofAddress int
}

const (
	// reservedDescriptors are those that the server needs besides its connections: the
	// database, documents, readers of documents, webhooks, carriers.
	reservedDescriptors = 256
	maxConnections      = 1_000_000
	defaultConnections  = 10_000
	defaultOfAddress    = 256
	// unknownDescriptorLimit is assumed where the system does not say.
	unknownDescriptorLimit = 4096
)

func (c *connectionSettings) declare(f *flags) {
	f.IntVar(&c.all, "max-connections", 0, "`N` connections open at one time; 0 means 10000, or fewer where the limit of descriptors is lower")
	f.IntVar(&c.ofAddress, "max-connections-per-address", 0, "`N` connections of one address (IPv6: of one /64 network), except trusted proxies; 0 means 256, or a quarter of --max-connections if that is less")
}

// resolve checks the settings against the limit of open descriptors, and sets the
// defaults.
func (c *connectionSettings) resolve(descriptors int) error {
	room := max(descriptors-reservedDescriptors, descriptors/4, 1)
	switch {
	case c.all < 0 || c.all > maxConnections:
		return usageErrorf("--max-connections: %d is not a number from 1 to %d, or 0 for the default", c.all, maxConnections)
	case c.all > room:
		return usageErrorf("--max-connections: %d is more than the limit of %d open descriptors allows: use at most %d, or raise the limit (ulimit -n, LimitNOFILE of systemd)", c.all, descriptors, room)
	case c.all == 0:
		c.all = min(defaultConnections, room)
	}
	switch {
	case c.ofAddress < 0 || c.ofAddress > c.all:
		return usageErrorf("--max-connections-per-address: %d is not a number from 1 to %d, the limit of all connections, or 0 for the default", c.ofAddress, c.all)
	case c.ofAddress == 0:
		c.ofAddress = min(defaultOfAddress, max(c.all/4, 1))
	}
	return nil
}

// connections are the open connections of clients.
type connections struct {
	connectionSettings
	trusted networkList // proxies, which may have any number
	log     *slog.Logger
	// refusedOne is called with each connection that is refused, with whether its address
	// has too many. May be nil.
	refusedOne func(ofAddress bool)

	mu        sync.Mutex
	open      int
	byNetwork map[netip.Addr]int
	refused   int // since the last line of the log
	logged    time.Time
}

// operatorConnections are those of --admin-addr. They do not count with the others, so
// that operators get in when those are used up.
func operatorConnections(log *slog.Logger) *connections {
	return &connections{connectionSettings: connectionSettings{all: reservedDescriptors / 8, ofAddress: reservedDescriptors / 8}, log: log}
}

// refusalLogEvery is how often the log gets a line about refused connections.
const refusalLogEvery = time.Minute

// admit counts a connection, unless its address or the server has too many.
func (c *connections) admit(conn *net.TCPConn) (admitted net.Conn, ok bool) {
	address := conn.RemoteAddr().(*net.TCPAddr).AddrPort().Addr()
	trusted := netblock.Contain(c.trusted, address)
	network := netblock.Of(address)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.open >= c.all:
		c.refuse(conn, address, "all", c.all)
		return nil, false
	case !trusted && c.byNetwork[network] >= c.ofAddress:
		c.refuse(conn, address, "of one address", c.ofAddress)
		return nil, false
	}
	c.open++
	if !trusted {
		if c.byNetwork == nil {
			c.byNetwork = map[netip.Addr]int{}
		}
		c.byNetwork[network]++
	}
	return &connection{TCPConn: conn, release: sync.OnceFunc(func() { c.release(network, trusted) })}, true
}

// refuse resets a connection, which costs the server nothing further.
func (c *connections) refuse(conn *net.TCPConn, a netip.Addr, bound string, most int) {
	_ = conn.SetLinger(0)
	conn.Close()
	if c.refusedOne != nil {
		c.refusedOne(bound != "all")
	}
	c.refused++
	if now := time.Now(); now.Sub(c.logged) >= refusalLogEvery {
		c.log.Warn("refused connections", "address", a, "limit_of", bound, "limit", most, "refused_since_last_line", c.refused)
		c.refused, c.logged = 0, now
	}
}

// count returns how many are open.
func (c *connections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

func (c *connections) release(network netip.Addr, trusted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if trusted {
		return
	}
	if c.byNetwork[network]--; c.byNetwork[network] == 0 {
		delete(c.byNetwork, network)
	}
}

// connection is an admitted connection. It watches for lines that begin with
// Content-Length, because net/http removes this header from a request that has
// Transfer-Encoding too, and does not say so.
type connection struct {
	*net.TCPConn
	release func()

	begin     []byte      // of the present line, at most len(lengthHeader)
	sawLength atomic.Bool // on this connection, in a header or in a body
}

var lengthHeader = []byte("content-length")

// Close closes the connection and frees its place.
func (c *connection) Close() error {
	defer c.release()
	return c.TCPConn.Close()
}

// Read reads and watches. Only one goroutine reads at a time.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	if !c.sawLength.Load() {
		c.watch(p[:n])
	}
	return n, err
}

func (c *connection) watch(data []byte) {
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		c.begin = append(c.begin, line[:min(len(line), len(lengthHeader)-len(c.begin))]...)
		if bytes.EqualFold(c.begin, lengthHeader) {
			c.sawLength.Store(true)
			return
		}
		if !ended {
			return
		}
		c.begin, data = c.begin[:0], rest
	}
}

// connectionKey is the context key of a request's net.Conn.
type connectionKey struct{}

// withConnection is the ConnContext of the server.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// closeAmbiguous closes the connection after a request that has both Content-Length
// and Transfer-Encoding: a proxy in front may see another request in its rest (RFC
// 9112, 6.3). Where a connection has had any line that begins with Content-Length,
// every chunked request closes it, and where it cannot be seen, as under TLS, too.
func closeAmbiguous(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) == 0 || r.ProtoMajor > 1 {
		return
	}
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok || c.sawLength.Load() {
		w.Header().Set("Connection", "close")
	}
}
