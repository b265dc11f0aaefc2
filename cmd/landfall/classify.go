package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
)

var documentsClassify = command{
	name:     "documents classify",
	operands: "FILE...",
	about:    "classify documents on disk and print their fields",
	details: `
Reads PDF, .xlsx, .docx, .eml, .msg, HTML and text files, and scans and photos where
tesseract is installed. It prints the type of each with its confidence, and its fields:
the value as printed, the normalized value, its confidence and its page. Nothing is
stored, and nothing leaves this machine.

--json prints one object per file and line, with the positions of the values.
--type reads the fields of the given type, whatever the type of the file is.

Files that cannot be read are reported, and the exit code is 1.`,
	declare: func(f *flags) action {
		var c classification
		var ocr ocrSettings
		ocr.declare(f)
		f.BoolVar(&c.json, "json", false, "print JSON")
		f.StringVar(&c.as, "type", "", "`CODE` of the document type to assume: bill_of_lading")
		return func(ctx context.Context, p *program, files []string) error {
			c.program, c.classifier = p, classify.New()
			if err := c.checkType(c.as); err != nil {
				return err
			}
			reader, err := extract.New(extract.Config{OCR: ocr.config()})
			if err != nil {
				return err
			}
			defer reader.Close()
			c.extractor = reader
			return c.run(ctx, files)
		}
	},
}

// classification is one run of documents classify.
type classification struct {
	*program
	json       bool
	as         string
	classifier tracking.Classifier
	extractor  tracking.Recognizer
}

// checkType refuses an unknown type.
func (c *classification) checkType(code string) error {
	var codes []string
	for _, t := range c.classifier.Types() {
		if code == "" || t.Code == code {
			return nil
		}
		codes = append(codes, t.Code)
	}
	return usageErrorf("--type: %q is not one of %s", code, strings.Join(codes, ", "))
}

func (c *classification) run(ctx context.Context, files []string) error {
	failed := 0
	for i, name := range files {
		if i > 0 && !c.json {
			fmt.Fprintln(c.stdout)
		}
		if err := c.file(ctx, name); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed++
			fmt.Fprintf(c.stderr, "landfall: %s: %s\n", oneLine(name), explained(err))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files could not be read", failed, len(files))
	}
	return nil
}

// file reads one file and prints what it is.
func (c *classification) file(ctx context.Context, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return errors.Unwrap(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("this is no file")
	}
	document := tracking.DocumentFile{Name: filepath.Base(name), Content: f, Size: info.Size()}
	text, err := c.extractor.Recognize(ctx, document)
	if err != nil {
		return err
	}
	is, err := c.classifier.Classify(ctx, document, text)
	if err != nil {
		return err
	}
	fields, err := c.classifier.Fields(ctx, document, text, cmp.Or(c.as, is.Type))
	if err != nil {
		return err
	}
	text.Displayed(fields)
	if c.json {
		return c.printJSON(name, text, is, fields)
	}
	return c.print(name, text, is, fields)
}

func (c *classification) printJSON(name string, text tracking.DocumentText, is tracking.Classification, fields tracking.DocumentFields) error {
	out := struct {
		File        string                  `json:"file"`
		ContentType string                  `json:"content_type"`
		Pages       int                     `json:"pages"`
		Type        *string                 `json:"document_type"`
		Confidence  float64                 `json:"confidence"`
		Notes       string                  `json:"classification_notes"`
		Fields      tracking.DocumentFields `json:"fields"`
	}{name, text.ContentType, len(text.Pages), nil, is.Confidence, is.Notes, fields}
	if is.Type != "" {
		out.Type = &is.Type
	}
	return json.NewEncoder(c.stdout).Encode(out)
}

func (c *classification) print(name string, text tracking.DocumentText, is tracking.Classification, fields tracking.DocumentFields) error {
	fmt.Fprintf(c.stdout, "%s: %s", oneLine(name), cmp.Or(is.Type, "type not known"))
	if is.Type != "" {
		fmt.Fprintf(c.stdout, " (%.2f)", is.Confidence)
	}
	fmt.Fprintf(c.stdout, ", %s, pages: %d\n", text.ContentType, len(text.Pages))
	if is.Notes != "" {
		fmt.Fprintf(c.stdout, "  %s\n", oneLine(is.Notes))
	}
	if len(fields) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  FIELD\tNORMAL\tAS PRINTED\tSURE\tPAGE")
	printFields(w, "", fields)
	return w.Flush()
}

// printFields prints the members of tables under the table's name and their row.
func printFields(w io.Writer, before string, fields tracking.DocumentFields) {
	for _, f := range fields {
		for i, row := range f.Rows {
			printFields(w, fmt.Sprintf("%s[%d].", f.Name, i+1), row)
		}
		if f.Kind == tracking.FieldTable {
			continue
		}
		fmt.Fprintf(w, "  %s%s\t%s\t%s\t%.2f\t%d\n", before, f.Name, cell(normalTexts(f)), cell(f.Value), f.Confidence, f.Page)
	}
}

// normalTexts are the normal form and the others that the print can have: "2026-08-05 or 2026-05-08".
func normalTexts(f tracking.DocumentField) string {
	text := normalText(f.Normal)
	for _, other := range f.Alternatives {
		text += " or " + normalText(other)
	}
	return text
}

func normalText(normal any) string {
	switch v := normal.(type) {
	case nil:
		return "-"
	case tracking.Quantity:
		return fmt.Sprint(v.Value, " ", v.Unit)
	case tracking.Money:
		return strings.TrimSpace(v.Amount + " " + v.Currency)
	}
	return fmt.Sprint(normal)
}

// cell keeps a value on one line, and short enough for a table.
func cell(s string) string {
	s = oneLine(strings.ReplaceAll(s, "\n", ", "))
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}
