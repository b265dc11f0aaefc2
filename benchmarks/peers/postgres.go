package main

import (
	"context"
	"errors"
	"time"

	"github.com/landfallhq/tracking/internal/postgrestest"
)

// The names of the sides on PostgreSQL that goals are about.
const (
	pgxKnown = "pgx, total known"
	pgxSix   = "pgx, six statements"
)

// postgresSettings are those of a private cluster, besides what PostgreSQL has by itself:
// fsync and synchronous_commit are on, as they are without a word.
var postgresSettings = []string{"-c", "shared_buffers=1GB", "-c", "synchronous_commit=on", "-c", "autovacuum_naptime=1min"}

// startPostgres starts PostgreSQL, and the two peers that need it. They are left out where it
// is not installed.
func (r *run) startPostgres(ctx context.Context) error {
	cluster, err := postgrestest.Run(postgresSettings...)
	if errors.Is(err, postgrestest.ErrMissing) {
		r.skip("pgx and River", errors.New("PostgreSQL is not installed"))
		return nil
	}
	if err != nil {
		return err
	}
	r.atEnd(func() error {
		cluster.Stop()
		return nil
	})
	cpu := func() time.Duration { return cpuWithChildren(cluster.PID()) }
	if err := r.startPgx(ctx, cluster.URL(), cpu); err != nil {
		return err
	}
	db, err := openPool(ctx, cluster.URL())
	if err != nil {
		return err
	}
	r.atEnd(func() error {
		db.Close()
		return nil
	})
	if err := db.QueryRow(ctx, "SHOW server_version").Scan(&r.postgres); err != nil {
		return err
	}
	on, err := newRiver(ctx, db, cpu, r.backlog)
	if err != nil {
		return err
	}
	for _, s := range riverSettings {
		r.drains = append(r.drains, &drain{name: s.name, deliver: func(ctx context.Context) (figures, error) { return on.deliver(ctx, s) }})
	}
	return nil
}

// startPgx starts the server on pgx.
func (r *run) startPgx(ctx context.Context, url string, postgres func() time.Duration) error {
	var addr string
	c, err := r.startServer(ctx, rolePgx, pgxConfig{r.from, url}, &addr)
	if err != nil {
		return err
	}
	cpu := func() time.Duration { return cpuOf(c.pid()) + postgres() }
	r.reads(pgxKnown, addr, "", "", cpu)
	r.reads("pgx, count(*)", addr, "", "&count=1", cpu)
	r.page.add("pgx, total known, encoding/json", addr, cpu, getPage(addr, "", 1, "&plain=1"))
	r.singles("pgx", addr, "", cpu)
	for _, batch := range []struct {
		name string
		is   bool
	}{{pgxSix, false}, {"pgx, its five writes in one batch", true}} {
		r.writes(batch.name, addr, cpu, func(_ box, m movement) ([]byte, error) {
			m.Batch = batch.is
			return m.wire(addr)
		})
	}
	return nil
}
