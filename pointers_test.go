package tracking_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// absent are the pointers to a numbered place of a paper that is not in the repository.
// A line is looked at where it has the word, without its first letter. Matches with a
// group that is not empty are something else: a section of an RFC, or a count such as
// "decision 109 of 110".
var absent = []struct {
	word string
	*regexp.Regexp
}{
	{"ontract", regexp.MustCompile(`\b[Cc]ontract,? \(?(?:[Ss]ection|[Dd]ecision|[Aa]ppendix|[0-9]|[A-D]\.[0-9])`)},
	{"ecision", regexp.MustCompile(`\b[Dd]ecisions? [0-9]+( of [0-9]+)?`)},
	{"aw", regexp.MustCompile(`\b[Ll]aws? [0-9]`)},
	{"ppendix", regexp.MustCompile(`\b[Aa]ppendix [A-Z]\b`)},
	{"ection", regexp.MustCompile(`(\bRFC [0-9]+,? )?\b[Ss]ections? [0-9]`)},
	{"pecification", regexp.MustCompile(`\([Ss]pecification\b|\b[Tt]he specification\b`)},
	{"esign", regexp.MustCompile(`\([Dd]esign\b|\bdesign/`)},
	{"eliability", regexp.MustCompile(`\b[Rr]eliability [A-D] ?[0-9]`)},
}

// pointersIn returns what a text points to that is not in the repository.
func pointersIn(text string) (found []string) {
	for line := range strings.Lines(text) {
		for _, r := range absent {
			if !strings.Contains(line, r.word) {
				continue
			}
			for _, m := range r.FindAllStringSubmatch(line, -1) {
				if len(m) == 1 || m[1] == "" {
					found = append(found, m[0])
				}
			}
		}
	}
	return found
}

// TestNoPointersToAbsentPapers holds code and documentation to name the rule itself, or a
// page of docs that has it.
func TestNoPointersToAbsentPapers(t *testing.T) {
	for text, bad := range map[string]bool{
		"a hold (contract" + " 1.2)": true, "see decision" + " 30 of it": true, "as law" + " 5 says": true, "(contract, section" + " 8)": true,
		"(specification" + `, "webhook")`: true, "appendix" + " B": true, "(design" + `, "The store")`: true,
		"RFC 9110, section 5.6.2": false, "type 115 of 123, decision 109 of 110": false, "see docs/contract.md#errors": false, "the store contract": false,
	} {
		if got := pointersIn(text); (len(got) > 0) != bad {
			t.Errorf("%q points to %q, want any: %v", text, got, bad)
		}
	}
	for file, text := range texts(t) {
		for _, p := range pointersIn(text) {
			t.Errorf("%s points to %q, and the repository has no such paper: say the rule, or link to docs/contract.md", file, p)
		}
	}
}

var (
	linked  = regexp.MustCompile(`\]\(([^)\s]+)\)`)                    // [text](page.md#anchor)
	named   = regexp.MustCompile(`\bdocs/([\w/-]+\.md)#([\w-]+)`)      // docs/page.md#anchor
	spelled = regexp.MustCompile(`\bdocs/([\w/-]+\.md), ([A-Z].{80})`) // docs/page.md, Heading
)

// noted is a note of docs/adr by its number.
var noted = regexp.MustCompile(`(?:\b[Nn]otes?|\bADRs?) ([0-9]+)(?:(?:,| and| or) ([0-9]+))?|\bdocs/adr/([0-9]+)`)

// notesIn returns the numbers of the notes that a text names, of four digits.
func notesIn(text string) (numbers []string) {
	for _, m := range noted.FindAllStringSubmatch(text, -1) {
		for _, n := range m[1:] {
			if n = strings.TrimLeft(n, "0"); n != "" {
				numbers = append(numbers, strings.Repeat("0", max(0, 4-len(n)))+n)
			}
		}
	}
	return numbers
}

