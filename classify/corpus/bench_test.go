package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/corpus/train"
	"github.com/landfallhq/tracking/classify/extract"
)

// fivePages is a bill of lading with four pages of containers.
func fivePages(b *testing.B) []byte {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetFont("Helvetica", "", 8)
	for page := range 5 {
		pdf.AddPage()
		pdf.SetFont("Helvetica", "B", 14)
		pdf.Text(12, 12, "BILL OF LADING")
		pdf.SetFont("Helvetica", "", 8)
		pdf.Text(12, 22, "B/L No.: MAEU123456789")
		pdf.Text(90, 22, fmt.Sprintf("Page: %d", page+1))
		for i, title := range []string{"Container No.", "Seal No.", "Size/Type", "Packages", "Gross Weight", "Measurement"} {
			pdf.Text(12+30*float64(i), 32, title)
		}
		for row := range 50 {
			for i, cell := range []string{"CSQU3054383", "ML0099887", "40HC", "420", "18,250.50 KGS", "67.500 CBM"} {
				pdf.Text(12+30*float64(i), 38+4.5*float64(row), cell)
			}
		}
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkFivePages takes a PDF of five pages to its fields, on children that are
// warm. CPU is that of this process and of the children.
func BenchmarkFivePages(b *testing.B) {
	content := fivePages(b)
	e, err := extract.New(extract.Config{})
	if err != nil {
		b.Fatal(err)
	}
	c, ctx := classify.New(), context.Background()
	read := func() {
		f := tracking.DocumentFile{Content: bytes.NewReader(content), Size: int64(len(content))}
		text, err := e.Extract(ctx, f)
		if err != nil {
			b.Fatal(err)
		}
		is, err := c.Classify(ctx, f, text)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Fields(ctx, f, text, is.Type); err != nil || is.Type != "bill_of_lading" {
			b.Fatal(is, err)
		}
	}
	read()
	var took []time.Duration
	before := cpu()
	for b.Loop() {
		begin := time.Now()
		read()
		took = append(took, time.Since(begin))
	}
	e.Close() // their CPU time is known when they have ended
	slices.Sort(took)
	b.ReportMetric(float64((cpu()-before).Microseconds())/1000/float64(len(took)), "cpu-ms/op")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}

// BenchmarkPages reads the training part, one document at a time. The times are those of a
// page; the memory is that of the largest child.
func BenchmarkPages(b *testing.B) {
	documents, err := train.Documents()
	if err != nil {
		b.Fatal(err)
	}
	e, err := extract.New(extract.Config{Children: 1})
	if err != nil {
		b.Fatal(err)
	}
	read := func(pdf []byte) int {
		text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: bytes.NewReader(pdf), Size: int64(len(pdf))})
		if err != nil {
			b.Fatal(err)
		}
		return len(text.Pages)
	}
	read(documents[0].PDF)
	var took []time.Duration
	for b.Loop() {
		for _, d := range documents {
			begin := time.Now()
			pages := read(d.PDF)
			took = append(took, time.Since(begin)/time.Duration(pages))
		}
	}
	e.Close()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err == nil {
		b.ReportMetric(float64(used.Maxrss>>10), "child-MiB")
	}
}

// BenchmarkStart starts a child, with the code compiled before, and reads five pages.
func BenchmarkStart(b *testing.B) {
	content := fivePages(b)
	for b.Loop() {
		e, err := extract.New(extract.Config{Children: 1})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := e.Extract(context.Background(), tracking.DocumentFile{Content: bytes.NewReader(content), Size: int64(len(content))}); err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

func cpu() time.Duration {
	var all time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err == nil {
			all += time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
	}
	return all
}
