package dcsa

import (
	"context"
	"time"

	"github.com/landfallhq/tracking"
)

// WithSleep has a client wait by another function than that of the clock on the
// wall.
func (c *Client) WithSleep(f func(context.Context, time.Duration) error) *Client {
	c.sleep = f
	return c
}

// About is the choice of what an answer says about the number asked.
func About(q tracking.SourceQuery, r tracking.Report) (tracking.Report, error) { return about(q, r) }
