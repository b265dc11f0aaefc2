package tracking_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

func md5Of(content string) string {
	sum := md5.Sum([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// upload announces a file and hands in its bytes.
func upload(t *testing.T, tr *tracking.Tracker, name, content string) *tracking.UploadTicket {
	t.Helper()
	ticket := announce(t, tr, name, content)
	if err := tr.ReceiveUpload(ctx, ticket.Handle, tracking.SentUpload{Size: -1, Body: strings.NewReader(content)}); err != nil {
		t.Fatal(err)
	}
	return ticket
}

func announce(t *testing.T, tr *tracking.Tracker, name, content string) *tracking.UploadTicket {
	t.Helper()
	ticket, err := tr.CreateUpload(ctx, tracking.NewUpload{FileName: name, ContentType: "text/plain", ByteSize: int64(len(content)), Checksum: md5Of(content)})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// file makes a document and has it read.
func file(t *testing.T, b *trackingtest.Bench, name, content string) *tracking.Document {
	t.Helper()
	d, err := b.CreateDocument(ctx, tracking.NewDocument{Name: name, Attached: upload(t, b.Tracker, name, content).SignedID})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	return reread(t, b, d.ID)
}

func reread(t *testing.T, b *trackingtest.Bench, id tracking.ID) *tracking.Document {
	t.Helper()
	d, err := b.Document(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// code of an error of the engine: its kind's field and code.
func fault(err error) string {
	var e *tracking.Error
	if !errors.As(err, &e) {
		return "no Error"
	}
	return strings.TrimSpace(e.Field + " " + e.Code)
}

func TestDocumentRunsItsCourse(t *testing.T) {
	b := trackingtest.New(t)
	receipt := ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: voyage("MAEU77001")})
	d := file(t, b, "B-L march.txt", "type: bill_of_lading\nscac: MAEU\nbl_number: 77001\ncontainer: MRKU9465770\n")
	if d.DocumentType != "bill_of_lading" || d.ClassificationNotes != "it says so" || d.FileContentType != "text/plain" || d.ExtractionFailedReason != "" {
		t.Errorf("the document is %+v", d)
	}
	if !slices.Equal(d.Shipments, receipt.ShipmentIDs) {
		t.Errorf("linked to %v, want %v", d.Shipments, receipt.ShipmentIDs)
	}
	s, err := b.Rendered().Get(ctx, "document", d.ID, []string{"current_extraction", "account", "user", "shipments", "cargos", "email_submission"})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, r := range s.Included {
		types = append(types, r.Type)
		if r.Type == "document_representation" && !bytes.Contains(r.Doc, []byte(`"payload":{"scac":{"value":"MAEU","normalized":"MAEU"`)) {
			t.Errorf("the representation is %s", r.Doc)
		}
	}
	slices.Sort(types)
	if want := []string{"account", "document_representation", "shipment"}; !slices.Equal(types, want) {
		t.Errorf("included %v, want %v", types, want)
	}
	if got := announcedNames(b); !slices.Contains(got, tracking.DocumentExtracted) {
		t.Errorf("announced %v", got)
	}
}

func announcedNames(b *trackingtest.Bench) (names []tracking.EventName) {
	for _, a := range b.Announcements() {
		names = append(names, a.Event)
	}
	return names
}

func documentEvents(b *trackingtest.Bench) (names []tracking.EventName) {
	return slices.DeleteFunc(announcedNames(b), func(n tracking.EventName) bool { return !strings.HasPrefix(string(n), "document.") })
}

// What is posted of documents is a payload, of each way in which they come and each
// end that a reading has.
func TestDocumentsAreTold(t *testing.T) {
	b := trackingtest.New(t)
	subscribe(t, b, hookURL, tracking.Describe().DocumentEvents...)
	ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: voyage("MAEU77001")})
	linked := file(t, b, "linked.txt", "type: bill_of_lading\nscac: MAEU\nbl_number: 77001\ncontainer: MRKU9465770\n")
	damaged := file(t, b, "damaged.txt", "damaged\n")
	for _, content := range []string{"unreadable\n", "of no type\n"} {
		file(t, b, "kept.txt", content)
	}
	for _, change := range []struct {
		of *tracking.Document
		to tracking.DocumentUpdate
	}{
		{linked, tracking.DocumentUpdate{DataManual: tracking.Set(json.RawMessage(`{"po":"PO-9"}`))}},
		{damaged, tracking.DocumentUpdate{TypeManual: tracking.Set("other")}},
	} {
		if _, err := b.UpdateDocument(ctx, change.of.ID, change.to); err != nil {
			t.Fatal(err)
		}
		if err := b.ReextractDocument(ctx, change.of.ID); err != nil {
			t.Fatal(err)
		}
		b.Settle()
	}
	raw := crlf(fmt.Sprintf(bothParts, base64.StdEncoding.EncodeToString([]byte("type: arrival_notice\n"))))
	if _, err := b.SubmitEmail(ctx, tracking.NewEmailSubmission{Message: raw}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	told := map[string]int{}
	for _, sent := range b.Notifier.Sent() {
		payload := readPayload(t, sent.Body)
		if err := checkPayload(t, payload); err != nil {
			t.Errorf("%v\n%s", err, sent.Body)
		}
		told[namedEvent(payload)]++
		for _, r := range included(payload) {
			told[r["type"].(string)]++
		}
	}
	if told["document.extracted"] < 6 || told["document.extraction_failed"] < 2 || told["email_submission"] != 2 || told["document_representation"] < 6 {
		t.Errorf("told of %v", told)
	}
}

// What a reading comes to, by what the file is.
func TestReadings(t *testing.T) {
	extracted, failed := []tracking.EventName{tracking.DocumentExtracted}, []tracking.EventName{tracking.DocumentExtractionFailed}
	for _, row := range []struct {
		content, typ, notes, reason string
		events                      []tracking.EventName
		readings                    int
	}{
		{"type: other\n", "other", "it says so", "", extracted, 1},
		{"nothing known\n", "", "it does not say what it is", "", extracted, 1},
		{"unreadable\n", "", "unreadable: The file has no text.", "", extracted, 1},
		{"damaged\n", "", "", "damaged: The file is cut off.", failed, 1},
		{"type: other\nnote: " + strings.Repeat("long ", 250_000) + "\n", "other", "it says so", "too_large: The fields of the document have 1250078 bytes as JSON; at most 1048576 are kept.", failed, 1},
		{"fault\n", "", "", "given_up: reading it failed 3 times", failed, 3},
		{"panic\n", "", "", "given_up: reading it failed 3 times", failed, 3},
		{"busy\n", "", "", "given_up: reading it was started 12 times and never ended", failed, 12},
	} {
		t.Run(strings.TrimSpace(row.content[:min(len(row.content), 20)]), func(t *testing.T) {
			b := trackingtest.New(t)
			d := file(t, b, "x", row.content)
			for range 14 {
				b.Pass(2 * time.Minute) // the lease of a job that failed
			}
			d = reread(t, b, d.ID)
			if d.DocumentType != row.typ || d.ClassificationNotes != row.notes || d.ExtractionFailedReason != row.reason {
				t.Errorf("type %q, notes %q, reason %q", d.DocumentType, d.ClassificationNotes, d.ExtractionFailedReason)
			}
			if got := documentEvents(b); !slices.Equal(got, row.events) {
				t.Errorf("announced %v, want %v", got, row.events)
			}
			if got := b.DocumentReader.Readings(); got != row.readings {
				t.Errorf("read %d times, want %d", got, row.readings)
			}
		})
	}
}

// A stage that is done again makes what is to be made again, and nothing twice.
func TestStagesAgain(t *testing.T) {
	b := trackingtest.New(t)
	d := file(t, b, "x", "type: bill_of_lading\nbl_number: MAEU77001\n")
	first := d.LastRepresentation
	if err := errors.Join(b.ReclassifyDocument(ctx, d.ID), b.RelinkDocument(ctx, d.ID)); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if again := reread(t, b, d.ID); again.Version != d.Version || len(documentEvents(b)) != 1 {
		t.Errorf("version %d after %d, announced %v", again.Version, d.Version, documentEvents(b))
	}
	for range 3 { // asked for three times at once, done once
		if err := b.ReextractDocument(ctx, d.ID); err != nil {
			t.Fatal(err)
		}
	}
	b.Settle()
	again := reread(t, b, d.ID)
	if again.LastRepresentation == first || len(documentEvents(b)) != 2 {
		t.Errorf("announced %v", documentEvents(b))
	}
}

// A person's word on the type counts, and has the fields of that type read.
func TestTypeByHand(t *testing.T) {
	b := trackingtest.New(t)
	d := file(t, b, "x", "type: other\nbl_number: MAEU77001\n")
	set := func(typ string) *tracking.Document {
		t.Helper()
		if _, err := b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set(typ)}); err != nil {
			t.Fatal(err)
		}
		b.Settle()
		return reread(t, b, d.ID)
	}
	if got := set("arrival_notice"); got.DocumentType != "other" || got.Type() != "arrival_notice" || got.LastRepresentation == d.LastRepresentation {
		t.Errorf("the document is %+v", got)
	}
	list, total, err := b.Documents(ctx, tracking.DocumentQuery{Types: []string{"arrival_notice"}}, tracking.Page{Number: 1, Size: 9})
	if err != nil || total != 1 || len(list) != 1 {
		t.Errorf("found %d, %v", total, err)
	}
	if got := set(""); got.Type() != "other" {
		t.Errorf("cleared, the type is %s", got.Type())
	}
	_, err = b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{TypeManual: tracking.Set("love_letter"), DataManual: tracking.Set(json.RawMessage(`[1]`))})
	var faults tracking.Errors
	if !errors.As(err, &faults) || len(faults) != 2 {
		t.Errorf("an unknown type and a list: %v", err)
	}
}

