package dashboard

import (
	"context"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
)

// sessionStore keeps sessions in the store of a Tracker, so that they outlast the process. A
// session of a user ends there with the user, and one of a key is deleted with its account.
type sessionStore struct{ sessions tracking.Sessions }

// foundSession is the session that a request began with, in its context. A request that is
// still running when somebody signs out must not bring the session back.
type foundSession struct{ token string }

type foundSessionKey struct{}

func withFoundSession(ctx context.Context) context.Context {
	return context.WithValue(ctx, foundSessionKey{}, &foundSession{})
}

// FindCtx implements scs.CtxStore.
func (s sessionStore) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	data, found, err = s.sessions.Find(ctx, token)
	if f, ok := ctx.Value(foundSessionKey{}).(*foundSession); ok && found {
		f.token = token
	}
	return data, found, err
}

// CommitCtx implements scs.CtxStore.
func (s sessionStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, values, err := scs.GobCodec{}.Decode(data)
	if err != nil {
		return err
	}
	by, _ := values[sessionUser].(string)
	signedIn, _ := parseSignIn(by)
	if account, _ := values[sessionAccountID].(string); signedIn.Account == (tracking.AccountID{}) {
		signedIn.Account = tracking.AccountID(parseID(account))
	}
	if f, ok := ctx.Value(foundSessionKey{}).(*foundSession); ok && f.token == token {
		return s.sessions.Replace(ctx, token, data, signedIn, expiry)
	}
	return s.sessions.Commit(ctx, token, data, signedIn, expiry)
}

// DeleteCtx implements scs.CtxStore.
func (s sessionStore) DeleteCtx(ctx context.Context, token string) error {
	return s.sessions.Delete(ctx, token)
}

// Find implements scs.Store.
func (s sessionStore) Find(token string) (data []byte, found bool, err error) {
	return s.FindCtx(context.Background(), token)
}

// Commit implements scs.Store.
func (s sessionStore) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete implements scs.Store.
func (s sessionStore) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
