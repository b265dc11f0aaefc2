package jsonapi

import (
	"errors"
	"testing"
)

func TestRequestType(t *testing.T) {
	tests := []struct {
		header string
		ok     bool
	}{
		{"", true},
		{"  ", true},
		{"application/json", true},
		{"application/vnd.api+json", true},
		{"Application/JSON", true},
		{"APPLICATION/VND.API+JSON", true},
		{" application/json ", true},
		{"application/json; charset=utf-8", true},
		{"application/json;charset=UTF-8", true},
		{"application/json ; charset=utf-8", true},
		{"application/json;", true},
		{"application/json; broken", true},
		{`application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"`, true},
		{`application/vnd.api+json; profile="a b"`, true},
		{"application/json, application/json", false},
		{"application/jsonp", false},
		{"application/json5", false},
		{"application/hal+json", false},
		{"application/problem+json", false},
		{"application/vnd.api", false},
		{"application / json", false},
		{"text/json", false},
		{"text/plain", false},
		{"text/plain; application/json", false},
		{"json", false},
		{"*/*", false},
		{"application/*", false},
		{"application/x-www-form-urlencoded", false},
		{"multipart/form-data; boundary=x", false},
		{"application/octet-stream", false},
		{";", false},
		{"; charset=utf-8", false},
		{"application/json\x00", false},
	}
	for _, tt := range tests {
		if err := RequestType(tt.header); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrMediaType) {
			t.Errorf("Content-Type %q: %v, want ok %v", tt.header, err, tt.ok)
		}
	}
}

func TestResponseType(t *testing.T) {
	tests := []struct {
		accept []string
		want   string
	}{
		{nil, JSON},
		{[]string{""}, JSON},
		{[]string{"*/*"}, JSON},
		{[]string{"application/*"}, JSON},
		{[]string{"application/json"}, JSON},
		{[]string{"text/html"}, JSON},
		{[]string{"application/json, text/plain, */*"}, JSON},
		{[]string{"application/vnd.api+json"}, MediaType},
		{[]string{"APPLICATION/Vnd.Api+Json"}, MediaType},
		{[]string{" application/vnd.api+json "}, MediaType},
		{[]string{"application/json, application/vnd.api+json"}, MediaType},
		{[]string{"application/vnd.api+json, application/json"}, MediaType},
		{[]string{"text/html,application/vnd.api+json;q=0.9,*/*;q=0.8"}, MediaType},
		{[]string{"application/vnd.api+json;q=0.001"}, MediaType},
		{[]string{"application/vnd.api+json;q=1"}, MediaType},
		{[]string{"application/vnd.api+json;q=0"}, JSON},
		{[]string{"application/vnd.api+json;q=0.0"}, JSON},
		{[]string{"application/vnd.api+json; q=0.000"}, JSON},
		{[]string{"application/vnd.api+json;Q=0."}, JSON},
		{[]string{"application/vnd.api+json ; q = 0 "}, JSON},
		{[]string{"application/vnd.api+json;q=0, application/vnd.api+json"}, MediaType},
		{[]string{"application/vnd.api+json;q=x"}, MediaType},
		{[]string{"application/vnd.api+json;q="}, MediaType},
		{[]string{"application/vnd.api+json;q=-0"}, MediaType},
		{[]string{"application/vnd.api+json;q=00"}, MediaType},
		{[]string{`application/vnd.api+json;profile="a;q=0"`}, MediaType},
		{[]string{`application/vnd.api+json;profile="a\";q=0";q=0`}, JSON},
		{[]string{`application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"`}, MediaType},
		{[]string{`text/plain;x="application/vnd.api+json"`}, JSON},
		{[]string{`text/plain;x="a, application/vnd.api+json, b"`}, JSON},
		{[]string{`text/plain;x="open, application/vnd.api+json`}, JSON},
		{[]string{"application/json", "application/vnd.api+json"}, MediaType},
		{[]string{"application/vnd.api+jsonx"}, JSON},
		{[]string{"application/vnd.api"}, JSON},
		{[]string{",,;,application/vnd.api+json"}, MediaType},
	}
	for _, tt := range tests {
		if got := ResponseType(tt.accept...); got != tt.want {
			t.Errorf("Accept %q: %s, want %s", tt.accept, got, tt.want)
		}
	}
}
