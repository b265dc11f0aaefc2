package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/httpserver"
)

const documentsName = "documents"

// The names of the other measurements of documents.
const (
	documentPost = "POST of a document, its bytes handed in before"
	partyPost    = "POST of a party"

	documentsPlain = "page 1"
	documentsOne   = "page 1, by a number that one has in its name"
	documentsFew   = "page 1, by a word that 1 % have in their name"
	documentsTwo   = "page 1, by that word and one that half have"
	documentsHalf  = "page 1, by a word that half have in their name"
)

var (
	documentPosts = []string{documentPost, partyPost}
	documentLists = []string{documentsPlain, documentsOne, documentsFew, documentsTwo, documentsHalf}
)

// documentFigures are those of documents, by name and round.
type documentFigures struct {
	// alone are readings one after the other, and parallel those of two PDFs for each
	// core at a time.
	alone, parallel []figures
	spent           time.Duration // CPU time of a PDF in all processes

	of   map[string][]figures
	rows int // documents that are searched
}

// measureDocuments measures documents, in a database of its own.
func (r *run) measureDocuments(ctx context.Context) error {
	if !r.wanted(documentsName) {
		return nil
	}
	f := &documentFigures{of: map[string][]figures{}}
	r.documents = f
	if err := r.readDocuments(ctx, f); err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	if err := r.createDocuments(ctx, f); err != nil {
		return err
	}
	return r.listDocuments(ctx, f)
}

// documentServer is a server with an account and a store of blobs.
type documentServer struct {
	*server
	account
	tracker *tracking.Tracker
	close   func() error
}

// openDocuments opens the database of the documents. Without an extractor nothing is read.
func (r *run) openDocuments(ctx context.Context, name string, extractor tracking.Extractor, onAnnounce func(context.Context, []tracking.Announcement)) (_ *documentServer, err error) {
	blobs, err := dir.Open(filepath.Join(r.dir, "documents"))
	if err != nil {
		return nil, err
	}
	store, err := openStore(filepath.Join(r.dir, "documents.db"), 0)
	if err != nil {
		return nil, errors.Join(err, blobs.Close())
	}
	config := tracking.Config{
		Store: store, Logger: quiet, MasterKey: drainKey, Blobs: blobs, OnAnnounce: onAnnounce,
		Workers: max(8, 2*runtime.GOMAXPROCS(0)), // half of them are for documents
	}
	if extractor != nil {
		config.Extractor, config.Classifier = extractor, classify.New()
	}
	operator, err := tracking.New(config)
	if err != nil {
		return nil, errors.Join(err, store.Close(), blobs.Close())
	}
	d := &documentServer{close: func() error { return errors.Join(operator.Close(), blobs.Close()) }}
	d.server = &server{store: store, operator: operator, handler: httpserver.New(httpserver.Config{
		Tracker: operator, Logger: quiet, Limits: httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1},
	})}
	if d.account, err = (&filler{operator: operator}).newAccount(ctx, name); err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.tracker = operator.For(tracking.Actor{Account: d.scope})
	return d, nil
}

// pdfReader creates documents and waits until each has been read.
type pdfReader struct {
	*documentServer
	pdf  []byte
	made atomic.Int64
	read sync.Map // a chan of the event at the end of the reading, by the ID of the document
}

// ended receives the event of a document, which may come before the call of ended.
func (r *pdfReader) ended(id tracking.ID) chan tracking.EventName {
	c, _ := r.read.LoadOrStore(id, make(chan tracking.EventName, 1))
	return c.(chan tracking.EventName)
}

func (r *pdfReader) onAnnounce(_ context.Context, announced []tracking.Announcement) {
	for _, a := range announced {
		if a.Event == tracking.DocumentExtracted || a.Event == tracking.DocumentExtractionFailed {
			r.ended(a.Reference.ID) <- a.Event
		}
	}
}

