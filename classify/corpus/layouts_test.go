package main

import (
	"bytes"
	"context"
	"strconv"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/corpus/score"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/classify/extract"
)

// TestLayouts takes each true value of a document of the training part as a correction, and reads
// it on the other copies of the layout: docs/adr/0188-layout-corrections.md.
func TestLayouts(t *testing.T) {
	documents := drawn(t, "train")
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, c := context.Background(), classify.New()
	texts, prints := make([]tracking.DocumentText, len(documents)), make([][]byte, len(documents))
	for i, d := range documents {
		if texts[i], err = e.Extract(ctx, tracking.DocumentFile{Content: bytes.NewReader(d.PDF), Size: int64(len(d.PDF))}); err != nil {
			t.Fatal(err)
		}
		prints[i] = c.Fingerprint(texts[i])
	}
	var read []truth.Document
	var answers []score.Answer
	copies, similar, others := 0, 0, 0
	for i, d := range documents {
		at, err := c.Locate(ctx, texts[i], d.Type, corrections(d))
		if err != nil {
			t.Fatal(err)
		}
		for k, o := range documents {
			alike := c.Similarity(prints[i], prints[k]) > 0
			switch {
			case i == k:
				continue
			case d.Layout != o.Layout:
				if alike && d.Type == o.Type {
					others++
				}
				continue
			}
			copies++
			if !alike {
				continue
			}
			similar++
			fields, err := c.ReadAt(ctx, texts[k], o.Type, at)
			if err != nil {
				t.Fatal(err)
			}
			o.Fields = truth.Fields{}
			for _, p := range at {
				if v, ok := documents[k].Fields[p.Field]; ok {
					o.Fields[p.Field] = v
				}
			}
			o.PDF = strconv.AppendInt(nil, int64(len(answers)), 10)
			read, answers = append(read, o), append(answers, score.Answer{Type: o.Type, Fields: score.Flat(fields)})
		}
	}
	sum := score.Run(read, func(n []byte) (score.Answer, error) {
		i, err := strconv.Atoi(string(n))
		return answers[i], err
	}).All.Fields
	t.Logf("%d of %d copies and %d others of the type are similar; precision %.3f, recall %.3f", similar, copies, others, sum.Precision(), sum.Recall())
	if 100*similar < 85*copies || others > 0 || sum.Precision() < 0.965 || sum.Recall() < 0.88 {
		t.Error("that is worse than before")
	}
}

// corrections are the true values of a document that are in no list, as people enter them.
func corrections(d truth.Document) (all []tracking.FieldCorrection) {
	for name, v := range d.Fields {
		switch v := v.(type) {
		case string:
			all = append(all, tracking.FieldCorrection{Field: name, Value: v})
		case truth.Company:
			all = append(all, tracking.FieldCorrection{Field: name, Value: v.Name + "\n" + v.Address})
		}
	}
	return all
}