// TestNotesExist holds code and documentation to notes that have not become rules.
func TestNotesExist(t *testing.T) {
	for text, want := range map[string]string{
		"see note" + " 28": "0028", "notes" + " 28 and 29": "0028 0029", "ADR" + " 138": "0138", "docs/adr" + "/0138 has them": "0138",
		"a note": "", "notes of 28 days": "",
	} {
		if got := strings.Join(notesIn(text), " "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
	for file, text := range texts(t) {
		for _, n := range notesIn(text) {
			if found, _ := filepath.Glob("docs/adr/" + n + "-*.md"); len(found) != 1 {
				t.Errorf("%s names note %s, and docs/adr has no such note: link to docs/rules.md", file, n)
			}
		}
	}
}

var namedFile = regexp.MustCompile("`(?:[\\w/]+/)?(\\w+\\.go)`")

// TestNamedFilesExist holds pages to names of Go files that exist. CHANGELOG.md may name
// files of the past.
func TestNamedFilesExist(t *testing.T) {
	exists := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		exists[filepath.Base(file)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range texts(t) {
		if path.Ext(page) != ".md" || page == "CHANGELOG.md" {
			continue
		}
		for _, m := range namedFile.FindAllStringSubmatch(text, -1) {
			if !exists[m[1]] {
				t.Errorf("%s names %s, which does not exist", page, m[0])
			}
		}
	}
}

// TestLinksLeadSomewhere holds links between pages, and links of code to pages, to files
// and headings that exist.
func TestLinksLeadSomewhere(t *testing.T) {
	all, links := texts(t), 0
	check := func(from, file, anchor string) {
		links++
		if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
			t.Errorf("%s links to %s, which does not exist", from, file)
		} else if anchor != "" && !slices.Contains(anchors(headings(all[file])), anchor) {
			t.Errorf("%s links to %s#%s, and that page has no such heading", from, file, anchor)
		}
	}
	for from, text := range all {
		if path.Ext(from) == ".md" {
			for _, m := range linked.FindAllStringSubmatch(text, -1) {
				if strings.Contains(m[1], ":") {
					continue // of the web
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				if file = path.Join(path.Dir(from), file); strings.HasPrefix(m[1], "#") {
					file = from
				}
				check(from, file, anchor)
			}
			continue
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			check(from, "docs/"+m[1], m[2])
		}
		for _, m := range spelled.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(headings(all["docs/"+m[1]]), func(h string) bool { return strings.HasPrefix(m[2], h) }) {
				t.Errorf("%s names docs/%s, %.40s..., and that page has no such heading", from, m[1], m[2])
			}
			links++
		}
	}
	if links < 200 {
		t.Errorf("%d links were found, which are too few: does the test still read them?", links)
	}
}

// texts are the files that are read, by name. A comment of several lines is one line.
func texts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (file == ".git" || file == "tmp" || e.Name() == "node_modules" || file == "classify/corpus"): // the papers of the corpus have sections
			return fs.SkipDir
		case e.IsDir():
			return nil
		}
		if file == "pointers_test.go" { // has examples of what it looks for
			return nil
		}
		page := path.Ext(file) == ".md"
		if path.Ext(file) != ".go" && !page && file != "docs/openapi.json" {
			return nil
		}
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			return err
		}
		all[file] = string(text)
		if !page {
			all[file] = wrapped.ReplaceAllString(all[file], " ")
		}
		return nil
	})
	if err != nil || len(all) < 400 {
		t.Fatalf("%d files read, error %v", len(all), err)
	}
	return all
}

var wrapped = regexp.MustCompile(`\n\s*// ?`)

// headings of a page, fenced code left out.
func headings(text string) (list []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if title := strings.TrimLeft(line, "#"); !fenced && len(title) < len(line) && strings.HasPrefix(title, " ") {
			list = append(list, strings.TrimSpace(title))
		}
	}
	return list
}

// anchors of headings, as they are made where Markdown is shown.
func anchors(headings []string) (list []string) {
	for _, h := range headings {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', 'a' <= r && r <= 'z', '0' <= r && r <= '9':
				return r
			}
			return -1
		}, strings.ToLower(h)))
	}
	return list
}
