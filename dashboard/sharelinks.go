package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	catalogs "github.com/landfallhq/tracking/dashboard/catalog"
	"github.com/landfallhq/tracking/freight"
)

const (
	shareLinksNoun = "settings/share-links"
	shareLinksPath = "/" + shareLinksNoun
	// shareDays is how long a link lasts unless another day is chosen.
	shareDays = 30
)

func shareLinkRoutes() []route {
	one := shareLinksPath + "/{id}"
	return slices.Concat(listingRoutes(shareLinksPath, shareLinkListing), []route{
		{pattern: "GET " + one + "/revoke", permission: tracking.Create, serve: askToRevokeShareLink},
		{pattern: "POST " + one + "/revoke", permission: tracking.Create, serve: revokeShareLink},
		{pattern: "GET /shipments/{id}/share", permission: tracking.Create, serve: showShare((*request).sharedShipment)},
		{pattern: "POST /shipments/{id}/share", permission: tracking.Create, serve: createShareLink((*request).sharedShipment)},
		{pattern: "GET /views/{id}/share", permission: tracking.Create, serve: showShare((*request).sharedView)},
		{pattern: "POST /views/{id}/share", permission: tracking.Create, serve: createShareLink((*request).sharedView)},
		{pattern: "GET /views/{id}/calendar", permission: tracking.Create, serve: showShare((*request).calendarOfView)},
		{pattern: "POST /views/{id}/calendar", permission: tracking.Create, serve: createShareLink((*request).calendarOfView)},
		{pattern: "GET /shared/{token}/" + calendarFile, public: true, shared: true, serve: showSharedCalendar},
		{pattern: "GET /shared/{token...}", public: true, shared: true, serve: showShared},
	})
}

// shareLinkRow is a share link in a list.
type shareLinkRow struct {
	*tracking.ShareLink
	shipment *tracking.Shipment // the zero Shipment of a list
	user     string
	// fields are the names of custom fields, by their columns.
	fields map[string]string
}

func (r shareLinkRow) recordID() tracking.ID { return r.ID }

// shareLinkRows reads a page of links with what they show and who made them.
func (req *request) shareLinkRows(ctx context.Context, q tracking.ShareLinkQuery, p tracking.Page) ([]shareLinkRow, int, error) {
	list, total, err := req.t.ShareLinks().List(ctx, q, p)
	if err != nil || len(list) == 0 {
		return nil, total, err
	}
	names, err := req.t.Users().Names(ctx)
	if err != nil {
		return nil, 0, err
	}
	fields, err := req.fieldNames(ctx)
	if err != nil {
		return nil, 0, err
	}
	rows := make([]shareLinkRow, 0, len(list))
	for _, l := range list {
		s, err := req.places.shipment(ctx, l.Shipment)
		if err != nil {
			return nil, 0, err
		}
		row := shareLinkRow{l, s, names[l.User], map[string]string{}}
		for _, id := range l.Fields {
			d := fields[id]
			switch {
			case d == nil: // deleted
			case l.Shipment != (tracking.ID{}) && d.EntityType == tracking.ContainerEntity:
				row.fields[containerPrefix+fieldPrefix+d.APISlug] = d.DisplayName
			default:
				row.fields[fieldPrefix+d.APISlug] = d.DisplayName
			}
		}
		rows = append(rows, row)
	}
	return rows, total, nil
}

// fieldNames are the custom fields of all types.
func (req *request) fieldNames(ctx context.Context) (map[tracking.ID]*tracking.CustomFieldDefinition, error) {
	list, _, err := req.t.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
	by := make(map[tracking.ID]*tracking.CustomFieldDefinition, len(list))
	for _, d := range list {
		by[d.ID] = d
	}
	return by, err
}

var shareTones = map[string]string{"active": "good", "revoked": "bad", "expired": "", "ended": ""}

