// Command corpus writes the corpus of documents that the classifier is measured on:
// PDFs, each with a file of its true type and fields. It also scores the classifier of
// this project, or the answers of another. See docs/corpus.md.
//
//	go run -C classify/corpus . write -part train -to DIRECTORY
//	go run -C classify/corpus . score -part train
//	go run -C classify/corpus . score -part train -answers DIRECTORY
//	go run -C classify/corpus . score -part seen1 -mistakes 0.9
//	go run -C classify/corpus . score -part seen2 -group a
//	go run -C classify/corpus . score -part unseen5
//	go run -C classify/corpus . score -papers DIRECTORY
//	go run -C classify/corpus . calibrate
//
// The corpus is a module of its own, so that what it needs reaches nobody who imports
// the engine. Run like this, relative file names start in this directory.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/corpus/fresh"
	"github.com/landfallhq/tracking/classify/corpus/heldout"
	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/score"
	"github.com/landfallhq/tracking/classify/corpus/seen1"
	"github.com/landfallhq/tracking/classify/corpus/seen2"
	"github.com/landfallhq/tracking/classify/corpus/seen3"
	"github.com/landfallhq/tracking/classify/corpus/seen4"
	"github.com/landfallhq/tracking/classify/corpus/seen5"
	"github.com/landfallhq/tracking/classify/corpus/train"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/classify/corpus/unseen5"
	"github.com/landfallhq/tracking/classify/corpus/unseen6"
	"github.com/landfallhq/tracking/classify/extract"
)

func main() {
	extract.Main()
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 1 && args[0] == "calibrate" {
		return printCalibration(out)
	}
	if len(args) == 0 || args[0] != "write" && args[0] != "score" {
		return errors.New("want: corpus write|score -part train|heldout|fresh, score -part seen1|seen2|seen3|seen4|seen5|unseen5|unseen6, or calibrate; corpus write -h prints the flags")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(out)
	part := flags.String("part", "train", "which part of the corpus: train, heldout or fresh; to score also seen1, seen2, seen3, seen4, seen5, unseen5 and unseen6")
	layouts := flags.String("layouts", "", "names of layouts, with commas between: only these")
	var dir, group, kept string
	mistakes := -1.0
	if args[0] == "write" {
		flags.StringVar(&dir, "to", "corpus", "the directory to write to; it is made")
	} else {
		flags.StringVar(&dir, "answers", "", "a directory with an answer NAME.json for each document, in the form of score.Answer, instead of this project's classifier; not for parts of papers")
		flags.StringVar(&kept, "papers", "", "a directory with papers of your own, in the form of seen1, instead of a part")
		flags.StringVar(&group, "group", "", "a group of a part of papers, such as a: only this one")
		flags.Float64Var(&mistakes, "mistakes", mistakes, "of a part of papers, list wrong answers with at least this confidence; of unseen ones not for authors of rules")
	}
	if err := flags.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if kept != "" {
		return printPapers(out, os.DirFS(kept), group, mistakes)
	}
	if dir := paperParts[*part]; dir != nil && args[0] == "score" {
		return printPapers(out, dir, group, mistakes)
	}
	all, err := documents(*part, *layouts)
	if err != nil {
		return err
	}
	if args[0] == "score" {
		return printScore(out, all, dir)
	}
	for _, d := range all {
		if err := write(dir, d); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d documents in %s\n", len(all), dir)
	return err
}

// paperParts are the parts that are kept as files.
var paperParts = map[string]fs.FS{seen1.Part: seen1.Content, seen2.Part: seen2.Content, seen3.Part: seen3.Content, seen4.Part: seen4.Content, seen5.Part: seen5.Content, unseen5.Part: unseen5.Content, unseen6.Part: unseen6.Content}

// printScore prints the score of the answers in the directory, or without one of this
// project's classifier.
func printScore(out io.Writer, all []truth.Document, dir string) error {
	if dir != "" {
		return score.Run(all, answers(dir, all)).Print(out)
	}
	e, err := extract.New(extract.Config{})
	if err != nil {
		return err
	}
	defer e.Close()
	return score.Run(all, score.Of(e, classify.New())).Print(out)
}

// printPapers prints the totals of a part that is kept as files, or of one group of them.
func printPapers(out io.Writer, dir fs.FS, group string, mistakes float64) error {
	all, err := papers.Read(seen1.Part, dir)
	if err != nil {
		return err
	}
	if group != "" {
		all = slices.DeleteFunc(all, func(p papers.Paper) bool { return p.Group != group })
		if len(all) == 0 {
			return fmt.Errorf("-group %q: there is none", group)
		}
	}
	e, err := extract.New(extract.Config{})
	if err != nil {
		return err
	}
	defer e.Close()
	groups := score.RunPapers(all, score.Split(e, classify.New()))
	if mistakes >= 0 {
		score.PrintMistakes(out, groups, mistakes)
	}
	return score.PrintGroups(out, groups)
}

// documents draws a part, or some of its layouts.
func documents(part, layouts string) ([]truth.Document, error) {
	var only []string
	if layouts != "" {
		only = strings.Split(layouts, ",")
	}
	switch part {
	case "train":
		return train.Documents(only...)
	case "heldout":
		return heldout.Documents(only...)
	case "fresh":
		return fresh.Documents(only...)
	default:
		return nil, fmt.Errorf("-part %q: want train, heldout or fresh", part)
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

// answers is a Classifier that reads its answers from files.
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
