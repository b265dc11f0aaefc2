package main

import (
	"fmt"
	"log/slog"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// passedSockets are the listening sockets that systemd passed to the process, by the
// flag whose address they replace. Connections that arrive between two processes wait in
// them for the next one.
type passedSockets map[string]*net.TCPListener

// takeSockets takes the passed sockets (LISTEN_FDS). Their names say what they are for:
// http-addr, admin-addr, or anything else for addr. By default systemd gives the name of
// the socket unit.
func takeSockets() (passedSockets, error) {
	sockets := passedSockets{}
	for _, file := range activation.Files(true) {
		opened, err := net.FileListener(file)
		file.Close() // FileListener has a copy
		if err != nil {
			return nil, fmt.Errorf("LISTEN_FDS: the socket %s cannot be used: %w: pass TCP sockets, as with ListenStream=8080", file.Name(), err)
		}
		l, ok := opened.(*net.TCPListener)
		if !ok {
			return nil, fmt.Errorf("LISTEN_FDS: the socket %s is not TCP but %s: use ListenStream=8080 or ListenStream=127.0.0.1:8080", file.Name(), opened.Addr().Network())
		}
		name := file.Name()
		if name != "http-addr" && name != "admin-addr" {
			name = "addr"
		}
		if sockets[name] != nil {
			return nil, fmt.Errorf("LISTEN_FDS: there are two sockets for --%s: pass one, and name others with FileDescriptorName=http-addr or admin-addr", name)
		}
		sockets[name] = l
	}
	return sockets, nil
}

// replace sets the address of a flag to that of its socket.
func (p passedSockets) replace(flag string, addr *string) {
	if l := p[flag]; l != nil {
		*addr = l.Addr().String()
	}
}

// notifySystemd reports a state of the server to systemd, if that has started it.
func notifySystemd(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd was not notified", "state", state, "error", err)
	}
}