func TestDuplicates(t *testing.T) {
	for choice, want := range map[tracking.DuplicateDocuments]int{"": 1, tracking.RejectDuplicates: 1, tracking.ReplaceDuplicates: 1, tracking.AcceptDuplicates: 2} {
		t.Run(string(choice), func(t *testing.T) {
			b := trackingtest.New(t)
			if choice != "" {
				if err := b.Operator.SetDuplicateDocuments(ctx, "test", choice); err != nil {
					t.Fatal(err)
				}
			}
			first := file(t, b, "first", "type: other\n")
			second, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "second", Attached: upload(t, b.Tracker, "y", "type: other\n").SignedID})
			var e *tracking.Error
			switch {
			case want == 1 && choice != tracking.ReplaceDuplicates:
				if !errors.As(err, &e) || e.Kind != tracking.Conflict || e.Code != "duplicate_document" ||
					e.Meta["existing_document_id"] != first.ID.String() || e.Meta["existing_document_name"] != "first" {
					t.Errorf("refused with %v", err)
				}
			case err != nil:
				t.Error(err)
			}
			_, total, err := b.Documents(ctx, tracking.DocumentQuery{}, tracking.Page{Number: 1, Size: 1})
			if err != nil || total != want {
				t.Errorf("%d documents, want %d; %v", total, want, err)
			}
			if _, err := b.Document(ctx, first.ID); (choice == tracking.ReplaceDuplicates) != errors.Is(err, tracking.ErrNotFound) {
				t.Errorf("the first one: %v", err)
			}
			if choice == tracking.AcceptDuplicates && second.ID == first.ID {
				t.Error("one ID for two")
			}
		})
	}
}

