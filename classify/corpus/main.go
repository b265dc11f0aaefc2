// Command corpus writes the corpus of documents that the classifier is measured on:
// PDFs, and beside each what is true of it. It also judges answers about them. See
// docs/corpus.md.
//
//	go run ./classify/corpus write -part train -to DIRECTORY
//	go run ./classify/corpus score -part train -answers DIRECTORY
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/landfallhq/tracking/classify/corpus/heldout"
	"github.com/landfallhq/tracking/classify/corpus/score"
	"github.com/landfallhq/tracking/classify/corpus/train"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 || args[0] != "write" && args[0] != "score" {
		return errors.New("want: corpus write|score -part train|heldout, with -to or -answers and a directory")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(out)
	part := flags.String("part", "train", "which part of the corpus: train or heldout")
	dir := ""
	if args[0] == "write" {
		flags.StringVar(&dir, "to", "corpus", "the directory to write to; it is made")
	} else {
		flags.StringVar(&dir, "answers", "answers", "the directory with an answer NAME.json for each document, in the form of score.Answer")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	all, err := documents(*part)
	if err != nil {
		return err
	}
	if args[0] == "score" {
		return score.Run(all, answers(dir, all)).Print(out)
	}
	for _, d := range all {
		if err := write(dir, d); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d documents in %s\n", len(all), dir)
	return err
}

func documents(part string) ([]truth.Document, error) {
	switch part {
	case "train":
		return train.Documents()
	case "heldout":
		return heldout.Documents()
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

// answers is a classifier that has answered before.
func answers(dir string, all []truth.Document) score.Classifier {
	names := map[string]string{}
	for _, d := range all {
		names[string(d.PDF)] = d.Name
	}
	return func(pdf []byte) (a score.Answer, err error) {
		text, err := os.ReadFile(filepath.Join(dir, names[string(pdf)]+".json"))
		if err != nil {
			return a, err
		}
		return a, json.Unmarshal(text, &a)
	}
}
