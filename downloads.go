package tracking

import "context"

// Download is the bytes of a document as they may be handed to anybody's browser.
type Download struct {
	// Blob has the bytes; the caller closes it.
	Blob
	// FileName is text that somebody sent, ContentType what the file is said to be.
	FileName, ContentType string
}

// DocumentDownload returns the signed ID by which OpenDownload hands out the bytes
// of a document for 5 minutes. Needs show.
//
// Errors: NotFound; Invalid with the code no_file when its bytes are not there.
func (t *Tracker) DocumentDownload(ctx context.Context, id ID) (string, error) {
	d, err := t.Document(ctx, id)
	if err != nil {
		return "", err
	}
	blob, err := t.openBlob(ctx, d.key(t.actor.Account))
	if err != nil {
		return "", err
	}
	if err := blob.Close(); err != nil {
		return "", err
	}
	return t.keys.sign(signedID{forDownloading, t.actor.Account, d.Upload, t.now().Add(downloadLife)})
}

func (t *Tracker) openBlob(ctx context.Context, key BlobKey) (Blob, error) {
	store, err := t.blobs()
	if err != nil {
		return nil, err
	}
	blob, err := store.Open(ctx, key)
	if isNotFound(err) {
		return nil, &Error{Kind: Invalid, Code: "no_file", Title: "No document attached", Detail: "the document has no file"}
	}
	return blob, err
}

// OpenDownload opens the bytes that a signed ID of DocumentDownload stands for; who
// holds it needs no key and no permission.
//
// Errors: Forbidden when it is none of ours (invalid_signature), or its time is
// over or the document has gone (expired).
func (t *Tracker) OpenDownload(ctx context.Context, signed string) (*Download, error) {
	account, u, err := t.signedUpload(ctx, signed, forDownloading)
	if err != nil {
		return nil, err
	}
	var d *Document
	err = t.view(ctx, account, func(tx *Tx) (err error) {
		d, err = table(tx, documents).Get(u.Document)
		return err
	})
	if isNotFound(err) {
		return nil, errSignedOver
	}
	if err != nil {
		return nil, err
	}
	blob, err := t.openBlob(ctx, BlobKey{account, u.blob()})
	if err != nil {
		return nil, err
	}
	return &Download{Blob: blob, FileName: d.FileName, ContentType: d.FileContentType}, nil
}
