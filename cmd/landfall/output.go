package main

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// writeOutput runs write on the file of that name, or without a name on standard output.
func writeOutput(p *program, name string, write func(io.Writer) error) (err error) {
	to := p.stdout
	if name != "" {
		file, failure := os.Create(name)
		if failure != nil {
			return failure
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		to = file
	}
	buffered := bufio.NewWriter(to)
	return errors.Join(write(buffered), buffered.Flush())
}
