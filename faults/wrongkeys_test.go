package faults

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// Wrong keys do not lock out right ones: while LANDFALL_GUESSERS connections send
// unknown keys as fast as they can, a client with a valid key at the same address gets
// every answer. Its requests are a while apart, so that its key is looked up again
// each time. The figures are its times alone and meanwhile.
//
// Seen to fail: with the limit of failures checked before the key is looked up.
func TestWrongKeys(t *testing.T) {
	guessers := drill.Count(t, "LANDFALL_GUESSERS", 32)
	s := serve(t, newDB(t))
	c := s.client(s.key)
	c.warmUp(t)
	const apart, looks = 1100 * time.Millisecond, 5
	alone := c.look(looks, apart)

	stop := make(chan struct{})
	var guessing sync.WaitGroup
	guesses := make([]map[int]int, guessers)
	for n := range guessers {
		guesses[n] = map[int]int{}
		guessing.Go(func() {
			guesser := s.client("")
			for {
				select {
				case <-stop:
					return
				default:
				}
				guesser.key = unknownKey()
				if a, err := guesser.get("/v2/shipments"); err == nil {
					guesses[n][a.status]++
				}
			}
		})
	}
	meanwhile := c.look(looks, apart)
	close(stop)
	guessing.Wait()
	refused := map[int]int{}
	for _, g := range guesses {
		for status, n := range g {
			refused[status] += n
		}
	}
	t.Logf("%d guessers, answered %v: a valid key alone %s; meanwhile %s", guessers, refused, alone, meanwhile)
	if meanwhile.refused != nil {
		t.Errorf("the valid key was refused: %v", meanwhile.refused)
	}
	if refused[http.StatusOK] > 0 || refused[http.StatusUnauthorized] > 102 || refused[http.StatusTooManyRequests] == 0 {
		t.Errorf("unknown keys were answered %v: want about 100 of 401, and 429", refused)
	}
	lines := strings.Count(s.output(), "authentication failed") + strings.Count(s.output(), "too many failed authentications")
	if lines == 0 || lines > 4 {
		t.Errorf("%d lines of the log about failed authentications: %s", lines, s.output())
	}
	if strings.Contains(s.output(), "lf_") && strings.Count(s.output(), "lf_") > 1 { // the one that is printed at first use
		t.Error("the log shows a key")
	}
}

// unknownKey returns a key of the right form that opens nothing.
func unknownKey() string {
	var random [32]byte
	_, _ = rand.Read(random[:])
	body := base64.RawURLEncoding.EncodeToString(random[:])
	return fmt.Sprintf("lf_%s%08x", body, crc32.ChecksumIEEE([]byte(body)))
}

// times are the times of a client's requests, and what it was refused.
type times struct {
	p50, p99 time.Duration
	refused  map[int]int // by status; 0 for no answer
}

func (m times) String() string {
	text := fmt.Sprintf("p50 %s, p99 %s", m.p50.Round(10*time.Microsecond), m.p99.Round(10*time.Microsecond))
	if m.refused != nil {
		text += fmt.Sprintf(", refused %v", m.refused)
	}
	return text
}

// look sends bursts of requests with a pause before each, so that nothing of the one
// before is remembered.
func (c *client) look(bursts int, pause time.Duration) times {
	const burst = 20
	var took []time.Duration
	var m times
	for range bursts {
		time.Sleep(pause)
		for range burst {
			begin := time.Now()
			a, err := c.get("/v2/shipments?page[size]=30")
			took = append(took, time.Since(begin))
			if err != nil || a.status != http.StatusOK {
				if m.refused == nil {
					m.refused = map[int]int{}
				}
				m.refused[a.status]++
			}
		}
	}
	slices.Sort(took)
	m.p50, m.p99 = took[len(took)/2], took[len(took)*99/100]
	return m
}
