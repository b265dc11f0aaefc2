package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/blob/s3"
)

// blobsVar declares --blobs: where document files are.
func (f *flags) blobsVar(to *string) {
	f.StringVar(to, "blobs", "", "`DIRECTORY` of document files (default NAME-documents next to the database NAME.db), or a bucket as s3://BUCKET/PREFIX?endpoint=URL")
}

func (f *flags) blobs() *string {
	blobs := new(string)
	f.blobsVar(blobs)
	return blobs
}

// checkBlobs refuses a setting that is wrong by itself.
func checkBlobs(blobs string) error {
	if !s3.IsURL(blobs) {
		return nil
	}
	if _, err := s3.ParseURL(blobs); err != nil {
		return usageErrorf("--blobs: %v", err)
	}
	return nil
}

// blobsMustExist refuses a directory that is missing; an empty setting stands for the
// default, which may be.
func blobsMustExist(blobs string) error {
	if blobs == "" || s3.IsURL(blobs) || exists(blobs) {
		return nil
	}
	return fmt.Errorf("--blobs: there is no directory %s", blobs)
}

// needBlobs refuses to guess a directory where the database is no file.
func needBlobs(blobs, db string) error {
	if blobs == "" && !isFile(db) && !isMemory(db) {
		return usageErrorf("--blobs is missing: a PostgreSQL database has no directory for document files; name a bucket (s3://BUCKET) or a directory that all nodes share")
	}
	return nil
}

// defaultBlobs returns the default directory for the documents of a database:
// landfall-documents for landfall.db.
func defaultBlobs(db string) string {
	return strings.TrimSuffix(db, filepath.Ext(db)) + "-documents"
}

// openBlobs opens the place of the document files of a database: a bucket, a directory,
// which is made if there is none, or memory if the database is in memory.
func openBlobs(ctx context.Context, blobs, db string) (tracking.Blobs, func() error, error) {
	if blobs == "" && isMemory(db) {
		return &memory.Blobs{}, func() error { return nil }, nil
	}
	if err := cmp.Or(needBlobs(blobs, db), checkBlobs(blobs)); err != nil {
		return nil, nil, err
	}
	if s3.IsURL(blobs) {
		return openBucket(ctx, blobs)
	}
	opened, err := dir.Open(cmp.Or(blobs, defaultBlobs(db)))
	if err != nil {
		return nil, nil, fmt.Errorf("the directory of the documents: %w", err)
	}
	return opened, opened.Close, nil
}

func openBucket(ctx context.Context, url string) (tracking.Blobs, func() error, error) {
	config, err := s3.ParseURL(url)
	if err != nil {
		return nil, nil, err
	}
	opened, err := s3.Open(ctx, config)
	if err != nil {
		return nil, nil, fmt.Errorf("--blobs: %w", err)
	}
	return opened, opened.Close, nil
}

// existingBlobs is openBlobs, but makes no directory. If there is none, all files are
// missing.
func existingBlobs(ctx context.Context, blobs, db string) (tracking.Blobs, func() error, error) {
	if err := cmp.Or(blobsMustExist(blobs), needBlobs(blobs, db)); err != nil {
		return nil, nil, err
	}
	if !s3.IsURL(blobs) && !exists(cmp.Or(blobs, defaultBlobs(db))) {
		return &memory.Blobs{}, func() error { return nil }, nil
	}
	return openBlobs(ctx, blobs, db)
}
