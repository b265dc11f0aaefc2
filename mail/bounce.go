package mail

import (
	"bufio"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"net/textproto"
	"regexp"
	"strings"

	"github.com/landfallhq/tracking"
)

// messageID names an e-mail, and the subscription that it belongs to.
type messageID struct {
	id      tracking.ID
	account tracking.AccountID
	webhook tracking.ID
}

// String is the part before the @: three times 32 digits.
func (m messageID) String() string {
	return hex.EncodeToString(m.id[:]) + "." + hex.EncodeToString(m.account[:]) + "." + hex.EncodeToString(m.webhook[:])
}

var messageIDPattern = regexp.MustCompile(`^<([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9a-f]{32})@[^<>@\s]+>$`)

func parseMessageID(text string) (m messageID, ok bool) {
	found := messageIDPattern.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return m, false
	}
	for i, to := range [][]byte{m.id[:], m.account[:], m.webhook[:]} {
		if _, err := hex.Decode(to, []byte(found[i+1])); err != nil {
			return m, false
		}
	}
	return m, true
}

// Bounce is a report about an e-mail that came back.
type Bounce struct {
	// Account and Subscription that it was sent for: the arguments of tracking.Mail.RecordBounce.
	Account      tracking.AccountID
	Subscription tracking.ID
	// Gone: there is no such mailbox.
	Gone bool
	// Status is the enhanced status code, such as 5.1.1 (RFC 3463).
	Status string
}

// ErrNoBounce is returned for an e-mail that is no report of a failed delivery of an e-mail that a
// Sender has sent.
var ErrNoBounce = errors.New("it is no report about an e-mail that came back")

// maxReport bounds a report; longer ones are cut off.
const maxReport = 1 << 20

// ReadBounce reads an e-mail from a mail server that reports a failed delivery (RFC 3464). Reports
// of a delay, of success and other e-mails are refused with ErrNoBounce. The report is not proof:
// anybody who knows a Message-ID can forge one, so it is for a mailbox that is not published.
func ReadBounce(r io.Reader) (*Bounce, error) {
	m, err := netmail.ReadMessage(io.LimitReader(r, maxReport))
	if err != nil {
		return nil, ErrNoBounce
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/report" || !strings.EqualFold(params["report-type"], "delivery-status") {
		return nil, ErrNoBounce
	}
	b, failed, named := &Bounce{}, false, false
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err != nil { // the end, or what is cut off
			break
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		switch kind {
		case "message/delivery-status", "message/global-delivery-status":
			b.Status, failed = failure(part)
		case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers":
			header, _ := textproto.NewReader(bufio.NewReader(part)).ReadMIMEHeader()
			var id messageID
			if id, named = parseMessageID(header.Get("Message-Id")); named {
				b.Account, b.Subscription = id.account, id.webhook
			}
		}
	}
	if !failed || !named {
		return nil, ErrNoBounce
	}
	b.Gone = noMailbox(b.Status)
	return b, nil
}

// failure returns the status of the first recipient that an e-mail could not be delivered to. The
// groups of fields, that of the message and those of recipients, are separated by empty lines.
func failure(r io.Reader) (status string, failed bool) {
	fields := textproto.NewReader(bufio.NewReader(r))
	for {
		group, err := fields.ReadMIMEHeader()
		if strings.EqualFold(strings.TrimSpace(group.Get("Action")), "failed") {
			status, _, _ = strings.Cut(strings.TrimSpace(group.Get("Status")), " ")
			return status, true
		}
		if err != nil {
			return "", false
		}
	}
}