// A document that was deleted is in the way of none, and its file is kept.
func TestDeletedDocument(t *testing.T) {
	b := trackingtest.New(t)
	d := file(t, b, "x", "type: other\n")
	link, err := b.DocumentDownload(ctx, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DeleteDocument(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.DeleteDocument(ctx, d.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if _, err := b.Rendered().Get(ctx, "document", d.ID, nil); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("shown: %v", err)
	}
	if _, err := b.OpenDownload(ctx, link); fault(err) != "expired" {
		t.Errorf("its link: %v", err)
	}
	again := file(t, b, "x", "type: other\n")
	b.Pass(72 * time.Hour)
	for _, id := range []tracking.ID{d.Blob, again.Blob} {
		blob, err := b.Blobs.Open(ctx, tracking.BlobKey{Account: b.Account.Scope(), ID: id})
		if err != nil {
			t.Fatalf("the file is gone: %v", err)
		}
		blob.Close()
	}
}

func TestAttachingIsRefused(t *testing.T) {
	b := trackingtest.New(t)
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	theirs := upload(t, b.Operator.For(tracking.Actor{Account: other.Scope()}), "x", "theirs")
	used := upload(t, b.Tracker, "x", "used")
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: used.SignedID}); err != nil {
		t.Fatal(err)
	}
	old, good := upload(t, b.Tracker, "x", "old"), "good"
	b.Clock.Advance(24 * time.Hour)
	fresh := upload(t, b.Tracker, "x", good)
	for name, row := range map[string]struct{ signed, want string }{
		"nothing":            {"", "attached_document blank"},
		"no signed ID":       {"x", "attached_document invalid"},
		"of another account": {theirs.SignedID, "attached_document invalid"},
		"for uploading":      {fresh.Handle, "attached_document invalid"},
		"expired":            {old.SignedID, "attached_document expired"},
		"without bytes":      {announce(t, b.Tracker, "x", "later").SignedID, "attached_document not_uploaded"},
		"used before":        {used.SignedID, "attached_document expired"},
	} {
		if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: row.signed}); fault(err) != row.want {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
	}
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: fresh.SignedID}); err != nil {
		t.Error(err)
	}
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: fresh.SignedID}); fault(err) != "attached_document taken" {
		t.Errorf("used twice: %v", err)
	}
}

