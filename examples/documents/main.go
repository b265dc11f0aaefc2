// Command documents adds a document in a program that embeds the engine. The engine
// extracts its data and links it to the shipment that it names.
//
//	go run ./examples/documents            # a sample document
//	go run ./examples/documents FILE...    # your documents
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
)

const paper = `                         ARRIVAL NOTICE
Master B/L No: MAEU77001            Date: 2026-03-01
Vessel: EXAMPLE STAR                Voyage: 12E
Port of Loading: Shanghai, China    Port of Discharge: Oakland, CA
Container No: MRKU9465770
Last Free Day: 2026-03-05
`

func main() {
	extract.Main() // PDFs are parsed in a child process of this program
	if err := run(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer, files []string) error {
	store, err := storage.Open("memory:")
	if err != nil {
		return err
	}
	extractor, err := extract.New(extract.Config{})
	if err != nil {
		return err
	}
	defer extractor.Close()
	engine, err := tracking.New(tracking.Config{
		Store: store, Blobs: &memory.Blobs{}, // dir.Open("documents") stores them on disk
		Extractor: extractor, Classifier: classify.New(),
	})
	if err != nil {
		return err
	}
	defer engine.Close()
	account, _, err := engine.EnsureAccount(ctx, "acme")
	if err != nil {
		return err
	}
	acme := engine.For(tracking.Actor{Account: account.Scope()})
	if err := ship(ctx, acme); err != nil {
		return err
	}
	if len(files) == 0 {
		return file(ctx, acme, out, "notice.txt", []byte(paper))
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := file(ctx, acme, out, filepath.Base(name), content); err != nil {
			return err
		}
	}
	return nil
}

// ship reports the shipment that the document names.
func ship(ctx context.Context, acme *tracking.Tracker) error {
	_, err := acme.Ingest(ctx, tracking.Report{Source: "example", SCAC: "MAEU", Facts: []tracking.Fact{{
		ID: "1", Activity: freight.Loading, Mode: freight.ByVessel, Place: tracking.Place{LOCODE: "CNSHA"}, Containers: []string{"MRKU9465770"},
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: "MAEU77001"}},
	}}})
	return err
}

// file adds a document, processes it, and prints the result. A server processes
// documents with Run.
func file(ctx context.Context, acme *tracking.Tracker, out io.Writer, name string, content []byte) error {
	d, err := acme.CreateDocument(ctx, tracking.NewDocument{Name: name, Content: content})
	if err != nil {
		return err
	}
	if _, err := acme.RunOnce(ctx); err != nil {
		return err
	}
	s, err := acme.Rendered().Get(ctx, "document", d.ID, []string{"last_document_representation"})
	if err != nil {
		return err
	}
	if d, err = acme.Document(ctx, d.ID); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is %q, linked to %d shipments and %d containers\n", name, d.Type(), len(d.Shipments), len(d.Cargos))
	for _, r := range s.Included {
		var shown struct {
			Attributes struct{ Payload json.RawMessage }
		}
		if err := json.Unmarshal(r.Doc, &shown); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", shown.Attributes.Payload)
	}
	return nil
}
