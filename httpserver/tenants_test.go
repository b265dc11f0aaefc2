package httpserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
)

// goodBodies has a valid body for each write; {n} is replaced by a new number each
// time.
var goodBodies = map[string]string{
	"PATCH /v2/shipments/{id}":                `{"data":{"attributes":{"tags":["t{n}"]}}}`,
	"PATCH /v2/containers":                    `{"data":{"type":"container","id":"{id}","attributes":{"ref_numbers":["r{n}"]}}}`,
	"PATCH /v2/containers/{id}":               `{"data":{"type":"container","attributes":{"ref_numbers":["r{n}"]}}}`,
	"POST /v2/tracking_requests":              `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU{n}","scac":"MAEU"}}}`,
	"PATCH /v2/tracking_requests/{id}":        `{"data":{"attributes":{"ref_numbers":["r{n}"]}}}`,
	"POST /v2/tracking_requests/bulk":         `{"data":[{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU{n}b","scac":"MAEU"}}]}`,
	"POST /v2/tracking_requests/infer_number": `{"number":"MAEU{n}"}`,
	"POST /v2/reports":                        `{"source":"s","facts":[{"id":"{n}","event":"other","numbers":[{"type":"bill_of_lading","number":"B{n}"}]}]}`,
	"POST /v2/parties":                        `{"data":{"attributes":{"company_name":"P{n}"}}}`,
	"PATCH /v2/parties/{id}":                  `{"data":{"attributes":{"company_name":"P{n}"}}}`,
	"POST /v2/webhooks":                       `{"data":{"type":"webhook","attributes":{"url":"https://example.com/{n}","events":["container.created"]}}}`,
	"PATCH /v2/webhooks/{id}":                 `{"data":{"type":"webhook","attributes":{"headers":[{"name":"X-N","value":"{n}"}]}}}`,
	"POST /v2/webhooks/trigger":               `{"url":"https://example.com/{n}","event":"container.created"}`,
	"POST /v2/webhooks/{id}/recover":          `{"since":"2026-03-01T00:00:00Z"}`,

	"POST /v2/shipments/{shipment_id}/custom_fields":                             fieldValue(`"api_slug":"po","value":"{n}"`),
	"PATCH /v2/shipments/{shipment_id}/custom_fields/{api_slug}":                 fieldValue(`"value":"{n}"`),
	"POST /v2/containers/{container_id}/custom_fields":                           fieldValue(`"api_slug":"lot","value":"{n}"`),
	"PATCH /v2/containers/{container_id}/custom_fields/{api_slug}":               fieldValue(`"value":"{n}"`),
	"POST /v2/tracking_requests/{tracking_request_id}/custom_fields":             fieldValue(`"api_slug":"desk","value":"{n}"`),
	"PATCH /v2/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}": fieldValue(`"value":"{n}"`),
	"POST /v2/custom_fields":                                                     `{"data":` + fieldOf("{shipment}", "po", `"{n}"`) + `}`,
	"POST /v2/custom_fields/bulk":                                                `{"atomic":true,"data":[` + fieldOf("{shipment}", "po", `"{n}"`) + `]}`,
	"PATCH /v2/custom_fields/{id}":                                               fieldValue(`"value":"high"`),
	"POST /v2/custom_field_definitions":                                          definition(`"entity_type":"Shipment","display_name":"F{n}","data_type":"number"`),
	"PATCH /v2/custom_field_definitions/{id}":                                    definition(`"description":"D{n}"`),
	"POST /v2/custom_field_definitions/{definition_id}/options":                  option(`"label":"L{n}","value":"v{n}"`),
	"PATCH /v2/custom_field_definitions/{definition_id}/options/{option_id}":     option(`"label":"L{n}"`),

	"PATCH /v2/exceptions/{id}":    `{"data":{"type":"exception","attributes":{"note":"n{n}"}}}`,
	"PATCH /v2/exception_settings": `{"data":{"type":"exception_settings","attributes":{"hub_dwell_in_days":9}}}`,
	"POST /v2/tariffs":             tariff(leastTariff + `,"terminal_code":"T{n}"`),
	"PATCH /v2/tariffs/{id}":       tariff(`"name":"T{n}"`),
	"POST /v2/tariffs/import":      `{"tariffs":[{` + leastTariff + `,"terminal_code":"I{n}"}]}`,
	"POST /v2/charges/sheet":       `{"invoice_number":"{n}","lines":[` + invoiceLine + `]}`,

	"POST /v2/documents":             `{"data":{"type":"document","attributes":{"name":"D{n}","attached_document":"{signed}"}}}`,
	"PATCH /v2/documents/{id}":       `{"data":{"type":"document","attributes":{"extracted_data_manual":{"n":"{n}"}}}}`,
	"POST /v2/documents/{id}/rotate": `{"degrees":180}`,
	"POST /v2/direct_uploads":        `{"blob":{"filename":"{n}.pdf","content_type":"application/pdf","byte_size":3,"checksum":"rL0Y20zC+Fzt72VPzMSk2A=="}}`,
	"POST /v2/email_submissions":     "From: kim@example.com\r\nSubject: {n}\r\n\r\nHello",
}