// Every byte of a signed ID counts: with another in its place, whichever, it is
// refused for each purpose.
func TestSignedIDsAreWhole(t *testing.T) {
	b := trackingtest.New(t)
	d := file(t, b, "x", "type: other\n")
	link, err := b.DocumentDownload(ctx, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	ticket := upload(t, b.Tracker, "y", "yes")
	tried, step := 0, 1
	if testing.Short() {
		step = 31 // 1, and 32, which is the case of a letter, among others
	}
	for name, row := range map[string]struct {
		signed string
		use    func(string) error
	}{
		"attach": {ticket.SignedID, func(s string) error {
			_, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: s})
			return err
		}},
		"upload": {ticket.Handle, func(s string) error {
			return b.ReceiveUpload(ctx, s, tracking.SentUpload{Size: 3, Body: strings.NewReader("yes")})
		}},
		"download": {link, func(s string) error {
			d, err := b.OpenDownload(ctx, s)
			if err == nil {
				d.Close()
			}
			return err
		}},
	} {
		want := map[bool]string{true: "attached_document invalid", false: "invalid_signature"}[name == "attach"]
		refused := func(signed, how string) {
			tried++
			if err := row.use(signed); fault(err) != want {
				t.Fatalf("%s, %s: %v, want %s", name, how, err, want)
			}
		}
		for i := range len(row.signed) {
			for flip := 1; flip < 256; flip += step {
				altered := []byte(row.signed)
				altered[i] ^= byte(flip)
				refused(string(altered), "a byte altered")
			}
			refused(row.signed[:i]+row.signed[i+1:], "a byte less")
			refused(row.signed[:i]+"A"+row.signed[i:], "a byte more")
		}
		refused(row.signed+"=", "padded")
		if err := row.use(row.signed); err != nil {
			t.Errorf("%s, as it was given out: %v", name, err)
		}
	}
	t.Logf("%d altered signed IDs refused", tried)
}

