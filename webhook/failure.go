package webhook

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/landfallhq/tracking"
)

// failure says why no response came. Texts of errors are not shown, but for those
// of TLS: they hold addresses, of name servers too, and pieces of what was sent.
func failure(ctx context.Context, at phase, err error) (reason, detail string) {
	switch {
	case ctx.Err() != nil:
		return tracking.FailCanceled, "The attempt was broken off on this side."
	case errors.Is(err, errBlocked):
		return tracking.FailBlocked, "The address is not one that webhooks are sent to."
	case timedOut(err):
		return tracking.FailTimeout, tooLate[at]
	case at == resolving:
		return tracking.FailDNS, dnsDetail(err)
	case at == connecting:
		return tracking.FailConnect, connectDetail(err)
	case at == handshaking:
		return tracking.FailTLS, tlsDetail(err)
	case at == connected || brokenOff(err):
		return tracking.FailConnect, "The connection was closed before an answer came."
	}
	return tracking.FailResponse, "What came is not an answer of HTTP, or its headers are too large."
}

// tooLate says what was waited for.
var tooLate = map[phase]string{
	resolving:   "The name of the host was not resolved in time.",
	connecting:  "No connection came about in time.",
	handshaking: "The TLS handshake did not end in time.",
	connected:   "No answer came in time.",
	answered:    "No whole answer came in time.",
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

func dnsDetail(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return "The name of the host is not known."
	}
	return "The name of the host could not be resolved."
}

func connectDetail(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The connection was refused."
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "There is no way to the address."
	}
	return "No connection came about."
}

// tlsDetail is what the TLS library says, mostly about a certificate.
func tlsDetail(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // without the addresses of both ends
	}
	if brokenOff(err) {
		return "The connection was closed during the TLS handshake."
	}
	return cut(strings.ToValidUTF8(err.Error(), "\uFFFD"), maxHeader)
}

func brokenOff(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}