func fieldValue(attributes string) string {
	return `{"data":{"type":"custom_field","attributes":{` + attributes + `}}}`
}

// fieldOf returns the body for a value of a shipment.
func fieldOf(shipment, slug, value string) string {
	return `{"type":"custom_field","attributes":{"api_slug":"` + slug + `","value":` + value + `},"relationships":{"entity":{"data":{"type":"shipment","id":"` + shipment + `"}}}}`
}

func definition(attributes string) string {
	return `{"data":{"type":"custom_field_definition","attributes":{` + attributes + `}}}`
}

func tariff(attributes string) string {
	return `{"data":{"type":"tariff","attributes":{` + attributes + `}}}`
}

// oakland are the attributes of the tariff of each tenant, and leastTariff those that no
// tariff can be without.
const (
	invoiceLine = `{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-03-01","to":"2026-03-01","rate":"150","currency":"USD"}`
	leastTariff = `"clock":"demurrage","free_days":4,"currency":"USD","tiers":[{"from":1,"amount":"150"}]`
	oakland     = `"name":"Acme terms","clock":"demurrage","shipping_line_scac":"maeu","location_locode":"usoak","free_days":4,"free_days_kind":"working","holidays":[{"date":"2026-05-25","name":"Memorial Day"}],` +
		`"unavailable_days":"skip","currency":"USD","tiers":[{"from":1,"to":5,"amount":"150"},{"from":6,"to":null,"amount":"300.00"}],"valid_from":"2026-01-01"`
)

func option(attributes string) string {
	return `{"data":{"type":"custom_field_option","attributes":{` + attributes + `}}}`
}

// byID is a path with {id} for the resource that it is about, and the tenant's own
// for what it names besides.
func (t *tenant) byID(path string) string {
	slug := map[bool]string{true: "po"}[strings.Contains(path, "{shipment_id}")]
	switch {
	case strings.Contains(path, "{container_id}"):
		slug = "lot"
	case strings.Contains(path, "{tracking_request_id}"):
		slug = "desk"
	}
	return strings.NewReplacer("{shipment_id}", "{id}", "{container_id}", "{id}", "{tracking_request_id}", "{id}", "{definition_id}", "{id}",
		"{api_slug}", slug, "{option_id}", t.ids["custom_field_option"]).Replace(path)
}

// goodQueries are the queries that operations cannot do without.
var goodQueries = map[string]string{
	"GET /v2/webhook_notifications/examples":                 "?event=container.created",
	"GET /v2/search":                                         "?query=MAEU77001",
	"GET /v2/vessels/{id}/future_positions":                  aheadOfOakland,
	"GET /v2/vessels/{id}/future_positions_with_coordinates": aheadOfOakland + "&latitude=37.5&longitude=-130",
}

// aheadOfOakland asks for the way from Shanghai to Oakland.
const aheadOfOakland = "?port_id=cbcd52d8-f0e2-5b69-b7fd-b21cdcd774b5&previous_port_id=ea102046-86a8-53d8-96f8-4b13cb7d2bd9"

// sharedTypes are the types with the same records in every account.
var sharedTypes = map[string]bool{"port": true, "metro_area": true, "shipping_line": true, "document_schema": true}

