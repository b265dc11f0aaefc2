package tracking_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parsePackage parses the files of a package, tests aside.
func parsePackage(t *testing.T, dir string) (*token.FileSet, []*ast.File) {
	t.Helper()
	set, files := token.NewFileSet(), []*ast.File{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return set, files
}

// exportedNames are the exported names of a package: "Shipment", "Tracker.Close", and the
// fields of structs.
func exportedNames(t *testing.T, dir string) (names map[string]bool, comments []string) {
	t.Helper()
	set, files := parsePackage(t, dir)
	names = map[string]bool{}
	for _, f := range files {
		for _, c := range f.Comments {
			comments = append(comments, c.Text())
		}
	}
	described, err := doc.NewFromFiles(set, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				names[name] = token.IsExported(name)
			}
		}
	}
	functions := func(list []*doc.Func, of string) {
		for _, f := range list {
			names[of+f.Name] = true
		}
	}
	values(described.Consts)
	values(described.Vars)
	functions(described.Funcs, "")
	for _, typ := range described.Types {
		names[typ.Name] = true
		values(typ.Consts)
		values(typ.Vars)
		functions(typ.Funcs, "")
		functions(typ.Methods, typ.Name+".")
		for _, spec := range typ.Decl.Specs {
			if s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						names[typ.Name+"."+name.Name] = name.IsExported()
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(_ string, exported bool) bool { return !exported })
	return names, comments
}

// laterNames and laterMethods are the exported names and the methods of Tracker that features
// have added to the public API since its size is held (docs/adr/0159). A feature adds its own
// here, and by that shows how many a user has to learn for it.
var laterNames = []string{"BlobHeaders", "BlobLink", "Change", "CopyStore", "Corrector", "Digest", "DigestPart", "DigestRow", "Discrepancy", "DocumentFailed", "DocumentLink", "DocumentRead", "DocumentState", "DocumentStates", "DocumentUnreadable", "DocumentUntyped", "DocumentWaiting", "ETABand", "Event", "EventPage", "EventQuery", "Events", "Exception", "ExceptionQuery", "ExceptionSettings", "ExceptionThreshold", "ExceptionUpdate", "Exceptions", "FailRejected", "FederatedUser", "FieldCaption", "FieldCorrection", "FieldPosition", "FileNoPage", "FormatJSONAPI", "FormatSlack", "FormatTeams", "FormatTemplate", "ImportCost", "LayoutCorrection", "LayoutCorrections", "LayoutReader", "Limited", "LinkedBlobs", "ListedBlobs", "Mail", "MailAddress", "MailDispatch", "MailSettings", "MailSubscription", "MaxRedelivery", "NewShareLink", "NewUser", "NewView", "NextMilestone", "Node", "Nodes", "NotificationSubject", "PageSize", "Passwords", "Recognizer", "Reliability", "Renderer", "ReportCardQuery", "Sessions", "ShareLink", "ShareLinkQuery", "ShareLinks", "SignIn", "Splitter", "Tariffs", "TextCell", "UserUpdate", "Users", "View", "ViewUpdate", "Views", "WebhookFormat"}

var laterMethods = []string{"AuditEvents", "AuthenticateKey", "CheckCustomField", "DeleteAccount", "DocumentPage", "DocumentRepresentation", "Events", "Exceptions", "ExportAccount", "LayoutCorrections", "LinkDocument", "LinkDownload", "Mail", "NotificationPayload", "NotificationSubjects", "RedeliverNotifications", "Reliability", "RotateKey", "Sessions", "ShareLinks", "Snapshot", "Tariffs", "Users", "Views", "Watch", "Windows"}

// TestPublicNames holds the size of the public API: what is not for users of the library
// belongs in an internal package, or in one value such as Rendered.
func TestPublicNames(t *testing.T) {
	names, _ := exportedNames(t, ".")
	top := slices.DeleteFunc(slices.Collect(maps.Keys(names)), func(name string) bool { return strings.Contains(name, ".") })
	methods := 0
	for name := range names {
		if strings.HasPrefix(name, "Tracker.") {
			methods++
		}
	}
	for _, name := range laterNames {
		if !names[name] {
			t.Errorf("laterNames: %s does not exist", name)
		}
	}
	for _, name := range laterMethods {
		if !names["Tracker."+name] {
			t.Errorf("laterMethods: Tracker.%s does not exist", name)
		}
	}
	mostNames, mostMethods := 350+len(laterNames), 120+len(laterMethods)
	if len(top) > mostNames || methods > mostMethods {
		t.Errorf("%d exported names and %d methods of Tracker; at most %d and %d", len(top), methods, mostNames, mostMethods)
	}
}

var docLink = regexp.MustCompile(`\[\*?([A-Z]\w+(?:\.[A-Z]\w*)?)\]`)

// TestDocLinks finds links in comments to names that do not exist.
func TestDocLinks(t *testing.T) {
	for _, dir := range []string{
		".", "freight", "store", "storage", "storage/sqlite", "storage/postgres", "storage/memory", "storage/storagetest", "httpserver", "client", "jsonapi", "refdata",
		"mail", "webhook", "webhook/signature", "webhook/receiver", "blob/dir", "blob/memory", "blob/s3", "blob/blobtest", "classify", "classify/extract",
		"source/dcsa", "source/dcsa/simulator", "source/sandbox", "trackingtest", "freetime", "reliability", "cmd/landfall/metrics", "password",
	} {
		names, comments := exportedNames(t, dir)
		for _, text := range comments {
			for _, link := range docLink.FindAllStringSubmatch(text, -1) {
				if !names[link[1]] {
					t.Errorf("%s: a comment links to %s, which is no exported name: %.80q", dir, link[1], text)
				}
			}
		}
	}
}

// TestAttributesAreDescribed finds attributes without a comment. One comment may describe the
// fields of a paragraph.
func TestAttributesAreDescribed(t *testing.T) {
	for _, dir := range []string{".", "freight"} {
		files, parsed := parsePackage(t, dir)
		for _, f := range parsed {
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if s, ok := spec.Type.(*ast.StructType); ok && spec.Name.IsExported() {
					for _, field := range undescribed(files, s) {
						t.Errorf("%s: %s.%s has no comment with its unit, zone or meaning of null", files.Position(field.Pos()), spec.Name, field.Name)
					}
				}
				return true
			})
		}
	}
}

// undescribed returns the attributes of a struct whose paragraph begins without a comment.
func undescribed(files *token.FileSet, s *ast.StructType) (names []*ast.Ident) {
	described, last := false, 0
	for _, field := range s.Fields.List {
		adjoins := files.Position(field.Pos()).Line == last+1
		described = field.Doc != nil || field.Comment != nil || described && adjoins
		last = files.Position(field.End()).Line
		if described || field.Tag == nil {
			continue
		}
		for _, name := range field.Names {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return names
}