// With another master key nothing that was signed is good; among the old ones it
// still is.
func TestSignedIDsOfAnotherKey(t *testing.T) {
	first, second := bytes.Repeat([]byte("a"), 32), bytes.Repeat([]byte("b"), 32)
	b := trackingtest.New(t, func(c *tracking.Config) { c.MasterKey = first })
	ticket := announce(t, b.Tracker, "x", "yes")
	other := trackingtest.New(t, func(c *tracking.Config) { c.MasterKey = second })
	sent := func() tracking.SentUpload { return tracking.SentUpload{Size: -1, Body: strings.NewReader("yes")} }
	if err := other.ReceiveUpload(ctx, ticket.Handle, sent()); fault(err) != "invalid_signature" {
		t.Errorf("another key: %v", err)
	}
	rotated := trackingtest.New(t, func(c *tracking.Config) { c.MasterKey, c.OldMasterKeys, c.Store = second, [][]byte{first}, b.Store })
	if err := rotated.ReceiveUpload(ctx, ticket.Handle, sent()); err != nil {
		t.Errorf("an old key: %v", err)
	}
}

func TestUploadsAreChecked(t *testing.T) {
	b := trackingtest.New(t)
	kept := 0
	broken := errors.New("the connection broke")
	for name, row := range map[string]struct {
		sent tracking.SentUpload
		want string
	}{
		"other bytes":       {tracking.SentUpload{Size: 5, Body: strings.NewReader("hellO")}, "checksum_mismatch"},
		"too few announced": {tracking.SentUpload{Size: 4, Body: strings.NewReader("hello")}, "length_mismatch"},
		"too few":           {tracking.SentUpload{Size: -1, Body: strings.NewReader("hell")}, "length_mismatch"},
		"too many":          {tracking.SentUpload{Size: -1, Body: strings.NewReader("hello, world")}, "length_mismatch"},
		"none":              {tracking.SentUpload{Size: -1, Body: strings.NewReader("")}, "length_mismatch"},
		"another sum":       {tracking.SentUpload{Size: 5, Checksum: md5Of("hellO"), Body: strings.NewReader("hello")}, "checksum_mismatch"},
		"another type":      {tracking.SentUpload{Size: 5, ContentType: "text/html", Body: strings.NewReader("hello")}, "content_type_mismatch"},
		"broken off":        {tracking.SentUpload{Size: 5, Body: io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(broken))}, "no Error"},
	} {
		ticket := announce(t, b.Tracker, "x", "hello")
		if err := b.ReceiveUpload(ctx, ticket.Handle, row.sent); fault(err) != row.want || row.want == "no Error" && !errors.Is(err, broken) {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
		if now := len(blobsOf(t, b)); now != kept {
			t.Errorf("%s: something was kept: %d blobs, before %d", name, now, kept)
		}
		for range 2 { // what failed can be done again, and what succeeded too
			if err := b.ReceiveUpload(ctx, ticket.Handle, tracking.SentUpload{Size: 5, Body: iotest.OneByteReader(strings.NewReader("hello"))}); err != nil {
				t.Errorf("%s: again: %v", name, err)
			}
		}
		if err := b.ReceiveUpload(ctx, ticket.Handle, tracking.SentUpload{Size: 5, Body: strings.NewReader("jello")}); fault(err) != "checksum_mismatch" {
			t.Errorf("%s: other bytes after that: %v", name, err)
		}
		if kept++; len(blobsOf(t, b)) != kept {
			t.Errorf("%s: %d blobs, want %d", name, len(blobsOf(t, b)), kept)
		}
	}
}