// typeOf is the resource that an {id} of a route names, and whether every
// account has the same ones.
func typeOf(path string) (typ string, shared bool) {
	for part, typ := range map[string]string{
		"/shipments": "shipment", "/containers": "container", "/tracking_requests": "tracking_request", "/parties": "party",
		"/custom_fields": "custom_field", "/custom_field_definitions": "custom_field_definition",
		"/webhooks": "webhook", "/webhook_recoveries": "webhook_recovery", "/webhook_notifications": "webhook_notification",
		"/transport_events": "transport_event", "/raw_events": "raw_event", "/users": "user",
		"/events": "event", "/exceptions": "exception", "/exception_settings": "exception_settings", "/tariffs": "tariff", "/documents": "document", "/layout_corrections": "layout_correction", "/document_schemas": "document_schema", "/email_submissions": "email_submission",
		"/ports": "port", "/terminals": "terminal", "/metro_areas": "metro_area", "/vessels": "vessel", "/shipping_lines": "shipping_line",
	} {
		if strings.HasPrefix(strings.TrimPrefix(path, "/v2"), part) {
			return typ, sharedTypes[typ]
		}
	}
	return "", false
}

// needed is the permission that docs/contract.md, Permissions, names.
func needed(method, path string) tracking.Permission {
	switch {
	case path == "/v2/audit_events", path == "/v2/exception_settings" && method != "GET", strings.HasPrefix(path, "/v2/tariffs") && method != "GET":
		return tracking.Admin
	case method == "GET", path == "/v2/tracking_requests/infer_number", path == "/v2/charges/sheet": // makes nothing
		return tracking.Show
	case path == "/v2/webhooks/trigger": // an action: it writes nothing
		return tracking.Update
	case strings.HasPrefix(path, "/v2/webhooks") && !strings.HasSuffix(path, "/recover"), strings.HasPrefix(path, "/v2/custom_field_definitions"):
		return tracking.Admin
	case strings.Contains(path, "/custom_fields"): // deletion included
		return tracking.Update
	case strings.HasSuffix(path, "/{id}/recover"), strings.HasSuffix(path, "/redeliver"), strings.HasPrefix(path, "/v2/documents/{id}/"): // actions
		return tracking.Update
	case method == "DELETE":
		return tracking.Delete
	case method == "POST" && path != "/v2/reports":
		return tracking.Create
	}
	return tracking.Update
}

type caller struct {
	name   string
	header string
	can    func(tracking.Permission) bool // nil: not let in at all
	self   *tenant
}

// callers are all who may try: without a key, with a bad one, and with keys of
// every set of permissions.
func (b *bench) callers(t *tenant) []caller {
	b.tb.Helper()
	revoked, id := b.newKey(t.account, t.user)
	if err := b.Operator.RevokeKey(b.tb.Context(), id); err != nil {
		b.tb.Fatal(err)
	}
	list := []caller{
		{name: "no token"},
		{name: "bad token", header: "Token lf_nonsense"},
		{name: "token of another shape", header: "Token " + t.key[:len(t.key)-1]},
		{name: "another scheme", header: "Bearer " + t.key},
		{name: "revoked token", header: "Token " + revoked},
	}
	verbs := []tracking.Permission{tracking.Show, tracking.Update, tracking.Create, tracking.Delete, tracking.Admin}
	for set := 1; set < 1<<len(verbs); set++ {
		actor := tracking.Actor{}
		for i, v := range verbs {
			if set&(1<<i) != 0 {
				actor.Permissions = append(actor.Permissions, v)
			}
		}
		key, _ := b.newKey(t.account, t.user, actor.Permissions...)
		list = append(list, caller{name: fmt.Sprint(actor.Permissions), header: "Token " + key, can: actor.Can, self: t})
	}
	return list
}

// census counts what the matrix found.
type census struct {
	cells, leaks int
	n            int
	bodies       map[string]string // the bytes that refusals of one sort must share
}

