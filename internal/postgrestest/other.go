//go:build !linux

// Package postgrestest starts private PostgreSQL clusters for tests, on Linux.
package postgrestest

import "testing"

// Main runs the tests.
func Main(m *testing.M) int { return m.Run() }
