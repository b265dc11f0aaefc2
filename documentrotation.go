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
)

// turning lets one picture be turned at a time: it takes time, and some memory.
var turning sync.Mutex

// errNoPicture is the answer to whoever would turn what cannot be turned.
func errNoPicture(format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "not_an_image", Detail: fmt.Sprintf(format, args...)}
}

// RotateDocument has a picture turned clockwise by 90, 180 or 270 degrees, in the
// background; links to its bytes that were given out before show it as it was. Of a
// JPEG the orientation is changed, which every viewer follows, and of a PNG the
// pixels. Needs update.
//
// Errors: NotFound; Invalid on degrees (inclusion); with the code not_an_image for
// files of other types and pictures that are damaged or too large, and no_file when
// its bytes are not there.
func (t *Tracker) RotateDocument(ctx context.Context, id ID, degrees int) error {
	return t.RotateDocumentOnce(ctx, id, degrees, Once{})
}

// RotateDocumentOnce is RotateDocument with a key that makes the call idempotent; see
// Once. Repeated without one, it turns the picture once more.
func (t *Tracker) RotateDocumentOnce(ctx context.Context, id ID, degrees int, o Once) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	if degrees != 90 && degrees != 180 && degrees != 270 {
		return &Error{Kind: Invalid, Field: "degrees", Code: "inclusion", Title: "Invalid rotation", Detail: "degrees must be one of: 90, 180, 270"}
	}
	if err := t.checkPicture(ctx, id); err != nil {
		return err
	}
	err := t.update(ctx, t.actor.Account, func(tx *Tx) error {
		_, _, err := remembered(tx, o, "rotate_document", func() (ID, error) {
			d, err := table(tx, documents).Get(id)
			if err != nil {
				return id, err
			}
			return id, d.askTurn(tx, degrees)
		})
		return err
	})
	t.poke()
	return err
}

// askTurn enqueues a turn, by a job of its own for each request: two quarter turns
// are a half.
func (d *Document) askTurn(tx *Tx, degrees int) error {
	data, err := json.Marshal(degrees)
	if err != nil {
		return err
	}
	n := d.Rotations
	d.Rotations++
	if err := table(tx, documents).Put(d); err != nil {
		return err
	}
	return tx.enqueue(store.Job{
		ID: named("job/rotate", fmt.Sprint(d.ID, "/", n)), Kind: jobRotate, Group: documentGroup, Ref: d.ID, Data: data, Due: tx.Now,
	})
}

// checkPicture refuses at once what could not be turned later.
func (t *Tracker) checkPicture(ctx context.Context, id ID) error {
	var d *Document
	err := t.view(ctx, t.actor.Account, func(tx *Tx) (err error) {
		d, err = table(tx, documents).Get(id)
		return err
	})
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
		return nil, errNoPicture("only PNG and JPEG pictures can be turned, and this document is %s", cmp.Or(d.FileContentType, anyContent))
	}
	return p, pictureError(err)
}

// pictureError makes the fault of a picture an Error.
func pictureError(err error) error {
	if fault := (*picture.Fault)(nil); errors.As(err, &fault) {
		return errNoPicture("%s", fault.Detail)
	}
	return err
}