// one creates a document of a new PDF and waits until its representation is written.
func (r *pdfReader) one(ctx context.Context) error {
	content := append(bytes.Clone(r.pdf), fmt.Sprintf("%% %d\n", r.made.Add(1))...)
	d, err := r.tracker.CreateDocument(ctx, tracking.NewDocument{Name: "five pages.pdf", ContentType: "application/pdf", Content: content})
	if err != nil {
		return err
	}
	defer r.read.Delete(d.ID)
	select {
	case event := <-r.ended(d.ID):
		if event == tracking.DocumentExtracted {
			return nil
		}
		if d, err = r.tracker.Document(ctx, d.ID); err == nil {
			err = errors.New(d.ExtractionFailedReason)
		}
		return fmt.Errorf("a PDF could not be read: %w", err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readDocuments measures the reading of PDFs: from the call with the bytes to the commit of the
// representation, with idle child processes.
func (r *run) readDocuments(ctx context.Context, f *documentFigures) (err error) {
	e, err := extract.New(extract.Config{})
	if err != nil {
		return err
	}
	in := &pdfReader{}
	if in.pdf, err = fivePages(); err != nil {
		return errors.Join(err, e.Close())
	}
	if in.documentServer, err = r.openDocuments(ctx, "read", e, in.onAnnounce); err != nil {
		return errors.Join(err, e.Close())
	}
	spent, read := cpuTime()+childTime(), 0
	defer func() {
		err = errors.Join(err, e.Close(), in.close())
		f.spent = (cpuTime() + childTime() - spent) / time.Duration(max(1, read))
	}()
	working, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { _ = in.operator.Run(working) }) // it has no error but the end of its context
	defer work.Wait()
	defer stop()
	parallel := 2 * runtime.GOMAXPROCS(0)
	measure := func(callers int, to *[]figures) error {
		got, n, err := repeat(callers, r.each, func() (bool, error) { return ctx.Err() == nil, in.one(ctx) })
		read += n
		if to != nil {
			*to = append(*to, got)
		}
		return cmp.Or(err, ctx.Err())
	}
	if err := measure(parallel, nil); err != nil { // which warms up
		return err
	}
	var alone, many []figures
	for n := range r.rounds {
		r.round("reading PDFs", n, 2, r.each)
		if err := r.shuffled([]func() error{
			func() error { return measure(1, &alone) },
			func() error { return measure(parallel, &many) },
		}); err != nil {
			return err
		}
	}
	f.alone, f.parallel = alone, many
	return nil
}

// postsEach is how many documents are created in a round of a second.
const postsEach = 300

// createDocuments compares the creation of documents with that of parties, alternately, by
// the handler. Nothing is read at that time.
func (r *run) createDocuments(ctx context.Context, f *documentFigures) (err error) {
	d, err := r.openDocuments(ctx, "created", nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	count := max(20, int(postsEach*r.each.Seconds()))
	for n := range r.rounds {
		r.round("creating documents", n, 2, r.each)
		var bodies [2][]string
		for i := range count {
			signed, err := d.upload(ctx, fmt.Sprintf("round %d, document %d", n, i))
			if err != nil {
				return err
			}
			bodies[0] = append(bodies[0], fmt.Sprintf(`{"data":{"type":"document","attributes":{"name":"paper %d.pdf","attached_document":"%s"}}}`, i, signed))
			bodies[1] = append(bodies[1], fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Company %d in round %d"}}}`, i, n))
		}
		var took [2][]time.Duration
		runtime.GC()
		for i := range count {
			for _, which := range r.random.Perm(2) {
				begin := time.Now()
				if err := d.post([]string{"/v2/documents", "/v2/parties"}[which], bodies[which][i]); err != nil {
					return err
				}
				took[which] = append(took[which], time.Since(begin))
			}
		}
		for which, name := range documentPosts {
			f.of[name] = append(f.of[name], timesOf(took[which]))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// timesOf are the figures of operations from their times.
func timesOf(took []time.Duration) (f figures) {
	var whole time.Duration
	for _, t := range took {
		whole += t
	}
	half, nearly := percentiles(took)
	f.time(len(took), whole, half, nearly)
	return f
}

// upload uploads a small file and returns its signed ID.
func (d *documentServer) upload(ctx context.Context, content string) (signed string, err error) {
	sum := md5.Sum([]byte(content))
	ticket, err := d.tracker.CreateUpload(ctx, tracking.NewUpload{FileName: "paper.pdf", ByteSize: int64(len(content)), Checksum: base64.StdEncoding.EncodeToString(sum[:])})
	if err != nil {
		return "", err
	}
	return ticket.SignedID, d.tracker.ReceiveUpload(ctx, ticket.Handle, tracking.SentUpload{Size: -1, Body: strings.NewReader(content)})
}

// post sends a request to the handler.
func (d *documentServer) post(path, body string) error {
	w := &nowhere{header: map[string][]string{}}
	d.handler.ServeHTTP(w, request{path: path, key: d.key, body: body}.http("127.0.0.1"))
	if w.status != 201 {
		return fmt.Errorf("POST %s: status %d", path, w.status)
	}
	return nil
}

// buyers is the number of words of which each document has one.
const buyers = 100

// listDocuments measures the search by name in r.shipments documents.
func (r *run) listDocuments(ctx context.Context, f *documentFigures) (err error) {
	if f.rows, err = r.fillDocuments(ctx); err != nil {
		return err
	}
	d, err := r.openDocuments(ctx, "searched", nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	list := func(words string) calls {
		path := fmt.Sprintf("/v2/documents?page%%5Bsize%%5D=%d", pageSize)
		if words != "" {
			path += "&filter%5Bfilename%5D=" + url.QueryEscape(words)
		}
		return calls{requests: []request{{path: path, key: d.key}}}
	}
	each := r.each / callShare
	asks := map[string]func() error{
		documentsPlain: d.caller(list("")), documentsOne: d.caller(list(digits(f.rows / 2))),
		documentsFew: d.caller(list("buyer06")), documentsTwo: d.caller(list("invoice buyer06")), documentsHalf: d.caller(list("invoice")),
	}
	for n := range r.rounds {
		r.round("searching documents by name", n, len(documentLists), each)
		var all []func() error
		for _, name := range documentLists {
			all = append(all, func() error {
				got, _, err := repeat(1, each, func() (bool, error) { return ctx.Err() == nil, asks[name]() })
				f.of[name] = append(f.of[name], got)
				return err
			})
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fillDocuments makes r.shipments documents, as copies of a few that the engine has made.
func (r *run) fillDocuments(ctx context.Context) (rows int, err error) {
	store, err := openStore(filepath.Join(r.dir, "documents.db"), 0)
	if err != nil {
		return 0, err
	}
	kept := newRecorder(store)
	operator, err := tracking.New(tracking.Config{Store: kept, Logger: quiet, Blobs: &memory.Blobs{}})
	if err != nil {
		return 0, errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, operator.Close()) }()
	fill := &filler{operator: operator}
	from, err := fill.newAccount(ctx, "patterns")
	if err != nil {
		return 0, err
	}
	kept.account = from.scope
	t := operator.For(tracking.Actor{Account: from.scope})
	for i := range buyers {
		name := fmt.Sprintf("%s buyer%02d %s.pdf", []string{"Invoice", "Packing list"}[i%2], i, digits(patternNumber+i))
		if _, err := t.CreateDocument(ctx, tracking.NewDocument{Name: name, Content: []byte(name)}); err != nil {
			return 0, err
		}
	}
	c := &copies{seed: r.seed, every: buyers, apart: time.Minute, count: r.shipments}
	for _, w := range kept.writes {
		if w.kind.Name == "document" {
			c.patterns = append(c.patterns, newPattern(patternNumber+len(c.patterns), 0, []written{w}, nil))
		}
	}
	to, err := fill.newAccount(ctx, "searched")
	if err != nil {
		return 0, err
	}
	r.say("filling %d documents", c.count)
	_, err = c.load(ctx, store, to.scope, r.say)
	return c.count, err
}

// patternNumber is the number of no copy.
const patternNumber = 900_000_000

// fivePages is a bill of lading with 250 containers on five pages.
func fivePages() ([]byte, error) {
	pdf := fpdf.New("P", "mm", "A4", "")
	for page := range 5 {
		pdf.AddPage()
		pdf.SetFont("Helvetica", "B", 14)
		pdf.Text(12, 12, "BILL OF LADING")
		pdf.SetFont("Helvetica", "", 8)
		pdf.Text(12, 22, "B/L No.: MAEU123456789")
		pdf.Text(90, 22, fmt.Sprintf("Page: %d", page+1))
		for i, title := range []string{"Container No.", "Seal No.", "Size/Type", "Packages", "Gross Weight", "Measurement"} {
			pdf.Text(12+30*float64(i), 32, title)
		}
		for row := range 50 {
			box := page*50 + row
			for i, cell := range []string{containerNumber(box), fmt.Sprintf("ML%07d", box), "40HC", "420", "18,250.50 KGS", "67.500 CBM"} {
				pdf.Text(12+30*float64(i), 38+4.5*float64(row), cell)
			}
		}
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func (r *results) byDocuments(b *strings.Builder) {
	f := r.documents
	if f == nil {
		return
	}
	fmt.Fprintf(b, "\nA PDF of five pages and 250 boxes, from the call with its bytes to the commit of its representation, with children that wait for work; CPU is that of all processes:\n")
	t := table{head: []string{"p50 ms, one at a time", "p99 ms", "PDFs/s, several at a time", "p50 ms", "CPU ms a PDF"}}
	one, many := medians(f.alone), medians(f.parallel)
	t.add(number(one[p50]/1000), number(one[p99]/1000), many.text(perSecond), number(many[p50]/1000), number(micros(f.spent)/1000))
	t.write(b)
	fmt.Fprintf(b, "\nOne caller, by the handler alone, a commit for each; nothing is read meanwhile:\n")
	t = table{head: []string{"", "p50 us", "p99 us"}}
	for _, name := range documentPosts {
		m := medians(f.of[name])
		t.add(name, m.text(p50), m.text(p99))
	}
	t.write(b)
	fmt.Fprintf(b, "\nLists of %d documents, by the handler alone:\n", f.rows)
	t = table{head: []string{"", "us", "CPU us", "beside page 1", "allocs"}}
	for _, name := range documentLists {
		m := medians(f.of[name])
		t.add(name, number(1e6/m[perSecond]), m.text(cpu), times(f.relative(name)), m.text(allocs))
	}
	t.write(b)
}

// relative is the CPU of a list relative to that of the unfiltered one.
func (f *documentFigures) relative(name string) float64 {
	mid, _, _ := ratio(f.of[name], f.of[documentsPlain], used)
	return mid
}

func (r *results) documentReadGoal() (string, bool) {
	f := r.documents
	if f == nil {
		return "", false
	}
	half, rate := medians(f.alone)[p50]/1000, medians(f.parallel)[perSecond]
	return fmt.Sprintf("%s ms, %s a second", number(half), number(rate)), half <= 150 && rate >= 20
}

func (r *results) documentPostGoal() (string, bool) {
	f := r.documents
	if f == nil {
		return "", false
	}
	mid, least, most := ratio(f.of[documentPost], f.of[partyPost], func(f figures) float64 { return f[p99] })
	return fmt.Sprintf("%s (%s to %s)", times(mid), times(least), times(most)), mid <= 2
}

// documentListGoal is for a word that at most 1 % have; the others are only reported.
func (r *results) documentListGoal() (string, bool) {
	f := r.documents
	if f == nil {
		return "", false
	}
	one, few := f.relative(documentsOne), f.relative(documentsFew)
	return fmt.Sprintf("of %d documents one %s, 1 %% %s; 1 %% by two words %s, half %s", f.rows, times(one), times(few), times(f.relative(documentsTwo)), times(f.relative(documentsHalf))), math.Max(one, few) <= 1.5
}