func shareLinkColumns(req *request) []column[shareLinkRow] {
	c := req.texts
	list := []column[shareLinkRow]{
		{name: "shared", shown: true, cell: func(r shareLinkRow) cell {
			if r.Shipment != (tracking.ID{}) {
				return linked(shipmentName(r.shipment), req.toShipment(r.Shipment))
			}
			return cell{Text: r.Name, Note: c.get(viewedNouns[r.List] + ".title")}
		}},
		{name: "state", shown: true, cell: func(r shareLinkRow) cell {
			return cell{Text: c.word("share.state", r.State), Tone: shareTones[r.State]}
		}},
		{name: "openings", shown: true, numeric: true, cell: func(r shareLinkRow) cell { return number(r.Openings) }},
		{name: "last_opened_at", shown: true, cell: func(r shareLinkRow) cell { return c.moment(r.LastOpenedAt, "") }},
		{name: "until", shown: true, cell: func(r shareLinkRow) cell { return c.lastDay(r.ShareLink) }},
		{name: "shown_columns", shown: true, cell: func(r shareLinkRow) cell { return c.sharedColumns(r) }},
		{name: "address", shown: true, cell: func(r shareLinkRow) cell { return text("…" + r.Hint) }},
		{name: "made_by", shown: true, cell: func(r shareLinkRow) cell { return text(r.user) }},
		{name: "created_at", cell: func(r shareLinkRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "revoked_at", cell: func(r shareLinkRow) cell { return c.moment(r.RevokedAt, "") }},
		{name: "revoke", shown: true, action: true, cell: func(r shareLinkRow) cell {
			if r.State != "active" && r.State != "ended" {
				return cell{}
			}
			return linked(c.get("share.revoke.link"), req.link(shareLinksPath+"/"+r.ID.String()+"/revoke"))
		}},
	}
	if !req.can(tracking.Create) {
		list = without(list, "revoke")
	}
	return list
}

// sharedColumns names what a link shows besides what each shows. A custom field that is no
// longer there is not shown.
func (c catalog) sharedColumns(r shareLinkRow) cell {
	names := make([]string, 0, len(r.Columns))
	for _, name := range r.Columns {
		plain := strings.TrimPrefix(name, containerPrefix)
		if strings.HasPrefix(plain, fieldPrefix) {
			names = append(names, r.fields[name])
		} else {
			names = append(names, c.get("column."+plain))
		}
	}
	return joined(nonEmpty(names...))
}

// lastDay is the day at whose end a link ends, with the zone of that day.
func (c catalog) lastDay(l *tracking.ShareLink) cell {
	at := l.ExpiresAt.Add(-time.Second).In(location(l.Timezone))
	out := c.day(at, l.Timezone)
	out.Note = zoneText(at, l.Timezone)
	return out
}

// zoneText names a zone, with its difference from UTC at a time.
func zoneText(at time.Time, zone string) string {
	if zone == "" {
		return "UTC"
	}
	return fmt.Sprintf("%s, %s", zone, catalogs.ZoneLabel(at))
}

func shareLinkListing(req *request) (listing[shareLinkRow], error) {
	return listing[shareLinkRow]{
		noun: shareLinksNoun, columns: shareLinkColumns(req),
		rows: func(ctx context.Context, q *query, _ []column[shareLinkRow], p tracking.Page) ([]shareLinkRow, int, error) {
			if err := q.err(); err != nil {
				return nil, 0, err
			}
			return req.shareLinkRows(ctx, tracking.ShareLinkQuery{}, p)
		},
		frame: func(_ context.Context, _ *query, p *listPage) error { p.Crumbs = req.settingsCrumbs(); return nil },
	}, nil
}

// shareLinks is the table of the links of a page.
func (req *request) shareLinks(ctx context.Context, q tracking.ShareLinkQuery) (table, error) {
	rows, _, err := req.shareLinkRows(ctx, q, tracking.Page{Number: 1, Size: maxSize})
	about := slices.Clone(req.shows)
	if len(about) == 0 {
		about = append(about, req.pathID())
	}
	for _, r := range rows {
		about = append(about, r.ID)
	}
	req.about(about...) // of more links than a page can be about, it follows what it shares alone
	return tableOf(req, shareLinkColumns(req), rows, "state", "openings", "last_opened_at", "until", "shown_columns", "address", "made_by", "revoke"), err
}

// share is what is to be shared, and how it can be chosen.
type share struct {
	path string // of the page that it is shared from
	name string
	// action is where the form is sent, below path, and the name of its texts: share or calendar.
	action string
	// days is how long the link lasts unless another day is chosen.
	days int
	of   tracking.NewShareLink // Shipment, or View
	// query selects the links of the same.
	query tracking.ShareLinkQuery
	// inputs have the choices, and fields the custom fields among those.
	inputs []input
	fields map[string]tracking.ID
	// zone is that of the last day; "" for UTC.
	zone string
}

// timelineChoice is the choice of the milestones of a shipment, and containerPrefix begins those of
// its containers.
const timelineChoice, containerPrefix = "timeline", "containers/"

// sharedShipment is the shipment in the path, as something to share.
func (req *request) sharedShipment() (share, error) {
	ctx, c := req.r.Context(), req.texts
	s, err := req.t.Shipment(ctx, req.pathID())
	if err != nil {
		return share{}, err
	}
	own, err := req.definedFields(ctx, tracking.ShipmentEntity)
	if err != nil {
		return share{}, err
	}
	containers, err := req.definedFields(ctx, tracking.ContainerEntity)
	if err != nil {
		return share{}, err
	}
	details := append(columnOptions(req, "", without(shipmentColumns(req, own), alwaysShared...)), option{Value: timelineChoice, Label: c.get("section.timeline")})
	return share{
		path: "/shipments/" + s.ID.String(), name: shipmentName(s), action: "share", days: shareDays, zone: s.PODTimezone,
		of: tracking.NewShareLink{Shipment: s.ID}, query: tracking.ShareLinkQuery{Shipments: []tracking.ID{s.ID}},
		fields: fieldIDs(map[string][]*tracking.CustomFieldDefinition{"": own, containerPrefix: containers}),
		inputs: []input{
			{Name: "columns", Label: c.get("share.details"), Kind: inputChoices, Options: details, Hint: c.get("share.details.hint")},
			{ID: "container-columns", Name: "columns", Label: c.get("share.containers"), Kind: inputChoices, Options: columnOptions(req, containerPrefix, without(containerColumns(req, containers), ofShipment...))},
		},
	}, nil
}

// sharedView is the view in the path, as something to share.
func (req *request) sharedView() (share, error) {
	ctx, c := req.r.Context(), req.texts
	v, l, err := req.viewToShare()
	if err != nil {
		return share{}, err
	}
	var fields []*tracking.CustomFieldDefinition
	if l.entity != "" {
		if fields, err = req.definedFields(ctx, l.entity); err != nil {
			return share{}, err
		}
	}
	return share{
		path: "/views/" + v.ID.String(), name: v.Name, action: "share", days: shareDays,
		of: tracking.NewShareLink{View: v.ID}, query: tracking.ShareLinkQuery{Views: []tracking.ID{v.ID}},
		fields: fieldIDs(map[string][]*tracking.CustomFieldDefinition{"": fields}),
		inputs: []input{
			{Name: "name", Label: c.get("share.name"), Kind: inputText, Value: v.Name, Required: true, Hint: c.get("share.name.hint")},
			{Name: "columns", Label: c.get("columns.title"), Kind: inputChoices, Options: chosen(l.options, preselected(l, v.Parameters)...), Hint: c.get("share.columns.hint")},
		},
	}, nil
}

// viewToShare is the view in the path, with its list.
func (req *request) viewToShare() (*tracking.View, sharedListing, error) {
	v, err := req.t.Views().Get(req.r.Context(), req.pathID())
	if err != nil {
		return nil, sharedListing{}, err
	}
	l, err := req.sharedListing(viewedNouns[v.List])
	return v, l, err
}

// fieldIDs are the definitions of custom fields by the choice of each.
func fieldIDs(by map[string][]*tracking.CustomFieldDefinition) map[string]tracking.ID {
	ids := map[string]tracking.ID{}
	for prefix, list := range by {
		for _, d := range list {
			ids[prefix+fieldPrefix+d.APISlug] = d.ID
		}
	}
	return ids
}

// columnOptions are columns as options.
func columnOptions[R record](req *request, prefix string, columns []column[R]) (list []option) {
	for _, c := range columns {
		list = append(list, option{Value: prefix + c.name, Label: headingOf(req, c)})
	}
	return list
}

// without returns the columns that do not have one of some names.
func without[R record](columns []column[R], not ...string) []column[R] {
	return slices.DeleteFunc(slices.Clone(columns), func(c column[R]) bool { return slices.Contains(not, c.name) })
}

func (req *request) shareForm(s share) form {
	c := req.texts
	day := req.now.In(location(s.zone)).AddDate(0, 0, s.days)
	until := input{
		Name: "expires_at", Label: c.get("share.until"), Kind: inputDate, Required: true, Value: day.Format(time.DateOnly),
		Hint: c.get("share.until.hint", zoneText(day, s.zone)),
	}
	if s.of.Shipment != (tracking.ID{}) {
		until.Hint += " " + c.get("share.until.shipment")
	}
	return req.newForm(s.path+"/"+s.action, s.action+".create", req.link(s.path), append([]input{until}, s.inputs...)...)
}

// sharePage is the form of a link, with the links that there are.
type sharePage struct {
	formPage
	Links table
}

func (req *request) renderShare(status int, s share, f form) error {
	links, err := req.shareLinks(req.r.Context(), s.query)
	if err != nil {
		return err
	}
	p := sharePage{formPage{Crumbs: req.crumbs(s.path, s.name), Lead: req.texts.get(s.action + ".lead"), Form: f}, links}
	return req.render(status, "share", req.texts.get(s.action+".title", s.name), p)
}

func showShare(of func(*request) (share, error)) func(*request) error {
	return func(req *request) error {
		s, err := of(req)
		if err != nil {
			return err
		}
		return req.renderShare(http.StatusOK, s, req.shareForm(s))
	}
}

// createShareLink makes a link and shows its address, once.
func createShareLink(of func(*request) (share, error)) func(*request) error {
	return func(req *request) error {
		s, err := of(req)
		if err != nil {
			return err
		}
		n, err := req.sentShareLink(s)
		if err == nil {
			err = req.showOnce(s.path, func() (shownOnce, error) { return req.newShareLink(s, n) })
		}
		if len(faultsOf(err)) == 0 {
			return err
		}
		f := req.shareForm(s)
		f.Once = newToken()
		f.fill(req.r.PostForm)
		if err := req.refuse(&f, err); err != nil {
			return err
		}
		return req.renderShare(http.StatusUnprocessableEntity, s, f)
	}
}

// newShareLink makes a link, and returns what is shown of it.
func (req *request) newShareLink(s share, n tracking.NewShareLink) (o shownOnce, err error) {
	token, link, err := req.t.ShareLinks().Create(req.r.Context(), n, req.once())
	if err != nil || token == "" { // made by another process, or long ago
		return o, err
	}
	c, day := req.texts, req.texts.lastDay(link)
	p := oncePage{
		Crumbs: req.crumbs(s.path, s.name), Lead: c.get(s.action + ".created.lead"), Value: req.absolute("/shared/" + token),
		Note: c.get(s.action+".created.until", day.Text, day.Note), Back: req.link(s.path),
	}
	if s.action == calendarAction {
		p.Value += "/" + calendarFile
		p.Open, p.OpenLabel = webcal(p.Value), c.get("calendar.open")
	}
	return shownOnce{c.get(s.action + ".created"), p}, nil
}

// sentShareLink reads the form of a link.
func (req *request) sentShareLink(s share) (tracking.NewShareLink, error) {
	sent, c, n := req.r.PostForm, req.texts, s.of
	if n.View != (tracking.ID{}) {
		n.Name = cmp.Or(strings.TrimSpace(sent.Get("name")), s.name)
	}
	for _, in := range s.inputs {
		for _, o := range in.Options {
			if slices.Contains(sent[in.Name], o.Value) {
				n.Columns = append(n.Columns, o.Value)
			}
			if id, ok := s.fields[o.Value]; ok && slices.Contains(sent[in.Name], o.Value) {
				n.Fields = append(n.Fields, id)
			}
		}
	}
	if n.View != (tracking.ID{}) && len(n.Columns) == 0 || s.action == calendarAction && !hasDates(n.Columns) {
		return n, &tracking.Error{Kind: tracking.Invalid, Field: "columns", Code: "blank", Detail: c.get(s.action + ".columns.blank")}
	}
	n.Timezone = s.zone
	day := sent.Get("expires_at")
	at, err := time.Parse(time.DateOnly, day)
	switch {
	case day == "":
		return n, nil // refused by the engine
	case err != nil || at.Year() < 1:
		return n, &tracking.Error{Kind: tracking.Invalid, Field: "expires_at", Detail: c.get("error.date", clip(day))}
	}
	n.ExpiresAt = endOf(at, s.zone)
	return n, nil
}

// endOf is when a day ends in a zone; "" is UTC.
func endOf(day time.Time, zone string) time.Time {
	return freight.Moment{Time: day.AddDate(0, 0, 1), Day: true, Floating: true}.Localize(cmp.Or(zone, "UTC")).Time
}

// ownShareLink returns the link in the path, with the page that it is shared from.
func (req *request) ownShareLink() (l *tracking.ShareLink, page string, err error) {
	if l, err = req.t.ShareLinks().Get(req.r.Context(), req.pathID()); err != nil {
		return nil, "", err
	}
	if page = shareLinksPath; l.Shipment != (tracking.ID{}) {
		page = "/shipments/" + l.Shipment.String()
	}
	return l, page, nil
}

func askToRevokeShareLink(req *request) error {
	l, page, err := req.ownShareLink()
	if err != nil {
		return err
	}
	return req.question("share.revoke", shareLinksPath+"/"+l.ID.String()+"/revoke", page, req.settingsCrumbs(shareLinksPath, req.texts.get("settings.share-links")), l.Hint)
}

func revokeShareLink(req *request) error {
	l, page, err := req.ownShareLink()
	if err != nil {
		return err
	}
	if _, err := req.t.ShareLinks().Revoke(req.r.Context(), l.ID); err != nil {
		return err
	}
	return req.done(page, "share.revoked")
}
