package sqlite

import "time"

// Options are the settings of a store. The zero value is good for most uses.
type Options struct {
	// Readers is how many views can run at once. Defaults to the number of CPUs, at
	// least 4.
	Readers int
	// MaxBatch is how many updates are committed together, at most. Defaults to 64;
	// 1 commits each separately.
	MaxBatch int
	// MaxLog is the size of the WAL, in bytes, at which updates are refused. The
	// WAL is kept to some tens of megabytes, with one exception: while a view runs,
	// everything written after its snapshot stays in the WAL. A view that never
	// ends therefore makes updates fail with store.ErrUnavailable instead of
	// filling the disk. Defaults to 1 GiB.
	MaxLog int64
	// CacheBytes bounds the memory for records that were read and have not changed
	// since. Defaults to 0: no cache.
	CacheBytes int64
	// EndLeases ends the leases of all jobs when the store is opened, so that the
	// jobs of a killed process can be claimed again at once. Set it only if no
	// other process works on these jobs, for example while holding LockServer.
	// Otherwise jobs are done twice and the results of the first worker are
	// refused.
	EndLeases bool
	// FillBytes, when not 0, creates a file to be filled offline, with this many
	// bytes of memory for its pages. No other process may open it; there is no WAL,
	// nothing waits for the disk and nothing can be undone. Close turns it into an
	// ordinary file and waits for the disk once. When an Update or Close fails, the
	// file is unusable and must be removed. One long Update is fastest. An existing
	// file is refused.
	FillBytes int64
	// FillNew names kinds that, while FillBytes fills the file, only gain new records,
	// which nothing reads. Close makes their indexes then, which costs a fraction of
	// keeping them, and fails if an ID was used twice.
	FillNew []string
	// OnCommit is called after each commit with the number of updates that it made
	// durable, how long it took, and its error. It is called while the connection that
	// writes is held, so it must be quick and must not use the store. Defaults to nil.
	OnCommit func(updates int, took time.Duration, err error)

	// ReadOnly opens an existing file without changing anything: neither the file nor
	// what is next to it, also after a crash. Whatever would write fails with
	// store.ErrReadOnly, and so do Open and Prepare for a file that must be upgraded
	// first. A file that no process has open is read as if nobody could open it
	// meanwhile, so this is for a look, not for a service.
	ReadOnly bool

	harness
}

// harness holds what fault tests set. Its zero value changes nothing.
type harness struct {
	// vfs is the name of the VFS that all connections of the store use.
	vfs string
	// exclusive opens the file with a single connection in exclusive locking mode,
	// for a VFS without shared memory. Views share that connection.
	exclusive bool
	// synchronous replaces FULL: NORMAL shows what a power cut loses then.
	synchronous string
	// statement is called before each statement of the connection that writes,
	// including BEGIN, COMMIT and ROLLBACK. If it returns an error, the statement
	// fails with it.
	statement func(sql string) error
	// noCheckpoints leaves checkpoints to the callers of Store.checkpoint.
	noCheckpoints bool
	// checkpointEvery and restartAt replace the constants with these names.
	checkpointEvery, restartAt int64
	// batchTime replaces the constant with this name.
	batchTime time.Duration
	// busyTimeout replaces the constant with this name.
	busyTimeout int
}
