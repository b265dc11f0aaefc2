package sqlite

// Options are the settings of a store. The zero value is good for most uses.
type Options struct {
	// Readers is how many views can run at once. Defaults to the number of
	// CPUs, at least 4.
	Readers int
	// MmapSize is how many bytes of the file each connection maps into memory,
	// at most. Defaults to 1 GiB; -1 means none.
	MmapSize int64
}
