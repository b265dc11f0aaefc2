package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

func bulkRoutes() []route {
	return []route{
		{pattern: "POST /bulk-actions", permission: tracking.Update, serve: chooseBulk},
		{pattern: "GET /bulk-actions/{bulk}", permission: tracking.Show, serve: showBulk},
		{pattern: "POST /bulk-actions/{bulk}", permission: tracking.Update, serve: confirmBulk},
	}
}

// maxBulk bounds the records of a bulk action.
const maxBulk = 5_000

// keptBulk is an action on chosen records. It never changes.
type keptBulk struct {
	Noun, Action string
	// List has the parameters of the list that they were chosen from.
	List string
	IDs  []tracking.ID
}

// bulkProgress is how far a bulk action is.
type bulkProgress struct {
	// Entered is what was confirmed: tags, or the value of a custom field.
	Entered []string
	// Results of the records that are done, in their order.
	Results []bulkResult
}

// bulkResult is what has become of a record.
type bulkResult struct {
	// Left is why nothing had to be done, and Refused why it could not. Both are empty for a
	// record that was changed.
	Left    string `json:",omitempty"`
	Refused string `json:",omitempty"`
}

// bulkRecord is a record that an action is about.
type bulkRecord struct {
	entity tracking.Entity
	name   cell
	tags   []string
	// shipment is the record, or that of the container; nil for a request.
	shipment *tracking.Shipment
	version  int64
	// refreshed is the container by which its shipment is refreshed; zero for none.
	refreshed tracking.ID
	result    bulkResult
}

func (r bulkRecord) recordID() tracking.ID { return r.entity.ID }

// bulkEntities are the types of the records of the lists that have actions.
var bulkEntities = map[string]tracking.EntityType{
	"shipments": tracking.ShipmentEntity, "containers": tracking.ContainerEntity, "tracking-requests": tracking.TrackingRequestEntity,
}

// Actions on many records. Those of custom fields begin with fieldPrefix.
const (
	bulkStop, bulkResume, bulkRefresh, bulkAddTags, bulkRemoveTags = "stop", "resume", "refresh", "add_tags", "remove_tags"
)

// bulkActions are those of each list, besides its custom fields.
var bulkActions = map[string][]string{
	"shipments": {bulkStop, bulkResume, bulkRefresh, bulkAddTags, bulkRemoveTags}, "containers": {bulkRefresh}, "tracking-requests": {bulkAddTags, bulkRemoveTags},
}

// bulkRecord reads a record of a list.
func (req *request) bulkRecord(ctx context.Context, noun string, id tracking.ID) (r bulkRecord, err error) {
	r.entity = tracking.Entity{Type: bulkEntities[noun], ID: id}
	switch noun {
	case "shipments":
		if r.shipment, err = req.t.Shipment(ctx, id); err != nil {
			return r, err
		}
		r.name, r.tags, r.version = linked(shipmentName(r.shipment), req.toShipment(id)), r.shipment.Tags, r.shipment.Version
		if len(r.shipment.Containers) > 0 {
			r.refreshed = r.shipment.Containers[0]
		}
	case "containers":
		c, err := req.t.Container(ctx, id)
		if err != nil {
			return r, err
		}
		r.name, r.refreshed = linked(c.Number, req.toContainer(id)), id
		r.shipment, err = req.t.Shipment(ctx, c.Shipment)
		return r, err
	default:
		q, err := req.t.TrackingRequest(ctx, id)
		if err != nil {
			return r, err
		}
		r.name, r.tags, r.version = text(q.RequestNumber), q.Tags, q.Version
	}
	return r, nil
}

// bulkRun is an action on chosen records, with what was entered for it.
type bulkRun struct {
	keptBulk
	id    string
	field *tracking.CustomFieldDefinition // nil for other actions
	// given: what the action needs was entered; entered has it, without empty values.
	given   bool
	entered []string
}

// hasInput reports whether something must be entered.
func (run *bulkRun) hasInput() bool {
	return run.field != nil || run.Action == bulkAddTags || run.Action == bulkRemoveTags
}

// bulkRun reads the action in the path, with what a form has for it.
func (req *request) bulkRun(form url.Values) (run bulkRun, err error) {
	run.id = req.r.PathValue("bulk")
	found, err := req.kept("bulk/"+run.id, &run.keptBulk)
	if err != nil {
		return run, err
	}
	if !found {
		return run, &pageError{http.StatusNotFound, req.texts.get("bulk.gone")}
	}
	if slug, ok := strings.CutPrefix(run.Action, fieldPrefix); ok {
		if run.field, err = req.bulkField(run.Noun, slug); err != nil {
			return run, err
		}
		if run.field == nil { // deleted since: the results stay, and others are refused
			run.field = &tracking.CustomFieldDefinition{APISlug: slug, DisplayName: slug}
		}
	}
	run.given = !run.hasInput() || form.Has("given")
	for _, s := range form["value"] {
		words := []string{s}
		if run.field == nil {
			words = strings.Split(s, ",")
		}
		for _, w := range words {
			w = strings.TrimSpace(strings.ToValidUTF8(w, "�"))
			if w != "" && !slices.Contains(run.entered, w) {
				run.entered = append(run.entered, w)
			}
		}
	}
	return run, nil
}

// bulkField is the definition of a custom field of a list; nil if there is none.
func (req *request) bulkField(noun, slug string) (*tracking.CustomFieldDefinition, error) {
	list, err := req.definedFields(req.r.Context(), bulkEntities[noun])
	i := slices.IndexFunc(list, func(d *tracking.CustomFieldDefinition) bool { return d.APISlug == slug })
	if err != nil || i < 0 {
		return nil, err
	}
	return list[i], nil
}