// blobsOf are the IDs of all blobs.
func blobsOf(t *testing.T, b *trackingtest.Bench) (ids []tracking.ID) {
	t.Helper()
	_, err := b.Blobs.Sweep(ctx, b.Clock.Now().AddDate(100, 0, 0), func(key tracking.BlobKey) (bool, error) {
		ids = append(ids, key.ID)
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// meanwhile is a body that has something done before its first byte.
type meanwhile struct {
	io.Reader
	do func()
}

func (m *meanwhile) Read(p []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.Reader.Read(p)
}

// Two files of one MD5, found by X. Wang and H. Yu (How to Break MD5 and Other Hash
// Functions, 2005): they differ in six bits.
const (
	wang = "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b" +
		"d8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70"
	yu = "d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b" +
		"d8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70"
)

func unhex(t *testing.T, text string) string {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Bytes that come while others of the same upload do, or after them, change nothing
// about what came first: not even where the MD5 cannot tell them apart.
func TestBytesThatComeTwice(t *testing.T) {
	first, twin := unhex(t, wang), unhex(t, yu)
	if md5Of(first) != md5Of(twin) {
		t.Fatal("the two have different MD5s")
	}
	for name, row := range map[string]struct{ second, want string }{"the same": {first, "no Error"}, "others of the same MD5": {twin, "taken"}} {
		b := trackingtest.New(t)
		ticket := announce(t, b.Tracker, "x", first)
		var d *tracking.Document
		put := func(content string, before func()) error {
			return b.ReceiveUpload(ctx, ticket.Handle, tracking.SentUpload{Size: 128, Body: &meanwhile{strings.NewReader(content), before}})
		}
		for _, when := range []string{"meanwhile", "afterwards"} {
			var before func()
			if when == "meanwhile" {
				before = func() {
					if err := put(first, nil); err != nil {
						t.Fatal(err)
					}
					var err error
					if d, err = b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: ticket.SignedID}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := put(row.second, before); fault(err) != row.want || row.want == "no Error" && err != nil {
				t.Errorf("%s, %s: %v, want %s", name, when, err, row.want)
			}
			if got := downloaded(t, b, d.ID); got != first {
				t.Errorf("%s, %s: the bytes of the document have changed", name, when)
			}
			if left := blobsOf(t, b); len(left) != 1 {
				t.Errorf("%s, %s: there are %d blobs", name, when, len(left))
			}
		}
		b.Pass(72 * time.Hour)
		if got := downloaded(t, b, d.ID); got != first {
			t.Errorf("%s: swept", name)
		}
	}
}

func downloaded(t *testing.T, b *trackingtest.Bench, id tracking.ID) string {
	t.Helper()
	link, err := b.DocumentDownload(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	file, err := b.OpenDownload(ctx, link)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestAnnouncedUploads(t *testing.T) {
	b := trackingtest.New(t)
	good := tracking.NewUpload{FileName: "a.pdf", ByteSize: 1, Checksum: md5Of("x")}
	for name, row := range map[string]struct {
		change func(*tracking.NewUpload)
		want   string
	}{
		"300 characters":    {func(n *tracking.NewUpload) { n.FileName = strings.Repeat("ü", 300) + ".pdf" }, ""},
		"right to left":     {func(n *tracking.NewUpload) { n.FileName = "\u202egnp.exe بوليصة.pdf" }, ""},
		"a path":            {func(n *tracking.NewUpload) { n.FileName = "../../etc/passwd" }, ""},
		"no name":           {func(n *tracking.NewUpload) { n.FileName = " " }, "filename blank"},
		"NUL":               {func(n *tracking.NewUpload) { n.FileName = "a\x00.pdf" }, "filename invalid"},
		"no UTF-8":          {func(n *tracking.NewUpload) { n.FileName = "a\xff.pdf" }, "filename invalid"},
		"1025 characters":   {func(n *tracking.NewUpload) { n.FileName = strings.Repeat("x", 1025) }, "filename too_long"},
		"no size":           {func(n *tracking.NewUpload) { n.ByteSize = 0 }, "byte_size blank"},
		"negative":          {func(n *tracking.NewUpload) { n.ByteSize = -1 }, "byte_size blank"},
		"25 MiB":            {func(n *tracking.NewUpload) { n.ByteSize = 25 << 20 }, ""},
		"a byte more":       {func(n *tracking.NewUpload) { n.ByteSize = 25<<20 + 1 }, "byte_size too_large"},
		"no checksum":       {func(n *tracking.NewUpload) { n.Checksum = "" }, "checksum blank"},
		"hex":               {func(n *tracking.NewUpload) { n.Checksum = "9dd4e461268c8034f5c8564e155c67a6" }, "checksum invalid"},
		"without padding":   {func(n *tracking.NewUpload) { n.Checksum = n.Checksum[:22] }, "checksum invalid"},
		"a type with a NUL": {func(n *tracking.NewUpload) { n.ContentType = "text/\x00" }, "content_type invalid"},
	} {
		n := good
		row.change(&n)
		ticket, err := b.CreateUpload(ctx, n)
		switch {
		case row.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case row.want == "" && ticket.FileName != n.FileName:
			t.Errorf("%s: the name became %q", name, ticket.FileName)
		case row.want != "" && fault(err) != row.want:
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
	}
}

// What never became a document is gone after a while, whether its bytes came or
// not; what did stays.
func TestOrphansAreSwept(t *testing.T) {
	b := trackingtest.New(t)
	kept := file(t, b, "x", "type: other\n")
	waiting := upload(t, b.Tracker, "y", "never attached")
	announce(t, b.Tracker, "z", "never sent")
	orphan := tracking.BlobKey{Account: b.Account.Scope(), ID: tracking.ID{1}}
	if err := b.Blobs.Put(ctx, orphan, strings.NewReader("of a killed process")); err != nil {
		t.Fatal(err)
	}
	b.Pass(24 * time.Hour)
	if left := blobsOf(t, b); len(left) != 3 {
		t.Errorf("what may still be attached is gone: %v", left)
	}
	b.Pass(48 * time.Hour)
	if left := blobsOf(t, b); len(left) != 1 || left[0] != kept.Blob {
		t.Errorf("there are %v, want %v alone", left, kept.Blob)
	}
	if err := b.ReceiveUpload(ctx, waiting.Handle, tracking.SentUpload{Size: -1, Body: strings.NewReader("")}); fault(err) != "expired" {
		t.Errorf("handed in too late: %v", err)
	}
}

// What a signed ID says may have any bytes, those that stand between its parts too.
func TestSignedIDsOfAllUploads(t *testing.T) {
	b := trackingtest.New(t)
	for i := range 500 {
		content := strings.Repeat("x", i+1)
		if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Attached: upload(t, b.Tracker, "x", content).SignedID}); err != nil {
			t.Fatal(err)
		}
		b.Clock.Advance(time.Second)
	}
}

// busyReader calls meanwhile while a document is read.
type busyReader struct {
	*trackingtest.DocumentReader
	meanwhile func()
}

func (r *busyReader) Extract(ctx context.Context, f tracking.DocumentFile) (tracking.DocumentText, error) {
	if r.meanwhile != nil {
		r.meanwhile()
	}
	return r.DocumentReader.Extract(ctx, f)
}

// A document that is being read is not read by a second worker when that is asked
// for again: it is read once more afterwards.
func TestAskedAgainMeanwhile(t *testing.T) {
	reader := &busyReader{}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Extractor = reader })
	reader.DocumentReader = b.DocumentReader
	d := file(t, b, "x", "type: other\n")
	depth, deepest, left := 0, 0, 3
	reader.meanwhile = func() {
		depth++
		defer func() { depth-- }()
		deepest = max(deepest, depth)
		if left--; left < 0 {
			return
		}
		if err := b.ReextractDocument(ctx, d.ID); err != nil {
			t.Error(err)
		}
		if _, err := b.RunOnce(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := b.ReextractDocument(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if deepest != 1 {
		t.Errorf("%d workers read the document at one time", deepest)
	}
	if got := b.DocumentReader.Readings(); got != 1+4 {
		t.Errorf("read %d times, want 5: what was asked for meanwhile was forgotten", got)
	}
}

// brokenSweep is a place for blobs that cannot be looked through.
type brokenSweep struct {
	tracking.Blobs
	sweeps int
}

func (b *brokenSweep) Sweep(context.Context, time.Time, func(tracking.BlobKey) (bool, error)) (int, error) {
	b.sweeps++
	return 0, errors.New("a folder cannot be read")
}

// Blobs that cannot be looked through are tried again a day later, and nothing
// else suffers.
func TestBlobsThatCannotBeSwept(t *testing.T) {
	broken := &brokenSweep{}
	b := trackingtest.New(t, func(c *tracking.Config) { broken.Blobs, c.Blobs = c.Blobs, broken })
	for range 3 {
		if _, err := b.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if broken.sweeps != 1 {
		t.Errorf("tried %d times at once", broken.sweeps)
	}
	if err := b.Ready(ctx); err != nil {
		t.Errorf("it is not ready: %v", err)
	}
}

// A corrected field stays what a person entered, whatever is read later, with who and when;
// taking the correction back shows what is read.
func TestFieldCorrection(t *testing.T) {
	b := trackingtest.New(t)
	found := ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: voyage("MAEU77001")})
	d := file(t, b, "bill.txt", "type: bill_of_lading\nbl_number: MAEU77O01\nnote: 7\n")
	correct := func(changes ...tracking.FieldCorrection) error {
		_, err := b.UpdateDocument(ctx, d.ID, tracking.DocumentUpdate{Corrections: changes})
		b.Settle()
		return err
	}
	shown := func() string {
		t.Helper()
		s, err := b.Rendered().Get(ctx, "document", d.ID, []string{"last_document_representation"})
		if err != nil {
			t.Fatal(err)
		}
		return string(s.Included[0].Doc)
	}
	at := b.Clock.Now()
	if err := correct(tracking.FieldCorrection{Field: "bl_number", Value: " MAEU77001 "}, tracking.FieldCorrection{Field: "place", Value: "here"}); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(time.Hour)
	for name, again := range map[string]error{
		"read": b.ReextractDocument(ctx, d.ID), "classified": b.ReclassifyDocument(ctx, d.ID),
		"corrected": correct(tracking.FieldCorrection{Field: "bl_number", Value: "MAEU77001"}),
	} {
		if again != nil {
			t.Fatal(name, again)
		}
	}
	b.Settle()
	d = reread(t, b, d.ID)
	if len(d.Corrections) != 2 || d.Corrections[0].Field != "bl_number" || d.Corrections[0].Value != "MAEU77001" || !d.Corrections[0].At.Equal(at) {
		t.Errorf("the corrections are %+v", d.Corrections)
	}
	if !slices.Equal(d.Shipments, found.ShipmentIDs) {
		t.Errorf("the corrected number links to %v", d.Shipments)
	}
	for _, want := range []string{
		`"bl_number":{"value":"MAEU77001","normalized":"MAEU77001","confidence":1,"page":1,"box":[0,0,0,0],"corrected":true}`,
		`"note":{"value":"7","normalized":null,"confidence":1,"page":1,"box":[0,0,0,0]}`, `"place":{"value":"here"`,
	} {
		if got := shown(); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	if err := correct(tracking.FieldCorrection{Field: "container", Value: "MRKU9465771"}); fault(err) != "corrected_fields invalid" {
		t.Errorf("a wrong check digit: %v", err)
	}
	if err := correct(tracking.FieldCorrection{Field: "bl_number"}, tracking.FieldCorrection{Field: "place"}); err != nil {
		t.Fatal(err)
	}
	if d = reread(t, b, d.ID); len(d.Corrections) != 0 || len(d.Shipments) != 0 || !strings.Contains(shown(), `"bl_number":{"value":"MAEU77O01"`) {
		t.Errorf("taken back: %+v %s", d, shown())
	}
}
