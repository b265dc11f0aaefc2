package webhook

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

const (
	maxRead   = 64 << 10 // of a body, in bytes
	maxKept   = 4 << 10  // of it, to be shown
	maxHeader = 256      // of a header that is shown
	maxHead   = 32 << 10 // of all headers of a response, those of 1xx included

	// maxRetryAfter bounds what is believed of Retry-After.
	maxRetryAfter = 7 * 24 * time.Hour
)

// receive notes a response. What makes an attempt a success is its status alone: an
// endpoint that has said 2xx has the delivery, whatever becomes of the body. The
// body is read as far as it comes in time, so that the connection can be used again.
func receive(res *http.Response, d tracking.Dispatch, out *tracking.Outcome) {
	var body []byte
	if res.StatusCode != http.StatusSwitchingProtocols { // then it has no end
		body, _ = io.ReadAll(io.LimitReader(res.Body, maxRead))
	}
	res.Body.Close()
	out.Status = res.StatusCode
	out.Failure, out.Detail = judge(res.StatusCode)
	out.ResponseHeaders = shown(res.Header, d.Headers)
	out.ResponseBody = text(body, maxKept, d.Headers)
}

func judge(status int) (failure, detail string) {
	said := strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
	switch status / 100 {
	case 2:
		return "", ""
	case 3:
		return tracking.FailRedirect, "The endpoint answered " + said + ". Redirects are not followed: give the webhook the new URL."
	}
	return tracking.FailStatus, "The endpoint answered " + said + "."
}

// helpful are the headers that tell who has answered, and why so.
var helpful = []string{
	"Allow", "Cf-Ray", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Location", "Request-Id", "Retry-After", "Server",
	"Via", "Www-Authenticate", "X-Amzn-Requestid", "X-Correlation-Id", "X-Request-Id",
}

func shown(h http.Header, own []tracking.Header) []tracking.Header {
	var list []tracking.Header
	for _, name := range helpful {
		if value := h.Get(name); value != "" {
			list = append(list, tracking.Header{Name: name, Value: text([]byte(value), maxHeader, own)})
		}
	}
	return list
}

// minSecret is the length from which the value of a webhook's own header is taken
// for a secret. Shorter ones are in any text by chance.
const minSecret = 8

// text is the beginning of what an endpoint has said, as UTF-8 without NUL. Some
// endpoints say what they were told: the values of the webhook's own headers are
// taken out of it.
func text(said []byte, limit int, own []tracking.Header) string {
	s := string(said)
	for _, header := range own {
		if len(header.Value) >= minSecret {
			s = strings.ReplaceAll(s, header.Value, "***")
		}
	}
	s = strings.ReplaceAll(cut(s, limit), "\x00", "\uFFFD")
	return cut(strings.ToValidUTF8(s, "\uFFFD"), limit)
}

// cut shortens a text to a number of bytes, and not within a letter.
func cut(s string, limit int) string {
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

// retryAfter is how long a response asks to be left alone: seconds, or a date by the
// clock of the response, and if it has none, by ours at the end of the attempt.
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