// TestTenants sends every operation as every caller with IDs of every sort. An
// ID of the other account must be answered with the bytes of one that never was.
func TestTenants(t *testing.T) {
	b := newBench(t)
	c := &census{bodies: map[string]string{}}
	for _, who := range []*tenant{b.mine, b.theirs} {
		who.ids["layout_correction"] = b.layoutCorrection(who)
	}
	theirs := b.store.stored(t, b.theirs.account)
	for _, who := range b.callers(b.mine) {
		for _, r := range b.server.Routes() {
			if needsKey(r) {
				b.cells(c, who, b.mine, b.theirs, r)
			}
		}
	}
	for _, r := range b.server.Routes() {
		if needsKey(r) {
			b.sideways(c, b.mine, b.theirs, r)
		}
	}
	if diff := cmp.Diff(theirs, b.store.stored(t, b.theirs.account)); diff != "" {
		t.Errorf("the other account changed:\n%s", diff)
	}
	// The other account's own token, with the roles exchanged.
	all := func(tracking.Permission) bool { return true }
	for _, r := range b.server.Routes() {
		if needsKey(r) {
			b.cells(c, caller{name: "other account's token", header: "Token " + b.theirs.key, can: all, self: b.theirs}, b.theirs, b.mine, r)
		}
	}
	t.Logf("%d cells, %d leaks", c.cells, c.leaks)
	if c.cells < 1500 {
		t.Errorf("only %d cells", c.cells)
	}
}

// needsKey reports whether a route needs a key. Signed links do not.
func needsKey(r httpserver.Route) bool {
	return strings.HasPrefix(r.Path, "/v2/") && !strings.Contains(r.Path, "{signed}") && r.Path != "/v2/openapi.json"
}

// cells sends one operation as one caller with IDs of every sort.
func (b *bench) cells(c *census, who caller, mine, theirs *tenant, r httpserver.Route) {
	b.tb.Helper()
	body := mine.fill(goodBodies[r.Pattern()])
	pattern := r.Path
	if r.Path = mine.byID(r.Path); !strings.Contains(r.Path+body, "{id}") {
		b.cell(c, who, theirs, r, body, "", true)
		return
	}
	typ, shared := typeOf(r.Path)
	own := mine.ids[typ]
	if strings.HasSuffix(r.Path, "/rotate") {
		own = mine.ids["picture"]
	}
	if r.Method == "DELETE" {
		r.Path, own = b.toDelete(mine, pattern)
	}
	b.cell(c, who, theirs, r, body, own, true)
	if !shared {
		b.cell(c, who, theirs, r, body, theirs.ids[typ], false)
	}
	for _, id := range []string{randomUUID, "00000000-0000-0000-0000-000000000000", noUUID, mine.ids[typ] + "0", "urn:uuid:" + mine.ids[typ], "%00"} {
		b.cell(c, who, theirs, r, body, id, false)
	}
}

// toDelete creates a record for the next request and returns its path.
func (b *bench) toDelete(t *tenant, path string) (to, id string) {
	b.tb.Helper()
	ctx, tr := b.tb.Context(), b.Operator.For(tracking.Actor{Account: t.account})
	to, fresh := t.byID(strings.Replace(path, "{api_slug}", "spare", 1)), fmt.Sprintf("brief %d", b.requests)
	set := func(e tracking.EntityType, typ string) *tracking.CustomField {
		f, err := tr.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: e, ID: parse(b.tb, t.ids[typ])}, APISlug: "spare", Value: []byte(`"` + fresh + `"`)})
		if err != nil {
			b.tb.Fatal(err)
		}
		return f
	}
	switch path {
	case "/v2/tariffs/{id}":
		terms := freetime.DefaultTerms()
		terms.Name, terms.Clock, terms.Currency, terms.TerminalCode = fresh, freetime.Detention, "USD", fresh
		terms.Tiers = []freetime.TierTerms{{From: 1, Amount: "1"}}
		made, err := tr.Tariffs().Create(ctx, terms)
		if err != nil {
			b.tb.Fatal(err)
		}
		return to, made.ID.String()
	case "/v2/layout_corrections/{id}":
		return to, b.layoutCorrection(t)
	case "/v2/custom_field_definitions/{id}":
		d, err := tr.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.ContainerEntity, DisplayName: fresh, DataType: tracking.DateField})
		if err != nil {
			b.tb.Fatal(err)
		}
		return to, d.ID.String()
	case "/v2/custom_field_definitions/{definition_id}/options/{option_id}":
		o, err := tr.CreateCustomFieldOption(ctx, parse(b.tb, t.ids["custom_field_definition"]), tracking.NewCustomFieldOption{Label: fresh, Value: fresh})
		if err != nil {
			b.tb.Fatal(err)
		}
		return strings.Replace(to, t.ids["custom_field_option"], o.ID.String(), 1), t.ids["custom_field_definition"]
	case "/v2/custom_fields/{id}":
		return to, set(tracking.TrackingRequestEntity, "tracking_request").ID.String()
	case "/v2/shipments/{shipment_id}/custom_fields/{api_slug}":
		set(tracking.ShipmentEntity, "shipment")
		return to, t.ids["shipment"]
	case "/v2/containers/{container_id}/custom_fields/{api_slug}":
		set(tracking.ContainerEntity, "container")
		return to, t.ids["container"]
	case "/v2/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}":
		set(tracking.TrackingRequestEntity, "tracking_request")
		return to, t.ids["tracking_request"]
	case "/v2/documents/{id}":
		return to, b.document(t, "brief", fresh).id()
	}
	w, err := tr.CreateWebhook(b.tb.Context(), tracking.NewWebhook{URL: "https://example.com/brief", Events: []tracking.EventName{freight.ContainerCreated}})
	if err != nil {
		b.tb.Fatal(err)
	}
	return to, w.ID.String()
}

