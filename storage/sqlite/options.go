package sqlite

// Options are the settings of a store. The zero value is good for most uses.
type Options struct {
	// Readers is how many views can run at once. Defaults to the number of
	// CPUs, at least 4.
	Readers int
	// MmapSize is how many bytes of the file each connection maps into memory,
	// at most. Defaults to 1 GiB; -1 means none.
	MmapSize int64
	// MaxBatch is how many updates are committed together, at most. Defaults to
	// 64; 1 commits each by itself.
	MaxBatch int
	// MaxLog is the size of the log beside the file (the WAL), in bytes, at
	// which nothing more is written. The log is kept short, some tens of
	// megabytes, but for one thing: while a view lasts, all that is written
	// after its snapshot stays in the log. So a view that does not end makes
	// updates fail with tracking.ErrUnavailable, rather than fill the disk.
	// Defaults to 1 GiB.
	MaxLog int64
	// CacheBytes bounds the memory for records that were read, which are then
	// handed out again while they have not changed. Defaults to 0: none.
	CacheBytes int64
	// EndLeases ends the leases of all jobs when the store is opened, so that what
	// a killed process had claimed can be claimed again at once. It is for who
	// knows that no other process does this work, as the holder of LockServer
	// does; were there one, jobs would be done twice, and its results refused.
	EndLeases bool
	// FillBytes, when not 0, makes a new file that is filled offline, with so many
	// bytes of memory for its pages: nobody else has it open, there is no log,
	// nothing waits for the disk and nothing can be undone. Close makes it a file
	// like any other and waits for the disk once. When an Update or Close fails, the
	// file is of no use and must be removed. What is written is the same as
	// otherwise, fastest in one long Update. A file that is there already is refused.
	FillBytes int64

	harness
}

// harness is what tests of faults set. Its zero value changes nothing.
type harness struct {
	// vfs is the name of the VFS that all connections of the store use.
	vfs string
	// exclusive opens the file with one connection alone, in exclusive locking
	// mode, for a VFS without shared memory. Views take turns on it as well.
	exclusive bool
	// synchronous replaces FULL: NORMAL shows what a power cut then takes.
	synchronous string
	// statement is called before each statement of the connection that writes,
	// BEGIN, COMMIT and ROLLBACK included. The statement fails with the error
	// it returns.
	statement func(sql string) error
	// noCheckpoints leaves checkpoints to who calls Store.checkpoint.
	noCheckpoints bool
	// checkpointEvery and restartAt replace the constants of these names.
	checkpointEvery, restartAt int64
	// busyTimeout replaces the constant of this name.
	busyTimeout int
}
