package papers

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
)

// Attached returns the bytes of the attachment of a mail with this file name. The mails of the
// corpus have their attachments at the top level, in base64.
func (p Paper) Attached(name string) ([]byte, error) {
	m, err := mail.ReadMessage(bytes.NewReader(p.Content))
	if err != nil {
		return nil, err
	}
	_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s has no attachment %q", p.File, name)
		}
		if err != nil {
			return nil, err
		}
		if part.FileName() == name {
			return io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
		}
	}
}