func (b *bench) cell(c *census, who caller, theirs *tenant, r httpserver.Route, body, id string, exists bool) {
	b.tb.Helper()
	c.n++
	fill := strings.NewReplacer("{id}", id, "{n}", fmt.Sprintf("%s%d", theirs.ids["party"][30:], c.n)).Replace
	if strings.Contains(body, "{signed}") && who.self != nil {
		body = strings.ReplaceAll(body, "{signed}", b.signed(who.self, fmt.Sprint("x ", c.n)))
	}
	var headers []string
	if strings.HasSuffix(r.Path, "/email_submissions") {
		headers = append(headers, "Content-Type: message/rfc822")
	}
	if who.header != "" {
		headers = append(headers, "Authorization: "+who.header)
	}
	a := b.do(r.Method, fill(r.Path)+goodQueries[r.Pattern()], strings.ReplaceAll(fill(body), "%00", "x"), headers...)
	c.cells++
	need, what := needed(r.Method, r.Path), who.name+" "+r.Pattern()+" "+id
	switch {
	case who.can == nil:
		b.refused(c, a, what, 401, "401")
	case !who.can(need):
		b.refused(c, a, what, 403, "403 "+string(need))
	case !exists:
		b.refused(c, a, what, 404, "404 "+missing(r.Path, id))
	case a.status/100 != 2:
		b.tb.Errorf("%s: %d %s", what, a.status, a.body)
	}
	b.noLeak(c, a, what, theirs)
}

// missing is the sort of a 404: some say what was not found (see
// docs/contract.md#errors).
func missing(path, id string) string {
	if strings.HasPrefix(path, "/v2/document_schemas") {
		return "document_schemas " + id
	}
	for _, part := range []string{"/v2/documents", "/v2/email_submissions"} {
		if strings.HasPrefix(path, part) {
			return part
		}
	}
	return ""
}

// refused: all refusals of one sort share their bytes.
func (b *bench) refused(c *census, a *response, what string, status int, sort string) {
	b.tb.Helper()
	if a.status != status {
		b.tb.Errorf("%s: %d, want %d: %s", what, a.status, status, a.body)
		return
	}
	if first, ok := c.bodies[sort]; !ok {
		c.bodies[sort] = string(a.body)
	} else if first != string(a.body) {
		b.tb.Errorf("%s: %s differs from %s", what, a.body, first)
	}
}

// noLeak: nothing of the other account's may stand in an answer, save in its
// links, which repeat what was asked.
func (b *bench) noLeak(c *census, a *response, what string, theirs *tenant) {
	b.tb.Helper()
	text := string(a.body)
	if links := strings.LastIndex(text, `],"links":{"self":"http`); links >= 0 {
		text = text[:links]
	}
	secrets := []string{theirs.account.String(), theirs.keyID.String(), theirs.secret}
	for typ, id := range theirs.ids {
		if !sharedTypes[typ] {
			secrets = append(secrets, id)
		}
	}
	if theirs == b.theirs {
		secrets = append(secrets, "anary", "ANARY")
	}
	for _, s := range secrets {
		if strings.Contains(text, s) {
			c.leaks++
			b.tb.Errorf("%s leaks %s: %s", what, s, short(text))
		}
	}
}

