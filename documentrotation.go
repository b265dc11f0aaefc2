package tracking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/picture"
	"github.com/landfallhq/tracking/internal/table"
)

// rotating is held while a picture is rotated: one at a time, because of the memory.
var rotating sync.Mutex

func errNotAnImage(format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "not_an_image", Detail: fmt.Sprintf(format, args...)}
}

// RotateDocument rotates a picture clockwise by 90, 180 or 270 degrees, in the
// background. Download links that were issued before show the old picture. For a JPEG
// the Exif orientation is changed, for a PNG the pixels. Needs update.
// Repeated without a Once, it rotates the picture again.
//
// Errors: NotFound; Invalid on degrees (inclusion); with the code not_an_image for
// files of other types and for pictures that are damaged or too large, and no_file if
// the bytes are missing.
func (t *Tracker) RotateDocument(ctx context.Context, id ID, degrees int, once ...Once) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	if degrees != 90 && degrees != 180 && degrees != 270 {
		return &Error{Kind: Invalid, Field: "degrees", Code: "inclusion", Title: "Invalid rotation", Detail: "degrees must be one of: 90, 180, 270"}
	}
	if err := t.checkPicture(ctx, id); err != nil {
		return err
	}
	err := t.change(ctx, "document.rotate", t.actor.Account, func(tx *transaction) error {
		_, _, err := remembered(tx, once, "rotate_document", func() (ID, error) {
			d, err := documents.Get(tx, id)
			if err != nil {
				return id, err
			}
			tx.audit.note(id)
			return id, d.enqueueRotation(tx, degrees)
		})
		return err
	})
	return err
}

// enqueueRotation enqueues a job for each request: two quarter turns make a half turn.
func (d *Document) enqueueRotation(tx *transaction, degrees int) error {
	data, err := json.Marshal(degrees)
	if err != nil {
		return err
	}
	n := d.Rotations
	d.Rotations++
	if err := documents.Put(tx, d); err != nil {
		return err
	}
	return tx.enqueue(store.Job{
		ID: table.NamedID("job/rotate", fmt.Sprint(d.ID, "/", n)), Kind: jobRotate, Group: documentGroup(tx.Account), Ref: d.ID, Data: data, Due: tx.Now,
	})
}

// checkPicture refuses a request whose job would fail.
func (t *Tracker) checkPicture(ctx context.Context, id ID) error {
	d, err := viewing(ctx, t.engine, t.actor.Account, withID(documents, id))
	if err != nil {
		return err
	}
	blob, err := t.openBlob(ctx, d.key(t.actor.Account))
	if err != nil {
		return err
	}
	defer blob.Close()
	_, err = d.picture(blob)
	return err
}

// picture opens the bytes of a document as a picture. Errors: Invalid.
func (d *Document) picture(blob Blob) (picture.Picture, error) {
	p, err := picture.Open(blob, blob.Size())
	if errors.Is(err, picture.ErrUnknown) {
		return nil, errNotAnImage("only PNG and JPEG pictures can be rotated; this document is %s", cmp.Or(d.FileContentType, defaultContentType))
	}
	return p, asNotAnImage(err)
}

// asNotAnImage returns an Error for a picture.Fault, and other errors as they are.
func asNotAnImage(err error) error {
	if fault := (*picture.Fault)(nil); errors.As(err, &fault) {
		return errNotAnImage("%s", fault.Detail)
	}
	return err
}

