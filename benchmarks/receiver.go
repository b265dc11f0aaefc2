package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// The receiver of deliveries is a child process, which is this program once more,
// so that what it costs is not counted as the sender's. It verifies each delivery.

// receiverVariable in the environment makes the program the receiver; it holds the
// secret.
const receiverVariable = "LANDFALL_BENCHMARKS_RECEIVER"

func isReceiver() bool { return os.Getenv(receiverVariable) != "" }

// receiverMain is the whole child: it says where it listens, and ends when its
// parent does.
func receiverMain() {
	debug.SetGCPercent(400)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	secrets := []string{os.Getenv(receiverVariable)}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err == nil {
				err = signature.Verify(r.Header, body, secrets, time.Hour)
			}
			if err != nil {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}))
	}()
	fmt.Println("http://" + listener.Addr().String())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startReceiver starts the child and returns its URL. It ends with ctx.
func startReceiver(ctx context.Context, secret string) (url string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	child := exec.CommandContext(ctx, self)
	child.Env = append(os.Environ(), receiverVariable+"="+secret)
	in, err := child.StdinPipe()
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { _ = in.Close() })
	out, err := child.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := child.Start(); err != nil {
		return "", err
	}
	go func() { _ = child.Wait() }() // it ends by being killed
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", errors.Join(errors.New("the receiver did not start"), err)
	}
	return strings.TrimSpace(line), nil
}