// relations are paths that lead out of a resource, as far as the ceilings allow.
var relations = map[string][]string{
	"shipment": {"containers.transport_events.vessel", "containers.raw_events.terminal", "custom_fields.definition", "containers.custom_fields.updated_by", "containers.shipment.containers", "pod_terminal.port",
		"port_of_lading", "port_of_discharge", "destination", "destination_terminal", "line_tracking_stopped_by_user"},
	"container":           {"shipment.containers.raw_events", "shipment.pod_terminal", "custom_fields.definition", "transport_events.source_event", "transport_events.shipment", "raw_events.vessel", "pod_terminal", "pickup_facility"},
	"tracking_request":    {"tracked_object.containers.transport_events", "tracked_object.custom_fields", "custom_fields.entity", "customer", "user"},
	"custom_field":        {"entity.containers.raw_events", "entity.custom_fields.entity", "definition", "updated_by"},
	"custom_field_change": {"custom_field.entity.containers", "updated_by"},
	"terminal":            {"port"},
	"transport_event":     {"container.shipment", "shipment.containers", "vessel", "location", "terminal", "source_event"},
	"raw_event":           {"location", "vessel", "terminal"},
	"revision":            {"shipment.containers.raw_events", "container.shipment", "source_event.vessel"},
	"webhook_recovery":    {"webhook"},
	"audit_event":         {"user"},
	"document":            {"shipments.containers.shipment", "cargos.shipment", "account", "user", "last_document_representation", "email_submission.documents", "current_extraction"},
	"email_submission":    {"documents.last_document_representation", "documents.shipments", "account", "user"},
	"route":               {"port,vessel,route_location"},
	"webhook_notification": {"webhook", "reference_object.tracked_object.containers", "reference_object.customer", "reference_object.user",
		"reference_object.container", "webhook_notification_logs.webhook_notification.webhook"},
}

// pasts are what answers about the past include.
var pasts = map[string]string{"GET /v2/shipments/{id}": "containers.shipment.port_of_lading", "GET /v2/containers/{id}": "shipment.containers.pod_terminal"}

// sideways tries to reach the other account through includes, filters and
// relationships.
func (b *bench) sideways(c *census, mine, theirs *tenant, r httpserver.Route) {
	b.tb.Helper()
	typ, _ := typeOf(r.Path)
	r.Path = mine.byID(r.Path)
	shows := typ
	if _, rest, ok := strings.Cut(r.Path, "/{id}/"); ok {
		shows = strings.TrimSuffix(rest, "s")
	}
	switch {
	case shows == "history" && typ == "custom_field":
		shows = "custom_field_change"
	case shows == "eta_revision" || shows == "history":
		shows = "revision"
	}
	path := strings.ReplaceAll(r.Path, "{id}", mine.ids[typ])
	if r.Method == "GET" && goodQueries[r.Pattern()] == "" && r.Path != "/v2/documents/types" && !strings.HasSuffix(r.Path, "/download_url") {
		for _, include := range relations[shows] {
			a := b.as(mine, "GET", path+"?include="+include, "").want(200)
			c.cells++
			b.noLeak(c, a, r.Pattern()+" include="+include, theirs)
		}
	}
	if include, ok := pasts[r.Pattern()]; ok {
		query := "?as_of=2026-03-02T09:00:00Z&include=" + include
		b.noLeak(c, b.as(mine, "GET", path+query, "").want(200), r.Pattern()+query, theirs)
		b.as(mine, "GET", strings.ReplaceAll(r.Path, "{id}", theirs.ids[typ])+query, "").want(404)
		c.cells += 2
	}
	switch r.Pattern() {
	case "GET /v2/shipments", "GET /v2/containers":
		for _, filter := range []string{"filter[customer_id]={party}", "filter[pod_terminal]={terminal}", "filter[tags]=canary", "filter[ref_number]=CANARY-9", "filter[vessel_imo]=9074729"} {
			b.emptyList(c, r, theirs.fill(filter))
		}
		b.emptyList(c, r, "q=CANARY-9", "GET /v2/shipments")
	case "GET /v2/search":
		b.emptyList(c, r, "query=CANARY-9")
		b.emptyList(c, r, "query=anary")
	case "GET /v2/vessels":
		b.emptyList(c, r, "filter[name]=canary")
	case "GET /v2/webhook_notifications":
		b.emptyList(c, r, theirs.fill("filter[webhook]={webhook}"))
	case "GET /v2/documents":
		for _, filter := range []string{"filter[filename]=canary", "filter[reference]=CANARY-9"} {
			b.emptyList(c, r, filter)
		}
	case "GET /v2/tracking_requests":
		b.emptyList(c, r, "q=CANARY-9")
	case "GET /v2/custom_fields":
		for _, filter := range []string{"filter[entity_id]={shipment}", "filter[definition_id]={custom_field_definition}"} {
			b.emptyList(c, r, theirs.fill(filter))
		}
	case "GET /v2/custom_field_definitions":
		b.emptyList(c, r, "filter[display_name]=canary")
	}
	if r.Method == "POST" || r.Method == "PATCH" {
		b.foreignCustomer(c, r, path)
	}
}

