package main

import (
	"net"
	"os"
	"syscall"
)

// descriptorLimit returns how many files and connections the process may have open.
func descriptorLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return unknownDescriptorLimit
	}
	return int(min(limit.Cur, 1<<30))
}

// acceptRest accepts the waiting connections and stops listening at once, so that
// no connection can arrive in between.
func acceptRest(l *net.TCPListener) (rest []net.Conn) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil
	}
	err = raw.Control(func(fd uintptr) {
		for {
			waiting, _, err := syscall.Accept4(int(fd), syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
			if err == syscall.EINTR || err == syscall.ECONNABORTED {
				continue
			}
			if err != nil {
				break // no more
			}
			file := os.NewFile(uintptr(waiting), "connection")
			if c, err := net.FileConn(file); err == nil {
				rest = append(rest, c)
			}
			file.Close() // FileConn has a copy
		}
		_ = syscall.Shutdown(int(fd), syscall.SHUT_RD) // it is closed soon in any case
	})
	if err != nil {
		return nil // closed already: nothing was waiting
	}
	return rest
}
