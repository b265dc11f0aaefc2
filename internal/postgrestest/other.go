//go:build !linux

// Package postgrestest starts private PostgreSQL clusters for tests, on Linux.
package postgrestest

import (
	"errors"
	"testing"
)

// Cluster is a running PostgreSQL server. There is none here.
type Cluster struct{}

// Main runs the tests.
func Main(m *testing.M) int { return m.Run() }

// Shared skips the test.
func Shared(t testing.TB) *Cluster {
	t.Skip("SKIPPED: the tests of the PostgreSQL store run on Linux")
	return nil
}

// Schema returns nothing: Shared has skipped the test.
func (*Cluster) Schema(testing.TB) string { return "" }

// Start skips the test.
func Start(t testing.TB) *Cluster { return Shared(t) }

// Kill and Restart do nothing.
func (*Cluster) Kill() {}

// Restart does nothing.
func (*Cluster) Restart(testing.TB) {}

// StartArchiving skips the test.
func StartArchiving(t testing.TB) *Cluster { return Shared(t) }

// BaseBackup does nothing.
func (*Cluster) BaseBackup(testing.TB) {}

// RestorePoint does nothing.
func (*Cluster) RestorePoint(testing.TB, string) {}

// Recover does nothing.
func (*Cluster) Recover(testing.TB, string) {}

// Dump returns nothing.
func (*Cluster) Dump(testing.TB, string) string { return "" }

// Load returns nothing.
func (*Cluster) Load(testing.TB, string) string { return "" }

// Database returns nothing.
func (*Cluster) Database(testing.TB) (dataSource, name string) { return "", "" }

// Pooler returns nothing.
func (*Cluster) Pooler(testing.TB) (through func(database string) string) { return nil }

// Pooler is a pgbouncer. There is none here.
type Pooler struct{}

// PoolerTo returns nothing: Shared has skipped the test.
func (*Cluster) PoolerTo(testing.TB, string, int) *Pooler { return nil }

// Restart does nothing.
func (*Pooler) Restart(testing.TB) {}

// URL returns nothing.
func (*Pooler) URL(string) string { return "" }

// Standby returns nothing: Shared has skipped the test.
func (*Cluster) Standby(testing.TB) *Cluster { return nil }

// Promote does nothing.
func (*Cluster) Promote(testing.TB) {}

// Socket returns nothing.
func (*Cluster) Socket() string { return "" }

// ErrMissing is the error of Run.
var ErrMissing = errors.New("PostgreSQL is started on Linux alone")

// Run returns ErrMissing.
func Run(...string) (*Cluster, error) { return nil, ErrMissing }

// Stop does nothing.
func (*Cluster) Stop() {}

// URL returns nothing.
func (*Cluster) URL() string { return "" }

// PID returns nothing.
func (*Cluster) PID() int { return 0 }
