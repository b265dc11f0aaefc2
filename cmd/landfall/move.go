package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/store"
)

var moveCommand = command{
	name:  "move",
	about: "copy an installation to another database, such as PostgreSQL",
	details: `
Copies all records of all accounts with their IDs, versions and history, the jobs
that wait with their attempts, pauses and leases, and the secrets, which stay
encrypted: the servers of the new database need the same master key. Nothing is
deleted from the old one. At the end both are counted, and a difference is an error.

End all servers first: a database that is served is refused. The new database must
be empty. If the command is interrupted, run it again: it continues. Until it has
succeeded, nothing else opens the new database. If the old one was changed
meanwhile, begin with an empty one.

--from-blobs and --to-blobs copy the files of documents too, between directories
and buckets (s3://BUCKET/PREFIX?endpoint=URL). One of them may be absent if its
database is a file, which has a directory next to it. Without both, the files stay
where they are, for servers with the same --blobs.`,
	declare: func(f *flags) action {
		m := &moving{}
		from := f.need("from", "database `FILE`, or postgres://..., that is copied")
		to := f.need("to", "database `FILE`, or postgres://..., that is empty or does not exist")
		f.StringVar(&m.fromBlobs, "from-blobs", "", "`DIRECTORY` of the document files, or s3://...")
		f.StringVar(&m.toBlobs, "to-blobs", "", "`DIRECTORY` for the document files, or s3://...")
		return func(ctx context.Context, p *program, _ []string) error {
			m.program, m.from, m.to = p, *from, *to
			return m.run(ctx)
		}
	},
}

// moving is one run of the command.
type moving struct {
	*program
	from, to           string
	fromBlobs, toBlobs string
}

func (m *moving) run(ctx context.Context) (err error) {
	if err := m.check(); err != nil {
		return err
	}
	for _, db := range []string{m.from, m.to} {
		unlock, lockErr := storage.LockServer(db)
		if lockErr != nil {
			return lockErr
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	from, err := m.openStore(m.from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := storage.Open(m.to) // the key file may be there before the database
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := errors.Join(refuseServed(ctx, from, m.from), refuseServed(ctx, to, m.to)); err != nil {
		return err
	}
	files, err := m.copyBlobs(ctx)
	if err != nil {
		return err
	}
	counts, err := tracking.CopyStore(ctx, from, to, m.progress())
	if err != nil {
		return fmt.Errorf("%s was not moved to %s: %w", shown(m.from), shown(m.to), err)
	}
	m.print(counts, files)
	return m.printKey(to)
}

// printKey says which master key the servers of the new database need.
func (m *moving) printKey(to tracking.Store) error {
	var files []string
	for _, db := range []string{m.to, m.from} {
		if isFile(db) {
			files = append(files, keyFile(db))
		}
	}
	candidates, err := m.keyCandidates("", files...)
	if err != nil {
		return err
	}
	seal, found, err := sealingKey(to, candidates)
	switch {
	case err != nil:
		return err
	case seal == sealedBy && isFile(m.to) && found.file == keyFile(m.to):
	case seal == sealedBy:
		fmt.Fprintf(m.stdout, "its servers need the master key in %s\n", found.name)
	case seal == sealedElsewhere:
		fmt.Fprintf(m.stdout, "its servers need the master key of the old ones as %s\n", masterKeyVariable)
	}
	return nil
}

// check refuses settings that cannot be right.
func (m *moving) check() error {
	if isMemory(m.from) || isMemory(m.to) {
		return usageErrorf("--from and --to name databases that stay, and memory: does not")
	}
	if m.from == m.to {
		return usageErrorf("--from and --to name the same database")
	}
	for name, blobs := range map[string]*string{"from": &m.fromBlobs, "to": &m.toBlobs} {
		if m.fromBlobs == "" && m.toBlobs == "" {
			break
		}
		db := map[string]string{"from": m.from, "to": m.to}[name]
		if *blobs == "" && !isFile(db) {
			return usageErrorf("--%s-blobs is missing: a PostgreSQL database has no directory for document files", name)
		}
		if *blobs == "" {
			*blobs = defaultBlobs(db)
		}
		if err := checkBlobs(*blobs); err != nil {
			return err
		}
	}
	if m.fromBlobs != "" && m.fromBlobs == m.toBlobs {
		return usageErrorf("--from-blobs and --to-blobs name the same place")
	}
	return cmp.Or(mustExist(m.from), checkPermissions(m.to), m.checkRestoredFile(m.to))
}

func (m *moving) checkRestoredFile(db string) error {
	if !isFile(db) {
		return nil
	}
	return checkRestored(db)
}

// refuseServed refuses a database that servers share. That of a file has its lock.
func refuseServed(ctx context.Context, s tracking.Store, db string) error {
	if _, shared := s.(*postgres.Store); !shared {
		return nil
	}
	nodes, err := s.Nodes(ctx)
	if err == nil && len(nodes) > 0 {
		err = fmt.Errorf("a server is running on %s (%d in all): end it first; one that has ended without a stop counts for half a minute", shown(db), len(nodes))
	}
	return err
}

// checkMoved refuses a database that is a copy which is not complete.
func checkMoved(s tracking.Store, db string) error {
	copier, ok := s.(store.Copier)
	if !ok {
		return nil
	}
	state, err := copier.CopyState(context.Background())
	if err == nil && state.Source != 0 && !state.Complete {
		err = fmt.Errorf("landfall move to %s was interrupted: run it with the same arguments again to complete it", shown(db))
	}
	return err
}

// copyBlobs copies the files that the target does not have, and returns how many it has
// then. Files never change.
func (m *moving) copyBlobs(ctx context.Context) (files int, err error) {
	if m.fromBlobs == "" {
		return 0, nil
	}
	if err := blobsMustExist(m.fromBlobs); err != nil {
		return 0, err
	}
	from, closeFrom, err := m.openListed(ctx, m.fromBlobs, m.from)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeFrom()) }()
	to, closeTo, err := m.openListed(ctx, m.toBlobs, m.to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeTo()) }()
	there := map[tracking.BlobKey]bool{}
	for key, err := range to.Keys(ctx) {
		if err != nil {
			return 0, err
		}
		there[key] = true
	}
	for key, err := range from.Keys(ctx) {
		if err == nil && !there[key] {
			err = copyBlob(ctx, from, to, key)
		}
		if err != nil {
			return 0, err
		}
		delete(there, key)
		files++
	}
	if len(there) > 0 {
		return 0, fmt.Errorf("--to-blobs has %d files that --from-blobs has not: begin with an empty directory or prefix", len(there))
	}
	return files, nil
}

