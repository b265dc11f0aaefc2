package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
)

// documentSettings say where documents are stored, and how they are read.
type documentSettings struct {
	blobs   string
	maximum size
	ocr     ocrSettings
}

func (s *documentSettings) declare(f *flags) {
	s.maximum = 25 << 20
	f.blobsVar(&s.blobs)
	f.Var(&s.maximum, "max-document", "maximum `SIZE` of a document")
	s.ocr.declare(f)
}

func (s *documentSettings) check() error {
	if s.maximum < 1 {
		return usageErrorf("--max-document must be at least one byte")
	}
	return checkBlobs(s.blobs)
}

// configure adds what documents need to the configuration of the engine. end
// releases it.
func (s *documentSettings) configure(ctx context.Context, db string, c *tracking.Config) (end func() error, err error) {
	blobs, closeBlobs, err := openBlobs(ctx, s.blobs, db)
	if err != nil {
		return nil, err
	}
	reading := extract.Config{OCR: s.ocr.config()}
	if isFile(db) {
		reading.Cache = filepath.Dir(db)
	}
	extractor, err := extract.New(reading)
	if err != nil {
		return nil, errors.Join(err, closeBlobs())
	}
	c.Blobs, c.MaxDocumentBytes, c.Extractor, c.Classifier = blobs, int64(s.maximum), extractor, classify.New()
	return func() error { return errors.Join(extractor.Close(), closeBlobs()) }, nil
}
