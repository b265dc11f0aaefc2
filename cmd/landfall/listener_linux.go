package main

import (
	"net"
	"os"
	"syscall"
)

// acceptRest takes the connections that wait to be accepted and stops listening,
// all in one go: between the two is no time for another connection to come.
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
				break // none is left
			}
			file := os.NewFile(uintptr(waiting), "connection")
			if c, err := net.FileConn(file); err == nil {
				rest = append(rest, c)
			}
			file.Close() // FileConn has a copy
		}
		_ = syscall.Shutdown(int(fd), syscall.SHUT_RD) // it is closed soon, whatever this says
	})
	if err != nil {
		return nil // closed already: nothing was waiting
	}
	return rest
}
