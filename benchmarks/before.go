package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// What one fact costs is measured in turns with the program of another commit,
// since figures of a machine that others use are true only beside each other.

const (
	// factsFile is from the root of the repository. It is put beside the sources of
	// the other commit.
	factsFile = "facts_bench_test.go"
	// factsEach is how many facts one round hands in.
	factsEach = "30x"
)

// factFigures are those of one case, by program, one of each round.
type factFigures struct{ cpu, bytes, allocs [2][]float64 }

// compareFacts is the program with -before.
func (p *plan) compareFacts(ctx context.Context, out, progress io.Writer) (err error) {
	root := git(ctx, "rev-parse", "--show-toplevel")
	commit := git(ctx, "rev-parse", "--verify", "--quiet", p.before+"^{commit}")
	if root == unknown || commit == unknown {
		return fmt.Errorf("-before: this is not the repository, or it has no commit %s", p.before)
	}
	dir, err := os.MkdirTemp(p.dir, "landfall-before-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Fprintf(progress, "building the tests of %.12s and of what is here\n", commit)
	programs, err := buildFacts(ctx, root, commit, dir)
	if err != nil {
		return err
	}
	var order []string
	figures := map[string]*factFigures{}
	for round := range p.rounds {
		fmt.Fprintf(progress, "round %d of %d\n", round+1, p.rounds)
		for turn := range programs {
			which := (turn + round) % len(programs) // each goes first as often
			text, err := runIn(ctx, dir, programs[which], "-test.run=^$", "-test.bench=^BenchmarkFact$", "-test.benchmem", "-test.benchtime="+factsEach)
			if err != nil {
				return err
			}
			for _, line := range factLine.FindAllSubmatch(text, -1) {
				name := string(line[1])
				if figures[name] == nil {
					order = append(order, name)
					figures[name] = &factFigures{}
				}
				if err := figures[name].add(which, line[2:]); err != nil {
					return err
				}
			}
		}
	}
	if len(order) == 0 {
		return errors.New("-before: the benchmark has printed no figures")
	}
	fmt.Fprintf(out, "One fact, medians of %d rounds of %s facts in turns: %.12s, then what is here.\n\n", p.rounds, factsEach, commit)
	fmt.Fprint(out, "| fact of | CPU us before | now | ratio | allocations before | now | KB allocated before | now |\n|---|---|---|---|---|---|---|---|\n")
	for _, name := range order {
		f := figures[name]
		before, now := median(f.cpu[0]), median(f.cpu[1])
		fmt.Fprintf(out, "| %s | %.0f | %.0f | %.2fx | %.0f | %.0f | %.0f | %.0f |\n", name, before, now, now/before,
			median(f.allocs[0]), median(f.allocs[1]), median(f.bytes[0])/1024, median(f.bytes[1])/1024)
	}
	return nil
}

// factLine is a line of the benchmark: its name, CPU, bytes and allocations.
var factLine = regexp.MustCompile(`(?m)^BenchmarkFact/(\S+?)(?:-\d+)?\s+\d+\s+\S+ ns/op\s+(\S+) cpu-us/op\s+(\S+) B/op\s+(\S+) allocs/op`)

func (f *factFigures) add(which int, texts [][]byte) error {
	for i, to := range []*[]float64{&f.cpu[which], &f.bytes[which], &f.allocs[which]} {
		n, err := strconv.ParseFloat(string(texts[i]), 64)
		if err != nil {
			return err
		}
		*to = append(*to, n)
	}
	return nil
}

// buildFacts builds the tests of the root as they are in a commit, but for the
// file with the benchmark, and as they are here.
func buildFacts(ctx context.Context, root, commit, dir string) (programs [2]string, err error) {
	before := filepath.Join(dir, "before")
	if err := os.Mkdir(before, 0o700); err != nil {
		return programs, err
	}
	archive, err := runIn(ctx, root, "git", "archive", commit)
	if err != nil {
		return programs, err
	}
	unpack := exec.CommandContext(ctx, "tar", "-x")
	unpack.Dir, unpack.Stdin = before, bytes.NewReader(archive)
	if text, err := unpack.CombinedOutput(); err != nil {
		return programs, fmt.Errorf("tar: %w: %s", err, text)
	}
	source, err := os.ReadFile(filepath.Join(root, factsFile))
	if err != nil {
		return programs, err
	}
	if err := os.WriteFile(filepath.Join(before, factsFile), source, 0o600); err != nil {
		return programs, err
	}
	for i, from := range []string{before, root} {
		programs[i] = filepath.Join(dir, fmt.Sprintf("facts%d.test", i))
		if _, err := runIn(ctx, from, "go", "test", "-c", "-o", programs[i], "."); err != nil {
			return programs, err
		}
	}
	return programs, nil
}

// runIn runs a command and returns what it prints.
func runIn(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", name, err, slices.Concat(out[:min(len(out), 2000)], failed.Stderr))
	}
	return out, err
}
