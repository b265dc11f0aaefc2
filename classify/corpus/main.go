// Command corpus writes the corpus of documents that the classifier is measured on:
// PDFs, and beside each what is true of it. See docs/corpus.md.
//
//	go run ./classify/corpus write -part train -to DIRECTORY
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking/classify/corpus/train"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || args[0] != "write" {
		return fmt.Errorf("want: corpus write -part train|heldout -to DIRECTORY")
	}
	flags := flag.NewFlagSet("write", flag.ContinueOnError)
	part := flags.String("part", "train", "which part of the corpus: train or heldout")
	to := flags.String("to", "corpus", "the directory to write to; it is made")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	documents, err := documents(*part)
	if err != nil {
		return err
	}
	for _, d := range documents {
		if err := write(*to, d); err != nil {
			return err
		}
	}
	fmt.Printf("%d documents in %s\n", len(documents), *to)
	return nil
}

func documents(part string) ([]truth.Document, error) {
	switch part {
	case "train":
		return train.Documents()
	default:
		return nil, fmt.Errorf("-part %q: want train or heldout", part)
	}
}

func write(dir string, d truth.Document) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, d.Name+".json"), append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, d.Name+".pdf"), d.PDF, 0o666)
}
