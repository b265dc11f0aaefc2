package tracking_test

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/landfallhq/tracking"

type room struct {
	name string
	may  []string // what it may import besides the standard library
	not  []string // what of the standard library it must not
}

// web serves and calls; plain is without it, without databases and without C.
var (
	web   = []string{"net", "net/http", "net/http/"}
	plain = append([]string{"database/", "C"}, web...)
)

// rooms are what the code of each package (tests aside) is held to: the first
// that it is in counts. A name that ends in / stands for all below it.
// ARCHITECTURE.md tells why the rooms lie as they do.
var rooms = []room{
	{"internal/record", []string{module + "/internal/jsontext", "github.com/google/uuid"}, plain},
	{"internal/simulation", nil, plain},                                                    // judges the engine, and so knows nothing of it
	{"internal/journey", []string{module + "/freight", module + "/internal/codec"}, plain}, // the derivation: no store, no engine
	{"internal/exceptions", []string{module + "/freight", module + "/internal/journey"}, plain},
	{"internal/crosscheck", []string{module + "/freight", module + "/freetime", module + "/refdata"}, plain},
	{"internal/chargehistory", []string{module + "/freetime", module + "/freight", module + "/internal/journey"}, plain},
	{"internal/factlog", []string{module + "/freight", module + "/internal/journey", module + "/internal/table", module + "/store"}, plain},
	{"internal/fieldtype", []string{module + "/freight", "github.com/google/uuid"}, plain},
	{"internal/fieldtype/fieldtypetest", []string{"github.com/google/uuid"}, plain}, // for tests
	{"internal/inclusion", []string{module + "/internal/record", module + "/internal/table", module + "/store", "github.com/google/uuid"}, plain},
	{"internal/search", []string{module + "/internal/record", module + "/internal/table", module + "/store"}, plain},
	{"internal/table", []string{module + "/internal/record", module + "/store", "github.com/google/uuid"}, plain},
	{"internal/debounce", []string{module + "/freight", "github.com/google/uuid"}, plain},
	{"internal/workers", []string{module + "/store"}, plain},
	{"internal/keyring", []string{module + "/store", "github.com/google/uuid"}, plain},
	{"internal/membership", []string{module + "/store"}, plain},
	{"internal/naturalkey", []string{module + "/freight", module + "/internal/table", module + "/store"}, plain},
	{"internal/eventcatalog", []string{module + "/freight"}, plain},
	{"internal/correction", []string{module + "/freight", module + "/internal/debounce", "github.com/google/uuid"}, plain},
	{"internal/inference", []string{module + "/freight", module + "/refdata"}, plain},
	{"internal/apikey", []string{"github.com/google/uuid"}, plain},
	{"internal/signin", []string{module + "/internal/netblock", module + "/internal/ratelimit"}, plain},
	{"internal/assignment", []string{module + "/freight"}, plain},
	{"internal/report", []string{module + "/freight"}, plain},
	{"internal/schedule", nil, plain},
	{"internal/routemap", []string{module + "/freight", module + "/refdata", module + "/internal/journey", module + "/internal/searoute", "github.com/google/uuid"}, plain},
	{"internal/searoute", []string{module + "/freight"}, plain},
	{"internal/payload", []string{module + "/internal/record", "github.com/google/uuid"}, plain},
	{"internal/ratelimit", []string{module + "/store"}, plain},
	{"internal/storedriver", []string{module + "/store"}, plain},
	{"internal/postgrestest", []string{"github.com/jackc/pgx/v5"}, nil},                                                        // for tests
	{"internal/s3test", []string{"github.com/johannesboyne/gofakes3", "github.com/johannesboyne/gofakes3/backend/s3mem"}, nil}, // for tests
	{"internal/browsertest", []string{"github.com/chromedp/"}, nil},                                                            // for tests
	{"internal/numbercell", []string{module + "/freight", module + "/refdata"}, plain},
	{"internal/sheet", []string{"github.com/xuri/excelize/v2", "golang.org/x/text/encoding/charmap", "golang.org/x/text/encoding/unicode"}, plain},
	{"internal/calendar", []string{"github.com/arran4/golang-ical"}, plain},
	{"internal/calendar/calendartest", nil, plain}, // for tests
	{"internal/", nil, plain},
	{"refdata", nil, plain},
	{"refdata/", nil, []string{"database/"}}, // the generator of the tables
	{"freight", []string{module + "/refdata"}, plain},
	{"freetime", nil, plain},    // a clock by itself: no engine, no store
	{"reliability", nil, plain}, // as freetime
	{"freetime/invoice", []string{module + "/freetime"}, plain},
	{"freetime/invoice/invoicepdf", []string{module + "/freetime", module + "/freetime/invoice", "codeberg.org/go-pdf/fpdf"}, plain},
	{"jsonapi", []string{module + "/internal/jsontext"}, []string{"database/"}},
	{"store", []string{"github.com/google/uuid"}, plain},
	{".", []string{
		module + "/freight",
		module + "/freetime",
		module + "/freetime/invoice",
		module + "/reliability",
		module + "/store",
		module + "/refdata",
		module + "/internal/apikey",
		module + "/internal/assignment",
		module + "/internal/chargehistory",
		module + "/internal/codec",
		module + "/internal/correction",
		module + "/internal/crosscheck",
		module + "/internal/debounce",
		module + "/internal/deliveryrules",
		module + "/internal/eventcatalog",
		module + "/internal/exceptions",
		module + "/internal/factlog",
		module + "/internal/fieldtype",
		module + "/internal/inclusion",
		module + "/internal/inference",
		module + "/internal/journey",
		module + "/internal/jsontext",
		module + "/internal/keyring",
		module + "/internal/mail",
		module + "/internal/membership",
		module + "/internal/messagetemplate",
		module + "/internal/naturalkey",
		module + "/internal/maildigest",
		module + "/internal/nearest",
		module + "/internal/openings",
		module + "/internal/payload",
		module + "/internal/picture",
		module + "/internal/program",
		module + "/internal/ratelimit",
		module + "/internal/record",
		module + "/internal/redact",
		module + "/internal/report",
		module + "/internal/routemap",
		module + "/internal/schedule",
		module + "/internal/search",
		module + "/internal/searoute",
		module + "/internal/signin",
		module + "/internal/table",
		module + "/internal/workers",
		"github.com/google/uuid",
	}, plain},
	{"storage/storagetest", []string{module + "/store", module + "/storage/memory", "github.com/google/uuid"}, plain}, // memory is its reference,
	{"storage/memory", []string{module + "/store", "github.com/google/uuid"}, plain},
	{"storage", []string{module + "/store", module + "/storage/", module + "/internal/storedriver"}, web},
	{"storage/postgres", []string{module + "/store", module + "/internal/program", module + "/internal/storedriver", "github.com/google/uuid", "github.com/jackc/pgx/v5", "github.com/jackc/pgx/v5/"}, web},
	{"storage/", []string{module + "/store", "github.com/google/uuid", "github.com/jmoiron/sqlx", "github.com/mattn/go-sqlite3"}, web},
	{"source/sandbox", []string{module + "/freight", module + "/refdata", module + "/internal/searoute"}, []string{"database/"}}, // without the engine
	{"source/", []string{module, module + "/freight", module + "/refdata", module + "/source/", "github.com/google/uuid", "golang.org/x/oauth2", "golang.org/x/oauth2/", "golang.org/x/time/rate"}, []string{"database/"}},
	{"webhook/signature", nil, []string{"database/"}}, // receivers take it alone
	{"webhook/receiver", []string{module + "/webhook/signature"}, []string{"database/"}},
	{"webhook", []string{module, module + "/freight", module + "/internal/redact", module + "/webhook/signature", "code.dny.dev/ssrf", "golang.org/x/time/rate"}, []string{"database/"}},
	{"password", []string{"golang.org/x/crypto/argon2"}, plain},
	{"mail", []string{module, module + "/dashboard/catalog", module + "/freight", "github.com/wneessen/go-mail"}, []string{"database/"}},
	{"blob/s3", []string{module, "github.com/google/uuid", "github.com/minio/minio-go/v7", "github.com/minio/minio-go/v7/pkg/"}, []string{"database/", "C"}},
	{"blob/", []string{module, "github.com/google/uuid"}, plain},
	{"trackingtest", []string{module, module + "/freight", module + "/blob/memory", module + "/storage/memory", "github.com/google/uuid"}, plain},
	{"classify", []string{module, module + "/freight", module + "/refdata", module + "/internal/nearest"}, plain},
	{"classify/extract", []string{module, module + "/classify/extract/internal/office", module + "/classify/extract/internal/pdftext", module + "/classify/extract/internal/scan", module + "/internal/picture", "github.com/gabriel-vasile/mimetype", "golang.org/x/image/draw", "golang.org/x/image/tiff", "golang.org/x/sys/unix"}, plain},
	{"classify/extract/hostile", nil, plain}, // files for tests
	{"classify/extract/internal/geometry", []string{module}, plain},
	{"classify/extract/internal/flow", []string{module}, plain},
	{"classify/extract/internal/office", []string{module, module + "/classify/extract/internal/flow", "github.com/richardlehane/mscfb", "github.com/xuri/excelize/v2", "golang.org/x/net/html", "golang.org/x/net/html/"}, plain},                                                                                                                        // runs in a child alone
	{"classify/extract/internal/scan", []string{module, module + "/classify/extract/internal/geometry"}, plain},                                                                                                                                                                                                                                          // runs tesseract, from a child alone
	{"classify/extract/internal/pdftext", []string{module, module + "/classify/extract/internal/geometry", module + "/classify/extract/internal/scan", "github.com/klippa-app/go-pdfium", "github.com/klippa-app/go-pdfium/webassembly", "github.com/tetratelabs/wazero", "github.com/tetratelabs/wazero/api", "golang.org/x/text/unicode/norm"}, plain}, // runs in a child alone
	{"classify/corpus", []string{module, module + "/freight", module + "/classify", module + "/classify/"}, []string{"database/"}},                                                                                                                                                                                                                       // a module of its own
	{"classify/corpus/", []string{module, module + "/refdata", module + "/classify/corpus/", "codeberg.org/go-pdf/fpdf", "golang.org/x/image/font/gofont/"}, []string{"database/"}},
	{"httpserver", []string{module, module + "/freight", module + "/freetime", module + "/freetime/invoice", module + "/reliability", module + "/jsonapi", module + "/internal/netblock", module + "/internal/ratelimit", module + "/internal/report", module + "/internal/openapi", "github.com/google/uuid"}, []string{"database/"}},
	{"httpserver/testdata/", []string{"github.com/mattn/go-sqlite3"}, nil}, // makes test data
	{"dashboard/catalog", nil, plain},
	{"dashboard", []string{module, module + "/dashboard/catalog", module + "/freetime", module + "/freight", module + "/internal/calendar", module + "/internal/netblock", module + "/internal/numbercell", module + "/internal/ratelimit", module + "/internal/sheet", module + "/reliability", "github.com/alexedwards/scs/v2", "github.com/coreos/go-oidc/v3/oidc", "github.com/google/uuid", "github.com/xuri/excelize/v2", "golang.org/x/oauth2"}, []string{"database/"}},
	{"client", []string{module, module + "/freight", module + "/freetime", module + "/freetime/invoice", module + "/reliability", module + "/internal/record", module + "/webhook/signature", "github.com/google/uuid"}, []string{"database/"}},
	{"mcpserver", []string{module, module + "/client", module + "/freetime", module + "/freight", "github.com/google/uuid", "github.com/modelcontextprotocol/go-sdk/"}, []string{"database/"}},
	{"cmd/", []string{""}, nil},
	{"examples/", []string{""}, nil},
	{"benchmarks", []string{""}, nil},       // a module of its own
	{"benchmarks/peers", []string{""}, nil}, // a module of its own
	{"faults", nil, nil},                    // tests and what they say of themselves
}

