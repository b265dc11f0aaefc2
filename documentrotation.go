package tracking

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"sync"
)

const (
	// maxPixels bounds the pictures that are turned: turning holds two of them in
	// memory.
	maxPixels = 8 << 20
	// turnedQuality is that of JPEG; each turn loses a little.
	turnedQuality = 92
)

// turning lets one picture be turned at a time: it takes memory.
var turning sync.Mutex

// errNoPicture is the answer to whoever would turn what cannot be turned.
func errNoPicture(format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "not_an_image", Detail: fmt.Sprintf(format, args...)}
}

// RotateDocument has a picture (PNG or JPEG) turned clockwise by 90, 180 or 270
// degrees, in the background; links to its bytes that were given out before show
// it as it was. Needs update.
//
// Errors: NotFound; Invalid on degrees (inclusion), and with the code not_an_image
// for files of other types.
func (t *Tracker) RotateDocument(ctx context.Context, id ID, degrees int) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	if degrees != 90 && degrees != 180 && degrees != 270 {
		return &Error{Kind: Invalid, Field: "degrees", Code: "inclusion", Title: "Invalid rotation", Detail: "degrees must be one of: 90, 180, 270"}
	}
	err := t.update(ctx, t.actor.Account, func(tx *Tx) error {
		d, err := table(tx, documents).Get(id)
		if err != nil {
			return err
		}
		if d.FileContentType != "image/png" && d.FileContentType != "image/jpeg" {
			return errNoPicture("only PNG and JPEG pictures can be turned, and this document is %s", d.FileContentType)
		}
		data, err := json.Marshal(degrees)
		if err != nil {
			return err
		}
		// A job of its own for each request: two quarter turns are a half.
		n := d.Rotations
		d.Rotations++
		if err := table(tx, documents).Put(d); err != nil {
			return err
		}
		return tx.enqueue(Job{
			ID: named("job/rotate", fmt.Sprint(id, "/", n)), Kind: jobRotate, Group: documentGroup, Ref: id, Data: data, Due: tx.Now,
		})
	})
	t.poke()
	return err
}

// rotateDocument is the job: the turned picture is a blob of its own, which takes
// the place of the other in one transaction.
func (t *Tracker) rotateDocument(ctx context.Context, j Job) error {
	var degrees int
	if err := json.Unmarshal(j.Data, &degrees); err != nil {
		return err
	}
	d, err := t.documentOf(ctx, j)
	if err != nil {
		return err
	}
	var turned *Upload
	if d != nil && j.Attempt <= maxBegun {
		turned, err = t.For(Actor{Account: j.Account}).turnedBlob(ctx, d, degrees)
		if errors.Is(err, ErrUnavailable) {
			return t.later(ctx, j, err)
		}
		if err != nil && (ctx.Err() != nil || !isRefusal(err) && j.Attempt < maxReadings) {
			return err
		}
		if err != nil {
			t.log.Warn("a picture was not turned", "document", d.ID, "error", err)
		}
	}
	return t.update(ctx, j.Account, func(tx *Tx) error {
		if turned != nil {
			now, err := table(tx, documents).Get(d.ID)
			if dropNotFound(err) != nil {
				return err
			}
			if err == nil && now.Upload != d.Upload {
				return errTurnedMeanwhile // by another job: turn what it made
			}
			if err == nil {
				if err := now.replaceBlob(tx, turned); err != nil {
					return err
				}
			}
		}
		return tx.records.Finish(tx, j)
	})
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

// turnedBlob keeps the turned picture as a blob.
func (t *Tracker) turnedBlob(ctx context.Context, d *Document, degrees int) (*Upload, error) {
	store, err := t.blobs()
	if err != nil {
		return nil, err
	}
	blob, err := store.Open(ctx, d.key(t.actor.Account))
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	turning.Lock()
	defer turning.Unlock()
	content, err := turnPicture(io.NewSectionReader(blob, 0, blob.Size()), degrees)
	if err != nil {
		return nil, err
	}
	return t.keepBlob(ctx, d.FileName, d.FileContentType, content)
}

// turnPicture turns a PNG or JPEG picture clockwise.
func turnPicture(file io.ReadSeeker, degrees int) ([]byte, error) {
	config, format, err := image.DecodeConfig(file)
	if err != nil {
		return nil, errNoPicture("the picture is damaged")
	}
	if int64(config.Width)*int64(config.Height) > maxPixels {
		return nil, errNoPicture("a picture of more than %d million pixels is not turned", maxPixels>>20)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	from, _, err := image.Decode(file)
	if err != nil {
		return nil, errNoPicture("the picture is damaged")
	}
	var to bytes.Buffer
	if format == "jpeg" {
		err = jpeg.Encode(&to, turned(from, degrees), &jpeg.Options{Quality: turnedQuality})
	} else {
		err = png.Encode(&to, turned(from, degrees))
	}
	return to.Bytes(), err
}

// turned is the picture, turned clockwise.
func turned(from image.Image, degrees int) image.Image {
	in := from.Bounds()
	w, h := in.Dx(), in.Dy()
	size := image.Rect(0, 0, h, w)
	if degrees == 180 {
		size = image.Rect(0, 0, w, h)
	}
	var to draw.Image = image.NewNRGBA(size)
	if _, ok := from.(*image.Gray); ok {
		to = image.NewGray(size)
	}
	for y := range h {
		for x := range w {
			c := from.At(in.Min.X+x, in.Min.Y+y)
			switch degrees {
			case 90:
				to.Set(h-1-y, x, c)
			case 180:
				to.Set(w-1-x, h-1-y, c)
			default:
				to.Set(y, w-1-x, c)
			}
		}
	}
	return to
}
