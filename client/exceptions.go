package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/landfallhq/tracking"
)

const exceptionsPath = "/exceptions"

// Exceptions lists exceptions, the last found first unless q sorts.
func (c *Client) Exceptions(q tracking.ExceptionQuery) List[tracking.Exception] {
	return listOf[tracking.Exception](c, exceptionsPath, exceptionValues(q))
}

func exceptionValues(q tracking.ExceptionQuery) *values {
	v := newValues(nil)
	v.filterList("kind", q.Kinds)
	v.filterList("severity", q.Severities)
	if q.Open != tracking.Any {
		v.filterList("state", []string{map[tracking.Tri]string{tracking.Yes: "open", tracking.No: "closed"}[q.Open]})
	}
	v.filterTri("acknowledged", q.Acknowledged)
	v.filterList("assignee", q.Assignees)
	v.filterIDs("shipment", q.Shipments)
	v.filterIDs("container", q.Containers)
	v.filterTimes("opened_at", q.Opened)
	v.filterTimes("updated_at", q.Updated)
	v.sort(q.Sort)
	return v
}

// Exception returns an exception. Errors: NotFound.
func (c *Client) Exception(ctx context.Context, id tracking.ID) (*tracking.Exception, error) {
	return getRecord[tracking.Exception](ctx, c, get(exceptionsPath, id, nil))
}

// ExceptionCounts returns how many exceptions match q, by kind; kinds without any are left
// out. The order is not used.
func (c *Client) ExceptionCounts(ctx context.Context, q tracking.ExceptionQuery) (map[string]int, error) {
	q.Sort = nil
	v := exceptionValues(q)
	if v.err != nil {
		return nil, v.err
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: exceptionsPath + "/counts", query: v.Values})
	if err != nil {
		return nil, err
	}
	var doc struct {
		Counts []struct {
			Kind  string
			Count int
		}
	}
	err = json.Unmarshal(answer.body, &doc)
	counts := map[string]int{}
	for _, of := range doc.Counts {
		if of.Count > 0 {
			counts[of.Kind] = of.Count
		}
	}
	return counts, err
}

// UpdateException acknowledges, assigns or notes an exception. Errors: NotFound; Stale;
// Invalid on assignee and note (blank, too_long, invalid).
func (c *Client) UpdateException(ctx context.Context, id tracking.ID, u tracking.ExceptionUpdate) (*tracking.Exception, error) {
	a := attributes{}
	setOpt(a, "acknowledged", u.Acknowledged)
	setOpt(a, "assignee", u.Assignee)
	setOpt(a, "note", u.Note)
	body := resource{Type: "exception", ID: id.String(), Attributes: a}
	return getRecord[tracking.Exception](ctx, c, patch(exceptionsPath, id, body, u.IfVersion))
}

const exceptionSettingsPath = "/exception_settings"

// ExceptionSettings returns the thresholds of exceptions; zero is the default.
func (c *Client) ExceptionSettings(ctx context.Context) (*tracking.ExceptionSettings, error) {
	return getRecord[tracking.ExceptionSettings](ctx, c, request{method: http.MethodGet, path: exceptionSettingsPath})
}

// UpdateExceptionSettings changes thresholds of exceptions, by the name of their attribute; nil
// is the default, and others stay. The server ignores names that no threshold has. Errors:
// Invalid on a threshold (out_of_range).
func (c *Client) UpdateExceptionSettings(ctx context.Context, values map[string]*int) (*tracking.ExceptionSettings, error) {
	a := attributes{}
	for name, value := range values {
		a[name] = value
	}
	body := dataDocument(resource{Type: "exception_settings", Attributes: a})
	return getRecord[tracking.ExceptionSettings](ctx, c, request{method: http.MethodPatch, path: exceptionSettingsPath, body: body})
}
