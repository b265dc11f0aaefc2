// Package postgres keeps the records of a tracker in a PostgreSQL database, version 15 or
// later, that several processes on several machines can share.
//
//	store, err := postgres.Open(ctx, "postgres://landfall@db.example/landfall", postgres.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
// A program that imports the package can also open such a URL with storage.Open.
//
// An update runs in a transaction that begins by locking the row of its account. Updates of
// one account are therefore serial, whichever process makes them; those of different
// accounts are concurrent. Updates of one account that wait for each other in one process
// share a transaction and its commit. A view is a read-only transaction in one snapshot. Commits are
// as durable as synchronous_commit makes them; its default is durable. The store keeps no
// records in memory, so every view reads what the last update of any process committed.
//
// Statements are sent in batches: what an update writes waits until it reads again or ends.
// An error of the database can therefore come from a later call than the one that caused
// it. The update then fails as a whole; one that shared its transaction runs again alone.
//
// # Limits
//
// A value of a text column, a term or a mark is at most some 2,600 bytes long, because
// values are in indexes. Longer ones fail with an error.
//
// A program with more columns in a kind than the one before alters its table in Prepare,
// in one transaction, during which no update runs: it adds the columns and makes their
// indexes, and writes no row. Programs of the earlier version go on. Queries by an added
// column read all records of the account that were not written since by a program that
// knows it, until the engine has written these again.
//
// Update and Claim are exact across processes, also the bounds per group and per account of
// a claim. Claims are serial in a database, so that they are.
package postgres
