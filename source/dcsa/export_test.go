package dcsa

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// WithSleep replaces the function with which a client waits.
func (c *Client) WithSleep(f func(context.Context, time.Duration) error) *Client {
	c.sleep = f
	return c
}

// About selects the facts about the queried number.
func About(q freight.SourceQuery, r freight.Report) (freight.Report, error) { return about(q, r) }
