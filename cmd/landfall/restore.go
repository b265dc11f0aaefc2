package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/blob/s3"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
)

var restoreCommand = command{
	name:     "restore",
	operands: "BACKUP",
	about:    "put a backup in place: database, document files and master key",
	details: `
BACKUP is the copy NAME.db that landfall backup made; document files are taken from
NAME-documents next to it. A directory stands for the newest backup in it that
landfall backup --keep or landfall serve --backup-dir made.

The backup is copied next to its place and checked there as by landfall check, and
the master key is tried on it. Then everything is put in place, the database last.
BACKUP itself is not changed. A restore that is interrupted after the check is
completed by running the command again; no other command opens the database before.

The key is taken from --key, LANDFALL_MASTER_KEY, BACKUP.key or the key file that is
in place already, whichever fits, and written to the key file of the database unless
it comes from the environment.

Nothing that exists is overwritten. With --replace, the former database, key and
documents are kept under names that end in ".before-" and the time. The database must
not be in use, by a server or another command.

Files in a bucket are no part of a backup: --blobs s3://... checks that the bucket has
those that the database names.`,
	declare: func(f *flags) action {
		r := restore{}
		db := f.database()
		f.blobsVar(&r.blobs)
		f.StringVar(&r.key, "key", "", "`FILE` with the master key of the backup")
		f.BoolVar(&r.replace, "replace", false, "move away what is in place")
		f.BoolVar(&r.damaged, "damaged", false, "put the backup in place although the check has found problems")
		return func(ctx context.Context, p *program, operands []string) error {
			r.program, r.db, r.backup = p, *db, operands[0]
			if err := checkBlobs(r.blobs); err != nil {
				return err
			}
			r.blobs = cmp.Or(r.blobs, defaultBlobs(r.db))
			if file, err := filepath.EvalSymlinks(r.db); err == nil {
				r.db = file // the database is where a link leads to
			}
			return r.run(ctx)
		}
	},
}

// restore is one run of the command. Everything is prepared in two directories next to
// the places of the database and the documents. When it is complete, the first one is
// renamed to plannedRestore, and from then on the restore can only go forward.
type restore struct {
	*program
	db, backup, blobs, key string // paths
	replace, damaged       bool

	keyText []byte // of the key file to write; nil for none
	report  tracking.CheckReport
}

func (r *restore) printProblem(p store.Problem) { fmt.Fprintln(r.stdout, oneLine(p.String())) }

func (r *restore) preparing() string      { return r.db + ".restoring" }
func (r *restore) preparingBlobs() string { return r.blobs + ".restoring" }

// plannedRestore is the directory of a restore that is checked and not yet in place.
func plannedRestore(db string) string { return db + ".restored" }

// checkRestored refuses a database on which a restore was interrupted.
func checkRestored(db string) error {
	if !exists(plannedRestore(db)) {
		return nil
	}
	return fmt.Errorf("a restore of %s was interrupted: run landfall restore with the same arguments again to complete it", db)
}

func (r *restore) run(ctx context.Context) (err error) {
	if !isFile(r.db) {
		return fmt.Errorf("--db: %s is no file to restore to", shown(r.db))
	}
	if err := checkPermissions(r.db); err != nil {
		return err
	}
	unlock, err := storage.LockServer(r.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if exists(plannedRestore(r.db)) {
		return r.finish("completed the restore that was interrupted")
	}
	if err := r.findBackup(); err != nil {
		return err
	}
	if err := r.checkPlaces(); err != nil {
		return err
	}
	if err := r.discard(); err != nil { // of a restore that was killed
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return errors.Join(err, r.discard())
	}
	return r.finish(fmt.Sprintf("%s restored from %s: %d records and %d files of documents", r.db, r.backup, r.report.Records, r.report.Files))
}

// findBackup checks that there is a backup; of a directory, it takes the newest.
func (r *restore) findBackup() error {
	info, err := os.Stat(r.backup)
	switch {
	case err != nil:
		return fmt.Errorf("there is no backup %s: %w", r.backup, cause(err))
	case info.IsDir():
		newest, err := newestBackup(r.backup)
		if err != nil {
			return err
		}
		r.backup = newest
	case info.Size() == 0:
		return fmt.Errorf("the backup %s is empty (0 bytes): take another one", r.backup)
	}
	return nil
}

// checkPlaces refuses to restore over something that exists or is in use.
func (r *restore) checkPlaces() error {
	for _, path := range []string{r.db, r.db + "-wal", r.blobs} {
		if exists(path) && !r.replace && !isEmptyDirectory(path) {
			return fmt.Errorf("%s exists: give --replace to move it away, or another --db", path)
		}
	}
	if info, err := os.Stat(r.db); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	used, err := storage.InUse(r.db)
	if used {
		return fmt.Errorf("%s is in use by another process: end it first", r.db)
	}
	return err
}

func isEmptyDirectory(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

func (r *restore) discard() error {
	return errors.Join(os.RemoveAll(r.preparing()), os.RemoveAll(r.preparingBlobs()))
}

// prepare copies and checks the backup.
func (r *restore) prepare(ctx context.Context) error {
	if err := os.Mkdir(r.preparing(), 0o700); err != nil {
		return err
	}
	copied := filepath.Join(r.preparing(), preparedDB)
	for _, suffix := range []string{"", "-wal"} {
		err := copyFile(ctx, r.backup+suffix, copied+suffix)
		if err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("copying the backup: %w", err)
		}
	}
	if err := r.copyDocuments(ctx); err != nil {
		return fmt.Errorf("copying the documents: %w", err)
	}
	if err := r.check(ctx, copied); err != nil {
		return err
	}
	if r.keyText != nil {
		if err := writeSynced(filepath.Join(r.preparing(), preparedKey), r.keyText); err != nil {
			return err
		}
	}
	plan, err := json.Marshal(r.plan())
	if err == nil {
		err = writeSynced(filepath.Join(r.preparing(), preparedPlan), plan)
	}
	if err != nil {
		return err
	}
	if err := syncDirectory(r.preparing()); err != nil {
		return err
	}
	return os.Rename(r.preparing(), plannedRestore(r.db))
}

// The files in the directory of a restore.
const (
	preparedDB   = "landfall.db"
	preparedKey  = "landfall.db.key"
	preparedPlan = "plan.json"
)

func (r *restore) copyDocuments(ctx context.Context) error {
	from := defaultBlobs(r.backup)
	if !exists(from) {
		return nil
	}
	if s3.IsURL(r.blobs) {
		return fmt.Errorf("the backup has the files in %s, and --blobs names a bucket: restore into a directory", from)
	}
	source, err := dir.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := dir.Open(r.preparingBlobs())
	if err != nil {
		return err
	}
	_, err = source.CopyTo(ctx, target)
	return errors.Join(err, target.Close())
}

// check checks the copy of the backup and finds its key.
func (r *restore) check(ctx context.Context, copied string) (err error) {
	store, err := storage.Open(copied)
	if err != nil {
		return fmt.Errorf("the backup %s: %w", r.backup, err)
	}
	config := tracking.Config{Store: store, Logger: newLogger(r.program)}
	if config.MasterKey, err = r.findKey(store); err != nil {
		return errors.Join(err, store.Close())
	}
	blobs := r.preparingBlobs()
	switch {
	case s3.IsURL(r.blobs):
		blobs = r.blobs
	case !exists(blobs):
		blobs = "" // without them, each file that the database names is missing
	}
	files, closeFiles, err := existingBlobs(ctx, blobs, copied)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, closeFiles()) }()
	config.Blobs = files
	tr, err := tracking.New(config)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, tr.Close()) }() // which empties the WAL
	r.report, err = tr.Check(ctx, tracking.CheckRequest{Found: r.printProblem})
	if err != nil {
		return err
	}
	if left := r.report.Left(); left > 0 && !r.damaged {
		return fmt.Errorf("the backup %s has %d problems and was not put in place: take another one, or give --damaged", r.backup, left)
	}
	return nil
}

