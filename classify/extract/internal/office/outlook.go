package office

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"

	"github.com/landfallhq/tracking/classify/extract/internal/flow"
)

// The properties of a message that are read ([MS-OXPROPS]), with the type of text in UTF-16
// or 8 bits, and of bytes.
const (
	subjectProperty = "__substg1.0_0037"
	senderProperty  = "__substg1.0_0C1A"
	plainProperty   = "__substg1.0_1000"
	htmlProperty    = "__substg1.0_1013"
	wide            = "001F"
	narrow          = "001E"
	binary          = "0102"
)

// outlookBlocks reads the subject, sender and text of a message that Outlook has saved. A
// text that is there as RTF alone is not read.
func outlookBlocks(file []byte) ([]flow.Block, error) {
	r, err := mscfb.New(bytes.NewReader(file))
	if err != nil {
		return nil, damaged(err)
	}
	found := map[string]string{}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, damaged(err)
		}
		if len(e.Path) > 0 || len(e.Name) != len(subjectProperty)+len(wide) { // attachments and recipients are in storages
			continue
		}
		property, typ := e.Name[:len(subjectProperty)], e.Name[len(subjectProperty):]
		switch property {
		case subjectProperty, senderProperty, plainProperty, htmlProperty:
		default:
			continue
		}
		content, err := io.ReadAll(io.LimitReader(e, mostUnpacked))
		if err != nil {
			return nil, damaged(err)
		}
		switch typ {
		case wide:
			units := make([]uint16, len(content)/2)
			for i := range units {
				units[i] = uint16(content[2*i]) | uint16(content[2*i+1])<<8
			}
			found[property] = string(utf16.Decode(units))
		case narrow, binary:
			found[property] = string(decoded(content, ""))
		}
	}
	blocks := []flow.Block{}
	for _, p := range []struct{ property, caption string }{{subjectProperty, "Subject: "}, {senderProperty, "From: "}} {
		if text := found[p.property]; text != "" {
			blocks = append(blocks, flow.Paragraph{Text: p.caption + text})
		}
	}
	return (&body{found[htmlProperty], found[plainProperty]}).blocks(blocks)
}