// emptyList: a filter that only the other account's records match finds none.
func (b *bench) emptyList(c *census, r httpserver.Route, query string, only ...string) {
	b.tb.Helper()
	if len(only) > 0 && only[0] != r.Pattern() {
		return
	}
	if theirs := b.as(b.theirs, "GET", r.Path+"?"+query, "").want(200); theirs.total() == 0 {
		b.tb.Errorf("%s?%s finds nothing for its owner: the cell proves nothing", r.Path, query)
	}
	a := b.as(b.mine, "GET", r.Path+"?"+query, "").want(200)
	c.cells++
	if a.total() != 0 || len(a.list("data")) != 0 {
		c.leaks++
		b.tb.Errorf("%s?%s finds %d of another account", r.Path, query, a.total())
	}
}

// foreignCustomer: a party of another account is answered as one that never was.
func (b *bench) foreignCustomer(c *census, r httpserver.Route, path string) {
	b.tb.Helper()
	body := goodBodies[r.Pattern()]
	typ, _ := typeOf(r.Path)
	if typ != "shipment" && typ != "tracking_request" || body == "" || strings.HasPrefix(body, `{"number"`) || strings.HasPrefix(body, `{"data":[`) {
		return
	}
	var bodies []string
	for _, id := range []string{b.theirs.ids["party"], randomUUID, noUUID} {
		c.n++
		linked := strings.TrimSuffix(body, "}}") + `},"relationships":{"customer":{"data":{"type":"party","id":"` + id + `"}}}}}`
		linked = strings.Replace(linked, `}},"relationships"`, `},"relationships"`, 1)
		a := b.as(b.mine, r.Method, path, strings.ReplaceAll(linked, "{n}", fmt.Sprint("x", c.n))).want(422)
		c.cells++
		bodies = append(bodies, string(a.body))
	}
	if bodies[0] != bodies[1] || bodies[1] != bodies[2] {
		c.leaks++
		b.tb.Errorf("%s responds differently for other accounts: %q", r.Pattern(), bodies)
	}
}

// Totals count the account's own records only.
func TestTotalsAreOfTheAccount(t *testing.T) {
	b := newBench(t)
	for range 3 {
		b.as(b.theirs, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"`+fmt.Sprint(time.Now().UnixNano())+`"}}}`).want(201)
	}
	if a := b.as(b.mine, "GET", "/v2/parties", ""); a.total() != 1 {
		t.Errorf("total is %d, want 1", a.total())
	}
	if a := b.as(b.theirs, "GET", "/v2/parties", ""); a.total() != 4 {
		t.Errorf("total is %d, want 4", a.total())
	}
}

// An Idempotency-Key of one account means nothing in another.
func TestIdempotencyKeysAreOfTheAccount(t *testing.T) {
	b := newBench(t)
	body := `{"data":{"attributes":{"company_name":"Same"}}}`
	mine := b.as(b.mine, "POST", "/v2/parties", body, "Idempotency-Key: k").want(201).id()
	theirs := b.as(b.theirs, "POST", "/v2/parties", body, "Idempotency-Key: k").want(201).id()
	if mine == theirs {
		t.Error("both accounts got the same party")
	}
}