// findKey returns the master key of the backup; nil if nothing in it is encrypted.
func (r *restore) findKey(store tracking.Store) ([]byte, error) {
	candidates, err := r.keyCandidates(r.key, r.db+".key", r.backup+".key")
	if err != nil {
		return nil, err
	}
	seal, found, err := sealingKey(store, candidates)
	switch {
	case err != nil:
		return nil, err
	case seal == unsealed:
		return nil, nil
	case seal == sealedElsewhere:
		return nil, fmt.Errorf("the secrets in %s are encrypted with a master key that is not here: give its file as --key, or the key as %s", r.backup, masterKeyVariable)
	}
	if found.file == "" || found.file == r.db+".key" {
		return found.key, nil
	}
	if exists(r.db+".key") && !r.replace {
		return nil, fmt.Errorf("%s.key exists, and is not the key of the backup: give --replace to move it away", r.db)
	}
	r.keyText, err = os.ReadFile(found.file)
	return found.key, err
}

// move is a step of putting a restore in place. One that moves away what was there is
// done when To exists, and the others when From does not.
type move struct {
	From, To string
	Away     bool
}

// plan lists the moves. The database comes last.
func (r *restore) plan() (moves []move) {
	former := ".before-" + time.Now().UTC().Format(backupTime)
	away := []string{r.db, r.db + "-wal", r.db + "-shm", r.blobs}
	if r.keyText != nil {
		away = append(away, r.db+".key")
	}
	for _, path := range away {
		if exists(path) && !isEmptyDirectory(path) {
			moves = append(moves, move{path, path + former, true})
		}
	}
	put := func(from, to string) {
		if exists(from) {
			moves = append(moves, move{From: from, To: to})
		}
	}
	put(r.preparingBlobs(), r.blobs)
	prepared := func(name string) string { return filepath.Join(plannedRestore(r.db), name) }
	if r.keyText != nil {
		moves = append(moves, move{From: prepared(preparedKey), To: r.db + ".key"})
	}
	return append(moves, move{From: prepared(preparedDB), To: r.db})
}

// finish makes the moves of the plan that are not made yet.
func (r *restore) finish(done string) error {
	planned := plannedRestore(r.db)
	text, err := os.ReadFile(filepath.Join(planned, preparedPlan))
	if err != nil {
		return fmt.Errorf("the interrupted restore in %s cannot be completed: %w", planned, cause(err))
	}
	var moves []move
	if err := json.Unmarshal(text, &moves); err != nil {
		return fmt.Errorf("the interrupted restore in %s cannot be completed: its plan: %w", planned, err)
	}
	for _, m := range moves {
		if m.Away && exists(m.To) || !exists(m.From) {
			continue
		}
		if err := os.Rename(m.From, m.To); err != nil {
			return err
		}
		if err := syncDirectory(filepath.Dir(m.To)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(planned); err != nil {
		return err
	}
	fmt.Fprintln(r.stdout, done)
	for _, m := range moves {
		if m.Away {
			fmt.Fprintf(r.stdout, "the former %s is kept as %s\n", m.From, m.To)
		}
	}
	return syncDirectory(filepath.Dir(r.db))
}

// copyFile copies a file into a new one that only its owner can read, and syncs it.
func copyFile(ctx context.Context, from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Sync(), target.Close()) }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(target, source, 64<<20); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func writeSynced(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}
