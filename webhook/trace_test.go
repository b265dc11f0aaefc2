package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking"
)

// An exchange reports its own phases. One that used the connection of another
// reports nothing of its own dial.
func TestTrace(t *testing.T) {
	for _, reused := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			seen := &trace{}
			see := httptrace.ContextClientTrace(seen.with(context.Background()))
			see.DNSStart(httptrace.DNSStartInfo{})
			time.Sleep(1 * time.Second)
			see.DNSDone(httptrace.DNSDoneInfo{})
			see.ConnectStart("tcp", "[2606:4700::1111]:443")
			time.Sleep(2 * time.Second)
			see.ConnectStart("tcp", "8.8.8.8:443") // the first address does not answer
			time.Sleep(1 * time.Second)
			see.ConnectDone("tcp", "8.8.8.8:443", nil)
			see.TLSHandshakeStart()
			time.Sleep(4 * time.Second)
			see.TLSHandshakeDone(tls.ConnectionState{}, nil)
			see.GotConn(httptrace.GotConnInfo{Conn: dialled{}, Reused: reused})
			time.Sleep(5 * time.Second)
			see.GotFirstResponseByte()

			var got tracking.Outcome
			seen.writeTo(&got)
			want := [...]time.Duration{1 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second}
			if reused {
				want = [...]time.Duration{3: 5 * time.Second}
			}
			if told := [...]time.Duration{got.DNS, got.Connect, got.TLS, got.FirstByte}; told != want || got.RemoteIP != "8.8.8.8" {
				t.Errorf("reused %v: %v of %s, want %v", reused, told, got.RemoteIP, want)
			}
		})
	}
}

// dialled is a connection with only a remote address.
type dialled struct{ net.Conn }

func (dialled) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(8, 8, 8, 8), Port: 443} }
