package main

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking"
)

var accountsExport = command{
	name:     "accounts export",
	operands: "FILE.zip",
	about:    "write everything of an account to a ZIP file",
	details: `
The file has all resources as JSON:API resource objects (resources/TYPE.ndjson, one
on each line), the facts as reports that import --format report reads (reports/, in
order), the files of the documents (documents/ID/NAME), and export.json with the
account, the time and the counts. It shows the account at one moment, also while a
server runs. Secrets of keys and webhooks and deleted documents are not in it.

FILE.zip must not exist. It appears when it is complete.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		blobs := f.blobs()
		return func(ctx context.Context, p *program, operands []string) error {
			if err := mustExist(*db); err != nil {
				return err
			}
			files, closeFiles, err := existingBlobs(ctx, *blobs, *db)
			if err != nil {
				return err
			}
			defer closeFiles()
			return p.onStore(*db, tracking.Config{Blobs: files}, func(tr *tracking.Tracker) error {
				a, err := tr.Account(ctx, *account)
				if err != nil {
					return noSuchAccount(err, *account)
				}
				e := &accountZIP{counts: exportCounts{Resources: map[string]int{}}}
				if err := writeNewFile(operands[0], func(to io.Writer) error { return e.write(ctx, tr, a, to) }); err != nil {
					return err
				}
				fmt.Fprintf(p.stdout, "exported %s to %s: %d resources, %d facts, %d files\n", a.Name, operands[0], e.records, e.counts.Facts, e.counts.Files)
				if n := len(e.counts.Missing); n > 0 {
					return fmt.Errorf("the files of %d documents could not be read: export.json in %s names them", n, operands[0])
				}
				return nil
			})
		}
	},
}

func noSuchAccount(err error, name string) error {
	return notFoundAs(err, "there is no account %q: landfall accounts list shows the accounts", name)
}

// writeNewFile writes a file that only its owner can read. It appears under its name when
// it is complete and on the disk.
func writeNewFile(name string, write func(io.Writer) error) error {
	if exists(name) {
		return fmt.Errorf("%s exists already: give another name", name)
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.partial")
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// accountZIP is an export that is being written.
type accountZIP struct {
	zip     *zip.Writer
	entry   io.Writer // of the present type
	typ     string
	records int
	counts  exportCounts
}

// exportCounts is the content of export.json.
type exportCounts struct {
	Account     tracking.ID    `json:"account_id"`
	Name        string         `json:"account_name"`
	CompanyName string         `json:"company_name"`
	ExportedAt  time.Time      `json:"exported_at"`
	Program     string         `json:"program"`
	Resources   map[string]int `json:"resources"`
	Reports     int            `json:"reports"`
	Facts       int            `json:"facts"`
	Files       int            `json:"files"`
	// Missing has the IDs of the documents whose file could not be read, with the reason.
	Missing map[string]string `json:"missing_files,omitempty"`
}

func (e *accountZIP) write(ctx context.Context, tr *tracking.Tracker, a *tracking.Account, to io.Writer) error {
	c := &e.counts
	c.Account, c.Name, c.CompanyName, c.ExportedAt, c.Program = a.ID, a.Name, a.CompanyName, time.Now().UTC().Truncate(time.Second), version()
	e.zip = zip.NewWriter(to)
	err := tr.ExportAccount(ctx, a.Name, tracking.AccountExport{Resource: e.resource, Report: e.report, File: e.file})
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(e.counts, "", "  ")
	if err == nil {
		err = e.add("export.json", append(text, '\n'))
	}
	return errors.Join(err, e.zip.Close())
}

func (e *accountZIP) create(name string) (io.Writer, error) {
	return e.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: e.counts.ExportedAt})
}

func (e *accountZIP) add(name string, content []byte) error {
	w, err := e.create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	return err
}

func (e *accountZIP) resource(typ string, doc []byte) (err error) {
	if typ != e.typ {
		if e.entry, err = e.create("resources/" + typ + ".ndjson"); err != nil {
			return err
		}
		e.typ = typ
	}
	e.records++
	e.counts.Resources[typ]++
	if _, err = e.entry.Write(doc); err == nil {
		_, err = e.entry.Write([]byte{'\n'})
	}
	return err
}

func (e *accountZIP) report(r tracking.Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	e.counts.Reports++
	e.counts.Facts += len(r.Facts)
	return e.add(fmt.Sprintf("reports/%06d.json", e.counts.Reports), text)
}

func (e *accountZIP) file(d *tracking.Document, b tracking.Blob, err error) error {
	if err != nil {
		if e.counts.Missing == nil {
			e.counts.Missing = map[string]string{}
		}
		e.counts.Missing[d.ID.String()] = err.Error()
		return nil
	}
	w, err := e.create(path.Join("documents", d.ID.String(), safeFileName(d.FileName)))
	if err == nil {
		_, err = io.Copy(w, io.NewSectionReader(b, 0, b.Size()))
	}
	e.counts.Files++
	return err
}

// safeFileName makes the name that a user gave a file into one that leads to no other
// folder on any system.
func safeFileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, name)
	for len(name) > 200 { // bytes; file systems take 255
		name = string([]rune(name)[1:]) // the end has the extension
	}
	return cmp.Or(strings.Trim(name, ". "), "file")
}
