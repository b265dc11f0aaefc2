package main

import (
	"context"
	"fmt"
	"io"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// handIn creates a document from a file and downloads its bytes.
func handIn(ctx context.Context, out io.Writer, c *client.Client, name string, content []byte) error {
	d, err := c.CreateDocument(ctx, tracking.NewDocument{Name: name, ContentType: "text/plain", Content: content})
	if err != nil {
		return err
	}
	link, err := c.DocumentDownload(ctx, d.ID)
	if err != nil {
		return err
	}
	file, err := c.OpenDownload(ctx, link)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintf(out, "%s: %d bytes of %s\n", file.FileName, file.Size(), file.ContentType)
	return nil
}
