//go:build !linux

package main

import "net"

// acceptRest does nothing: waiting connections are reset.
func acceptRest(*net.TCPListener) []net.Conn { return nil }
