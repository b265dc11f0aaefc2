package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const startName = "start"

// startFigures are how long the program takes from its start to its first answer.
type startFigures struct{ empty, filled []time.Duration }

// measureStart starts landfall serve, with no database and with the one that was
// filled, which nobody has open by now. Pages of the file that the system has in
// memory stay there: what is measured is what the program does.
func (r *run) measureStart(ctx context.Context) error {
	if !r.wanted(startName) {
		return nil
	}
	program, err := r.build(ctx)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	r.started = &startFigures{}
	for n := range r.rounds {
		r.round("starting the program", n, 2, 200*time.Millisecond)
		empty, err := r.start(ctx, program, filepath.Join(r.dir, fmt.Sprintf("empty-%d.db", n)), "")
		if err != nil {
			return fmt.Errorf("start: %w", err)
		}
		filled, err := r.start(ctx, program, r.data.file, r.data.large.key)
		if err != nil {
			return fmt.Errorf("start: %w", err)
		}
		r.started.empty, r.started.filled = append(r.started.empty, empty), append(r.started.filled, filled)
	}
	return nil
}

// build builds the program, unless it was built before.
func (r *run) build(ctx context.Context) (program string, err error) {
	program = filepath.Join(r.dir, "landfall")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/landfallhq/tracking/cmd/landfall").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

// start starts the program and ends it when it has answered: with a key a list, without
// one, as a new database has none, that it is ready.
func (r *run) start(ctx context.Context, program, db, key string) (took time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "serve", "--addr", "127.0.0.1:0", "--db", db, "--blobs", filepath.Join(r.dir, "papers"))
	c.Dir, c.Env = r.dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "TMPDIR=" + r.dir}
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	c.Stderr = c.Stdout
	begun := time.Now()
	if err := c.Start(); err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, c.Process.Signal(syscall.SIGTERM))
		_, _ = io.Copy(io.Discard, out)
		err = errors.Join(err, c.Wait())
	}()
	root, err := serving(out)
	if err != nil {
		return 0, err
	}
	asked := strings.TrimSuffix(root, "/v2") + "/readyz"
	if key != "" {
		asked = root + "/shipments?page[size]=30"
	}
	in, err := http.NewRequestWithContext(ctx, http.MethodGet, asked, nil)
	if err != nil {
		return 0, err
	}
	if key != "" {
		in.Header.Set("Authorization", "Token "+key)
	}
	in.Close = true
	answer, err := http.DefaultClient.Do(in)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	took = time.Since(begun)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the first answer is %s", answer.Status)
	}
	return took, errors.Join(err, answer.Body.Close())
}

// serving waits until the program says where it listens, and returns that.
func serving(out io.Reader) (root string, err error) {
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if root, ok := strings.CutPrefix(lines.Text(), "landfall: serving "); ok {
			return root, nil
		}
		fmt.Fprintln(&said, lines.Text())
	}
	return "", errors.Join(lines.Err(), fmt.Errorf("the program does not serve: %s", said.String()))
}

// startGoal: the first answer comes within 300 ms with no database, and within a
// second with a large one.
func (r *results) startGoal() (string, bool) {
	if r.started == nil || len(r.started.filled) == 0 {
		return "", false
	}
	empty, filled := median(r.started.empty), median(r.started.filled)
	return fmt.Sprintf("%s ms; with %d shipments %s ms", number(micros(empty)/1000), r.data.large.rows, number(micros(filled)/1000)),
		empty < 300*time.Millisecond && filled < time.Second
}
