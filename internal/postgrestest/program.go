//go:build linux

package postgrestest

// ErrMissing is the error of Run on a machine without PostgreSQL.
var ErrMissing = errMissing

// Run makes a cluster for a program that is no test. It waits for the disk at each commit.
// settings are further arguments of the server. Stop removes it.
func Run(settings ...string) (*Cluster, error) { return start("on", settings...) }

// Stop ends the server and removes its files.
func (c *Cluster) Stop() { c.stop() }

// URL returns the URL of the database that every cluster has.
func (c *Cluster) URL() string { return c.url(c.socket, "postgres", map[string][]string{}) }

// PID is that of the server, whose children serve the connections.
func (c *Cluster) PID() int { return c.server.cmd.Process.Pid }