// TestImports checks the one direction of imports, in the nested modules too: technology
// imports the root, and the root nothing but the standard library, google/uuid and
// packages that know no resource.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		if err != nil || e.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		in := path.Dir(file)
		i := slices.IndexFunc(rooms, func(r room) bool { return covers(r.name, in) })
		if i < 0 {
			t.Errorf("%s: the package %s is in no room: add one to imports_test.go, and say what it may import", file, in)
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			standard := !strings.Contains(first, ".")
			if standard && among(rooms[i].not, name) ||
				!standard && !among(rooms[i].may, name) {
				t.Errorf("%s imports %q, which the room %s may not: see \"The one direction of imports\" in ARCHITECTURE.md", file, name, rooms[i].name)
			}
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files read, error %v", files, err)
	}
}

// embedded are the packages that a program with its own server and SQLite needs, and
// vendored are the modules that this adds to it.
var (
	embedded = []string{module, module + "/store", module + "/storage/sqlite", module + "/httpserver", module + "/client"}
	vendored = []string{module, "github.com/google/uuid", "github.com/jmoiron/sqlx", "github.com/mattn/go-sqlite3"}
)

// TestVendor checks which modules reach a program that embeds the engine. It needs the
// modules of the root in the module cache, and no network.
func TestVendor(t *testing.T) {
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  fmt.Sprintf("module example.com/embedder\n\ngo 1.25.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, root),
		"go.sum":  string(sums),
		"main.go": "package main\n\nimport (\n\t_ \"" + strings.Join(embedded, "\"\n\t_ \"") + "\"\n)\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"tidy", "vendor"} {
		c := exec.Command("go", "mod", command)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		switch out, err := c.CombinedOutput(); {
		case err == nil:
		case strings.Contains(string(out), "GOPROXY=off"), errors.Is(err, exec.ErrNotFound):
			t.Skipf("SKIPPED: go mod %s needs the go command and all modules of go.mod in the module cache", command)
		default:
			t.Fatalf("go mod %s: %v: %s", command, err, out)
		}
	}
	list, err := os.ReadFile(filepath.Join(dir, "vendor", "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(list)) {
		if fields := strings.Fields(line); fields[0] == "#" && fields[2] != "=>" { // "# module version", and not the replacement
			got = append(got, fields[1])
		}
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(vendored)); !slices.Equal(got, want) {
		t.Errorf("a program that imports %q vendors %q, want %q", embedded, got, want)
	}
}

func among(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, name) })
}

// covers reports whether name is the pattern, or below it where that ends in /.
func covers(pattern, name string) bool {
	return name == pattern || pattern == "" || strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern)
}
