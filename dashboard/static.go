package dashboard

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed static
var staticFiles embed.FS

// asset is one static file.
type asset struct {
	contentType string
	data        []byte
	// zipped returns the data compressed: once, when it is first asked for. All of them take
	// longer than everything else at the start of a program.
	zipped func() []byte
}

// assets are the static files by their names with a checksum, which never mean other bytes.
type assets struct {
	files map[string]asset
	names map[string]string // by the plain name
}

// readAssets reads the embedded files, when the first page or file is asked for.
var readAssets = sync.OnceValue(func() assets {
	a := assets{files: map[string]asset{}, names: map[string]string{}}
	err := fs.WalkDir(staticFiles, "static", func(at string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			a.add(strings.TrimPrefix(at, "static/"))
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	return a
})

// add adds a file after those that it imports, and returns its name with the checksum.
func (a assets) add(plain string) string {
	if name := a.names[plain]; name != "" {
		return name
	}
	data, err := staticFiles.ReadFile("static/" + plain)
	if err != nil {
		panic(err)
	}
	ext := path.Ext(plain)
	if ext == ".js" || ext == ".mjs" {
		data = a.addressed(plain, data)
	}
	sum := sha256.Sum256(data)
	flat := strings.ReplaceAll(strings.TrimSuffix(plain, ext), "/", "-")
	name := flat + "." + hex.EncodeToString(sum[:8]) + ext
	a.names[plain] = name
	a.files[name] = asset{mime.TypeByExtension(ext), data, sync.OnceValue(func() []byte { return compress(data) })}
	return name
}

// importedFrom is the place that a module imports from.
var importedFrom = regexp.MustCompile(`(\b(?:from|import)\s*)"([^"]+)"`)

// addressed returns a module that imports other files by their names with checksums. A name
// without a path is that of a package: import maps would need inline script.
func (a assets) addressed(plain string, data []byte) []byte {
	return importedFrom.ReplaceAllFunc(data, func(found []byte) []byte {
		m := importedFrom.FindSubmatch(found)
		from := path.Join(path.Dir(plain), string(m[2]))
		if m[2][0] != '.' {
			from = "vendor/" + string(m[2]) + ".mjs"
		}
		return []byte(string(m[1]) + `"./` + a.add(from) + `"`)
	})
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write(data)                                  // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

func serveAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := readAssets().files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h, data := w.Header(), file.data
	h.Set("Content-Type", file.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = file.zipped()
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the browser may have gone
}
