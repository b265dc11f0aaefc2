package nearest

import "testing"

func TestWord(t *testing.T) {
	words := []string{"serve", "export", "import", "keys", "check"}
	for misspelt, want := range map[string]string{
		"sevre": "serve", "server": "serve", "serv": "serve", "imprt": "import", "improt": "import", "chekc": "check", "key": "keys",
		"start": "", "sail": "", "": "", "x": "", "keysss": "keys", "exporting": "", "mport": "import",
	} {
		if got, ok := Word(misspelt, words); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t, want %q", misspelt, got, ok, want)
		}
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"abc", "abd", 1}, {"Süd", "Sud", 1}, {"kitten", "sitting", 3}, {"addr", "adr", 1},
	} {
		if got := Slips(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d slips, want %d", c.a, c.b, got, c.want)
		}
	}
}
