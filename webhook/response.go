package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/redact"
	"github.com/landfallhq/tracking/webhook/signature"
)

const (
	maxRead    = 64 << 10 // bytes read of a body
	maxKept    = 4 << 10  // bytes kept of it
	maxHeader  = 256      // bytes kept of a header
	maxHeaders = 32 << 10 // bytes of all headers of a response, including 1xx responses

	// maxRetryAfter bounds Retry-After.
	maxRetryAfter = 7 * 24 * time.Hour
)

// readResponse records a response. Only the status decides whether an attempt
// succeeds: an endpoint that answered 2xx has the delivery, even if its body is
// incomplete. The body is read as far as it arrives in time, so that the connection
// can be reused.
func readResponse(res *http.Response, d tracking.Dispatch, out *tracking.Outcome) {
	var body []byte
	if res.StatusCode != http.StatusSwitchingProtocols { // which has no end
		body, _ = io.ReadAll(io.LimitReader(res.Body, maxRead))
	}
	res.Body.Close()
	out.Status = res.StatusCode
	out.Failure, out.Detail = failureOfStatus(res.StatusCode)
	switch res.StatusCode {
	case http.StatusGone:
		out.Gone = true
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		out.Overloaded = true
	}
	secrets := secretsOf(d)
	out.ResponseHeaders = responseHeaders(res.Header, secrets)
	out.ResponseBody = excerpt(string(body), maxKept, secrets)
}

func failureOfStatus(status int) (failure, detail string) {
	said := strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
	switch status / 100 {
	case 2:
		return "", ""
	case 3:
		return tracking.FailRedirect, "The endpoint answered " + said + ". Redirects are not followed: give the webhook the new URL."
	}
	return tracking.FailStatus, "The endpoint answered " + said + "."
}

// shownHeaders are the response headers that show who answered, and why.
var shownHeaders = []string{
	"Allow", "Cf-Ray", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Location", "Request-Id", "Retry-After", "Server",
	"Via", "Www-Authenticate", "X-Amzn-Requestid", "X-Correlation-Id", "X-Request-Id",
}

func responseHeaders(h http.Header, secrets redact.Secrets) []tracking.Header {
	var list []tracking.Header
	for _, name := range shownHeaders {
		if value := h.Get(name); value != "" {
			list = append(list, tracking.Header{Name: name, Value: excerpt(value, maxHeader, secrets)})
		}
	}
	return list
}

// secretsOf returns what must not be kept of a response, since some endpoints echo the
// request: the signing secrets, with and without their prefix, and the values of the
// webhook's own headers.
func secretsOf(d tracking.Dispatch) redact.Secrets {
	list := slices.Clone(d.Secrets)
	for _, h := range d.Headers {
		list = append(list, h.Value)
	}
	return redact.New(signature.SecretPrefix, list...)
}

// excerpt returns the beginning of a response text, as valid UTF-8 without NUL, with
// secrets masked. They are masked before the text is cut, which could leave a part of
// one.
func excerpt(text string, limit int, secrets redact.Secrets) string {
	text = strings.ReplaceAll(truncate(secrets.Mask(text), limit), "\x00", "\uFFFD")
	return truncate(strings.ToValidUTF8(text, "\uFFFD"), limit)
}

// truncate shortens a text to a number of bytes, without splitting a character.
func truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for i := limit; i > limit-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:limit]
}

// retryAfter returns the delay that a response asks for: in seconds, or until a
// date, compared with the response's own Date or, without one, with the end of the
// attempt.
func retryAfter(h http.Header, end time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		end = date
	}
	return min(max(until.Sub(end), 0), maxRetryAfter)
}

// failure describes why no response came. The texts of errors are not shown, except
// those of TLS: they contain addresses and parts of the request.
func failure(ctx context.Context, at phase, err error) (reason, detail string) {
	switch {
	case ctx.Err() != nil:
		return tracking.FailCanceled, "The attempt was cancelled by the server."
	case errors.Is(err, errBlocked):
		return tracking.FailBlocked, "The address is not one that webhooks are sent to."
	case timedOut(err):
		return tracking.FailTimeout, timeoutDetail[at]
	case at == resolving:
		return tracking.FailDNS, dnsDetail(err)
	case at == connecting:
		return tracking.FailConnect, connectDetail(err)
	case at == handshaking:
		return tracking.FailTLS, tlsDetail(err)
	case at == connected || connectionClosed(err):
		return tracking.FailConnect, "The connection was closed before an answer came."
	}
	return tracking.FailResponse, "The answer is not valid HTTP, or its headers are too large."
}

// timeoutDetail describes a timeout in each phase.
var timeoutDetail = map[phase]string{
	resolving:   "The name of the host was not resolved in time.",
	connecting:  "No connection was established in time.",
	handshaking: "The TLS handshake did not end in time.",
	connected:   "No answer came in time.",
	answered:    "No complete answer came in time.",
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
		return "The address cannot be reached."
	}
	return "No connection was established."
}

// tlsDetail is the text of the TLS error, mostly about a certificate.
func tlsDetail(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // without the addresses
	}
	if connectionClosed(err) {
		return "The connection was closed during the TLS handshake."
	}
	return truncate(strings.ToValidUTF8(err.Error(), "\uFFFD"), maxHeader)
}

func connectionClosed(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}
