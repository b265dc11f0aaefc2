package httpserver

import (
	"net/http"

	"github.com/landfallhq/tracking"
)

// What is said of bulk requests.
type (
	requestsBulk struct {
		// Data has 1 to 100 tracking requests, each as the data of POST /tracking_requests.
		Data []map[string]any `json:"data"`
	}
	requestsBulkDoc struct {
		// Results in the order of the items: each what the answer to a single request would have been, with its status.
		Results []map[string]any `json:"results"`
		Meta    struct {
			Total     int `json:"total"`
			Succeeded int `json:"succeeded"`
			Failed    int `json:"failed"`
		} `json:"meta"`
	}
)

var (
	queryParam     = param{name: "query", about: "What is looked for: the beginning of a number, name or reference, or from 4 characters on what stands within it.", required: true}
	portParam      = param{name: "port_id", about: "The ID of the port that it goes to.", required: true}
	previousParam  = param{name: "previous_port_id", about: "The ID of the port that it comes from.", required: true}
	latitudeParam  = param{name: "latitude", about: "Where it is, in degrees.", required: true}
	longitudeParam = param{name: "longitude", about: "Where it is, in degrees.", required: true}
)

var placeOperations = map[string]operation{
	"GET /containers/{id}/map_geojson": {id: "getContainerMap", tag: "Containers", does: "Get the map of a container", gives: object[tracking.Map](), more: "GeoJSON. The lines between ports are schematic."},
	"GET /containers/{id}/route":       {id: "getContainerRoute", tag: "Containers", does: "Get the route of a container", gives: one("route")},
	"POST /tracking_requests/bulk": {id: "createTrackingRequests", tag: "Tracking requests", does: "Create tracking requests in bulk", gives: object[requestsBulkDoc](), body: bare[requestsBulk](),
		more: "Each counts in the limit, for which there must be room for all; then each succeeds or fails by itself."},
	"GET /search": {id: "search", tag: "Search", does: "Search", gives: many("search_result"), params: []param{queryParam}, more: "At most 25, the best first."},

	"GET /ports":            {id: "listPorts", tag: "Reference", does: "List ports", gives: many("port")},
	"GET /metro_areas/{id}": {id: "getMetroArea", tag: "Reference", does: "Get a metro area", gives: one("metro_area"), more: "By its ID or UN/LOCODE."},
	"GET /terminals":        {id: "listTerminals", tag: "Reference", does: "List terminals", gives: many("terminal")},
	"GET /vessels":          {id: "listVessels", tag: "Reference", does: "List vessels", gives: many("vessel")},
	"GET /vessels/{id}/future_positions": {id: "listVesselFuturePositions", tag: "Reference", does: "Get the expected positions of a vessel", gives: answer{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam}, more: "403 where the server has no source of positions."},
	"GET /vessels/{id}/future_positions_with_coordinates": {id: "listVesselFuturePositionsFromPlace", tag: "Reference", does: "Get the expected positions of a vessel from a place", gives: answer{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam, latitudeParam, longitudeParam}, more: "403 where the server has no source of positions."},
}
