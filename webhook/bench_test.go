package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

// BenchmarkSend sends to one endpoint from several workers, with fewer idle
// connections than workers and with as many. It measures the CPU time of both ends.
func BenchmarkSend(b *testing.B) {
	for _, scheme := range []string{"http", "https"} {
		for _, c := range []struct{ lanes, idle int }{{4, 2}, {4, 4}, {16, 2}, {16, 4}, {16, 16}} {
			b.Run(fmt.Sprintf("%s/lanes=%d/idle=%d", scheme, c.lanes, c.idle), func(b *testing.B) { send(b, scheme, c.lanes, c.idle) })
		}
	}
}

func send(b *testing.B, scheme string, lanes, idle int) {
	taken := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}
	s, config := serve(b, taken), local
	if scheme == "https" {
		s, config = serveTLS(b, taken, func(s *httptest.Server) { s.EnableHTTP2 = false })
	}
	config.IdlePerEndpoint = idle
	n := newNotifier(b, config, webhook.Lab{})
	d := dispatch(s.URL, signature.NewSecret())
	d.Body = bytes.Repeat([]byte("x"), 10<<10)
	var dials, left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	before := cpu()
	b.ResetTimer()
	var all sync.WaitGroup
	for range lanes {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				out := n.Send(context.Background(), d)
				if out.Failure != "" {
					b.Errorf("%+v", out)
				}
				if out.Connect > 0 {
					dials.Add(1)
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
	b.ReportMetric(float64(dials.Load())/float64(b.N), "dials/op")
}

// cpu is the CPU time of this process.
func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