// kind is the name of the texts about the action.
func (run *bulkRun) kind() string {
	if run.field != nil {
		return "field"
	}
	return run.Action
}

// label is what the action is called.
func (run *bulkRun) label(c catalog) string {
	if run.field != nil {
		return c.get("bulk.field", run.field.DisplayName)
	}
	return c.get("bulk." + run.Action)
}

// problem says why what was entered cannot be used; empty if it can.
func (run *bulkRun) problem(ctx context.Context, req *request) (string, error) {
	switch {
	case !run.given:
		return req.texts.get("bulk.enter"), nil
	case run.field != nil:
		value, err := stored(run.field, run.entered)
		if err != nil {
			return "", err
		}
		err = req.t.CheckCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: bulkEntities[run.Noun], ID: run.IDs[0]}, APISlug: run.field.APISlug, Value: value})
		if said, refused := refusal(err); refused {
			return said, nil
		}
		return "", err
	case run.hasInput() && len(run.entered) == 0:
		return req.texts.get("bulk.tags.none"), nil
	case run.hasInput():
		return run.problemOfTags(req.texts), nil
	}
	return "", nil
}

func (run *bulkRun) problemOfTags(c catalog) string {
	for _, tag := range run.entered {
		if len([]rune(tag)) > maxValue {
			return c.get("bulk.tags.long", clip(tag), maxValue)
		}
	}
	return ""
}

// left says why a record is left as it is; empty if it will be changed.
func (run *bulkRun) left(ctx context.Context, req *request, r bulkRecord) (string, error) {
	c := req.texts
	stopped := r.shipment != nil && !r.shipment.LineTrackingStoppedAt.IsZero()
	switch {
	case run.field != nil:
		return run.leftByField(ctx, req, r)
	case run.Action == bulkStop && stopped:
		return c.get("bulk.left.stopped", c.word("stopped", string(r.shipment.LineTrackingStoppedReason))), nil
	case run.Action == bulkResume && !stopped:
		return c.get("bulk.left.tracked"), nil
	case run.Action == bulkRefresh && stopped:
		return c.get("bulk.left.resume"), nil
	case run.Action == bulkRefresh && r.refreshed == tracking.ID{}:
		return c.get("bulk.left.empty"), nil
	case run.Action == bulkAddTags && len(run.tags(r)) == len(r.tags):
		return c.get("bulk.left.tagged"), nil
	case run.Action == bulkRemoveTags && len(run.tags(r)) == len(r.tags):
		return c.get("bulk.left.untagged"), nil
	}
	return "", nil
}

func (run *bulkRun) leftByField(ctx context.Context, req *request, r bulkRecord) (string, error) {
	f, err := req.t.CustomFieldOf(ctx, r.entity, run.field.APISlug)
	var has []string
	switch {
	case errors.Is(err, tracking.ErrNotFound):
	case err != nil:
		return "", err
	default:
		has = entered(run.field, f.Value)
	}
	if slices.Equal(has, run.entered) {
		return req.texts.get("bulk.left.same"), nil
	}
	return "", nil
}

// tags are those that a record has afterwards.
func (run *bulkRun) tags(r bulkRecord) []string {
	without := slices.DeleteFunc(slices.Clone(r.tags), func(s string) bool { return slices.Contains(run.entered, s) })
	if run.Action == bulkRemoveTags {
		return without
	}
	tags := slices.Clone(r.tags)
	for _, s := range run.entered {
		if !slices.Contains(tags, s) {
			tags = append(tags, s)
		}
	}
	return tags
}

// apply does the action to a record.
func (run *bulkRun) apply(ctx context.Context, t *tracking.Tracker, r bulkRecord) (err error) {
	id, tags := r.entity.ID, tracking.Set(run.tags(r))
	switch {
	case run.field != nil:
		var value []byte
		if value, err = stored(run.field, run.entered); err == nil {
			_, err = t.SetCustomField(ctx, tracking.NewCustomField{Entity: r.entity, APISlug: run.field.APISlug, Value: value})
		}
	case run.Action == bulkStop:
		_, err = t.StopTracking(ctx, id)
	case run.Action == bulkResume:
		_, err = t.ResumeTracking(ctx, id)
	case run.Action == bulkRefresh:
		_, err = t.RefreshContainer(ctx, r.refreshed)
	case run.Noun == "shipments":
		_, err = t.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tags, IfVersion: r.version})
	default:
		_, err = t.UpdateTrackingRequest(ctx, id, tracking.TrackingRequestUpdate{Tags: tags, IfVersion: r.version})
	}
	return err
}

// do does the action to a record as it is now. What changed meanwhile is read again.
func (run *bulkRun) do(ctx context.Context, req *request, id tracking.ID) (result bulkResult, err error) {
	for range 3 {
		var r bulkRecord
		if r, err = req.bulkRecord(ctx, run.Noun, id); err != nil {
			break
		}
		if result.Left, err = run.left(ctx, req, r); err != nil || result.Left != "" {
			break
		}
		if err = run.apply(ctx, req.t, r); !errors.Is(err, tracking.ErrStale) {
			break
		}
	}
	var fault *tracking.Error
	if said, refused := refusal(err); refused {
		return bulkResult{Refused: said}, nil
	}
	if errors.As(err, &fault) && statuses[fault.Kind] != 0 && fault.Kind != tracking.Unavailable {
		return bulkResult{Refused: sentence(err)}, nil
	}
	return result, err
}
