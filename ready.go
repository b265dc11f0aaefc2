package tracking

import (
	"context"
	"fmt"
	"strings"
)

// heartbeat is the system's own record, which is written to see whether the store
// takes writes.
type heartbeat struct {
	Meta
	Beats int64 `private:"beats"`
	// Ballast makes it as large as a usual update: on a disk that is nearly
	// full it must not find room where those do not.
	Ballast string `private:"ballast"`
}

var heartbeats = newKind[heartbeat]("pulse", nil, nil, nil)

var (
	heartbeatID      = named("pulse", "")
	heartbeatPadding = strings.Repeat(".", 32<<10)
)

// Ready reports whether the engine can do its work: nil, or why not. It makes a
// small durable change, so it notices a full disk, a read-only file system and
// a writer that is blocked; ctx bounds the wait for its turn, as does
// Config.WriteWait. Config.Blobs that are ReadyBlobs are asked too. It also returns what the last round of upkeep failed with,
// such as records of an older revision that cannot be rewritten. Each call is a
// commit: callers that ask often share one call, as httpserver does.
func (t *Tracker) Ready(ctx context.Context) error {
	if t.closed.Load() {
		return ErrClosed
	}
	if err := t.upkeep.failed.Load(); err != nil && *err != nil {
		return fmt.Errorf("upkeep: %w", *err)
	}
	if err := t.writeHeartbeat(ctx); err != nil {
		return err
	}
	if blobs, ok := t.config.Blobs.(ReadyBlobs); ok {
		return blobs.Ready(ctx)
	}
	return nil
}

func (t *Tracker) writeHeartbeat(ctx context.Context) error {
	return t.update(ctx, AccountID{}, func(tx *Tx) error {
		p, err := table(tx, heartbeats).Get(heartbeatID)
		if ignoreNotFound(err) != nil {
			return err
		}
		if err != nil {
			p = &heartbeat{Meta: Meta{ID: heartbeatID}}
		}
		p.Beats, p.Ballast = p.Beats+1, heartbeatPadding
		return table(tx, heartbeats).Put(p)
	})
}
