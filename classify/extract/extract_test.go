package extract

import (
	"context"
	"os"
	"testing"

	"github.com/landfallhq/tracking"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

func TestScratch(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("PDF"))
	if err != nil {
		t.Skip()
	}
	for _, engine := range []Engine{Poppler, Go} {
		e, err := New(Config{Engine: engine})
		if err != nil {
			t.Fatal(err)
		}
		text, err := e.Extract(context.Background(), bytesOf("x.pdf", b))
		t.Log(engine, err, text.Unreadable)
		for _, p := range text.Pages {
			t.Log(p.Width, p.Height)
			for _, w := range p.Words[:min(12, len(p.Words))] {
				t.Logf("%.1f %.1f %.1f %.1f %s", w.Box.Left, w.Box.Top, w.Box.Right, w.Box.Bottom, w.Text)
			}
		}
		e.Close()
	}
	var _ tracking.Extractor = (*Extractor)(nil)
}
