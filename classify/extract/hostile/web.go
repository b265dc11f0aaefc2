package hostile

import (
	"fmt"
	"strings"
)

func html(body string) func() []byte {
	return func() []byte { return []byte("<!DOCTYPE html><html><body>" + body) }
}

// webPages are HTML.
func webPages() []File {
	return []File{
		{"page.html", func() []byte { return []byte("<!DOCTYPE html><html><script>alert(1)</script></html>") }, false},
		{"elements-in-elements.html", html(strings.Repeat("<div>", 300_000) + "text"), false},
		{"tables-in-tables.html", html(strings.Repeat("<table><tr><td>", 150) + "text"), false},
		{"cells-of-two-billion.html", html("<table>" + strings.Repeat("<tr><td colspan=2000000000 rowspan=2000000000>A</td><td colspan=-1>B</td></tr>", 2000) + "</table>"), false},
		{"attributes-by-the-hundred-thousand.html", html("<p " + attributes(100_000) + ">text"), false},
		{"formats-out-of-turn.html", html(strings.Repeat("<b><i><a><table>", 300) + "text"), false},
		{"formats-that-are-never-closed.html", html(strings.Repeat("<p><font size=1>", 500) + "text"), false},
		{"lists-of-choices.html", html(strings.Repeat("<select><option><template>", 10_000) + "text"), false},
		{"comment-without-end.html", html("<!--" + strings.Repeat("--!", 500_000)), false},
		{"entity-of-a-megabyte.html", html("&" + strings.Repeat("a", 1<<20) + "; &#99999999999; &#xD800; text"), false},
	}
}

func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d=1 ", i)
	}
	return b.String()
}
