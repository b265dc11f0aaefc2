package jsonapi

import (
	"net/url"
	"testing"
)

func TestPageLinks(t *testing.T) {
	const base = "https://host/v2/shipments"
	at := func(query, number, size string) string {
		return base + "?" + query + "page[number]=" + number + "&page[size]=" + size
	}
	tests := []struct {
		name, query         string
		number, size, total int
		want                Links
	}{
		{"middle page", "page[number]=2&page[size]=1&include=containers", 2, 1, 9, Links{
			Self: at("include=containers&", "2", "1"), First: at("include=containers&", "1", "1"), Prev: at("include=containers&", "1", "1"),
			Next: at("include=containers&", "3", "1"), Last: at("include=containers&", "9", "1")}},
		{"no query", "", 1, 30, 31, Links{Self: at("", "1", "30"), First: at("", "1", "30"), Next: at("", "2", "30"), Last: at("", "2", "30")}},
		{"nothing matches", "", 1, 30, 0, Links{Self: at("", "1", "30"), First: at("", "1", "30"), Last: at("", "1", "30")}},
		{"exactly full", "", 2, 30, 60, Links{Self: at("", "2", "30"), First: at("", "1", "30"), Prev: at("", "1", "30"), Last: at("", "2", "30")}},
		{"past the end", "", 9, 30, 60, Links{Self: at("", "9", "30"), First: at("", "1", "30"), Prev: at("", "2", "30"), Last: at("", "2", "30")}},
		{"past the end of nothing", "", 2, 30, 0, Links{Self: at("", "2", "30"), First: at("", "1", "30"), Prev: at("", "1", "30"), Last: at("", "1", "30")}},
		{"order and encoding", "filter%5Btags%5D=a%2Cb+c&page%5Bsize%5D=5&&q=%C3%A9%26%3D%5B%5D%22&flag", 1, 5, 1, Links{
			Self:  at("filter[tags]=a,b%20c&q=%C3%A9%26%3D%5B%5D%22&flag&", "1", "5"),
			First: at("filter[tags]=a,b%20c&q=%C3%A9%26%3D%5B%5D%22&flag&", "1", "5"),
			Last:  at("filter[tags]=a,b%20c&q=%C3%A9%26%3D%5B%5D%22&flag&", "1", "5")}},
		{"nonsense arguments", "", 0, 0, -5, Links{Self: at("", "1", "1"), First: at("", "1", "1"), Last: at("", "1", "1")}},
	}
	for _, tt := range tests {
		tt.want.Current = tt.want.Self
		if got := PageLinks(base, tt.query, tt.number, tt.size, tt.total); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestSelfLink(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"", "/x"},
		{"&", "/x"},
		{"include=a%2Cb", "/x?include=a,b"},
		{"%69nclude=a&page%5Bnumber%5D=2", "/x?include=a&page[number]=2"},
		{"a=%zz&b=<\"\x00;#", "/x?a=%25zz&b=%3C%22%00%3B%23"},
		{"a=1=2&=3", "/x?a=1%3D2&=3"},
	} {
		got := SelfLink("/x", tt.query)
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.query, got, tt.want)
		}
		if _, err := url.Parse(got); err != nil {
			t.Error(err)
		}
	}
}