// rotateDocument is the job. The rotated picture is a new blob, which replaces the old
// one in one transaction.
func (t *Tracker) rotateDocument(ctx context.Context, j store.Job) error {
	var degrees int
	if err := json.Unmarshal(j.Data, &degrees); err != nil {
		return err
	}
	rotating.Lock() // before the document is read: another job may be rotating it
	defer rotating.Unlock()
	// Renew the lease, which the wait may have used up. If it is lost, another worker
	// has the job.
	var d *Document
	err := t.step(ctx, j, func(tx *transaction) (err error) {
		d, err = documents.Get(tx, j.Ref)
		return ignoreNotFound(err)
	})
	if err != nil {
		return err
	}
	var rotated *Upload
	var failed string // a sentence
	if d != nil {
		if rotated, failed, err = t.rotatePicture(ctx, j, d, degrees); err != nil {
			return err
		}
	}
	err = t.update(ctx, j.Account, func(tx *transaction) error {
		now, err := documents.Get(tx, j.Ref)
		switch {
		case isNotFound(err): // deleted in the meantime
		case err != nil:
			return err
		case rotated != nil && now.Upload != d.Upload:
			return errReplacedMeanwhile // by another process: rotate its result
		case rotated != nil:
			if err := now.replaceBlob(tx, rotated); err != nil {
				return err
			}
		case failed != "":
			now.addNote(failed)
			if err := documents.Put(tx, now); err != nil {
				return err
			}
		}
		return tx.Records.Finish(tx, j)
	})
	if errors.Is(err, ErrUnavailable) {
		return t.postponeForStore(ctx, j, err)
	}
	return err
}

// rotatePicture stores the rotated picture of a document, or returns a sentence that
// says why it cannot be rotated. After an error the job is tried again.
func (t *Tracker) rotatePicture(ctx context.Context, j store.Job, d *Document, degrees int) (rotated *Upload, failed string, err error) {
	if j.Attempt > maxProcessAttempts {
		return nil, "The picture was not rotated: too many attempts.", nil
	}
	rotated, err = t.For(Actor{Account: j.Account}).storeRotated(ctx, d, degrees)
	var refused *Error
	switch {
	case err == nil:
		return rotated, "", nil
	case ctx.Err() != nil:
		return nil, "", err
	case errors.Is(err, ErrUnavailable):
		return nil, "", t.postponeForStore(ctx, j, err)
	case errors.As(err, &refused):
		failed = "The picture was not rotated: " + refused.Detail + "."
	case j.Attempt < maxReadAttempts:
		return nil, "", err
	default:
		failed = "The picture was not rotated: the server failed."
	}
	t.log.Warn("a picture was not rotated", "document", d.ID, "error", err)
	return nil, failed, nil
}

// addNote adds a sentence to the notes of a document, once.
func (d *Document) addNote(sentence string) {
	if !strings.Contains(d.ClassificationNotes, sentence) {
		d.ClassificationNotes = strings.TrimSpace(d.ClassificationNotes + " " + sentence)
	}
}

var errReplacedMeanwhile = errors.New("tracking: the picture was replaced in the meantime")

// isPermanent reports whether another try would end with the same error.
func isPermanent(err error) bool { return errors.As(err, new(*Error)) }

// replaceBlob gives the document new bytes and enqueues their processing. A reading of
// the old bytes that is in progress is discarded, and the sweep removes them.
func (d *Document) replaceBlob(tx *transaction, u *Upload) error {
	made := asReceived(tx, u)
	made.Document = d.ID
	if err := uploads.Put(tx, made); err != nil {
		return err
	}
	if err := ignoreNotFound(uploads.Delete(tx, d.Upload)); err != nil {
		return err
	}
	d.Upload, d.Blob, d.FileSizeBytes = made.ID, made.Blob, made.ByteSize
	if err := documents.Put(tx, d); err != nil {
		return err
	}
	return enqueueStage(tx, d.ID, stageAll)
}

// storeRotated writes the blob while the picture is rotated.
func (t *Tracker) storeRotated(ctx context.Context, d *Document, degrees int) (*Upload, error) {
	blob, err := t.openBlob(ctx, d.key(t.actor.Account))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	p, err := d.picture(blob)
	if err != nil {
		return nil, err
	}
	from, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		to.CloseWithError(rotateTo(to, p, degrees))
	}()
	u, err := t.storeBlob(ctx, d.FileName, d.FileContentType, from)
	from.Close() // in case the store stopped reading early
	<-done       // blob is no longer read
	return u, asNotAnImage(err)
}

// rotateTo returns a panic as an error: it runs outside the goroutine of the job.
func rotateTo(to io.Writer, p picture.Picture, degrees int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("rotating a picture panicked: %v", p)
		}
	}()
	return p.Rotate(to, degrees/90)
}
