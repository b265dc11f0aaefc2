package simulator

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// OAuth configures the authorization server: POST /oauth2/token with the grant
// client_credentials (RFC 6749, section 4.4), and the client in the Authorization
// header or in the body.
type OAuth struct {
	ClientID, ClientSecret string
	// TokenUses is the number of calls after which a token is refused as expired.
	// Defaults to no limit.
	TokenUses int
}

// APIKey is a header that every call must have.
type APIKey struct{ Header, Value string }

// tokens are the issued tokens, with the calls that are left.
type tokens struct {
	mu   sync.Mutex
	left map[string]int
}

// authorize refuses a call without the key or a token, and one for another version.
func (c *Carrier) authorize(w http.ResponseWriter, r *http.Request) bool {
	key, oauth := c.config.APIKey, c.config.OAuth
	if key.Header != "" && !same(r.Header.Get(key.Header), key.Value) {
		c.counts.change(func(s *Stats) { s.Unauthorized++ })
		refuse(w, r, http.StatusUnauthorized, "The API key is missing or wrong.")
		return false
	}
	if oauth.ClientID != "" && !c.tokens.use(r.Header.Get("Authorization"), oauth.TokenUses) {
		c.counts.change(func(s *Stats) { s.Unauthorized++ })
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		refuse(w, r, http.StatusUnauthorized, "The token is missing, wrong or has expired.")
		return false
	}
	if v := r.Header.Get("API-Version"); v != "" && v != "2" {
		c.counts.change(func(s *Stats) { s.Refused++ })
		refuse(w, r, http.StatusBadRequest, "API-Version must be the major version only, 2.")
		return false
	}
	return true
}

// use counts one use of the token in an Authorization header.
func (t *tokens) use(header string, bound int) bool {
	scheme, token, _ := strings.Cut(header, " ")
	t.mu.Lock()
	defer t.mu.Unlock()
	left, ok := t.left[token]
	if !strings.EqualFold(scheme, "Bearer") || !ok || bound > 0 && left == 0 {
		return false
	}
	t.left[token] = left - 1
	return true
}

// tokenSeconds is the expires_in of tokens.
const tokenSeconds = 3600

func (c *Carrier) issueToken(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil || r.PostForm.Get("grant_type") != "client_credentials" {
		w.WriteHeader(http.StatusBadRequest)
		write(w, `{"error":"unsupported_grant_type"}`)
		return
	}
	id, secret := client(r)
	if !same(id, c.config.OAuth.ClientID) || !same(secret, c.config.OAuth.ClientSecret) {
		c.counts.change(func(s *Stats) { s.Unauthorized++ })
		w.Header().Set("WWW-Authenticate", `Basic realm="token"`)
		w.WriteHeader(http.StatusUnauthorized)
		write(w, `{"error":"invalid_client"}`)
		return
	}
	body, err := json.Marshal(map[string]any{
		"access_token": c.tokens.issue(c.config.OAuth.TokenUses), "token_type": "Bearer", "expires_in": tokenSeconds,
	})
	if err != nil {
		panic(err) // cannot happen for texts and numbers
	}
	c.counts.change(func(s *Stats) { s.Tokens++ })
	write(w, string(body))
}

func (t *tokens) issue(uses int) string {
	token := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == nil {
		t.left = map[string]int{}
	}
	t.left[token] = uses
	return token
}

// client returns the credentials of a token request. In the header both are
// form-encoded (RFC 6749, section 2.3.1).
func client(r *http.Request) (id, secret string) {
	id, secret, ok := r.BasicAuth()
	if !ok {
		return r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	}
	plain := func(text string) string {
		if decoded, err := url.QueryUnescape(text); err == nil {
			return decoded
		}
		return text
	}
	return plain(id), plain(secret)
}

func same(given, want string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
}