func (m *moving) openListed(ctx context.Context, blobs, db string) (tracking.ListedBlobs, func() error, error) {
	opened, closeBlobs, err := openBlobs(ctx, blobs, db)
	if err != nil {
		return nil, nil, err
	}
	listed, ok := opened.(tracking.ListedBlobs)
	if !ok {
		return nil, nil, errors.Join(fmt.Errorf("%T cannot be listed", opened), closeBlobs())
	}
	return listed, closeBlobs, nil
}

func copyBlob(ctx context.Context, from, to tracking.Blobs, key tracking.BlobKey) error {
	b, err := from.Open(ctx, key)
	if err != nil {
		return err
	}
	return errors.Join(to.Put(ctx, key, io.NewSectionReader(b, 0, b.Size())), b.Close())
}

// progress returns a function that prints how far the copy is, every ten seconds.
func (m *moving) progress() func(records int64) {
	next := time.Now().Add(10 * time.Second)
	return func(records int64) {
		if now := time.Now(); now.After(next) {
			fmt.Fprintf(m.stderr, "%d records\n", records)
			next = now.Add(10 * time.Second)
		}
	}
}

func (m *moving) print(c store.CopyCounts, files int) {
	records := int64(0)
	for _, n := range c.Records {
		records += n
	}
	fmt.Fprintf(m.stdout, "%s moved to %s: %d records of %d kinds, %d marks, %d jobs of %d groups\n", shown(m.from), shown(m.to), records, len(c.Records), c.Marks, c.Jobs, c.Groups)
	if m.fromBlobs != "" {
		fmt.Fprintf(m.stdout, "%d files of documents are in %s\n", files, m.toBlobs)
	} else {
		fmt.Fprintln(m.stdout, "files of documents were not copied")
	}
}