// rotateDocument is the job: the turned picture is a blob of its own, which takes
// the place of the other in one transaction.
func (t *Tracker) rotateDocument(ctx context.Context, j store.Job) error {
	var degrees int
	if err := json.Unmarshal(j.Data, &degrees); err != nil {
		return err
	}
	turning.Lock() // before the document is read: another turn of it may be under way
	defer turning.Unlock()
	// The lease begins anew, however long the wait was. Who has lost it leaves the work
	// to who has it now.
	var d *Document
	err := t.step(ctx, j, func(tx *Tx) (err error) {
		d, err = table(tx, documents).Get(j.Ref)
		return dropNotFound(err)
	})
	if err != nil {
		return err
	}
	var turned *Upload
	var failed string // why it was not turned, as a sentence
	if d != nil {
		if turned, failed, err = t.turnDocument(ctx, j, d, degrees); err != nil {
			return err
		}
	}
	err = t.update(ctx, j.Account, func(tx *Tx) error {
		now, err := table(tx, documents).Get(j.Ref)
		switch {
		case isNotFound(err): // deleted meanwhile
		case err != nil:
			return err
		case turned != nil && now.Upload != d.Upload:
			return errTurnedMeanwhile // by another server: turn what it made
		case turned != nil:
			if err := now.replaceBlob(tx, turned); err != nil {
				return err
			}
		case failed != "":
			now.note(failed)
			if err := table(tx, documents).Put(now); err != nil {
				return err
			}
		}
		return tx.records.Finish(tx, j)
	})
	if errors.Is(err, ErrUnavailable) {
		return t.later(ctx, j, err)
	}
	return err
}

// turnDocument turns the picture of a document, or says why it cannot. An error is
// the machine's: then the job is done again.
func (t *Tracker) turnDocument(ctx context.Context, j store.Job, d *Document, degrees int) (turned *Upload, failed string, err error) {
	if j.Attempt > maxBegun {
		return nil, "The picture was not turned: it was begun too often.", nil
	}
	turned, err = t.For(Actor{Account: j.Account}).turnedBlob(ctx, d, degrees)
	var refused *Error
	switch {
	case err == nil:
		return turned, "", nil
	case ctx.Err() != nil:
		return nil, "", err
	case errors.Is(err, ErrUnavailable):
		return nil, "", t.later(ctx, j, err)
	case errors.As(err, &refused):
		failed = "The picture was not turned: " + refused.Detail + "."
	case j.Attempt < maxReadings:
		return nil, "", err
	default:
		failed = "The picture was not turned: the server could not."
	}
	t.log.Warn("a picture was not turned", "document", d.ID, "error", err)
	return nil, failed, nil
}

// note adds a sentence to the notes of a document, once.
func (d *Document) note(sentence string) {
	if !strings.Contains(d.ClassificationNotes, sentence) {
		d.ClassificationNotes = strings.TrimSpace(d.ClassificationNotes + " " + sentence)
	}
}

var errTurnedMeanwhile = errors.New("tracking: the picture was turned meanwhile")

// isRefusal tells errors that another try would not change.
func isRefusal(err error) bool { return errors.As(err, new(*Error)) }

// replaceBlob gives the document other bytes, and has them read: a reading of those
// before that is under way counts no more. The sweep removes those before.
func (d *Document) replaceBlob(tx *Tx, u *Upload) error {
	made := receivedNow(tx, u)
	made.Document = d.ID
	if err := table(tx, uploads).Put(made); err != nil {
		return err
	}
	if err := dropNotFound(table(tx, uploads).Delete(d.Upload)); err != nil {
		return err
	}
	d.Upload, d.Blob, d.FileSizeBytes = made.ID, made.Blob, made.ByteSize
	if err := table(tx, documents).Put(d); err != nil {
		return err
	}
	return enqueueDocument(tx, d.ID, stageAll)
}

// turnedBlob keeps the turned picture as a blob. It is written while it is turned.
func (t *Tracker) turnedBlob(ctx context.Context, d *Document, degrees int) (*Upload, error) {
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
	turned := make(chan struct{})
	go func() {
		defer close(turned)
		to.CloseWithError(turnTo(to, p, degrees))
	}()
	u, err := t.keepBlob(ctx, d.FileName, d.FileContentType, from)
	from.Close() // a store that gave up reads no more
	<-turned     // which ends the reading of blob
	return u, pictureError(err)
}

// turnTo turns a picture; a panic of it is an error, as it would be in the job itself.
func turnTo(to io.Writer, p picture.Picture, degrees int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("turning a picture panicked: %v", p)
		}
	}()
	return p.Rotate(to, degrees/90)
}
