package faults

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook/signature"
)

// serveReceiver is a process that receives webhooks. It prints its address, reads
// the webhook's secret, and then prints a line for each notification that it
// accepts, before it answers. Until it reads another line, it refuses some
// deliveries and does not answer others.
func serveReceiver() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	in := bufio.NewScanner(os.Stdin)
	if !in.Scan() {
		return errors.Join(in.Err(), errors.New("the receiver was told no secret"))
	}
	r := &receiver{secret: in.Text(), accepting: make(chan struct{})}
	served := make(chan error, 1)
	go func() { served <- http.Serve(listener, r) }()
	if in.Scan() {
		close(r.accepting)
	}
	for in.Scan() { // until the test ends
	}
	listener.Close()
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		return err
	}
	return in.Err()
}

// receiver is the handler of serveReceiver.
type receiver struct {
	secret    string
	accepting chan struct{} // closed when it should accept everything
	mu        sync.Mutex    // of standard output
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the sender has disconnected
	}
	if err := signature.Verify(q.Header, body, []string{r.secret}, 0); err != nil {
		r.print("refused %v", err)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	select {
	case <-r.accepting:
	default:
		switch n := rand.IntN(250); {
		case n == 0:
			select {
			case <-q.Context().Done():
				return
			case <-r.accepting:
			}
		case n < 15:
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
	}
	event, reference, err := eventOf(body)
	if err != nil {
		r.print("refused %v", err)
	}
	r.print("took %s %x %s %s", q.Header.Get(signature.IDHeader), sha256.Sum256(body), event, reference)
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) print(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Printf(format+"\n", args...)
}

// eventOf returns the event of a notification, and the ID of its object.
func eventOf(body []byte) (event, reference string, err error) {
	var d struct {
		Data struct {
			Attributes    struct{ Event string }
			Relationships struct {
				Reference struct{ Data resource } `json:"reference_object"`
			}
		}
	}
	err = json.Unmarshal(body, &d)
	event, reference = d.Data.Attributes.Event, d.Data.Relationships.Reference.Data.ID
	if err == nil && (event == "" || reference == "") {
		err = fmt.Errorf("no event or no reference object: %.300s", body)
	}
	return event, reference, err
}

// endpoint is a running receiver, and the notifications that it has accepted.
type endpoint struct {
	t   *testing.T
	url string
	in  io.Writer

	mu            sync.Mutex
	notifications map[string]*acceptedNotification // by notification
	faults        []string
}

// acceptedNotification is a notification that the receiver has accepted.
type acceptedNotification struct {
	event, reference, sum string
	times                 int
}

// receive starts a receiver.
func receive(t *testing.T) *endpoint {
	t.Helper()
	cmd := child("receiver")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &endpoint{t: t, in: in, notifications: map[string]*acceptedNotification{}}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the receiver does not listen")
	}
	e.url = "http://" + lines.Text() + "/hooks"
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for lines.Scan() {
			e.note(lines.Text())
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-heard
		if err := cmd.Wait(); err != nil {
			t.Errorf("the receiver: %v", err)
		}
	})
	return e
}

// subscribe creates a webhook for all events to the receiver.
func (e *endpoint) subscribe(c *client) {
	e.t.Helper()
	names, err := json.Marshal(tracking.EventNames())
	if err != nil {
		e.t.Fatal(err)
	}
	a, err := c.do(http.MethodPost, "/v2/webhooks", fmt.Sprintf(`{"data":{"type":"webhook","attributes":{"url":%q,"events":%s,"active":true}}}`, e.url, names))
	if err != nil || a.status != http.StatusCreated {
		e.t.Fatalf("a webhook: %d %s %v", a.status, a.body, err)
	}
	w, err := a.one()
	if err != nil {
		e.t.Fatal(err)
	}
	e.sendLine(w.Attributes["secret"].(string))
}

// acceptAll makes the receiver accept everything from now on.
func (e *endpoint) acceptAll() { e.sendLine("be kind") }

func (e *endpoint) sendLine(line string) {
	e.t.Helper()
	if _, err := fmt.Fprintln(e.in, line); err != nil {
		e.t.Fatal(err)
	}
}

// note handles a line of the receiver.
func (e *endpoint) note(line string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	words := strings.Fields(line)
	if len(words) != 5 || words[0] != "took" {
		e.faults = append(e.faults, line)
		return
	}
	id, now := words[1], acceptedNotification{sum: words[2], event: words[3], reference: words[4]}
	had := e.notifications[id]
	if had == nil {
		e.notifications[id] = &now
		had = &now
	}
	had.times++
	if had.sum != now.sum {
		e.faults = append(e.faults, fmt.Sprintf("%s came with another body", id))
	}
}

// accepted returns the accepted notifications, and checks that there were no
// errors.
func (e *endpoint) accepted() map[string]acceptedNotification {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.faults {
		e.t.Error("the receiver: ", f)
	}
	e.faults = nil
	all := map[string]acceptedNotification{}
	for id, n := range e.notifications {
		all[id] = *n
	}
	return all
}

// times returns the number of accepted deliveries, including repeats.
func (e *endpoint) times() (n int) {
	for _, had := range e.accepted() {
		n += had.times
	}
	return n
}
