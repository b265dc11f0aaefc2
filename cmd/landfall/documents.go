package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/blob/memory"
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
	f.StringVar(&s.blobs, "blobs", "", "`DIRECTORY` for document files (default NAME-documents next to the database NAME.db)")
	f.Var(&s.maximum, "max-document", "maximum `SIZE` of a document")
	s.ocr.declare(f)
}

func (s *documentSettings) check() error {
	if s.maximum < 1 {
		return usageErrorf("--max-document must be at least one byte")
	}
	return nil
}

// configure adds what documents need to the configuration of the engine. end
// releases it.
func (s *documentSettings) configure(db string, c *tracking.Config) (end func() error, err error) {
	blobs, closeBlobs, err := s.open(db)
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

// open opens the storage for document files: a directory, or memory if the database
// is in memory.
func (s *documentSettings) open(db string) (tracking.Blobs, func() error, error) {
	name := s.blobs
	if name == "" && isMemory(db) {
		return &memory.Blobs{}, func() error { return nil }, nil
	}
	if err := needBlobs(name, db); err != nil {
		return nil, nil, err
	}
	if name == "" {
		name = defaultBlobs(db)
	}
	blobs, err := dir.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("the directory of the documents: %w", err)
	}
	return blobs, blobs.Close, nil
}

// needBlobs refuses to guess a directory where the database is no file.
func needBlobs(blobs, db string) error {
	if blobs == "" && !isFile(db) && !isMemory(db) {
		return usageErrorf("--blobs is missing: a PostgreSQL database has no directory for document files; name one that all nodes share")
	}
	return nil
}

// defaultBlobs returns the default directory for the documents of a database:
// landfall-documents for landfall.db.
func defaultBlobs(db string) string {
	return strings.TrimSuffix(db, filepath.Ext(db)) + "-documents"
}
