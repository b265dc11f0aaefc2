package simulator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// subscription is a subscriber.
type subscription struct {
	id        string
	callback  string
	secret    []byte
	filter    filter
	members   map[string]any  // as given, without the secret
	sentUntil time.Time       // everything known until then has been sent
	repeat    []reportedEvent // the last callback, to send it again
}

// document returns the subscription without its secret.
func (s *subscription) document() map[string]any {
	doc := map[string]any{"subscriptionID": s.id, "callbackUrl": s.callback}
	for name, value := range s.members {
		doc[name] = value
	}
	return doc
}

func (c *Carrier) createSubscription(w http.ResponseWriter, r *http.Request) {
	members, err := readObject(w, r)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	s := &subscription{id: uuid.NewString(), sentUntil: c.config.Clock.Now()}
	if s.secret, err = takeSecret(members); err == nil {
		err = s.set(members)
	}
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	c.mu.Lock()
	c.subscriptions = append(c.subscriptions, s)
	c.mu.Unlock()
	answer(w, http.StatusCreated, s.document())
}

func (c *Carrier) listSubscriptions(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]any, len(c.subscriptions))
	for i, s := range c.subscriptions {
		list[i] = s.document()
	}
	answer(w, http.StatusOK, list)
}

func (c *Carrier) getSubscription(w http.ResponseWriter, r *http.Request) {
	c.withSubscription(w, r, func(s *subscription) { answer(w, http.StatusOK, s.document()) })
}

func (c *Carrier) updateSubscription(w http.ResponseWriter, r *http.Request) {
	members, err := readObject(w, r)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	c.withSubscription(w, r, func(s *subscription) {
		switch id, given := members["subscriptionID"]; {
		case members["secret"] != nil:
			refuse(w, r, http.StatusBadRequest, "secret must be left out: it is changed under /secret")
			return
		case given && id != s.id:
			refuse(w, r, http.StatusBadRequest, "subscriptionID must be the one in the path")
			return
		}
		delete(members, "subscriptionID")
		if err := s.set(members); err != nil {
			refuse(w, r, http.StatusBadRequest, err.Error())
			return
		}
		answer(w, http.StatusOK, s.document())
	})
}

func (c *Carrier) deleteSubscription(w http.ResponseWriter, r *http.Request) {
	c.withSubscription(w, r, func(s *subscription) {
		c.subscriptions = slices.DeleteFunc(c.subscriptions, func(other *subscription) bool { return other == s })
		w.WriteHeader(http.StatusNoContent)
	})
}

func (c *Carrier) resetSecret(w http.ResponseWriter, r *http.Request) {
	members, err := readObject(w, r)
	var secret []byte
	if err == nil {
		secret, err = takeSecret(members)
	}
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	c.withSubscription(w, r, func(s *subscription) {
		s.secret = secret
		w.WriteHeader(http.StatusNoContent)
	})
}

// withSubscription calls do with the subscription in the path.
func (c *Carrier) withSubscription(w http.ResponseWriter, r *http.Request, do func(*subscription)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.subscriptions, func(s *subscription) bool { return s.id == r.PathValue("id") })
	if i < 0 {
		refuse(w, r, http.StatusNotFound, "There is no such subscription.")
		return
	}
	do(c.subscriptions[i])
}

// set sets the callback and the filters from a body. Other members are refused.
func (s *subscription) set(members map[string]any) error {
	callback, _ := members["callbackUrl"].(string)
	if u, err := url.Parse(callback); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("callbackUrl must be an http or https URL")
	}
	delete(members, "callbackUrl")
	f := filter{}
	for name, value := range members {
		list, err := texts(value)
		if err == nil {
			err = f.add(name, list)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	s.callback, s.filter, s.members = callback, f, members
	return nil
}

// texts returns the values of a filter: a list, or one text with commas.
func texts(value any) (list []string, err error) {
	switch v := value.(type) {
	case string:
		return strings.Split(v, ","), nil
	case []any:
		for _, element := range v {
			text, ok := element.(string)
			if !ok {
				return nil, errors.New("each value must be a string")
			}
			list = append(list, text)
		}
		return list, nil
	}
	return nil, errors.New("a filter must be a string or an array of strings")
}

// takeSecret removes the secret from a body.
func takeSecret(members map[string]any) ([]byte, error) {
	text, _ := members["secret"].(string)
	secret, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(secret) == 0 {
		return nil, errors.New("secret must be base64")
	}
	delete(members, "secret")
	return secret, nil
}

// readObject reads a body that is a JSON object.
func readObject(w http.ResponseWriter, r *http.Request) (members map[string]any, err error) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	if err := d.Decode(&members); err != nil || members == nil {
		return nil, errors.New("the body must be a JSON object")
	}
	return members, nil
}

func answer(w http.ResponseWriter, status int, doc any) {
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err) // cannot happen for texts
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	write(w, string(body))
}
