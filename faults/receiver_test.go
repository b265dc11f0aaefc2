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

// serveReceiver is a process that webhooks are sent to. It prints its address,
// reads the webhook's secret, and from then on a line for each notification that
// it takes, before it answers. Until it reads another line it is unkind: it
// refuses some deliveries and leaves others without an answer.
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
	r := &receiver{secret: in.Text(), kind: make(chan struct{})}
	served := make(chan error, 1)
	go func() { served <- http.Serve(listener, r) }()
	if in.Scan() {
		close(r.kind)
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
	secret string
	kind   chan struct{} // closed when it is to take everything
	mu     sync.Mutex    // of standard output
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // who sent it is gone
	}
	if err := signature.Verify(q.Header, body, []string{r.secret}, 0); err != nil {
		r.say("refused %v", err)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	select {
	case <-r.kind:
	default:
		switch n := rand.IntN(250); {
		case n == 0:
			select {
			case <-q.Context().Done():
				return
			case <-r.kind:
			}
		case n < 15:
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
	}
	event, reference, err := toldOf(body)
	if err != nil {
		r.say("refused %v", err)
	}
	r.say("took %s %x %s %s", q.Header.Get(signature.IDHeader), sha256.Sum256(body), event, reference)
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Printf(format+"\n", args...)
}

// toldOf is the event of a notification, and the ID of what it is about.
func toldOf(body []byte) (event, reference string, err error) {
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

// endpoint is a running receiver, and what it says it has taken.
type endpoint struct {
	t   *testing.T
	url string
	in  io.Writer

	mu     sync.Mutex
	taken  map[string]*taken // by notification
	faults []string
}

// taken is a notification that the receiver has taken.
type taken struct {
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
	e := &endpoint{t: t, in: in, taken: map[string]*taken{}}
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

// subscribe makes a webhook for all events that leads to the receiver.
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
	e.tell(w.Attributes["secret"].(string))
}

// beKind has everything taken from now on.
func (e *endpoint) beKind() { e.tell("be kind") }

func (e *endpoint) tell(line string) {
	e.t.Helper()
	if _, err := fmt.Fprintln(e.in, line); err != nil {
		e.t.Fatal(err)
	}
}

// note reads a line of the receiver.
func (e *endpoint) note(line string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	words := strings.Fields(line)
	if len(words) != 5 || words[0] != "took" {
		e.faults = append(e.faults, line)
		return
	}
	id, now := words[1], taken{sum: words[2], event: words[3], reference: words[4]}
	had := e.taken[id]
	if had == nil {
		e.taken[id] = &now
		had = &now
	}
	had.times++
	if had.sum != now.sum {
		e.faults = append(e.faults, fmt.Sprintf("%s came with another body", id))
	}
}

// had returns what was taken so far, and sees that nothing was wrong with it.
func (e *endpoint) had() map[string]taken {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.faults {
		e.t.Error("the receiver: ", f)
	}
	e.faults = nil
	all := map[string]taken{}
	for id, n := range e.taken {
		all[id] = *n
	}
	return all
}

// times is how many deliveries were taken so far, repeats included.
func (e *endpoint) times() (n int) {
	for _, had := range e.had() {
		n += had.times
	}
	return n
}
