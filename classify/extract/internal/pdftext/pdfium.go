package pdftext

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// wasmPage is the unit of the memory of WebAssembly.
const wasmPage = 64 << 10

// open compiles PDFium, or loads it from the cache. It has no access to files.
func open(cache string, memory int64) (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(memory / wasmPage))
	if cache != "" {
		c, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(c)
	}
	return webassembly.Init(webassembly.Config{
		MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
}

// Stored returns what a cache of Open has: of each file its path, size and time.
func Stored(cache string) (files []string) {
	filepath.WalkDir(cache, func(path string, f fs.DirEntry, err error) error {
		if err == nil && f.Type().IsRegular() {
			if info, err := f.Info(); err == nil {
				files = append(files, fmt.Sprint(path, info.Size(), info.ModTime()))
			}
		}
		return nil
	})
	return files
}

// library is one instance of PDFium: its functions and its memory.
type library struct {
	instance  pdfium.Pdfium
	module    api.Module
	functions map[string]api.Function
	stack     [8]uint64
	scratch   uint32 // address of scratchBytes for results
	most      Limits
	// What may still come of the file.
	wordsLeft, textLeft int
}

const scratchBytes = 64

// newLibrary makes an instance. The functions of go-pdfium take six times as long as those
// of the module, because they allocate each result in its memory.
func newLibrary(pool pdfium.Pool) (*library, error) {
	instance, err := pool.GetInstance(time.Minute)
	if err != nil {
		return nil, err
	}
	module, ok := reflect.ValueOf(instance.GetImplementation()).Elem().FieldByName("Module").Interface().(api.Module)
	if !ok {
		return nil, fmt.Errorf("pdftext: go-pdfium has no module: %w", os.ErrInvalid)
	}
	return &library{instance: instance, module: module, functions: map[string]api.Function{}}, nil
}

// trap is the panic of a function of PDFium that did not return.
type trap struct{ error }

// call calls a function of PDFium, and returns its result, if it has one.
func (l *library) call(name string, args ...uint64) uint64 {
	f := l.functions[name]
	if f == nil {
		f = l.module.ExportedFunction(name)
		l.functions[name] = f
	}
	copy(l.stack[:], args)
	if err := f.CallWithStack(context.Background(), l.stack[:]); err != nil {
		panic(trap{err})
	}
	return l.stack[0]
}
